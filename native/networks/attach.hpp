// A game whose evaluation is a network: the game's table with another `evaluate`.
#pragma once

#include <memory>

#include "networks/sum.hpp"

namespace zermelo {

// The table of `game`, which outlives it, evaluated by `network`. All other rules are passed on.
class NetworkGame {
public:
    NetworkGame(const zermelo_table& game, std::shared_ptr<const SumNetwork> network);
    NetworkGame(const NetworkGame&) = delete;

    const zermelo_table& table() const { return table_; }
    const SumNetwork& network() const { return *network_; }
    // The rules below.
    const Game& rules() const { return rules_; }

private:
    zermelo_table inner_;
    Game rules_{inner_};
    std::shared_ptr<const SumNetwork> network_;
    zermelo_table table_;
};

// The network that evaluates for this table; null if none does.
const NetworkGame* network_game(const zermelo_table& table);

}  // namespace zermelo
