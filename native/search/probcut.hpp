// Multi-ProbCut: what shallow searches foretell of deep ones, as it was measured for a game.
//
//     deep = slope · shallow + offset ± error      in utility, from the neutral one on, at a stage of the game
//
// A stage or a depth beyond those measured has the pairs of the nearest below; deeper searches are then reduced by as many plies.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <vector>

namespace zermelo {

struct DepthPair {
    int64_t stage;
    int depth;
    int shallow;
    double slope;
    double offset;
    double error;  // the standard deviation

    void check() const {
        const bool finite = std::isfinite(slope) && std::isfinite(offset) && std::isfinite(error);
        if (stage < 0 || shallow < 1 || depth <= shallow || depth > MOST_DEPTH || !finite || slope < LEAST_SLOPE ||
            error < 0)
            throw std::invalid_argument("a pair of depths has a shallow one below the deep one, and a positive slope");
    }

    static constexpr int MOST_DEPTH = 100;
    static constexpr double LEAST_SLOPE = 0.01;
};

class DepthPairs {
public:
    DepthPairs() = default;
    explicit DepthPairs(const std::vector<DepthPair>& pairs) {
        for (const DepthPair& pair : pairs) {
            pair.check();
            stages_[pair.stage][pair.depth].push_back(pair);
        }
        for (auto& [stage, depths] : stages_)
            for (auto& [depth, found] : depths)
                std::sort(found.begin(), found.end(),
                          [](const auto& a, const auto& b) { return a.shallow < b.shallow; });
    }

    bool empty() const { return stages_.empty(); }

    // Calls `take` with each pair for a search of this depth, the shallowest first, until it returns true; whether it did.
    template <typename Take>
    bool any(int64_t stage, int depth, const Take& take) const {
        const auto* depths = nearest(stages_, stage);
        if (!depths) return false;
        const auto* found = nearest(*depths, depth);
        if (!found) return false;
        return std::any_of(found->begin(), found->end(), [&](DepthPair pair) {
            pair.shallow += depth - pair.depth;
            return take(pair);
        });
    }

private:
    // The value of the greatest key up to `key`; null if there is none.
    template <typename Key, typename Value>
    static const Value* nearest(const std::map<Key, Value>& map, Key key) {
        const auto after = map.upper_bound(key);
        return after == map.begin() ? nullptr : &std::prev(after)->second;
    }

    std::map<int64_t, std::map<int, std::vector<DepthPair>>> stages_;
};

}  // namespace zermelo
