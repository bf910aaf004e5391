// Tests the native searches.
//
// Random games are searched by plain minimax and by the engine, on one thread and on four, with every technique and
// with the sound ones only, and with any parameters; proved values must be equal. Exits 1 at the first difference.
#include <cstdio>
#include <cstdlib>

#include "search/engine.hpp"
#include "search/minimax.hpp"
#include "search/perft.hpp"
#include "search/playout.hpp"
#include "tests/noise_game.hpp"

using namespace zermelo;

namespace {

// Parameters anywhere within their bounds, half of them at one.
SearchParameters drawn_parameters(uint64_t seed) {
    SearchParameters parameters;
    for (const SearchParameter& each : SEARCH_PARAMETERS) {
        seed = splitmix(seed);
        const double place = static_cast<double>(seed >> 40) / (1 << 24);
        const double spread = std::clamp(2 * place - 0.5, 0.0, 1.0);
        const double value = each.least + spread * (each.most - each.least);
        each.set(parameters, each.whole ? std::floor(value) : value);
    }
    return parameters;
}

// Pairs of depths for Multi-ProbCut, good and bad ones.
std::vector<DepthPair> drawn_pairs(uint64_t seed) {
    std::vector<DepthPair> pairs;
    for (int depth = 2; depth <= 6; ++depth) {
        seed = splitmix(seed);
        const double part = static_cast<double>(seed >> 40) / (1 << 24);
        pairs.push_back({0, depth, 1 + static_cast<int>(seed % (depth - 1)), 0.2 + 2 * part, part - 0.5, 0.3 * part});
    }
    return pairs;
}

// Deepens until the value is proved, or to the end of the game.
EngineReport deepen(Engine& engine, const std::byte* root, uint64_t net, bool sound) {
    EngineSettings settings;
    settings.parameters = drawn_parameters(net);
    if (net % 2) settings.depth_pairs = DepthPairs(drawn_pairs(net));
    if (sound) settings.make_sound(engine.game.table());
    SearchLimits limits;
    limits.depth = 2 * NOISE_PLIES;
    EngineSearch search(engine, root, {}, limits, settings, sound);
    Watch watch(nullptr);
    do search.next_depth(watch);
    while (!search.done());
    return search.report();
}

bool agree(const zermelo_table& table, Engine& engine, uint64_t net, bool sound) {
    const Game game(table);
    StateBuffer root = game.buffer();
    const NoiseState state{net, static_cast<int64_t>(net % NOISE_PLACES), 0, static_cast<int64_t>(net % 2)};
    std::memcpy(root.data(), &state, sizeof state);
    if (noise_over(state)) return true;
    Watch watch(nullptr);
    const double truth = Minimax(game, MinimaxSettings{}, watch).search(root.data()).value;
    const EngineReport found = deepen(engine, root.data(), net, sound);
    if (found.proved ? found.actions[0].value == truth : !sound) return true;
    std::printf("net %llu: minimax %g, engine %g\n", static_cast<unsigned long long>(net), truth,
                found.actions[0].value);
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    const uint64_t games = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 200;
    const zermelo_table table = noise_table();
    for (const unsigned threads : {1u, 4u}) {
        Engine engine(table, 1 << 16, threads);  // a small table, so that threads collide in it
        for (uint64_t net = 1; net <= games; ++net) {
            if (!agree(table, engine, net, true)) return 1;
            if (!agree(table, engine, net, false)) return 1;
        }
    }
    const Game game(table);
    StateBuffer root = game.buffer();
    table.initial(table.context, root.data());
    Watch watch(nullptr);
    const Perft counted = perft(game, root.data(), 6, 4, watch);
    const Playouts played = playouts(game, root.data(), 1000, 1, 100, watch);
    std::printf("%llu games agree; %llu positions counted, %llu played\n", static_cast<unsigned long long>(games),
                static_cast<unsigned long long>(counted.positions), static_cast<unsigned long long>(played.positions));
    return 0;
}
