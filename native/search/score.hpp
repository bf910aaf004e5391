// Scores of the engine: whole numbers, in which a utility comes first and the plies to the end second.
//
//     score = points * room + haste      points = (utility - neutral) * unit
//
// `haste` is minus the plies to a win and plus the plies to a loss, 0 for a draw or an estimate, and `room` is more
// than twice any haste, so that no haste outweighs a point; without haste `room` is 1. One above a score is the next
// score there is, so that (alpha, alpha + 1) is a zero window.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/game.hpp"

namespace zermelo {

using Score = int32_t;

constexpr Score UNBOUNDED = 1 << 30;  // beyond every score of a position
constexpr int MAX_PLY = 1000;         // a line of play is not followed further than this

class ScoreScale {
public:
    ScoreScale(const zermelo_table& table, bool hasty)
        : neutral_(table.neutral), room_(hasty ? 2 * MAX_PLY + 48 : 1) {
        const double most = std::max(std::abs(table.high - table.neutral), std::abs(table.low - table.neutral));
        const double limit = (UNBOUNDED / room_) - 2.0;
        unit_ = table.unit;
        // Without a declared scale: a power of two, so that whole utilities and simple fractions are hit exactly.
        if (unit_ == 0) unit_ = std::isfinite(most) && most > 0 ? std::exp2(std::floor(std::log2(limit / 2 / most))) : 1;
        limit_ = limit;
        high_ = std::isfinite(table.high) ? points(table.high) : UNBOUNDED;
        low_ = std::isfinite(table.low) ? points(table.low) : -UNBOUNDED;
    }

    // The score, for the player whose utility it is, of an end that is reached at `ply`.
    Score end(double utility, int ply) {
        const double exact = (utility - neutral_) * unit_;
        const Score whole = points(utility);
        rounded_ |= std::abs(exact - whole) > 1e-9;
        if (room_ == 1) return whole;
        return whole * room_ + (whole > 0 ? -ply : whole < 0 ? ply : 0);
    }

    // Strictly between a loss and a win, whatever the game's estimate says.
    Score estimate(double utility) const {
        return std::clamp(points(utility), std::min(low_ + 1, 0), std::max(high_ - 1, 0)) * room_;
    }

    double value(Score score) const { return neutral_ + points_of(score) / unit_; }

    // `score` as it looks from `plies` nearer to the end: what a table stores, and with minus `ply` what it gives back.
    Score nearer(Score score, int plies) const {
        const Score haste = score - points_of(score) * room_;
        return haste == 0 ? score : score + (haste < 0 ? plies : -plies);
    }

    // The least score that is worth the greatest utility there is: nothing is better but a quicker win.
    bool is_win(Score score) const { return points_of(score) >= high_; }
    bool is_loss(Score score) const { return points_of(score) <= low_; }
    bool decisive(Score score) const { return is_win(score) || is_loss(score); }

    // How much `utility` is, as a difference of scores.
    Score margin(double utility) const { return std::max<Score>(1, static_cast<Score>(utility * unit_) * room_); }

    // A gain or loss of utility, as a difference of scores.
    Score difference(double utility) const {
        return static_cast<Score>(std::clamp(utility * unit_, -limit_ / 2, limit_ / 2)) * room_;
    }

    // Whether an end had a utility that no score expresses, so that the search proves nothing exactly.
    bool rounded() const { return rounded_; }

private:
    Score points(double utility) const {
        return static_cast<Score>(std::lround(std::clamp((utility - neutral_) * unit_, -limit_, limit_)));
    }

    Score points_of(Score score) const {
        if (room_ == 1) return score;
        const Score shifted = score + room_ / 2;
        return shifted >= 0 ? shifted / room_ : -((-shifted + room_ - 1) / room_);
    }

    double neutral_;
    Score room_;
    double unit_;
    double limit_;
    Score high_;
    Score low_;
    bool rounded_ = false;
};

}  // namespace zermelo
