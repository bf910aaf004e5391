// The tree of a compiled game, flattened through its table.
//
// An information set is identified by its owner's last choice and current view; by induction that is its own sequence
// of views and actions.
#pragma once

#include <unordered_map>
#include <utility>

#include "core/game.hpp"
#include "core/watch.hpp"
#include "regret/tree.hpp"

namespace zermelo::regret {

// The tree has more nodes than allowed, or contains a cycle.
struct TooLarge {};

// A player has the same view in two states with different actions; `state` is the second.
struct UnlikeActions {
    int32_t player;
    std::vector<std::byte> state;
};

struct Flat {
    Tree tree;
    std::vector<std::byte> examples;  // the first state found of each information set
};

class Flattener {
public:
    Flattener(const Game& game, std::size_t most, Watch& watch)
        : game_(game), most_(std::min<std::size_t>(most, INT32_MAX - 1)), watch_(watch) {
        flat_.tree.players = game.players();
    }

    Flat run(const std::byte* root) {
        Position position;
        game_.info(root, position);
        add_node(1.0);
        Frame frame = take_frame();
        std::memcpy(frame.state.data(), root, game_.state_size());
        frame.last.assign(static_cast<std::size_t>(game_.players()), -1);
        frame.node = 0;
        open(std::move(frame), position);
        while (!stack_.empty()) {
            watch_.node();
            if (stack_.back().next < stack_.back().list.count) {
                descend(position);
                continue;
            }
            spare_.push_back(std::move(stack_.back()));
            stack_.pop_back();
        }
        return std::move(flat_);
    }

private:
    static constexpr std::size_t MAX_PLIES = 100'000;

    // A node whose children are being entered.
    struct Frame {
        explicit Frame(StateBuffer buffer) : state(std::move(buffer)) {}
        StateBuffer state;
        ActionList list;
        std::vector<int32_t> last;  // the last action of every player
        std::size_t next = 0;
        int32_t node = 0, owner = -1, offset = 0;
    };

    void add_node(double chance) {
        Tree& tree = flat_.tree;
        if (tree.infoset.size() >= most_) throw TooLarge{};
        tree.infoset.push_back(END_NODE);
        tree.first.push_back(0);
        tree.count.push_back(0);
        tree.chance.push_back(chance);
    }

    void descend(Position& position) {
        Frame child = take_frame();
        Frame& frame = stack_.back();
        const std::size_t i = frame.next++;
        game_.step(frame.state.data(), frame.list.actions[i], child.state.data(), position);
        child.last = frame.last;
        if (frame.owner >= 0) child.last[frame.owner] = frame.offset + static_cast<int32_t>(i);
        child.node = flat_.tree.first[frame.node] + static_cast<int32_t>(i);
        open(std::move(child), position);
    }

    // Fills in a frame's node; its children are entered next, unless it is terminal.
    void open(Frame frame, const Position& position) {
        Tree& tree = flat_.tree;
        const std::byte* state = frame.state.data();
        if (position.terminal()) {
            tree.first[frame.node] = static_cast<int32_t>(tree.ends());
            tree.payoffs.insert(tree.payoffs.end(), position.utilities.begin(),
                                position.utilities.begin() + game_.players());
            spare_.push_back(std::move(frame));
            return;
        }
        if (position.chance()) game_.chances(state, frame.list);
        else game_.actions(state, frame.list);
        if (frame.list.count == 0) game_.check("actions", state, 0, ZERMELO_BREACH);
        frame.owner = position.chance() ? -1 : position.mover;
        frame.next = 0;
        tree.infoset[frame.node] = CHANCE_NODE;
        if (frame.owner >= 0) {
            const int32_t set = find_set(state, frame.owner, frame.last[frame.owner], frame.list);
            tree.infoset[frame.node] = set;
            frame.offset = offsets_[set];
        }
        if (stack_.size() >= MAX_PLIES) throw TooLarge{};  // play that goes round has no end
        tree.first[frame.node] = static_cast<int32_t>(tree.nodes());
        tree.count[frame.node] = static_cast<int32_t>(frame.list.count);
        for (std::size_t i = 0; i < frame.list.count; ++i)
            add_node(frame.owner < 0 ? frame.list.probabilities[i] : 1.0);
        stack_.push_back(std::move(frame));
    }

    Frame take_frame() {
        if (spare_.empty()) return Frame(game_.buffer());
        Frame frame = std::move(spare_.back());
        spare_.pop_back();
        return frame;
    }

    int32_t find_set(const std::byte* state, int32_t player, int32_t last, const ActionList& list) {
        const uint64_t key =
            mix(mix(static_cast<uint64_t>(player) + 1, static_cast<uint64_t>(last) + 1), game_.view_key(state, player));
        uint64_t actions = list.count;
        for (std::size_t i = 0; i < list.count; ++i) actions = mix(actions, static_cast<uint64_t>(list.actions[i]));
        const auto [entry, unseen] = sets_.try_emplace(key, static_cast<int32_t>(offsets_.size()), actions);
        if (!unseen) {
            if (entry->second.second != actions) throw UnlikeActions{player, {state, state + game_.state_size()}};
            return entry->second.first;
        }
        Tree& tree = flat_.tree;
        offsets_.push_back(total_);
        total_ += static_cast<int32_t>(list.count);  // at most one per edge, so it fits
        tree.owner.push_back(player);
        tree.width.push_back(static_cast<int32_t>(list.count));
        flat_.examples.insert(flat_.examples.end(), state, state + game_.state_size());
        return entry->second.first;
    }

    const Game& game_;
    const std::size_t most_;
    Watch& watch_;
    Flat flat_;
    std::vector<Frame> stack_, spare_;
    std::unordered_map<uint64_t, std::pair<int32_t, uint64_t>> sets_;
    std::vector<int32_t> offsets_;
    int32_t total_ = 0;
};

}  // namespace zermelo::regret
