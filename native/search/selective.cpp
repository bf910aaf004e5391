// The selective parts of the search: quiescence beyond the depth limit, and risky ways to be done before it.
#include "search/worker.hpp"

namespace zermelo {

Score Worker::settle_down(int ply, const Task& task, int plies) {
    Frame& frame = frames_.at(ply);
    const bool settled = !settings_.quiescence || !game_.table().noisy || ply >= MAX_PLY || plies > 30;
    // In check there is no standing pat, and every answer is tried; checks without end are not followed.
    const bool forced = !settled && plies < 8 && game_.in_check(task.state);
    TableEntry entry;
    const bool known = settings_.table && shared_.table.probe(task.key, entry);
    if (known && settles(entry, task, ply)) {
        ++leaves_;
        frame.estimated = entry.depth < TableEntry::PROVED;
        return scale_.nearer(entry.score, -ply);
    }
    const Score standing = forced ? -UNBOUNDED : estimate(ply, task.state);
    if (settled || standing >= task.beta) return leaf(frame, standing, true);
    frame.state = task.state;
    list_children(frame, task.state, !forced);
    make_room(frame, 1);
    const uint64_t before = nodes_;
    frame.estimated = true;
    frame.best_index = TableEntry::NO_ACTION;
    Score best = standing, alpha = std::max(task.alpha, standing);
    std::size_t turn = 0;
    for (; Child* child = pick(ply, turn, known ? entry.action : TableEntry::NO_ACTION); ++turn) {
        if (!forced && game_.exchanges()) {
            const Score gain = weigh(task.state, *child);
            if (gain < 0) continue;
            if (standing + gain + margin(4) <= alpha) {
                best = std::max(best, standing + gain + margin(4));
                continue;
            }
        }
        std::byte* below = frame.states.data();
        game_.step(task.state, child->action, below, position_);
        count_node();
        Score score;
        if (position_.terminal()) {
            ++leaves_;
            score = scale_.end(game_.end(below, position_, task.mover), ply + 1);
        } else {
            Frame& next = frames_.at(ply + 1);
            next.mover = position_.mover;
            next.judged = next.estimated = next.on_path = false;
            const bool same = position_.mover == task.mover;
            const TableKey key = key_of(below);
            if (settings_.table) shared_.table.prefetch(key);
            const Task inner{below, position_.mover, key, 0, same ? alpha : -task.beta, same ? task.beta : -alpha};
            score = settle_down(ply + 1, inner, plies + 1);
            if (!same) score = -score;
        }
        if (score > best) {
            best = score;
            frame.best_index = child->place;
        }
        alpha = std::max(alpha, score);
        if (alpha >= task.beta) break;
    }
    if (turn == 0 && best == standing) return leaf(frame, standing, true);
    store(ply, task, best, task.alpha, nodes_ - before);
    return best;
}

bool Worker::refuted_early(int ply, const Task& task, Score& score, int& extension) {
    Frame& frame = frames_.at(ply);
    if (task.open() || task.depth >= ENDLESS || scale_.decisive(task.beta) || frame.in_check) return false;
    if (game_.table().evaluate && (settings_.futility || settings_.razoring || settings_.null_move)) {
        const Score standing = estimate(ply, task.state);
        const Score ahead = standing - margin(task.depth - improving(ply));
        if (settings_.futility && task.depth <= 7 && ahead >= task.beta) {
            frame.estimated = true;
            score = ahead;
            return true;
        }
        if (settings_.razoring && task.depth <= 2 && standing + margin(2 * task.depth) <= task.alpha) {
            score = settle_down(ply, task, 0);
            if (score <= task.alpha) return true;
        }
    }
    return refuted_by_pass(ply, task, score, extension);
}

// If even passing is good enough, the position is. A pass that lets the opponent win at once shows a check instead.
bool Worker::refuted_by_pass(int ply, const Task& task, Score& score, int& extension) {
    Frame& frame = frames_.at(ply);
    if (!game_.table().pass_turn || !task.may_pass || task.depth < 3) return false;
    const bool promising = settings_.null_move && (!game_.table().evaluate || estimate(ply, task.state) >= task.beta);
    const bool asks = settings_.checks && !game_.table().check;  // what a check is, in a game that does not say
    if (!promising && !asks) return false;
    make_room(frame, 1);
    std::byte* below = frame.states.data();
    game_.pass_turn(task.state, below, position_);
    if (position_.mover < 0 || position_.mover == task.mover) return false;
    frame.mark = ActionMemory::NOTHING;
    const int depth = promising ? task.depth - 3 - task.depth / 3 : 1;
    const Task inner{below, position_.mover, key_of(below), std::max(depth, 1), -task.beta, -task.beta + 1, false};
    frames_.at(ply + 1).irreversible = true;
    const Score passed = -visit(ply + 1, inner);
    const bool threatened = passed == scale_.end(game_.table().low, ply + 2);
    if (asks && threatened && extendable(ply, task.depth)) extension = 1;
    if (!promising || passed < task.beta) return false;
    if (task.depth >= 10) {  // in zugzwang passing is too good to be true: ask again without it
        Task check = task;
        check.depth = task.depth - 4;
        check.may_pass = false;
        if (visit(ply, check) < task.beta) return false;
    }
    frame.estimated = true;
    score = task.beta;
    return true;
}

bool Worker::improving(int ply) const {
    const Frame& frame = frames_.at(ply);
    if (ply < 2 || !frame.judged) return false;
    const Frame& before = frames_.at(ply - 2);
    return before.judged && before.mover == frame.mover && frame.estimate > before.estimate;
}

// Near the depth limit quiet actions hardly ever matter if they come late, in a position that even a good one would not
// save, or have failed before: `prunable` ones are left out unseen if they are `late`, as are all after them, or `hopeless`.
bool Worker::prunable(int ply, const Task& task, int depth, const Child& child, int tried, Score best) const {
    const Frame& frame = frames_.at(ply);
    if (!settings_.late_pruning || task.open() || depth > 8 || tried == 0 || child.noisy || child.terminal()) return false;
    return !frame.in_check && frame.judged && !scale_.is_loss(best) && !memory_.killer(ply, child.mark);
}

bool Worker::late(int ply, int depth, int tried) const {
    return tried >= (6 + 3 * depth * depth / 2) / (improving(ply) ? 1 : 2);
}

bool Worker::hopeless(int ply, const Task& task, int depth, Child& child) const {
    const Frame& frame = frames_.at(ply);
    if (checks_safely(frame.state, child.action)) return false;
    if (depth <= 6 && frame.estimate + margin(depth) + margin(1) / 2 <= task.alpha) return true;
    if (depth <= 4 && settings_.history &&
        memory_.credit(frame.mover, past_of(ply), child.mark) < -ActionMemory::MOST / 4 * depth)
        return true;
    return depth <= 6 && game_.exchanges() && weigh(frame.state, child) < -margin(depth);
}

bool Worker::is_singular(int ply, const Task& task, const TableEntry& entry) {
    if (!settings_.singular || task.depth < 6 || !extendable(ply, task.depth)) return false;
    if (entry.action == TableEntry::NO_ACTION || entry.bound == Bound::upper || entry.depth < task.depth - 3) return false;
    if (scale_.decisive(entry.score) || !game_.table().evaluate) return false;
    const Score bar = scale_.nearer(entry.score, -ply) - margin(1);
    Task rivals = task;
    rivals.depth = (task.depth - 1) / 2;
    rivals.alpha = bar - 1;
    rivals.beta = bar;
    rivals.may_pass = false;
    rivals.excluded = entry.action;
    return visit(ply, rivals) < bar;
}

}  // namespace zermelo
