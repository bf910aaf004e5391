#include "tables/tables.hpp"

#include <algorithm>
#include <stdexcept>

namespace zermelo {

std::optional<Verdict> verdict_of_end(const Game& game, const std::byte* state, const Position& position,
                                      int32_t player) {
    const double utility = game.end(state, position, player);
    const zermelo_table& table = game.table();
    if (utility == table.neutral) return Verdict{0, 0};
    if (utility == table.high) return Verdict{1, 0};
    if (utility == table.low) return Verdict{-1, 0};
    return std::nullopt;
}

Slice::Slice(std::vector<Cell> palette, std::vector<uint8_t> codes)
    : palette_(std::move(palette)), codes_(std::move(codes)), wide_(palette_.size() > 256),
      size_(codes_.size() / (wide_ ? 2 : 1)) {
    if (palette_.size() > 65536 || (wide_ && codes_.size() % 2 != 0))
        throw std::invalid_argument("a slice does not fit its palette");
    for (uint64_t i = 0; i < size_; ++i) {
        const std::size_t code = wide_ ? codes_[2 * i] | codes_[2 * i + 1] << 8 : codes_[i];
        if (code >= palette_.size()) throw std::invalid_argument("a slice has a code that is not in its palette");
    }
}

std::optional<Verdict> Tables::look(const Game& game, const std::byte* state, int plies) const {
    Verdict verdict;
    if (probe(game, state, verdict)) return verdict;
    if (plies == 0 || game.material(state) >= 0) return std::nullopt;
    return back_up(game, state, plies);
}

std::vector<std::pair<int64_t, std::optional<Verdict>>> Tables::children(const Game& game, const std::byte* state,
                                                                         int plies) const {
    std::vector<std::pair<int64_t, std::optional<Verdict>>> found;
    StateBuffer child = game.buffer();
    ActionList list;
    Position position;
    game.info(state, position);
    const int32_t mover = position.mover;
    if (mover < 0) return found;
    game.actions(state, list);
    for (std::size_t i = 0; i < list.count; ++i) {
        game.step(state, list.actions[i], child.data(), position);
        std::optional<Verdict> verdict;
        if (position.terminal()) {
            verdict = verdict_of_end(game, child.data(), position, mover);
            if (verdict) verdict = verdict->before(true);
        } else if (!position.chance()) {
            verdict = look(game, child.data(), plies - 1);
            if (verdict) verdict = verdict->before(position.mover == mover);
        }
        found.emplace_back(list.actions[i], verdict);
    }
    return found;
}

std::optional<Verdict> Tables::back_up(const Game& game, const std::byte* state, int plies) const {
    std::optional<Verdict> best;
    for (const auto& [action, verdict] : children(game, state, plies)) {
        if (!verdict) return std::nullopt;
        if (!best || verdict->worth() > best->worth()) best = verdict;
    }
    return best;
}

std::optional<std::size_t> Tables::deciding(const Game& game, const std::byte* state) const {
    Verdict verdict;
    if (!probe(game, state, verdict) || verdict.result == 0) return std::nullopt;
    std::optional<std::size_t> best;
    const auto list = children(game, state);
    for (std::size_t i = 0; i < list.size(); ++i)
        if (list[i].second && (!best || list[i].second->worth() > list[*best].second->worth())) best = i;
    return best;
}

bool Tables::agrees(const Game& game, int64_t material, uint64_t samples, Watch& watch) const {
    const Slice* slice = find(material);
    if (!slice || slice->size() != game.slice_size(material)) return false;
    const uint64_t step = std::max<uint64_t>(slice->size() / std::max<uint64_t>(samples, 1), 1);
    StateBuffer state = game.buffer();
    Position position;
    uint64_t spread = 0;  // so that the step has no number in common with the places of the board
    for (uint64_t first = 0; first < slice->size(); first += step) {
        watch.node();
        spread = spread * 6364136223846793005u + 1442695040888963407u;
        const uint64_t index = std::min(first + (spread >> 33) % step, slice->size() - 1);
        if (!game.unrank(material, index, state.data())) continue;
        game.info(state.data(), position);
        if (position.mover < 0) continue;
        const std::optional<Verdict> expected = back_up(game, state.data());
        if (expected && cell_of(*expected) != slice->at(index)) return false;
    }
    return true;
}

}  // namespace zermelo
