// Counts the leaves below a position of chess through its table, the last ply by the length of its list of actions,
// as chess programs do: `chess_perft DEPTH FEN [magic]`. Prints the leaves and the processor seconds. A program of
// its own, built by bench/chess_perft.py.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "games/chess/attacks.hpp"
#include "games/chess/chess.hpp"
#include "games/chess/state.hpp"

namespace {

using namespace zermelo::chess;

uint64_t leaves(const zermelo_table& table, const State& state, int depth) {
    Action actions[MAX_ACTIONS];
    uint64_t count = 0, total = 0;
    table.actions(table.context, &state, actions, MAX_ACTIONS, &count);
    if (depth == 1) return count;
    State child;
    int32_t mover;
    double utilities[2];
    for (uint64_t i = 0; i < count; ++i) {
        table.step(table.context, &state, actions[i], &child, &mover, utilities);
        if (mover >= 0) total += leaves(table, child, depth - 1);
    }
    return total;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return std::fputs("usage: chess_perft DEPTH FEN [magic]\n", stderr), 2;
    const zermelo::NativeGame& game = zermelo::chess::game();
    if (argc > 3 && std::strcmp(argv[3], "magic") == 0) prepare_attacks(false);
    State state;
    std::string why;
    if (!game.read(argv[2], &state, why)) return std::fprintf(stderr, "%s\n", why.c_str()), 2;
    const int depth = std::atoi(argv[1]);
    const std::clock_t start = std::clock();
    const uint64_t total = depth > 0 ? leaves(*game.table, state, depth) : 1;
    std::printf("%llu %.4f %s\n", static_cast<unsigned long long>(total),
                static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, fast_pext ? "pext" : "magic");
}
