// The distinct terminal utilities of a game, so that a position stores a small number in place of two utilities.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace zermelo {

// The utilities of the two players; in a game of one player the second is zero.
struct Payoff {
    double first;
    double second;
};

class Payoffs {
public:
    Payoffs() = default;
    explicit Payoffs(std::vector<Payoff> ranked, uint32_t draw) : list_(std::move(ranked)), draw_(draw) {}

    // The number of a payoff, which `rank` changes later; thread-safe.
    uint32_t id(const Payoff& payoff) {
        const std::lock_guard<std::mutex> locked(mutex_);
        const auto [found, added] = ids_.try_emplace(bits(payoff.first), static_cast<uint32_t>(list_.size()));
        if (added) list_.push_back(payoff);
        return found->second;
    }

    // Sorts the payoffs by the first player's, including `draw`; returns the rank of each former number.
    std::vector<uint32_t> rank(const Payoff& draw) {
        const uint32_t draw_id = id(draw);
        std::vector<uint32_t> order(list_.size()), ranks(list_.size());
        for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
        std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return list_[a].first < list_[b].first; });
        std::vector<Payoff> sorted;
        for (uint32_t i = 0; i < order.size(); ++i) {
            ranks[order[i]] = i;
            sorted.push_back(list_[order[i]]);
        }
        list_ = std::move(sorted);
        ids_.clear();
        draw_ = ranks[draw_id];
        return ranks;
    }

    const std::vector<Payoff>& list() const { return list_; }
    uint32_t draw() const { return draw_; }

    static uint64_t bits(double value) { return std::bit_cast<uint64_t>(value); }

private:
    std::mutex mutex_;
    std::unordered_map<uint64_t, uint32_t> ids_;
    std::vector<Payoff> list_;
    uint32_t draw_ = 0;
};

// One thread's cache of the payoffs that it has met, so that it rarely takes the lock.
class PayoffCache {
public:
    explicit PayoffCache(Payoffs& shared) : shared_(shared) {}

    uint32_t id(const Payoff& payoff) {
        const auto found = known_.find(Payoffs::bits(payoff.first));
        if (found != known_.end()) return found->second;
        return known_[Payoffs::bits(payoff.first)] = shared_.id(payoff);
    }

private:
    Payoffs& shared_;
    std::unordered_map<uint64_t, uint32_t> known_;
};

}  // namespace zermelo
