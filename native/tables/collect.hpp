// Finds the positions of slices of a game that does not number them: from some on, all that can be reached. So no action leads
// out of what is found, and what retrograde analysis says of it holds, whatever else there may be.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/game.hpp"
#include "solve/progress.hpp"
#include "solve/team.hpp"
#include "tables/listing.hpp"

namespace zermelo {

using States = std::set<std::string>;

// Where random games from the initial position first come to one of these slices.
States find_starts(const Game& game, const std::set<int64_t>& materials, uint64_t games, Watch& watch);

// All positions in which a player moves that can be reached from `starts`, and from those that are `known` already, by slice.
// Throws `SolveRefusal` where they do not fit.
std::map<int64_t, SharedListing> collect(const Game& game, const States& starts,
                                         const std::vector<SharedListing>& known, std::size_t memory, unsigned threads,
                                         Watch& watch, SolveProgress& progress);

}  // namespace zermelo
