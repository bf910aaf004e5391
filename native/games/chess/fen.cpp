#include "games/chess/fen.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "games/chess/moves.hpp"
#include "games/chess/play.hpp"

namespace zermelo::chess {

namespace {

constexpr std::string_view LETTERS = "PNBRQKpnbrqk";

std::string square_name(Square square) {
    return {static_cast<char>('a' + file_of(square)), static_cast<char>('1' + rank_of(square))};
}

std::string write_board(const State& s) {
    std::string text;
    for (int rank = 7; rank >= 0; --rank) {
        int empty = 0;
        for (int file = 0; file < 8; ++file) {
            const Square square = 8 * rank + file;
            if (!(s.occupied() & bit(square))) {
                ++empty;
                continue;
            }
            if (empty) text += std::to_string(empty);
            empty = 0;
            text += LETTERS[s.piece_on(square) + (s.colours[BLACK] & bit(square) ? 6 : 0)];
        }
        if (empty) text += std::to_string(empty);
        if (rank) text += '/';
    }
    return text;
}

// The rook with which `K` or `Q` castles: the outermost on that side of the king.
Square outermost_rook(const State& s, Colour colour, bool kingside) {
    const Square king = s.king(colour), home = colour == WHITE ? 0 : 56;
    for (Square square = kingside ? home + 7 : home; square != king; square += kingside ? -1 : 1)
        if (s.of(colour, ROOK) & bit(square)) return square;
    return NO_SQUARE;
}

std::string write_castlers(const State& s) {
    std::string text;
    for (const Colour colour : {WHITE, BLACK})
        for (const bool kingside : {true, false})
            each(s.castlers & s.colours[colour], [&](Square rook) {
                if ((rook > s.king(colour)) != kingside) return;
                const bool outermost = rook == outermost_rook(s, colour, kingside);
                const char letter = outermost ? (kingside ? 'K' : 'Q') : static_cast<char>('A' + file_of(rook));
                text += static_cast<char>(colour == WHITE ? letter : letter - 'A' + 'a');
            });
    return text.empty() ? "-" : text;
}

// Reads the fields in order; stops at the first error.
class Reader {
public:
    Reader(State& state, std::string& why) : s_(state), why_(why) {}

    bool read(std::string_view text) {
        const std::vector<std::string_view> fields = split(text);
        if (fields.size() < 4 || fields.size() > 6)
            return fault("a FEN has four to six fields: board, turn, castling, en passant, half-moves, move");
        s_ = State{};
        s_.en_passant = NO_SQUARE;
        if (!board(fields[0]) || !pieces() || !turn(fields[1])) return false;
        if (!castling(fields[2]) || !checks() || !in_passing(fields[3])) return false;
        int clock = 0, move = 1;
        if (fields.size() > 4 && !number(fields[4], 999, clock)) return fault("half-moves are counted from 0 to 999");
        if (fields.size() > 5 && !number(fields[5], 9999, move)) return fault("moves are counted from 1 to 9999");
        s_.clock = static_cast<uint16_t>(clock);
        s_.move = static_cast<uint16_t>(move ? move : 1);
        count_up(bare_placements, s_);
        return true;
    }

private:
    bool fault(std::string why) {
        why_ = std::move(why);
        return false;
    }

    static std::vector<std::string_view> split(std::string_view text) {
        std::vector<std::string_view> fields;
        for (std::size_t at = 0; (at = text.find_first_not_of(" \t\r\n", at)) != std::string_view::npos;) {
            const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
            fields.push_back(text.substr(at, end - at));
            at = end;
        }
        return fields;
    }

    static bool number(std::string_view text, int most, int& value) {
        value = 0;
        for (const char letter : text) {
            if (letter < '0' || letter > '9' || value > most) return false;
            value = 10 * value + (letter - '0');
        }
        return !text.empty() && value <= most;
    }

    bool board(std::string_view text) {
        int rank = 7, file = 0;
        for (const char letter : text) {
            if (letter == '/') {
                if (file != 8 || rank == 0) return fault("the board needs eight ranks of eight squares");
                --rank;
                file = 0;
            } else if (letter >= '1' && letter <= '8') {
                file += letter - '0';
            } else {
                const std::size_t piece = LETTERS.find(letter);
                if (piece == std::string_view::npos || file > 7)
                    return fault("a rank has PNBRQK (white), pnbrqk (black) and 1 to 8 (empty squares), eight in all");
                s_.pieces[piece % 6] |= bit(8 * rank + file);
                s_.colours[piece / 6] |= bit(8 * rank + file);
                ++file;
            }
            if (file > 8) return fault("a rank has more than eight squares");
        }
        return (rank == 0 && file == 8) || fault("the board needs eight ranks of eight squares");
    }

