// Games with a network: the game's table with other slots for what the network computes.
#pragma once

#include <functional>
#include <memory>

#include "networks/grid.hpp"
#include "networks/sum.hpp"

namespace zermelo {

// The table of `game`, which outlives it, with other slots for what a network computes. All other rules are passed on.
class AttachedGame {
public:
    explicit AttachedGame(const zermelo_table& game);
    AttachedGame(const AttachedGame&) = delete;

    const zermelo_table& table() const { return table_; }
    // The rules below.
    const Game& rules() const { return rules_; }

protected:
    zermelo_table table_;

private:
    zermelo_table inner_;
    Game rules_{inner_};
};

// A game that a sum network evaluates.
class NetworkGame : public AttachedGame {
public:
    NetworkGame(const zermelo_table& game, std::shared_ptr<const SumNetwork> network);

    const SumNetwork& network() const { return *network_; }

private:
    std::shared_ptr<const SumNetwork> network_;
};

// A game that a grid network judges: it has an evaluation and a policy.
class GridGame : public AttachedGame {
public:
    GridGame(const zermelo_table& game, std::shared_ptr<const GridNetwork> network);

    const GridNetwork& network() const { return *network_; }

private:
    std::shared_ptr<const GridNetwork> network_;
};

// A game whose positions somebody else judges: `ask` gives the logits of all actions of the shape, with the output of the value
// behind them.
class AskedGame : public AttachedGame {
public:
    using Ask = std::function<const float*(const Game& rules, const std::byte* state, int32_t mover)>;

    AskedGame(const zermelo_table& game, std::shared_ptr<const GridShape> shape, Ask ask);

    const GridShape& shape() const { return *shape_; }
    const ValueRange& range() const { return range_; }
    const float* ask(const std::byte* state, int32_t mover) const { return ask_(rules(), state, mover); }

private:
    std::shared_ptr<const GridShape> shape_;
    ValueRange range_;
    Ask ask_;
};

// The game that a sum network evaluates with this table; null if none does.
const NetworkGame* network_game(const zermelo_table& table);

}  // namespace zermelo
