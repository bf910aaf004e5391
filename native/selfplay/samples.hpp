// What a network learns from recorded games: their positions, each with a target between 0 and 1.
#pragma once

#include "networks/trainer.hpp"
#include "selfplay/records.hpp"

namespace zermelo {

struct SampleSettings {
    double score_share = 0;  // of the score of the search in the target; the rest is the result of the game
    bool quiet_only = false;  // leave out positions in which the search chose a noisy action, or in check
};

// Adds the positions of a block of a file in which a search chose the action, and those in which chance moved. A proved
// score is the target as it is.
void add_samples(const zermelo_table& table, const RecordFile& file, std::size_t block, const SampleSettings& settings,
                 Samples& samples);

}  // namespace zermelo
