// A game tree, flattened: one entry per node in plain arrays, parents before children, siblings adjacent.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace zermelo::regret {

constexpr int32_t CHANCE_NODE = -1;
constexpr int32_t END_NODE = -2;

// The arrays do not form a valid tree.
struct TreeError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// Imperfect recall: two nodes of an information set follow different own choices.
struct RecallError : std::runtime_error {
    explicit RecallError(int32_t infoset) : std::runtime_error(std::to_string(infoset)) {}  // Python reads the number
};

struct Tree {
    int players = 2;
    std::vector<int32_t> infoset;  // of each node: whose choice it is, or CHANCE_NODE or END_NODE
    std::vector<int32_t> first;  // its first child; the number of the end at an END_NODE
    std::vector<int32_t> count;  // the number of its children
    std::vector<double> chance;  // the probability of the chance outcome that leads here; 1 elsewhere
    std::vector<double> payoffs;  // per end: one per player
    std::vector<int32_t> owner;  // per information set: the player who chooses
    std::vector<int32_t> width;  // per information set: the number of actions

    std::size_t nodes() const { return infoset.size(); }
    std::size_t ends() const { return payoffs.size() / static_cast<std::size_t>(players); }

    // The index of each information set's first action in arrays with one entry per action; the last is their length.
    std::vector<int64_t> offsets() const;

    // The number of edges on the longest path.
    std::size_t depth() const;

    // Throws `TreeError` unless the arrays are valid; all other functions rely on that.
    void check() const;
};

}  // namespace zermelo::regret
