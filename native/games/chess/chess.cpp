#include "games/chess/chess.hpp"

#include <algorithm>

#include "games/chess/evaluate.hpp"
#include "games/chess/exchange.hpp"
#include "games/chess/fen.hpp"
#include "games/chess/inputs.hpp"
#include "games/chess/moves.hpp"
#include "games/chess/placement.hpp"
#include "games/chess/play.hpp"
#include "games/chess/scale.hpp"
#include "games/chess/slices.hpp"
#include "games/native_inputs.hpp"

namespace zermelo::chess {

namespace {

const State& state_at(const void* state) { return *static_cast<const State*>(state); }
State& state_at(void* state) { return *static_cast<State*>(state); }
const Weights& weights_at(const void* context) { return *static_cast<const Weights*>(context); }

zermelo_status write_initial(const void* context, void* state) {
    state_at(state) = weights_at(context).start;
    return ZERMELO_OK;
}

zermelo_status write_actions(const void*, const void* state, int64_t* actions, uint64_t capacity, uint64_t* count) {
    if (capacity >= MAX_ACTIONS) [[likely]] {
        *count = static_cast<uint64_t>(write_moves(state_at(state), actions) - actions);
        return ZERMELO_OK;
    }
    Action moves[MAX_ACTIONS];
    *count = static_cast<uint64_t>(write_moves(state_at(state), moves) - moves);
    std::copy_n(moves, std::min(*count, capacity), actions);
    return ZERMELO_OK;
}

// The player to move in a position, and the utilities of both if it is terminal.
void write_position(const State& state, bool passed, int32_t* mover, double* utilities) {
    const Ending end = ending(state, passed);
    *mover = end == Ending::NONE ? static_cast<int32_t>(state.turn) : ZERMELO_TERMINAL;
    if (end == Ending::NONE) [[likely]]
        return;
    const double mine = end == Ending::MATE ? -1 : end == Ending::KING_HANGS ? 1 : 0;
    utilities[state.turn] = mine;
    utilities[state.turn ^ 1] = mine == 0 ? 0 : -mine;
}

zermelo_status step(const void* context, const void* state, int64_t action, void* child, int32_t* mover,
                    double* utilities) {
    if (!play(weights_at(context).placements, state_at(state), action, state_at(child))) [[unlikely]]
        return ZERMELO_BREACH;
    write_position(state_at(child), false, mover, utilities);
    return ZERMELO_OK;
}

zermelo_status info(const void*, const void* state, int32_t* mover, double* utilities) {
    write_position(state_at(state), true, mover, utilities);
    return ZERMELO_OK;
}

zermelo_status enter(const void* context, const void* state, int64_t action, void* child, int32_t* mover,
                     double* utilities, int64_t* actions, uint64_t capacity, uint64_t* count) {
    const zermelo_status status = step(context, state, action, child, mover, utilities);
    return status != ZERMELO_OK || *mover < 0 ? status : write_actions(context, child, actions, capacity, count);
}

zermelo_status pass_turn(const void*, const void* state, void* child, int32_t* mover, double* utilities) {
    pass(state_at(state), state_at(child));
    write_position(state_at(child), true, mover, utilities);
    return ZERMELO_OK;
}

zermelo_status read_key(const void*, const void* state, uint64_t* key) {
    *key = state_at(state).key;
    return ZERMELO_OK;
}

zermelo_status estimate(const void* context, const void* state, int32_t player, double* value) {
    const int points = evaluate(weights_at(context), state_at(state));
    *value = static_cast<double>(player == state_at(state).turn ? points : -points) / POINTS_OF_A_WIN;
    return ZERMELO_OK;
}

bool captures(const State& state, Action action) {
    return kind_of(action) == EN_PASSANT || (state.colours[other(state.mover())] & bit(to_of(action)));
}

// MVV-LVA: the most valuable victim first, then the least valuable attacker; a promotion counts as a gain.
zermelo_status rank_actions(const void*, const void* state, const int64_t* actions, uint64_t count,
                            double* priorities) {
    const State& s = state_at(state);
    for (uint64_t i = 0; i < count; ++i) {
        const Action action = actions[i];
        int worth = promotion_of(action) != PAWN ? PIECE_VALUES[promotion_of(action)] : 0;
        if (kind_of(action) == EN_PASSANT) worth += PIECE_VALUES[PAWN];
        else if (captures(s, action)) worth += PIECE_VALUES[s.piece_on(to_of(action))];
        priorities[i] = worth ? 10 * worth - static_cast<int>(piece_of(action)) : 0;
    }
    return ZERMELO_OK;
}

// Captures and promotions to queen.
zermelo_status is_noisy(const void*, const void* state, int64_t action, int32_t* noisy) {
    *noisy = promotion_of(action) == QUEEN || captures(state_at(state), action);
    return ZERMELO_OK;
}

zermelo_status find_exchange(const void*, const void* state, int64_t action, double* gain) {
    *gain = static_cast<double>(exchange(state_at(state), action)) / POINTS_OF_A_WIN;
    return ZERMELO_OK;
}

zermelo_status find_target(const void*, const void*, int64_t action, int64_t* target) {
    *target = to_of(action);
    return ZERMELO_OK;
}

// Captures, pawn moves, and moves that lose a castling right.
zermelo_status is_irreversible(const void*, const void* state, int64_t action, int32_t* irreversible) {
    const State& s = state_at(state);
    const Piece piece = piece_of(action);
    const Bitboard home = rank(s.turn == WHITE ? 0 : 7);
    const bool gives_up = s.castlers & (bit(from_of(action)) | (piece == KING ? home : 0));
    *irreversible = piece == PAWN || gives_up || captures(s, action);
    return ZERMELO_OK;
}

zermelo_status is_check(const void*, const void* state, int32_t* check) {
    *check = state_at(state).in_check();
    return ZERMELO_OK;
}

zermelo_status gives_check(const void*, const void* state, int64_t action, int32_t* check) {
    *check = gives_check(state_at(state), action);
    return ZERMELO_OK;
}

zermelo_status find_input_words(const void*, const void* state, int32_t player, uint64_t* words, uint64_t count) {
    if (count != INPUT_WORDS) [[unlikely]]
        return ZERMELO_BREACH;
    write_inputs(state_at(state), static_cast<Colour>(player), words);
    return ZERMELO_OK;
}

zermelo_status find_inputs(const void* context, const void* state, int32_t player, int64_t* inputs, uint64_t capacity,
                           uint64_t* count) {
    return list_inputs<INPUT_WORDS>(find_input_words, context, state, player, inputs, capacity, count);
}

zermelo_status find_stage(const void*, const void* state, int64_t* stage) {
    *stage = stage_of(state_at(state));
    return ZERMELO_OK;
}

// Known draws only: which other endgames are hard to win is learned.
zermelo_status find_lead_share(const void*, const void* state, int32_t, double* share) {
    *share = endgame_scale(state_at(state)) == DRAWN ? static_cast<double>(DRAWN) / FULL_SCALE : 1;
    return ZERMELO_OK;
}

zermelo_status find_material(const void*, const void* state, int64_t* material) {
    *material = material_of(state_at(state));
    return ZERMELO_OK;
}

zermelo_status find_rank(const void*, const void* state, int64_t* rank) {
    *rank = rank_in_slice(state_at(state));
    return ZERMELO_OK;
}

zermelo_status find_slice_size(const void*, int64_t slice, int64_t* size) {
    *size = slice_size(slice);
    return *size < 0 ? ZERMELO_BREACH : ZERMELO_OK;
}

zermelo_status unrank(const void* context, int64_t slice, int64_t index, void* state) {
    if (index < 0 || index >= slice_size(slice)) return ZERMELO_BREACH;
    unrank_in_slice(weights_at(context).placements, slice, index, state_at(state));
    return ZERMELO_OK;
}

// Mate at the last of them goes before the draw.
zermelo_status count_plies_left(const void*, const void* state, int64_t* plies) {
    *plies = std::max(0, 100 - state_at(state).clock);
    return ZERMELO_OK;
}

zermelo_table make_table() {
    zermelo_table table{};
    table.version = ZERMELO_TABLE_VERSION;
    table.size = sizeof(zermelo_table);
    table.context = &no_weights();
    table.capabilities = ZERMELO_REPETITION_DRAW | ZERMELO_CONSTANT_SUM | ZERMELO_COSTLY_STEPS | ZERMELO_DRAWS_GO_ON;
    table.state_size = sizeof(State);
    table.state_alignment = alignof(State);
    table.players = 2;
    table.max_actions = MAX_ACTIONS;
    table.low = -1;
    table.high = 1;
    table.neutral = 0;
    table.unit = POINTS_OF_A_WIN;
    table.initial = &write_initial;
    table.actions = &write_actions;
    table.step = &step;
    table.info = &info;
    table.key = &read_key;
    table.evaluate = &estimate;
    table.priorities = &rank_actions;
    table.is_noisy = &is_noisy;
    table.target = &find_target;
    table.pass_turn = &pass_turn;
    table.is_irreversible = &is_irreversible;
    table.enter = &enter;
    table.is_check = &is_check;
    table.exchange = &find_exchange;
    table.gives_check = &gives_check;
    table.inputs = &find_inputs;
    table.stage = &find_stage;
    table.input_words = &find_input_words;
    table.lead_share = &find_lead_share;
    table.material = &find_material;
    table.rank = &find_rank;
    table.slice_size = &find_slice_size;
    table.unrank = &unrank;
    table.plies_left = &count_plies_left;
    return table;
}

std::string write(const void* state) { return write_fen(state_at(state)); }
bool read(std::string_view text, void* state, std::string& why) { return read_fen(text, state_at(state), why); }

std::shared_ptr<const void> weigh(const std::vector<int32_t>& numbers, std::string& why) {
    return make_weights(numbers, why);
}
void settle(const void* context, void* state) { count_up(weights_at(context).placements, state_at(state)); }
void features(const void* state, float* out) { write_features(state_at(state), out); }
std::vector<std::pair<std::string, double>> explain(const void* context, const void* state) {
    return explain_evaluation(weights_at(context), state_at(state));
}

constexpr Weighted WEIGHTED{&feature_names, &weigh, &settle, &features, &explain};

}  // namespace

const NativeGame& game() {
    static const NativeGame made = [] {
        prepare_attacks();
        static const zermelo_table table = make_table();
        return NativeGame{"chess", &table, &write, &read, nullptr, &WEIGHTED};
    }();
    return made;
}

}  // namespace zermelo::chess
