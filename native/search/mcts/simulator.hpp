// One thread's simulations: selection, expansion, playout, backing up.
//
//     select   from the root down, in each position the child with the greatest
//                  UCT    mean + c * width * sqrt(ln(visits of the parent) / visits)
//                  PUCT   mean + c * width * prior * sqrt(visits of the parent) / (1 + visits)
//              where a child that was never visited comes first (UCT) or is worth what its siblings are (PUCT)
//     expand   the position where that ends, if it has been visited before
//     play out at random to the end of the game
//     back up  the utilities of that end, to every position on the way
//
// `src/zermelo/search/mcts` is the specification: with the same settings and seed, on one thread, both build the same tree.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/game.hpp"
#include "core/random.hpp"
#include "core/watch.hpp"
#include "search/mcts/played.hpp"
#include "search/mcts/sets.hpp"
#include "search/mcts/settings.hpp"
#include "search/mcts/tree.hpp"
#include "search/mcts/worlds.hpp"
#include "search/settings.hpp"

namespace zermelo {

// Whether what is proved is backed up: with more players, or other sums, a value is not the only one there is.
inline bool has_solver(const zermelo_table& table, const MctsSettings& settings) {
    const bool opposed = table.players == 2 && (table.capabilities & ZERMELO_CONSTANT_SUM);
    return settings.solver && (table.players == 1 || opposed);
}

// Whether the game's own opinions of actions count; prior probabilities stand in their place.
inline bool has_opinions(const zermelo_table& table, const MctsSettings& settings) {
    return table.priors && !settings.puct;
}

inline bool heeds_repetition(const zermelo_table& table) {
    return table.capabilities & (ZERMELO_REPETITION_DRAW | ZERMELO_REPETITION_FORBIDDEN | ZERMELO_REPETITION_LOSES |
                                 ZERMELO_REPETITION_PERPETUAL);
}

// What the threads of one search share.
struct MctsShared {
    MctsTree& tree;
    const MctsSettings& settings;
    const MctsLimits& limits;
    const std::byte* root;
    int32_t root_mover;
    MctsSets& sets;
    uint64_t trail;  // of the root's mover, before it looks at the root
    MctsWorlds* worlds = nullptr;  // where players do not see everything
    uint64_t root_key = 0;
    std::unordered_map<uint64_t, CheckRun> history = {};  // positions that count as repeated, and what was played since
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    std::atomic<bool> stop{false};
    std::atomic<bool> frozen{false};  // no room for more nodes, and none to be made
    // The least and the greatest utility seen so far, for games that do not bound them.
    std::atomic<double> least{std::numeric_limits<double>::infinity()};
    std::atomic<double> most{-std::numeric_limits<double>::infinity()};
    alignas(64) std::atomic<uint64_t> simulations{0};
    std::atomic<uint64_t> nodes{0};
};

// A position to be judged from outside, and what is thought of it: a probability an action, a utility a player.
struct MctsQuestion {
    std::vector<uint32_t> path;
    std::vector<int64_t> actions;
    StateBuffer state;
    int32_t mover = 0;
    std::vector<double> priors = {};
    std::vector<double> utilities = {};
};

using MctsEvaluator = std::function<void(std::span<MctsQuestion>)>;

class MctsSimulator {
public:
    MctsSimulator(const Game& game, MctsShared& shared, uint64_t seed, bool alone, bool batched);

    // One simulation, from the root to the root.
    void simulate();

    // Up to `count` simulations whose leaves are judged together; how many it was.
    uint64_t simulate_batch(std::size_t count, const MctsEvaluator& evaluator);

    // Makes the children of the root.
    void expand_root(const MctsEvaluator* evaluator);

    // Once the root has its children, before the first simulation.
    void begin();
    // Who to ask whether to end, for the thread that started the search.
    void heed(Watch* watch) { watch_ = watch; }

    // Where players do not see everything, there must be something to simulate in; throws `Stopped` if nothing comes of it.
    void imagine_first();

