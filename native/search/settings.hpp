// Which techniques the engine uses, and what its threads share.
#pragma once

#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/transposition.hpp"

namespace zermelo {

// Every technique can be switched off. Those of the second group are risky: they may change the value of a search that
// ends in estimates. None of them can make a proof false: what rests on an estimate is never called proved.
struct EngineSettings {
    bool table = true;           // the transposition table
    bool table_children = true;  // cut with what the table knows of the children
    bool table_estimates = true;  // let estimates in the table stand for a search, and not only proofs
    bool zero_windows = true;    // principal variation search
    bool aspiration = true;      // a narrow window round the last depth's score
    bool haste = true;           // prefer the quicker win and the longer resistance
    bool killers = true;
    bool history = true;
    bool counters = true;        // the reply that refuted the same action before
    bool priority = true;        // the game's own order
    bool quiescence = true;
    bool single_replies = true;  // one ply more where there is one action

    bool checks = true;    // one ply more where the opponent threatens to win at once
    bool singular = true;  // one ply more for the one good action
    bool late_reductions = true;
    bool late_pruning = true;          // near the depth limit, leave out quiet actions that promise little
    bool unknown_reductions = true;    // one ply less where the table knows no action
    bool null_move = true;
    bool futility = true;
    bool razoring = true;
};

// Positions that some thread is at work on. A thread that comes to one of them does something else first, and then often
// finds the work done, in the table (a simple form of ABDADA). Two positions that share a place forget each other: a
// position that is wrongly put off, or wrongly not, costs time and nothing else.
class BusyPositions {
public:
    bool contains(uint64_t key) const { return place(key).load(std::memory_order_relaxed) == key; }
    void add(uint64_t key) { place(key).store(key, std::memory_order_relaxed); }
    void remove(uint64_t key) {
        if (contains(key)) place(key).store(0, std::memory_order_relaxed);
    }
    void clear() {
        for (std::atomic<uint64_t>& place : places_) place.store(0, std::memory_order_relaxed);
    }

private:
    static constexpr std::size_t PLACES = std::size_t{1} << 14;

    const std::atomic<uint64_t>& place(uint64_t key) const { return places_[key % PLACES]; }
    std::atomic<uint64_t>& place(uint64_t key) { return places_[key % PLACES]; }

    std::vector<std::atomic<uint64_t>> places_ = std::vector<std::atomic<uint64_t>>(PLACES);
};

// A part of a game, as far as perpetual check is concerned: a bit for each player.
struct Stretch {
    unsigned moved = 0;
    unsigned quiet = 0;  // who of them made a move that gave no check

    void add(int32_t mover, bool check) {
        moved |= 1u << mover;
        if (!check) quiet |= 1u << mover;
    }
    void add(const Stretch& other) {
        moved |= other.moved;
        quiet |= other.quiet;
    }
    // The player who alone gave check with every move; -1 if there is none, or more than one.
    int32_t checker() const {
        const unsigned checking = moved & ~quiet;
        return std::has_single_bit(checking) ? std::countr_zero(checking) : -1;
    }
};

// A position of the game before the root to which the rule of repetition would apply.
struct PastPosition {
    TableKey key;
    Stretch since;  // what was played from there to the root
};

struct SharedSearch {
    TranspositionTable& table;
    BusyPositions* busy;  // null if there is one thread
    EngineSettings settings;
    std::vector<PastPosition> history{};  // of the game so far, where repetition counts
    uint64_t node_limit = std::numeric_limits<uint64_t>::max();
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    std::atomic<bool> stop{false};
    alignas(64) std::atomic<uint64_t> nodes{0};  // of all threads, brought up to date every 1024; on a line of its own
};

}  // namespace zermelo
