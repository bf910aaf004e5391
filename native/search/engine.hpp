// The engine: iterations over the root, on as many threads as one likes.
//
// Threads share the transposition table (Lazy SMP): each searches the whole root, the helpers in an order of their own, and
// what one finds another finds in the table. Beside it they tell each other which positions they are at work on. The first
// thread alone decides what the answer is.
#pragma once

#include <deque>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "search/root_order.hpp"
#include "search/worker.hpp"

namespace zermelo {

struct EngineLimits {
    int depth = UNLIMITED_DEPTH;
    uint64_t nodes = std::numeric_limits<uint64_t>::max();
    double seconds = -1;  // negative for no limit
    unsigned lines = 1;   // best actions to be told apart (multi-PV)
    std::vector<int64_t> only = {};  // the root's actions to search; all if empty
};

// One of the root's actions, as far as it is known.
struct RootAction {
    int64_t action = 0;
    int32_t index = 0;  // its place in the game's own order
    Score score = -INFINITE_SCORE;
    std::vector<int64_t> line;
    double value = 0;
};

struct EngineResult {
    std::vector<RootAction> actions;  // best first
    std::size_t settled = 0;          // how many of them have been told apart from the rest
    bool known = false;               // the first action has a score of this iteration
    bool finished = false;            // the iteration came to its end
    bool interrupted = false;         // the caller ended it, not a limit
    bool proved = false;   // as far as scores express utilities
    bool rounded = false;  // some end has a utility that no score expresses
    uint64_t nodes = 0;
    uint64_t leaves = 0;
    uint64_t cutoffs = 0;
    int table_per_mille = 0;
};

class Engine {
public:
    Engine(const zermelo_table& table, std::size_t table_bytes, unsigned threads);

    // Searches `root` to one depth. `history` holds states of the game so far, for games in which repetition counts, each
    // with what was played since.
    EngineResult iterate(const std::byte* root, const std::vector<std::pair<StateBuffer, CheckRun>>& history,
                         const EngineLimits& limits, const EngineSettings& settings, Watch& watch);

    // Before a new root: forgets the order that the last iteration left behind, and ages what is remembered.
    void begin();
    void clear();

private:
    void complete(Worker& worker, const std::byte* root, std::vector<int64_t>& line) const;
    std::size_t winning_action(const std::byte* state, int32_t mover, const ActionList& list) const;

    const Game game_;
    TranspositionTable table_;
    unsigned threads_;
    BusyPositions busy_;
    std::vector<History> memories_;
    RootOrder<RootAction> order_;  // of the last iteration
    bool rounded_ = false;         // since the table was last empty
};

}  // namespace zermelo
