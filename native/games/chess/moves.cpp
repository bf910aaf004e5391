#include "games/chess/moves.hpp"

#include <initializer_list>

namespace zermelo::chess {

namespace {

inline Action* write_targets(Action* out, Square from, Bitboard targets, Piece piece) {
    const Action base = make_action(from, 0, piece);
    for (; targets; targets &= targets - 1) *out++ = base | static_cast<Action>(first(targets)) << 6;
    return out;
}

// Generates the legal moves of one side, by kind of piece.
template <Colour US>
class Writer {
public:
    Writer(const State& state, Action* out)
        : s_(state), out_(out), ours_(state.colours[US]), theirs_(state.colours[other(US)]), occupied_(ours_ | theirs_),
          king_(state.king(US)) {}

    Action* write() {
        if (several(s_.checkers)) [[unlikely]] {
            kings();
            return out_;
        }
        Bitboard allowed = ~ours_;
        if (s_.checkers) [[unlikely]]
            allowed = s_.checkers | between(king_, first(s_.checkers));
        else pinned();
        pawns(ours_ & s_.pieces[PAWN] & ~s_.pinned, allowed);
        if (s_.en_passant != NO_SQUARE) [[unlikely]]
            in_passing();
        pieces(allowed);
        kings();
        if (!s_.checkers && (s_.castlers & HOME)) castle();
        return out_;
    }

private:
    static constexpr Bitboard HOME = rank(US == WHITE ? 0 : 7);
    static constexpr Bitboard LAST = rank(US == WHITE ? 7 : 0);
    static constexpr Bitboard THIRD = rank(US == WHITE ? 2 : 5);
    static constexpr int NORTH = US == WHITE ? 8 : -8;

    void pieces(Bitboard allowed) {
        const Bitboard free = ours_ & ~s_.pinned;
        for (Bitboard left = free & s_.pieces[KNIGHT]; left; left &= left - 1) {
            const Square from = first(left);
            out_ = write_targets(out_, from, knight_attacks(from) & allowed, KNIGHT);
        }
        for (Bitboard left = free & s_.pieces[BISHOP]; left; left &= left - 1) {
            const Square from = first(left);
            out_ = write_targets(out_, from, bishop_attacks(from, occupied_) & allowed, BISHOP);
        }
        for (Bitboard left = free & s_.pieces[ROOK]; left; left &= left - 1) {
            const Square from = first(left);
            out_ = write_targets(out_, from, rook_attacks(from, occupied_) & allowed, ROOK);
        }
        for (Bitboard left = free & s_.pieces[QUEEN]; left; left &= left - 1) {
            const Square from = first(left);
            out_ = write_targets(out_, from, queen_attacks(from, occupied_) & allowed, QUEEN);
        }
    }

    // Pinned pieces, when not in check: each along its line.
    void pinned() {
        for (Bitboard left = s_.pinned; left; left &= left - 1) {
            const Square from = first(left);
            const Bitboard allowed = line(king_, from) & ~ours_;
            if (s_.pieces[PAWN] & bit(from)) {
                pawns(bit(from), allowed);
            } else if (s_.pieces[BISHOP] & bit(from)) {
                out_ = write_targets(out_, from, bishop_attacks(from, occupied_) & allowed, BISHOP);
            } else if (s_.pieces[ROOK] & bit(from)) {
                out_ = write_targets(out_, from, rook_attacks(from, occupied_) & allowed, ROOK);
            } else if (s_.pieces[QUEEN] & bit(from)) {
                out_ = write_targets(out_, from, queen_attacks(from, occupied_) & allowed, QUEEN);
            }
        }
    }

    void pawns(Bitboard pawns, Bitboard allowed) {
        const Bitboard once = ahead<US>(pawns) & ~occupied_;
        const Bitboard twice = ahead<US>(once & THIRD) & ~occupied_ & allowed;
        steps(once & allowed, NORTH);
        steps(ahead_west<US>(pawns) & theirs_ & allowed, NORTH - 1);
        steps(ahead_east<US>(pawns) & theirs_ & allowed, NORTH + 1);
        for (Bitboard left = twice; left; left &= left - 1) {
            const Square to = first(left);
            *out_++ = make_action(to - 2 * NORTH, to, PAWN, DOUBLE_STEP);
        }
    }

    void steps(Bitboard targets, int step) {
        for (Bitboard left = targets & ~LAST; left; left &= left - 1) {
            const Square to = first(left);
            *out_++ = make_action(to - step, to, PAWN);
        }
        for (Bitboard left = targets & LAST; left; left &= left - 1) {
            const Square to = first(left);
            for (const Piece piece : {QUEEN, KNIGHT, ROOK, BISHOP})
                *out_++ = make_action(to - step, to, PAWN, PLAIN, piece);
        }
    }

