// Estimates of states: combines the probabilities of the board, the cube and the score.
#include <algorithm>
#include <cmath>

#include "games/backgammon/cube.hpp"
#include "games/backgammon/plays.hpp"
#include "games/backgammon/rules.hpp"
#include "games/backgammon/together.hpp"

namespace zermelo::backgammon {

namespace {

// Cube efficiency from dead (0) to live (1) where it is not known: Janowski's value for long games.
constexpr double LIVENESS = 0.68;
constexpr double VALUE_TOLERANCE = 1e-6;   // tolerance: the accuracy of the tables
constexpr double BOUND_MARGIN = 1e-6;  // relative distance of estimates from the bounds

// The utility of winning (negative: losing) this number of points, for `player`.
double score_worth(const Rules& rules, const State& state, int player, int points) {
    const int length = rules.options.match;
    if (!length) return points;
    const bool after = !state.crawford && std::max(state.score[0], state.score[1]) == length - 1;
    // The Crawford game is followed by a post-Crawford one; nothing else changes between two games.
    const bool next_after = after || (state.crawford && points != 0);
    const int own = length - state.score[player] - std::max(points, 0);
    const int other = length - state.score[player ^ 1] - std::max(-points, 0);
    return 2 * rules.equities.chance(own, other, next_after) - 1;
}

// The game of a state from the point of view of `player`, for the cube. Values are utilities.
class AtState {
public:
    AtState(const Rules& rules, const State& state, int player, const Chances& chances)
        : rules_(rules), state_(state), player_(player), chances_(chances) {}

    double worth(int points) const { return score_worth(rules_, state_, player_, points); }

    std::pair<double, double> ends(int cube, bool turned) const {
        return {side(cube, turned, backgammon::turned(chances_), -1), side(cube, turned, chances_, 1)};
    }

    bool may_turn(int cube, bool by_other) const {
        const Options& options = rules_.options;
        if (!options.cube || state_.crawford || cube >= MAX_CUBE) return false;
        return !options.match || state_.score[player_ ^ by_other] + (1 << cube) < options.match;
    }

private:
    // The value of winning, or losing with a sign of -1, a game that is played out; `c` are the winner's probabilities.
    double side(int cube, bool turned, const Chances& c, int sign) const {
        const int stake = sign * (1 << cube);
        const bool plain = rules_.options.jacoby && rules_.options.cube && !rules_.options.match && !turned;
        const double win = c[WIN];
        if (plain || win <= 0) return worth(stake);
        const double backgammons = c[WIN_BACKGAMMON] / win, gammons = c[WIN_GAMMON] / win - backgammons;
        return (1 - gammons - backgammons) * worth(stake) + gammons * worth(2 * stake) + backgammons * worth(3 * stake);
    }

    const Rules& rules_;
    const State& state_;
    int player_;
    const Chances& chances_;
};

// A game for one point, without gammons and scores.
struct ForMoney {
    double worth(int points) const { return points; }
    std::pair<double, double> ends(int cube, bool) const { return {-(1 << cube), 1 << cube}; }
    bool may_turn(int cube, bool) const { return cube < MAX_CUBE; }
};

// The cube efficiency that reproduces `solved_equity`. A game that ends before anybody turns the cube has a dead one.
double solved_liveness(const Board& board, Owner owner) {
    const double chance = solved_chance(board), dead = 2 * chance - 1;
    const double live = Cube(ForMoney{}).live(0, owner).at(chance);
    if (std::abs(live - dead) < VALUE_TOLERANCE) return 0;
    return std::clamp((solved_equity(board, owner) - dead) / (live - dead), 0.0, 1.0);
}

// The estimate for the player on roll, in a state in which the board alone decides what comes next.
class Outlook {
public:
    Outlook(const Rules& rules, const State& state)
        : board_(state.board()), chances_(chances_of(board_, rules.networks.get())),
          game_(rules, state, state.turn, chances_), state_(state), solved_(is_solved(board_)),
          money_(!rules.options.match) {}

    double with_cube(int cube, Owner owner) const {
        const bool known = solved_ && is_turnable(cube, owner);
        if (known && money_) return (1 << cube) * solved_equity(board_, owner);
        const double dead = Cube(game_).dead(cube, owner, chances_[WIN]);
        const double liveness = known ? solved_liveness(board_, owner) : LIVENESS;
        return dead + liveness * (Cube(game_).live(cube, owner).at(chances_[WIN]) - dead);
    }

    double rolling() const {
        const Owner owner = state_.owner == CENTRED       ? Owner::NOBODY
                            : state_.owner == state_.turn ? Owner::OWN
                                                          : Owner::OTHER;
        return with_cube(state_.cube, owner);
    }

    // The double is taken or dropped, whichever is better for the other.
    double doubled() const { return std::min(with_cube(state_.cube + 1, Owner::OTHER), game_.worth(1 << state_.cube)); }

private:
    bool is_turnable(int cube, Owner owner) const {
        return (owner != Owner::OTHER && game_.may_turn(cube, false)) ||
               (owner != Owner::OWN && game_.may_turn(cube, true));
    }

    Board board_;
    Chances chances_;
    AtState game_;
    const State& state_;
    bool solved_, money_;
};

// The best of the plays of a roll, for the player who makes it.
double best_play(const Rules& rules, const State& state) {
    thread_local std::vector<Play> plays;
    find_plays(state.board(), state.dice[0], state.dice[1], plays);
    double best = -HUGE_VAL;
    for (const Play& play : plays) {
        State child;
        rules.apply(state, play.action, child);
        best = std::max(best, rules.worth(child, state.turn));
    }
    return best;
}

}  // namespace

double Rules::worth(const State& state, int player) const {
    return state.phase == OVER ? utility(state, player) : estimate(state, player);
}

double Rules::utility(const State& state, int player) const {
    const double value = options.match ? 1 : state.points;
    return state.turn == player ? value : -value;
}

double Rules::estimate(const State& state, int player) const {
    double value;  // of the player on roll
    if (state.phase == PLAY) {
        value = best_play(*this, state);
    } else if (state.phase == OPENING) {
        value = options.match ? score_worth(*this, state, 0, 0) : 0;
    } else {
        const Outlook outlook(*this, state);
        value = state.phase == ANSWER ? outlook.doubled() : outlook.rolling();
        if (state.phase == DECIDE) value = std::max(value, outlook.doubled());
    }
    const double inside = most() * (1 - BOUND_MARGIN);
    value = std::clamp(value, -inside, inside);
    return state.turn == player ? value : -value;
}

std::vector<std::pair<std::string, double>> Rules::explain(const State& state) const {
    const double whole = estimate(state, 0);
    if (state.phase == OPENING) return {{"score", whole}};
    const Chances on_roll = chances_of(state.board(), networks.get());
    const Chances c = state.turn == 0 ? on_roll : turned(on_roll);
    std::vector<std::pair<std::string, double>> parts{
        {"wins", c[WIN]},
        {"losses", c[WIN] - 1},
        {"gammons won", c[WIN_GAMMON]},
        {"gammons lost", -c[LOSE_GAMMON]},
        {"backgammons won", c[WIN_BACKGAMMON]},
        {"backgammons lost", -c[LOSE_BACKGAMMON]},
    };
    double sum = 0;
    for (const auto& part : parts) sum += part.second;
    parts.emplace_back("dice, cube and score", whole - sum);
    return parts;
}

}  // namespace zermelo::backgammon
