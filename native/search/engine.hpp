// The engine: iterative deepening of one position after another, on any number of threads.
//
// Threads share the transposition table (Lazy SMP): each searches the whole root, and helpers vary the order of quiet
// actions. They also defer positions that another thread is searching. Only the main thread decides the result.
#pragma once

#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "search/deepening.hpp"
#include "search/ending.hpp"
#include "search/worker.hpp"

namespace zermelo {

struct RootAction {
    int64_t action = 0;
    int32_t place = 0;  // in the game's own order
    Score score = -INFINITE_SCORE;
    std::vector<int64_t> line;
    double value = 0;
    int plies_to_end = 0;  // of a win or a loss, which its line may not show to the end; 0 if unknown

    bool scored() const { return score > -INFINITE_SCORE; }
};

struct EngineReport : DepthReport {
    std::vector<RootAction> actions;  // best first: those with a score, or one without if none has
    std::size_t settled = 0;  // the number of leading actions whose values are exact, not bounds
    bool partial = false;  // the scores are those of an iteration that was stopped, one ply deeper than `depth`
    bool at_least = true;  // the root is worth no less than the first score ...
    bool at_most = true;  // ... and no more
    bool proved = false;  // as far as scores express utilities
    double rounding = 0;  // by how much utilities may differ that scores do not tell apart; 0 if scores express all
    bool sound = false;  // only sound techniques were used
    bool quick = false;  // scores include the plies to the end
    std::optional<double>
        told;  // the value of the root by endgame tables; scores are those of a search for a good move
};

// Where a search is in the middle of an iteration.
struct EngineProgress {
    EngineReport report;  // as if it were stopped here, but for what only the end of an iteration tells
    std::optional<int64_t> action;  // of the root, which is being searched; none before the first
    std::size_t number;  // its place in the order of the search, from 1 on
};

// What is kept between searches.
class Engine {
public:
    // `tables` may be null, and outlives the engine.
    Engine(const zermelo_table& table, std::size_t table_bytes, unsigned threads, const Tables* tables = nullptr)
        : game(table), table(table_bytes), tables(tables), threads(threads), histories(threads) {}

    // Called before a new search.
    void age();
    void clear();

    static constexpr double FIRST_ENDING_COST = 4;

    const Game game;
    TranspositionTable table;
    const Tables* const tables;
    const unsigned threads;
    BusyPositions busy;
    std::vector<History> histories;  // one per thread
    double rounding = 0;  // the same since the table was last cleared
    double ending_cost = FIRST_ENDING_COST;  // nodes of an ending, but for their growth with the plies that remain
    History no_history;    // empty: the root's actions are ordered without what earlier searches learnt
};

class RootSearch;

// One search of one position, depth by depth. One search of an engine runs at a time; others may wait between depths.
class EngineSearch {
public:
    // `past` holds the positions before the root whose return counts as a repetition. With `sound`, only sound techniques are
    // in `settings`.
    EngineSearch(Engine& engine, const std::byte* root, std::vector<PastPosition> past, SearchLimits limits,
                 const EngineSettings& settings, bool sound);
    ~EngineSearch();

    // Starts a search of another position with the same settings, in the memory of this one.
    void restart(const std::byte* root, std::vector<PastPosition> past, SearchLimits limits);

    // Searches one ply deeper. Once the end of the game is within reach, with sound techniques only.
    const EngineReport& next_depth(Watch& watch);
    // Searches to the end of the game.
    const EngineReport& search_to_end(Watch& watch);
    // The same for the value alone, without `quick`: fewer distinct scores, more cut-offs.
    const EngineReport& prove(Watch& watch);

    // Whether no further depth would be searched.
    bool done() const { return report_.stopped != StopReason::none || report_.proved || depth_ >= limits_.deepest(); }
    const EngineReport& report() const { return report_; }

    // Where the search is. Called by the thread that searches, from its watch.
    EngineProgress progress();

private:
    void begin(const std::byte* root, std::vector<PastPosition> past, SearchLimits limits);
    void consult(const std::byte* root);
    void begin_workers();
    void begin_again();
    void run_helper(unsigned index);
    void iterate(int depth, Watch& watch);
    void take_result(bool finished, StopReason stopped, int depth);
    void be_sound();
    bool knows_remaining() const;
    bool ends_soon() const;
    const EngineReport& search_ending(Watch& watch);
    double ending_growth() const;
    void finish(RootAction& action);
    bool reaches_end(const std::vector<int64_t>& line) const;
    void complete(std::vector<int64_t>& line) const;
    std::size_t winning_action(const std::byte* state, int32_t mover, const ActionList& list) const;

    Engine& engine_;
    const Game& game_;
    StateBuffer root_;
    int32_t mover_ = 0;
    SearchLimits limits_;
    std::chrono::steady_clock::time_point started_;
    const EngineSettings settings_;  // at the start of a search
    const bool starts_sound_;
    SharedSearch shared_;
    bool sound_ = false;
    EngineReport report_;
    DepthReport before_;  // counts before the workers began anew
    int depth_ = 0;  // of the current or last iteration
    int helper_depth_ = 0;  // the starting depth of helpers
    std::deque<RootSearch> searches_;  // one per thread, the main one first
    std::vector<std::exception_ptr> failures_;
    HelperThreads helpers_;
};

}  // namespace zermelo
