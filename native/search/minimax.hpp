// Minimax, alpha-beta and expectiminimax to a fixed depth: the native twins of `src/zermelo/search/loop.py`.
//
//     V(s) = utility                              at an end
//     V(s) = the estimate, or the neutral value   at depth 0
//     V(s) = max (min) of V(result(s, a))         where MAX (MIN) moves
//     V(s) = sum of P(a) V(result(s, a))          where chance moves
//
// Values are MAX's utility; MAX is the player to move at the root, and player 0 if chance moves there. Alpha-beta
// guarantees for its result r and the window (alpha, beta):  r <= alpha <=> V <= alpha,  r >= beta <=> V >= beta,  r =
// V otherwise. Children of chance nodes are searched with the full window. Actions are searched in the game's order and
// the first of equals is kept. The path is on the heap: the length of a game is not limited by the machine's stack.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/game.hpp"
#include "core/watch.hpp"

namespace zermelo {

constexpr double INFINITE = std::numeric_limits<double>::infinity();
constexpr double NEVER = std::numeric_limits<double>::quiet_NaN();  // no value is at least or at most this

struct MinimaxSettings {
    uint64_t depth = std::numeric_limits<uint64_t>::max();  // plies
    bool prune = true;  // alpha-beta, or else plain minimax
    bool hard = false;  // results outside the window are clipped to it
    double alpha = -INFINITE;  // from MAX's point of view
    double beta = INFINITE;
};

struct MinimaxResult {
    double value = 0;
    int32_t maximiser = 0;
    std::vector<int64_t> line;  // empty if the root is a leaf or a chance node
    std::vector<std::pair<int64_t, double>> actions;  // the value of each root action, in order
    uint64_t nodes = 0;
    uint64_t leaves = 0;
    uint64_t cutoffs = 0;  // nodes with actions left unsearched
    uint64_t estimates = 0;  // leaves that are not terminal
};

class Minimax {
public:
    Minimax(const Game& game, const MinimaxSettings& settings, Watch& watch)
        : game_(game), settings_(settings), watch_(watch) {}

    MinimaxResult search(const std::byte* root) {
        Position position;
        game_.info(root, position);
        result_.maximiser = position.terminal() || position.chance() ? 0 : position.mover;
        result_.nodes = 1;
        Frame& top = stack_.at(0, game_);
        std::memcpy(top.state.data(), root, game_.state_size());
        if (position.terminal() || settings_.depth == 0) {
            result_.value = leaf(top.state.data(), position);
            return std::move(result_);
        }
        if (!position.chance()) game_.actions(top.state.data(), top.list);
        open(top, position, settings_.alpha, settings_.beta);
        result_.value = run();
        result_.line = top.line.copy();
        return std::move(result_);
    }

private:
    // A position on the path. Scores and the window are from the mover's point of view; `flip` is set if that is MIN.
    struct Frame {
        explicit Frame(const Game& game) : state(game.buffer()) {}
        StateBuffer state;
        ActionList list;
        std::size_t next = 0;
        double start = 0;  // alpha on entry
        double alpha = 0;
        double beta = 0;
        double best = 0;  // at a chance node: the sum so far
        bool flip = false;
        bool chance = false;
        Line line;
        Frame* above = nullptr;
        Frame* below = nullptr;  // created on first use
    };

    Frame& below(Frame& frame, std::size_t ply) {
        if (!frame.below) [[unlikely]] {
            frame.below = &stack_.at(ply + 1, game_);
            frame.below->above = &frame;
        }
        return *frame.below;
    }

    double run() {
        std::size_t ply = 0;
        for (Frame* frame = &stack_.at(0, game_);;) {
            if (descend(*frame, below(*frame, ply), ply)) {
                frame = frame->below;
                ++ply;
                continue;
            }
            const double score = settle(*frame);
            if (ply == 0) return score;
            --ply;
            const Line& line = frame->line;
            frame = frame->above;
            back_up(*frame, score, line, ply);
        }
    }

    // Tries the remaining actions until one leads to a position to be searched; false when none is left.
    bool descend(Frame& frame, Frame& below, std::size_t ply) {
        std::byte* child = below.state.data();
        const uint64_t left = settings_.depth - ply;
        while (frame.next < frame.list.count) {
            const int64_t action = frame.list.actions[frame.next];
            ++result_.nodes;
            watch_.node();
            if (left == 1) game_.step(frame.state.data(), action, child, position_);
            else game_.enter(frame.state.data(), action, child, position_, below.list);
            if (left == 1 || position_.terminal()) {
                back_up(frame, leaf(child, position_), nothing_, ply);
                continue;
            }
            open_child(frame, below);
            if (left > 2 || below.chance) return true;
            try_leaves(below, this->below(below, ply + 1).state.data());
            back_up(frame, settle(below), below.line, ply);
        }
        return false;
    }

