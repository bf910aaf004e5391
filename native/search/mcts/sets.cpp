// Keeps information sets from one move to the next.
//
// The root's player knows its own path to the next root: its sets below that one are kept. What the others have seen
// and done on the way to a world sampled later is unknown, so their sets are discarded.
#include "search/mcts/sets.hpp"

#include "core/hash.hpp"
#include "search/mcts/search.hpp"

namespace zermelo {
namespace {

constexpr auto RELAXED = std::memory_order_relaxed;

}  // namespace

uint32_t MctsSets::node_of(uint64_t key) const {
    const auto& sets = shards_[key >> 58].sets;
    const auto found = sets.find(key);
    return found == sets.end() ? MctsTree::NOTHING : found->second.node;
}

void MctsSets::clear() {
    for (Shard& shard : shards_) shard.sets = {};
}

void MctsSets::keep(uint64_t root, MctsTree& tree, double share) {
    find_sides(root);
    const uint32_t least = least_visits(tree, share);
    std::vector<uint32_t*> kept{&shard_of(root).sets.at(root).node};
    for (Shard& shard : shards_) {
        std::erase_if(shard.sets, [&](const auto& each) {
            const MctsNode& node = tree[each.second.node];
            const bool worth = node.first.load(RELAXED) > MctsTree::BUSY && node.visits.load(RELAXED) >= least;
            return each.first != root && (each.second.side != Side::below || !worth);
        });
        for (auto& [key, set] : shard.sets) {
            set.side = Side::unknown;
            if (key != root) kept.push_back(&set.node);
        }
    }
    tree.gather(kept);
}

// Follows each set back to `root`, to one whose side is known, or to the first set of its player.
void MctsSets::find_sides(uint64_t root) {
    std::vector<Set*> chain;
    for (Shard& shard : shards_)
        for (auto& [key, set] : shard.sets) {
            Side side = Side::elsewhere;
            for (uint64_t at = key;;) {
                if (at == root) side = Side::below;
                auto& sets = shard_of(at).sets;
                const auto found = sets.find(at);
                if (at == root || found == sets.end()) break;
                if (found->second.side != Side::unknown) {
                    side = found->second.side;
                    break;
                }
                chain.push_back(&found->second);
                at = found->second.previous;
            }
            for (Set* each : chain) each->side = side;
            chain.clear();
        }
}

// The number of visits that a set needs to be kept, so that at most `share` of the memory stays in use.
uint32_t MctsSets::least_visits(const MctsTree& tree, double share) const {
    std::vector<std::pair<uint32_t, uint32_t>> families;  // visits of a set, and its number of actions
    for (const Shard& shard : shards_)
        for (const auto& [key, set] : shard.sets)
            if (set.side == Side::below)
                families.emplace_back(tree[set.node].visits.load(RELAXED), tree[set.node].count);
    std::sort(families.rbegin(), families.rend());
    const double nodes = share * static_cast<double>(tree.capacity()), sets = share * static_cast<double>(room_);
    uint64_t used = 0;
    for (std::size_t i = 0; i < families.size(); ++i) {
        used += families[i].second + 1;
        if (static_cast<double>(used) > nodes || static_cast<double>(i + 1) > sets) return families[i].first + 1;
    }
    return 0;
}

// Makes the information set of `mover` in the root of the task the root of the tree, with its statistics if reuse is
// allowed.
void MctsSearch::prepare_sets(const MctsTask& task, int32_t mover) {
    const bool reusable = planted_ && task.limits.reuse;
    if (reusable && is_root(task.root)) return;
    std::optional<uint64_t> trail;
    if (reusable && tree_[MctsTree::ROOT].mover.load(RELAXED) == mover) trail = trail_to(task.root, task.history);
    const uint64_t set = trail ? mix(*trail, game_.view_key(task.root, mover)) : 0;
    const uint32_t node = trail ? sets_.node_of(set) : MctsTree::NOTHING;
    if (node != MctsTree::NOTHING && tree_[node].first.load(RELAXED) > MctsTree::BUSY) {
        sets_.keep(set, tree_, KEPT_SHARE);
        trail_ = *trail;
    } else {
        tree_.clear(game_.table().low, game_.table().high);
        sets_.clear();
        trail_ = static_cast<uint64_t>(mover) + 1;
    }
    clean_.clear();
    std::memcpy(root_.data(), task.root, game_.state_size());
}

// What the player of the last root had seen and done when the game reached `root`, following the positions played
// since; empty if they do not lead there.
std::optional<uint64_t> MctsSearch::trail_to(const std::byte* root, const std::vector<StateBuffer>& history) const {
    const int32_t player = tree_[MctsTree::ROOT].mover.load(RELAXED);
    std::size_t next = after_root(history);
    if (next == 0) return std::nullopt;
    uint64_t trail = trail_;
    Position position;
    ActionList list;
    StateBuffer below = game_.buffer();
    const std::byte* from = root_.data();
    for (; next <= history.size(); ++next) {
        const std::byte* to = next < history.size() ? history[next].data() : root;
        game_.info(from, position);
        if (position.mover == player) {
            const uint64_t wanted = game_.key(to);
            game_.actions(from, list);
            std::size_t at = 0;
            for (; at < list.count; ++at) {
                game_.step(from, list.actions[at], below.data(), position);
                if (game_.key(below.data()) == wanted) break;
            }
            if (at == list.count) return std::nullopt;
            trail = mix(mix(trail, game_.view_key(from, player)), static_cast<uint64_t>(list.actions[at]));
        }
        from = to;
    }
    return trail;
}

}  // namespace zermelo
