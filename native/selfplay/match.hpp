// Matches of two players on native threads, in pairs: each opening is played twice with the seats swapped.
//
// The players search two tables of one game, which may differ in their evaluation, and in what states keep for it: each
// player has states of its own. Openings and dice follow from the number of the pair, the same for both of its games.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/watch.hpp"
#include "selfplay/openings.hpp"
#include "selfplay/ordered.hpp"
#include "selfplay/thinker.hpp"

namespace zermelo {

struct MatchSettings {
    uint64_t pairs = 1;
    uint64_t first = 0;  // the number of the first pair
    uint64_t seed = 0;
    unsigned threads = 1;
    std::array<PlayerSettings, 2> players;
    OpeningSettings opening;
    uint64_t opening_nodes = 0;  // of a search that rejects openings whose result it proves; 0 for none
    unsigned longest_plies = 1000;  // longer games are draws
    bool ends_won = true;  // a game ends when the player to move has proved that it wins
    unsigned occurrences = 2;  // of a position, for the rule of repetition
    std::array<StateBuffer, 2> initial{StateBuffer(0),
                                       StateBuffer(0)};  // the state of each player in which games start, …
    std::array<std::vector<StateBuffer>, 2>
        starts{};  // … unless these are given: then pair n starts from the n-th in turn
    std::array<const Tables*, 2> tables{};  // endgame tables of each player

    void check(const zermelo_table& first_table, const zermelo_table& second_table) const;
};

struct MatchGame {
    std::array<double, 2> utilities{};  // of the first and of the second player
    Ending ending = Ending::rules;
    uint32_t plies = 0;

    // Half points of the first player: 2 for a win, 1 for a draw.
    int half_points() const { return utilities[0] > utilities[1] ? 2 : utilities[0] == utilities[1]; }
};

struct MatchPair {
    uint64_t number = 0;
    std::array<MatchGame, 2> games;  // in the first one, the first player has the first seat

    int half_points() const { return games[0].half_points() + games[1].half_points(); }
};

class MatchTable;

class Match {
public:
    Match(const zermelo_table& first_table, const zermelo_table& second_table, MatchSettings settings);
    ~Match();

    // Plays on until the next pair is complete, and returns it with those complete behind it; none after the last. When
    // the watch stops it, all pairs that are complete.
    std::vector<MatchPair> next_pairs(Watch& watch);

    const GamesProgress& progress() const { return progress_; }
    bool stopped() const;

private:
    const MatchSettings settings_;
    GamesProgress progress_;
    std::unique_ptr<OrderedGames<MatchTable>> pairs_;
};

}  // namespace zermelo
