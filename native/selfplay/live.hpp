// A game being played: its state, its actions, the rule of repetition, and its end.
#pragma once

#include <vector>

#include "core/game.hpp"
#include "core/random.hpp"
#include "search/settings.hpp"
#include "search/worker.hpp"
#include "selfplay/records.hpp"

namespace zermelo {

class LiveGame {
public:
    // `occurrences` is how often a position must occur for the rule of repetition; with `keep_states` all states of the
    // game are kept. `tables`, which may be null, say how near to the end earlier positions are.
    LiveGame(const Game& game, unsigned occurrences, bool keep_states, const Tables* tables = nullptr);

    // Starts a game.
    void begin(const std::byte* start);
    void play(std::size_t index);

    const Game& game() const { return game_; }
    const std::byte* state() const { return states_[turn_].data(); }
    int32_t mover() const { return position_.mover; }
    // The actions, or the outcomes, in the game's order; empty at the end.
    const ActionList& actions() const { return list_; }
    // Whether the rule of repetition lets the mover play the action.
    bool is_allowed(std::size_t index);
    // The index of one of the actions that are allowed, or of an outcome by its probability.
    std::size_t draw_action(Random& random);

    bool is_over() const { return over_; }
    // The utilities of all players and the reason, once it is over.
    const std::vector<double>& utilities() const { return utilities_; }
    Ending ending() const { return ending_; }
    uint32_t plies() const { return plies_; }
    std::size_t players() const { return static_cast<std::size_t>(game_.players()); }

    // The earlier positions whose return would count as a repetition.
    const std::vector<PastPosition>& past();
    // The same with their states, and all states before the current one; only with `keep_states`.
    std::vector<std::pair<StateBuffer, CheckRun>> past_states();
    const std::vector<StateBuffer>& history() const { return history_; }

private:
    // An earlier position since the last irreversible action.
    struct Earlier {
        TableKey key;
        unsigned occurrence;  // how often it had occurred by then
        int32_t mover;
        bool check;      // the mover was in check
        std::size_t ply;  // index in `history_`
        uint32_t distance = PastPosition::UNKNOWN;  // as in `PastPosition`
    };

    void arrive();
    TableKey recurrence(const std::byte* state) const;
    unsigned earlier_occurrences(const TableKey& key) const;
    void end_by_repetition();
    template <typename Take>
    void find_past(const Take& take) const;

    const Game& game_;
    const unsigned occurrences_;
    const bool keeps_states_;
    const Tables* const tables_;
    const uint64_t repetition_;  // the capabilities that concern it
    StateBuffer states_[2], child_;
    int turn_ = 0;
    Position position_;
    ActionList list_;
    bool over_ = false;
    Ending ending_ = Ending::rules;
    std::vector<double> utilities_;
    uint32_t plies_ = 0;
    Earlier here_{};  // the current position
    std::vector<Earlier> earlier_;
    std::vector<PastPosition> past_;
    std::vector<StateBuffer> history_;
    std::vector<std::size_t> allowed_;
};

}  // namespace zermelo
