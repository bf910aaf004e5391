#include "games/native.hpp"

#include "games/backgammon/game.hpp"
#include "games/chess/chess.hpp"
#include "games/go/game.hpp"
#include "games/xiangqi/game.hpp"

namespace zermelo {

const std::vector<const NativeGame*>& native_games() {
    static const std::vector<const NativeGame*> games{&backgammon::game(), &chess::game(), &xiangqi::game,
                                                      &go::game9,          &go::game13,    &go::game19};
    return games;
}

}  // namespace zermelo
