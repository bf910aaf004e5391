// The lines of an engine's search: where they end, and what the tables know of how they go on.
#include "search/root.hpp"

namespace zermelo {

bool EngineSearch::reaches_end(const std::vector<int64_t>& line) const {
    StateBuffer state = game_.buffer(), next = game_.buffer();
    std::memcpy(state.data(), root_.data(), game_.state_size());
    Position position;
    game_.info(root_.data(), position);
    for (const int64_t action : line) {
        if (position.terminal()) return true;
        game_.step(state.data(), action, next.data(), position);
        std::swap(state, next);
    }
    return position.terminal();
}

// Extends a line that was cut short by a table hit with the moves stored in the table, and by endgame tables to the end.
void EngineSearch::complete(std::vector<int64_t>& line) const {
    StateBuffer state = game_.buffer(), next = game_.buffer();
    std::memcpy(state.data(), root_.data(), game_.state_size());
    Position position;
    game_.info(root_.data(), position);
    for (const int64_t action : line) {
        game_.step(state.data(), action, next.data(), position);
        std::swap(state, next);
        if (position.terminal()) return;
    }
    const ScoreScale scale(game_.table(), shared_.settings.quick);
    const bool ending = searches_[0].ending.has_value();
    ActionList list;
    TableEntry entry;
    while (line.size() < static_cast<std::size_t>(MAX_PLY)) {
        game_.actions(state.data(), list);
        std::size_t chosen = list.count;
        if (const auto known = engine_.tables ? engine_.tables->deciding(game_, state.data()) : std::nullopt) {
            chosen = *known;
        } else if (searches_[0].worker.look_up(
                       ending ? EndingSearch::key_of(key_of(game_, state.data())) : key_of(game_, state.data()),
                       entry)) {
            const bool decided = entry.depth >= TableEntry::PROVED && scale.decisive(entry.score);
            if (entry.bound == Bound::exact || decided) chosen = static_cast<std::size_t>(entry.action);
        } else {
            chosen = winning_action(state.data(), position.mover, list);  // immediate wins are never stored
        }
        if (chosen >= list.count) return;
        line.push_back(list.actions[chosen]);
        game_.step(state.data(), line.back(), next.data(), position);
        std::swap(state, next);
        if (position.terminal()) return;
    }
}

// The index in `list` of an action that ends the game with the greatest utility; the length of the list if there is
// none.
std::size_t EngineSearch::winning_action(const std::byte* state, int32_t mover, const ActionList& list) const {
    StateBuffer child = game_.buffer();
    Position position;
    for (std::size_t i = 0; i < list.count; ++i) {
        game_.step(state, list.actions[i], child.data(), position);
        if (position.terminal() && position.utilities[mover] >= game_.table().high) return i;
    }
    return list.count;
}

}  // namespace zermelo
