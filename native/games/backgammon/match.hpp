// What a score is worth: the chance to win a match, by a model that is simple and ours.
//
// The model. A game is a walk of the chance to win it, which begins at one half and goes in steps so small that players double
// and drop at the very point where it is right to (a live cube, see cube.hpp); of the games that are played out a quarter
// is won by a gammon. Nobody doubles in the Crawford game; after it the trailing player doubles at once.
#pragma once

#include <vector>

namespace zermelo::backgammon {

constexpr int MOST_MATCH = 64;

class MatchTable {
public:
    // For matches of `length` points; 0 for none. Without a cube every game counts a point, or two.
    MatchTable(int length, bool cube);

    // The chance to win for a player who needs `own` points, against one who needs `other`, before the next game. Where one
    // needs a single point, `after_crawford` tells that the Crawford game has been played.
    double chance(int own, int other, bool after_crawford) const;

private:
    double without_cube(int own, int other) const;
    double with_cube(int own, int other) const;
    double trailing_after_crawford(int needed) const;

    int length_;
    bool cube_;
    std::vector<double> before_;  // [own][other], the Crawford game included
    std::vector<double> after_;  // after the Crawford game: the chance of the trailing player, who needs [n]
};

}  // namespace zermelo::backgammon
