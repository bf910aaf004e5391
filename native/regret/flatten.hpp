// The tree of a compiled game, flattened through its table.
//
// An information set is its owner's own last choice and what it sees now; by induction that is its own sequence of views
// and actions.
#pragma once

#include <unordered_map>
#include <utility>

#include "core/game.hpp"
#include "core/watch.hpp"
#include "regret/tree.hpp"

namespace zermelo::regret {

// The tree has more nodes than allowed, or goes round.
struct TooLarge {};

// A player sees the same in two states and has other actions; `state` is the second.
struct UnlikeActions {
    int32_t player;
    std::vector<std::byte> state;
};

struct Flat {
    Tree tree;
    std::vector<std::byte> examples;  // a state of each information set, the one met first
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
        open(root, position, 0, std::vector<int32_t>(static_cast<std::size_t>(game_.players()), -1));
        while (!stack_.empty()) {
            Frame& frame = stack_.back();
            if (frame.next == frame.list.count) {
                spare_.push_back(std::move(frame));
                stack_.pop_back();
                continue;
            }
            watch_.node();
            descend(frame, position);
        }
        return std::move(flat_);
    }

private:
    // A node whose children are being entered.
    struct Frame {
        explicit Frame(StateBuffer buffer) : state(std::move(buffer)) {}
        StateBuffer state;
        ActionList list;
        std::vector<int32_t> last;  // everybody's last action
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

    void descend(Frame& frame, Position& position) {
        const std::size_t i = frame.next++;
        StateBuffer child = game_.buffer();
        game_.step(frame.state.data(), frame.list.actions[i], child.data(), position);
        std::vector<int32_t> last = frame.last;
        if (frame.owner >= 0) last[frame.owner] = frame.offset + static_cast<int32_t>(i);
        const int32_t node = flat_.tree.first[frame.node] + static_cast<int32_t>(i);
        open(child.data(), position, node, std::move(last));  // may move frames
    }

    // Fills in a node; makes a frame of it unless the game is over there.
    void open(const std::byte* state, const Position& position, int32_t node, std::vector<int32_t> last) {
        Tree& tree = flat_.tree;
        if (position.terminal()) {
            tree.first[node] = static_cast<int32_t>(tree.ends());
            tree.payoffs.insert(tree.payoffs.end(), position.utilities.begin(),
                                position.utilities.begin() + game_.players());
            return;
        }
        Frame frame = take_frame();
        std::memcpy(frame.state.data(), state, game_.state_size());
        if (position.chance()) game_.chances(state, frame.list);
        else game_.actions(state, frame.list);
        if (frame.list.count == 0)
            game_.check(position.chance() ? "chances" : "actions", state, 0, ZERMELO_BREACH);
        frame.node = node;
        frame.owner = position.chance() ? -1 : position.mover;
        frame.next = 0;
        tree.infoset[node] = CHANCE_NODE;
        if (frame.owner >= 0) {
            tree.infoset[node] = find_set(state, frame.owner, last[frame.owner], frame.list);
            frame.offset = offsets_[tree.infoset[node]];
        }
        tree.first[node] = static_cast<int32_t>(tree.nodes());
        tree.count[node] = static_cast<int32_t>(frame.list.count);
        for (std::size_t i = 0; i < frame.list.count; ++i) add_node(frame.owner < 0 ? frame.list.probabilities[i] : 1.0);
        if (frame.owner < 0) check_chances(state, frame.list);
        frame.last = std::move(last);
        stack_.push_back(std::move(frame));
    }

    Frame take_frame() {
        if (spare_.empty()) return Frame(game_.buffer());
        Frame frame = std::move(spare_.back());
        spare_.pop_back();
        return frame;
    }

    void check_chances(const std::byte* state, const ActionList& list) const {
        double sum = 0;
        bool fair = true;
        for (std::size_t i = 0; i < list.count; ++i) {
            fair = fair && list.probabilities[i] >= 0 && list.probabilities[i] <= 1;
            sum += list.probabilities[i];
        }
        if (!fair || !(std::abs(sum - 1) < 1e-9)) game_.check("chances", state, 0, ZERMELO_BREACH);
    }

    int32_t find_set(const std::byte* state, int32_t player, int32_t last, const ActionList& list) {
        const uint64_t key = mix(mix(static_cast<uint64_t>(player) + 1, static_cast<uint64_t>(last) + 1),
                                 game_.view_key(state, player));
        uint64_t actions = list.count;
        for (std::size_t i = 0; i < list.count; ++i) actions = mix(actions, static_cast<uint64_t>(list.actions[i]));
        const auto [entry, unseen] = sets_.try_emplace(key, static_cast<int32_t>(offsets_.size()), actions);
        if (!unseen) {
            if (entry->second.second != actions)
                throw UnlikeActions{player, {state, state + game_.state_size()}};
            return entry->second.first;
        }
        Tree& tree = flat_.tree;
        offsets_.push_back(total_);
        total_ += static_cast<int32_t>(list.count);  // at most one an edge, so it fits
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
