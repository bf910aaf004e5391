#include "selfplay/samples.hpp"

namespace zermelo {

void add_samples(const zermelo_table& table, const RecordFile& file, std::size_t block, const SampleSettings& settings,
                 Samples& samples) {
    const Game game(table);
    const ScoreSteps steps(table.low, table.high);
    BlockReader reader(table, file.blocks()[block]);
    Replay replay(table, file.header().initial);
    GameRecord record;
    const auto share = [&](double utility) {
        return static_cast<float>(std::clamp((utility - table.low) / (table.high - table.low), 0.0, 1.0));
    };
    while (reader.next(record))
        replay.run(record, [&](const ReplayedPosition& position) {
            const uint8_t flags = position.move.flags;
            const bool chance = position.mover < 0;
            if (!chance && (!(flags & SCORED) || (settings.quiet_only && !(flags & QUIET)))) return;
            const float result = share(record.utilities[static_cast<std::size_t>(chance ? 0 : position.mover)]);
            float target = result;
            if (!chance) {
                const float score = share(steps.utility(position.move.score));
                const auto part = static_cast<float>(flags & PROVED ? 1 : settings.score_share);
                target = part * score + (1 - part) * result;
            }
            samples.add(game, position.state, position.mover, target);
        });
}

}  // namespace zermelo
