// The search for endings; see ending.hpp for its guarantees.
#include "search/ending.hpp"

#include "search/worker.hpp"

namespace zermelo {

namespace {

// In plies that remain. What is cheaper for the tree as a whole was measured in Othello.
constexpr int FINISH = 5;  // up to here a node has neither replies counted nor a place in the table
constexpr int LEAST_TABLED = 7;
constexpr int LEAST_ENHANCED = 9;  // the children's entries are looked up before any is searched
constexpr int LEAST_ESTIMATED = 11;  // from here on children are ordered by estimates, too
constexpr int DEEPEST_ESTIMATE = 4;  // plies
constexpr int LEAST_DEFERRED = 11;  // threads leave such children to each other

constexpr int REPLY = 16;  // the rank of one reply less
constexpr int ESTIMATE_SPREAD = 12 * REPLY;  // between the children with the best and the worst estimate
constexpr int FIRST_RANK = 1 << 24;

std::size_t stride_of(const zermelo_table& table) {
    const std::size_t alignment = std::max<std::size_t>(table.state_alignment, 8);
    return (table.state_size + alignment - 1) / alignment * alignment;
}

}  // namespace

EndingSearch::EndingSearch(const Game& game, SharedSearch& shared, Worker& worker)
    : game_(game), shared_(shared), worker_(worker), scale_(game.table(), false), stride_(stride_of(game.table())) {
    if (const NetworkGame* found = network_game(game.table())) network_.emplace(found->network(), found->rules());
}

Score EndingSearch::solve(const std::byte* state, int32_t mover, Score alpha, Score beta) {
    game_.actions(state, root_);
    return search(0, {state, mover, key_of(zermelo::key_of(game_, state)), &root_,
                      static_cast<int>(std::min<int64_t>(game_.remaining_plies(state), MAX_PLY)), alpha, beta});
}

Score EndingSearch::search(int ply, const Node& node) {
    if (!node.is_pv() && node.remaining <= FINISH)
        return finish(ply, node.state, node.mover, *node.list, node.alpha, node.beta);
    worker_.count_node();
    Frame& frame = frame_for(ply, node.list->count);
    frame.line.clear();
    if (ply >= MAX_PLY) return give_up();
    Score score;
    if (bound_cutoff(node, score)) return score;
    const bool tabled = node.remaining >= LEAST_TABLED && shared_.settings.table;
    TableEntry entry;
    const bool known = tabled && shared_.table.probe(node.key, entry);
    if (known && table_cutoff(node, entry, score)) return score;
    const uint64_t before = worker_.nodes();
    if (expand(frame, node, score)) return score;
    if (node.remaining >= LEAST_ENHANCED && !node.is_pv() && enhanced_cutoff(frame, node, score)) return score;
    order(ply, node, known ? entry.action : TableEntry::NO_ACTION);
    score = search_children(ply, node);
    if (!tabled || gave_up_) return score;
    entry.score = score;
    entry.depth = TableEntry::PROVED;
    entry.bound = score >= node.beta ? Bound::lower : score <= node.alpha ? Bound::upper : Bound::exact;
    entry.action = std::min<int>(frame.children[0].place, TableEntry::NO_ACTION);
    entry.effort = worker_.nodes() - before;
    shared_.table.store(node.key, entry);
    return score;
}

// The children in their order; afterwards the best of them is the first.
Score EndingSearch::search_children(int ply, const Node& node) {
    Frame& frame = frames_.at(static_cast<std::size_t>(ply));
    Frame& below = frames_.at(static_cast<std::size_t>(ply) + 1);
    Score best = -INFINITE_SCORE, alpha = node.alpha;
    const bool shares = shared_.busy && node.remaining > LEAST_DEFERRED;
    std::size_t place = 0;
    for (std::size_t turn = 0; turn < frame.count;) {
        Child& child = *pick(frame, turn);
        if (shares && turn > 0 && !child.deferred && !child.terminal() && shared_.busy->contains(child.key.check)) {
            child.deferred = true;
            child.rank -= FIRST_RANK;
            continue;
        }
        if (shares) shared_.busy->add(child.key.check);
        Score score;
        if (turn == 0 || !node.is_pv()) {
            score = search_child(ply, node, child, alpha, node.beta);
        } else {
            score = search_child(ply, node, child, alpha, alpha + 1);
            if (score > alpha && score < node.beta) score = search_child(ply, node, child, alpha, node.beta);
        }
        if (shares) shared_.busy->remove(child.key.check);
        if (score > best) {
            best = score;
            place = turn;
            if (node.is_pv()) frame.line.set(child.action, child.terminal() ? Line() : below.line);
        }
        alpha = std::max(alpha, score);
        if (alpha >= node.beta) break;
        ++turn;
    }
    std::swap(frame.children[0], frame.children[place]);
    return best;
}

Score EndingSearch::search_child(int ply, const Node& node, const Child& child, Score alpha, Score beta) {
    if (child.terminal()) {
        worker_.count_node();
        return child.end;
    }
    Frame& frame = frames_.at(static_cast<std::size_t>(ply));
    const auto place = static_cast<std::size_t>(child.place);
    const bool same = child.mover == node.mover;
    const Score score = search(ply + 1, {state_of(frame, place), child.mover, child.key, &frame.lists[place],
                                         child.remaining, same ? alpha : -beta, same ? beta : -alpha});
    return same ? score : -score;
}

// The last plies: each child is stepped to when its turn comes, and nothing is remembered.
Score EndingSearch::finish(int ply, const std::byte* state, int32_t mover, const ActionList& list, Score alpha,
                           Score beta) {
    worker_.count_node();
    Frame& frame = frame_for(ply, list.count);
    frame.line.clear();
    if (ply >= MAX_PLY) return give_up();
    const std::size_t count = list.count;
    for (std::size_t i = 0; i < count; ++i) {
        frame.children[i].action = list.actions[i];
        frame.children[i].rank = count > 1 ? priority(state, list.actions[i]) : 0;
    }
    std::byte* below = frame.states.data();
    ActionList& replies = frame.lists[0];
    Score best = -INFINITE_SCORE;
    for (std::size_t turn = 0; turn < count; ++turn) {
        const Child& child = *pick(frame, turn);
        game_.enter(state, child.action, below, position_, replies);
        Score score;
        if (position_.terminal()) {
            worker_.count_node();
            score = end(below, mover);
        } else if (position_.mover == mover) {
            score = finish(ply + 1, below, mover, replies, alpha, beta);
        } else {
            score = -finish(ply + 1, below, position_.mover, replies, -beta, -alpha);
        }
        best = std::max(best, score);
        alpha = std::max(alpha, score);
        if (alpha >= beta) break;
    }
    return best;
}

bool EndingSearch::table_cutoff(const Node& node, const TableEntry& entry, Score& score) const {
    score = entry.score;
    return entry.depth >= TableEntry::PROVED &&
           (entry.bound == Bound::exact || (entry.bound == Bound::lower && score >= node.beta) ||
            (entry.bound == Bound::upper && score <= node.alpha));
}

// By what each player can still get at most.
bool EndingSearch::bound_cutoff(const Node& node, Score& score) {
    const zermelo_table& table = game_.table();
    if (!table.upper_bound) return false;
    if (Trial& trial = trial_of(node.alpha); trial.pays()) {
        score = scale_.end(game_.upper_bound(node.state, node.mover), 0);
        if (trial.take(score <= node.alpha)) return true;
    }
    if (table.players != 2) return false;
    if (Trial& trial = trial_of(-node.beta); trial.pays()) {
        score = scale_.end(2 * table.neutral - game_.upper_bound(node.state, 1 - node.mover), 0);
        if (trial.take(score >= node.beta)) return true;
    }
    return false;
}

// The trials of bounds against scores like `alpha`.
EndingSearch::Trial& EndingSearch::trial_of(Score alpha) {
    const zermelo_table& table = game_.table();
    if (!std::isfinite(table.high - table.low)) return trials_[0];
    const double share = (scale_.value(alpha) - table.low) / (table.high - table.low);
    return trials_[static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * (trials_.size() - 1))];
}

