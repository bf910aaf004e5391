// Re-solves what follows a public state as far as the next deal. Beyond it hands are compared at once, and a network says
// how much more than that each hand is worth.
//
// The game given has one street of choices; after a deal there are only showdowns. Hands of a board fall into buckets by
// strength, each between two neighbours. The network sees which share of either range falls into each bucket, and what is
// public; it says for each bucket of either player what a hand gets beyond the showdown.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/watch.hpp"
#include "networks/dense.hpp"
#include "regret/minimiser.hpp"
#include "regret/ranges/ends.hpp"
#include "regret/ranges/public.hpp"
#include "regret/step.hpp"

namespace zermelo::regret {

// What lies beyond a deal.
struct Beyond {
    static constexpr int max_inputs = 256;
    std::shared_ptr<const DenseNetwork> network;  // null: showdowns alone
    std::size_t buckets = 0;
    std::vector<float> scales;  // per deal: what the numbers of the network are multiplied with; 0 if nothing follows
    std::vector<float> features;  // per deal: the public inputs, as many for each
};

// The opponent may stop at the start and take a value for its hand: the gadget of safe re-solving.
struct Gadget {
    int player = -1;  // nobody
    std::vector<float> stops;  // per hand of the first board
};

class Lookahead {
public:
    // Throws `PublicError` if the parts do not fit each other.
    Lookahead(const PublicGame& game, const Rule& rule, Beyond beyond, Gadget gadget);

    void run(uint64_t iterations, Watch& watch);
    uint64_t iterations() const { return iterations_; }

    // The average strategy of the street: of player 0, then of player 1, one probability per choice, action and hand.
    std::vector<double> strategy() const;

    // What is worth what when both play by their averages, but p answers best: see `worths` and `deals`.
    void evaluate(int p);
    // Of p after `evaluate`: the counterfactual value of each hand at each node of the street, node by node.
    std::vector<float> worths(int p) const;
    // Likewise at each deal after each board: board by board, deal by deal, hands in the order of the first board.
    std::vector<float> deals(int p) const;
    // The probability that q goes to each node with each hand, by its range and its average strategy, node by node.
    std::vector<float> reaches(int q) const;

private:
    struct Memory {
        std::vector<float> regrets, mean;
    };

    // What one player has on the first board during a pass.
    struct Side {
        std::vector<const float*> reach;  // by node
        std::vector<float*> value;  // by node
        std::vector<float> entry, rows, leaves;
        std::vector<float> totals;  // per deal and hand: the sum over boards
        std::vector<std::vector<float>> boards;  // after `evaluate`, per board: the same for its hands
    };

    // Where a hand of a board lies between two buckets.
    struct Place {
        std::vector<int32_t> low;
        std::vector<float> share;  // of the bucket above
    };

    const Board& root() const { return game_.boards.front(); }
    const Street& street() const { return game_.streets[root().street]; }
    const Part& part() const { return street().parts.front(); }
    std::size_t size(int p) const { return root().hands[p].size(); }
    Known<float> known(const PublicNode& node);
    void check() const;
    void place_hands();
    void enter(int q);
    template <typename Give>
    void descend(int q, const Give& give);
    template <typename Take>
    void ascend(const Take& take);
    void settle(int p);
    void look_beyond(int p, bool keep);
    void look_at(int p, std::size_t child);
    void correct(int p, std::size_t child, std::size_t deal, const float* met, float* values);
    void follow(int p);
    void shares(const PublicNode& node, float* rows) const;

    const PublicGame& game_;
    const Rule rule_;
    const Beyond beyond_;
    const Gadget gadget_;
    std::array<Memory, 2> memories_;
    std::array<Side, 2> sides_;
    std::vector<std::array<Place, 2>> places_;  // per board after a deal
    std::array<std::vector<float>, 2> gate_;  // regrets of the gadget: to stop, to go on
    std::array<std::vector<float>, 2> entries_, shapes_;
    std::vector<float> met_, worth_, chosen_;
    Settler<float> settler_;
    uint64_t iterations_ = 0;
    double total_ = 0;
    float pending_ = 0;
};

}  // namespace zermelo::regret
