// The options of a game of backgammon, and everything derived from them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "games/backgammon/estimate.hpp"
#include "games/backgammon/match.hpp"
#include "games/backgammon/state.hpp"

namespace zermelo::backgammon {

constexpr int MAX_CUBE = 6;  // the cube goes up to 64

struct Options {
    int match = 0;       // points to win; 0 plays one game for points
    bool cube = false;
    bool jacoby = false; // without a match: gammons count only after a double
};

struct Rules {
    Options options;
    MatchTable equities;  // of the match, empty for one game
    std::shared_ptr<const Networks> networks;

    Rules(const Options& options, std::shared_ptr<const Networks> networks)
        : options(options), equities(options.match, options.cube), networks(std::move(networks)) {}

    // Utilities lie between minus this and plus this.
    double most() const { return options.match ? 1 : options.cube ? 3 << MAX_CUBE : 3; }

    void begin(State& state) const;  // the first game
    bool may_double(const State& state) const;

    // One action of the player to move, or of chance; false if it is invalid.
    bool apply(const State& state, int64_t action, State& child) const;

    // The points of a game, won with `stakes` times the cube.
    int points(const State& state, int stakes) const;

    double utility(const State& state, int player) const;  // of an end
    double worth(const State& state, int player) const;    // the utility at an end, else the estimate

    // The estimate for `player` in a state that is not over, strictly inside the bounds.
    double estimate(const State& state, int player) const;

    // The terms of that estimate for player 0: names and amounts, which sum to it.
    std::vector<std::pair<std::string, double>> explain(const State& state) const;

    // Ends the game that `winner` has won; in a match the next one begins, unless that was the last.
    void finish(State& state, int winner, int stakes) const;

private:
    void begin_game(State& state) const;
    void pass_on(State& state) const;
    bool throw_dice(State& state, int64_t action) const;
    bool play(State& state, int64_t action) const;
};

// The actions that are not plays, and the rolls: first die times eight plus second.
enum Choice : int64_t { ROLL_DICE = 1, DOUBLE = 2, TAKE = 3, DROP = 4 };

constexpr int64_t roll_code(int first, int second) { return first << 3 | second; }

}  // namespace zermelo::backgammon