    bool pieces() {
        for (const Colour colour : {WHITE, BLACK}) {
            const std::string name = colour == WHITE ? "white" : "black";
            if (count(s_.of(colour, KING)) != 1) return fault(name + " must have one king");
            const int pawns = count(s_.of(colour, PAWN));
            if (pawns > 8) return fault(name + " has more than eight pawns");
            int promoted = std::max(count(s_.of(colour, QUEEN)) - 1, 0);
            for (const Piece piece : {KNIGHT, BISHOP, ROOK}) promoted += std::max(count(s_.of(colour, piece)) - 2, 0);
            if (pawns + promoted > 8) return fault(name + " has more pieces than its pawns could become");
        }
        if (s_.pieces[PAWN] & (rank(0) | rank(7))) return fault("no pawn stands on the first or the last rank");
        return true;
    }

    bool turn(std::string_view text) {
        if (text != "w" && text != "b") return fault("after the board comes w or b, for who is to move");
        s_.turn = text == "w" ? WHITE : BLACK;
        return true;
    }

    bool castling(std::string_view text) {
        if (text == "-") return true;
        for (const char letter : text) {
            const bool small = letter >= 'a';
            const Colour colour = small ? BLACK : WHITE;
            const char large = small ? static_cast<char>(letter - 'a' + 'A') : letter;
            Square rook = NO_SQUARE;
            if (large == 'K' || large == 'Q')
                rook = at_home(colour) ? outermost_rook(s_, colour, large == 'K') : NO_SQUARE;
            else if (large >= 'A' && large <= 'H') rook = (small ? 56 : 0) + (large - 'A');
            else return fault("castling rights are some of KQkq, the files of the rooks, or -");
            if (!may_castle(colour, rook))
                return fault(std::string("castling right ") + letter + " does not fit the places of king and rook");
            s_.castlers |= bit(rook);
        }
        return true;
    }

    bool at_home(Colour colour) const { return rank_of(s_.king(colour)) == (colour == WHITE ? 0 : 7); }

    // At most one castling right on each side of the king, each with its rook on the king's back rank.
    bool may_castle(Colour colour, Square rook) const {
        const Square king = s_.king(colour);
        if (!at_home(colour) || rook == NO_SQUARE || !(s_.of(colour, ROOK) & bit(rook))) return false;
        bool taken = false;
        each(s_.castlers & s_.colours[colour], [&](Square earlier) { taken |= (earlier > king) == (rook > king); });
        return !taken;
    }

    bool checks() {
        const Colour them = other(s_.mover());
        if (attackers(s_, s_.king(them), s_.occupied(), s_.mover()))
            return fault(std::string("the king of ") + (them == WHITE ? "white" : "black") + " could be taken");
        update_checks(s_);
        return count(s_.checkers) <= 2 || fault("no king is in check from three pieces at once");
    }

    bool in_passing(std::string_view text) {
        if (text == "-") return true;
        const bool white = s_.turn == WHITE;
        if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] != (white ? '6' : '3'))
            return fault(std::string("en passant is - or a square of the ") + (white ? "sixth" : "third") + " rank");
        const Square to = (white ? 40 : 16) + (text[0] - 'a'), origin = to + (white ? 8 : -8);
        if (!(s_.of(other(s_.mover()), PAWN) & bit(to ^ 8)) || (s_.occupied() & (bit(to) | bit(origin))))
            return fault("no pawn can just have passed " + square_name(to));
        // A check that neither the pawn gives nor its move discovered cannot be answered by capturing it.
        if (s_.checkers & ~bit(to ^ 8) & (s_.pieces[PAWN] | s_.pieces[KNIGHT])) return true;
        const Square king = s_.king(s_.mover());
        each(pawn_attacks(other(s_.mover()), to) & s_.of(s_.mover(), PAWN), [&](Square from) {
            if (may_take_in_passing(s_, from, to, king, s_.mover())) s_.en_passant = static_cast<uint8_t>(to);
        });
        return true;
    }

    State& s_;
    std::string& why_;
};

}  // namespace

std::string write_fen(const State& s) {
    const bool takes = s.en_passant != NO_SQUARE && rank_of(s.en_passant) == (s.turn == WHITE ? 5 : 2);
    return write_board(s) + (s.turn == WHITE ? " w " : " b ") + write_castlers(s) + " " +
           (takes ? square_name(s.en_passant) : "-") + " " + std::to_string(s.clock) + " " + std::to_string(s.move);
}

bool read_fen(std::string_view text, State& state, std::string& why) { return Reader(state, why).read(text); }

}  // namespace zermelo::chess
