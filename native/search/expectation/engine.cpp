#include "search/expectation/engine.hpp"

#include "search/expectation/expectiminimax.hpp"
#include "search/expectation/maxn.hpp"

namespace zermelo {

ExpectationEngine::ExpectationEngine(const zermelo_table& table, std::size_t table_bytes, bool everybody)
    : game_(table), table_(table_bytes, everybody ? static_cast<std::size_t>(table.players) : 1) {}

void ExpectationEngine::begin() {
    order_.clear();
    table_.grow_older();
}

void ExpectationEngine::clear() {
    begin();
    table_.clear();
}

TreeResult ExpectationEngine::iterate(const std::byte* root, const TreeLimits& limits, const TreeSettings& settings,
                                      Watch& watch) {
    if (settings.method == TreeMethod::maxn) return run<Maxn>(root, limits, settings, watch);
    return run<Expectiminimax>(root, limits, settings, watch);
}

template <typename Search>
TreeResult ExpectationEngine::run(const std::byte* root, const TreeLimits& limits, const TreeSettings& settings,
                                  Watch& watch) {
    Search search(game_, settings, limits, table_, watch);
    try {
        search.run(root, order_.get(root, game_.state_size(), limits.only));
    } catch (const Stopped&) {  // what is known by then is an answer
    }
    search.finish();
    if (search.result.finished) order_.keep(root, game_.state_size(), limits.only, search.result.actions);
    return std::move(search.result);
}

}  // namespace zermelo
