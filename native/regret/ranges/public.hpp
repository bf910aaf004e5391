// A game of two players with a public tree and private hands: public actions form a tree, the hands of a player a
// vector.
//
// Each player is dealt a hand of at most two cards; two hands that share a card cannot be dealt together. All further
// choices and cards are public. Public cards make boards, which form a tree; the choices between two deals are a
// street, a forest that many boards share. At an end the stronger hand wins, or the payoff is fixed.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace zermelo::regret {

// Kinds of nodes other than the choices of players 0 and 1.
constexpr int32_t DEAL = -1;  // a public card is dealt
constexpr int32_t FIXED = -2;  // an end with the same payoff for all hands
constexpr int32_t SHOWDOWN = -3;  // an end at which the strengths are compared

// The arrays do not describe such a game.
struct PublicError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

struct PublicNode {
    int32_t kind;
    int32_t first, count;  // children
    std::array<double, 3> payoffs;  // to player 0: if its hand is stronger, equal, weaker
    int32_t place = 0;  // at a choice: the number of actions of that player before it in the street
    int32_t row = 0;  // the same in its part; at a leaf: the number of leaves before it there
};

// Some trees of a street, processed together: few enough for their data to stay in a near cache, many enough for ends
// to be processed in batches.
struct Part {
    std::vector<int32_t> roots, nodes;  // parents before children
    std::vector<int32_t> fixed, showdowns, deals;  // the leaves
    std::array<int64_t, 2> actions{};  // of each player
    std::size_t leaves() const { return fixed.size() + showdowns.size() + deals.size(); }
};

// A forest, parents before children, siblings adjacent: its roots are the first nodes.
struct Street {
    std::vector<PublicNode> nodes;
    int32_t roots = 0;
    std::vector<int32_t> deals;  // the k-th leads to the k-th root of the next street
    std::array<int64_t, 2> actions{};  // of each player
    std::vector<Part> parts;  // a single one if there are deals
};

// One player's hands on a board, the weakest first. Sums over cards have two extra entries: one that is always 0, read
// for a card that a hand does not have, and one that is never read, written for it.
struct Hands {
    std::vector<int32_t> order;  // the number of each hand in the player's range
    std::vector<int32_t> from;  // its index on the previous board
    std::vector<int32_t> twin;  // the other player's hand of the same two cards, or -1
    std::vector<std::array<int32_t, 2>> reads, writes;
    std::vector<int32_t> begin;  // per level of strength: its first hand; plus one entry
    std::size_t size() const { return order.size(); }
};

struct Board {
    int32_t parent, street;
    double probability;  // of its card, given two hands that do not hold it
    std::array<Hands, 2> hands{};
    std::vector<int32_t> children{};
    std::array<int64_t, 2> base{};  // where the numbers of this board begin in a player's arrays
    std::size_t levels() const { return hands[0].begin.size() - 1; }
};

// The input arrays, unchecked.
struct PublicArrays {
    int32_t cards;
    double sum;
    std::array<std::vector<int32_t>, 2> held;  // two cards per hand, -1 for none
    std::array<std::vector<double>, 2> weights;
    std::vector<int32_t> street_nodes, street_roots, kind, first, count;
    std::vector<double> payoffs;
    std::vector<int32_t> parent, street;
    std::vector<double> probability;
    std::array<std::vector<int32_t>, 2> sizes, order, level;
};

class PublicGame {
public:
    // Throws `PublicError` unless the arrays are consistent.
    explicit PublicGame(const PublicArrays& arrays);

    int32_t cards;
    double sum;  // of both players' payoffs
    std::vector<Street> streets;
    std::vector<Board> boards;  // the first is the initial one; parents before children
    std::array<std::vector<double>, 2> weights;
    double mass = 0;  // of all pairs of hands that can be dealt
    std::array<int64_t, 2> room{};  // array lengths: one entry for each board, choice, action and hand
    std::size_t depth = 1;  // of the tree of boards

    // The payoff of an end to p if its hand is stronger, equal, weaker.
    std::array<double, 3> payoffs(const PublicNode& node, int p) const {
        if (p == 0) return node.payoffs;
        return {sum - node.payoffs[2], sum - node.payoffs[1], sum - node.payoffs[0]};
    }

    // Where the numbers of a choice begin in its player's arrays: one per hand, action by action.
    int64_t place(const Board& board, const PublicNode& node) const {
        return board.base[node.kind] + node.place * static_cast<int64_t>(board.hands[node.kind].size());
    }

private:
    void read_ranges(const PublicArrays& arrays);
    void read_streets(const PublicArrays& arrays);
    void read_boards(const PublicArrays& arrays);
    void read_hands(const PublicArrays& arrays, Board& board, int p, std::size_t from, std::size_t size);
    void match_twins(Board& board) const;
    void weigh();
};

}  // namespace zermelo::regret
