#include "games/backgammon/features.hpp"

#include <algorithm>
#include <bit>

namespace zermelo::backgammon {

namespace {

using Mask = uint32_t;  // a bit for each point in one player's count, and one for its bar

constexpr int WINDOW = 12;  // points in front of a chequer that matter for its escape
constexpr Mask ON_BAR = 1u << BAR;

// The sides as sets of points, in the count of one of them.
struct Sets {
    Mask own = 0, own_made = 0, own_blots = 0;
    Mask blots = 0, made = 0;  // of the other; `made` points are closed to this side
    Mask made_behind = 0;      // the same points in the other's count
    int bar = 0;

    Sets(const Side& side, const Side& other) : bar(side[BAR]) {
        for (int point = 0; point < POINTS; ++point) {
            own |= static_cast<Mask>(side[point] > 0) << point;
            own_blots |= static_cast<Mask>(side[point] == 1) << point;
            own_made |= static_cast<Mask>(side[point] > 1) << point;
            blots |= static_cast<Mask>(other[across(point)] == 1) << point;
            made |= static_cast<Mask>(other[across(point)] > 1) << point;
            made_behind |= static_cast<Mask>(other[point] > 1) << point;
        }
        if (bar) own |= ON_BAR;
    }
};

// The blots that a roll of two different dice can hit.
Mask hits_of(const Sets& s, int first, int second) {
    const Mask one = (s.own >> first) & ~s.made, two = (s.own >> second) & ~s.made;
    if (s.bar == 0) return (one | two | one >> second | two >> first) & s.blots;
    const Mask enters_by_one = one & ON_BAR >> first, enters_by_two = two & ON_BAR >> second;
    if (s.bar > 1) return (enters_by_one | enters_by_two) & s.blots;
    const Mask rest = s.own & ~ON_BAR;
    Mask hits = (enters_by_one | enters_by_two) & s.blots;
    if (enters_by_one) hits |= ((rest | enters_by_one) >> second) & s.blots;
    if (enters_by_two) hits |= ((rest | enters_by_two) >> first) & s.blots;
    return hits;
}

Mask hits_of_double(const Sets& s, int die) {
    Mask hits = 0, reach = s.own;
    int steps = 4;
    if (s.bar) {
        const Mask entry = ON_BAR >> die & ~s.made;
        if (!entry) return 0;
        hits |= entry & s.blots;
        steps -= std::min(s.bar, 4);
        reach = (s.own & ~ON_BAR) | entry;
    }
    for (; steps > 0; --steps) {
        reach = (reach >> die) & ~s.made;
        hits |= reach & s.blots;
    }
    return hits;
}

struct Shots {
    int rolls = 0;   // rolls, of 36, that hit
    int two = 0;     // rolls that can hit more than one
    int pips = 0;    // pips lost by the rearmost chequer that is hit, summed over the rolls

