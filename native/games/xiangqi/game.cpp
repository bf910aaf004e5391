// Chinese chess as a game table.
//
// A side without a legal move has lost, in check or not. A game without a capture in 120 half-moves is drawn. A
// position in which the king of the side that has just moved can be captured, which only a pass leads to, is won for
// the side to move: so a pass in check is never good. Positions with equal keys may differ in the count of half-moves.
#include "games/xiangqi/game.hpp"

#include <algorithm>

#include "games/native_inputs.hpp"
#include "games/xiangqi/evaluate.hpp"
#include "games/xiangqi/exchange.hpp"
#include "games/xiangqi/fen.hpp"
#include "games/xiangqi/inputs.hpp"
#include "games/xiangqi/moves.hpp"
#include "games/xiangqi/slices.hpp"

namespace zermelo::xiangqi {

namespace {

const State& at(const void* state) { return *static_cast<const State*>(state); }

void win(int winner, int32_t* mover, double* utilities) {
    *mover = ZERMELO_TERMINAL;
    utilities[winner] = 1;
    utilities[1 - winner] = -1;
}

// The player to move and the utilities of a position, given whether the side to move has a legal move.
void write_position(const State& state, bool can_move, int32_t* mover, double* utilities) {
    if (!can_move) return win(1 - state.turn, mover, utilities);
    if (state.quiet < DRAW_PLIES) {
        *mover = state.turn;
        return;
    }
    *mover = ZERMELO_TERMINAL;
    utilities[RED] = utilities[BLACK] = 0;
}

// Whether the action moves a piece of the side to move; the caller guarantees the rest.
bool sensible(const State& state, int64_t action) {
    const int from = from_of(action), to = to_of(action);
    if (static_cast<uint64_t>(action) >= 128 * SQUARES || from >= SQUARES) return false;
    const uint8_t piece = state.board[from], victim = state.board[to];
    return piece != EMPTY && colour_of(piece) == state.turn && (victim == EMPTY || colour_of(victim) != state.turn);
}

void advance(const State& state, int64_t action, State& child) {
    copy(child, state);
    move(child, from_of(action), to_of(action));
    child.check = attacked(child, child.turn);
}

zermelo_status initial(const void*, void* state) {
    std::string why;
    return read_fen(START, *static_cast<State*>(state), why) ? ZERMELO_OK : ZERMELO_BREACH;
}

zermelo_status actions(const void*, const void* state, int64_t* list, uint64_t capacity, uint64_t* count) {
    if (capacity >= MAX_MOVES) {
        *count = legal_moves(at(state), list);
        return ZERMELO_OK;
    }
    int64_t found[MAX_MOVES];
    *count = legal_moves(at(state), found);
    std::copy_n(found, std::min<uint64_t>(*count, capacity), list);
    return ZERMELO_OK;
}

zermelo_status step(const void*, const void* state, int64_t action, void* child, int32_t* mover, double* utilities) {
    if (!sensible(at(state), action)) return ZERMELO_BREACH;
    State& below = *static_cast<State*>(child);
    advance(at(state), action, below);
    write_position(below, has_legal_move(below), mover, utilities);
    return ZERMELO_OK;
}

zermelo_status enter(const void* context, const void* state, int64_t action, void* child, int32_t* mover,
                     double* utilities, int64_t* list, uint64_t capacity, uint64_t* count) {
    if (!sensible(at(state), action)) return ZERMELO_BREACH;
    State& below = *static_cast<State*>(child);
    advance(at(state), action, below);
    uint64_t found = 0;
    actions(context, child, list, capacity, &found);
    write_position(below, found > 0, mover, utilities);
    if (*mover >= 0) *count = found;
    return ZERMELO_OK;
}

zermelo_status info(const void*, const void* state, int32_t* mover, double* utilities) {
    const State& here = at(state);
    if (attacked(here, 1 - here.turn)) win(here.turn, mover, utilities);
    else write_position(here, has_legal_move(here), mover, utilities);
    return ZERMELO_OK;
}

zermelo_status pass_turn(const void* context, const void* state, void* child, int32_t* mover, double* utilities) {
    State& below = *static_cast<State*>(child);
    copy(below, at(state));
    flip(below);
    below.check = attacked(below, below.turn);
    return info(context, child, mover, utilities);
}

zermelo_status key(const void*, const void* state, uint64_t* found) {
    *found = at(state).key;
    return ZERMELO_OK;
}

zermelo_status estimate(const void*, const void* state, int32_t player, double* found) {
    const int points = evaluate(at(state));
    *found = (player == RED ? points : -points) / POINTS;
    return ZERMELO_OK;
}

// MVV-LVA: captures of the most valuable by the least valuable first; a king captures only unguarded pieces, and so
// risks nothing.
zermelo_status priorities(const void*, const void* state, const int64_t* list, uint64_t count, double* found) {
    const State& here = at(state);
    for (uint64_t i = 0; i < count; ++i) {
        if (!sensible(here, list[i])) return ZERMELO_BREACH;
        const int to = to_of(list[i]);
        const uint8_t victim = here.board[to];
        const Kind captor = kind_of(here.board[from_of(list[i])]);
        const int risk = captor == KING ? 0 : PIECE_SCORES[captor];
        found[i] = victim == EMPTY ? 0 : 1000 + 20 * std::abs(square_scores[victim][to]) - risk;
    }
    return ZERMELO_OK;
}

zermelo_status is_noisy(const void*, const void* state, int64_t action, int32_t* found) {
    if (!sensible(at(state), action)) return ZERMELO_BREACH;
    *found = at(state).board[to_of(action)] != EMPTY;
    return ZERMELO_OK;
}

zermelo_status find_exchange(const void*, const void* state, int64_t action, double* gain) {
    if (!sensible(at(state), action)) return ZERMELO_BREACH;
    *gain = exchange(at(state), from_of(action), to_of(action)) / POINTS;
    return ZERMELO_OK;
}

zermelo_status target(const void*, const void*, int64_t action, int64_t* found) {
    *found = to_of(action);
    return ZERMELO_OK;
}

zermelo_status is_check(const void*, const void* state, int32_t* found) {
    *found = at(state).check;
    return ZERMELO_OK;
}

zermelo_status is_irreversible(const void*, const void* state, int64_t action, int32_t* found) {
    if (!sensible(at(state), action)) return ZERMELO_BREACH;
    const int from = from_of(action), to = to_of(action);
    const bool ahead = kind_of(at(state).board[from]) == PAWN && row_of(from) != row_of(to);
    *found = ahead || at(state).board[to] != EMPTY;
    return ZERMELO_OK;
}

zermelo_status input_words(const void*, const void* state, int32_t player, uint64_t* words, uint64_t count) {
    if (count != INPUT_WORDS) return ZERMELO_BREACH;
    write_inputs(at(state), player, words);
    return ZERMELO_OK;
}

zermelo_status inputs(const void* context, const void* state, int32_t player, int64_t* found, uint64_t capacity,
                      uint64_t* count) {
    return list_inputs<INPUT_WORDS>(input_words, context, state, player, found, capacity, count);
}

zermelo_status stage(const void*, const void* state, int64_t* found) {
    *found = stage_of(at(state));
    return ZERMELO_OK;
}

zermelo_status lead_share(const void*, const void* state, int32_t player, double* share) {
    *share = can_attack(at(state), player) ? 1 : 0;
    return ZERMELO_OK;
}

zermelo_status find_material(const void*, const void* state, int64_t* material) {
    *material = material_of(at(state));
    return ZERMELO_OK;
}

zermelo_status find_rank(const void*, const void* state, int64_t* rank) {
    *rank = material_of(at(state)) < 0 ? -1 : rank_in_slice(at(state));
    return ZERMELO_OK;
}

zermelo_status find_slice_size(const void*, int64_t slice, int64_t* size) {
    *size = slice_size(slice);
    return ZERMELO_OK;
}

zermelo_status unrank(const void*, int64_t slice, int64_t index, void* state) {
    const int64_t size = slice_size(slice);
    if (index < 0 || index >= size) return ZERMELO_BREACH;
    unrank_in_slice(slice, index, *static_cast<State*>(state));
    return ZERMELO_OK;
}

zermelo_status plies_left(const void*, const void* state, int64_t* plies) {
    *plies = DRAW_PLIES - at(state).quiet;
    return ZERMELO_OK;
}

zermelo_status symmetric(const void*, const void* state, int32_t symmetry, void* image) {
    if (symmetry) mirror(at(state), *static_cast<State*>(image));
    else copy(*static_cast<State*>(image), at(state));
    return ZERMELO_OK;
}

zermelo_status symmetric_action(const void*, int64_t action, int32_t symmetry, int64_t* image) {
    if (static_cast<uint64_t>(action) >= 128 * SQUARES || from_of(action) >= SQUARES) return ZERMELO_BREACH;
    *image = symmetry ? action_of(mirrored(from_of(action)), mirrored(to_of(action))) : action;
    return ZERMELO_OK;
}

const zermelo_table TABLE = [] {
    zermelo_table table{};
    table.version = ZERMELO_TABLE_VERSION;
    table.size = sizeof(zermelo_table);
    table.capabilities =
        ZERMELO_REPETITION_PERPETUAL | ZERMELO_CONSTANT_SUM | ZERMELO_COSTLY_STEPS | ZERMELO_DRAWS_GO_ON;
    table.state_size = sizeof(State);
    table.state_alignment = alignof(State);
    table.players = 2;
    table.max_actions = MAX_MOVES;
    table.low = -1;
    table.high = 1;
    table.neutral = 0;
    table.unit = POINTS;
    table.initial = initial;
    table.actions = actions;
    table.step = step;
    table.info = info;
    table.key = key;
    table.evaluate = estimate;
    table.priorities = priorities;
    table.is_noisy = is_noisy;
    table.target = target;
    table.pass_turn = pass_turn;
    table.is_irreversible = is_irreversible;
    table.enter = enter;
    table.is_check = is_check;
    table.exchange = find_exchange;
    table.inputs = inputs;
    table.stage = stage;
    table.symmetric = symmetric;
    table.symmetric_action = symmetric_action;
    table.input_words = input_words;
    table.lead_share = lead_share;
    table.material = find_material;
    table.rank = find_rank;
    table.slice_size = find_slice_size;
    table.unrank = unrank;
    table.plies_left = plies_left;
    return table;
}();

std::string write(const void* state) { return write_fen(at(state)); }

bool read(std::string_view text, void* state, std::string& why) {
    return read_fen(text, *static_cast<State*>(state), why);
}

std::vector<std::pair<std::string, double>> explain(const void* state) {
    std::vector<std::pair<std::string, double>> parts;
    for (const Feature& feature : features())
        parts.emplace_back(feature.name, feature.points(at(state), RED) - feature.points(at(state), BLACK));
    return parts;
}

}  // namespace

const NativeGame game{"xiangqi", &TABLE, write, read, explain};

}  // namespace zermelo::xiangqi
