// What the searches for expected utilities share: the path, its limits, chance nodes, and the order of actions.
//
// The path lives in frames, one a ply: the frame at `ply` holds the position there, and a child is made in the frame below.
// No line is followed further than MAX_PLY, so that the machine's stack bounds the recursion.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "core/game.hpp"
#include "core/watch.hpp"
#include "search/expectation/settings.hpp"
#include "search/expectation/table.hpp"

namespace zermelo {

// An action of an opponent after so many turns in which nothing happens (best-reply search).
struct Reply {
    uint32_t quiet;
    int64_t action;
};

// One outcome of a chance node: what is known of its score, in MAX's view.
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
    std::vector<uint32_t> order;  // places in `list`, as they are to be tried
    std::vector<double> looks;  // what the results seem to be worth to the mover, at first sight
    std::vector<uint32_t> ranks;  // of the places in `list`, where they are narrowed; else empty
    std::vector<Reply> replies;
    std::vector<Outcome> outcomes;
    Line line;
    std::vector<double> values;  // max^n: of all players
    uint32_t best_place = 0;  // max^n: where the best action so far stands in `list`
    uint32_t trying = 0;  // max^n: where the action under way does
    bool begun = false;  // max^n: `values` are those of an action
    bool estimated = false;  // the result rests on an estimate
    bool refuted = false;  // max^n: the mover above will not choose this position

    // What decides between equals: the first by the game's order, or by the looks that have narrowed it, is kept.
    uint32_t rank(uint32_t place) const { return ranks.empty() ? place : ranks[place]; }
};

class TreeSearch {
public:
    // Searches to the depth of `limits`, within its nodes and until `deadline`.
    TreeSearch(const Game& game, const TreeSettings& settings, const SearchLimits& limits,
               std::chrono::steady_clock::time_point deadline, ValueTable& table, Watch& watch);

    // Sorts what the root has learnt so far, the best action first.
    void finish();

    TreeResult result;

protected:
    // Enters the root, and says how deep to search it.
    int begin(const std::byte* root);

    // The root's actions in the order in which they are to be searched: the last iteration's, as far as it goes on.
    void list_root(const std::vector<TreeAction>& before);

    TreeFrame& frame(int ply) { return frames_.at(static_cast<std::size_t>(ply), game_); }

    // Counts nodes, or stops the search where a limit is reached.
    void count(uint64_t nodes = 1);

    // Fills the outcomes of the chance node at `ply`: checked, without those of probability 0, sampled where asked.
    void find_outcomes(int ply);

    // Orders and narrows the `options` of the player's node at `ply`; `look` says what option i seems to be worth.
    template <typename Look>
    void arrange(int ply, int depth, std::size_t options, uint32_t first, const Look& look) {
        TreeFrame& node = frame(ply);
        node.order.resize(options);
        node.ranks.clear();
        for (std::size_t i = 0; i < options; ++i) node.order[i] = static_cast<uint32_t>(i);
        const bool narrow = ply > 0 && settings_.width > 0 && depth > 1 && options > settings_.width;
        if (options < 2 || (!narrow && (!settings_.order || depth < look_from_))) {
            if (settings_.order && first < options) to_front(node.order, first);
            return;
        }
        node.looks.resize(options);
        look(node.looks.data());
        sort_by_looks(node);
        if (narrow) {
            node.ranks.resize(options);
            for (std::size_t i = 0; i < options; ++i) node.ranks[node.order[i]] = static_cast<uint32_t>(i);
            node.order.resize(settings_.width);
            node.estimated = true;
        }
        if (settings_.order) to_front(node.order, first);
    }

    // What the results of the actions at `ply` seem to be worth to their mover: one call for all.
    void look_at_results(int ply, double* looks);

    TableKey key_of(const std::byte* state) const;
    void check_actions(int ply);  // a player must have one

    const Game& game_;
    const TreeSettings settings_;
    const SearchLimits limits_;
    ValueTable& table_;
    uint64_t salt_ = 0;  // in every key: entries of one kind of search are nothing to another
    Position position_;
    Game::Frontier frontier_;

private:
    [[noreturn]] void stop();
    static void sort_by_looks(TreeFrame& node);
    static void to_front(std::vector<uint32_t>& order, uint32_t place);

    Watch& watch_;
    PlyStack<TreeFrame> frames_;
    const int look_from_;  // the least depth at which actions are looked at before they are searched
    const std::chrono::steady_clock::time_point deadline_;
    uint64_t next_look_ = 0;
};

}  // namespace zermelo
