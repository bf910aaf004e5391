// Monte Carlo tree search of successive positions, on any number of threads.
//
// All threads share one tree. The tree of the last position is reused if it contains the next one. When memory runs
// out, the least visited subtrees are pruned.
#pragma once

#include <memory>
#include <optional>

#include "search/mcts/simulator.hpp"

namespace zermelo {

// The input of one search.
struct MctsTask {
    const std::byte* root = nullptr;
    MctsLimits limits = {};
    std::vector<StateBuffer> history = {};  // the states of the game so far
    std::vector<std::pair<StateBuffer, CheckRun>> repeated = {};  // those whose return counts as a repetition
    MctsEvaluator evaluator = nullptr;  // evaluates leaves, `batch` at a time, on one thread
    std::size_t batch = 1;
    std::vector<double> noise = {};  // mixed into the root's priors with this weight
    double share = 0;
    // With hidden information: the root is what its mover sees, the search is over information sets, and nothing is
    // proved.
    MctsWorlds* worlds = nullptr;
};

class MctsSearch {
public:
    // `tables` may be null, and outlives the search.
    MctsSearch(const zermelo_table& table, std::size_t bytes, unsigned threads, const MctsSettings& settings,
               const Tables* tables = nullptr);

    MctsResult run(const MctsTask& task, Watch& watch);

    // Clears the tree.
    void clear();

private:
    static constexpr double KEPT_SHARE = 0.5;  // the share of memory in use after pruning
    static constexpr std::size_t SHARE_OF_SETS = 4;  // the tree takes two thirds, and keeping sets the rest

    void consult(const MctsTask& task, MctsShared& shared);
    bool is_preferred(int32_t mover, std::size_t place, std::size_t other) const;
    std::optional<std::size_t> decided(const MctsShared& shared) const;
    void prepare(const MctsTask& task);
    void prepare_sets(const MctsTask& task, int32_t mover);
    void restrict_root(std::vector<int64_t> only);
    std::optional<uint64_t> trail_to(const std::byte* root, const std::vector<StateBuffer>& history) const;
    std::size_t after_root(const std::vector<StateBuffer>& history) const;
    bool is_root(const std::byte* state) const { return game_.key(state) == game_.key(root_.data()); }
    bool begins_alike(const std::vector<StateBuffer>& history) const;
    uint32_t find(const std::byte* root, const std::vector<StateBuffer>& history) const;
    uint32_t follow(uint32_t at, const std::byte* from, const std::byte* to) const;
    void mix_noise(const std::vector<double>& noise, double share);
    MctsEnd simulate(std::vector<MctsSimulator>& simulators, MctsShared& shared, Watch& watch, const MctsTask& task,
                     MctsResult& result);
    std::optional<MctsEnd> work(MctsSimulator& simulator, MctsShared& shared, Watch* watch, const MctsTask& task);
    std::optional<MctsEnd> reached(const MctsShared& shared, uint64_t simulations) const;
    bool is_settled(const MctsShared& shared) const;
    bool is_proved() const;
    uint32_t best_child(uint32_t at) const;
    std::vector<int64_t> line_from(uint32_t at) const;
    MctsAction describe(uint32_t index, int32_t mover) const;
    void report(const std::vector<MctsSimulator>& simulators, const MctsShared& shared, MctsResult& result) const;
    void tell(double value, int32_t mover, MctsResult& result) const;
    std::vector<double> share_out(std::vector<double> sums, double count, double value, int32_t mover) const;

    const Game game_;
    const unsigned threads_;
    const MctsSettings settings_;
    const bool solver_;
    const Tables* const tables_;
    MctsTree tree_;
    MctsSets sets_;  // with hidden information only
    uint64_t trail_ = 0;  // hash of what the root's mover had seen and done before it, since the tree was created
    StateBuffer root_;
    bool planted_ = false;  // the tree is that of `root_`
    std::vector<uint64_t> past_;  // the positions before `root_`, where repetition counts: the tree is theirs, too
    std::tuple<bool, uint32_t, WayDown> conditions_{
        true, 0, {}};  // of the proofs in the tree that rest on endgame tables
    std::vector<double> clean_;  // the priors of the root's actions without noise
    uint64_t round_ = 0;  // number of searches so far; part of the seed
    std::chrono::steady_clock::time_point started_;
    uint64_t inherited_ = 0;  // visits that the root had when the search began
};

}  // namespace zermelo
