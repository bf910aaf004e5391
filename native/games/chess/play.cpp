#include "games/chess/play.hpp"

#include "games/chess/moves.hpp"

namespace zermelo::chess {

namespace {

template <Colour OWNER>
inline void toggle(State& s, Piece piece, Bitboard squares) {
    s.pieces[piece] ^= squares;
    s.colours[OWNER] ^= squares;
}

template <Colour OWNER>
inline void add(const Placements& placements, State& s, Piece piece, Square square) {
    const Placement& placement = placements.pieces[OWNER][piece][square];
    s.key ^= placement.key;
    s.score += placement.score;
    s.phase += placement.phase;
}

template <Colour OWNER>
inline void take(const Placements& placements, State& s, Piece piece, Square square) {
    const Placement& placement = placements.pieces[OWNER][piece][square];
    s.key ^= placement.key;
    s.score -= placement.score;
    s.phase -= placement.phase;
}

// Moves a piece of `OWNER` from one square to another, possibly promoting it.
template <Colour OWNER>
inline void move(const Placements& placements, State& s, Piece piece, Square from, Square to) {
    toggle<OWNER>(s, piece, bit(from) ^ bit(to));
    const Placement& before = placements.pieces[OWNER][piece][from];
    const Placement& after = placements.pieces[OWNER][piece][to];
    s.key ^= before.key ^ after.key;
    s.score += after.score - before.score;
}

template <Colour OWNER>
inline void capture(const Placements& placements, State& s, Piece piece, Square square) {
    toggle<OWNER>(s, piece, bit(square));
    take<OWNER>(placements, s, piece, square);
    s.clock = 0;
}

inline void keep_castlers(State& s, Bitboard kept) {
    each(s.castlers & ~kept, [&](Square rook) { s.key ^= keys.castlers[rook]; });
    s.castlers &= kept;
}

// Computes the checkers of the king of `US`, and the pinned pieces.
template <Colour US>
inline void find_checks(State& s) {
    const Square king = s.king(US);
    const Bitboard theirs = s.colours[other(US)], occupied = s.occupied(), queens = s.pieces[QUEEN];
    Bitboard checkers =
        theirs & ((knight_attacks(king) & s.pieces[KNIGHT]) | (pawn_attacks(US, king) & s.pieces[PAWN]));
    Bitboard pinned = 0;
    Bitboard snipers = theirs & ((attack_tables.rook_rays[king] & (s.pieces[ROOK] | queens)) |
                                 (attack_tables.bishop_rays[king] & (s.pieces[BISHOP] | queens)));
    for (; snipers; snipers &= snipers - 1) {
        const Bitboard shields = between(king, first(snipers)) & occupied;
        if (shields == 0) checkers |= snipers & -snipers;
        else if (!several(shields)) pinned |= shields & s.colours[US];
    }
    s.checkers = checkers;
    s.pinned = pinned;
}

// After a double step to `to`: whether en passant is actually legal.
template <Colour US>
void offer_in_passing(State& s, Square to) {
    constexpr Colour THEM = other(US);
    const Square behind = to ^ 8;
    Bitboard takers = pawn_attacks(US, behind) & s.of(THEM, PAWN);
    if (!takers) return;
    const Square king = s.king(THEM);
    bool possible = false;
    each(takers, [&](Square from) { possible |= may_take_in_passing(s, from, behind, king, THEM); });
    if (!possible) return;
    s.en_passant = static_cast<uint8_t>(behind);
    s.key ^= keys.en_passant[file_of(behind)];
}

template <Colour US>
bool castle(const Placements& placements, State& s, Square king, Square rook) {
    if (!(s.castlers & s.colours[US] & bit(rook))) return false;
    const Square king_to = castled_king(king, rook), rook_to = castled_rook(king, rook);
    if ((s.occupied() ^ bit(king) ^ bit(rook)) & (bit(king_to) | bit(rook_to))) return false;
    move<US>(placements, s, KING, king, king_to);
    move<US>(placements, s, ROOK, rook, rook_to);
    // Where king and rook swap places, their squares have been toggled twice.
    s.colours[US] = (s.colours[US] & ~bit(king) & ~bit(rook)) | bit(king_to) | bit(rook_to);
    return true;
}

template <Colour US>
bool promote(const Placements& placements, State& s, Piece piece, Square from, Square to, Piece promotion) {
    if (piece != PAWN || promotion > QUEEN) return false;
    toggle<US>(s, PAWN, bit(from));
    take<US>(placements, s, PAWN, from);
    toggle<US>(s, promotion, bit(to));
    add<US>(placements, s, promotion, to);
    return true;
}

// Special moves.
template <Colour US>
bool play_special(const Placements& placements, State& s, Action action) {
    const Square from = from_of(action), to = to_of(action);
    const Piece piece = piece_of(action);
    if (kind_of(action) == CASTLING) return piece == KING && castle<US>(placements, s, from, to);
    if (promotion_of(action) != PAWN) return promote<US>(placements, s, piece, from, to, promotion_of(action));
    if (piece != PAWN) return false;
    move<US>(placements, s, PAWN, from, to);
    if (kind_of(action) == DOUBLE_STEP) {
        offer_in_passing<US>(s, to);
        return true;
    }
    if (!(s.of(other(US), PAWN) & bit(to ^ 8))) return false;
    capture<other(US)>(placements, s, PAWN, to ^ 8);
    return true;
}

template <Colour US>
bool play_as(const Placements& placements, const State& state, Action action, State& child) {
    const Square from = from_of(action), to = to_of(action);
    const Piece piece = piece_of(action);
    if (action >> 20 || piece > KING || !(state.pieces[piece] & state.colours[US] & bit(from))) [[unlikely]]
        return false;
    if ((state.colours[US] & bit(to)) && kind_of(action) != CASTLING) [[unlikely]]
        return false;
    child = state;
    State& s = child;
    ++s.clock;
    s.key ^= keys.turn;
    if (s.en_passant != NO_SQUARE) {
        s.key ^= keys.en_passant[file_of(s.en_passant)];
        s.en_passant = NO_SQUARE;
    }
    if (s.colours[other(US)] & bit(to)) {
        const Piece victim = s.piece_on(to);
        if (victim == KING) return false;
        capture<other(US)>(placements, s, victim, to);
    }
    if (piece == PAWN) s.clock = 0;
    if (action >> 18 | (action >> 12 & 7)) {
        if (!play_special<US>(placements, s, action)) return false;
    } else {
        move<US>(placements, s, piece, from, to);
    }
    if (s.castlers) {
        constexpr Bitboard HOME = rank(US == WHITE ? 0 : 7);
        const Bitboard lost = bit(from) | bit(to) | (piece == KING ? HOME : 0);
        if (s.castlers & lost) keep_castlers(s, ~lost);
    }
    s.turn = other(US);
    s.move += US == BLACK;
    find_checks<other(US)>(s);
    return true;
}

bool too_few_pieces(const State& s) {
    if (s.pieces[PAWN] | s.pieces[ROOK] | s.pieces[QUEEN]) [[likely]]
        return false;
    if (s.pieces[KNIGHT]) return count(s.occupied()) == 3;
    return !(s.pieces[BISHOP] & DARK) || !(s.pieces[BISHOP] & ~DARK);
}

}  // namespace

bool play(const Placements& placements, const State& state, Action action, State& child) {
    return state.turn == WHITE ? play_as<WHITE>(placements, state, action, child)
                               : play_as<BLACK>(placements, state, action, child);
}

void pass(const State& state, State& child) {
    child = state;
    child.turn ^= 1;
    child.key ^= keys.turn;
    update_checks(child);
}

void update_checks(State& state) { state.turn == WHITE ? find_checks<WHITE>(state) : find_checks<BLACK>(state); }

void count_up(const Placements& placements, State& state) {
    state.key = state.turn == BLACK ? keys.turn : 0;
    state.score = 0;
    state.phase = 0;
    each(state.castlers, [&](Square rook) { state.key ^= keys.castlers[rook]; });
    if (state.en_passant != NO_SQUARE) state.key ^= keys.en_passant[file_of(state.en_passant)];
    each(state.colours[WHITE], [&](Square square) { add<WHITE>(placements, state, state.piece_on(square), square); });
    each(state.colours[BLACK], [&](Square square) { add<BLACK>(placements, state, state.piece_on(square), square); });
}

Ending ending(const State& state, bool passed) {
    if (passed) {
        const Colour them = other(state.mover());
        if (attackers(state, state.king(them), state.occupied(), state.mover())) return Ending::KING_HANGS;
    }
    if (!has_move(state)) return state.in_check() ? Ending::MATE : Ending::STALEMATE;
    if (state.clock >= 100) return Ending::FIFTY_MOVES;
    return too_few_pieces(state) ? Ending::TOO_FEW_PIECES : Ending::NONE;
}

}  // namespace zermelo::chess
