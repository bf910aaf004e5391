// Scores of the engine: integers made of a utility and the plies to the end.
//
//     score = points * room + bonus      points = (utility - neutral) * unit
//
// `bonus` is minus the plies to a win, plus the plies to a loss, 0 for a draw or an estimate; `room` exceeds twice any
// bonus, so that no bonus outweighs a point. Without `quick` there is no bonus and `room` is 1. Scores are consecutive
// integers, so (alpha, alpha + 1) is a zero window.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/game.hpp"

namespace zermelo {

using Score = int32_t;

constexpr Score INFINITE_SCORE = 1 << 30;
constexpr int MAX_PLY = 1000;  // the longest line that is searched
constexpr int LATEST_END = MAX_PLY + 20;  // the last ply that a score tells apart

class ScoreScale {
public:
    ScoreScale(const zermelo_table& table, bool quick) : neutral_(table.neutral), room_(quick ? 2 * MAX_PLY + 48 : 1) {
        const double most = std::max(std::abs(table.high - table.neutral), std::abs(table.low - table.neutral));
        const double limit = (INFINITE_SCORE / room_) - 2.0;
        unit_ = table.unit;
        declared_ = unit_ != 0;
        // Without a declared unit: a power of two, so that whole utilities and simple fractions are exact.
        if (!declared_)
            unit_ = std::isfinite(most) && most > 0 ? std::exp2(std::floor(std::log2(limit / 2 / most))) : 1;
        limit_ = limit;
        high_ = std::isfinite(table.high) ? points(table.high) : INFINITE_SCORE;
        low_ = std::isfinite(table.low) ? points(table.low) : -INFINITE_SCORE;
    }

    // The score, for the player with this utility, of a terminal position at `ply`.
    Score score(double utility, int ply) const {
        const Score whole = points(utility);
        if (room_ == 1) return whole;
        return whole * room_ + (whole > 0 ? -ply : whole < 0 ? ply : 0);
    }

    // The same for an end of the game; takes note of what is lost by rounding.
    Score end(double utility, int ply) {
        const double exact = (utility - neutral_) * unit_;
        // With a unit of its own a game has whole points, but for the last digits of a float.
        const double error = std::abs(exact - points(utility));
        if (error > (declared_ ? 1e-9 : 0)) rounding_ = std::max(rounding_, std::max(1.0, 2 * error) / unit_);
        return score(utility, ply);
    }

    // Clamped strictly between a loss and a win.
    Score estimate(double utility) const {
        return std::clamp(points(utility), std::min(low_ + 1, 0), std::max(high_ - 1, 0)) * room_;
    }

    // A score that was changed, as an estimate: in whole points, and clamped likewise.
    Score as_estimate(Score score) const {
        return std::clamp(points_of(score), std::min(low_ + 1, 0), std::max(high_ - 1, 0)) * room_;
    }

    // A win or a loss that is not certain: as good as an estimate can be, with the plies to the end.
    Score uncertain_end(double utility, int ply) const {
        const Score whole = estimate(utility);
        if (room_ == 1) return whole;
        return whole + (whole > 0 ? -ply : whole < 0 ? ply : 0);
    }

    double value(Score score) const { return neutral_ + points_of(score) / unit_; }

    // Scores in the table count plies from their own position; scores of the search count from the root.
    Score to_table(Score score, int ply) const { return shifted(score, ply); }
    Score from_table(Score score, int ply) const { return shifted(score, -ply); }

    // A win has the greatest utility of the game, a loss the least.
    bool is_win(Score score) const { return points_of(score) >= high_; }
    bool is_loss(Score score) const { return points_of(score) <= low_; }
    bool decisive(Score score) const { return is_win(score) || is_loss(score); }

    // The plies from the root to the end that a decisive score promises; 0 if scores do not count them.
    int plies_to_end(Score score) const { return decisive(score) ? std::abs(score - points_of(score) * room_) : 0; }

    // A tolerance in utility as a difference of scores, at least 1.
    Score margin(double utility) const { return std::max<Score>(1, static_cast<Score>(utility * unit_) * room_); }

    // A gain or loss of utility as a difference of scores.
    Score difference(double utility) const {
        return static_cast<Score>(std::clamp(utility * unit_, -limit_ / 2, limit_ / 2)) * room_;
    }

    // By how much terminal utilities may differ whose scores are equal or the other way round; 0 if all are exact. Above 0 nothing
    // is proved exactly.
    double rounding() const { return rounding_; }

private:
    Score shifted(Score score, int plies) const {
        const Score bonus = score - points_of(score) * room_;
        return bonus == 0 ? score : score + (bonus < 0 ? plies : -plies);
    }

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
    bool declared_;
    double rounding_ = 0;
};

}  // namespace zermelo
