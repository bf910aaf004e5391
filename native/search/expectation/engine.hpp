// Iterations of a search for expected utilities over one game: what it learns goes on from one to the next.
#pragma once

#include <memory>

#include "search/expectation/settings.hpp"
#include "search/expectation/table.hpp"
#include "core/watch.hpp"
#include "search/root_order.hpp"

namespace zermelo {

class ExpectationEngine {
public:
    // `everybody` keeps a value for every player (max^n), and not MAX's alone.
    ExpectationEngine(const zermelo_table& table, std::size_t table_bytes, bool everybody);

    // Searches `root` to the depth of the limits.
    TreeResult iterate(const std::byte* root, const TreeLimits& limits, const TreeSettings& settings, Watch& watch);

    // Before a new root: forgets the order that the last iteration left behind, and ages what is remembered.
    void begin();
    void clear();

private:
    template <typename Search>
    TreeResult run(const std::byte* root, const TreeLimits& limits, const TreeSettings& settings, Watch& watch);

    const Game game_;
    ValueTable table_;
    RootOrder<TreeAction> order_;
};

}  // namespace zermelo
