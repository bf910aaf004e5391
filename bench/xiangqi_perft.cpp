// Counts the tree of Chinese chess in bulk: at the last ply the legal moves are written out and their number is added, as
// engines count. Every other position is entered by the table's `step`, as in a search.
//
//     xiangqi_perft DEPTH [FEN]      prints the leaves and the processor time in seconds
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <string>

#include "core/game.hpp"
#include "games/xiangqi/game.hpp"

using namespace zermelo;

static uint64_t leaves(const Game& game, const std::byte* state, int depth, std::deque<StateBuffer>& rooms,
                       std::deque<ActionList>& lists) {
    ActionList& list = lists[static_cast<std::size_t>(depth)];
    game.actions(state, list);
    if (depth == 1) return list.count;
    StateBuffer& child = rooms[static_cast<std::size_t>(depth)];
    uint64_t sum = 0;
    for (std::size_t i = 0; i < list.count; ++i) {
        Position position;
        game.step(state, list.actions[i], child.data(), position);
        if (!position.terminal()) sum += leaves(game, child.data(), depth - 1, rooms, lists);
    }
    return sum;
}

int main(int count, char** words) {
    const int depth = count > 1 ? std::atoi(words[1]) : 0;
    if (depth < 1 || depth > 20) return std::fprintf(stderr, "usage: xiangqi_perft DEPTH [FEN]\n"), 2;
    const Game game(*xiangqi::game.table);
    std::deque<StateBuffer> rooms;
    for (int ply = 0; ply <= depth; ++ply) rooms.push_back(game.buffer());
    std::deque<ActionList> lists(static_cast<std::size_t>(depth) + 1);
    StateBuffer root = game.buffer();
    std::string why;
    if (count > 2 && !xiangqi::game.read(words[2], root.data(), why))
        return std::fprintf(stderr, "not a position: %s\n", why.c_str()), 2;
    if (count <= 2 && game.table().initial(game.table().context, root.data()) != ZERMELO_OK) return 1;
    Position position;
    game.info(root.data(), position);
    const std::clock_t start = std::clock();
    const uint64_t found = position.terminal() ? 0 : leaves(game, root.data(), depth, rooms, lists);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%llu %.6f\n", static_cast<unsigned long long>(found), seconds);
    return 0;
}