    uint64_t take_nodes() { return std::exchange(nodes_, 0); }
    uint64_t simulations() const { return simulations_; }
    std::span<const double> root_sums() const { return root_sums_; }  // every player's, of all simulations
    std::span<const double> child_sums() const { return child_sums_; }  // the same for each child of the root
    std::span<const uint32_t> child_visits() const { return child_visits_; }

private:
    enum class Arrival { ended, leaf, busy };

    Arrival descend(bool judged);
    void plant_root();
    bool is_late();
    const std::byte* draw_world();
    bool add_world(std::size_t place);
    Arrival descend_world();
    MctsSets::Set find_set();
    bool enter_child(uint32_t at, uint32_t child, const std::byte* state, std::byte* below);
    bool repeats(uint64_t key) const;
    int32_t repetition_loser() const;
    bool take_settled(uint32_t index);
    bool is_proved(const MctsNode& node) const;
    bool take_proved(const MctsNode& node);
    MctsQuestion ask(const std::byte* state, int32_t mover) const;
    uint32_t choose(uint32_t at);
    uint32_t draw_outcome(const MctsNode& node);
    template <typename Score>
    uint32_t best_open(const MctsNode& node, const Score& score) const;
    uint32_t select_uct(const MctsNode& node);
    uint32_t select_puct(const MctsNode& node);
    bool is_open(const MctsNode& node, const MctsNode& child) const;
    double mean(const MctsNode& child, uint32_t index, double visits) const;
    std::size_t width_of(const MctsNode& node) const;
    double span() const;
    double luck();

    bool expand(uint32_t at, const std::byte* state, std::span<const double> priors);
    void add_opinions(const MctsNode& node, const std::byte* state, uint32_t first);
    void sort_actions(const std::byte* state, std::span<const double> priors);

    void playout();
    std::size_t best_estimate();
    void judge_here();
    void back_up();
    void back_up_world();
    void add_to_child(std::size_t place);
    void update_amaf(std::span<const double> utilities);
    bool tighten(MctsNode& node);
    bool raise(std::atomic<double>& bound, double to);
    bool lower(std::atomic<double>& bound, double to);
    void note_range();
    void leave_path();

    const Game& game_;
    const zermelo_table& table_;
    MctsShared& shared_;
    MctsTree& tree_;
    Watch* watch_ = nullptr;
    const MctsSettings settings_;
    const bool alone_;  // no other thread uses the tree
    const bool virtual_;  // simulations under way are to be seen by others
    const bool solver_;
    const bool bounded_;
    const bool repetition_counts_;
    const bool chances_;  // chance may move
    const bool
        hidden_;  // players do not see everything: choices in step with another's, unseen, would seem to answer it
    Random random_;
    uint64_t word_;  // the state of the game's own generator

    std::vector<uint32_t> path_;
    std::vector<uint64_t> keys_;  // of the positions on the path, where repetition counts
    std::vector<uint8_t> irreversible_;  // whether the step to each of them was
    std::vector<uint8_t> checks_;  // and whether it gave check, where perpetual check loses
    std::vector<StateBuffer> pool_;  // worlds to draw from
    std::vector<uint64_t> trails_;  // of each player in one: a hash of what it has seen and done since the root
    std::vector<uint64_t> last_sets_;  // and its last information set
    StateBuffer buffers_[2];
    const std::byte* state_ = nullptr;  // where the path ends
    Position position_;
    ActionList list_;
    Position scratch_;  // of the positions that a rollout compares
    Game::Frontier frontier_;  // and their values
    std::vector<double> ranks_;
    std::vector<double> prior_values_, prior_weights_;
    std::vector<std::size_t> order_;
    std::vector<int64_t> played_;
    std::vector<int32_t> movers_;
    std::size_t played_count_ = 0;
    PlayedActions moments_;
    bool banned_ = false;  // an action was found to be forbidden on the way
    uint64_t nodes_ = 0;
    uint64_t simulations_ = 0;
    std::vector<double> root_sums_, child_sums_;
    std::vector<uint32_t> child_visits_;
};

}  // namespace zermelo
