#include "games/backgammon/rules.hpp"

#include <algorithm>

#include "games/backgammon/plays.hpp"

namespace zermelo::backgammon {

void Rules::begin(State& state) const {
    state = State{};
    begin_game(state);
}

void Rules::begin_game(State& state) const {
    state.sides[0] = state.sides[1] = START;
    state.phase = OPENING;
    state.turn = 0;
    state.dice[0] = state.dice[1] = 0;
    state.cube = 0;
    state.owner = CENTRED;
}

bool Rules::may_double(const State& state) const {
    // A match to one point is over after one game, whatever the cube.
    if (!options.cube || options.match == 1 || state.crawford || state.cube >= MAX_CUBE) return false;
    return state.owner == CENTRED || state.owner == state.turn;
}

int Rules::points(const State& state, int stakes) const {
    const bool plain = options.jacoby && options.cube && !options.match && state.owner == CENTRED;
    return (plain ? 1 : stakes) << state.cube;
}

void Rules::finish(State& state, int winner, int stakes) const {
    const int points = this->points(state, stakes);
    state.turn = static_cast<uint8_t>(winner);
    state.dice[0] = state.dice[1] = 0;
    state.phase = OVER;
    state.points = static_cast<uint8_t>(points);
    if (!options.match) return;
    const bool crawford_was = state.crawford || std::max(state.score[0], state.score[1]) == options.match - 1;
    state.score[winner] = static_cast<uint8_t>(std::min(state.score[winner] + points, options.match));
    if (state.score[winner] == options.match) return;
    state.points = 0;
    state.crawford = options.cube && !crawford_was && state.score[winner] == options.match - 1;
    begin_game(state);
}

// Passes the turn to the other, who may double first.
void Rules::pass_on(State& state) const {
    state.turn ^= 1;
    state.dice[0] = state.dice[1] = 0;
    state.phase = may_double(state) ? DECIDE : ROLL;
}

bool Rules::throw_dice(State& state, int64_t action) const {
    const int first = static_cast<int>(action >> 3), second = static_cast<int>(action & 7);
    if (action < 0 || action > 63 || first < 1 || first > 6 || second < 1 || second > 6) return false;
    if (state.phase == OPENING) {
        if (first == second) return false;
        state.turn = first < second;
    } else if (first < second) {
        return false;
    }
    state.dice[0] = static_cast<uint8_t>(std::max(first, second));
    state.dice[1] = static_cast<uint8_t>(std::min(first, second));
    state.phase = PLAY;
    return true;
}

bool Rules::play(State& state, int64_t action) const {
    Board board = state.board();
    if (!make_play(board, state.dice[0], state.dice[1], action)) return false;
    state.set_board(board);
    if (chequers(board.own) == 0) finish(state, state.turn, stakes_won(board.other));
    else pass_on(state);
    return true;
}

bool Rules::apply(const State& state, int64_t action, State& child) const {
    child = state;
    switch (state.phase) {
        case OPENING:
        case ROLL: return throw_dice(child, action);
        case PLAY: return play(child, action);
        case DECIDE: child.phase = action == ROLL_DICE ? ROLL : ANSWER; return action == ROLL_DICE || action == DOUBLE;
        case ANSWER:
            if (action == DROP) {
                finish(child, child.turn, 1);
                return true;
            }
            ++child.cube;
            child.owner = child.turn ^ 1;
            child.phase = ROLL;
            return action == TAKE;
        default: return false;
    }
}

}  // namespace zermelo::backgammon
