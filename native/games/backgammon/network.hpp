// A feed-forward network for probabilities; bit-identical on every machine.
//
//     hidden = relu(inputs · A + a),  inner = relu(hidden · B + b),  numbers = inner · C + c
//
// Sums are accumulated input by input, in the order of the inputs, for all units side by side: each unit's sum is
// independent of the vector width, as products are rounded before they are added. Inputs and hidden units that are zero
// are skipped.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "games/backgammon/features.hpp"

namespace zermelo::backgammon {

// What the player on roll expects: the probability to win, to win at least a gammon, a backgammon; to lose a gammon, a
// backgammon.
enum Chance { WIN, WIN_GAMMON, WIN_BACKGAMMON, LOSE_GAMMON, LOSE_BACKGAMMON, CHANCES };

using Chances = std::array<float, CHANCES>;

constexpr int MAX_UNITS = 1024;
constexpr int MAX_NUMBERS = 64;

class Network {
public:
    // A network with this number of inputs and outputs. Matrices are in row-major order, a row per input; their sizes
    // determine the number of units. On failure writes the reason to `why`.
    static std::unique_ptr<const Network> make(std::span<const std::span<const float>> tensors, std::size_t inputs,
                                               std::size_t numbers, std::string& why);

    using Numbers = std::array<float, MAX_NUMBERS>;

    void run(const Inputs& inputs, Numbers& numbers) const;

    // Unique among the networks of a process, so that cached results are never taken for another's.
    uint64_t serial() const { return serial_; }

    Network();

private:
    static constexpr int LANES = 16;  // units are padded with zeros to a multiple of it

    std::vector<float> a_, a_bias_, b_, b_bias_, c_, c_bias_;
    int hidden_ = 0, inner_ = 0, numbers_ = 0;
    uint64_t serial_;
};

// The five probabilities of the player on roll, from a network with an output for each: its sigmoid.
Chances run_for_chances(const Network& network, const Inputs& inputs);

// Softmax: probabilities that sum to one.
void soften(std::span<const float> numbers, std::span<float> chances);

}  // namespace zermelo::backgammon
