// Quiescence search, and the pruning of nodes and of quiet actions; see worker.hpp.
#include "search/worker.hpp"

namespace zermelo {

Score Worker::quiescence(int ply, const SearchNode& node, int plies) {
    Frame& frame = frames_.at(ply);
    deepest_ = std::max(deepest_, ply);
    if (plies == 0) quiescence_end_ = nodes_ + QUIESCENCE_NODES;
    else if (shared_.tables)
        if (const std::optional<Score> settled = probe_tables(ply, node, true)) return *settled;
    const bool stop = !settings_.quiescence || !game_.table().is_noisy || ply >= MAX_PLY || plies > QUIESCENCE_PLIES ||
                      nodes_ >= quiescence_end_;
    // In check there is no stand-pat and every reply is searched, for the first plies of a series of checks.
    const bool forced = !stop && plies < parameters().quiescence_check_plies && game_.is_check(node.state);
    TableEntry entry;
    const bool known = settings_.table && look_up(node.key, entry);
    if (known && causes_cutoff(entry, node, ply)) {
        ++leaves_;
        frame.estimated = entry.depth < TableEntry::PROVED;
        return scale_.from_table(entry.score, ply);
    }
    Score stand_pat = forced ? -INFINITE_SCORE : evaluate(ply, node.state);
    if (known && !forced) stand_pat = refine(ply, stand_pat, entry);
    if (stop || stand_pat >= node.beta) return leaf(frame, stand_pat, true);
    frame.state = node.state;
    list_children(frame, node.state, !forced);
    make_room(frame, 1);
    const uint64_t before = nodes_;
    frame.estimated = true;
    frame.best_place = TableEntry::NO_ACTION;
    Score best = stand_pat, alpha = std::max(node.alpha, stand_pat);
    std::size_t turn = 0;
    for (; Child* child = pick(ply, turn, known ? entry.action : TableEntry::NO_ACTION); ++turn) {
        if (!forced && game_.table().exchange) {
            const Score exchange = static_exchange(node.state, *child);
            if (exchange < 0) continue;
            const int64_t most = int64_t{stand_pat} + exchange + margin(parameters().quiescence_margin);
            if (most <= alpha) {
                best = std::max(best, static_cast<Score>(most));
                continue;
            }
        }
        std::byte* below = frame.states.data();
        game_.step(node.state, child->action, below, position_);
        const TableKey key = position_.terminal() ? TableKey{} : key_of(game_, below);
        if (!forced && !position_.terminal() && recurs_in_quiescence(ply, plies, key)) continue;
        count_node();
        Score score;
        if (position_.terminal()) {
            ++leaves_;
            score = scale_.end(game_.end(below, position_, node.mover), ply + 1);
        } else {
            Frame& next = frames_.at(ply + 1);
            next.mover = position_.mover;
            next.key = key;
            next.evaluated = next.estimated = next.path_dependent = false;
            const bool same = position_.mover == node.mover;
            if (settings_.table) shared_.table.prefetch(key);
            const SearchNode inner{below, position_.mover,           key,
                                   0,     same ? alpha : -node.beta, same ? node.beta : -alpha};
            score = quiescence(ply + 1, inner, plies + 1);
            if (!same) score = -score;
        }
        if (score > best) {
            best = score;
            frame.best_place = child->place;
        }
        alpha = std::max(alpha, score);
        if (alpha >= node.beta) break;
    }
    if (turn == 0 && best == stand_pat) return leaf(frame, stand_pat, true);
    store(ply, node, best, node.alpha, nodes_ - before);
    return best;
}

// Whether `key` is on the path from the root of the quiescence search to its node at `ply`.
bool Worker::recurs_in_quiescence(int ply, int plies, const TableKey& key) const {
    for (int earlier = ply; earlier >= ply - plies; --earlier)
        if (frames_.at(earlier).key == key) return true;
    return false;
}

bool Worker::prune_node(int ply, const SearchNode& node, Score& score, int& extension) {
    Frame& frame = frames_.at(ply);
    if (node.is_pv() || node.depth >= UNLIMITED_DEPTH || scale_.decisive(node.beta) || frame.in_check) return false;
    if (prunes(node.depth)) {
        const double plies = node.depth - improving(ply) * parameters().reverse_futility_improving;
        const Score ahead = frame.refined - margin(parameters().reverse_futility_margin * std::max(plies, 0.0));
        // Step 7. Reverse futility: far enough above beta.
        if (settings_.reverse_futility && node.depth <= parameters().reverse_futility_depth && ahead >= node.beta) {
            frame.estimated = true;
            score = ahead;
            return true;
        }
        // Step 8. Razoring: so far below alpha that only noisy actions could help.
        if (settings_.razoring && node.depth <= parameters().razoring_depth &&
            frame.refined + margin(parameters().razoring_margin * node.depth) <= node.alpha) {
            score = quiescence(ply, node, 0);
            if (score <= node.alpha) return true;
        }
    }
    return null_move_cutoff(ply, node, score, extension) || probable_cutoff(ply, node, score);
}

// Step 9. Null move: if the score reaches beta even after a pass, the node is cut. A pass that lets the opponent win at once
// reveals a check in games without `is_check`.
bool Worker::null_move_cutoff(int ply, const SearchNode& node, Score& score, int& extension) {
    Frame& frame = frames_.at(ply);
    if (!game_.table().pass_turn || !node.may_pass || node.depth < parameters().null_move_depth) return false;
    const bool promising = settings_.null_move && (!game_.table().evaluate || frame.refined >= node.beta);
    const bool detects_check = settings_.check_extensions && !game_.table().is_check;
    if (!promising && !detects_check) return false;
    make_room(frame, 1);
    std::byte* below = frame.states.data();
    game_.pass_turn(node.state, below, position_);
    if (position_.mover < 0 || position_.mover == node.mover) return false;
    frame.history_key = History::NO_ACTION;
    const double reduced = parameters().null_move_base + node.depth / parameters().null_move_divisor;
    int depth = promising ? node.depth - static_cast<int>(reduced) : 1;
    if (promising && game_.table().evaluate) {
        const double lead =
            (static_cast<double>(frame.refined) - node.beta) / (margin(parameters().null_move_lead) + 1);
        depth -= static_cast<int>(std::min(lead, parameters().null_move_lead_most));
    }
    const SearchNode inner{below, position_.mover, key_of(game_, below), std::max(depth, 1), -node.beta, -node.beta + 1,
                           false};
    frames_.at(ply + 1).irreversible = true;
    const Score passed = -search(ply + 1, inner);
    const bool threatened = passed == scale_.score(game_.table().low, ply + 2);
    if (detects_check && threatened && may_extend(ply, node.depth)) extension = 1;
    if (!promising || passed < node.beta) return false;
    if (node.depth >= parameters().verification_depth) {  // verification search, against zugzwang
        SearchNode check = node;
        check.depth = node.depth - parameters().verification_reduction;
        check.may_pass = false;
        if (search(ply, check) < node.beta) return false;
    }
    frame.estimated = true;
    score = node.beta;
    return true;
}

// Step 10. Multi-ProbCut: if shallower searches are so far beyond the window that the search of this depth will not come back into
// it but for the risk that is taken, the node is cut. The evaluation says on which side.
bool Worker::probable_cutoff(int ply, const SearchNode& node, Score& score) {
    Frame& frame = frames_.at(ply);
    if (!uses_probcut() || !prunes(node.depth)) return false;
    const Score refined = frame.refined;
    const bool high = refined >= node.beta;
    const bool cut = settings_.depth_pairs.any(game_.stage(node.state), node.depth, [&](const DepthPair& pair) {
        return foretells_cutoff(ply, node, pair, high);
    });
    if (!cut) {
        evaluate(ply, node.state);
        frame.refined = refined;
        return false;
    }
    frame.estimated = true;
    score = high ? node.beta : node.alpha;
    return true;
}

// Whether the shallow search of a pair foretells a result of at least beta (`high`), or of at most alpha.
bool Worker::foretells_cutoff(int ply, SearchNode node, const DepthPair& pair, bool high) {
    const double risk = parameters().probcut_risk * scale_.difference(pair.error);
    const double edge = high ? node.beta + risk : node.alpha - risk;
    const double bar = std::round((edge - scale_.difference(pair.offset)) / pair.slope);
    if (!(std::abs(bar) < INFINITE_SCORE) || scale_.decisive(static_cast<Score>(bar))) return false;
    node.alpha = static_cast<Score>(bar) - high;
    node.beta = node.alpha + 1;
    node.depth = pair.shallow;
    const Score found = search(ply, node);
    return high ? found >= node.beta : found <= node.alpha;
}

bool Worker::improving(int ply) const {
    const Frame& frame = frames_.at(ply);
    if (ply < 2 || !frame.evaluated) return false;
    const Frame& before = frames_.at(ply >= 4 && !frames_.at(ply - 2).evaluated ? ply - 4 : ply - 2);
    return before.evaluated && before.mover == frame.mover && frame.evaluation > before.evaluation;
}

// Whether the quiet action may be pruned near the depth limit, by move count or futility.
bool Worker::may_prune(int ply, const SearchNode& node, int depth, const Child& child, int tried, Score best) const {
    const Frame& frame = frames_.at(ply);
    if (node.is_pv() || depth > parameters().quiet_pruning_depth || tried == 0 || child.noisy || child.terminal())
        return false;
    return !frame.in_check && frame.evaluated && !scale_.is_loss(best) &&
           !history_->killer_rank(ply, child.history_key);
}

// The depth to which the quiet action would be searched, by which it is pruned.
int Worker::pruning_depth(int ply, int depth, const Child& child, int tried) const {
    if (!settings_.late_move_reductions) return depth;
    const double late = late_plies(ply, depth, child, tried) * parameters().pruning_reduction;
    return std::clamp(depth - static_cast<int>(late), 1, depth);
}

bool Worker::exceeds_move_count(int ply, int depth, int tried) const {
    if (!settings_.move_count_pruning) return false;
    const int most = static_cast<int>(parameters().move_count_base + parameters().move_count_growth * depth * depth);
    return tried >= (improving(ply) ? most : static_cast<int>(most * parameters().move_count_worsening));
}

// Whether the evaluation is too far below alpha, or the action's history or exchange too bad.
bool Worker::is_futile(int ply, const SearchNode& node, int depth, Child& child) const {
    const Frame& frame = frames_.at(ply);
    if (!settings_.futility || gives_safe_check(frame.state, child.action)) return false;
    if (depth <= parameters().futility_depth &&
        frame.refined + margin(parameters().futility_base + parameters().futility_margin * depth) <= node.alpha)
        return true;
    if (depth <= parameters().history_pruning_depth && settings_.history &&
        history_->score(frame.mover, prior_actions(ply), child.history_key) <
            -parameters().history_pruning_margin * depth)
        return true;
    return depth <= parameters().exchange_pruning_depth && game_.table().exchange &&
           static_exchange(frame.state, child) < -margin(parameters().exchange_pruning_margin * depth);
}

// Step 11. Whether all actions but the table's fail low against a margin below its score.
bool Worker::is_singular(int ply, const SearchNode& node, const TableEntry& entry) {
    if (!settings_.singular_extensions || node.depth < parameters().singular_depth || !may_extend(ply, node.depth))
        return false;
    if (entry.action == TableEntry::NO_ACTION || entry.bound == Bound::upper ||
        entry.depth < node.depth - parameters().singular_entry)
        return false;
    if (scale_.decisive(entry.score) || !game_.table().evaluate) return false;
    const Score bar = scale_.from_table(entry.score, ply) - margin(parameters().singular_margin);
    SearchNode others = node;
    others.depth = static_cast<int>((node.depth - 1) * parameters().singular_share);
    others.alpha = bar - 1;
    others.beta = bar;
    others.may_pass = false;
    others.excluded = entry.action;
    return search(ply, others) < bar;
}

}  // namespace zermelo
