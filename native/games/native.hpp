// Games whose rules are written in C++. Each fills the same table as any other game, and adds what people need: positions as
// text, and evaluations taken apart.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/table.h"

namespace zermelo {

struct NativeGame {
    const char* name;
    const zermelo_table* table;

    // The position as text, in the way of the game's world (FEN, …).
    std::string (*write)(const void* state);

    // Reads such a text into `state`; otherwise says in `why`, in a few words for people, what is wrong with it.
    bool (*read)(std::string_view text, void* state, std::string& why);

    // The parts of the estimate, each with its name and its points for player 0; they add up to the whole.
    std::vector<std::pair<std::string, double>> (*explain)(const void* state);

    // Optional. For each point of a board, from the first on, how surely it will be player 0's at the end (1) or the other's (-1).
    std::vector<double> (*ownership)(const void* state) = nullptr;
};

// All of them; a game joins by a line in `native.cpp`.
const std::vector<const NativeGame*>& native_games();

}  // namespace zermelo
