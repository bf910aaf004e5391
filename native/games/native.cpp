#include "games/native.hpp"

#include "games/chess/chess.hpp"
#include "games/xiangqi/game.hpp"

namespace zermelo {

const std::vector<const NativeGame*>& native_games() {
    static const std::vector<const NativeGame*> games{&chess::game(), &xiangqi::game};
    return games;
}

}  // namespace zermelo
