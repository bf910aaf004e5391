// The information sets of all players, in a search with hidden information.
//
// A node of the tree is an information set: what a player has seen and done since the root. It is identified by a
// 64-bit hash of that, its trail, so that worlds that look alike to a player share statistics.
#pragma once

#include <array>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "search/mcts/tree.hpp"

namespace zermelo {

class MctsSets {
public:
    // `bytes` is the memory limit of the sets.
    explicit MctsSets(std::size_t bytes) : room_(bytes / BYTES_PER_SET) {}

    enum class Side : uint8_t { unknown, below, elsewhere };
    struct Set {
        uint64_t actions = 0;  // a hash of the actions available there
        uint64_t previous = 0;  // the same player's previous set
        uint32_t node = MctsTree::NOTHING;
        bool is_new = false;
        Side side = Side::unknown;  // relative to the root that `keep` searches for
    };

    // The information set `key`. A new one gets the node that `make` returns, if there is room for it.
    template <typename Make>
    Set find(uint64_t key, uint64_t previous, uint64_t actions, const Make& make) {
        Shard& shard = shard_of(key);
        const std::scoped_lock locked(shard.mutex);
        if (const auto found = shard.sets.find(key); found != shard.sets.end()) return found->second;
        const bool full = shard.sets.size() * shards_.size() >= room_;
        const uint32_t node = full ? MctsTree::NOTHING : make();
        if (node != MctsTree::NOTHING) shard.sets.emplace(key, Set{actions, previous, node});
        return {actions, previous, node, true};
    }

    // The node of a set, or NOTHING. The functions from here on are not thread-safe.
    uint32_t node_of(uint64_t key) const;

    // Discards all sets but `root` and those that its player reaches from there; of these, keeps the most visited that
    // fit into `share` of the memory. The node of `root` becomes the root of the tree, and all other nodes are removed.
    void keep(uint64_t root, MctsTree& tree, double share);

    void clear();

private:
    static constexpr std::size_t BYTES_PER_SET = 64;  // approximate overhead of the map

    struct Shard {
        std::mutex mutex;
        std::unordered_map<uint64_t, Set> sets;
    };

    Shard& shard_of(uint64_t key) { return shards_[key >> 58]; }
    void find_sides(uint64_t root);
    uint32_t least_visits(const MctsTree& tree, double share) const;

    const std::size_t room_;
    std::array<Shard, 64> shards_;
};

}  // namespace zermelo
