// The techniques of the engine, and what its threads share.
#pragma once

#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "core/table.h"
#include "core/transposition.hpp"
#include "search/parameters.hpp"
#include "search/probcut.hpp"
#include "tables/tables.hpp"

namespace zermelo {

// Every technique can be switched off. The second group is selective: it may change the value of a search that ends in
// estimates. It cannot make a proof wrong: a result that rests on an estimate is never marked as proved.
struct EngineSettings {
    bool table = true;             // transposition table
    bool enhanced_cutoffs = true;  // enhanced transposition cut-offs: by the entries of the children
    bool table_estimates = true;   // entries that rest on estimates may cut, not only proofs
    bool pvs = true;               // principal variation search: zero windows after the first child
    bool aspiration = true;        // a narrow window around the last depth's score
    bool quick = true;             // prefer quicker wins and longer resistance
    bool killers = true;
    bool history = true;
    bool counter_moves = true;
    bool priority = true;  // the game's own `priority`
    bool quiescence = true;
    bool one_reply_extensions = true;
    bool endings = true;  // the search for endings, in games that tell how many plies remain

    bool check_extensions = true;
    bool singular_extensions = true;
    bool late_move_reductions = true;
    bool move_count_pruning = true;   // late move pruning
    bool futility = true;             // of quiet actions: by evaluation, history and static exchange
    bool internal_reductions = true;  // internal iterative reductions: one ply less where the table has no action
    bool null_move = true;
    bool reverse_futility = true;
    bool razoring = true;
    bool table_evaluation = true;    // the table's score in place of the evaluation, where it says more
    bool correction_history = true;  // a network is corrected by what searches found in positions like this
    bool probcut =
        true;  // Multi-ProbCut: nodes are cut by what shallower searches foretell, in games where that was measured

    SearchParameters parameters{};
    DepthPairs depth_pairs{};  // for Multi-ProbCut; none if it was not measured

    // Leaves only techniques that are sound to the end of the game.
    void make_sound(const zermelo_table& table);
};

struct Technique {
    const char* name;
    bool EngineSettings::* setting;
    bool selective;
};

inline constexpr Technique TECHNIQUES[] = {
    {"aspiration", &EngineSettings::aspiration, false},
    {"check_extensions", &EngineSettings::check_extensions, true},
    {"correction_history", &EngineSettings::correction_history, true},
    {"counter_moves", &EngineSettings::counter_moves, false},
    {"endings", &EngineSettings::endings, false},
    {"enhanced_cutoffs", &EngineSettings::enhanced_cutoffs, false},
    {"futility", &EngineSettings::futility, true},
    {"history", &EngineSettings::history, false},
    {"internal_reductions", &EngineSettings::internal_reductions, true},
    {"killers", &EngineSettings::killers, false},
    {"late_move_reductions", &EngineSettings::late_move_reductions, true},
    {"move_count_pruning", &EngineSettings::move_count_pruning, true},
    {"null_move", &EngineSettings::null_move, true},
    {"one_reply_extensions", &EngineSettings::one_reply_extensions, false},
    {"priority", &EngineSettings::priority, false},
    {"probcut", &EngineSettings::probcut, true},
    {"pvs", &EngineSettings::pvs, false},
    {"quick", &EngineSettings::quick, false},
    {"quiescence", &EngineSettings::quiescence, false},
    {"razoring", &EngineSettings::razoring, true},
    {"reverse_futility", &EngineSettings::reverse_futility, true},
    {"singular_extensions", &EngineSettings::singular_extensions, true},
    {"table", &EngineSettings::table, false},
    {"table_estimates", &EngineSettings::table_estimates, false},
    {"table_evaluation", &EngineSettings::table_evaluation, true},
};

// The settings with some techniques switched on or off, by name.
inline EngineSettings switched(EngineSettings settings, const std::map<std::string, bool>& switches) {
    for (const Technique& technique : TECHNIQUES)
        if (const auto found = switches.find(technique.name); found != switches.end())
            settings.*technique.setting = found->second;
    return settings;
}

inline bool has_repetition_rule(const zermelo_table& table) {
    return table.capabilities & (ZERMELO_REPETITION_DRAW | ZERMELO_REPETITION_FORBIDDEN | ZERMELO_REPETITION_LOSES |
                                 ZERMELO_REPETITION_PERPETUAL);
}

inline void EngineSettings::make_sound(const zermelo_table& table) {
    for (const Technique& technique : TECHNIQUES)
        if (technique.selective) this->*technique.setting = false;
    table_estimates = !has_repetition_rule(table);
}

// Positions being searched by some thread (a simple form of ABDADA): other threads defer them, and later often find the
// result in the table. Positions that share a slot overwrite each other: a wrong deferral only costs time.
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

// The checks in a part of a game, for perpetual check: a bit per player.
struct CheckRun {
    unsigned moved = 0;
    unsigned quiet = 0;  // players who made a move that gave no check

    void add(int32_t mover, bool check) {
        moved |= 1u << mover;
        if (!check) quiet |= 1u << mover;
    }
    void add(const CheckRun& other) {
        moved |= other.moved;
        quiet |= other.quiet;
    }
    // The player who alone gave check with every move; -1 if there is none or more than one.
    int32_t checker() const {
        const unsigned checking = moved & ~quiet;
        return std::has_single_bit(checking) ? std::countr_zero(checking) : -1;
    }
};

// A position before the root whose return counts as a repetition.
struct PastPosition {
    TableKey key;
    CheckRun since;  // from there to the root
    uint32_t distance = UNKNOWN;  // to the end at least, where endgame tables call it won or lost

    static constexpr uint32_t UNKNOWN = std::numeric_limits<uint32_t>::max();
};

// A key of these positions, in whatever order; 0 if there are none.
inline uint64_t key_of_past(const std::vector<PastPosition>& history) {
    uint64_t key = 0;
    for (const PastPosition& each : history)
        key += splitmix(each.key.check ^ splitmix(each.since.moved << 8 | each.since.quiet));
    return history.empty() ? 0 : key | 1;
}

struct SharedSearch {
    TranspositionTable& table;
    BusyPositions* busy;  // null with a single thread
    EngineSettings settings;
    const Tables* tables = nullptr;  // endgame tables
    bool probe_draws = true;  // not where they call the root drawn: there the search looks for winning chances
    WayDown way_down{};  // from a root whose distance to the end they do not know exactly
    std::vector<PastPosition> history{};  // of the game so far, where repetition counts
    uint32_t past_distance = std::numeric_limits<uint32_t>::max();  // the least of the history
    uint64_t past_key = 0;  // of the history: proofs that it could refute hold under the same one only
    uint64_t node_limit = std::numeric_limits<uint64_t>::max();
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    std::atomic<bool> stop{false};
    alignas(64) std::atomic<uint64_t> nodes{
        0};  // total of all threads, updated every 1024 nodes; on its own cache line
};

}  // namespace zermelo
