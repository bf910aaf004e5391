#include "games/chess/slices.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/subsets.hpp"
#include "games/chess/moves.hpp"
#include "games/chess/play.hpp"

namespace zermelo::chess {

namespace {

constexpr int MOST_PIECES = 5;  // kings included
constexpr int COUNT_BITS = 3, SIDE_BITS = 15;
constexpr int64_t SIDE_MASK = (1 << SIDE_BITS) - 1;

constexpr Square transposed(Square square) { return square >> 3 | (square & 7) << 3; }

// The squares of both kings that are told apart, the stronger side's first, by whether there are pawns: 1,806 with, 462
// without.
struct KingPairs {
    std::vector<std::array<Square, 2>> squares[2];
    std::array<std::array<std::array<int16_t, 64>, 64>, 2> numbers;

    KingPairs() {
        for (const int pawns : {0, 1})
            for (Square king = 0; king < 64; ++king)
                for (Square other = 0; other < 64; ++other) {
                    numbers[pawns][king][other] = -1;
                    if (!is_kept(pawns, king, other)) continue;
                    numbers[pawns][king][other] = static_cast<int16_t>(squares[pawns].size());
                    squares[pawns].push_back({king, other});
                }
    }

    static bool is_kept(bool pawns, Square king, Square other) {
        if (king == other || (king_attacks(king) & bit(other)) || file_of(king) > 3) return false;
        if (pawns || rank_of(king) < file_of(king)) return true;
        return rank_of(king) == file_of(king) && rank_of(other) <= file_of(other);
    }
};

const KingPairs& king_pairs() {
    static const KingPairs pairs;
    return pairs;
}

// Pieces of one kind and side: a number tells them apart by their squares alone.
struct Group {
    Colour colour;
    Piece piece;
    std::size_t count;

    int first_square() const { return piece == PAWN ? 8 : 0; }
    int64_t places() const { return CHOOSE[piece == PAWN ? 48 : 64][count]; }
};

struct Groups {
    std::array<Group, MOST_PIECES - 2> list;
    int count = 0;
    int pieces = 0;
    bool pawns = false;
    bool even = false;  // both sides have the same pieces: whoever moves is taken for White

    explicit Groups(int64_t material) : even(material >> SIDE_BITS == (material & SIDE_MASK)) {
        for (const Colour colour : {WHITE, BLACK})
            for (int piece = QUEEN; piece >= PAWN; --piece) {
                const auto side = colour == WHITE ? material >> SIDE_BITS : material;
                const auto number = static_cast<std::size_t>(side >> COUNT_BITS * piece & 7);
                pieces += static_cast<int>(number);
                if (number == 0 || pieces > MOST_PIECES - 2) continue;
                list[static_cast<std::size_t>(count++)] = {colour, static_cast<Piece>(piece), number};
                pawns |= piece == PAWN;
            }
    }
    const Group* begin() const { return list.data(); }
    const Group* end() const { return list.data() + count; }
};

int64_t side_of(const State& s, Colour colour) {
    int64_t side = 0;
    for (int piece = PAWN; piece <= QUEEN; ++piece)
        side |= static_cast<int64_t>(count(s.of(colour, static_cast<Piece>(piece)))) << COUNT_BITS * piece;
    return side;
}

// A symmetry of the board: first mirrored, by either axis, then transposed or not.
struct Symmetry {
    int mirror;
    bool transposes;

