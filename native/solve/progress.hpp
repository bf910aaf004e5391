// How far a solver has got, for another thread to read, and why one gives up.
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
    std::atomic<uint64_t> states{0};  // found so far
    std::atomic<uint64_t> edges{0};   // actions in all of them
    std::atomic<uint64_t> done{0};    // states dealt with in this stage
    std::atomic<uint64_t> bytes{0};   // what the whole analysis takes, as far as it can be foreseen

    void begin(Stage next) {
        stage = next;
        done = 0;
    }
};

// Thrown where a game cannot be solved in this way, or not in the memory allowed.
struct SolveRefusal {
    enum Reason : int { MEMORY, CHANCE, UTILITIES };

    Reason reason;
    std::vector<std::byte> state;  // at which it was found; empty if it is no single one's fault
};

}  // namespace zermelo
