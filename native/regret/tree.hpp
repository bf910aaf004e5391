// A game's tree, flattened: one entry a node in plain arrays, parents before children, children side by side.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace zermelo::regret {

constexpr int32_t CHANCE_NODE = -1;
constexpr int32_t END_NODE = -2;

// The arrays do not make a tree, or not one that can be played.
struct TreeError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// A player forgets: two nodes of an information set lie behind different own choices.
struct RecallError : std::runtime_error {
    explicit RecallError(int32_t infoset) : std::runtime_error(std::to_string(infoset)) {}  // all that Python asks
};

struct Tree {
    int players = 2;
    std::vector<int32_t> infoset;  // of each node: whose choice it is, or CHANCE_NODE or END_NODE
    std::vector<int32_t> first;    // its first child; the number of the end at an END_NODE
    std::vector<int32_t> count;    // how many children it has
    std::vector<double> chance;    // the probability of coming here, where chance moves before; 1 elsewhere
    std::vector<double> payoffs;   // of each end: one a player
    std::vector<int32_t> owner;    // of each information set: the player who chooses
    std::vector<int32_t> width;    // of each information set: how many actions there are

    std::size_t nodes() const { return infoset.size(); }
    std::size_t ends() const { return payoffs.size() / static_cast<std::size_t>(players); }

    // The place of each information set's first action in arrays that have one entry an action; the last is their length.
    std::vector<int64_t> offsets() const;

    // The number of edges on the longest path.
    std::size_t depth() const;

    // Throws `TreeError` unless every other function may trust the arrays.
    void check() const;
};

}  // namespace zermelo::regret