    Square operator()(Square square) const { return transposes ? transposed(square ^ mirror) : square ^ mirror; }
};

int64_t number_under(const State& s, const Groups& groups, Colour strong, const Symmetry& symmetry) {
    const Square king = symmetry(s.king(strong)), other_king = symmetry(s.king(other(strong)));
    int64_t number = s.mover() != strong && !groups.even;
    number = number * static_cast<int64_t>(king_pairs().squares[groups.pawns].size()) +
             king_pairs().numbers[groups.pawns][king][other_king];
    for (const Group& group : groups) {
        Subset squares;
        each(s.of(group.colour == WHITE ? strong : other(strong), group.piece),
             [&](Square from) { squares.add(symmetry(from) - group.first_square()); });
        number = number * group.places() + squares.rank();
    }
    return number;
}

// Puts the pieces of a group on the squares of a place; false if a square is taken.
bool put(State& s, const Group& group, int64_t place) {
    const Subset squares = Subset::at(place, group.count);
    for (std::size_t i = 0; i < group.count; ++i) {
        const Bitboard at = bit(squares.squares[i] + group.first_square());
        if (s.occupied() & at) return false;
        s.pieces[group.piece] |= at;
        s.colours[group.colour] |= at;
    }
    return true;
}

}  // namespace

int64_t material_of(const State& s) {
    if (count(s.occupied()) > MOST_PIECES || s.castlers || s.en_passant != NO_SQUARE) return -1;
    if (count(s.of(WHITE, KING)) != 1 || count(s.of(BLACK, KING)) != 1) return -1;
    if (s.pieces[PAWN] & (rank(0) | rank(7))) return -1;
    if (attackers(s, s.king(other(s.mover())), s.occupied(), s.mover())) return -1;
    const int64_t white = side_of(s, WHITE), black = side_of(s, BLACK);
    return std::max(white, black) << SIDE_BITS | std::min(white, black);
}

int64_t slice_size(int64_t material) {
    const Groups groups(material);
    if (material < 0 || material >> 2 * SIDE_BITS || groups.pieces > MOST_PIECES - 2) return -1;
    auto size = static_cast<int64_t>(king_pairs().squares[groups.pawns].size()) * (groups.even ? 1 : 2);
    for (const Group& group : groups) size *= group.places();
    return size;
}

int64_t rank_in_slice(const State& s) {
    const int64_t white = side_of(s, WHITE), black = side_of(s, BLACK);
    const Colour strong = white == black ? s.mover() : white > black ? WHITE : BLACK;
    const Groups groups(std::max(white, black) << SIDE_BITS | std::min(white, black));
    const Square king = s.king(strong), other_king = s.king(other(strong));
    Symmetry symmetry{file_of(king) > 3 ? 7 : 0, false};
    if (groups.pawns) {
        symmetry.mirror |= strong == BLACK ? 56 : 0;
        return number_under(s, groups, strong, symmetry);
    }
    symmetry.mirror |= rank_of(king) > 3 ? 56 : 0;
    const Square at = symmetry(king), other_at = symmetry(other_king);
    const int above = rank_of(at) != file_of(at) ? rank_of(at) - file_of(at) : rank_of(other_at) - file_of(other_at);
    symmetry.transposes = above > 0;
    const int64_t number = number_under(s, groups, strong, symmetry);
    if (above != 0) return number;
    return std::min(number, number_under(s, groups, strong, {symmetry.mirror, true}));
}

void unrank_in_slice(const Placements& placements, int64_t material, int64_t index, State& s) {
    const Groups groups(material);
    std::array<int64_t, MOST_PIECES> places{};
    for (int i = groups.count; i-- > 0;) {
        const Group& group = groups.list[static_cast<std::size_t>(i)];
        places[static_cast<std::size_t>(i)] = index % group.places();
        index /= group.places();
    }
    const auto& pairs = king_pairs().squares[groups.pawns];
    const auto& kings = pairs[static_cast<std::size_t>(index) % pairs.size()];
    s = State{};
    s.pieces[KING] = bit(kings[0]) | bit(kings[1]);
    s.colours[WHITE] = bit(kings[0]);
    s.colours[BLACK] = bit(kings[1]);
    s.turn = static_cast<std::size_t>(index) < pairs.size() ? WHITE : BLACK;
    s.en_passant = NO_SQUARE;
    s.move = 1;
    for (int i = 0; i < groups.count; ++i)
        if (!put(s, groups.list[static_cast<std::size_t>(i)], places[static_cast<std::size_t>(i)])) {
            s = State{};
            s.en_passant = NO_SQUARE;
            return;
        }
    update_checks(s);
    count_up(placements, s);
}

}  // namespace zermelo::chess
