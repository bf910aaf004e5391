#include "selfplay/grid_samples.hpp"

namespace zermelo {

template <typename Take>
void GridSamples::find(int64_t action, const Take& take) const {
    const std::size_t found = shape_.find(action);
    if (found < shape_.actions.size()) take(static_cast<uint32_t>(found));
}

void GridSamples::add(const Game& game, const std::byte* state, int32_t mover, const ActionList& legal_actions,
                      std::span<const VisitShare> visits, float value) {
    shape_.inputs.read(game, state, mover, words_.data());
    for_each_bit(words_.data(), words_.size(), [&](uint32_t input) {
        if (shape_.places[input] != GridShape::NOWHERE) on.items.push_back(shape_.places[input]);
    });
    for (std::size_t i = 0; i < legal_actions.count; ++i)
        find(legal_actions.actions[i], [&](uint32_t index) { legal.items.push_back(index); });
    for (const VisitShare& each : visits)
        find(legal_actions.actions[each.index], [&](uint32_t index) {
            visited.items.push_back(index);
            shares.push_back(static_cast<float>(each.share) / VisitShare::WHOLE);
        });
    on.end_list();
    legal.end_list();
    visited.end_list();
    movers.push_back(static_cast<uint8_t>(mover));
    values.push_back(value);
    if (shape_.owners) owned.resize(values.size() * shape_.cells(), UNKNOWN);
}

void GridSamples::set_owners(std::size_t index, const ActionList& owners) {
    for (std::size_t cell = 0; cell < shape_.cells(); ++cell) {
        const int64_t player = owners.actions[cell];
        owned[index * shape_.cells() + cell] = player < 0 ? 1 : player == movers[index] ? 2 : 0;
    }
}

GridSample GridSamples::at(std::size_t index) const {
    const std::span<const uint32_t> actions = visited.list(index);
    GridSample found{on.list(index), legal.list(index),
                     actions,        {shares.data() + visited.starts[index], actions.size()},
                     movers[index],  values[index]};
    if (shape_.owners && owned[index * shape_.cells()] != UNKNOWN)
        found.owned = {owned.data() + index * shape_.cells(), shape_.cells()};
    return found;
}

void GridSamples::extend(const GridSamples& others) {
    on.extend(others.on);
    legal.extend(others.legal);
    visited.extend(others.visited);
    shares.insert(shares.end(), others.shares.begin(), others.shares.end());
    movers.insert(movers.end(), others.movers.begin(), others.movers.end());
    values.insert(values.end(), others.values.begin(), others.values.end());
    owned.insert(owned.end(), others.owned.begin(), others.owned.end());
}

void GridSamples::clear() {
    for (SampleLists* lists : {&on, &legal, &visited}) lists->clear();
    shares.clear();
    movers.clear();
    values.clear();
    owned.clear();
}

void add_samples(const zermelo_table& table, const RecordFile& file, std::size_t block, const SampleSettings& settings,
                 GridSamples& samples) {
    const Game game(table);
    ActionList images, owners;
    StateBuffer end_image = game.buffer();
    std::vector<int32_t> symmetries;  // of the samples of the game
    const auto take_owners = [&](const Replay& replay, const GameRecord& record) {
        const std::size_t first = samples.size() - symmetries.size();
        if (samples.shape().owners && record.ending == Ending::rules)
            for (std::size_t i = 0; i < symmetries.size(); ++i) {
                game.symmetric(replay.last(record), symmetries[i], end_image.data());
                game.owners(end_image.data(), owners);
                if (owners.count != samples.shape().cells()) game.check("owners", end_image.data(), 0, ZERMELO_BREACH);
                samples.set_owners(first + i, owners);
            }
        symmetries.clear();
    };
    each_target(
        table, file, block, settings,
        [&](const TrainingTarget& target) {
            const ReplayedPosition& position = target.position;
            if (position.mover < 0) return;
            const ActionList* actions = &position.actions;
            if (target.symmetry) {
                images.actions.resize(actions->count);
                images.count = actions->count;
                for (std::size_t i = 0; i < images.count; ++i)
                    images.actions[i] = game.symmetric_action(position.state, actions->actions[i], target.symmetry);
                actions = &images;
            }
            samples.add(game, target.state, position.mover, *actions, position.visits, target.value);
            symmetries.push_back(target.symmetry);
        },
        take_owners);
}

}  // namespace zermelo
