// When a search turns to the ending, and how it begins there.
#include <cmath>

#include "search/root.hpp"

namespace zermelo {

namespace {

constexpr double GROWTH = 2.2;  // of the nodes of an ending with each ply that remains
constexpr double PATIENCE = 30;  // nodes that an ending may take for each node so far: they are cheaper
constexpr double UNHURRIED = 300;  // the same where no limit can end it too early
constexpr double SPEED = 8;  // nodes of an ending in the time of one of the main search, at least

}  // namespace

// Whether the search for endings fits the game and the root.
bool EngineSearch::knows_remaining() const {
    return settings_.endings && EndingSearch::fits(game_.table()) && game_.remaining_plies(root_.data()) >= 0;
}

// What the nodes of an ending from the root are measured by.
double EngineSearch::ending_growth() const {
    return std::pow(GROWTH, std::min<double>(static_cast<double>(game_.remaining_plies(root_.data())), 500));
}

// Whether an ending from the root would take little more than the search so far, and no more than is left of its limits.
bool EngineSearch::ends_soon() const {
    if (!report_.known || limits_.depth > 0 || !knows_remaining()) return false;
    const double cost = engine_.ending_cost * ending_growth();
    const auto nodes = static_cast<double>(report_.nodes);
    const bool timed = limits_.seconds >= 0 && limits_.seconds < SearchLimits::LONGEST_SECONDS;
    const bool counted = limits_.nodes < std::numeric_limits<uint64_t>::max() / 4;
    if (cost > (timed || counted ? PATIENCE : UNHURRIED) * nodes) return false;
    if (cost > static_cast<double>(limits_.nodes) - nodes) return false;
    if (!timed) return true;
    return cost / (SPEED * nodes) * report_.seconds < limits_.seconds - report_.seconds;
}

const EngineReport& EngineSearch::search_ending(Watch& watch) {
    const std::vector<RootAction> order = std::move(searches_[0].actions);
    std::optional<double> utility;
    if (report_.known) utility = report_.actions[0].value;
    const uint64_t before = report_.nodes;
    shared_.settings.quick = false;
    begin_again();
    for (RootSearch& search : searches_) search.begin_ending(order, utility);
    sound_ = shared_.probe_draws = true;
    search_to_end(watch);
    const double cost = static_cast<double>(report_.nodes - before) / ending_growth();
    if (report_.proved) engine_.ending_cost += (cost - engine_.ending_cost) / 2;
    else engine_.ending_cost = std::max(engine_.ending_cost, 2 * cost);
    return report_;
}

}  // namespace zermelo
