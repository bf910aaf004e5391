// What networks learn from: `Samples` of `trainer.hpp`.
#include <algorithm>

#include "networks/trainer.hpp"

namespace zermelo {

void Samples::add(const Game& game, const std::byte* state, int32_t mover, float target) {
    const int32_t own = std::max(mover, 0);
    const uint32_t row_set = shape_.rows_of(mover);
    uint32_t stage = 0;
    for (uint32_t view = 0; view < shape_.views(); ++view) {
        const int32_t player = view == 0 ? own : 1 - own;
        const auto push = [&](uint32_t input) { inputs.push_back(input); };
        if (shape_.width == 0) {
            shape_.inputs.for_each(game, state, player, push);
        } else {
            shape_.inputs.read(game, state, player, words_.data());
            for_each_bit(words_.data(), words_.size(), push);
        }
        if (view == 0) stage = shape_.stage_of(game, state, inputs.size() - starts.back());
        starts.push_back(inputs.size());
    }
    heads.push_back(static_cast<uint32_t>(shape_.head_of(row_set, stage)));
    rows.push_back(static_cast<uint8_t>(row_set));
    targets.push_back(target);
}

void Samples::extend(const Samples& others) {
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    const std::size_t shift = inputs.size(), first = starts.size();
    append(inputs, others.inputs);
    starts.insert(starts.end(), others.starts.begin() + 1, others.starts.end());
    for (std::size_t i = first; i < starts.size(); ++i) starts[i] += shift;
    append(heads, others.heads);
    append(rows, others.rows);
    append(targets, others.targets);
}

void Samples::clear() {
    inputs.clear();
    starts.assign(1, 0);
    heads.clear();
    rows.clear();
    targets.clear();
}

}  // namespace zermelo
