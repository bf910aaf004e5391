#include "games/backgammon/match.hpp"

#include <algorithm>
#include <utility>

#include "games/backgammon/cube.hpp"

namespace zermelo::backgammon {

namespace {

constexpr double GAMMON_SHARE = 0.25;  // of the games that are played out

// A game at a score, for the cube: values are probabilities to win the match.
struct AtScore {
    const MatchTable& table;
    int own, other;

    double worth(int points) const {
        return points > 0 ? table.chance(own - points, other, false) : table.chance(own, other + points, false);
    }
    std::pair<double, double> ends(int cube, bool) const {
        const int stake = 1 << cube;
        return {(1 - GAMMON_SHARE) * worth(-stake) + GAMMON_SHARE * worth(-2 * stake),
                (1 - GAMMON_SHARE) * worth(stake) + GAMMON_SHARE * worth(2 * stake)};
    }
    bool may_turn(int cube, bool by_other) const { return (by_other ? other : own) > 1 << cube; }
};

}  // namespace

MatchTable::MatchTable(int length, bool cube) : length_(length), cube_(cube) {
    const int side = length + 1;
    before_.assign(side * side, 0.5);
    after_.assign(side, 0.5);
    for (int needed = 2; needed <= length; ++needed) after_[needed] = trailing_after_crawford(needed);
    for (int total = 2; total <= 2 * length; ++total)
        for (int own = std::max(1, total - length); own <= std::min(length, total - 1); ++own) {
            const int other = total - own;
            const bool plain = !cube || own == 1 || other == 1;
            before_[own * side + other] = plain ? without_cube(own, other) : with_cube(own, other);
        }
}

double MatchTable::chance(int own, int other, bool after_crawford) const {
    if (own <= 0) return 1;
    if (other <= 0) return 0;
    if (cube_ && after_crawford && own == 1) return 1 - after_[other];
    if (cube_ && after_crawford && other == 1) return after_[own];
    return before_[own * (length_ + 1) + other];
}

// If one of them is a point away this is the Crawford game, and the next one is post-Crawford.
double MatchTable::without_cube(int own, int other) const {
    const bool after = own == 1 || other == 1;
    const double won =
        (1 - GAMMON_SHARE) * chance(own - 1, other, after) + GAMMON_SHARE * chance(own - 2, other, after);
    const double lost =
        (1 - GAMMON_SHARE) * chance(own, other - 1, after) + GAMMON_SHARE * chance(own, other - 2, after);
    return (won + lost) / 2;
}

double MatchTable::with_cube(int own, int other) const {
    const AtScore game{*this, own, other};
    return Cube(game).live(0, Owner::NOBODY).at(0.5);
}

// The double comes at once: it is dropped, for a point, or the game is played for two.
double MatchTable::trailing_after_crawford(int needed) const {
    const auto still = [&](int points) { return needed > points ? after_[needed - points] : 1; };
    const double played = ((1 - GAMMON_SHARE) * still(2) + GAMMON_SHARE * still(4)) / 2;
    return std::min(played, still(1));
}

}  // namespace zermelo::backgammon
