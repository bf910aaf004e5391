// Best-reply search: in each round of opponents one replies and the others skip their turns.
#include "search/expectation/expectiminimax.hpp"

namespace zermelo {

// All actions of each opponent that moves before MAX or chance does, after the earlier turns were skipped.
void Expectiminimax::find_replies(int ply) {
    TreeFrame& node = frame(ply);
    node.replies.clear();
    std::memcpy(spare_.data(), node.state.data(), game_.state_size());
    for (uint32_t quiet = 0; quiet + 1 < static_cast<uint32_t>(game_.players()); ++quiet) {
        game_.actions(spare_.data(), quiet_list_);
        if (quiet_list_.count == 0) game_.check("actions", spare_.data(), 0, ZERMELO_BREACH);
        for (std::size_t i = 0; i < quiet_list_.count; ++i) node.replies.push_back({quiet, quiet_list_.actions[i]});
        quiet_turn(spare_);
        if (!opponent_moves()) return;
    }
}

// Makes the position after `reply` in the frame below: the one in which MAX or chance moves, or the game is over.
void Expectiminimax::play_round(int ply, const Reply& reply) {
    TreeFrame& below = frame(ply + 1);
    std::memcpy(spare_.data(), frame(ply).state.data(), game_.state_size());
    for (uint32_t i = 0; i < reply.quiet; ++i) quiet_turn(spare_);
    game_.step(spare_.data(), reply.action, below.state.data(), position_);
    for (int i = 0; i + 1 < game_.players() && opponent_moves(); ++i) quiet_turn(below.state);
    below.mover = position_.mover;
    if (position_.mover >= 0) game_.actions(below.state.data(), below.list);
}

// A skipped turn: a pass, or else the action with the highest priority of the game.
void Expectiminimax::quiet_turn(StateBuffer& state) {
    StateBuffer next = game_.buffer();
    if (game_.table().pass_turn && !game_.is_check(state.data())) {
        game_.pass_turn(state.data(), next.data(), position_);
    } else {
        game_.actions(state.data(), quiet_list_);
        if (quiet_list_.count == 0) game_.check("actions", state.data(), 0, ZERMELO_BREACH);
        priorities_.resize(quiet_list_.count);
        game_.priorities(state.data(), quiet_list_.actions.data(), quiet_list_.count, priorities_.data());
        std::size_t chosen = 0;
        for (std::size_t i = 1; i < quiet_list_.count; ++i)
            if (priorities_[i] > priorities_[chosen]) chosen = i;
        game_.step(state.data(), quiet_list_.actions[chosen], next.data(), position_);
    }
    std::swap(state, next);
}

}  // namespace zermelo
