#include "networks/attach.hpp"

namespace zermelo {

namespace {

const NetworkGame& of(const void* context) { return *static_cast<const NetworkGame*>(context); }

// A slot that calls the same slot of the game below, with its context.
template <auto slot>
struct Forward;

template <typename... Arguments, zermelo_status (*zermelo_table::*slot)(const void*, Arguments...)>
struct Forward<slot> {
    static zermelo_status call(const void* context, Arguments... arguments) {
        const zermelo_table& below = of(context).rules().table();
        return (below.*slot)(below.context, arguments...);
    }
};

zermelo_status evaluate_by_network(const void* context, const void* state, int32_t player, double* answer) {
    const NetworkGame& game = of(context);
    const auto* bytes = static_cast<const std::byte*>(state);
    try {
        Position position;
        game.rules().info(bytes, position);
        *answer = game.network().evaluate(game.rules(), bytes, position.mover, player);
    } catch (const RuleError& error) {
        return error.status;
    }
    return ZERMELO_OK;
}

}  // namespace

NetworkGame::NetworkGame(const zermelo_table& game, std::shared_ptr<const SumNetwork> network)
    : inner_(game), network_(std::move(network)), table_(game) {
    table_.context = this;
#define ZERMELO_SLOT(name, method, parameters) \
    if (game.name) table_.name = &Forward<&zermelo_table::name>::call;
#include "core/slots.def"
    table_.evaluate = &evaluate_by_network;
    table_.frontier = nullptr;  // it calls the evaluation of the rules
}

const NetworkGame* network_game(const zermelo_table& table) {
    return table.evaluate == &evaluate_by_network ? static_cast<const NetworkGame*>(table.context) : nullptr;
}

}  // namespace zermelo
