// Games whose rules are written in C++. Each fills the same table as any other game, and adds what people need: positions as
// text, and evaluations taken apart.
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
// the sum of features times weights, over the table's unit.
struct Weighted {
    // What the weights, and so the features, are called.
    std::vector<std::string> (*names)();

    // A context for the game's table with these weights, in the order of their names; none, with the reason in `why`,
    // if they cannot be used.
    std::shared_ptr<const void> (*weigh)(const std::vector<int32_t>& weights, std::string& why);

    // Sets what a state, made under other weights or none, keeps of the weights of this context.
    void (*settle)(const void* context, void* state);

    // Writes the features of a position, as many as there are names.
    void (*features)(const void* state, float* features);

    // As `NativeGame::explain`.
    std::vector<std::pair<std::string, double>> (*explain)(const void* context, const void* state);
};

struct NativeGame {
    const char* name;
    const zermelo_table* table;

    // The position as text, in the way of the game's world (FEN, …).
    std::string (*write)(const void* state);

    // Reads such a text into `state`; otherwise says in `why`, in a few words for people, what is wrong with it.
    bool (*read)(std::string_view text, void* state, std::string& why);

    // The parts of the estimate, each with its name and its points for player 0; they add up to the whole. Null where
    // `weighted` has them.
    std::vector<std::pair<std::string, double>> (*explain)(const void* state);

    // Null in a game whose evaluation has no weights that are data.
    const Weighted* weighted = nullptr;

    // Optional. For each point of a board, from the first on, how surely it will be player 0's at the end (1) or the other's (-1).
    std::vector<double> (*ownership)(const void* state) = nullptr;
};

// All of them; a game joins by a line in `native.cpp`.
const std::vector<const NativeGame*>& native_games();

}  // namespace zermelo
