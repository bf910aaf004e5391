#include "networks/attach.hpp"

#include <algorithm>
#include <cmath>

namespace zermelo {

namespace {

template <typename Attached>
const Attached& of(const void* context) {
    return static_cast<const Attached&>(*static_cast<const AttachedGame*>(context));
}

// A slot that calls the same slot of the game below, with its context.
template <auto slot>
struct Forward;

template <typename... Arguments, zermelo_status (*zermelo_table::*slot)(const void*, Arguments...)>
struct Forward<slot> {
    static zermelo_status call(const void* context, Arguments... arguments) {
        const zermelo_table& below = of<AttachedGame>(context).rules().table();
        return (below.*slot)(below.context, arguments...);
    }
};

// Calls `compute(game, state, mover)`; a failed rule is a status again.
template <typename Attached, typename Compute>
zermelo_status with_mover(const void* context, const void* state, const Compute& compute) {
    const Attached& game = of<Attached>(context);
    const auto* bytes = static_cast<const std::byte*>(state);
    try {
        Position position;
        game.rules().info(bytes, position);
        compute(game, bytes, position.mover);
    } catch (const RuleError& error) {
        return error.status;
    }
    return ZERMELO_OK;
}

template <typename Attached>
zermelo_status evaluate_by(const void* context, const void* state, int32_t player, double* answer) {
    return with_mover<Attached>(context, state, [&](const Attached& game, const std::byte* bytes, int32_t mover) {
        *answer = game.network().evaluate(game.rules(), bytes, mover, player);
    });
}

zermelo_status judge_by_grid(const void* context, const void* state, const int64_t* actions, uint64_t count,
                             double* priors, double* utilities) {
    return with_mover<GridGame>(context, state, [&](const GridGame& game, const std::byte* bytes, int32_t mover) {
        const double value = game.network().judge(game.rules(), bytes, mover, actions, count, priors);
        for (int32_t p = 0; p < game.rules().players(); ++p)
            utilities[p] = value_for(game.network().range(), value, mover, p);
    });
}

zermelo_status judge_by_sum(const void* context, const void* state, const int64_t* actions, uint64_t count,
                            double* priors, double* utilities) {
    return with_mover<NetworkGame>(context, state, [&](const NetworkGame& game, const std::byte* bytes, int32_t mover) {
        SumEvaluator evaluator(game.network(), game.rules());
        const double value = evaluator.judge(bytes, mover, actions, count, priors);
        for (int32_t p = 0; p < game.rules().players(); ++p)
            utilities[p] = p == mover ? value : 2 * game.rules().table().neutral - value;
    });
}

zermelo_status judge_by_asking(const void* context, const void* state, const int64_t* actions, uint64_t count,
                               double* priors, double* utilities) {
    return with_mover<AskedGame>(context, state, [&](const AskedGame& game, const std::byte* bytes, int32_t mover) {
        const float* outputs = game.ask(bytes, mover);
        const GridShape& shape = game.shape();
        spread_priors(shape, [&](std::size_t action) { return outputs[action]; }, actions, count, priors);
        const double value = value_of_output(game.range(), outputs[shape.actions.size()]);
        for (int32_t p = 0; p < game.rules().players(); ++p) utilities[p] = value_for(game.range(), value, mover, p);
    });
}

zermelo_status evaluate_by_asking(const void* context, const void* state, int32_t player, double* answer) {
    return with_mover<AskedGame>(context, state, [&](const AskedGame& game, const std::byte* bytes, int32_t mover) {
        const float output = game.ask(bytes, mover)[game.shape().actions.size()];
        *answer = value_for(game.range(), value_of_output(game.range(), output), mover, player);
    });
}

// Points per unit of utility for the values of a network: those of a hand-made evaluation, which may be few, times a power of
// two, so that the utilities of ends stay whole.
double finer_unit(const zermelo_table& game) {
    constexpr double POINTS = 1 << 17;  // from a draw to a win
    const double most = std::max(game.high - game.neutral, game.neutral - game.low);
    if (game.unit <= 0 || !std::isfinite(most) || most <= 0) return game.unit;
    return game.unit * std::exp2(std::max(0.0, std::floor(std::log2(POINTS / (game.unit * most)))));
}

}  // namespace

AttachedGame::AttachedGame(const zermelo_table& game) : table_(game), inner_(game) {
    table_.context = this;
    table_.unit = finer_unit(game);
#define ZERMELO_SLOT(name, method, parameters) \
    if (game.name) table_.name = &Forward<&zermelo_table::name>::call;
#include "core/slots.def"
    table_.frontier = nullptr;  // it calls the evaluation of the rules
}

NetworkGame::NetworkGame(const zermelo_table& game, std::shared_ptr<const SumNetwork> network)
    : AttachedGame(game), network_(std::move(network)) {
    table_.evaluate = &evaluate_by<NetworkGame>;
    table_.policy = &judge_by_sum;
}

GridGame::GridGame(const zermelo_table& game, std::shared_ptr<const GridNetwork> network)
    : AttachedGame(game), network_(std::move(network)) {
    table_.evaluate = &evaluate_by<GridGame>;
    table_.policy = &judge_by_grid;
}

AskedGame::AskedGame(const zermelo_table& game, std::shared_ptr<const GridShape> shape, Ask ask)
    : AttachedGame(game), shape_(std::move(shape)), range_{game.low, game.high, game.neutral}, ask_(std::move(ask)) {
    table_.evaluate = &evaluate_by_asking;
    table_.policy = &judge_by_asking;
}

const NetworkGame* network_game(const zermelo_table& table) {
    return table.evaluate == &evaluate_by<NetworkGame> ? &of<NetworkGame>(table.context) : nullptr;
}

}  // namespace zermelo
