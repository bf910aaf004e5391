// Simulations with hidden information: each samples a world and descends through the information sets of its players.
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

// Makes the information set of the mover, who sees the same in every world, the root of the tree.
void MctsSimulator::plant_root() {
    const int32_t mover = shared_.root_mover;
    game_.actions(shared_.root, list_);
    const uint64_t key = mix(shared_.trail, game_.view_key(shared_.root, mover)), actions = hash_actions(list_);
    const MctsSets::Set found = shared_.sets.find(key, 0, actions, [] { return MctsTree::ROOT; });
    if (found.actions != actions) game_.check("view", shared_.root, mover, ZERMELO_BREACH);
}

// Whether to stop: sampling worlds may be slow, and many are needed before the first simulation.
bool MctsSimulator::is_late() {
    if (shared_.stop.load(RELAXED) || std::chrono::steady_clock::now() >= shared_.deadline) return true;
    try {
        if (watch_) watch_->poll();
    } catch (const Stopped&) {  // thrown again after the simulation, so that there is a result
        return true;
    }
    return false;
}

// Waits for the first world, before any simulation is counted as started.
void MctsSimulator::imagine_first() {
    if (shared_.worlds && pool_.empty() && !add_world(0)) throw Stopped{};
}

// One of the sampled worlds. Several simulations in a row in the same world would let players learn it.
const std::byte* MctsSimulator::draw_world() {
    while (pool_.size() < MctsWorlds::FIRST_POOL_SIZE && !is_late())
        if (!add_world(pool_.size())) break;
    const uint64_t added = simulations_ / MctsWorlds::SIMULATIONS_PER_WORLD;
    if (added > 0 && simulations_ % MctsWorlds::SIMULATIONS_PER_WORLD == 0 && !is_late())
        add_world((MctsWorlds::FIRST_POOL_SIZE + added - 1) % MctsWorlds::MAX_POOL_SIZE);
    return pool_[random_.below(pool_.size())].data();
}

// Adds another world to the pool, at `place` or at its end; false if the search stopped before one was sampled.
bool MctsSimulator::add_world(std::size_t place) {
    std::optional<StateBuffer> world = shared_.worlds->take([this] { return is_late(); });
    if (!world) return false;
    if (place < pool_.size()) pool_[place] = std::move(*world);
    else pool_.push_back(std::move(*world));
    return true;
}

// Follows the information sets of a world to a new one or to the end of the game. The path alternates between a set and
// the action chosen there.
MctsSimulator::Arrival MctsSimulator::descend_world() {
    state_ = draw_world();
    game_.info(state_, position_);
    if (position_.mover >= 0) game_.actions(state_, list_);
    path_.clear();
    for (std::size_t p = 0; p < trails_.size(); ++p) trails_[p] = p + 1;
    trails_[static_cast<std::size_t>(shared_.root_mover)] = shared_.trail;
    std::fill(last_sets_.begin(), last_sets_.end(), 0);
    while (!position_.terminal()) {
        int64_t action = 0;
        if (position_.chance()) {
            game_.chances(state_, list_);
            action = list_.actions[draw(list_, random_)];
        } else {
            const MctsSets::Set set = find_set();
            if (set.is_new && set.node != MctsTree::NOTHING) expand(set.node, state_, {});
            if (set.is_new || tree_[set.node].first.load(std::memory_order_acquire) <= MctsTree::BUSY)
                return Arrival::leaf;
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
    game_.check_end(state_, position_);
    return Arrival::ended;
}

// The information set of the player to move, whose actions are in the list.
MctsSets::Set MctsSimulator::find_set() {
    const int32_t mover = position_.mover;
    uint64_t& trail = trails_[static_cast<std::size_t>(mover)];
    trail = mix(trail, game_.view_key(state_, mover));
    const uint64_t actions = hash_actions(list_);
    uint64_t& last = last_sets_[static_cast<std::size_t>(mover)];
    const MctsSets::Set found = shared_.sets.find(trail, last, actions, [&] {
        const uint32_t node = shared_.frozen.load(RELAXED) ? MctsTree::NOTHING : tree_.allocate(1);
        if (node == MctsTree::NOTHING) return node;
        tree_.open(node, 0, table_.low, table_.high);
        tree_[node].mover.store(static_cast<int8_t>(mover), RELAXED);
        return node;
    });
    if (found.actions != actions) game_.check("view", state_, mover, ZERMELO_BREACH);
    last = trail;
    return found;
}

// Backs up the utilities at the end of the world to every choice on the path.
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
