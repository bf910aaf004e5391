// The progress of a solver, readable by another thread, and the reasons for which it refuses a game.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace zermelo {

struct SolveProgress {
    // Finding all positions, linking each to those before it, passing values back from the ends.
    enum Stage : int { EXPLORING, LINKING, RESOLVING };

    std::atomic<int> stage{EXPLORING};
    std::atomic<uint64_t> states{0};  // number found so far
    std::atomic<uint64_t> edges{0};   // number of their actions
    std::atomic<uint64_t> done{0};    // number of states processed in this stage
    std::atomic<uint64_t> bytes{0};   // estimated memory of the whole analysis

    void begin(Stage next) {
        stage = next;
        done = 0;
    }
};

// Thrown if the game cannot be solved by this method, or not within the memory limit.
struct SolveRefusal {
    enum Reason : int { MEMORY, CHANCE, UTILITIES, STEPS };

    Reason reason;
    std::vector<std::byte> state;  // where the reason was found; empty if it is no single state
};

}  // namespace zermelo
