// History heuristics: actions that caused cut-offs are searched early elsewhere.
#pragma once

#include <array>
#include <cstdint>

#include "search/score.hpp"

namespace zermelo {

class History {
public:
    History()
        : main_(2 * SIZE, 0), continuation_(CONTINUATION_SIZE, 0), corrections_(CORRECTIONS, 0),
          counter_moves_(2 * SIZE, NO_ACTION), killers_(MAX_PLY + 2, {NO_ACTION, NO_ACTION}) {}

    // How far the evaluation was off, on average, in positions that have something in common: a score.
    Score& correction(int32_t mover, uint64_t kind, uint64_t common) {
        uint64_t mixed = (common ^ (kind << 1 | (mover != 0))) * 0xd6e8feb86659fd93u;
        mixed = (mixed ^ mixed >> 32) * 0x9e3779b97f4a7c15u;
        return corrections_[mixed >> 48];
    }

    void clear() {
        std::fill(corrections_.begin(), corrections_.end(), 0);
        std::fill(main_.begin(), main_.end(), 0);
        std::fill(continuation_.begin(), continuation_.end(), 0);
        std::fill(counter_moves_.begin(), counter_moves_.end(), NO_ACTION);
        std::fill(killers_.begin(), killers_.end(), std::array{NO_ACTION, NO_ACTION});
        volatility = 0;
    }

    static constexpr int64_t NO_ACTION = INT64_MIN;
    static constexpr int32_t MAX_SCORE = 1 << 14;  // bound of each of the three tables

    // The preceding actions: the opponent's last one, and the mover's own before it.
    struct PriorActions {
        int64_t last = NO_ACTION;
        int64_t own = NO_ACTION;
    };

    // 2 for the last action that caused a cut-off at this ply, 1 for the one before it, else 0.
    int killer_rank(int ply, int64_t action) const {
        const auto& pair = killers_[ply];
        return pair[0] == action ? 2 : pair[1] == action ? 1 : 0;
    }

    // Whether `action` was the last to refute the opponent's action `before`.
    bool is_counter_move(int32_t mover, int64_t before, int64_t action) const {
        return counter_moves_[at(mover, before)] == action;
    }

    // Main history plus continuation history after both prior actions; within three times ±MAX_SCORE.
    int32_t score(int32_t mover, const PriorActions& prior, int64_t action) const {
        return main_[at(mover, action)] + continuation_[after(mover, prior.last, action)] +
               continuation_[after(mover, prior.own, action)];
    }

    void reward(int ply, int32_t mover, const PriorActions& prior, int64_t action, int32_t bonus) {
        auto& pair = killers_[ply];
        if (pair[0] != action) pair = {action, pair[0]};
        counter_moves_[at(mover, prior.last)] = action;
        update(mover, prior, action, bonus);
    }

    void penalize(int32_t mover, const PriorActions& prior, int64_t action, int32_t penalty) {
        update(mover, prior, action, -penalty);
    }

    // Called before a new search.
    void age() {
        for (int16_t& score : main_) score /= 4;
        for (auto& pair : killers_) pair = {NO_ACTION, NO_ACTION};
    }

    double volatility = 0;  // mean change of the evaluation from one turn of a player to the next

private:
    static constexpr std::size_t SIZE = 1 << 12;
    static constexpr std::size_t CONTINUATION_SIZE = 1 << 16, CORRECTIONS = 1 << 16;

    static std::size_t after(int32_t mover, int64_t before, int64_t action) {
        const uint64_t mixed =
            static_cast<uint64_t>(before) * 0xd6e8feb86659fd93u + static_cast<uint64_t>(action) + (mover != 0);
        return mixed * 0x9e3779b97f4a7c15u >> 48;
    }

    static std::size_t at(int32_t mover, int64_t action) {
        return (static_cast<uint64_t>(action) * 0x9e3779b97f4a7c15u >> 52) + (mover != 0 ? SIZE : 0);
    }

    // History gravity: the nearer to its bound, the smaller the change.
    static void add(int16_t& score, int32_t bonus) {
        score = static_cast<int16_t>(score + bonus - score * std::abs(bonus) / MAX_SCORE);
    }

    void update(int32_t mover, const PriorActions& prior, int64_t action, int32_t bonus) {
        add(main_[at(mover, action)], bonus);
        add(continuation_[after(mover, prior.last, action)], bonus);
        add(continuation_[after(mover, prior.own, action)], bonus);
    }

    std::vector<int16_t> main_;
    std::vector<int16_t> continuation_;  // indexed by a pair: an action and the one it follows
    std::vector<Score> corrections_;
    std::vector<int64_t> counter_moves_;
    std::vector<std::array<int64_t, 2>> killers_;
};

}  // namespace zermelo
