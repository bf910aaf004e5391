// Chinese chess for `native_games`.
#pragma once

#include "games/native.hpp"

namespace zermelo::xiangqi {

extern const NativeGame game;

}  // namespace zermelo::xiangqi
