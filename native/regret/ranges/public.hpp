// A game of two players in its public and its private part: what both see is walked as a tree, what each holds is a vector.
//
// Each player is dealt a hand of at most two cards; two hands that share a card cannot be dealt together. After that there are
// choices that both see, and cards dealt in public. Public cards make boards, which form a tree; what lies between two deals
// is a street, a forest of choices that many boards share. At an end the stronger hand wins, or the payoff is fixed.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace zermelo::regret {

// Kinds of nodes beside the choices of players 0 and 1.
constexpr int32_t DEAL = -1;  // a public card is dealt
constexpr int32_t FIXED = -2;  // an end with the same payoff for all hands
constexpr int32_t SHOWDOWN = -3;  // an end at which strengths are compared

// The arrays do not describe such a game.
struct PublicError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

struct PublicNode {
    int32_t kind;
    int32_t first, count;  // children
    std::array<double, 3> payoffs;  // to player 0: if its hand is stronger, equal, weaker
    int32_t place = 0;  // at a choice: how many actions that player has before it in the street
    int32_t row = 0;  // the same in its part; at a leaf: how many leaves are before it there
};

// Some trees of a street, worked on together: few enough for what is known on the way to stay in a near cache, many
// enough for ends to be worked on side by side.
struct Part {
    std::vector<int32_t> roots, nodes;  // parents before children
    std::vector<int32_t> fixed, showdowns, deals;  // the leaves
    std::array<int64_t, 2> actions{};  // of each player
    std::size_t leaves() const { return fixed.size() + showdowns.size() + deals.size(); }
};

// A forest, parents before children, children side by side: its roots are the first nodes.
struct Street {
    std::vector<PublicNode> nodes;
    int32_t roots = 0;
    std::vector<int32_t> deals;  // the k-th leads to the k-th root of the next street
    std::array<int64_t, 2> actions{};  // of each player
    std::vector<Part> parts;  // one, if there are deals
};

// One player's hands on a board, the weakest first. Sums over cards have two places more: one that is always 0, to be
// read for a card that a hand does not have, and one that is never read, to be written for it.
struct Hands {
    std::vector<int32_t> order;  // the number of each hand in the player's range
    std::vector<int32_t> from;  // its place on the board before
    std::vector<int32_t> twin;  // the other player's hand of the same two cards, or -1
    std::vector<std::array<int32_t, 2>> reads, writes;
    std::vector<int32_t> begin;  // of each level of strength: its first hand; one more entry
    std::size_t size() const { return order.size(); }
};

struct Board {
    int32_t parent, street;
    double probability;  // of its card, for two hands that do not hold it
    std::array<Hands, 2> hands{};
    std::vector<int32_t> children{};
    std::array<int64_t, 2> base{};  // where the numbers of this board begin in a player's arrays
    std::size_t levels() const { return hands[0].begin.size() - 1; }
};

// The arrays as they come from outside, nothing of them checked.
struct PublicArrays {
    int32_t cards;
    double sum;
    std::array<std::vector<int32_t>, 2> held;  // two cards a hand, -1 for none
    std::array<std::vector<double>, 2> weights;
    std::vector<int32_t> street_nodes, street_roots, kind, first, count;
    std::vector<double> payoffs;
    std::vector<int32_t> parent, street;
    std::vector<double> probability;
    std::array<std::vector<int32_t>, 2> sizes, order, level;
};

class PublicGame {
public:
    // Throws `PublicError` unless everything fits.
    explicit PublicGame(const PublicArrays& arrays);

    int32_t cards;
    double sum;  // of both players' payoffs
    std::vector<Street> streets;
    std::vector<Board> boards;  // the first is the one at the start; parents before children
    std::array<std::vector<double>, 2> weights;
    double mass = 0;  // of all pairs of hands that can be dealt
    std::array<int64_t, 2> room{};  // one number for each hand, choice and board
    std::size_t depth = 1;  // of the tree of boards

    // What an end is worth to p if its hand is stronger, equal, weaker.
    std::array<double, 3> payoffs(const PublicNode& node, int p) const {
        if (p == 0) return node.payoffs;
        return {sum - node.payoffs[2], sum - node.payoffs[1], sum - node.payoffs[0]};
    }

    // Where the numbers of a choice begin in its player's arrays: one a hand, action by action.
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
