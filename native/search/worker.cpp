// Entering positions and trying their children; see worker.hpp for what is promised.
#include "search/worker.hpp"

namespace zermelo {

Score Worker::visit(int ply, Task task) {
    Frame& frame = frames_.at(ply);
    frame.state = task.state;
    frame.key = task.key;
    frame.recurrence = recurrence_of(task.state, task.key);
    frame.mover = task.mover;
    frame.best_index = TableEntry::NO_ACTION;
    frame.estimated = frame.on_path = frame.judged = false;
    frame.line.clear();
    count_node();
    if (ply > 0 && repeats(ply, frame.recurrence)) {
        frame.on_path = true;
        return leaf(frame, scale_.end(repetition_utility(ply), ply), false);
    }
    if (task.depth <= 0 || ply >= MAX_PLY) return settle_down(ply, task, 0);

    // Nothing is better than to win with the next action.
    const Score start = task.alpha;
    const Score most = scale_.end(game_.table().high, ply + 1);
    if (most < task.beta) {
        task.beta = most;
        if (task.alpha >= task.beta) return most;
    }

    TableEntry entry;
    const bool testing = task.excluded != TableEntry::NO_ACTION;
    const bool known = settings_.table && !testing && shared_.table.probe(task.key, entry);
    if (known && settles(entry, task, ply)) {
        frame.estimated = entry.depth < TableEntry::PROVED;
        return scale_.nearer(entry.score, -ply);
    }

    const uint64_t before = nodes_;
    Score score;
    int extension = 0;
    frame.in_check = game_.in_check(task.state);
    if (frame.in_check && settings_.checks && extendable(ply, task.depth)) extension = 1;
    else if (settings_.unknown_reductions && !testing && task.depth >= 4 && task.depth < ENDLESS &&
             (!known || entry.action == TableEntry::NO_ACTION))
        --task.depth;
    if (!testing && refuted_early(ply, task, score, extension)) return score;
    const bool singular = known && is_singular(ply, task, entry);
    frame.line.clear();
    if (!expand(ply, task.state, task.mover)) {
        count_node();
        if (task.open()) frame.line.set(frame.children[0].action, Line());
        return leaf(frame, frame.children[0].end, false);
    }
    // Within the nominal depth only: where replies are often forced, as captures in checkers, lines would never end.
    if (settings_.single_replies && frame.children.size() == 1 && ply < horizon_ && extendable(ply, task.depth))
        extension = 1;
    if (!testing && refuted_by_table(ply, task, score)) return score;
    const int best_index = known ? entry.action : TableEntry::NO_ACTION;
    rank(ply, task.state, best_index);
    score = try_children(ply, task, std::min(task.depth + extension, ENDLESS), best_index, singular);
    if (!testing) store(ply, task, score, start, nodes_ - before);
    return score;
}

void Worker::look_up() {
    report_nodes();
    if (watch_) watch_->look();
    if (shared_.nodes >= shared_.node_limit || std::chrono::steady_clock::now() >= shared_.deadline) shared_.stop = true;
    if (shared_.stop.load(std::memory_order_relaxed)) throw Stopped{};
    const uint64_t spent = shared_.nodes;
    next_look_ = nodes_ + std::min<uint64_t>(1024, shared_.node_limit - std::min(spent, shared_.node_limit - 1));
}

// Whether `key`, reached at `ply`, stands on the path above it or in the game's history.
bool Worker::repeats(int ply, const TableKey& key) const {
    if (!repetition_counts_) return false;
    for (int earlier = ply; earlier > 0; --earlier) {
        if (frames_.at(earlier).irreversible) return false;
        if (frames_.at(earlier - 1).recurrence == key) return true;
    }
    return std::any_of(shared_.history.begin(), shared_.history.end(),
                       [&](const PastPosition& past) { return past.key == key; });
}

// What the position at `ply`, which repeats, is worth to its mover.
double Worker::repetition_utility(int ply) {
    const zermelo_table& table = game_.table();
    Frame& frame = frames_.at(ply);
    int32_t loser = -1;
    // Whoever repeated the position is the mover of the one before.
    if (table.capabilities & ZERMELO_REPETITION_LOSES) loser = frames_.at(ply - 1).mover;
    if (table.capabilities & ZERMELO_REPETITION_PERPETUAL) {
        frame.in_check = game_.in_check(frame.state);
        loser = perpetual_checker(ply);
    }
    return loser < 0 ? table.neutral : loser == frame.mover ? table.low : table.high;
}

// Who alone has given check with every move since the position at `ply`, which repeats, last stood on the board.
int32_t Worker::perpetual_checker(int ply) const {
    const TableKey& key = frames_.at(ply).recurrence;
    Stretch since;
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

// The estimate of the position at `ply`; also learns by how much estimates change from one turn of a player to the next.
Score Worker::estimate(int ply, const std::byte* state) {
    Frame& frame = frames_.at(ply);
    if (frame.judged) return frame.estimate;
    frame.judged = true;
    frame.estimate = scale_.estimate(game_.evaluate(state, frame.mover));
    if (ply >= 2) {
        const Frame& before = frames_.at(ply - 2);
        if (before.judged && before.mover == frame.mover)
            memory_.swing += (std::abs(frame.estimate - before.estimate) - memory_.swing) / 256;
    }
    return frame.estimate;
}

bool Worker::settles(const TableEntry& entry, const Task& task, int ply) const {
    if (entry.depth < task.depth || !trusted(entry)) return false;
    // In an open window a result without a line would cut the principal variation short.
    if (task.open() && entry.depth < TableEntry::PROVED) return false;
    const Score score = scale_.nearer(entry.score, -ply);
    return entry.bound == Bound::exact || (entry.bound == Bound::lower && score >= task.beta) ||
           (entry.bound == Bound::upper && score <= task.alpha);
}

TableKey Worker::key_of(const std::byte* state) const {
    const uint64_t key = game_.key(state);
    return {game_.table().key ? splitmix(key) : hash_words(state, game_.state_size(), 0x5851f42d4c957f2du), key};
}

TableKey Worker::recurrence_of(const std::byte* state, const TableKey& key) const {
    if (!game_.table().recurrence) return key;
    const uint64_t seen = game_.recurrence(state);
    return {splitmix(seen), seen};
}

bool Worker::expand(int ply, const std::byte* state, int32_t mover, bool all) {
    Frame& frame = frames_.at(ply);
    game_.actions(state, frame.list);
    if (frame.list.count == 0) game_.check("actions", state, 0, ZERMELO_BREACH);
    make_room(frame, frame.list.count);
    list_children(frame, state);
    if (lists_only(ply)) return true;
    const Score most = scale_.end(game_.table().high, ply + 1);
    std::size_t kept = 0;
    frame.state = state;
    frame.mover = mover;
    for (Child& child : frame.children) {
        if (!step_to(ply, child)) continue;
        if (child.terminal() && child.end >= most && !all) {
            frame.children.assign(1, Child(child));
            return false;
        }
        if (settings_.table && !child.terminal()) shared_.table.prefetch(child.key);
        frame.children[kept++] = child;
    }
    frame.children.resize(kept);
    if (kept == 0) game_.check("actions", state, 0, ZERMELO_BREACH);
    return true;
}

void Worker::list_children(Frame& frame, const std::byte* state) {
    frame.children.clear();
    for (std::size_t i = 0; i < frame.list.count; ++i) {
        const int64_t action = frame.list.actions[i];
        frame.children.push_back({action, mark_of(state, action), {}, 0, UNSTEPPED, static_cast<int32_t>(i), 0, false});
    }
}

// Makes the state of a child and what follows from it; false if the rule of repetition forbids the action.
bool Worker::step_to(int ply, Child& child) {
    Frame& frame = frames_.at(ply);
    std::byte* below = frame.states.data() + child.index * stride_;
    game_.step(frame.state, child.action, below, position_);
    child.mover = position_.mover;
    if (position_.terminal()) {
        child.end = scale_.end(position_.utilities[frame.mover], ply + 1);
        return true;
    }
    if (position_.chance()) game_.check("step", frame.state, child.action, ZERMELO_BREACH);
    child.key = key_of(below);
    if (game_.table().capabilities & ZERMELO_REPETITION_FORBIDDEN) {
        frames_.at(ply + 1).irreversible = game_.irreversible(frame.state, child.action);
        if (repeats(ply + 1, recurrence_of(below, child.key))) return false;
    }
    return true;
}

void Worker::make_room(Frame& frame, std::size_t states) const {
    if (frame.room >= states) return;
    frame.room = 2 * states;
    frame.states = StateBuffer(frame.room * stride_);
}

// A child of which the table already says enough refutes the position without being entered.
bool Worker::refuted_by_table(int ply, const Task& task, Score& score) {
    if (!settings_.table || !settings_.table_children || task.depth < 3) return false;
    Frame& frame = frames_.at(ply);
    for (const Child& child : frame.children) {
        TableEntry entry;
        if (!child.stepped() || child.terminal() || child.mover == task.mover || !shared_.table.probe(child.key, entry)) continue;
        if (entry.depth < one_less(task.depth) || !trusted(entry) || entry.bound == Bound::lower) continue;
        score = -scale_.nearer(entry.score, -(ply + 1));
        if (score < task.beta) continue;
        frame.estimated = entry.depth < TableEntry::PROVED;
        ++cutoffs_;
        return true;
    }
    return false;
}

void Worker::rank(int ply, const std::byte* state, int best_index) {
    Frame& frame = frames_.at(ply);
    const std::size_t count = frame.children.size();
    const bool weighed = settings_.priority && game_.table().priorities;
    if (weighed) {
        frame.list.actions.resize(std::max(frame.list.actions.size(), count));
        for (std::size_t i = 0; i < count; ++i) frame.list.actions[i] = frame.children[i].action;
        frame.priorities.resize(count);
        game_.priorities(state, frame.list.actions.data(), count, frame.priorities.data());
    }
    const ActionMemory::Past past = past_of(ply);
    for (std::size_t i = 0; i < count; ++i) {
        Child& child = frame.children[i];
        if (game_.table().noisy && !child.noisy) child.noisy = game_.noisy(state, child.action);
        // The table's action, then captures, each by the game's priority; what the search has learnt breaks ties.
        int64_t rank = child.index == best_index ? int64_t{1} << 60 : child.noisy ? int64_t{1} << 58 : 0;
        if (weighed) rank += static_cast<int64_t>(std::clamp(frame.priorities[i], -1e6, 1e6) * 16) << 32;
        if (settings_.killers) rank += int64_t{memory_.killer(ply, child.mark)} << 30;
        if (settings_.counters && memory_.counters(frame.mover, past.last, child.mark)) rank += int64_t{1} << 29;
        if (settings_.history) rank += int64_t{memory_.credit(frame.mover, past, child.mark)} << 12;
        if (seed_ != 0) rank += static_cast<int64_t>(splitmix(child.action ^ child.key.check ^ seed_) & 0xffff) << 8;
        child.rank = rank;
    }
}

Score Worker::search_child(int ply, const Child& child, int depth, Score alpha, Score beta, bool may_pass) {
    Frame& frame = frames_.at(ply);
    const bool same = child.mover == frame.mover;
    Frame& below = frames_.at(ply + 1);
    if (repetition_counts_) below.irreversible = game_.irreversible(frame.state, child.action);
    const Task task{child_state(ply, child.index), child.mover, child.key, depth, same ? alpha : -beta,
                    same ? beta : -alpha, may_pass};
    const Score score = visit(ply + 1, task);
    return same ? score : -score;
}

// The score of a child: the first in full, the others first with a zero window and, late ones, less deep.
Score Worker::look(int ply, const Task& task, const Child& child, int depth, Score alpha, int tried) {
    if (tried == 0 || !settings_.zero_windows) return search_child(ply, child, depth, alpha, task.beta);
    const int less = reduction(task, depth, tried, child, ply);
    Score score = search_child(ply, child, depth - less, alpha, alpha + 1);
    if (less > 0 && score > alpha) score = search_child(ply, child, depth, alpha, alpha + 1);
    if (score > alpha && score < task.beta) {
        // That the child is better than alpha is what the first look found, with whatever that rests on.
        Frame& below = frames_.at(ply + 1);
        const bool estimated = below.estimated, on_path = below.on_path;
        score = std::max(score, search_child(ply, child, depth, alpha, task.beta));
        below.estimated |= estimated;
        below.on_path |= on_path;
    }
    return score;
}

namespace {

// Of numbers that are depths or places in a list; those beyond the table count as its last.
double logarithm(int number) {
    static const auto table = [] {
        std::array<double, 128> made{};
        for (std::size_t i = 1; i < made.size(); ++i) made[i] = std::log(static_cast<double>(i));
        return made;
    }();
    return table[static_cast<std::size_t>(std::min(number, 127))];
}

}  // namespace

int Worker::reduction(const Task& task, int depth, int tried, const Child& child, int ply) const {
    if (!settings_.late_reductions || depth < 3 || depth >= ENDLESS || tried < 3 || child.noisy) return 0;
    if (frames_.at(ply).in_check || game_.in_check(child_state(ply, child.index))) return 0;
    if (memory_.killer(ply, child.mark)) return 0;
    double plies = 0.75 + logarithm(depth) * logarithm(tried) / 2.2;
    if (task.open()) plies -= 1;
    if (!improving(ply)) plies += 0.5;
    if (settings_.history) plies -= memory_.credit(frames_.at(ply).mover, past_of(ply), child.mark) / (0.75 * ActionMemory::MOST);
    return std::clamp(static_cast<int>(plies), 0, depth - 2);
}

// Brings the best of the children that are left to place `from`: the first few are often enough, so that the list is
// never sorted whole.
void Worker::pick(std::vector<Child>& children, std::size_t from) {
    std::size_t best = from;
    for (std::size_t i = from + 1; i < children.size(); ++i)
        if (children[i].rank > children[best].rank ||
            (children[i].rank == children[best].rank && children[i].index < children[best].index))
            best = i;
    std::swap(children[from], children[best]);
}

// Puts a child that another thread is at work on behind all others, once; the first child is never put off.
bool Worker::put_off(Child& child, int depth, int tried) {
    if (!shared_.busy || tried == 0 || depth < 3 || child.put_off || child.terminal()) return false;
    if (!shared_.busy->contains(child.key.check)) return false;
    child.put_off = true;
    child.rank = std::numeric_limits<int64_t>::min();
    return true;
}

// What the child wins by exchanges on its square.
Score Worker::weigh(const std::byte* state, Child& child) const {
    if (!child.weighed) {
        child.weighed = true;
        child.gain = scale_.difference(game_.exchange(state, child.action));
    }
    return child.gain;
}

// Puts a capture that loses more than it takes behind all others, where it counts as quiet.
bool Worker::loses_exchange(const std::byte* state, Child& child, int best_index) const {
    if (!child.noisy || child.weighed || !game_.exchanges() || child.index == best_index) return false;
    if (weigh(state, child) >= 0) return false;
    child.noisy = false;
    child.rank = (int64_t{child.gain} << 8) - (int64_t{1} << 50);
    return true;
}

Score Worker::try_children(int ply, const Task& task, int depth, int best_index, bool best_is_singular) {
    Frame& frame = frames_.at(ply);
    Frame& below = frames_.at(ply + 1);
    Score best = -UNBOUNDED, alpha = task.alpha;
    bool estimated = false, on_path = game_.table().capabilities & ZERMELO_REPETITION_FORBIDDEN;
    int tried = 0;
    for (std::size_t i = 0; i < frame.children.size(); ++i) {
        bool allowed = true, left_out = false;
        do {
            do pick(frame.children, i);
            while (loses_exchange(task.state, frame.children[i], best_index));
            left_out = hopeless(ply, task, depth, frame.children[i], tried, best);
            if (!left_out && !frame.children[i].stepped()) allowed = step_to(ply, frame.children[i]);
        } while (!left_out && put_off(frame.children[i], depth, tried));
        const Child child = frame.children[i];
        if (child.index == task.excluded || !allowed) continue;
        if (left_out) {
            estimated = true;
            continue;
        }
        frame.mark = child.mark;
        Score score = child.end;
        if (child.terminal()) {
            count_node();
            ++leaves_;
            below.line.clear();
        } else {
            const int extra = best_is_singular && child.index == best_index;
            const bool announced = shared_.busy && depth >= 3;
            if (announced) shared_.busy->add(child.key.check);
            score = look(ply, task, child, std::min(one_less(depth) + extra, ENDLESS), alpha, tried);
            if (announced) shared_.busy->remove(child.key.check);
            estimated |= below.estimated;
            on_path |= below.on_path;
        }
        if (score > best) {
            best = score;
            frame.best_index = child.index;
            if (task.open()) frame.line.set(child.action, below.line);
        }
        ++tried;
        alpha = std::max(alpha, best);
        if (alpha >= task.beta) {
            cutoffs_ += i + 1 < frame.children.size();
            learn(ply, depth, i);
            break;
        }
    }
    frame.estimated = estimated;
    frame.on_path = on_path;
    return best;
}

// The child at place `refuting` has caused a cut-off and those before it have not.
void Worker::learn(int ply, int depth, std::size_t refuting) {
    const Frame& frame = frames_.at(ply);
    const int weight = std::min(depth, 32);
    const ActionMemory::Past past = past_of(ply);
    if (frame.children[refuting].noisy) return;
    memory_.reward(ply, frame.mover, past, frame.children[refuting].mark, weight);
    for (std::size_t i = 0; i < refuting; ++i)
        if (!frame.children[i].noisy) memory_.blame(frame.mover, past, frame.children[i].mark, weight);
}

void Worker::store(int ply, const Task& task, Score score, Score alpha, uint64_t effort) {
    const Frame& frame = frames_.at(ply);
    if (!settings_.table || frame.on_path) return;
    TableEntry entry;
    entry.score = scale_.nearer(score, ply);
    entry.action = std::min<int>(frame.best_index, TableEntry::NO_ACTION);
    entry.depth = frame.estimated ? std::min(task.depth, TableEntry::PROVED - 1) : TableEntry::PROVED;
    entry.bound = score >= task.beta ? Bound::lower : score <= alpha ? Bound::upper : Bound::exact;
    entry.effort = effort;
    shared_.table.store(task.key, entry);
}

}  // namespace zermelo
