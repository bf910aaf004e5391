// Games whose rules are written in C++. Each fills the same table as any other game, and adds what people need: positions as
// text.
#pragma once

#include <string>
#include <string_view>
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
};

// All of them; a game joins by a line in `native.cpp`.
const std::vector<const NativeGame*>& native_games();

}  // namespace zermelo