    // Does the work of `descend` and `back_up` where all children are leaves, as in most nodes.
    void try_leaves(Frame& frame, std::byte* child) {
        const double low = frame.flip ? limit(frame, -frame.beta, INFINITE) : NEVER;
        const double high = frame.flip ? NEVER : limit(frame, frame.beta, -INFINITE);
        game_.frontier(frame.state.data(), frame.list, result_.maximiser, low, high, child, position_, frontier_);
        const double* values = frontier_.values.data();
        std::size_t chosen = 0;
        for (std::size_t i = 1; i < frontier_.tried; ++i)  // branchless: which child is best is unpredictable
            chosen = (frame.flip ? values[i] < values[chosen] : values[i] > values[chosen]) ? i : chosen;
        watch_.nodes(frontier_.tried);
        result_.nodes += frontier_.tried;
        result_.leaves += frontier_.tried;
        result_.estimates += frontier_.tried - frontier_.ends;
        result_.cutoffs += frontier_.tried < frame.list.count;
        frame.best = frame.flip ? -values[chosen] : values[chosen];
        frame.line.set(frame.list.actions[chosen], nothing_);
    }

    // The value of a child, from MAX's point of view, at which the node is cut off: the edge of the window, or any
    // value, or none.
    double limit(const Frame& frame, double end, double any) const {
        if (frame.alpha >= frame.beta) return any;
        return settings_.prune ? end : NEVER;
    }

    void open_child(const Frame& frame, Frame& below) {
        if (frame.chance) open(below, position_, -INFINITE, INFINITE);
        else if (frame.flip) open(below, position_, -frame.beta, -frame.alpha);
        else open(below, position_, frame.alpha, frame.beta);
    }

    // Prepares `frame`, whose state and actions are set, for the search of its actions; the window is from MAX's point
    // of view.
    void open(Frame& frame, const Position& position, double alpha, double beta) {
        frame.next = 0;
        frame.line.clear();
        frame.chance = position.chance();
        frame.flip = !frame.chance && position.mover != result_.maximiser;
        frame.alpha = frame.start = frame.flip ? -beta : alpha;
        frame.beta = frame.flip ? -alpha : beta;
        frame.best = frame.chance ? 0.0 : -INFINITE;
        if (frame.chance) {
            game_.chances(frame.state.data(), frame.list);
        } else if (frame.list.count == 0) [[unlikely]] {
            game_.check("actions", frame.state.data(), 0, ZERMELO_BREACH);
        }
    }

    double leaf(const std::byte* state, const Position& position) {
        ++result_.leaves;
        if (position.terminal()) return position.utilities[result_.maximiser];
        ++result_.estimates;
        return game_.evaluate(state, result_.maximiser);
    }

    // Updates `frame` with the score, from MAX's point of view, of the child at `frame.next`.
    void back_up(Frame& frame, double score, const Line& line, std::size_t ply) {
        const std::size_t tried = frame.next++;
        const int64_t action = frame.list.actions[tried];
        if (ply == 0) result_.actions.emplace_back(action, score);
        if (frame.chance) {
            frame.best += frame.list.probabilities[tried] * score;
            return;
        }
        if (frame.flip) score = -score;
        if (score > frame.best || tried == 0) {
            frame.best = score;
            frame.line.set(action, line);
        }
        if (settings_.prune && frame.best > frame.alpha) frame.alpha = frame.best;
        if (frame.alpha >= frame.beta) {
            result_.cutoffs += frame.next < frame.list.count;
            frame.next = frame.list.count;
        }
    }

    // The score of a position whose actions are all searched, from MAX's point of view.
    double settle(const Frame& frame) const {
        double best = frame.best;
        if (settings_.hard && !frame.chance) best = std::min(std::max(best, frame.start), frame.beta);
        return frame.flip ? -best : best;
    }

    const Game& game_;
    const MinimaxSettings settings_;
    Watch& watch_;
    PlyStack<Frame> stack_;
    const Line nothing_;
    Position position_;
    Game::Frontier frontier_;
    MinimaxResult result_;
};

}  // namespace zermelo
