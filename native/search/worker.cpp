// The main search, in numbered steps; see worker.hpp for its guarantees.
#include "search/worker.hpp"

namespace zermelo {

Score Worker::search(int ply, SearchNode node) {
    // Step 1. Initialise the node.
    Frame& frame = frames_.at(ply);
    frame.state = node.state;
    frame.key = node.key;
    frame.recurrence = recurrence_of(game_, node.state, node.key);
    frame.mover = node.mover;
    frame.best_place = TableEntry::NO_ACTION;
    frame.estimated = frame.path_dependent = false;
    if (node.excluded == TableEntry::NO_ACTION) frame.evaluated = false;
    frame.line.clear();
    deepest_ = std::max(deepest_, ply);
    count_node();

    // Step 2. Repetition, then endgame tables.
    if (ply > 0 && repeats(ply, frame.recurrence)) {
        frame.path_dependent = true;
        return leaf(frame, scale_.end(repetition_utility(ply), ply), false);
    }
    if (ply > 0 && shared_.tables)
        if (const std::optional<Score> settled = probe_tables(ply, node, node.depth <= 0 || ply >= MAX_PLY))
            return *settled;

    // Step 3. Quiescence at the depth limit.
    if (node.depth <= 0 || ply >= MAX_PLY) return quiescence(ply, node, 0);

    // Step 4. Mate distance pruning: no result beats a win by the next action.
    const Score start = node.alpha;
    const Score most = scale_.score(game_.table().high, ply + 1);
    if (most < node.beta) {
        node.beta = most;
        if (node.alpha >= node.beta) return most;
    }

    // Step 5. Transposition table.
    TableEntry entry;
    const bool testing = node.excluded != TableEntry::NO_ACTION;
    const bool known = settings_.table && !testing && look_up(node.key, entry);
    if (known && causes_cutoff(entry, node, ply)) {
        frame.estimated = entry.depth < TableEntry::PROVED;
        return scale_.from_table(entry.score, ply);
    }

    // Step 6. Static evaluation; check extension, or internal iterative reduction where the table has no action.
    const uint64_t before = nodes_;
    Score score;
    int extension = 0;
    frame.in_check = game_.is_check(node.state);
    if (!testing && !frame.in_check && prunes(node.depth)) {
        evaluate(ply, node.state);
        frame.refined = known ? refine(ply, frame.evaluation, entry) : frame.evaluation;
    }
    if (frame.in_check && settings_.check_extensions && may_extend(ply, node.depth)) extension = 1;
    else if (settings_.internal_reductions && !testing && node.depth >= parameters().internal_reduction_depth &&
             node.depth < UNLIMITED_DEPTH && (!known || entry.action == TableEntry::NO_ACTION))
        --node.depth;

    // Steps 7 to 10. Reverse futility, razoring, null move and Multi-ProbCut.
    if (!testing && prune_node(ply, node, score, extension)) return score;

    // Step 11. Singular extension.
    const bool singular = known && is_singular(ply, node, entry);

    // Step 12. Generate the children; an immediate win ends the node.
    frame.line.clear();
    if (!expand(ply, node.state, node.mover)) {
        count_node();
        const Child& winning = frame.children[frame.order[0].place];
        if (node.is_pv()) frame.line.set(winning.action, Line());
        return leaf(frame, winning.end, false);
    }

    // Step 13. One-reply extension, within the nominal depth only: forced captures, as in checkers, could extend
    // without end.
    if (settings_.one_reply_extensions && frame.order.size() == 1 && ply < root_depth_ && may_extend(ply, node.depth))
        extension = 1;

    // Step 14. Enhanced transposition cut-off.
    if (!testing && enhanced_cutoff(ply, node, score)) return score;

    // Steps 15 to 20. The children.
    const int best = known ? entry.action : TableEntry::NO_ACTION;
    score = search_children(ply, node, std::min(node.depth + extension, UNLIMITED_DEPTH), best, singular);

    // Step 21. Store the result, and learn from it how far the evaluation was off.
    if (!testing) {
        store(ply, node, score, start, nodes_ - before);
        learn_correction(ply, node, score, start);
    }
    return score;
}

void Worker::check_limits() {
    report_nodes();
    if (watch_) watch_->poll();
    if (shared_.nodes >= shared_.node_limit || std::chrono::steady_clock::now() >= shared_.deadline)
        shared_.stop = true;
    if (shared_.stop.load(std::memory_order_relaxed)) throw Stopped{};
    const uint64_t spent = shared_.nodes;
    next_check_ = nodes_ + std::min<uint64_t>(1024, shared_.node_limit - std::min(spent, shared_.node_limit - 1));
}

// Whether `key`, reached at `ply`, is on the path above it or in the game's history.
bool Worker::repeats(int ply, const TableKey& key) const {
    if (!repetition_counts_) return false;
    for (int earlier = ply; earlier > 0; --earlier) {
        if (frames_.at(earlier).irreversible) return false;
        if (frames_.at(earlier - 1).recurrence == key) return true;
    }
    return std::any_of(shared_.history.begin(), shared_.history.end(),
                       [&](const PastPosition& past) { return past.key == key; });
}

// The utility, for its mover, of the position at `ply`, which repeats an earlier one.
double Worker::repetition_utility(int ply) {
    const zermelo_table& table = game_.table();
    Frame& frame = frames_.at(ply);
    int32_t loser = -1;
    // The player who repeated the position moved in the one before.
    if (table.capabilities & ZERMELO_REPETITION_LOSES) loser = frames_.at(ply - 1).mover;
    if (table.capabilities & ZERMELO_REPETITION_PERPETUAL) {
        frame.in_check = game_.is_check(frame.state);
        loser = perpetual_checker(ply);
    }
    return loser < 0 ? table.neutral : loser == frame.mover ? table.low : table.high;
}

// The player who alone gave check with every move since the repeated position at `ply` last occurred; -1 if there is
// none.
int32_t Worker::perpetual_checker(int ply) const {
    const TableKey& key = frames_.at(ply).recurrence;
    CheckRun since;
    do {
        since.add(frames_.at(ply - 1).mover, frames_.at(ply).in_check);
        --ply;
    } while (ply > 0 && !(frames_.at(ply).recurrence == key));
    if (!(frames_.at(ply).recurrence == key))
        for (const PastPosition& past : shared_.history)
            if (past.key == key) since.add(past.since);
    return since.checker();
}

Score Worker::leaf(Frame& frame, Score score, bool estimated) {
    ++leaves_;
    frame.estimated = estimated;
    return score;
}

// What endgame tables say of the position at `ply`; nothing if it is not in them. A win is certain if it comes before a count of
// moves ends the game, and if no earlier position of the game can stand on its way: there each position is nearer to the end.
// Where the root's distance is not known exactly, a position as far away is an estimate, and settled only at the `last` depth; one farther
// away leads nowhere.
std::optional<Score> Worker::probe_tables(int ply, const SearchNode& node, bool last) {
    Verdict verdict;
    const std::byte* state = node.state;
    if (!shared_.tables->probe(game_, state, verdict)) return std::nullopt;
    if (verdict.result == 0 && !shared_.probe_draws) return std::nullopt;
    ++probed_;
    Frame& frame = frames_.at(ply);
    const zermelo_table& table = game_.table();
    if (verdict.result == 0) return leaf(frame, scale_.end(table.neutral, ply), false);
    const double utility = verdict.result > 0 ? table.high : table.low;
    const int end = std::min(ply + static_cast<int>(verdict.distance), LATEST_END);
    if (shared_.way_down.leads_through(verdict, node.mover)) {
        frame.estimate = frame.evaluation = scale_.uncertain_end(utility, end);
        frame.evaluated = true;
        return last || shared_.way_down.goes_back(verdict) ? std::optional(leaf(frame, frame.evaluation, true))
                                                           : std::nullopt;
    }
    frame.path_dependent = verdict.distance > shared_.past_distance;
    if (frame.path_dependent || verdict.distance > game_.plies_left(state))
        return leaf(frame, scale_.uncertain_end(utility, end), true);
    return leaf(frame, scale_.end(utility, end), false);
}

// The static evaluation of the position at `ply`; also measures the volatility of the evaluation.
Score Worker::evaluate(int ply, const std::byte* state) {
    Frame& frame = frames_.at(ply);
    if (frame.evaluated) return frame.evaluation;
    frame.evaluated = true;
    frame.estimate = scale_.estimate(network_ ? network_->evaluate(ply, state, frame.mover, frame.mover)
                                              : game_.evaluate(state, frame.mover));
    frame.evaluation = corrected(ply, frame.estimate);
    if (ply >= 2) {
        const Frame& before = frames_.at(ply - 2);
        if (before.evaluated && before.mover == frame.mover)
            history_->volatility +=
                (std::abs(frame.estimate - before.estimate) - history_->volatility) / parameters().volatility_span;
    }
    return frame.evaluation;
}

// The score of the table's entry, where its bound says that this is nearer to the truth than the evaluation.
Score Worker::refine(int ply, Score evaluation, const TableEntry& entry) const {
    const Score score = scale_.from_table(entry.score, ply);
    if (!settings_.table_evaluation || !is_usable(entry) || scale_.decisive(score)) return evaluation;
    const Bound telling = score > evaluation ? Bound::lower : Bound::upper;
    return entry.bound == Bound::exact || entry.bound == telling ? score : evaluation;
}

bool Worker::causes_cutoff(const TableEntry& entry, const SearchNode& node, int ply) const {
    if (entry.depth < node.depth || !is_usable(entry)) return false;
    // In a principal variation node a table hit would cut the line short.
    if (node.is_pv() && entry.depth < TableEntry::PROVED) return false;
    const Score score = scale_.from_table(entry.score, ply);
    return entry.bound == Bound::exact || (entry.bound == Bound::lower && score >= node.beta) ||
           (entry.bound == Bound::upper && score <= node.alpha);
}

Score Worker::search_child(int ply, const Child& child, int depth, Score alpha, Score beta, bool may_pass) {
    Frame& frame = frames_.at(ply);
    const bool same = child.mover == frame.mover;
    Frame& below = frames_.at(ply + 1);
    if (repetition_counts_) below.irreversible = game_.is_irreversible(frame.state, child.action);
    const SearchNode node{child_state(ply, child.place), child.mover,          child.key, depth,
                          same ? alpha : -beta,          same ? beta : -alpha, may_pass};
    const Score score = search(ply + 1, node);
    return same ? score : -score;
}

// Principal variation search with late move reductions: the first child gets the full window, the others a zero window at
// reduced depth, then at full depth, then the full window, each only if the score exceeds alpha.
Score Worker::search_child_pvs(int ply, const SearchNode& node, const Child& child, int depth, Score alpha, int tried) {
    if (tried == 0 || !settings_.pvs) return search_child(ply, child, depth, alpha, node.beta);
    const int reduced = reduction(node, depth, tried, child, ply);
    Score score = search_child(ply, child, depth - reduced, alpha, alpha + 1);
    if (reduced > 0 && score > alpha) score = search_child(ply, child, depth, alpha, alpha + 1);
    if (score > alpha && score < node.beta) {
        // The zero-window search shows that the child exceeds alpha.
        Frame& below = frames_.at(ply + 1);
        const bool estimated = below.estimated, path_dependent = below.path_dependent;
        score = std::max(score, search_child(ply, child, depth, alpha, node.beta));
        below.estimated |= estimated;
        below.path_dependent |= path_dependent;
    }
    return score;
}

namespace {

// The natural logarithm of a depth or a move number; beyond the table, that of its last entry.
double logarithm(int number) {
    static const auto table = [] {
        std::array<double, 128> logarithms{};
        for (std::size_t i = 1; i < logarithms.size(); ++i) logarithms[i] = std::log(static_cast<double>(i));
        return logarithms;
    }();
    return table[static_cast<std::size_t>(std::min(number, 127))];
}

}  // namespace

int Worker::reduction(const SearchNode& node, int depth, int tried, const Child& child, int ply) const {
    if (!settings_.late_move_reductions || depth >= UNLIMITED_DEPTH || child.noisy) return 0;
    if (depth < parameters().reduction_depth || tried < parameters().reduction_count) return 0;
    if (frames_.at(ply).in_check || game_.is_check(child_state(ply, child.place))) return 0;
    double plies = late_plies(ply, depth, child, tried);
    if (node.is_pv()) plies -= parameters().reduction_pv;
    if (history_->killer_rank(ply, child.history_key)) plies -= parameters().reduction_killer;
    return std::clamp(static_cast<int>(plies), 0, depth - 2);
}

// The plies by which a quiet action is searched less deeply for its place in the order and its history.
double Worker::late_plies(int ply, int depth, const Child& child, int tried) const {
    double plies = parameters().reduction_base + logarithm(depth) * logarithm(tried) / parameters().reduction_divisor;
    if (!improving(ply)) plies += parameters().reduction_worsening;
    if (settings_.history)
        plies -= history_->score(frames_.at(ply).mover, prior_actions(ply), child.history_key) /
                 parameters().reduction_history;
    return plies;
}

Score Worker::search_children(int ply, const SearchNode& node, int depth, int best, bool best_is_singular) {
    Frame& frame = frames_.at(ply);
    Frame& below = frames_.at(ply + 1);
    Score score = -INFINITE_SCORE, alpha = node.alpha;
    bool estimated = false, path_dependent = game_.table().capabilities & ZERMELO_REPETITION_FORBIDDEN;
    int tried = 0;
    std::size_t turn = 0;
    while (Child* next = pick(ply, turn, best)) {
        // Step 15. Losing captures come after the quiet actions.
        if (is_losing_capture(node.state, *next, best)) {
            move_back(frame, turn);
            continue;
        }
        // Step 16. Move-count and futility pruning of quiet actions.
        if (next->place != node.excluded && may_prune(ply, node, depth, *next, tried, score)) {
            const bool rest = exceeds_move_count(ply, depth, tried);
            estimated |= rest;
            if (rest && steps_lazily(ply)) break;
            if (rest || is_futile(ply, node, pruning_depth(ply, depth, *next, tried), *next)) {
                estimated = true;
                ++turn;
                continue;
            }
        }
        if (next->place == node.excluded || (!next->stepped() && !step_child(ply, *next))) {
            ++turn;
            continue;
        }
        // Step 17. Defer what another thread is searching.
        if (defer_busy(*next, depth, tried)) {
            move_back(frame, turn);
            continue;
        }
        // Step 18. Search the child.
        const Child child = *next;
        frame.history_key = child.history_key;
        Score found = child.end;
        if (child.terminal()) {
            count_node();
            ++leaves_;
            below.line.clear();
        } else {
            const int extra = best_is_singular && child.place == best;
            const bool announced = shared_.busy && depth >= 3;
            if (announced) shared_.busy->add(child.key.check);
            found = search_child_pvs(ply, node, child, std::min(less_one_ply(depth) + extra, UNLIMITED_DEPTH), alpha,
                                     tried);
            if (announced) shared_.busy->remove(child.key.check);
            estimated |= below.estimated;
            path_dependent |= below.path_dependent;
        }
        // Step 19. A new best action.
        if (found > score) {
            score = found;
            frame.best_place = child.place;
            if (node.is_pv()) frame.line.set(child.action, below.line);
        }
        ++tried;
        alpha = std::max(alpha, score);
        // Step 20. Beta cut-off.
        if (alpha >= node.beta) {
            cutoffs_ += turn + 1 < frame.order.size();
            update_history(ply, depth, turn);
            break;
        }
        ++turn;
    }
    frame.estimated = estimated;
    frame.path_dependent = path_dependent;
    return score;
}

// Rewards the quiet action at `refuting` of the order for its cut-off and penalizes the quiet ones before it.
void Worker::update_history(int ply, int depth, std::size_t refuting) {
    const Frame& frame = frames_.at(ply);
    const auto tried = [&](std::size_t turn) -> const Child& { return frame.children[frame.order[turn].place]; };
    const History::PriorActions past = prior_actions(ply);
    if (tried(refuting).noisy) return;
    const int weight = std::min(depth, 32);
    const double earned = (parameters().history_bonus_square * weight + parameters().history_bonus_linear) * weight;
    const int bonus = static_cast<int>(std::min<double>(earned, parameters().history_bonus_most));
    const int penalty = std::min(static_cast<int>(bonus * parameters().history_penalty), History::MAX_SCORE);
    history_->reward(ply, frame.mover, past, tried(refuting).history_key, bonus);
    for (std::size_t i = 0; i < refuting; ++i)
        if (!tried(i).noisy) history_->penalize(frame.mover, past, tried(i).history_key, penalty);
}

void Worker::store(int ply, const SearchNode& node, Score score, Score alpha, uint64_t effort) {
    const Frame& frame = frames_.at(ply);
    if (!settings_.table || frame.path_dependent) return;
    TableEntry entry;
    entry.score = scale_.to_table(score, ply);
    entry.depth = frame.estimated ? std::min(node.depth, TableEntry::PROVED - 1) : TableEntry::PROVED;
    entry.bound = score >= node.beta ? Bound::lower : score <= alpha ? Bound::upper : Bound::exact;
    // Where all fail low, none is known to be the best; what a proved position is won or lost by stays known.
    const bool chosen = entry.bound != Bound::upper || entry.depth >= TableEntry::PROVED;
    entry.action = chosen ? std::min<int>(frame.best_place, TableEntry::NO_ACTION) : TableEntry::NO_ACTION;
    entry.effort = effort;
    shared_.table.store(depends_on_past(entry) ? under_past(node.key) : node.key, entry);
}

// A proof that was found under another history says no more than which action was good.
bool Worker::look_up_plain(const TableKey& key, TableEntry& entry) const {
    if (!shared_.table.probe(key, entry)) return false;
    if (depends_on_past(entry)) {
        entry.depth = 0;
        entry.bound = Bound::none;
    }
    return true;
}

// Whether a position of the game so far may stand on the way that a proof shows. Where it would be a draw, each side still holds
// at least a draw if it held one before: only what proves more than that is in doubt.
bool Worker::depends_on_past(const TableEntry& entry) const {
    if (shared_.past_key == 0 || entry.depth < TableEntry::PROVED) return false;
    if (!(game_.table().capabilities & ZERMELO_REPETITION_DRAW)) return true;
    return (entry.bound != Bound::upper && entry.score > 0) || (entry.bound != Bound::lower && entry.score < 0);
}

}  // namespace zermelo