    void in_passing() {
        const Square to = s_.en_passant;
        if (!(bit(to) & rank(US == WHITE ? 5 : 2))) return;  // stale after a null move
        for (Bitboard left = pawn_attacks(other(US), to) & ours_ & s_.pieces[PAWN]; left; left &= left - 1)
            if (may_take_in_passing(s_, first(left), to, king_, US))
                *out_++ = make_action(first(left), to, PAWN, EN_PASSANT);
    }

    void kings() {
        for (Bitboard left = king_attacks(king_) & ~ours_; left; left &= left - 1)
            if (safe(first(left), occupied_ ^ bit(king_))) *out_++ = make_action(king_, first(left), KING);
    }

    bool safe(Square square, Bitboard occupied) const {
        const Bitboard queens = s_.pieces[QUEEN];
        if (((pawn_attacks(US, square) & s_.pieces[PAWN]) | (knight_attacks(square) & s_.pieces[KNIGHT]) |
             (king_attacks(square) & s_.pieces[KING])) &
            theirs_)
            return false;
        const Bitboard straight = theirs_ & (s_.pieces[ROOK] | queens);
        const Bitboard slanted = theirs_ & (s_.pieces[BISHOP] | queens);
        return !((attack_tables.rook_rays[square] & straight) && (rook_attacks(square, occupied) & straight)) &&
               !((attack_tables.bishop_rays[square] & slanted) && (bishop_attacks(square, occupied) & slanted));
    }

    void castle() {
        for (Bitboard left = s_.castlers & HOME; left; left &= left - 1) {
            const Square rook = first(left), to = castled_king(king_, rook), beside = castled_rook(king_, rook);
            const Bitboard others = occupied_ ^ bit(king_) ^ bit(rook);
            const Bitboard way = between(king_, to) | bit(to);
            if ((way | between(rook, beside) | bit(beside)) & others) continue;
            bool possible = true;
            for (Bitboard path = way; path && possible; path &= path - 1) possible = safe(first(path), others);
            if (possible) *out_++ = make_action(king_, rook, KING, CASTLING);
        }
    }

    const State& s_;
    Action* out_;
    const Bitboard ours_, theirs_, occupied_;
    const Square king_;
};

// Fast path: a pawn or a knight that is not pinned, when not in check.
template <Colour US>
bool has_plain_move(const State& s) {
    const Bitboard ours = s.colours[US] & ~s.pinned;
    if (ahead<US>(ours & s.pieces[PAWN]) & ~s.occupied()) return true;
    const Bitboard knights = ours & s.pieces[KNIGHT];
    return knights && (knight_attacks(first(knights)) & ~s.colours[US]);
}

}  // namespace

Action* write_moves(const State& state, Action* out) {
    return state.turn == WHITE ? Writer<WHITE>(state, out).write() : Writer<BLACK>(state, out).write();
}

bool gives_check(const State& state, Action action) {
    const Colour us = state.mover();
    const Square king = state.king(other(us)), from = from_of(action), to = to_of(action);
    Bitboard straight = state.of(us, ROOK) | state.of(us, QUEEN), slanted = state.of(us, BISHOP) | state.of(us, QUEEN);
    Bitboard occupied = state.occupied() & ~bit(from);
    straight &= ~bit(from);
    slanted &= ~bit(from);
    if (kind_of(action) == CASTLING) {
        const Square beside = castled_rook(from, to);
        occupied = (occupied & ~bit(to)) | bit(castled_king(from, to)) | bit(beside);
        straight = (straight & ~bit(to)) | bit(beside);
    } else {
        occupied |= bit(to);
        if (kind_of(action) == EN_PASSANT) occupied &= ~bit(to ^ 8);
        const Piece piece = promotion_of(action) != PAWN ? promotion_of(action) : piece_of(action);
        if (piece == PAWN && (pawn_attacks(us, to) & bit(king))) return true;
        if (piece == KNIGHT && (knight_attacks(to) & bit(king))) return true;
        if (piece == ROOK || piece == QUEEN) straight |= bit(to);
        if (piece == BISHOP || piece == QUEEN) slanted |= bit(to);
    }
    return ((attack_tables.rook_rays[king] & straight) && (rook_attacks(king, occupied) & straight)) ||
           ((attack_tables.bishop_rays[king] & slanted) && (bishop_attacks(king, occupied) & slanted));
}

bool has_move(const State& state) {
    const bool plain = state.turn == WHITE ? has_plain_move<WHITE>(state) : has_plain_move<BLACK>(state);
    if (plain && !state.checkers) [[likely]]
        return true;
    Action moves[MAX_ACTIONS];
    return write_moves(state, moves) != moves;
}

}  // namespace zermelo::chess
