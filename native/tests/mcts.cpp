// Tests Monte Carlo tree search.
//
// Random games are searched on one thread and on four, with every technique, in so little memory that trees are pruned,
// and with slots for playouts and priors; proved values must equal those of minimax. With hidden information, no
// simulation may be lost, and some are kept from move to move. Exits 1 at a difference.
#include <cstdio>
#include <cstdlib>

#include "search/mcts/search.hpp"
#include "search/minimax.hpp"
#include "tests/noise_game.hpp"

using namespace zermelo;

namespace {

// Always the first action, to the end: a poor playout policy.
zermelo_status noise_playout(const void* context, const void* state, uint64_t* random, double* utilities,
                             int64_t* actions, int32_t* movers, uint64_t capacity, uint64_t* count) {
    NoiseState now, next;
    std::memcpy(&now, state, sizeof now);
    int32_t mover = 0;
    *random = splitmix(*random);
    *count = 0;
    for (noise_info(context, &now, &mover, utilities); mover >= 0; now = next) {
        if (*count < capacity) actions[*count] = 0, movers[(*count)++] = mover;
        noise_step(context, &now, 0, &next, &mover, utilities);
    }
    return ZERMELO_OK;
}

zermelo_status noise_priors(const void*, const void*, const int64_t*, uint64_t count, double* values, double* weights) {
    for (uint64_t i = 0; i < count; ++i) values[i] = 1, weights[i] = i % 3 == 0 ? 0 : 5;
    return ZERMELO_OK;
}

StateBuffer root_of(const Game& game, uint64_t net) {
    StateBuffer root = game.buffer();
    const NoiseState state{net, static_cast<int64_t>(net % NOISE_PLACES), 0, static_cast<int64_t>(net % 2)};
    std::memcpy(root.data(), &state, sizeof state);
    return root;
}

bool agree(const zermelo_table& table, MctsSearch& search, uint64_t net) {
    const Game game(table);
    const StateBuffer root = root_of(game, net);
    Position position;
    game.info(root.data(), position);
    if (position.terminal()) return true;
    Watch watch(nullptr), other(nullptr);
    const double truth = Minimax(game, MinimaxSettings{}, watch).search(root.data()).value;
    MctsLimits limits;
    limits.simulations = 3000;
    const MctsResult found = search.run({root.data(), limits}, other);
    const bool right =
        found.end == MctsEnd::proved ? found.value == truth : found.lower <= truth && truth <= found.upper;
    if (right) return true;
    std::printf("net %llu: minimax %g, Monte Carlo %g in [%g, %g]\n", static_cast<unsigned long long>(net), truth,
                found.value, found.lower, found.upper);
    return false;
}

// Plays a complete game with one searcher, whose tree is reused at every move.
bool plays(const zermelo_table& table, MctsSearch& search, uint64_t net) {
    const Game game(table);
    StateBuffer state = root_of(game, net), next = game.buffer();
    std::vector<StateBuffer> history;
    Position position;
    for (game.info(state.data(), position); !position.terminal();) {
        Watch watch(nullptr);
        MctsLimits limits;
        limits.simulations = 300;
        const MctsResult found = search.run({state.data(), limits, history}, watch);
        history.push_back(state);
        game.step(state.data(), found.actions.at(found.best).action, next.data(), position);
        std::swap(state, next);
    }
    return history.size() <= NOISE_PLIES;
}

// What a player sees with hidden information: whose turn it is, the ply, and the actions.
zermelo_status noise_view(const void*, const void* state, int32_t, uint64_t* key) {
    NoiseState s;
    std::memcpy(&s, state, sizeof s);
    *key = noise(s, 3) % 5 + 8 * static_cast<uint64_t>(s.ply) + 128 * static_cast<uint64_t>(s.turn);
    return ZERMELO_OK;
}

// Other positions that look like `root` to the player to move.
MctsWorlds worlds_of(const Game& game, const std::byte* root, int32_t mover, uint64_t net) {
    return MctsWorlds([&game, root, mover, next = net]() mutable {
        StateBuffer world = game.buffer();
        NoiseState state;
        for (;;) {
            std::memcpy(&state, root, sizeof state);
            state.net = ++next;
            state.place = static_cast<int64_t>(next % NOISE_PLACES);
            std::memcpy(world.data(), &state, sizeof state);
            Position position;
            game.info(world.data(), position);
            if (position.mover == mover && game.view_key(world.data(), mover) == game.view_key(root, mover))
                return std::vector<StateBuffer>{world};
        }
    });
}

// Plays a game with hidden information; the first player searches, and keeps its information sets from move to move.
bool plays_hidden(const zermelo_table& table, MctsSearch& search, uint64_t net, uint64_t& reused) {
    const Game game(table);
    StateBuffer state = root_of(game, net), next = game.buffer();
    std::vector<StateBuffer> history;
    Position position;
    game.info(state.data(), position);
    const int32_t searcher = position.mover;
    while (!position.terminal()) {
        int64_t action = 0;
        if (position.mover == searcher) {
            MctsWorlds worlds = worlds_of(game, state.data(), searcher, net);
            Watch watch(nullptr);
            MctsLimits limits;
            limits.simulations = 500;
            MctsTask task{state.data(), limits, history};
            task.worlds = &worlds;
            const MctsResult found = search.run(task, watch);
            uint64_t visits = 0;
            for (const MctsAction& each : found.actions) visits += each.visits;
            if (visits != limits.simulations + found.reused || found.simulations != limits.simulations) {
                std::printf("net %llu: %llu visits\n", static_cast<unsigned long long>(net),
                            static_cast<unsigned long long>(visits));
                return false;
            }
            reused += found.reused;
            action = found.actions.at(found.best).action;
        }
        history.push_back(state);
        game.step(state.data(), action, next.data(), position);
        std::swap(state, next);
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    const uint64_t games = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 200;
    zermelo_table table = noise_table(), guided = noise_table();
    guided.playout = noise_playout;
    guided.priors = noise_priors;
    MctsSettings plain, rave, puct, wide;
    rave.rave = 20;
    puct.puct = true;
    wide.widening = 0.5;
    for (const unsigned threads : {1u, 4u})
        for (const MctsSettings& settings : {plain, rave, puct, wide})
            for (const zermelo_table* each : {&table, &guided}) {
                MctsSearch search(*each, 1 << 15, threads, settings);
                for (uint64_t net = 1; net <= games; ++net)
                    if (!agree(*each, search, net) || !plays(*each, search, net)) return 1;
            }
    zermelo_table hidden = noise_table();
    hidden.view_key = noise_view;
    plain.solver = false;
    uint64_t reused = 0;
    for (const unsigned threads : {1u, 4u})
        for (const std::size_t bytes : {1 << 14, 1 << 20}) {
            MctsSearch search(hidden, bytes, threads, plain);
            for (uint64_t net = 1; net <= games; ++net)
                if (!plays_hidden(hidden, search, net, reused)) return 1;
        }
    if (games > 10 && reused == 0) {
        std::printf("no information set was kept\n");
        return 1;
    }
    std::printf("%llu games agree\n", static_cast<unsigned long long>(games));
    return 0;
}