// A child whose entry already refutes the node.
bool EndingSearch::enhanced_cutoff(const Frame& frame, const Node& node, Score& score) const {
    TableEntry entry;
    for (std::size_t i = 0; i < frame.count; ++i) {
        const Child& child = frame.children[i];
        if (child.terminal() || child.mover == node.mover || child.remaining < LEAST_TABLED) continue;
        if (!shared_.table.probe(child.key, entry)) continue;
        if (entry.depth < TableEntry::PROVED || entry.bound == Bound::lower || -entry.score < node.beta) continue;
        score = -entry.score;
        return true;
    }
    return false;
}

// Steps to all children; true if one of them ends the game with a cut-off.
bool EndingSearch::expand(Frame& frame, const Node& node, Score& score) {
    const std::size_t count = frame.count = node.list->count;
    for (std::size_t i = 0; i < count; ++i) {
        std::byte* below = state_of(frame, i);
        Child& child = frame.children[i];
        game_.enter(node.state, node.list->actions[i], below, position_, frame.lists[i]);
        child.action = node.list->actions[i];
        child.mover = position_.mover;
        child.place = static_cast<int32_t>(i);
        child.deferred = false;
        child.key = {};
        if (child.terminal()) {
            child.end = score = end(below, node.mover);
            child.rank = FIRST_RANK;
            if (score < node.beta) continue;
            worker_.count_node();
            if (node.is_pv()) frame.line.set(child.action, Line());
            return true;
        }
        child.remaining = static_cast<int>(std::min<int64_t>(game_.remaining_plies(below), MAX_PLY));
        if (child.remaining < LEAST_TABLED) continue;
        child.key = key_of(zermelo::key_of(game_, below));
        shared_.table.prefetch(child.key);
    }
    return false;
}

