// Players of native games: each move by a search of the engine, of expected utilities, or by simulations.
#pragma once

#include <memory>
#include <vector>

#include "core/watch.hpp"
#include "search/deepening.hpp"
#include "search/mcts/settings.hpp"
#include "search/settings.hpp"
#include "selfplay/live.hpp"

namespace zermelo {

enum class PlayMethod { automatic, alphabeta, expectation, mcts };

struct PlayerSettings {
    PlayMethod method = PlayMethod::automatic;
    uint64_t nodes = std::numeric_limits<uint64_t>::max();  // per move
    uint64_t simulations = std::numeric_limits<uint64_t>::max();  // per move, of Monte Carlo tree search
    double seconds = -1;                                    // per move; negative for no limit
    std::size_t table_bytes = std::size_t{1} << 20;         // of the transposition table, or of the tree
    bool evaluates = true;                                  // false: plays without the game's evaluation
    EngineSettings engine = {};                             // the techniques of alpha-beta
    MctsSettings mcts = {};
};

// The result of a search.
struct Thought {
    std::size_t index = 0;  // of the best action, in the game's order
    bool known = false;     // it has a value
    double value = 0;       // for the mover
    bool proved = false;
    std::vector<double> utilities;   // of every player, if proved
    std::vector<std::size_t> close;  // indices of the actions within the margin of the best, itself included
    std::vector<uint32_t> visits;  // of the actions by simulations, without those that are proved to lose; else empty
    uint64_t nodes = 0;
};

struct ThinkLimits {
    uint64_t nodes = std::numeric_limits<uint64_t>::max();
    uint64_t simulations = std::numeric_limits<uint64_t>::max();
    double seconds = -1;
    unsigned lines = 1;  // actions that get an exact value
    double margin = 0;  // in utility: how much worse a close action may be
    std::vector<double> noise = {};  // mixed into the priors of simulations with this share; they start a new tree
    double noise_share = 0;
};

// Throws std::invalid_argument if the game is not one that native games are played of.
void check_playable(const zermelo_table& table, const PlayerSettings& settings);

class Thinker {
public:
    explicit Thinker(const zermelo_table& table) : table_(table) {}
    Thinker(const Thinker&) = delete;
    virtual ~Thinker() = default;
    // Forgets the last game.
    virtual void clear() = 0;
    // Searches a position in which a player moves. Throws `Stopped` when the watch says so.
    virtual const Thought& think(LiveGame& game, const ThinkLimits& limits, Watch& watch) = 0;

    // Whether games have to keep their states for it.
    virtual bool needs_states() const { return false; }

    // `tables` may be null, and outlive the thinker.
    static std::unique_ptr<Thinker> make(const zermelo_table& table, const PlayerSettings& settings,
                                         const Tables* tables);

protected:
    const zermelo_table table_;  // its own, which may lack the evaluation
    Thought thought_;
};

}  // namespace zermelo
