#include "selfplay/samples.hpp"

namespace zermelo {

void add_samples(const zermelo_table& table, const RecordFile& file, std::size_t block, const SampleSettings& settings,
                 Samples& samples) {
    const Game game(table);
    each_target(table, file, block, settings, [&](const TrainingTarget& target) {
        samples.add(game, target.state, target.position.mover, target.value);
    });
}

}  // namespace zermelo
