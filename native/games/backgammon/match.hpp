// Match equities: the probability to win a match at a score, by a simple model.
//
// The model: a game is a random walk of the probability to win it, which starts at one half and has steps so small that
// players double and drop at the optimal point (a live cube, see cube.hpp); a quarter of the games that are played out
// is won by a gammon. Nobody doubles in the Crawford game; after it the trailing player doubles at once.
#pragma once

#include <vector>

namespace zermelo::backgammon {

constexpr int MAX_MATCH = 64;

class MatchTable {
public:
    // For matches of `length` points; 0 for none. Without a cube every game counts one point, or two.
    MatchTable(int length, bool cube);

    // The probability to win for a player who needs `own` points, against one who needs `other`, before the next game.
    // If one needs a single point, `after_crawford` states whether the Crawford game has been played.
    double chance(int own, int other, bool after_crawford) const;

private:
    double without_cube(int own, int other) const;
    double with_cube(int own, int other) const;
    double trailing_after_crawford(int needed) const;

    int length_;
    bool cube_;
    std::vector<double> before_;  // [own][other], including the Crawford game
    std::vector<double> after_;  // post-Crawford: the probability of the trailing player, who needs [n]
};

}  // namespace zermelo::backgammon
