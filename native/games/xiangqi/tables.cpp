#include "games/xiangqi/tables.hpp"

namespace zermelo::xiangqi {

namespace {

template <int LENGTH>
constexpr void fill_lines(LineTable<LENGTH>& table) {
    for (int place = 0; place < LENGTH; ++place)
        for (int pieces = 0; pieces < 1 << LENGTH; ++pieces)
            for (const int step : {-1, 1}) {
                int passed = 0;
                for (int at = place + step; at >= 0 && at < LENGTH && passed < 3; at += step) {
                    const bool piece = pieces >> at & 1;
                    if (piece || passed == 0) table.seen[passed][place][pieces] |= static_cast<uint16_t>(1 << at);
                    passed += piece;
                }
            }
}

constexpr Bits square_set(int row, int column) { return on_board(row, column) ? bit(square_at(row, column)) : Bits{}; }

constexpr Bits neighbours(int row, int column) {
    return square_set(row - 1, column) | square_set(row + 1, column) | square_set(row, column - 1) |
           square_set(row, column + 1);
}

constexpr Bits diagonals(int row, int column) {
    return square_set(row - 1, column - 1) | square_set(row - 1, column + 1) | square_set(row + 1, column - 1) |
           square_set(row + 1, column + 1);
}

constexpr void fill_palaces(Tables& made) {
    Bits palaces;
    int number = 0;
    for (int square = 0; square < SQUARES; ++square)
        if (in_palace(square, RED) || in_palace(square, BLACK)) {
            palaces |= bit(square);
            made.palace[square] = static_cast<uint8_t>(number);
            for (int other = 0; other < SQUARES; ++other) {
                const bool same_row = row_of(square) == row_of(other);
                if (!same_row && column_of(square) != column_of(other)) continue;
                const int step = (same_row ? 1 : COLUMNS) * (other < square ? -1 : 1);
                for (int at = square; at != other; at += step)
                    if (at != square) made.between_king[number][other] |= bit(at);
            }
            ++number;
        }
    for (int square = 0; square < SQUARES; ++square) {
        made.king[square] = neighbours(row_of(square), column_of(square)) & palaces;
        made.advisor[square] = diagonals(row_of(square), column_of(square)) & palaces;
    }
}

constexpr void fill_concern(Tables& made, int square) {
    const int row = row_of(square), column = column_of(square);
    made.concern[square] = diagonals(row, column);
    for (int i = 0; i < ROWS; ++i) made.concern[square] |= square_set(i, column) | square_set(row, i);
}

constexpr void fill_horse(Tables& made, int square) {
    const int row = row_of(square), column = column_of(square);
    const int legs[4][2] = {{0, -1}, {-1, 0}, {0, 1}, {1, 0}};
    for (int blocked = 0; blocked < 16; ++blocked)
        for (int leg = 0; leg < 4; ++leg) {
            if (blocked >> leg & 1) continue;
            const int down = legs[leg][0], across = legs[leg][1];
            made.horse[square][blocked] |= square_set(row + 2 * down + across, column + 2 * across + down) |
                                           square_set(row + 2 * down - across, column + 2 * across - down);
        }
    made.horse_sources[square] = made.horse[square][0];
}

constexpr void fill_elephant(Tables& made, int square) {
    const int row = row_of(square), column = column_of(square);
    int stride = 0;
    for (const int down : {-1, 1})
        for (const int across : {-1, 1}) {
            const Bits target = square_set(row + 2 * down, column + 2 * across);
            const bool stays = (row < ROWS / 2) == (row + 2 * down < ROWS / 2);
            if (target && stays) made.elephant[square][stride] = {square_set(row + down, column + across), target};
            ++stride;
        }
}

constexpr void fill_pawns(Tables& made, int square) {
    const int row = row_of(square), column = column_of(square);
    for (const int colour : {RED, BLACK}) {
        made.pawn[colour][square] = square_set(row + (colour == RED ? 1 : -1), column);
        if (own_row(square, colour) >= ROWS / 2)
            made.pawn[colour][square] |= square_set(row, column - 1) | square_set(row, column + 1);
    }
}

constexpr Tables make_tables() {
    Tables made{};
    fill_lines(made.rows);
    fill_lines(made.columns);
    for (int five = 0; five < 32; ++five)
        for (int row = 0; row < 5; ++row)
            if (five >> row & 1) made.spread[five] |= uint64_t{1} << (COLUMNS * row);
    fill_palaces(made);
    for (int square = 0; square < SQUARES; ++square) {
        made.row[square] = static_cast<uint8_t>(row_of(square));
        made.column[square] = static_cast<uint8_t>(column_of(square));
        fill_concern(made, square);
        fill_horse(made, square);
        fill_elephant(made, square);
        fill_pawns(made, square);
    }
    for (const int colour : {RED, BLACK})
        for (int square = 0; square < SQUARES; ++square)
            for (int target = 0; target < SQUARES; ++target)
                if (made.pawn[colour][square] & bit(target)) made.pawn_sources[colour][target] |= bit(square);
    return made;
}

}  // namespace

constinit const Tables tables = make_tables();

}  // namespace zermelo::xiangqi
