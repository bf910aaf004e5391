// Eye spaces of three to six points: which have a vital point, and where it is.
//
// A shape is identified by the number of neighbours that each of its points has inside it. Three points in any shape,
// the T of four, the cross and the bulky five, and the rabbity six have a vital point: the one with the most
// neighbours. The square four is one eye whoever plays; straight and bent fours are two.
#pragma once

#include "games/go/state.hpp"

namespace zermelo::go {

constexpr int LARGEST_EYE = 6;

// The vital point of the shape, NOWHERE if it has none.
template <int N>
int vital_point(const Bits<N>& shape) {
    const int count = shape.count_up_to(LARGEST_EYE + 1);
    if (count < 3 || count > LARGEST_EYE) return NOWHERE;
    int vital = NOWHERE, most = 0;
    std::array<int, 5> with{};  // the number of points with that number of neighbours
    shape.each([&](int cell) {
        const int degree = (Bits<N>::at(cell).beside() & shape).count_up_to(4);
        ++with[degree];
        if (degree > most) most = degree, vital = cell;
    });
    const bool decides = count == 3 || (count == 4 && most == 3) ||
                         (count == 5 && (most == 4 || (most == 3 && with[2] == 3))) ||
                         (count == 6 && most == 4 && with[2] == 3);
    return decides ? vital : NOWHERE;
}

// Whether captured stones of this shape leave an eye space in which one more stone prevents a second eye (nakade).
template <int N>
bool kills(const Bits<N>& shape) {
    const int count = shape.count_up_to(LARGEST_EYE + 1);
    if (count < 3) return true;
    if (vital_point<N>(shape) != NOWHERE) return true;
    if (count != 4) return false;
    bool square = true;
    shape.each([&](int cell) { square &= (Bits<N>::at(cell).beside() & shape).count_up_to(4) == 2; });
    return square;
}

}  // namespace zermelo::go
