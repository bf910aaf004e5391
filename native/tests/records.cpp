// Tests recorded games and self-play.
//
// Random games are written and read again, byte for byte; replaying them reaches the recorded results. Every byte of
// damage gives an error or leaves out the last block. Self-play makes the same games on one thread and on four, and
// results that searches proved are those of minimax. So do matches, in which equals share every pair. A search that is started again finds what a new one finds. Exits 1
// at a difference.
#include <cstdio>
#include <cstdlib>

#include "search/engine.hpp"
#include "search/minimax.hpp"
#include "selfplay/match.hpp"
#include "selfplay/selfplay.hpp"
#include "tests/noise_game.hpp"

using namespace zermelo;

namespace {

int fail(const char* what, uint64_t where) {
    std::printf("%s (%llu)\n", what, static_cast<unsigned long long>(where));
    return 1;
}

StateBuffer start_of(const Game& game, uint64_t net) {
    StateBuffer root = game.buffer();
    const NoiseState state{net, static_cast<int64_t>(net % NOISE_PLACES), 0, static_cast<int64_t>(net % 2)};
    std::memcpy(root.data(), &state, sizeof state);
    return root;
}

SelfPlaySettings make_settings(const Game& game, uint64_t games, unsigned threads, PlayMethod method) {
    SelfPlaySettings settings;
    settings.initial = start_of(game, 1);
    settings.games = games;
    settings.threads = threads;
    settings.block_games = 7;
    settings.player.method = method;
    settings.player.nodes = 40;
    settings.player.table_bytes = 1 << 14;
    settings.nodes_spread = 0.5;
    settings.opening = {0, 3, {1, 2, 0, 1}};
    settings.variety_plies = 4;
    settings.variety_chance = 0.5;
    settings.variety_margin = 3;
    if (method == PlayMethod::mcts) {
        settings.player.mcts.puct = true;
        settings.exploration = {
            .visits = true, .full_share = 0.5, .quick_part = 0.5, .noise = 10, .noise_share = 0.25, .drawn_plies = 3};
    }
    for (uint64_t net = 1; net <= games; ++net) settings.starts.push_back(start_of(game, net));
    return settings;
}

std::vector<Bytes> play(const zermelo_table& table, const SelfPlaySettings& settings) {
    SelfPlay selfplay(table, settings);
    Watch watch(nullptr);
    std::vector<Bytes> blocks;
    while (const std::optional<Bytes> block = selfplay.next_block(watch)) blocks.push_back(*block);
    return blocks;
}

Bytes file_of(const zermelo_table& table, const std::vector<Bytes>& blocks) {
    const StateBuffer initial = start_of(Game(table), 1);
    Bytes file = write_header(header_of(table, "noise", {initial.data(), table.state_size}));
    for (const Bytes& block : blocks) file.insert(file.end(), block.begin(), block.end());
    return file;
}

// Reads, replays and writes all games again; returns the bytes written.
Bytes copy(const zermelo_table& table, const Bytes& data) {
    const RecordFile file(data);
    std::vector<Bytes> blocks;
    Replay replay(table, file.header().initial);
    GameRecord record;
    for (const ByteSpan block : file.blocks()) {
        BlockReader reader(table, block);
        BlockWriter writer(table);
        while (reader.next(record)) {
            replay.run(record, [](const ReplayedPosition&) {});
            writer.add(record);
        }
        blocks.push_back(writer.take());
    }
    return file_of(table, blocks);
}

// Whether each proved score, and each result that ended a game by proof, is the value of minimax.
bool proofs_hold(const zermelo_table& table, const Bytes& data) {
    const RecordFile file(data);
    const Game game(table);
    const ScoreSteps steps(table.low, table.high);
    Replay replay(table, file.header().initial);
    GameRecord record;
    bool hold = true;
    for (const ByteSpan block : file.blocks())
        for (BlockReader reader(table, block); reader.next(record);)
            replay.run(record, [&](const ReplayedPosition& position) {
                if (!(position.move.flags & PROVED)) return;
                Watch watch(nullptr);
                const double truth = Minimax(game, MinimaxSettings{}, watch).search(position.state).value;
                hold &= std::abs(steps.utility(position.move.score) - truth) < 1e-3;
                if (record.ending == Ending::proof && position.left == 1)
                    hold &= record.utilities[static_cast<std::size_t>(position.mover)] == truth;
            });
    return hold;
}

// Flips each byte in turn, and cuts the file at each length: games, fewer games with a note, or an error.
bool survives_damage(const zermelo_table& table, const Bytes& data) {
    const Bytes whole = copy(table, data);
    for (std::size_t at = 0; at < 2 * data.size(); ++at) {
        Bytes damaged = data;
        if (at < data.size()) damaged[at] ^= static_cast<std::byte>(1 + splitmix(at) % 255);
        else damaged.resize(at - data.size());
        try {
            const Bytes found = copy(table, damaged);
            if (found.size() < whole.size() && std::equal(found.begin(), found.end(), whole.begin())) continue;
            if (!RecordFile(damaged).note().empty()) continue;
            return false;
        } catch (const RecordError&) {
        }
    }
    return true;
}

// Damage under a valid checksum: whatever the payload says, it is refused, or read and replayed within its bounds.
void read_nonsense(const zermelo_table& table, const Bytes& block, uint64_t seed) {
    constexpr std::size_t HEADER = 32, OF_PAYLOAD = 16, OF_HEADER = 24;
    Random random(seed);
    Bytes changed = block;
    for (uint64_t i = 1 + random.below(3); i > 0; --i)
        changed[HEADER + random.below(changed.size() - HEADER)] = static_cast<std::byte>(random.below(256));
    const auto seal = [&](std::size_t at, ByteSpan part) {
        const uint64_t sum = record_checksum(part);
        for (unsigned i = 0; i < 8; ++i) changed[at + i] = static_cast<std::byte>(sum >> (8 * i));
    };
    seal(OF_PAYLOAD, ByteSpan(changed).subspan(HEADER));
    seal(OF_HEADER, ByteSpan(changed).first(OF_HEADER));
    try {
        BlockReader reader(table, changed);
        const StateBuffer initial = start_of(Game(table), 1);
        Replay replay(table, {initial.data(), table.state_size});
        for (GameRecord record; reader.next(record);) replay.run(record, [](const ReplayedPosition&) {});
    } catch (const RecordError&) {
    } catch (const RuleError&) {  // of a start that is no state
    }
}

// The half points of a match, pair by pair.
std::vector<int> match_points(const zermelo_table& table, uint64_t pairs, unsigned threads, uint64_t nodes) {
    MatchSettings settings;
    settings.pairs = pairs;
    settings.threads = threads;
    settings.players[0].nodes = 20;
    settings.players[1].nodes = nodes;
    settings.opening = {0, 2};
    settings.opening_nodes = 10;
    settings.initial.fill(start_of(Game(table), 1));
    for (uint64_t net = 1; net <= pairs; ++net)
        for (std::vector<StateBuffer>& starts : settings.starts) starts.push_back(start_of(Game(table), net));
    Match match(table, table, settings);
    Watch watch(nullptr);
    std::vector<int> points;
    for (;;) {
        const std::vector<MatchPair> played = match.next_pairs(watch);
        if (played.empty()) return points;
        for (const MatchPair& pair : played) points.push_back(pair.half_points());
    }
}

// A search that is started again counts the nodes and finds the values of a new one.
bool restarts_alike(const zermelo_table& table, uint64_t games) {
    const Game game(table);
    Engine engine(table, 1 << 14, 1);
    std::optional<EngineSearch> again;
    for (uint64_t net = 1; net <= games; ++net) {
        const StateBuffer root = start_of(game, net);
        Position position;
        game.info(root.data(), position);
        if (position.terminal()) continue;
        Engine other(table, 1 << 14, 1);
        SearchLimits limits;
        limits.nodes = 200;
        engine.clear();
        if (again) again->restart(root.data(), {}, limits);
        else again.emplace(engine, root.data(), std::vector<PastPosition>(), limits, EngineSettings{}, false);
        EngineSearch fresh(other, root.data(), {}, limits, EngineSettings{}, false);
        Watch watch(nullptr);
        while (!fresh.done()) fresh.next_depth(watch);
        while (!again->done()) again->next_depth(watch);
        const EngineReport &one = fresh.report(), &two = again->report();
        if (one.nodes != two.nodes || one.depth != two.depth || one.proved != two.proved ||
            one.actions[0].action != two.actions[0].action || one.actions[0].value != two.actions[0].value)
            return false;
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    const uint64_t games = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 60;
    const zermelo_table table = noise_table();
    const Game game(table);
    if (!restarts_alike(table, games)) return fail("a search that was started again differs", 0);
    for (const PlayMethod method : {PlayMethod::alphabeta, PlayMethod::expectation, PlayMethod::mcts}) {
        const uint64_t which = static_cast<uint64_t>(method);
        const std::vector<Bytes> blocks = play(table, make_settings(game, games, 1, method));
        if (blocks != play(table, make_settings(game, games, 4, method))) return fail("threads change games", which);
        const Bytes file = file_of(table, blocks);
        if (RecordFile(file).games() != games) return fail("games are missing", which);
        if (copy(table, file) != file) return fail("games are read otherwise than they were written", which);
        if (!proofs_hold(table, file)) return fail("a proof is wrong", which);
    }
    if (match_points(table, games, 1, 60) != match_points(table, games, 4, 60))
        return fail("threads change matches", 0);
    if (match_points(table, games, 2, 20) != std::vector<int>(games, 2)) return fail("equals do not share a pair", 0);
    for (const PlayMethod method : {PlayMethod::alphabeta, PlayMethod::mcts}) {
        SelfPlaySettings few = make_settings(game, 20, 1, method);
        if (!survives_damage(table, file_of(table, play(table, few)))) return fail("damage was not seen", 0);
        few.starts.clear();
        const Bytes block = play(table, few)[0];
        for (uint64_t seed = 0; seed < 100 * games; ++seed) read_nonsense(table, block, seed);
    }
    std::printf("%llu games of each method, read and replayed\n", static_cast<unsigned long long>(games));
    return 0;
}
