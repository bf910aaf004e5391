// The children of a position and the order in which they are tried; see worker.hpp.
#include "search/worker.hpp"

namespace zermelo {

bool Worker::expand(int ply, const std::byte* state, int32_t mover, bool all) {
    Frame& frame = frames_.at(ply);
    list_children(frame, state, false);
    make_room(frame, frame.list.count);
    if (lists_only(ply)) return true;
    const Score most = scale_.end(game_.table().high, ply + 1);
    std::size_t kept = 0;
    frame.state = state;
    frame.mover = mover;
    for (Turn& turn : frame.order) {
        const Child& child = made(frame, turn);
        if (!step_to(ply, frame.children[turn.place])) continue;
        if (child.terminal() && child.end >= most && !all) {
            frame.order.assign(1, Turn(turn));
            return false;
        }
        frame.order[kept++] = turn;
    }
    frame.order.resize(kept);
    if (kept == 0) game_.check("actions", state, 0, ZERMELO_BREACH);
    return true;
}

// The actions of the position, in the game's order and none of them looked at yet.
void Worker::list_children(Frame& frame, const std::byte* state, bool only_noisy) {
    game_.actions(state, frame.list);
    const std::size_t count = frame.list.count;
    if (count == 0) game_.check("actions", state, 0, ZERMELO_BREACH);
    if (frame.children.size() < count) frame.children.resize(count);
    frame.order.resize(count);
    for (std::size_t i = 0; i < count; ++i) frame.order[i] = {0, static_cast<int32_t>(i), false, false};
    frame.only_noisy = only_noisy;
    frame.stage = Stage::listed;
    frame.ranked = 0;
}

Worker::Child& Worker::made(Frame& frame, Turn& turn) const {
    Child& child = frame.children[turn.place];
    if (!turn.made) {
        turn.made = true;
        const int64_t action = frame.list.actions[turn.place];
        child = {action, mark_of(frame.state, action), {}, UNSTEPPED, turn.place, 0};
    }
    child.noisy = turn.noisy && !(child.weighed && child.gain < 0);
    return child;
}

// Makes the state of a child and what follows from it; false if the rule of repetition forbids the action.
bool Worker::step_to(int ply, Child& child) {
    Frame& frame = frames_.at(ply);
    std::byte* below = frame.states.data() + child.place * stride_;
    game_.step(frame.state, child.action, below, position_);
    child.mover = position_.mover;
    if (position_.terminal()) {
        child.end = scale_.end(game_.end(below, position_, frame.mover), ply + 1);
        return true;
    }
    if (position_.chance()) game_.check("step", frame.state, child.action, ZERMELO_BREACH);
    child.key = key_of(below);
    if (settings_.table) shared_.table.prefetch(child.key);
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
    if (!settings_.table || !settings_.table_children || task.depth < 3 || lists_only(ply)) return false;
    Frame& frame = frames_.at(ply);
    for (const Turn& turn : frame.order) {
        const Child& child = frame.children[turn.place];
        TableEntry entry;
        if (child.terminal() || child.mover == task.mover || !shared_.table.probe(child.key, entry)) continue;
        if (entry.depth < one_less(task.depth) || !trusted(entry) || entry.bound == Bound::lower) continue;
        score = -scale_.nearer(entry.score, -(ply + 1));
        if (score < task.beta) continue;
        frame.estimated = entry.depth < TableEntry::PROVED;
        ++cutoffs_;
        return true;
    }
    return false;
}

Worker::Child* Worker::pick(int ply, std::size_t from, int best) {
    Frame& frame = frames_.at(ply);
    while (from == frame.ranked && frame.stage != Stage::all) rank_more(ply, best);
    if (from == frame.order.size()) return nullptr;
    std::size_t next = from;
    for (std::size_t i = from + 1; i < frame.ranked; ++i)
        if (frame.order[i].before(frame.order[next])) next = i;
    std::swap(frame.order[from], frame.order[next]);
    return &made(frame, frame.order[from]);
}

void Worker::rank_more(int ply, int best) {
    Frame& frame = frames_.at(ply);
    const auto first = frame.order.begin() + static_cast<std::ptrdiff_t>(frame.ranked);
    if (frame.stage == Stage::listed) {
        frame.stage = Stage::best;
        const auto found = std::find_if(first, frame.order.end(), [&](const Turn& turn) { return turn.place == best; });
        if (found == frame.order.end()) return;
        found->noisy = is_noisy(frame, *found);
        if (frame.only_noisy && !found->noisy) return;
        std::swap(*first, *found);
        frame.ranked = 1;
    } else if (frame.stage == Stage::best) {
        frame.stage = frame.only_noisy ? Stage::all : Stage::noisy;
        if (!game_.table().noisy) return;
        for (auto turn = first; turn != frame.order.end(); ++turn) {
            turn->noisy = is_noisy(frame, *turn);
            if (turn->noisy) std::swap(*turn, frame.order[frame.ranked++]);
        }
        if (frame.only_noisy) frame.order.resize(frame.ranked);
        add_priorities(frame, first - frame.order.begin());
    } else {
        frame.stage = Stage::all;
        frame.ranked = frame.order.size();
        const ActionMemory::Past past = past_of(ply);
        for (auto turn = first; turn != frame.order.end(); ++turn) turn->rank = rank_quiet(ply, past, *turn);
        add_priorities(frame, first - frame.order.begin());
    }
}

bool Worker::is_noisy(const Frame& frame, const Turn& turn) const {
    return game_.table().noisy && game_.noisy(frame.state, frame.list.actions[turn.place]);
}

// What the search has learnt of a quiet action.
int64_t Worker::rank_quiet(int ply, const ActionMemory::Past& past, const Turn& turn) const {
    const Frame& frame = frames_.at(ply);
    const Child& child = frame.children[turn.place];
    if (turn.made && child.put_off) return BEHIND;
    if (turn.made && child.weighed) return BEHIND / 2 + (int64_t{child.gain} << 8);
    const int64_t action = frame.list.actions[turn.place], mark = mark_of(frame.state, action);
    int64_t rank = 0;
    if (settings_.killers) rank += int64_t{memory_.killer(ply, mark)} << 30;
    if (settings_.counters && memory_.counters(frame.mover, past.last, mark)) rank += int64_t{1} << 29;
    if (checks_safely(frame.state, action)) rank += int64_t{1} << 26;
    if (settings_.history) rank += int64_t{memory_.credit(frame.mover, past, mark)} << 12;
    if (seed_ != 0) rank += static_cast<int64_t>(splitmix(action ^ seed_) & 0xffff) << 8;
    return rank;
}

// The game's own opinion of the ranked actions from place `from` on stands above what has been learnt.
void Worker::add_priorities(Frame& frame, std::size_t from) {
    const std::size_t count = frame.ranked - from;
    if (!settings_.priority || !game_.table().priorities || count == 0) return;
    actions_.resize(count);
    priorities_.resize(count);
    for (std::size_t i = 0; i < count; ++i) actions_[i] = frame.list.actions[frame.order[from + i].place];
    game_.priorities(frame.state, actions_.data(), count, priorities_.data());
    for (std::size_t i = 0; i < count; ++i) {
        int64_t& rank = frame.order[from + i].rank;
        if (rank > BEHIND / 4) rank += static_cast<int64_t>(std::clamp(priorities_[i], -1e6, 1e6) * 16) << 32;
    }
}

// Puts the child whose turn it would be, at place `from` of the order, behind all others of its kind.
void Worker::put_behind(Frame& frame, std::size_t from) {
    if (frame.stage != Stage::all) {
        std::swap(frame.order[from], frame.order[--frame.ranked]);
        return;
    }
    const Child& child = frame.children[frame.order[from].place];
    frame.order[from].rank = child.put_off ? BEHIND : BEHIND / 2 + (int64_t{child.gain} << 8);
}

// Whether another thread is at work on the child: it is then put off, once. The first child is never put off.
bool Worker::put_off(Child& child, int depth, int tried) const {
    if (!shared_.busy || tried == 0 || depth < 3 || child.put_off || child.terminal()) return false;
    child.put_off = shared_.busy->contains(child.key.check);
    return child.put_off;
}

// What the child wins by exchanges on its square.
Score Worker::weigh(const std::byte* state, Child& child) const {
    if (!child.weighed) {
        child.weighed = true;
        child.gain = scale_.difference(game_.exchange(state, child.action));
    }
    return child.gain;
}

// Whether the action gives check and is not just taken: a threat that other quiet actions are no answer to.
bool Worker::checks_safely(const std::byte* state, int64_t action) const {
    return settings_.checks && game_.gives_check(state, action) && game_.exchange(state, action) >= 0;
}

// Whether a capture loses more than it takes: its turn comes last, as that of a quiet action.
bool Worker::loses_exchange(const std::byte* state, Child& child, int best) const {
    if (!child.noisy || child.weighed || !game_.exchanges() || child.place == best) return false;
    child.noisy = weigh(state, child) >= 0;
    return !child.noisy;
}

}  // namespace zermelo
