// What a search of hidden information works on beside its tree: worlds that fit what the player to move sees, and the
// information sets of all players.
//
// A node of the tree stands for an information set: what a player has seen and done since the root. It is found by a hash
// of 64 bits of that, so that worlds that look alike to a player share what it learns.
#pragma once

#include <array>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/game.hpp"
#include "search/mcts/tree.hpp"

namespace zermelo {

class MctsWorlds {
public:
    static constexpr uint64_t FIRST = 32, MOST = 1024;  // to draw from, at the beginning and at most
    static constexpr uint64_t SIMULATIONS = 8;          // before another one is imagined

    // `imagine` gives some worlds more, at least one; `bytes` is what the information sets may take.
    using Imagine = std::function<std::vector<StateBuffer>()>;

    MctsWorlds(Imagine imagine, std::size_t bytes) : imagine_(std::move(imagine)), room_(bytes / BYTES_PER_SET) {}

    // The next world, in the order in which they are imagined.
    StateBuffer take() {
        const std::scoped_lock locked(imagining_);
        if (next_ == worlds_.size()) {
            worlds_ = imagine_();
            next_ = 0;
        }
        return std::move(worlds_.at(next_++));
    }

    struct Set {
        uint32_t node = MctsTree::NOTHING;
        uint64_t actions = 0;  // a hash of what its player can do there
        bool is_new = false;
    };

    // The information set `key`. If nobody knows it, it gets the node that `make` gives, if there is room for it.
    template <typename Make>
    Set find(uint64_t key, uint64_t actions, const Make& make) {
        Shard& shard = shards_[key >> 58];
        const std::scoped_lock locked(shard.mutex);
        if (const auto found = shard.sets.find(key); found != shard.sets.end()) return found->second;
        const bool full = shard.sets.size() * shards_.size() >= room_;
        const uint32_t node = full ? MctsTree::NOTHING : make();
        if (node != MctsTree::NOTHING) shard.sets.emplace(key, Set{node, actions});
        return {node, actions, true};
    }

private:
    static constexpr std::size_t BYTES_PER_SET = 64;  // of a map, about

    struct Shard {
        std::mutex mutex;
        std::unordered_map<uint64_t, Set> sets;
    };

    const Imagine imagine_;
    const std::size_t room_;
    std::mutex imagining_;
    std::vector<StateBuffer> worlds_;
    std::size_t next_ = 0;
    std::array<Shard, 64> shards_;
};

}  // namespace zermelo
