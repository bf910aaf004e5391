// Compares the two implementations of the rules of Go.
//
//     go GAMES         playouts on boards of all sizes, comparing the fast board with the plain rules after every move
//     go GAMES 4       also counts the legal positions of the 4×4 board, which takes seconds without sanitizers
//
// Exits 1 at the first difference.
#include <cstdio>
#include <cstdlib>

#include "games/go/playout.hpp"
#include "games/go/priors.hpp"
#include "games/go/status.hpp"

using namespace zermelo;
using namespace zermelo::go;

namespace {

template <int N>
bool agree(const State<N>& state, const Groups<N>& board) {
    const Bits<N> legal = legal_points(state), empty = empty_of(state);
    bool same = state.turn == board.turn && state.ko == board.ko && board.empty_count() == empty.count();
    points_of<N>(state.size).each([&](int cell) {
        const int colour = state.stones[BLACK].has(cell) ? BLACK : state.stones[WHITE].has(cell) ? WHITE : int{EMPTY};
        same &= board.colours[cell] == colour;
        if (colour == EMPTY) same &= board.is_legal(cell) == legal.has(cell);
        else same &= board.liberties_at(cell) == (flood(Bits<N>::at(cell), state.stones[colour]).beside() & empty);
    });
    return same;
}

template <int N>
bool play_games(int size, uint64_t games) {
    for (uint64_t seed = 0; seed < games; ++seed) {
        State<N> state{};
        state.size = static_cast<uint8_t>(size);
        Groups<N> board(state);
        uint64_t random = seed;
        Player<N> player(board, random, static_cast<Policy>(seed % 3));
        for (int move = 0; move < 3 * size * size && state.passes < 2; ++move) {
            const int cell = player.choose();
            board.play(cell);
            play(state, cell);
            if (!agree(state, board)) {
                std::printf("%d lines, game %llu, move %d: the boards differ\n", size,
                            static_cast<unsigned long long>(seed), move);
                return false;
            }
            MovePriors<N> move_priors(state);
            legal_points(state).each([&](int point) { move_priors.of(point); });
        }
        dead_stones(state);
        const bool filled = state.passes == 2 && seed % 3 != UNIFORM;  // only eyes are left
        if (area_margin(state) != area_of(board) || (filled && area_margin(state) != filled_area(board))) {
            std::printf("%d lines, game %llu: the counts differ\n", size, static_cast<unsigned long long>(seed));
            return false;
        }
    }
    return true;
}

// The number of ways to fill a board such that every stone has a liberty.
uint64_t count_positions(int size) {
    uint64_t boards = 1, legal = 0;
    for (int i = 0; i < size * size; ++i) boards *= 3;
    for (uint64_t number = 0; number < boards; ++number) {
        State<9> state{};
        state.size = static_cast<uint8_t>(size);
        uint64_t left = number;
        points_of<9>(size).each([&](int cell) {
            if (left % 3 != 0) state.stones[left % 3 - 1].add(cell);
            left /= 3;
        });
        const Bits<9> empty = empty_of(state);
        bool alive = true;
        for (const Bits<9>& stones : state.stones) alive &= flood(empty.beside() & stones, stones) == stones;
        legal += alive;
    }
    return legal;
}

}  // namespace

int main(int argc, char** argv) {
    const uint64_t games = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 60;
    const uint64_t few = games / 10 + 1;
    if (!play_games<9>(2, games) || !play_games<9>(5, games) || !play_games<9>(9, few) || !play_games<13>(13, few) ||
        !play_games<19>(19, few / 2 + 1))
        return 1;
    const uint64_t known[] = {0, 0, 57, 12675, 24318165};
    const int largest = argc > 2 && std::atoi(argv[2]) == 4 ? 4 : 3;
    for (int size = 2; size <= largest; ++size)
        if (count_positions(size) != known[size]) {
            std::printf("%d lines: the positions are not %llu\n", size, static_cast<unsigned long long>(known[size]));
            return 1;
        }
    std::printf("%llu games agree, and the positions of up to %d lines\n", static_cast<unsigned long long>(games),
                largest);
    return 0;
}
