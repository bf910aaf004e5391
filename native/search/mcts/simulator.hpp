// The simulations of one thread: selection, expansion, playout, backup.
//
//     select   from the root down, in each position the child with the greatest
//                  UCT    mean + c * width * sqrt(ln(visits of the parent) / visits)
//                  PUCT   mean + c * width * prior * sqrt(visits of the parent) / (1 + visits)
//              where a child that was never visited comes first (UCT) or is worth what its siblings are (PUCT)
//     expand   the position where that ends, if it has been visited before
//     play out at random to the end of the game, or ask the game's policy, if it has one (a network): then positions are
//              judged before they are expanded
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

// Whether proofs are backed up: with more players, or without a constant sum, values are not unique.
inline bool has_solver(const zermelo_table& table, const MctsSettings& settings) {
    const bool opposed = table.players == 2 && (table.capabilities & ZERMELO_CONSTANT_SUM);
    return settings.solver && (table.players == 1 || opposed);
}

// Whether new positions are judged by the game's policy in place of a playout.
inline bool has_judge(const zermelo_table& table, const MctsSettings& settings) {
    return table.policy && settings.puct;
}

// Whether the game's own priors are used; probabilities of an evaluator replace them.
inline bool has_opinions(const zermelo_table& table, const MctsSettings& settings) {
    return table.priors && !settings.puct;
}

inline bool heeds_repetition(const zermelo_table& table) {
    return table.capabilities & (ZERMELO_REPETITION_DRAW | ZERMELO_REPETITION_FORBIDDEN | ZERMELO_REPETITION_LOSES |
                                 ZERMELO_REPETITION_PERPETUAL);
}

// Shared by the threads of one search.
struct MctsShared {
    MctsTree& tree;
    const MctsSettings& settings;
    const MctsLimits& limits;
    const std::byte* root;
    int32_t root_mover;
    MctsSets& sets;
    uint64_t trail;  // of the root's mover, before it observes the root
    MctsWorlds* worlds = nullptr;  // with hidden information only
    uint64_t root_key = 0;
    std::unordered_map<uint64_t, CheckRun> history = {};  // positions that count as repeated, and what was played since
    const Tables* tables = nullptr;  // endgame tables
    bool probe_draws = true;  // not where they call the root drawn
    WayDown way_down = {};  // from a root whose distance to the end they do not know exactly
    std::optional<double> told = std::nullopt;  // the value of a root that is searched all the same
    uint32_t past_distance =
        std::numeric_limits<uint32_t>::max();  // the least to the end, of positions before the root
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    std::atomic<bool> stop{false};
    std::atomic<bool> frozen{false};  // no room for more nodes; none are created
    // The least and the greatest utility so far, for games that do not declare bounds.
    std::atomic<double> least{std::numeric_limits<double>::infinity()};
    std::atomic<double> most{-std::numeric_limits<double>::infinity()};
    alignas(64) std::atomic<uint64_t> simulations{0};
    std::atomic<uint64_t> nodes{0};
};

// A position for the evaluator, and its answer: a probability per action, a utility per player.
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

    // Runs one simulation.
    void simulate();

    // Runs up to `count` simulations whose leaves are evaluated in one batch; returns their number.
    uint64_t simulate_batch(std::size_t count, const MctsEvaluator& evaluator);

    // Creates the children of the root.
    void expand_root(const MctsEvaluator* evaluator);

    // Called once the root has its children, before the first simulation.
    void begin();
    // Sets the callback to poll, for the thread that started the search.
    void heed(Watch* watch) { watch_ = watch; }

    // With hidden information: samples the first worlds; throws `Stopped` if the search is stopped before.
    void imagine_first();

    uint64_t take_nodes() { return std::exchange(nodes_, 0); }
    uint64_t simulations() const { return simulations_; }
    uint64_t probed() const { return probed_; }  // positions that endgame tables settled
    std::span<const double> root_sums() const { return root_sums_; }  // every player's, of all simulations
    std::span<const double> child_sums() const { return child_sums_; }  // the same for each child of the root
    std::span<const uint32_t> child_visits() const { return child_visits_; }

private:
    enum class Arrival { ended, leaf, busy };

    Arrival descend(bool with_evaluator);
    void simulate_judged();
    void mix_playout();
    void judge_visited(uint32_t at);
    void blend(double count, std::span<const double> judged);
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
    bool take_known(MctsNode& node);
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
    void estimate_here();
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
    const bool virtual_;  // virtual losses are used
    const bool judged_;  // the game's policy judges positions
    const bool lazy_;  // … once they have been visited often enough
    const bool solver_;
    const bool opposed_;  // two players with a constant sum: one value says both
    const bool bounded_;
    const bool repetition_counts_;
    const bool chances_;  // chance may move
    const bool
        hidden_;  // hidden information: hidden choices correlated with another player's would look like replies to it
    Random random_;
    uint64_t word_;  // the state of the generator for the game's own playouts

    std::vector<uint32_t> path_;
    std::vector<uint64_t> keys_;  // of the positions on the path, where repetition counts
    std::vector<uint8_t> irreversible_;  // whether the step to each of them was irreversible
    std::vector<uint8_t> checks_;  // and whether it gave check, where perpetual check loses
    std::vector<StateBuffer> pool_;  // sampled worlds
    std::vector<uint64_t> trails_;  // per player in one world: a hash of what it has seen and done since the root
    std::vector<uint64_t> last_sets_;  // and its last information set
    StateBuffer buffers_[2];
    const std::byte* state_ = nullptr;  // the position at the end of the path
    Position position_;
    ActionList list_;
    Position scratch_;  // of the positions that a rollout compares
    Game::Frontier frontier_;  // and their values
    std::vector<double> ranks_;
    std::vector<double> prior_values_, prior_weights_;
    std::vector<int64_t> judged_actions_;
    std::vector<double> judged_priors_;
    std::vector<std::size_t> order_;
    std::vector<int64_t> played_;
    std::vector<int32_t> movers_;
    std::size_t played_count_ = 0;
    PlayedActions moments_;
    bool banned_ = false;  // a forbidden action was found on the path
    uint64_t nodes_ = 0;
    uint64_t simulations_ = 0;
    uint64_t probed_ = 0;
    std::vector<double> root_sums_, child_sums_;
    std::vector<uint32_t> child_visits_;
};

}  // namespace zermelo
