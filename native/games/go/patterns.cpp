#include "games/go/patterns.hpp"

#include <string_view>

namespace zermelo::go {

namespace {

// Eight cells around the point to play on, row by row. X is either colour and O the other; x is "not X", o "not O"; a
// dot is empty, a question mark anything on the board or off it, a dash off the board. All rotations and reflections
// count.
struct Shape {
    std::string_view cells;
    int only = 0;  // 1: for the colour X alone, 2: for O alone
};

constexpr Shape SHAPES[] = {
    {"XOX"
     ".."
     "???"},     // hane that closes in
    {"XO."
     ".."
     "?.?"},     // hane beside a stone that is not cut
    {"XO?"
     "X."
     "x.?"},     // turning the corner
    {".O."
     "X."
     "..."},     // leaning on a stone from its shoulder
    {"XOO"
     ".."
     "?.?",
     1},  // thin hane
    {"XO?"
     "Oo"
     "?o?"},     // an open cut
    {"XO?"
     "OX"
     "???"},     // a cut that is peeped at
    {"?X?"
     "OO"
     "ooo"},     // pushing through
    {"OX?"
     "oO"
     "???"},     // cutting a knight's move
    {"X.?"
     "O?"
     "---"},     // chasing along the edge
    {"OX?"
     "XO"
     "---"},     // a cut on the edge
    {"?X?"
     "xO"
     "---"},     // a connection on the edge
    {"?XO"
     "xx"
     "---"},     // descending to the edge
    {"?OX"
     "XO"
     "---"},     // cutting on the edge
};

bool allows(char wanted, int cell, int x) {
    switch (wanted) {
        case 'X': return cell == x;
        case 'O': return cell == 1 - x;
        case 'x': return cell != x;
        case 'o': return cell != 1 - x;
        case '.': return cell == EMPTY;
        case '-': return cell == BORDER;
        default: return true;
    }
}

// The source of each of the eight cells under a rotation by 90 degrees, and under a reflection.
constexpr std::array<int, 8> TURNED{5, 3, 0, 6, 1, 7, 4, 2};
constexpr std::array<int, 8> REFLECTED{2, 1, 0, 4, 3, 7, 6, 5};

class Table {
public:
    Table() {
        for (const Shape& shape : SHAPES)
            for (const int x : {BLACK, WHITE}) {
                std::array<int, 8> order{0, 1, 2, 3, 4, 5, 6, 7};
                for (int way = 0; way < 8; ++way) {
                    enter(shape, x, order, 0, 0);
                    order = compose(order, way == 3 ? REFLECTED : TURNED);
                }
            }
    }

    std::array<std::bitset<1 << 16>, 2> found;

private:
    static std::array<int, 8> compose(const std::array<int, 8>& order, const std::array<int, 8>& by) {
        std::array<int, 8> result{};
        for (int i = 0; i < 8; ++i) result[i] = order[by[i]];
        return result;
    }

    // Marks all codes that match the pattern, its cells taken in that order.
    void enter(const Shape& shape, int x, const std::array<int, 8>& order, int place, unsigned code) {
        if (place == 8) {
            if (shape.only != 2) found[x].set(code);
            if (shape.only != 1) found[1 - x].set(code);
            return;
        }
        for (unsigned cell = 0; cell < 4; ++cell)
            if (allows(shape.cells[order[place]], static_cast<int>(cell), x))
                enter(shape, x, order, place + 1, code | cell << (2 * place));
    }
};

}  // namespace

const std::array<std::bitset<1 << 16>, 2> pattern_codes = Table().found;

}  // namespace zermelo::go
