// Go for `native_games`: one table each for boards of up to 9, 13 and 19 lines, so that small boards have small states.
#pragma once

#include "games/native.hpp"

namespace zermelo::go {

extern const NativeGame game9, game13, game19;

}  // namespace zermelo::go
