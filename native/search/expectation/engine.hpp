// Iterative deepening of expectiminimax and max^n over one game, on one thread.
#pragma once

#include "core/watch.hpp"
#include "search/expectation/settings.hpp"
#include "search/expectation/table.hpp"

namespace zermelo {

// What is kept between searches.
struct ExpectationEngine {
    // With `keep_pruning`, max^n keeps pruning even if it turns out to be unsound.
    ExpectationEngine(const zermelo_table& table, std::size_t table_bytes, const TreeSettings& settings,
                      bool keep_pruning)
        : game(table),
          table(table_bytes, settings.method == TreeMethod::maxn ? static_cast<std::size_t>(table.players) : 1),
          settings(settings), keep_pruning(keep_pruning) {}

    void clear() { table.clear(); }

    const Game game;
    ValueTable table;
    TreeSettings settings;
    const bool keep_pruning;
    bool gave_up_pruning = false;
};

// One search of one position, depth by depth.
class ExpectationSearch {
public:
    ExpectationSearch(ExpectationEngine& engine, const std::byte* root, SearchLimits limits);

    // Searches the next depth, by the stride of the settings.
    const ExpectationReport& next_depth(Watch& watch);
    // Searches to `depth` alone.
    const ExpectationReport& search_depth(int depth, Watch& watch);
    // Searches to the end of the game.
    const ExpectationReport& search_to_end(Watch& watch);

    bool done() const { return report_.stopped != StopReason::none || report_.settled || depth_ >= limits_.deepest(); }
    const ExpectationReport& report() const { return report_; }

private:
    void iterate(int depth, Watch& watch);
    template <typename Search>
    TreeResult run(int depth, Watch& watch);
    bool is_proved(const TreeResult& found) const;

    ExpectationEngine& engine_;
    StateBuffer root_;
    const SearchLimits limits_;
    const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    ExpectationReport report_;
    std::vector<TreeAction> order_;  // order of the root's actions after the last completed iteration
    int depth_ = 0;
};

}  // namespace zermelo
