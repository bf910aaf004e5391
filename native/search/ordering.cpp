// The children of a position and the order in which they are searched; see worker.hpp.
#include "search/worker.hpp"

namespace zermelo {

bool Worker::expand(int ply, const std::byte* state, int32_t mover, bool all) {
    Frame& frame = frames_.at(ply);
    list_children(frame, state, false);
    make_room(frame, frame.list.count);
    if (ply == 0) root_utilities_.resize(frame.list.count);
    if (steps_lazily(ply)) return true;
    const Score most = scale_.score(game_.table().high, ply + 1);
    std::size_t kept = 0;
    frame.state = state;
    frame.mover = mover;
    for (RankedAction& candidate : frame.order) {
        const Child& child = child_of(frame, candidate);
        if (!step_child(ply, frame.children[candidate.place])) continue;
        if (child.terminal() && child.end >= most && !all &&
            (ply > 0 || root_utilities_[static_cast<std::size_t>(child.place)] >= game_.table().high)) {
            frame.order.assign(1, RankedAction(candidate));
            return false;
        }
        frame.order[kept++] = candidate;
    }
    frame.order.resize(kept);
    if (kept == 0) game_.check("actions", state, 0, ZERMELO_BREACH);
    return true;
}

// Lists the actions of the position in the game's order.
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

Worker::Child& Worker::child_of(Frame& frame, RankedAction& candidate) const {
    Child& child = frame.children[candidate.place];
    if (!candidate.has_child) {
        candidate.has_child = true;
        const int64_t action = frame.list.actions[candidate.place];
        child = {action, history_key_of(frame.state, action), {}, UNSTEPPED, candidate.place, 0};
    }
    child.noisy = candidate.noisy && !(child.exchange_known && child.exchange < 0);
    return child;
}

// Steps to a child; false if the repetition rule forbids the action.
bool Worker::step_child(int ply, Child& child) {
    Frame& frame = frames_.at(ply);
    std::byte* below = frame.states.data() + child.place * stride_;
    game_.step(frame.state, child.action, below, position_);
    child.mover = position_.mover;
    if (position_.terminal()) {
        const double utility = game_.end(below, position_, frame.mover);
        child.end = scale_.end(utility, ply + 1);
        if (ply == 0) root_utilities_[static_cast<std::size_t>(child.place)] = utility;
        return true;
    }
    if (position_.chance()) game_.check("step", frame.state, child.action, ZERMELO_BREACH);
    child.key = key_of(game_, below);
    if (settings_.table) shared_.table.prefetch(child.key);
    if (game_.table().capabilities & ZERMELO_REPETITION_FORBIDDEN) {
        frames_.at(ply + 1).irreversible = game_.is_irreversible(frame.state, child.action);
        if (repeats(ply + 1, recurrence_of(game_, below, child.key))) return false;
    }
    return true;
}

void Worker::make_room(Frame& frame, std::size_t states) const {
    if (frame.capacity >= states) return;
    frame.capacity = 2 * states;
    frame.states = StateBuffer(frame.capacity * stride_);
}

// A table entry of a child that already fails high for this node.
bool Worker::enhanced_cutoff(int ply, const SearchNode& node, Score& score) {
    if (!settings_.table || !settings_.enhanced_cutoffs || node.depth < 3 || steps_lazily(ply)) return false;
    Frame& frame = frames_.at(ply);
    for (const RankedAction& candidate : frame.order) {
        const Child& child = frame.children[candidate.place];
        TableEntry entry;
        if (child.terminal() || child.mover == node.mover || !look_up(child.key, entry)) continue;
        if (entry.depth < less_one_ply(node.depth) || !is_usable(entry) || entry.bound == Bound::lower) continue;
        score = -scale_.from_table(entry.score, ply + 1);
        if (score < node.beta) continue;
        frame.estimated = entry.depth < TableEntry::PROVED;
        ++cutoffs_;
        return true;
    }
    return false;
}

Worker::Child* Worker::pick(int ply, std::size_t from, int best) {
    Frame& frame = frames_.at(ply);
    while (from == frame.ranked && frame.stage != Stage::all) rank_next_stage(ply, best);
    if (from == frame.order.size()) return nullptr;
    std::size_t next = from;
    for (std::size_t i = from + 1; i < frame.ranked; ++i)
        if (frame.order[i].before(frame.order[next])) next = i;
    std::swap(frame.order[from], frame.order[next]);
    return &child_of(frame, frame.order[from]);
}

void Worker::order_all(int ply) {
    Frame& frame = frames_.at(ply);
    const auto place = [&](std::size_t i) { return frame.order.begin() + static_cast<std::ptrdiff_t>(i); };
    for (std::size_t from = 0; frame.stage != Stage::all; from = frame.ranked) {
        rank_next_stage(ply, TableEntry::NO_ACTION);
        std::sort(place(from), place(frame.ranked), [](const auto& a, const auto& b) { return a.before(b); });
    }
    for (RankedAction& candidate : frame.order) child_of(frame, candidate);
}

void Worker::rank_next_stage(int ply, int best) {
    Frame& frame = frames_.at(ply);
    const auto first = frame.order.begin() + static_cast<std::ptrdiff_t>(frame.ranked);
    if (frame.stage == Stage::listed) {
        frame.stage = Stage::best;
        const auto found = std::find_if(first, frame.order.end(),
                                        [&](const RankedAction& candidate) { return candidate.place == best; });
        if (found == frame.order.end()) return;
        found->noisy = is_noisy(frame, *found);
        if (frame.only_noisy && !found->noisy) return;
        std::swap(*first, *found);
        frame.ranked = 1;
    } else if (frame.stage == Stage::best) {
        frame.stage = frame.only_noisy ? Stage::all : Stage::noisy;
        if (!game_.table().is_noisy) return;
        for (auto candidate = first; candidate != frame.order.end(); ++candidate) {
            candidate->noisy = is_noisy(frame, *candidate);
            if (candidate->noisy) std::swap(*candidate, frame.order[frame.ranked++]);
        }
        if (frame.only_noisy) frame.order.resize(frame.ranked);
        add_priorities(frame, first - frame.order.begin());
    } else {
        frame.stage = Stage::all;
        frame.ranked = frame.order.size();
        const History::PriorActions past = prior_actions(ply);
        for (auto candidate = first; candidate != frame.order.end(); ++candidate)
            candidate->rank = rank_quiet(ply, past, *candidate);
        add_priorities(frame, first - frame.order.begin());
    }
}

bool Worker::is_noisy(const Frame& frame, const RankedAction& candidate) const {
    return game_.table().is_noisy && game_.is_noisy(frame.state, frame.list.actions[candidate.place]);
}

// The rank of a quiet action: killers, counter-move, safe checks, history.
int64_t Worker::rank_quiet(int ply, const History::PriorActions& past, const RankedAction& candidate) const {
    const Frame& frame = frames_.at(ply);
    const Child& child = frame.children[candidate.place];
    if (candidate.has_child && child.deferred) return LAST_RANK;
    if (candidate.has_child && child.exchange_known) return LAST_RANK / 2 + (int64_t{child.exchange} << 8);
    const int64_t action = frame.list.actions[candidate.place], history_key = history_key_of(frame.state, action);
    int64_t rank = 0;
    if (settings_.killers) rank += int64_t{history_->killer_rank(ply, history_key)} << 30;
    if (settings_.counter_moves && history_->is_counter_move(frame.mover, past.last, history_key))
        rank += int64_t{1} << 29;
    if (gives_safe_check(frame.state, action)) rank += int64_t{1} << 26;
    if (settings_.history) rank += int64_t{history_->score(frame.mover, past, history_key)} << 12;
    if (seed_ != 0) rank += static_cast<int64_t>(splitmix(action ^ seed_) & 0xffff) << 8;
    return rank;
}

// Adds the game's `priorities` to the ranked actions from index `from` on; they outweigh history.
void Worker::add_priorities(Frame& frame, std::size_t from) {
    const std::size_t count = frame.ranked - from;
    if (!settings_.priority || !game_.table().priorities || count == 0) return;
    actions_.resize(count);
    priorities_.resize(count);
    for (std::size_t i = 0; i < count; ++i) actions_[i] = frame.list.actions[frame.order[from + i].place];
    game_.priorities(frame.state, actions_.data(), count, priorities_.data());
    for (std::size_t i = 0; i < count; ++i) {
        int64_t& rank = frame.order[from + i].rank;
        if (rank > LAST_RANK / 4) rank += static_cast<int64_t>(std::clamp(priorities_[i], -1e6, 1e6) * 16) << 32;
    }
}

// Moves the child at index `from` of the order behind all others of its kind.
void Worker::move_back(Frame& frame, std::size_t from) {
    if (frame.stage != Stage::all) {
        std::swap(frame.order[from], frame.order[--frame.ranked]);
        return;
    }
    const Child& child = frame.children[frame.order[from].place];
    frame.order[from].rank = child.deferred ? LAST_RANK : LAST_RANK / 2 + (int64_t{child.exchange} << 8);
}

// Whether another thread is searching the child: it is then deferred, once. The first child never is.
bool Worker::defer_busy(Child& child, int depth, int tried) const {
    if (!shared_.busy || tried == 0 || depth < 3 || child.deferred || child.terminal()) return false;
    child.deferred = shared_.busy->contains(child.key.check);
    return child.deferred;
}

// Static exchange evaluation of the child's action.
Score Worker::static_exchange(const std::byte* state, Child& child) const {
    if (!child.exchange_known) {
        child.exchange_known = true;
        child.exchange = scale_.difference(game_.exchange(state, child.action));
    }
    return child.exchange;
}

// Whether the action gives check without losing material.
bool Worker::gives_safe_check(const std::byte* state, int64_t action) const {
    return settings_.check_extensions && game_.gives_check(state, action) && game_.exchange(state, action) >= 0;
}

// Whether the static exchange of a noisy action is negative: it is then searched after the quiet ones.
bool Worker::is_losing_capture(const std::byte* state, Child& child, int best) const {
    if (!child.noisy || child.exchange_known || !game_.table().exchange || child.place == best) return false;
    child.noisy = static_exchange(state, child) >= 0;
    return !child.noisy;
}

}  // namespace zermelo
