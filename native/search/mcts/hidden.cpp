// Simulations where players do not see everything: in a world that is imagined, from information set to information set.
#include "core/hash.hpp"
#include "search/mcts/simulator.hpp"
#include "search/playout.hpp"

namespace zermelo {
namespace {

constexpr auto RELAXED = std::memory_order_relaxed;

uint64_t hash_actions(const ActionList& list) {
    uint64_t hash = list.count;
    for (std::size_t i = 0; i < list.count; ++i) hash = mix(hash, static_cast<uint64_t>(list.actions[i]));
    return hash;
}

}  // namespace

// Makes the root of the tree the information set of its mover, who sees the same in every world.
void MctsSimulator::plant_root() {
    const int32_t mover = shared_.root_mover;
    game_.actions(shared_.root, list_);
    const uint64_t key = mix(static_cast<uint64_t>(mover) + 1, game_.view_key(shared_.root, mover));
    shared_.worlds->find(key, hash_actions(list_), [] { return MctsTree::ROOT; });
}

// Whether the search is to end: worlds may be slow to imagine, and many are wanted before the first simulation.
bool MctsSimulator::is_late() {
    if (shared_.stop.load(RELAXED) || std::chrono::steady_clock::now() >= shared_.deadline) return true;
    try {
        if (watch_) watch_->look();
    } catch (const Stopped&) {  // said again when the simulation is done, so that there is something to answer with
        return true;
    }
    return false;
}

// One of the worlds that are imagined now. With several simulations in a row in one world, players would come to know it.
const std::byte* MctsSimulator::draw_world() {
    while (pool_.size() < MctsWorlds::FIRST && (pool_.empty() || !is_late())) pool_.push_back(shared_.worlds->take());
    const uint64_t added = simulations_ / MctsWorlds::SIMULATIONS;
    if (added > 0 && simulations_ % MctsWorlds::SIMULATIONS == 0 && !is_late()) {
        const std::size_t place = (MctsWorlds::FIRST + added - 1) % MctsWorlds::MOST;
        if (place >= pool_.size()) pool_.push_back(shared_.worlds->take());
        else pool_[place] = shared_.worlds->take();
    }
    return pool_[random_.below(pool_.size())].data();
}

// Follows the information sets of a world to one that is new, or to an end. The path holds a set and the action chosen
// there, by turns.
MctsSimulator::Arrival MctsSimulator::descend_world() {
    state_ = draw_world();
    game_.info(state_, position_);
    if (position_.mover >= 0) game_.actions(state_, list_);
    path_.clear();
    for (std::size_t p = 0; p < trails_.size(); ++p) trails_[p] = p + 1;
    while (!position_.terminal()) {
        int64_t action = 0;
        if (position_.chance()) {
            game_.chances(state_, list_);
            if (list_.count == 0) game_.check("chances", state_, 0, ZERMELO_BREACH);
            action = list_.actions[draw(list_, random_)];
        } else {
            const MctsWorlds::Set set = find_set();
            if (set.is_new && set.node != MctsTree::NOTHING) expand(set.node, state_, {});
            if (set.is_new || tree_[set.node].first.load(std::memory_order_acquire) <= MctsTree::BUSY) return Arrival::leaf;
            const uint32_t child = choose(set.node);
            path_.push_back(set.node);
            path_.push_back(child);
            if (virtual_) add_to<uint16_t>(tree_[child].pending, 1, alone_);
            action = tree_[child].action;
            trails_[static_cast<std::size_t>(position_.mover)] =
                mix(trails_[static_cast<std::size_t>(position_.mover)], static_cast<uint64_t>(action));
        }
        std::byte* below = buffers_[state_ == buffers_[0].data()].data();
        game_.enter(state_, action, below, position_, list_);
        state_ = below;
        ++nodes_;
    }
    return Arrival::ended;
}

// The information set of the player to move, whose actions are in the list.
MctsWorlds::Set MctsSimulator::find_set() {
    const int32_t mover = position_.mover;
    uint64_t& trail = trails_[static_cast<std::size_t>(mover)];
    trail = mix(trail, game_.view_key(state_, mover));
    const uint64_t actions = hash_actions(list_);
    const MctsWorlds::Set found = shared_.worlds->find(trail, actions, [&] {
        const uint32_t node = shared_.frozen.load(RELAXED) ? MctsTree::NOTHING : tree_.allocate(1);
        if (node == MctsTree::NOTHING) return node;
        tree_.open(node, 0, table_.low, table_.high);
        tree_[node].mover.store(static_cast<int8_t>(mover), RELAXED);
        return node;
    });
    if (found.actions != actions) game_.check("view", state_, mover, ZERMELO_BREACH);
    return found;
}

// Tells the utilities of the world's end to every choice on the path.
void MctsSimulator::back_up_world() {
    if (!bounded_) note_range();
    const std::array<double, MAX_PLAYERS>& utilities = position_.utilities;
    for (std::size_t i = 0; i < path_.size(); i += 2) {
        MctsNode &set = tree_[path_[i]], &child = tree_[path_[i + 1]];
        for (MctsNode* node : {&set, &child}) {
            add_to(node->sum, utilities[static_cast<std::size_t>(set.mover.load(RELAXED))], alone_);
            add_to<uint32_t>(node->visits, 1, alone_);
        }
        if (virtual_) add_to<uint16_t>(child.pending, static_cast<uint16_t>(-1), alone_);
    }
    if (!path_.empty()) add_to_child(path_[1] - tree_[MctsTree::ROOT].first.load(RELAXED));
    ++simulations_;
}

}  // namespace zermelo
