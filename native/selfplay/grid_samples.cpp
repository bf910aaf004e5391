#include "selfplay/grid_samples.hpp"

#include <algorithm>

namespace zermelo {

template <typename Take>
void GridSamples::find(int64_t action, const Take& take) const {
    const std::vector<int64_t>& known = shape_.actions;
    const auto found = std::lower_bound(known.begin(), known.end(), action);
    if (found != known.end() && *found == action) take(static_cast<uint32_t>(found - known.begin()));
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
}

GridSample GridSamples::at(std::size_t index) const {
    const std::span<const uint32_t> actions = visited.list(index);
    return {on.list(index), legal.list(index), actions, {shares.data() + visited.starts[index], actions.size()},
            movers[index],  values[index]};
}

void GridSamples::extend(const GridSamples& others) {
    on.extend(others.on);
    legal.extend(others.legal);
    visited.extend(others.visited);
    shares.insert(shares.end(), others.shares.begin(), others.shares.end());
    movers.insert(movers.end(), others.movers.begin(), others.movers.end());
    values.insert(values.end(), others.values.begin(), others.values.end());
}

void GridSamples::clear() {
    for (SampleLists* lists : {&on, &legal, &visited}) lists->clear();
    shares.clear();
    movers.clear();
    values.clear();
}

void add_samples(const zermelo_table& table, const RecordFile& file, std::size_t block, const SampleSettings& settings,
                 GridSamples& samples) {
    const Game game(table);
    ActionList images;
    each_target(table, file, block, settings, [&](const TrainingTarget& target) {
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
    });
}

}  // namespace zermelo
