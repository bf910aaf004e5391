// A speed limit for compiled Python rules: handwritten rules, inlined into a search template.
//
// The rules are those of `games/connect4`, method for method, and the algorithm is the plain alpha-beta of
// `search/minimax.hpp`, so that values and nodes are equal. Everything that is generic at run time is removed: no table
// of functions, no lists, no frames on the heap, no line, no polling. The compiler sees everything at once.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>

namespace zermelo::bench {

struct ConnectFour {
    static constexpr int columns = 7;
    static constexpr int rows = 6;
    static constexpr uint64_t full = [] {
        uint64_t cells = 0;
        for (int column = 0; column < columns; ++column) cells |= ((uint64_t{1} << rows) - 1) << column * (rows + 1);
        return cells;
    }();

    struct State {
        uint64_t mine = 0;  // the stones of the player to move
        uint64_t all = 0;  // the stones of both
        int turn = 0;
    };

    static int player(const State& s) { return s.turn; }

    static bool is_legal(const State& s, int column) { return !(s.all >> (column * (rows + 1) + rows - 1) & 1); }

    static State result(const State& s, int column) {
        return {s.mine ^ s.all, s.all | (s.all + (uint64_t{1} << column * (rows + 1))), 1 - s.turn};
    }

    static bool won(uint64_t stones) {
        for (const int step : {1, rows, rows + 1, rows + 2}) {
            const uint64_t pairs = stones & stones >> step;
            if (pairs & pairs >> 2 * step) return true;
        }
        return false;
    }

    static bool is_terminal(const State& s) { return won(s.mine ^ s.all) || s.all == full; }

    static double utility(const State& s, int p) {
        if (won(s.mine ^ s.all)) return p == s.turn ? -1.0 : 1.0;
        return 0.0;
    }
};

struct LimitResult {
    double value = 0;
    uint64_t nodes = 0;
};

// Plain alpha-beta to a fixed depth: fail-soft, actions in their order, the value 0 at the horizon. Scores are from the
// point of view of the player to move, and turns alternate: even the sign is known at compile time.
template <typename Rules>
class LimitSearch {
public:
    using State = typename Rules::State;

    static LimitResult run(const State& root, int depth) {
        LimitSearch search;
        const double value = search.value(root, depth, -INFINITE, INFINITE);
        return {value + 0.0, search.nodes_};  // never -0
    }

private:
    static constexpr double INFINITE = std::numeric_limits<double>::infinity();

    double value(const State& s, int depth, double alpha, double beta) {
        ++nodes_;
        if (Rules::is_terminal(s)) return Rules::utility(s, Rules::player(s));
        if (depth == 0) return 0;
        double best = -INFINITE;
        for (int action = 0; action < Rules::columns; ++action) {
            if (!Rules::is_legal(s, action)) continue;
            const double score = -value(Rules::result(s, action), depth - 1, -beta, -alpha);
            if (score > best) best = score;
            if (best > alpha) alpha = best;
            if (alpha >= beta) break;
        }
        return best;
    }

    uint64_t nodes_ = 0;
};

}  // namespace zermelo::bench
