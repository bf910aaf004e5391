// A network from inputs to numbers, from which chances follow; the same on every machine.
//
//     hidden = relu(inputs · A + a),  inner = relu(hidden · B + b),  numbers = inner · C + c
//
// Sums are taken input by input, in the order of the inputs, for all units side by side: each unit's sum is the same however
// wide the vectors of the machine are, as products are rounded before they are added. Inputs and hidden units that are zero
// are passed over.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "games/backgammon/features.hpp"

namespace zermelo::backgammon {

// What the player on roll expects: the chance to win, to win at least a gammon, a backgammon; to lose a gammon, a backgammon.
enum Chance { WIN, WIN_GAMMON, WIN_BACKGAMMON, LOSE_GAMMON, LOSE_BACKGAMMON, CHANCES };

using Chances = std::array<float, CHANCES>;

constexpr int MOST_UNITS = 1024;
constexpr int MOST_NUMBERS = 64;

class Network {
public:
    // From so many inputs to so many numbers. Matrices are given row by row, a row for each input; their sizes say how many
    // units there are. Says in `why` what is wrong with them otherwise.
    static std::unique_ptr<const Network> make(std::span<const std::span<const float>> tensors, std::size_t inputs,
                                               std::size_t numbers, std::string& why);

    using Numbers = std::array<float, MOST_NUMBERS>;

    void run(const Inputs& inputs, Numbers& numbers) const;

    // No two networks of a process have the same, so that what one said is never taken for another's.
    uint64_t serial() const { return serial_; }

    Network();

private:
    static constexpr int LANES = 16;  // units are filled up with zeros to a multiple of it

    std::vector<float> a_, a_bias_, b_, b_bias_, c_, c_bias_;
    int hidden_ = 0, inner_ = 0, numbers_ = 0;
    uint64_t serial_;
};

// The five chances of the player on roll, by a network that has a number for each: its sigmoid.
Chances run_for_chances(const Network& network, const Inputs& inputs);

// Chances that add up to one: the exponentials of the numbers, in proportion.
void soften(std::span<const float> numbers, std::span<float> chances);

}  // namespace zermelo::backgammon
