// Monte Carlo tree search of one position after another, on as many threads as one likes.
//
// All threads work on one tree. The tree of the last position is used again where it holds the next one. When memory is
// short, the least visited subtrees are given up.
#pragma once

#include <memory>
#include <optional>

#include "search/mcts/simulator.hpp"

namespace zermelo {

class MctsSearch {
public:
    MctsSearch(const zermelo_table& table, std::size_t bytes, unsigned threads, const MctsSettings& settings);

    // `history` holds the states of the game so far, `repeated` those whose return counts as a repetition. With an
    // `evaluator` leaves are judged by it, `batch` at a time, on one thread; `noise` is mixed into the root's priors. With
    // `worlds` the root is what its mover sees, and the search is that of information sets; nothing is proved then.
    MctsResult run(const std::byte* root, const std::vector<StateBuffer>& history,
                   const std::vector<std::pair<StateBuffer, Stretch>>& repeated, const MctsLimits& limits, Watch& watch, const MctsEvaluator& evaluator = nullptr, std::size_t batch = 1,
                   const std::vector<double>& noise = {}, double share = 0, MctsWorlds* worlds = nullptr);

    // Forgets the tree.
    void clear();

private:
    static constexpr double KEPT = 0.5;               // the share of the memory that pruning leaves in use
    static constexpr std::size_t SHARE_OF_SETS = 4;   // the tree takes two thirds, and keeping sets the rest

    void prepare(const std::byte* root, const std::vector<StateBuffer>& history, bool reusable);
    void prepare_sets(const std::byte* root, int32_t mover, const std::vector<StateBuffer>& history, bool reusable);
    std::optional<uint64_t> trail_to(const std::byte* root, const std::vector<StateBuffer>& history) const;
    std::size_t after_root(const std::vector<StateBuffer>& history) const;
    uint32_t find(const std::byte* root, const std::vector<StateBuffer>& history) const;
    uint32_t follow(uint32_t at, const std::byte* from, const std::byte* to) const;
    void mix_noise(const std::vector<double>& noise, double share);
    MctsEnd simulate(std::vector<MctsSimulator>& simulators, MctsShared& shared, Watch& watch,
                     const MctsEvaluator& evaluator, std::size_t batch, MctsResult& result);
    std::optional<MctsEnd> work(MctsSimulator& simulator, MctsShared& shared, Watch* watch, const MctsEvaluator& evaluator,
                                std::size_t batch);
    std::optional<MctsEnd> reached(const MctsShared& shared, uint64_t simulations) const;
    bool is_settled(const MctsShared& shared) const;
    bool is_proved() const;
    uint32_t best_child(uint32_t at) const;
    MctsAction describe(uint32_t index, int32_t mover) const;
    void report(const std::vector<MctsSimulator>& simulators, int32_t mover, MctsResult& result) const;

    const Game game_;
    const unsigned threads_;
    const MctsSettings settings_;
    const bool solver_;
    MctsTree tree_;
    MctsSets sets_;  // where players do not see everything
    uint64_t trail_ = 0;  // what the root's mover had seen and done before it, since the tree began
    StateBuffer root_;
    bool planted_ = false;  // the tree is that of `root_`
    uint64_t round_ = 0;    // searches so far, so that each has random numbers of its own
    std::chrono::steady_clock::time_point started_;
    uint64_t inherited_ = 0;  // visits that the root had when the search began
};

}  // namespace zermelo
