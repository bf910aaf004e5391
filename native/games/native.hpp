// Games whose rules are written in C++. Each fills the same table as any other game, and adds positions as text and
// evaluations by term.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/table.h"

namespace zermelo {

// An evaluation that is linear in weights, which are data and come with the game object: the estimate for player 0 is
// the sum of features times weights, divided by the table's unit.
struct Weighted {
    // The names of the weights, and so of the features.
    std::vector<std::string> (*names)();

    // A context for the game's table with these weights, in the order of their names; null, with the reason in `why`,
    // if they cannot be used.
    std::shared_ptr<const void> (*weigh)(const std::vector<int32_t>& weights, std::string& why);

    // Updates the parts of a state that depend on the weights to those of this context.
    void (*settle)(const void* context, void* state);

    // Writes the features of a position, one per name.
    void (*features)(const void* state, float* features);

    // As `NativeGame::explain`.
    std::vector<std::pair<std::string, double>> (*explain)(const void* context, const void* state);
};

struct NativeGame {
    const char* name;
    const zermelo_table* table;

    // The position as text, in the usual notation of the game (FEN, …).
    std::string (*write)(const void* state);

    // Reads such a text into `state`; on failure writes the reason to `why`, in a few words for users.
    bool (*read)(std::string_view text, void* state, std::string& why);

    // The terms of the estimate, each with its name and its points for player 0; they sum to the estimate. Null where
    // `weighted` has them.
    std::vector<std::pair<std::string, double>> (*explain)(const void* state);

    // Null in a game whose evaluation has no weights.
    const Weighted* weighted = nullptr;

    // Optional. For each point of a board, the expected owner at the end: from 1 (player 0) to -1 (the other).
    std::vector<double> (*ownership)(const void* state) = nullptr;
};

// All native games; a game is added by a line in `native.cpp`.
const std::vector<const NativeGame*>& native_games();

}  // namespace zermelo