    void count(Mask hits, int weight) {
        if (!hits) return;
        rolls += weight;
        two += weight * (std::popcount(hits) > 1);
        pips += weight * static_cast<int>(std::bit_width(hits));
    }
};

Shots find_shots(const Sets& s) {
    Shots shots;
    if (!s.blots) return shots;
    for (int first = 1; first <= 6; ++first) {
        shots.count(hits_of_double(s, first), 1);
        for (int second = 1; second < first; ++second) shots.count(hits_of(s, first, second), 2);
    }
    return shots;
}

// For each set of closed points in the window in front of a chequer, the number of rolls, of 36, that pass the last of
// them.
const auto& escapes() {
    static const auto table = [] {
        std::array<uint8_t, 1 << WINDOW> made{};
        const auto open = [](unsigned closed, int at) { return at > WINDOW || !(closed >> (at - 1) & 1); };
        for (unsigned closed = 0; closed < made.size(); ++closed) {
            const int goal = std::bit_width(closed);  // the last closed point; beyond it the way is free
            for (int first = 1; first <= 6; ++first)
                for (int second = 1; second <= 6; ++second) {
                    int reached = 0;
                    if (first == second) {
                        while (reached < 4 * first && open(closed, reached + first)) reached += first;
                    } else if (open(closed, first) || open(closed, second)) {
                        reached = open(closed, first + second) ? first + second : open(closed, first) ? first : second;
                    }
                    made[closed] += reached > goal;
                }
        }
        return made;
    }();
    return table;
}

// The number of rolls with which a chequer on `point` escapes the points that the other has made in front of it.
int escapes_from(const Sets& s, int point) {
    // Bit k of the window is the point k + 1 ahead: a lower one in this count, a higher one in the other's.
    return escapes()[s.made_behind >> (POINTS - point) & ((1u << WINDOW) - 1)];
}

int longest_run(Mask made) {
    int length = 0;
    for (; made; made &= made >> 1) ++length;
    return length;
}

void add_units(const Side& side, int base, Inputs& inputs) {
    for (int point = 0; point <= BAR; ++point) {
        const int count = side[point];
        if (!count) continue;
        const int at = base + 4 * point;
        inputs.add(at + std::min(count, 3) - 1, 1);
        if (count > 3) inputs.add(at + 3, static_cast<float>(count - 3) / 2);
    }
    const int off = borne_off(side);
    for (int unit = 0; unit < OFF_UNITS; ++unit)
        inputs.add(base + UNITS + unit, static_cast<float>(std::clamp(off - 5 * unit, 0, 5)) / 5);
}

// The pips that a side must play until contact is broken.
int pips_of_contact(const Side& side, const Side& other) {
    const int past = across(rearmost(other));
    int sum = 0;
    for (int point = std::max(past + 1, 0); point <= BAR; ++point) sum += side[point] * (point - past);
    return sum;
}

void add_hand(const Side& side, const Side& other, int base, Inputs& inputs) {
    int at = base + UNITS + OFF_UNITS;
    const auto add = [&](double amount) { inputs.add(at++, static_cast<float>(amount)); };
    add(pips(side) / 100.0);
    const Sets s(side, other);
    const Shots shots = find_shots(s);
    const int rear = rearmost(side), other_rear = across(rearmost(other));
    const Mask home = (1u << HOME) - 1, far_home = home << (POINTS - HOME);
    // The blockade in front of the other's rearmost chequer: this side's points above it in this side's count.
    const Mask ahead = other_rear < 0 ? s.own_made : s.own_made & ~((2u << other_rear) - 1);
    int mobility = 0, moment = 0, spare = 0;
    for (int point = HOME; point <= BAR; ++point) {
        if (!side[point]) continue;
        if (point < POINTS - HOME) spare += side[point] * (point - HOME + 1);
        mobility += side[point] * (point - HOME + 1) * escapes_from(s, point);
        moment += side[point] * (point - HOME + 1) * (point - HOME + 1);
    }
    add(pips_of_contact(side, other) / 100.0);
    add(shots.rolls / 36.0);
    add(shots.two / 36.0);
    add(shots.pips / 360.0);
    const int escaping = rear >= 0 ? escapes_from(s, rear) : 0;
    add(escaping / 36.0);
    add((36 - escaping) * (36 - escaping) / 1296.0);
    add(longest_run(s.own_made) / 6.0);
    add(std::popcount(ahead & ((1u << POINTS) - 1)) / 6.0);
    add(longest_run(ahead) / 6.0);
    add(std::popcount(s.own_made & home) / 6.0);
    add(std::popcount(s.own_blots & home) / 3.0);
    add(std::popcount(s.own_made & far_home) / 2.0);
    add(std::popcount(s.own_blots) / 5.0);
    add(mobility / 3600.0);
    add(moment / 1000.0);
    add(spare / 50.0);
    static_assert(HAND == 17);
}

}  // namespace

void find_inputs(const Board& board, Inputs& inputs) {
    inputs.count = 0;
    add_units(board.own, 0, inputs);
    add_hand(board.own, board.other, 0, inputs);
    add_units(board.other, SIDE_INPUTS, inputs);
    add_hand(board.other, board.own, SIDE_INPUTS, inputs);
}

void find_race_inputs(const Side& side, Inputs& inputs) {
    inputs.count = 0;
    add_units(side, 0, inputs);
    inputs.add(UNITS + OFF_UNITS, static_cast<float>(pips(side)) / 100);
    inputs.add(UNITS + OFF_UNITS + 1, static_cast<float>(pips_outside(side)) / 100);
}

}  // namespace zermelo::backgammon
