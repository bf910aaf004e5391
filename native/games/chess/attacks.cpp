#include "games/chess/attacks.hpp"

#include <initializer_list>

#include "games/chess/magics.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace zermelo::chess {

AttackTables attack_tables;
bool fast_pext = false;

namespace {

constexpr int ROOK_STEPS[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
constexpr int BISHOP_STEPS[4][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
constexpr int KNIGHT_STEPS[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

Bitboard rook_room[0x19000];  // the attacks of all rooks for all blockers, square by square
Bitboard bishop_room[0x1480];

// Whether the processor has a fast PEXT: AMD's first ones with the instruction took hundreds of cycles.
bool has_fast_pext() {
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    if (!__builtin_cpu_supports("bmi2")) return false;
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(0, &a, &b, &c, &d)) return false;
    const bool amd = b == 0x68747541;  // "Auth"
    if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
    const unsigned family = ((a >> 8) & 15) + ((a >> 20) & 255);
    return !amd || family >= 0x19;
#else
    return false;
#endif
}

Bitboard stepped(Square from, const int (&step)[2]) {
    const int file = file_of(from) + step[0], rank = rank_of(from) + step[1];
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? 0 : bit(8 * rank + file);
}

Bitboard walk(Square from, const int (&step)[2], Bitboard occupied) {
    Bitboard reached = 0;
    for (Bitboard at = stepped(from, step); at; at = stepped(first(at), step)) {
        reached |= at;
        if (at & occupied) break;
    }
    return reached;
}

template <std::size_t N>
Bitboard walk_all(Square from, const int (&steps)[N][2], Bitboard occupied) {
    Bitboard reached = 0;
    for (const auto& step : steps) reached |= walk(from, step, occupied);
    return reached;
}

// Blockers matter on every square of a ray except its last.
Bitboard blockers(Square from, const int (&steps)[4][2]) {
    Bitboard mask = 0;
    for (const auto& step : steps)
        each(walk(from, step, 0), [&](Square at) {
            if (stepped(at, step)) mask |= bit(at);
        });
    return mask;
}

void fill(Slider (&sliders)[64], const int (&steps)[4][2], const uint64_t (&magics)[64], Bitboard* room) {
    for (Square from = 0; from < 64; ++from) {
        const Bitboard mask = blockers(from, steps);
        sliders[from] = {mask, magics[from], room, 64 - count(mask)};
        Bitboard occupied = 0;
        uint64_t index = 0;  // PEXT of the subsets of a mask, in this order, counts up
        do {
            const uint64_t at = fast_pext ? index : (occupied * magics[from]) >> sliders[from].shift;
            room[at] = walk_all(from, steps, occupied);
            ++index;
            occupied = (occupied - mask) & mask;
        } while (occupied);
        room += index;
    }
}

void fill_lines() {
    for (Square one = 0; one < 64; ++one)
        for (const auto* steps : {ROOK_STEPS, BISHOP_STEPS})
            for (int direction = 0; direction < 4; ++direction) {
                const Bitboard ray = walk(one, steps[direction], 0), back = walk(one, steps[(direction + 2) % 4], 0);
                each(ray, [&](Square two) {
                    attack_tables.between[one][two] = walk(one, steps[direction], bit(two)) ^ bit(two);
                    attack_tables.lines[one][two] = ray | back | bit(one);
                });
            }
}

}  // namespace

void prepare_attacks(bool allow_pext) {
    fast_pext = allow_pext && has_fast_pext();
    AttackTables& tables = attack_tables;
    for (Square from = 0; from < 64; ++from) {
        for (const auto& step : KNIGHT_STEPS) tables.knights[from] |= stepped(from, step);
        for (const auto& step : ROOK_STEPS) tables.kings[from] |= stepped(from, step);
        for (const auto& step : BISHOP_STEPS) tables.kings[from] |= stepped(from, step);
        tables.pawns[WHITE][from] = ahead_west<WHITE>(bit(from)) | ahead_east<WHITE>(bit(from));
        tables.pawns[BLACK][from] = ahead_west<BLACK>(bit(from)) | ahead_east<BLACK>(bit(from));
        tables.rook_rays[from] = walk_all(from, ROOK_STEPS, 0);
        tables.bishop_rays[from] = walk_all(from, BISHOP_STEPS, 0);
    }
    fill(tables.rooks, ROOK_STEPS, ROOK_MAGICS, rook_room);
    fill(tables.bishops, BISHOP_STEPS, BISHOP_MAGICS, bishop_room);
    fill_lines();
}

}  // namespace zermelo::chess
