#include "games/xiangqi/evaluate.hpp"

#include <algorithm>

namespace zermelo::xiangqi {

namespace {

// Piece-square features: points for a piece of one kind, `row` counted from its own side.

constexpr int material_score(Kind kind, int, int) { return PIECE_SCORES[kind]; }

constexpr int middle(int column) { return 4 - (column < 4 ? 4 - column : column - 4); }

constexpr bool is_edge(int column) { return column == 0 || column == COLUMNS - 1; }

constexpr int pawn_score(int row, int column) {
    if (row < 5) return 0;
    if (row == 9) return 5;  // it can only move sideways now
    return 35 + 8 * middle(column) + 8 * (row - 5);
}

constexpr int position_score(Kind kind, int row, int column) {
    switch (kind) {
        case KING: return -12 * row - (column == 4 ? 0 : 6);
        case ADVISOR: return row == 1 ? 6 : row == 2 ? -4 : 0;
        case ELEPHANT: return column == 4 ? 8 : is_edge(column) ? -6 : 0;
        case HORSE: return 5 * std::min(middle(column), 3) + (row == 0 ? -15 : row == 9 ? 15 : 5 * std::min(row, 7));
        case ROOK: return 3 * middle(column) + (row >= 5 ? 12 : row == 0 && is_edge(column) ? -15 : 0);
        case CANNON: return 3 * middle(column) + (row >= 8 ? 6 : 0);
        case PAWN: return pawn_score(row, column);
    }
    return 0;
}

// 中炮: a cannon on the central column of its own half aims at the other king.
constexpr int central_cannon_score(Kind kind, int row, int column) {
    return kind == CANNON && column == 4 && row < 5 ? 25 : 0;
}

// 巡河車: a rook on its own bank of the river guards all pawn advances.
constexpr int river_rook_score(Kind kind, int row, int) { return kind == ROOK && row == 4 ? 15 : 0; }

// 正馬: a horse on the third row facing the centre.
constexpr int proper_horse_score(Kind kind, int row, int column) {
    return kind == HORSE && row == 2 && (column == 2 || column == 6) ? 10 : 0;
}

// 邊馬: a horse on the edge has half the moves.
constexpr int edge_horse_score(Kind kind, int, int column) { return kind == HORSE && is_edge(column) ? -10 : 0; }

using SquareScore = int (*)(Kind kind, int row, int column);
constexpr SquareScore SQUARE_SCORES[] = {material_score,   position_score,     central_cannon_score,
                                         river_rook_score, proper_horse_score, edge_horse_score};

template <SquareScore SCORE>
int bound(const State& state, int colour) {
    int points = 0;
    each(state.colours[colour], [&](int square) {
        points += SCORE(kind_of(state.board[square]), own_row(square, colour), column_of(square));
    });
    return points;
}

// Features that depend on several pieces.

constexpr auto COUNTS = [] {
    std::array<uint8_t, 1 << ROWS> counts{};
    for (int i = 0; i < 1 << ROWS; ++i) counts[i] = static_cast<uint8_t>(std::popcount(static_cast<unsigned>(i)));
    return counts;
}();

// The squares that a piece on `square` sees along its lines, including the first piece each way.
inline int reach(const State& state, int square) {
    const int row = tables.row[square], column = tables.column[square];
    return COUNTS[tables.rows.seen[0][column][state.rows[row]]] +
           COUNTS[tables.columns.seen[0][row][state.columns[column]]];
}

int mobility(const State& state, int colour) {
    const Bits own = state.colours[colour];
    int points = 0;
    each(state.kinds[ROOK] & own, [&](int square) { points += 3 * reach(state, square); });
    each(state.kinds[CANNON] & own, [&](int square) { points += reach(state, square); });
    each(state.kinds[HORSE] & own, [&](int square) { points -= 10 * COUNTS[blocked_legs(state, square)]; });
    return points;
}

// Missing guards cost more the more attackers the other side has; a cannon facing the bare king (空頭炮) most.
int king_safety(const State& state, int colour) {
    const auto ours = [&](Kind kind) { return state.counts[piece_of(kind, colour)]; };
    const auto theirs = [&](Kind kind) { return state.counts[piece_of(kind, 1 - colour)]; };
    const int advisors = 2 - ours(ADVISOR), elephants = 2 - ours(ELEPHANT);
    int points = -advisors * (14 * theirs(ROOK) + 8 * theirs(HORSE));
    points -= elephants * (10 * theirs(CANNON) + 4 * theirs(HORSE));
    const int king = state.kings[colour], column = tables.column[king];
    const unsigned along = tables.columns.seen[0][tables.row[king]][state.columns[column]];
    const Bits bare{{tables.spread[along & 31] << column, tables.spread[along >> 5] << column}};
    return bare & state.kinds[CANNON] & state.colours[1 - colour] ? points - 50 : points;
}

// The points of red minus those of black, whether or not they can be turned into a win.
int lead_of_red(const State& state) {
    int points = state.score;
    points += mobility(state, RED) - mobility(state, BLACK);
    points += king_safety(state, RED) - king_safety(state, BLACK);
    return points;
}

// Takes away the lead of a side that cannot attack.
int no_attackers(const State& state, int colour) {
    if (can_attack(state, colour)) return 0;
    const int lead = lead_of_red(state);
    return std::min(0, colour == RED ? -lead : lead);
}

constexpr Feature FEATURES[] = {
    {"material", true, bound<material_score>},
    {"position", true, bound<position_score>},
    {"central cannon", true, bound<central_cannon_score>},
    {"river rook", true, bound<river_rook_score>},
    {"proper horse", true, bound<proper_horse_score>},
    {"edge horse", true, bound<edge_horse_score>},
    {"mobility", false, mobility},
    {"king safety", false, king_safety},
    {"no attackers", false, no_attackers},
};

}  // namespace

constinit const std::array<std::array<int16_t, SQUARES>, PIECES> square_scores = [] {
    std::array<std::array<int16_t, SQUARES>, PIECES> scores{};
    for (int piece = piece_of(KING, RED); piece < PIECES; ++piece)
        for (int square = 0; square < SQUARES; ++square) {
            const int colour = colour_of(static_cast<uint8_t>(piece));
            int points = 0;
            for (const SquareScore score : SQUARE_SCORES)
                points += score(kind_of(static_cast<uint8_t>(piece)), own_row(square, colour), column_of(square));
            scores[piece][square] = static_cast<int16_t>(colour == RED ? points : -points);
        }
    return scores;
}();

bool can_attack(const State& state, int colour) {
    const auto ours = [&](Kind kind) { return state.counts[piece_of(kind, colour)]; };
    return ours(HORSE) + ours(ROOK) + ours(CANNON) + ours(PAWN) > 0;
}

std::span<const Feature> features() { return FEATURES; }

int evaluate(const State& state) {
    const int points = lead_of_red(state);
    if (points == 0 || can_attack(state, points > 0 ? RED : BLACK)) return points;
    return 0;
}

}  // namespace zermelo::xiangqi
