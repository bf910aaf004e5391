// Self-play: games of a player against itself on native threads, as blocks of records.
//
// A game is determined by its number and the settings, whatever the number of threads, as long as moves are limited by
// nodes: every game starts with empty tables and a generator of its own. Games are handed over in the order of their
// numbers. No thread runs between two calls of `next_block`.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/watch.hpp"
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
    double variety_chance = 0;   // with this probability
    double variety_margin = 0;   // if it is worse by at most this utility
    unsigned longest_plies = 1000;  // longer games are draws
    bool ends_proved = true;  // a game ends when a search has proved its result
    unsigned occurrences = 2;  // of a position, for the rule of repetition
    StateBuffer initial{0}; // the state in which games start, …
    std::vector<StateBuffer> starts = {};  // … unless these are given: then game n starts from the n-th in turn

    void check(const zermelo_table& table) const;
};

struct SelfPlayProgress {
    std::atomic<uint64_t> games = 0;      // complete
    std::atomic<uint64_t> positions = 0;  // searched
    std::atomic<uint64_t> nodes = 0;
    std::atomic<uint64_t> search_nanoseconds = 0;  // of all threads
    std::atomic<uint64_t> total_nanoseconds = 0;   // the same, with all that is done beside searching
};

class SelfPlayGame;

class SelfPlay {
public:
    SelfPlay(const zermelo_table& table, SelfPlaySettings settings);
    ~SelfPlay();

    // Plays on until the next block is complete; none after the last. When the watch stops it, the last block has all
    // games that are complete, and those that are not are dropped.
    std::optional<Bytes> next_block(Watch& watch);

    const SelfPlayProgress& progress() const { return progress_; }
    bool stopped() const { return stopped_; }

private:
    void run(Watch& watch);
    void work(std::size_t thread, Watch& watch);
    void wait(Watch& watch);
    bool start_game(SelfPlayGame& game);
    void finish_game(const GameRecord& record);
    bool is_block_complete() const;
    std::optional<Bytes> take_block();

    const zermelo_table& table_;
    const SelfPlaySettings settings_;
    SelfPlayProgress progress_;
    std::vector<std::unique_ptr<SelfPlayGame>> playing_;  // one per thread
    std::mutex mutex_;  // of all below
    std::condition_variable finished_;
    std::map<uint64_t, GameRecord> complete_;  // not handed over yet
    uint64_t next_start_;  // the number of the next game to begin
    uint64_t next_number_;  // the number of the next game to hand over
    unsigned working_ = 0;  // helper threads
    std::atomic<bool> pause_ = false;  // threads return after their move
    bool stopped_ = false;
};

}  // namespace zermelo
