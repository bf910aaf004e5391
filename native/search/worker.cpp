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
        const Child& winning = frame.children[frame.order[0].place];
        if (task.open()) frame.line.set(winning.action, Line());
        return leaf(frame, winning.end, false);
    }
    // Within the nominal depth only: where replies are often forced, as captures in checkers, lines would never end.
    if (settings_.single_replies && frame.order.size() == 1 && ply < horizon_ && extendable(ply, task.depth))
        extension = 1;
    if (!testing && refuted_by_table(ply, task, score)) return score;
    const int best = known ? entry.action : TableEntry::NO_ACTION;
    score = try_children(ply, task, std::min(task.depth + extension, ENDLESS), best, singular);
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

Score Worker::search_child(int ply, const Child& child, int depth, Score alpha, Score beta, bool may_pass) {
    Frame& frame = frames_.at(ply);
    const bool same = child.mover == frame.mover;
    Frame& below = frames_.at(ply + 1);
    if (repetition_counts_) below.irreversible = game_.irreversible(frame.state, child.action);
    const Task task{child_state(ply, child.place), child.mover, child.key, depth, same ? alpha : -beta,
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
    if (frames_.at(ply).in_check || game_.in_check(child_state(ply, child.place))) return 0;
    if (memory_.killer(ply, child.mark)) return 0;
    double plies = 0.75 + logarithm(depth) * logarithm(tried) / 2.2;
    if (task.open()) plies -= 1;
    if (!improving(ply)) plies += 0.5;
    if (settings_.history) plies -= memory_.credit(frames_.at(ply).mover, past_of(ply), child.mark) / (0.75 * ActionMemory::MOST);
    return std::clamp(static_cast<int>(plies), 0, depth - 2);
}

Score Worker::try_children(int ply, const Task& task, int depth, int best, bool best_is_singular) {
    Frame& frame = frames_.at(ply);
    Frame& below = frames_.at(ply + 1);
    Score score = -UNBOUNDED, alpha = task.alpha;
    bool estimated = false, on_path = game_.table().capabilities & ZERMELO_REPETITION_FORBIDDEN;
    int tried = 0;
    std::size_t turn = 0;
    while (Child* next = pick(ply, turn, best)) {
        if (loses_exchange(task.state, *next, best)) {
            put_behind(frame, turn);
            continue;
        }
        if (next->place != task.excluded && prunable(ply, task, depth, *next, tried, score)) {
            const bool rest = late(ply, depth, tried);
            estimated |= rest;
            if (rest && lists_only(ply)) break;
            if (rest || hopeless(ply, task, depth, *next)) {
                estimated = true;
                ++turn;
                continue;
            }
        }
        if (next->place == task.excluded || (!next->stepped() && !step_to(ply, *next))) {
            ++turn;
            continue;
        }
        if (put_off(*next, depth, tried)) {
            put_behind(frame, turn);
            continue;
        }
        const Child child = *next;
        frame.mark = child.mark;
        Score found = child.end;
        if (child.terminal()) {
            count_node();
            ++leaves_;
            below.line.clear();
        } else {
            const int extra = best_is_singular && child.place == best;
            const bool announced = shared_.busy && depth >= 3;
            if (announced) shared_.busy->add(child.key.check);
            found = look(ply, task, child, std::min(one_less(depth) + extra, ENDLESS), alpha, tried);
            if (announced) shared_.busy->remove(child.key.check);
            estimated |= below.estimated;
            on_path |= below.on_path;
        }
        if (found > score) {
            score = found;
            frame.best_index = child.place;
            if (task.open()) frame.line.set(child.action, below.line);
        }
        ++tried;
        alpha = std::max(alpha, score);
        if (alpha >= task.beta) {
            cutoffs_ += turn + 1 < frame.order.size();
            learn(ply, depth, turn);
            break;
        }
        ++turn;
    }
    frame.estimated = estimated;
    frame.on_path = on_path;
    return score;
}

// The child at place `refuting` of the order has caused a cut-off and those before it have not.
void Worker::learn(int ply, int depth, std::size_t refuting) {
    const Frame& frame = frames_.at(ply);
    const auto tried = [&](std::size_t turn) -> const Child& { return frame.children[frame.order[turn].place]; };
    const int weight = std::min(depth, 32);
    const ActionMemory::Past past = past_of(ply);
    if (tried(refuting).noisy) return;
    memory_.reward(ply, frame.mover, past, tried(refuting).mark, weight);
    for (std::size_t i = 0; i < refuting; ++i)
        if (!tried(i).noisy) memory_.blame(frame.mover, past, tried(i).mark, weight);
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
