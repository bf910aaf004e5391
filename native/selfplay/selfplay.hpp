// Self-play: games of a player against itself on native threads, as blocks of records.
//
// A game is determined by its number and the settings, whatever the number of threads, as long as moves are limited by
// nodes or simulations: every game starts with empty tables and a generator of its own. Games are handed over in the order of their
// numbers.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/watch.hpp"
#include "selfplay/exploration.hpp"
#include "selfplay/judged.hpp"
#include "selfplay/openings.hpp"
#include "selfplay/records.hpp"
#include "selfplay/thinker.hpp"

namespace zermelo {

struct SelfPlaySettings {
    uint64_t games = 1;
    uint64_t first = 0;  // the number of the first game
    uint64_t seed = 0;
    unsigned threads = 1;
    uint64_t block_games = 256;
    PlayerSettings player;
    double nodes_spread = 0;  // the nodes of a move vary by up to this share, up and down
    OpeningSettings opening;
    unsigned variety_plies = 0;  // after the opening: where another action than the best may be chosen
    double variety_chance = 0;  // with this probability
    double variety_margin = 0;  // if it is worse by at most this utility
    ExplorationSettings exploration = {};
    unsigned longest_plies = 1000;  // longer games are draws
    bool ends_proved = true;  // a game ends when a search has proved its result
    int64_t ending_stage = 0;  // from this stage of the game on …
    uint64_t ending_nodes = 0;  // … a move has at least so many nodes, to prove the result
    unsigned occurrences = 2;  // of a position, for the rule of repetition
    StateBuffer initial{0};  // the state in which games start, …
    std::vector<StateBuffer> starts = {};  // … unless these are given: then game n starts from the n-th in turn
    const Tables* tables = nullptr;  // endgame tables
    std::optional<JudgeSettings> judged = {};  // positions are judged in batches, not by the table

    void check(const zermelo_table& table) const;
};

class SelfPlayTable;

class SelfPlay {
public:
    SelfPlay(const zermelo_table& table, SelfPlaySettings settings);
    ~SelfPlay();

    // Plays on until the next block is complete; none after the last. When the watch stops it, the last block has all
    // games that are complete.
    std::optional<Bytes> next_block(Watch& watch);

    const GamesProgress& progress() const { return progress_; }
    bool stopped() const;

private:
    const zermelo_table& table_;
    const SelfPlaySettings settings_;
    GamesProgress progress_;
    std::unique_ptr<NumberedGames<SelfPlayTable>> games_;
};

}  // namespace zermelo
