#include "search/expectation/engine.hpp"

#include "search/expectation/expectiminimax.hpp"
#include "search/expectation/maxn.hpp"

namespace zermelo {

ExpectationSearch::ExpectationSearch(ExpectationEngine& engine, const std::byte* root, SearchLimits limits)
    : engine_(engine), root_(engine.game.buffer()), limits_(std::move(limits)) {
    std::memcpy(root_.data(), root, engine.game.state_size());
    engine_.table.grow_older();
}

const ExpectationReport& ExpectationSearch::next_depth(Watch& watch) {
    const int stride = engine_.settings.stride, deepest = limits_.deepest();
    if (depth_ > 0) iterate(std::min(depth_ + stride, deepest), watch);
    else iterate(limits_.depth > 0 ? (deepest - 1) % stride + 1 : 1, watch);
    return report_;
}

const ExpectationReport& ExpectationSearch::search_depth(int depth, Watch& watch) {
    iterate(depth, watch);
    return report_;
}

const ExpectationReport& ExpectationSearch::search_to_end(Watch& watch) {
    iterate(MAX_PLY, watch);
    report_.depth = DepthReport::NO_DEPTH;
    return report_;
}

void ExpectationSearch::iterate(int depth, Watch& watch) {
    depth_ = depth;
    const auto search = [&] {
        return engine_.settings.method == TreeMethod::maxn ? run<Maxn>(depth, watch)
                                                           : run<Expectiminimax>(depth, watch);
    };
    TreeResult found = search();
    if (found.uneven && !engine_.keep_pruning) {
        engine_.settings.pruning = TreePruning::none;
        engine_.gave_up_pruning = true;
        found = search();
    }
    report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    report_.table_per_mille = engine_.table.per_mille_full();
    report_.gave_up_pruning = engine_.gave_up_pruning;
    report_.uneven = found.uneven;
    if (!found.finished)
        report_.stopped = !found.limited                   ? StopReason::stop
                          : report_.nodes >= limits_.nodes ? StopReason::nodes
                                                           : StopReason::seconds;
    if (!found.finished && !found.known && report_.known) return;
    if (found.finished) {
        report_.depth = depth;
        order_ = found.actions;
    }
    report_.known = found.known || found.finished;
    report_.proved = found.finished && is_proved(found);
    // A line other than the best may still rest on estimates when the best one is proved.
    report_.settled = found.finished && (!found.cut_short || (report_.proved && limits_.lines == 1));
    report_.found = std::move(found);
}

template <typename Search>
TreeResult ExpectationSearch::run(int depth, Watch& watch) {
    SearchLimits limits = limits_;
    limits.depth = std::min(depth, MAX_PLY);
    limits.nodes -= std::min(report_.nodes, limits.nodes);
    Search search(engine_.game, engine_.settings, limits, limits_.deadline(started_), engine_.table, watch);
    try {
        if (report_.known) watch.poll();
        search.run(root_.data(), order_);
    } catch (const Stopped&) {  // the result so far is the answer
    }
    search.finish();
    report_.nodes += search.result.nodes;
    report_.leaves += search.result.leaves;
    report_.cutoffs += search.result.cutoffs;
    return std::move(search.result);
}

bool ExpectationSearch::is_proved(const TreeResult& found) const {
    const TreeSettings& settings = engine_.settings;
    if (settings.method == TreeMethod::best_reply) return false;
    if (!found.estimated) return true;
    const bool extreme = found.value == engine_.game.table().low || found.value == engine_.game.table().high;
    return settings.is_complete() && settings.method != TreeMethod::maxn && !found.bold && extreme;
}

}  // namespace zermelo
