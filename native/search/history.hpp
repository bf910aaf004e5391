// What a search remembers about actions: those that refuted something are tried early elsewhere.
#pragma once

#include <array>
#include <cstdint>

#include "search/score.hpp"

namespace zermelo {

class ActionMemory {
public:
    ActionMemory() : credit_(2 * SIZE, 0), replies_(2 * SIZE, NOTHING), killers_(MAX_PLY + 2, {NOTHING, NOTHING}) {}

    // 2 for the last action that caused a cut-off at this ply, 1 for the one before it, else 0.
    int killer(int ply, int64_t action) const {
        const auto& pair = killers_[ply];
        return pair[0] == action ? 2 : pair[1] == action ? 1 : 0;
    }

    // Whether `action` was the last to refute `before`, played by the opponent of `mover`.
    bool counters(int32_t mover, int64_t before, int64_t action) const { return replies_[at(mover, before)] == action; }

    int32_t credit(int32_t mover, int64_t action) const { return credit_[at(mover, action)]; }

    void reward(int ply, int32_t mover, int64_t before, int64_t action, int depth) {
        auto& pair = killers_[ply];
        if (pair[0] != action) pair = {action, pair[0]};
        replies_[at(mover, before)] = action;
        change(mover, action, depth * depth);
    }

    void blame(int32_t mover, int64_t action, int depth) { change(mover, action, -depth * depth); }

    // Before a new search: what was learnt counts for less.
    void fade() {
        for (int32_t& credit : credit_) credit /= 4;
        for (auto& pair : killers_) pair = {NOTHING, NOTHING};
    }

    static constexpr int64_t NOTHING = INT64_MIN;

private:
    static constexpr std::size_t SIZE = 1 << 12;
    static constexpr int32_t MOST = 1 << 20;

    static std::size_t at(int32_t mover, int64_t action) {
        return (static_cast<uint64_t>(action) * 0x9e3779b97f4a7c15u >> 52) + (mover != 0 ? SIZE : 0);
    }

    // Moves towards the bound by less the nearer it is, so that credit stays within it and old news fades.
    void change(int32_t mover, int64_t action, int32_t bonus) {
        bonus = std::clamp(bonus, -MOST / 4, MOST / 4);
        int32_t& credit = credit_[at(mover, action)];
        credit += bonus - static_cast<int32_t>(static_cast<int64_t>(credit) * std::abs(bonus) / MOST);
    }

    std::vector<int32_t> credit_;
    std::vector<int64_t> replies_;
    std::vector<std::array<int64_t, 2>> killers_;
};

}  // namespace zermelo
