// Sum networks: sparse inputs, summed up in an accumulator that a search updates from position to position.
//
//     units  = bias + the rows of the inputs that are on              (the accumulator, 16-bit integers, 255 is 1)
//     output = offset + head · clip(units, 0, 255)²                   (UNIT is 1)
//     value  = low + (high − low) · sigmoid(chance · output / UNIT)   of the player to move
//
// Chance is 1, unless the network learned results that say more than those of the game, as by how much it was won.
//
// Where a network has a slope, its values are in the points of the game's own evaluation, in which the game says what
// exchanges gain: halfway between low and high plus output / UNIT / slope of half the range. A game with `lead_share` takes
// that share of the output.
//
// A network of width 0 has no units: its output is the sum of a weight for each input that is on, as the mover sees the
// position. It may have any number of inputs, as patterns have, since only those that are on are looked at; one that a game names twice
// counts twice.
//
// Where the inputs are those of the whole position, there are rows for each mover; where each player has inputs of its own,
// both players' accumulators are built from the same rows, and the head takes the mover's units first. Head and offset depend on
// the stage of the game.
//
// All arithmetic is in integers, so a network gives the same value on every machine, however it was accumulated.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "networks/inputs.hpp"

namespace zermelo {

struct SumShape {
    static constexpr uint32_t MAX_WIDTH = 1024;
    static constexpr uint32_t MAX_STAGES = 64;

    // Throws if the numbers do not fit each other.
    SumShape(InputLayout inputs, uint32_t width, uint32_t movers, uint32_t stages, std::vector<uint32_t> stage_edges);

    // The views of a position that count: one, or one for each player where inputs are by player and have units.
    uint32_t views() const { return inputs.by_player() && width > 0 ? 2 : 1; }
    std::size_t heads() const { return std::size_t{stages} * movers; }
    // The set of rows for a mover.
    uint32_t rows_of(int32_t mover) const {
        return movers == 1 ? 0 : mover < 0 ? movers - 1 : static_cast<uint32_t>(mover);
    }
    // The stage of a position with so many inputs on.
    uint32_t stage_of(const Game& game, const std::byte* state, std::size_t on) const;
    // The head for a set of rows in a stage.
    std::size_t head_of(uint32_t rows, uint32_t stage) const { return std::size_t{stage} * movers + rows; }

    const InputLayout inputs;
    const uint32_t width;  // units of an accumulator, a multiple of 32
    const uint32_t movers;  // sets of rows: one for each player to move, and one for chance; or a single one
    const uint32_t stages;
    const std::vector<uint32_t>
        stage_edges;  // a stage per range of the number of inputs that are on; empty: `stage(s)`
};

// The weights, in row-major order.
struct SumWeights {
    std::vector<int16_t> rows;  // [movers][inputs][width]
    std::vector<int16_t> bias;  // [movers][width]
    std::vector<int16_t> head;  // [stages][movers][views][width]
    std::vector<int32_t> direct;  // [stages][movers][inputs], for width 0
    std::vector<int32_t> offset;  // [stages][movers]
};

// The value range of the game.
struct ValueRange {
    double low, high, neutral;
    double slope = 0;  // of the logistic function that makes a chance of a value; 0: values are chances, …
    double chance = 1;  // … of outputs that are multiplied by this
};

class SumNetwork {
public:
    static constexpr int32_t ONE = 255;  // 1 in an accumulator
    static constexpr int32_t HEAD_ONE = 64;  // 1 in the head
    static constexpr int32_t UNIT = ONE * HEAD_ONE;

    SumNetwork(SumShape shape, SumWeights weights, ValueRange range);

    const SumShape& shape() const { return shape_; }

    // The value of a position for `player`, from scratch.
    double evaluate(const Game& game, const std::byte* state, int32_t mover, int32_t player) const;
    // The raw output for the mover, or player 0 if chance moves.
    int64_t output(const Game& game, const std::byte* state, int32_t mover) const;

    // An accumulator, and the inputs that it sums up.
    struct Accumulator {
        explicit Accumulator(const SumNetwork& network)
            : words(network.shape_.inputs.words()), units(network.shape_.width) {}

        InputWords words;
        std::vector<int16_t> units;
        static constexpr uint32_t NO_ROWS = ~0u;
        uint32_t rows = NO_ROWS;  // the set of rows; none while it sums up nothing
    };

    // Makes `target` the accumulator of `words`, from the one of `near`, or from scratch, whatever takes fewer rows.
    void accumulate(const InputWords& words, uint32_t rows, std::span<const Accumulator* const> near,
                    Accumulator& target) const;

    // The output of the accumulators: the mover's, and where inputs are by player the other's.
    int64_t output(const Accumulator& own, const Accumulator* other, uint32_t stage) const;
    // The value for `player` of the output of a position for `mover`.
    double value(const Game& game, const std::byte* state, int64_t output, int32_t mover, int32_t player) const;

private:
    double own_value(int64_t output) const;
    // The logarithm of the odds to win.
    int64_t stretched(int64_t output) const;
    int64_t direct_output(const Game& game, const std::byte* state, int32_t player, uint32_t rows) const;
    const int16_t* row(uint32_t rows, uint32_t input) const {
        return weights_.rows.data() + (std::size_t{rows} * shape_.inputs.count() + input) * shape_.width;
    }

    SumShape shape_;
    SumWeights weights_;
    ValueRange range_;
};

// Evaluates the positions of a search. The accumulators of each ply are kept: a position differs little from the last one at its
// ply, and from the ones before it.
class SumEvaluator {
public:
    SumEvaluator(const SumNetwork& network, const Game& game)
        : network_(network), game_(game), words_(network.shape().inputs.words()) {}

    double evaluate(int ply, const std::byte* state, int32_t mover, int32_t player);
    // The inputs of the position that was evaluated last at `ply`, as its mover sees them; none without accumulators.
    std::span<const uint64_t> inputs(int ply, int32_t mover);
    // The value of a position for its mover, and a probability for each action: they go with the odds of what it leads to.
    double judge(const std::byte* state, int32_t mover, const int64_t* actions, std::size_t count, double* priors);

private:
    struct Ply {
        explicit Ply(const SumNetwork& network)
            : views{SumNetwork::Accumulator(network), SumNetwork::Accumulator(network)} {}
        std::array<SumNetwork::Accumulator, 2>
            views;  // of player 0 and 1 where inputs are by player, else only the first
    };

    const SumNetwork::Accumulator& accumulate(int ply, const std::byte* state, int32_t player, uint32_t rows);

    const SumNetwork& network_;
    const Game& game_;
    PlyStack<Ply> plies_;
    InputWords words_;
};

}  // namespace zermelo
