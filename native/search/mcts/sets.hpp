// The information sets of all players, in a search of hidden information.
//
// A node of the tree stands for an information set: what a player has seen and done since the root. It is found by a hash
// of 64 bits of that, its trail, so that worlds that look alike to a player share what it learns.
#pragma once

#include <array>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "search/mcts/tree.hpp"

namespace zermelo {

class MctsSets {
public:
    // `bytes` is what the sets may take.
    explicit MctsSets(std::size_t bytes) : room_(bytes / BYTES_PER_SET) {}

    enum class Side : uint8_t { unknown, below, elsewhere };
    struct Set {
        uint64_t actions = 0;  // a hash of what its player can do there
        uint64_t previous = 0;  // the same player's set before it
        uint32_t node = MctsTree::NOTHING;
        bool is_new = false;
        Side side = Side::unknown;  // of the root that `keep` looks for
    };

    // The information set `key`. If nobody knows it, it gets the node that `make` gives, if there is room for it.
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

    // The node of a set, or NOTHING. From here on nobody else may use the sets meanwhile.
    uint32_t node_of(uint64_t key) const;

    // Gives up all sets but `root` and those that its player comes to from there; of these the most visited, as many as
    // fit into `share` of the memory. The node of `root` becomes the root of the tree, in which nothing else stays.
    void keep(uint64_t root, MctsTree& tree, double share);

    void clear();

private:
    static constexpr std::size_t BYTES_PER_SET = 64;  // of a map, about

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