void EndingSearch::order(int ply, const Node& node, int best) {
    Frame& frame = frames_.at(static_cast<std::size_t>(ply));
    if (frame.count == 1) return;
    for (std::size_t i = 0; i < frame.count; ++i) {
        Child& child = frame.children[i];
        if (child.terminal()) continue;
        const auto replies = static_cast<int>(std::min<std::size_t>(frame.lists[i].count, 1 << 16)) * REPLY;
        child.rank = priority(node.state, child.action) + (child.mover == node.mover ? replies : -replies);
    }
    if (node.remaining >= LEAST_ESTIMATED && game_.table().evaluate)
        rank_by_estimates(ply, node, std::min((node.remaining - LEAST_ESTIMATED) / 3, DEEPEST_ESTIMATE));
    for (std::size_t i = 0; i < frame.count; ++i)
        if (frame.children[i].place == best) frame.children[i].rank = FIRST_RANK;
}

// Adds to the ranks what a search of `depth` plies thinks of each child, as far as the children differ.
void EndingSearch::rank_by_estimates(int ply, const Node& node, int depth) {
    Frame& frame = frames_.at(static_cast<std::size_t>(ply));
    std::vector<double>& values = frame.values;
    values.assign(frame.count, 0);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t i = 0; i < frame.count; ++i) {
        const Child& child = frame.children[i];
        if (child.terminal()) continue;
        const double value =
            estimate(ply + 1, state_of(frame, i), child.mover, frame.lists[i], depth,
                     -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity());
        values[i] = child.mover == node.mover ? value : -value;
        low = std::min(low, values[i]);
        high = std::max(high, values[i]);
    }
    if (!(high > low)) return;
    for (std::size_t i = 0; i < frame.count; ++i)
        if (!frame.children[i].terminal())
            frame.children[i].rank += static_cast<int>(ESTIMATE_SPREAD * (values[i] - low) / (high - low));
}

// What a search of `depth` plies thinks of a position, for its mover, with draws as 0.
double EndingSearch::estimate(int ply, const std::byte* state, int32_t mover, const ActionList& list, int depth,
                              double alpha, double beta) {
    worker_.count_node();
    const double neutral = game_.table().neutral;
    if (depth <= 0)
        return (network_ ? network_->evaluate(ply, state, mover, mover) : game_.evaluate(state, mover)) - neutral;
    const std::size_t count = list.count;
    Frame& frame = frame_for(ply, count);
    frame.values.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        Child& child = frame.children[i];
        game_.enter(state, list.actions[i], state_of(frame, i), position_, frame.lists[i]);
        child.mover = position_.mover;
        child.place = static_cast<int32_t>(i);
        const auto replies = static_cast<int>(std::min<std::size_t>(frame.lists[i].count, 1 << 16));
        child.rank = child.terminal() ? FIRST_RANK : child.mover == mover ? replies : -replies;
        if (child.terminal())
            child.end = 0, frame.values.resize(count),
            frame.values[i] = game_.end(state_of(frame, i), position_, mover) - neutral;
    }
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t turn = 0; turn < count; ++turn) {
        const Child& child = *pick(frame, turn);
        const auto place = static_cast<std::size_t>(child.place);
        double value;
        if (child.terminal()) value = frame.values[place];
        else if (child.mover == mover)
            value = estimate(ply + 1, state_of(frame, place), mover, frame.lists[place], depth - 1, alpha, beta);
        else
            value =
                -estimate(ply + 1, state_of(frame, place), child.mover, frame.lists[place], depth - 1, -beta, -alpha);
        best = std::max(best, value);
        alpha = std::max(alpha, value);
        if (alpha >= beta) break;
    }
    return best;
}

// The child of the highest rank after the first `from`, moved there.
EndingSearch::Child* EndingSearch::pick(Frame& frame, std::size_t from) {
    std::size_t next = from;
    for (std::size_t i = from + 1; i < frame.count; ++i)
        if (frame.children[i].rank > frame.children[next].rank) next = i;
    if (next != from) std::swap(frame.children[from], frame.children[next]);
    return &frame.children[from];
}

EndingSearch::Frame& EndingSearch::frame_for(int ply, std::size_t count) {
    Frame& frame = frames_.at(static_cast<std::size_t>(ply));
    if (frame.children.size() < count) [[unlikely]] {
        frame.children.resize(2 * count);
        frame.lists.resize(2 * count);
        frame.states = StateBuffer(2 * count * stride_);
    }
    frame.count = count;
    return frame;
}

int EndingSearch::priority(const std::byte* state, int64_t action) const {
    if (!game_.table().ending_priority) return 0;
    return static_cast<int>(std::clamp(game_.ending_priority(state, action), -1e4, 1e4) * REPLY);
}

}  // namespace zermelo
