// What a network learns from recorded games: their positions, each with a target between 0 and 1.
#pragma once

#include <cmath>

#include "core/random.hpp"
#include "networks/trainer.hpp"
#include "selfplay/records.hpp"

namespace zermelo {

struct SampleSettings {
    double score_share = 0;  // of the score of the search in the target; the rest is the result of the game
    double score_slope =
        0;  // of the logistic function that makes a chance of a score, from −1 to 1; 0: scores are chances
    int32_t symmetries = 1;  // each position is put through one of so many, at random
    uint64_t seed = 0;
    bool quiet_only = false;  // leave out positions in which the search chose a noisy action, or in check
    double quick_share = 1;  // of the positions without visits, in games with visits, those that are taken
};

// A position to learn from.
struct TrainingTarget {
    const ReplayedPosition& position;
    const std::byte* state;  // its image under a symmetry
    int32_t symmetry;
    float value;  // what the mover, or player 0 if chance moves, can expect, from 0 to 1
};

// Nothing is learned from how a game ended but its result.
struct NoEnd {
    void operator()(const Replay&, const GameRecord&) const {}
};

// Calls `take(TrainingTarget)` for the positions of a block of a file in which a search chose the action, and those in which
// chance moved, and `end(replay, record)` behind the last of each game. A proved score is the value as it is.
template <typename Take, typename End = NoEnd>
void each_target(const zermelo_table& table, const RecordFile& file, std::size_t block, const SampleSettings& settings,
                 const Take& take, const End& end = {}) {
    const Game game(table);
    const ScoreSteps steps(table.low, table.high);
    Random random(mix(settings.seed, block));
    StateBuffer image = game.buffer();
    BlockReader reader(table, file.blocks()[block]);
    Replay replay(table, file.header().initial);
    GameRecord record;
    const auto share = [&](double utility) {
        return static_cast<float>(std::clamp((utility - table.low) / (table.high - table.low), 0.0, 1.0));
    };
    while (reader.next(record)) {
        replay.run(record, [&](const ReplayedPosition& position) {
            const uint8_t flags = position.move.flags;
            const bool chance = position.mover < 0;
            if (!chance && (!(flags & SCORED) || (settings.quiet_only && !(flags & QUIET)))) return;
            const bool quick = !record.visits.empty() && position.visits.empty();
            if (quick && settings.quick_share < 1 && random.unit() >= settings.quick_share) return;
            const float result = share(record.utilities[static_cast<std::size_t>(chance ? 0 : position.mover)]);
            float target = result;
            if (!chance) {
                float score = share(steps.utility(position.move.score));
                if (settings.score_slope != 0 && !(flags & PROVED))
                    score = static_cast<float>(1 / (1 + std::exp(-settings.score_slope * (2 * score - 1))));
                const auto part = static_cast<float>(flags & PROVED ? 1 : settings.score_share);
                target = part * score + (1 - part) * result;
            }
            const auto symmetry = static_cast<int32_t>(random.below(static_cast<uint64_t>(settings.symmetries)));
            if (symmetry) game.symmetric(position.state, symmetry, image.data());
            take(TrainingTarget{position, symmetry ? image.data() : position.state, symmetry, target});
        });
        end(replay, record);
    }
}

// Adds what a sum network learns from a block.
void add_samples(const zermelo_table& table, const RecordFile& file, std::size_t block, const SampleSettings& settings,
                 Samples& samples);

}  // namespace zermelo
