// Shared by the searches for expected utilities: the path, its limits, chance nodes, and move ordering.
//
// The path is a stack of frames, one per ply: the frame at `ply` holds the position there, and a child is made in the
// frame below. No line is longer than MAX_PLY, which bounds the recursion.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "core/game.hpp"
#include "core/watch.hpp"
#include "search/expectation/settings.hpp"
#include "search/expectation/table.hpp"

namespace zermelo {

// An action of an opponent after this number of skipped turns (best-reply search).
struct Reply {
    uint32_t quiet;
    int64_t action;
};

// One outcome of a chance node, with bounds of its score from MAX's point of view.
struct Outcome {
    int64_t action;
    double probability;
    double lower;
    double upper;
};

struct TreeFrame {
    explicit TreeFrame(const Game& game) : state(game.buffer()), values(game.players()) {}

    StateBuffer state;
    int32_t mover = ZERMELO_TERMINAL;
    ActionList list;
    std::vector<uint32_t> order;  // indices into `list`, in search order
    std::vector<double> estimates;  // static estimates of the results, from the mover's point of view
    std::vector<uint32_t> ranks;  // rank of each index in `list` if narrowed; else empty
    std::vector<Reply> replies;
    std::vector<Outcome> outcomes;
    Line line;
    std::vector<double> values;  // max^n: values for all players
    uint32_t best_place = 0;  // max^n: index in `list` of the best action so far
    uint32_t trying = 0;  // max^n: index in `list` of the action being searched
    bool begun = false;  // max^n: `values` holds those of an action
    bool estimated = false;  // the result rests on an estimate
    bool refuted = false;  // max^n: the mover above will not choose this position

    // Breaks ties: keeps the first by the game's order, or by the estimates that narrowed it.
    uint32_t rank(uint32_t place) const { return ranks.empty() ? place : ranks[place]; }
};

class TreeSearch {
public:
    // Searches to the depth of `limits`, within its nodes and until `deadline`.
    TreeSearch(const Game& game, const TreeSettings& settings, const SearchLimits& limits,
               std::chrono::steady_clock::time_point deadline, ValueTable& table, Watch& watch);

    // Sorts the root's actions by the values so far, the best first.
    void finish();

    TreeResult result;

protected:
    // Enters the root, and returns how deep to search it.
    int begin(const std::byte* root);

    // The root's actions in search order: that of the previous iteration, as far as it was kept.
    void list_root(const std::vector<TreeAction>& before);

    TreeFrame& frame(int ply) { return frames_.at(static_cast<std::size_t>(ply), game_); }

    // Counts nodes, and stops the search when a limit is reached.
    void count(uint64_t nodes = 1);

    // Fills the outcomes of the chance node at `ply`: checked, without those of probability 0, sampled if requested.
    void find_outcomes(int ply);

    // Orders and narrows the `options` of the player node at `ply`; `estimate` fills the static estimate of each
    // option.
    template <typename Estimate>
    void arrange(int ply, int depth, std::size_t options, uint32_t first, const Estimate& estimate) {
        TreeFrame& node = frame(ply);
        node.order.resize(options);
        node.ranks.clear();
        for (std::size_t i = 0; i < options; ++i) node.order[i] = static_cast<uint32_t>(i);
        const bool narrow = ply > 0 && settings_.width > 0 && depth > 1 && options > settings_.width;
        if (options < 2 || (!narrow && (!settings_.order || depth < min_estimate_depth_))) {
            if (settings_.order && first < options) to_front(node.order, first);
            return;
        }
        node.estimates.resize(options);
        estimate(node.estimates.data());
        sort_by_estimates(node);
        if (narrow) {
            node.ranks.resize(options);
            for (std::size_t i = 0; i < options; ++i) node.ranks[node.order[i]] = static_cast<uint32_t>(i);
            node.order.resize(settings_.width);
            node.estimated = true;
        }
        if (settings_.order) to_front(node.order, first);
    }

    // Estimates the results of all actions at `ply` from the mover's point of view, in one call.
    void estimate_results(int ply, double* estimates);

    TableKey key_of(const std::byte* state) const;
    void check_actions(int ply);  // throws if a player has none

    const Game& game_;
    const TreeSettings settings_;
    const SearchLimits limits_;
    ValueTable& table_;
    uint64_t salt_ = 0;  // part of every key, so that different kinds of searches do not share entries
    Position position_;
    Game::Frontier frontier_;

private:
    [[noreturn]] void stop();
    static void sort_by_estimates(TreeFrame& node);
    static void to_front(std::vector<uint32_t>& order, uint32_t place);

    Watch& watch_;
    PlyStack<TreeFrame> frames_;
    const int min_estimate_depth_;  // the least depth at which actions are ordered by static estimates
    const std::chrono::steady_clock::time_point deadline_;
    uint64_t next_look_ = 0;
};

}  // namespace zermelo
