#include "games/xiangqi/moves.hpp"

namespace zermelo::xiangqi {

namespace {

// Whether the pieces `enemies` of the side other than `colour` attack its king on `king`, given the occupied squares.
inline bool attacked_there(const State& state, int colour, int king, Bits enemies, Bits occupied, unsigned row_pieces,
                           unsigned column_pieces) {
    const Bits riders = (state.kinds[ROOK] | state.kinds[KING]) & enemies;
    if (seen(king, 0, row_pieces, column_pieces) & riders) return true;
    if (seen(king, 1, row_pieces, column_pieces) & state.kinds[CANNON] & enemies) return true;
    if (tables.pawn_sources[1 - colour][king] & state.kinds[PAWN] & enemies) return true;
    return any_of(tables.horse_sources[king] & state.kinds[HORSE] & enemies,
                  [&](int horse) { return !(occupied & bit(leg_of(horse, king))); });
}

// Whether the king of the side to move, then on `king`, would be attacked after the move.
inline bool exposed(const State& state, int king, int from, int to) {
    const int me = state.turn;
    const int row = tables.row[king], column = tables.column[king];
    unsigned row_pieces = state.rows[row], column_pieces = state.columns[column];
    if (tables.row[from] == row) row_pieces &= ~(1u << tables.column[from]);
    if (tables.column[from] == column) column_pieces &= ~(1u << tables.row[from]);
    if (tables.row[to] == row) row_pieces |= 1u << tables.column[to];
    if (tables.column[to] == column) column_pieces |= 1u << tables.row[to];
    const Bits occupied = (state.occupied() & ~bit(from)) | bit(to);
    return attacked_there(state, me, king, state.colours[1 - me] & ~bit(to), occupied, row_pieces, column_pieces);
}

// The restrictions on the legal moves of the side to move.
//
// When not in check, a move of a piece other than the king can be illegal only if it starts on a square of `pinned` (a
// piece that blocks a rook, the other king or a horse's leg, or is one of two screens in front of a cannon), which must
// be tested, and it is illegal if it ends on one of `barred` (between the king and a cannon that has no screen yet). In
// check every move must end on `answers` (capturing or blocking every attacker) or start on a screen, and must be
// tested.
struct Safety {
    Bits pinned, barred, screens;
    Bits answers = ALL;
    bool check = false;

    explicit Safety(const State& state) {
        const int king = state.kings[state.turn];
        const Bits own = state.colours[state.turn], enemies = state.colours[1 - state.turn];
        const Bits riders = (state.kinds[ROOK] | state.kinds[KING]) & enemies, cannons = state.kinds[CANNON] & enemies;
        const Bits first = seen(state, king, 0), second = seen(state, king, 1), third = seen(state, king, 2);
        each(first & riders, [&](int from) { attack(tables.between(king, from) | bit(from)); });
        each(first & cannons, [&](int from) { barred |= tables.between(king, from); });
        each(second & riders, [&](int from) { pinned |= tables.between(king, from) & own; });
        each(second & cannons, [&](int from) {
            attack(tables.between(king, from) | bit(from));
            screens |= tables.between(king, from) & own;
        });
        each(third & cannons, [&](int from) { pinned |= tables.between(king, from) & own; });
        each(tables.pawn_sources[1 - state.turn][king] & state.kinds[PAWN] & enemies,
             [&](int from) { attack(bit(from)); });
        each(tables.horse_sources[king] & state.kinds[HORSE] & enemies, [&](int from) {
            const Bits leg = bit(leg_of(from, king));
            if (leg & own) pinned |= leg;
            else if (!(leg & enemies)) attack(leg | bit(from));
        });
    }

private:
    void attack(Bits answers_to_it) {
        check = true;
        answers &= answers_to_it;
    }
};

// The pseudo-legal targets of a piece on `from`.
template <Kind KIND>
inline Bits targets(const State& state, int from) {
    const Bits own = state.colours[state.turn];
    if constexpr (KIND == ROOK) return seen(state, from, 0) & ~own;
    if constexpr (KIND == CANNON)
        return (seen(state, from, 0) & ~state.occupied()) | (seen(state, from, 1) & state.colours[1 - state.turn]);
    if constexpr (KIND == HORSE) return tables.horse[from][blocked_legs(state, from)] & ~own;
    if constexpr (KIND == PAWN) return tables.pawn[state.turn][from] & ~own;
    if constexpr (KIND == ADVISOR) return tables.advisor[from] & ~own;
    if constexpr (KIND == KING) return tables.king[from] & ~own;
    Bits found;
    const Bits occupied = state.occupied();
    for (const Tables::Stride& stride : tables.elephant[from])
        if (!(stride.eye & occupied)) found |= stride.target;
    return found & ~own;
}

// Calls `emit(from, to)` for each legal move of one kind of piece, until a call returns true; returns whether one did.
template <Kind KIND, typename Emit>
inline bool emit_kind(const State& state, const Safety& safety, const Emit& emit) {
    return any_of(state.kinds[KIND] & state.colours[state.turn], [&](int from) {
        const auto tried = [&](int to) {
            const int king = KIND == KING ? to : state.kings[state.turn];
            return !exposed(state, king, from, to) && emit(from, to);
        };
        const Bits found = targets<KIND>(state, from);
        if constexpr (KIND == KING) return any_of(found, tried);
        if (safety.check) return any_of(safety.screens & bit(from) ? found : found & safety.answers, tried);
        if (safety.pinned & bit(from)) [[unlikely]]
            return any_of(found & ~safety.barred, tried);
        return any_of(found & ~safety.barred, [&](int to) { return emit(from, to); });
    });
}

template <typename Emit>
inline bool emit_moves(const State& state, const Safety& safety, const Emit& emit) {
    return emit_kind<ROOK>(state, safety, emit) || emit_kind<CANNON>(state, safety, emit) ||
           emit_kind<HORSE>(state, safety, emit) || emit_kind<PAWN>(state, safety, emit) ||
           emit_kind<ELEPHANT>(state, safety, emit) || emit_kind<ADVISOR>(state, safety, emit) ||
           emit_kind<KING>(state, safety, emit);
}

// Whether a piece of this kind has a move that cannot affect its own king.
template <Kind KIND>
inline bool moves_freely(const State& state) {
    const Bits elsewhere = ~tables.concern[state.kings[state.turn]];
    return any_of(state.kinds[KIND] & state.colours[state.turn] & elsewhere,
                  [&](int from) { return static_cast<bool>(targets<KIND>(state, from) & elsewhere); });
}

}  // namespace

bool attacked(const State& state, int colour) {
    const int king = state.kings[colour];
    return attacked_there(state, colour, king, state.colours[1 - colour], state.occupied(),
                          state.rows[tables.row[king]], state.columns[tables.column[king]]);
}

unsigned legal_moves(const State& state, int64_t* actions) {
    int64_t* next = actions;
    emit_moves(state, Safety(state), [&](int from, int to) {
        *next++ = action_of(from, to);
        return false;
    });
    return static_cast<unsigned>(next - actions);
}

bool has_legal_move(const State& state) {
    // When not in check almost any move is legal, and one that cannot be illegal is found quickly.
    if (!state.check && (moves_freely<PAWN>(state) || moves_freely<ROOK>(state) || moves_freely<HORSE>(state)))
        return true;
    return emit_moves(state, Safety(state), [](int, int) { return true; });
}

}  // namespace zermelo::xiangqi
