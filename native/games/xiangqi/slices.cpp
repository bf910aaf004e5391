#include "games/xiangqi/slices.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/subsets.hpp"
#include "games/xiangqi/evaluate.hpp"
#include "games/xiangqi/moves.hpp"

namespace zermelo::xiangqi {

namespace {

constexpr int MOST_PIECES = 7;  // kings included
constexpr int COUNT_BITS = 3, SIDE_BITS = 18;
constexpr int64_t SIDE_MASK = (1 << SIDE_BITS) - 1;
constexpr int MIDDLE = COLUMNS / 2;

constexpr int shift_of(int kind) { return COUNT_BITS * (kind - ADVISOR); }
constexpr int upside_down(int square) { return square_at(ROWS - 1 - row_of(square), column_of(square)); }
constexpr int mirror_of(int square) { return square_at(row_of(square), COLUMNS - 1 - column_of(square)); }

// The squares on which a piece may stand, and the index of each of them.
struct Places {
    std::vector<int> squares;
    std::array<int, SQUARES> index{};

    Places(Kind kind, int colour, int columns) {
        for (int square = 0; square < SQUARES; ++square) {
            index[square] = static_cast<int>(squares.size());
            if (may_stand(kind, square, colour) && column_of(square) < columns) squares.push_back(square);
        }
    }
    int64_t size() const { return static_cast<int64_t>(squares.size()); }
};

const Places& places_of(int kind, int colour) {
    static const std::vector<Places> all = [] {
        std::vector<Places> made;
        for (int each = 0; each < KINDS; ++each)
            for (const int side : {RED, BLACK}) made.emplace_back(static_cast<Kind>(each), side, COLUMNS);
        return made;
    }();
    return all[static_cast<std::size_t>(2 * kind + colour)];
}

// Of the stronger side's king, which stands in the left half of the board.
const Places& strong_king() {
    static const Places places(KING, RED, MIDDLE + 1);
    return places;
}

// Pieces of one kind and side; red is the stronger one.
struct Group {
    int colour;
    int kind;
    std::size_t count;

    const Places& places() const { return places_of(kind, colour); }
    int64_t choices() const { return CHOOSE[places().squares.size()][count]; }
};

struct Groups {
    std::array<Group, MOST_PIECES - 2> list;
    int count = 0;
    int pieces = 2;
    bool even = false;  // both sides have the same pieces: whoever moves is taken for red

    explicit Groups(int64_t material) : even(material >> SIDE_BITS == (material & SIDE_MASK)) {
        for (const int colour : {RED, BLACK})
            for (int kind = PAWN; kind >= ADVISOR; --kind) {
                const int64_t side = colour == RED ? material >> SIDE_BITS : material;
                const auto number = static_cast<std::size_t>(side >> shift_of(kind) & 7);
                pieces += static_cast<int>(number);
                if (number > 0 && pieces <= MOST_PIECES)
                    list[static_cast<std::size_t>(count++)] = {colour, kind, number};
            }
    }
    const Group* begin() const { return list.data(); }
    const Group* end() const { return list.data() + count; }
};

int64_t side_of(const State& state, int colour) {
    int64_t side = 0;
    for (int kind = ADVISOR; kind < KINDS; ++kind)
        side |= int64_t{state.counts[piece_of(static_cast<Kind>(kind), colour)]} << shift_of(kind);
    return side;
}

// The number with the board turned so that the stronger side is red, and mirrored or not.
int64_t number_under(const State& state, const Groups& groups, int strong, bool mirrors) {
    const auto seen = [&](int square) {
        const int turned = strong == RED ? square : upside_down(square);
        return mirrors ? mirror_of(turned) : turned;
    };
    int64_t number = state.turn != strong && !groups.even;
    number = number * strong_king().size() + strong_king().index[seen(state.kings[strong])];
    const Places& other = places_of(KING, BLACK);
    number = number * other.size() + other.index[seen(state.kings[1 - strong])];
    for (const Group& group : groups) {
        Subset indices;
        each(state.kinds[group.kind] & state.colours[group.colour == RED ? strong : 1 - strong],
             [&](int square) { indices.add(group.places().index[seen(square)]); });
        number = number * group.choices() + indices.rank();
    }
    return number;
}

// A position that is none: the side to move could take the king.
void write_nothing(State& state) {
    state = State{};
    put(state, piece_of(KING, RED), square_at(0, MIDDLE));
    put(state, piece_of(KING, BLACK), square_at(ROWS - 1, MIDDLE));
}

}  // namespace

int64_t material_of(const State& state) {
    if (state.occupied().count() > MOST_PIECES || (can_attack(state, RED) && can_attack(state, BLACK))) return -1;
    if (attacked(state, 1 - state.turn)) return -1;
    const int64_t red = side_of(state, RED), black = side_of(state, BLACK);
    return std::max(red, black) << SIDE_BITS | std::min(red, black);
}

int64_t slice_size(int64_t material) {
    if (material < 0 || material >> 2 * SIDE_BITS) return -1;
    const Groups groups(material);
    if (groups.pieces > MOST_PIECES) return -1;
    int64_t size = strong_king().size() * places_of(KING, BLACK).size() * (groups.even ? 1 : 2);
    for (const Group& group : groups) {
        if (group.count > MOST_CHOSEN) return -1;
        size *= group.choices();
    }
    return size;
}

int64_t rank_in_slice(const State& state) {
    const int64_t red = side_of(state, RED), black = side_of(state, BLACK);
    const int strong = red == black ? state.turn : red > black ? RED : BLACK;
    const Groups groups(std::max(red, black) << SIDE_BITS | std::min(red, black));
    const int column = column_of(state.kings[strong]);
    const int64_t number = number_under(state, groups, strong, column > MIDDLE);
    return column == MIDDLE ? std::min(number, number_under(state, groups, strong, true)) : number;
}

void unrank_in_slice(int64_t material, int64_t index, State& state) {
    const Groups groups(material);
    state = State{};
    state.number = 1;
    for (int i = groups.count; i-- > 0;) {
        const Group& group = groups.list[static_cast<std::size_t>(i)];
        const Subset indices = Subset::at(index % group.choices(), group.count);
        index /= group.choices();
        for (std::size_t k = 0; k < group.count; ++k) {
            const int square = group.places().squares[static_cast<std::size_t>(indices.squares[k])];
            if (state.board[square] != EMPTY) return write_nothing(state);
            put(state, piece_of(static_cast<Kind>(group.kind), group.colour), square);
        }
    }
    const auto place = [&](const Places& places, int colour) {
        const int square = places.squares[static_cast<std::size_t>(index % places.size())];
        index /= places.size();
        const bool free = state.board[square] == EMPTY;
        if (free) put(state, piece_of(KING, colour), square);
        return free;
    };
    if (!place(places_of(KING, BLACK), BLACK) || !place(strong_king(), RED)) return write_nothing(state);
    if (index > 0) flip(state);
    state.check = attacked(state, state.turn);
}

}  // namespace zermelo::xiangqi
