// What a search remembers about actions: those that refuted something are tried early elsewhere.
#pragma once

#include <array>
#include <cstdint>

#include "search/score.hpp"

namespace zermelo {

class ActionMemory {
public:
    ActionMemory()
        : credit_(2 * SIZE, 0), sequels_(SEQUELS, 0), replies_(2 * SIZE, NOTHING), killers_(MAX_PLY + 2, {NOTHING, NOTHING}) {}

    static constexpr int64_t NOTHING = INT64_MIN;
    static constexpr int32_t MOST = 1 << 14;  // no credit of one kind is greater

    // What an action follows: the opponent's last action, and the mover's own before it.
    struct Past {
        int64_t last = NOTHING;
        int64_t own = NOTHING;
    };

    // 2 for the last action that caused a cut-off at this ply, 1 for the one before it, else 0.
    int killer(int ply, int64_t action) const {
        const auto& pair = killers_[ply];
        return pair[0] == action ? 2 : pair[1] == action ? 1 : 0;
    }

    // Whether `action` was the last to refute `before`, played by the opponent of `mover`.
    bool counters(int32_t mover, int64_t before, int64_t action) const { return replies_[at(mover, before)] == action; }

    // How often `action` has refuted something, by itself and after such a past; within three times ±MOST.
    int32_t credit(int32_t mover, const Past& past, int64_t action) const {
        return credit_[at(mover, action)] + sequels_[after(mover, past.last, action)] + sequels_[after(mover, past.own, action)];
    }

    void reward(int ply, int32_t mover, const Past& past, int64_t action, int depth) {
        auto& pair = killers_[ply];
        if (pair[0] != action) pair = {action, pair[0]};
        replies_[at(mover, past.last)] = action;
        change(mover, past, action, bonus(depth));
    }

    void blame(int32_t mover, const Past& past, int64_t action, int depth) { change(mover, past, action, -bonus(depth)); }

    // Before a new search: what was learnt counts for less.
    void fade() {
        for (int16_t& credit : credit_) credit /= 4;
        for (auto& pair : killers_) pair = {NOTHING, NOTHING};
    }

    // By how much an estimate changes from one turn of a player to the next, on average.
    double swing = 0;

private:
    static constexpr std::size_t SIZE = 1 << 12;
    static constexpr std::size_t SEQUELS = 1 << 16;

    static int32_t bonus(int depth) { return std::min(24 * depth * depth + 48 * depth, MOST / 8); }

    static std::size_t after(int32_t mover, int64_t before, int64_t action) {
        const uint64_t mixed = static_cast<uint64_t>(before) * 0xd6e8feb86659fd93u + static_cast<uint64_t>(action) + (mover != 0);
        return mixed * 0x9e3779b97f4a7c15u >> 48;
    }

    static std::size_t at(int32_t mover, int64_t action) {
        return (static_cast<uint64_t>(action) * 0x9e3779b97f4a7c15u >> 52) + (mover != 0 ? SIZE : 0);
    }

    // Moves towards the bound by less the nearer it is, so that credit stays within it and old news fades.
    static void approach(int16_t& credit, int32_t bonus) {
        credit = static_cast<int16_t>(credit + bonus - credit * std::abs(bonus) / MOST);
    }

    void change(int32_t mover, const Past& past, int64_t action, int32_t bonus) {
        approach(credit_[at(mover, action)], bonus);
        approach(sequels_[after(mover, past.last, action)], bonus);
        approach(sequels_[after(mover, past.own, action)], bonus);
    }

    std::vector<int16_t> credit_;
    std::vector<int16_t> sequels_;  // of pairs: an action after another
    std::vector<int64_t> replies_;
    std::vector<std::array<int64_t, 2>> killers_;
};

}  // namespace zermelo
