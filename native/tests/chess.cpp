// Fuzzes chess for a number of games.
//
// Random games are played with legal moves and with invalid numbers; no call may read outside its tables. After legal
// moves the incremental fields of a position equal the recomputed ones, both slider lookups return the same moves, and
// a static exchange equals a plain recursion. Corrupted positions are read or rejected. Exits 1 at the first
// difference.
#include "games/chess/chess.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/random.hpp"
#include "games/chess/attacks.hpp"
#include "games/chess/evaluate.hpp"
#include "games/chess/exchange.hpp"
#include "games/chess/moves.hpp"
#include "games/chess/play.hpp"

using namespace zermelo;
using namespace zermelo::chess;

namespace {

constexpr const char* STARTS[] = {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                                  "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                                  "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                                  "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1"};

void expect(bool right, const char* what, const State& state) {
    if (right) return;
    std::printf("%s differs in %s\n", what, game().write(&state).c_str());
    std::exit(1);
}

// The gain of the side to capture on a square, which may also decline.
int gain(const State& state, Square square, Bitboard occupied, Colour side, int standing) {
    const Bitboard takers = attackers(state, square, occupied, side) & occupied;
    for (const Piece piece : {PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING}) {
        const Bitboard kind = takers & state.pieces[piece];
        if (!kind) continue;
        const Bitboard left = occupied & ~(kind & -kind);
        if (piece == KING && (attackers(state, square, left, other(side)) & left)) return 0;
        return std::max(0, standing - gain(state, square, left, other(side), PIECE_VALUES[piece]));
    }
    return 0;
}

void check_exchanges(const State& state, const Action* actions, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
        const Action action = actions[i];
        if (kind_of(action) != PLAIN || promotion_of(action) != PAWN || piece_of(action) == KING) continue;
        const Bitboard victim = state.colours[other(state.mover())] & bit(to_of(action));
        const int taken = victim ? PIECE_VALUES[state.piece_on(to_of(action))] : 0;
        const Bitboard occupied = (state.occupied() & ~bit(from_of(action))) | bit(to_of(action));
        const int reply = gain(state, to_of(action), occupied, other(state.mover()), PIECE_VALUES[piece_of(action)]);
        expect(exchange(state, action) == taken - reply, "exchange", state);
    }
}

void check_fields(const Placements& placements, const State& state, const Action* actions, uint64_t count) {
    State counted = state;
    count_up(placements, counted);
    update_checks(counted);
    expect(std::memcmp(&counted, &state, sizeof(State)) == 0, "a field that is kept", state);
    Action again[MAX_ACTIONS];
    fast_pext ? prepare_attacks(false) : prepare_attacks(true);
    const uint64_t other_count = static_cast<uint64_t>(write_moves(state, again) - again);
    expect(other_count == count && std::equal(again, again + count, actions), "the other way of sliding", state);
}

// Calls every slot once and ignores the results.
void ask_everything(const zermelo_table& table, const State& state, const Action* actions, uint64_t count) {
    double value, priorities[MAX_ACTIONS], utilities[2];
    int32_t answer;
    State child;
    float features[FEATURES];
    table.evaluate(table.context, &state, WHITE, &value);
    game().weighted->features(&state, features);
    game().weighted->explain(table.context, &state);
    table.priorities(table.context, &state, actions, count, priorities);
    table.pass_turn(table.context, &state, &child, &answer, utilities);
    table.info(table.context, &state, &answer, utilities);
    for (uint64_t i = 0; i < count; ++i) {
        table.is_noisy(table.context, &state, actions[i], &answer);
        table.is_irreversible(table.context, &state, actions[i], &answer);
    }
}

void play_game(const zermelo_table& table, const char* start, Random& random, bool legal) {
    State state, child;
    std::string why;
    game().read(start, &state, why);
    game().weighted->settle(table.context, &state);
    Action actions[MAX_ACTIONS];
    double utilities[2];
    for (int ply = 0; ply < 150; ++ply) {
        uint64_t count = 0;
        int32_t mover;
        table.actions(table.context, &state, actions, MAX_ACTIONS, &count);
        ask_everything(table, state, actions, count);
        const Weights& weights = *static_cast<const Weights*>(table.context);
        if (legal && ply % 16 == 0) check_fields(weights.placements, state, actions, count);
        if (legal) check_exchanges(state, actions, count);
        if (count == 0) return;
        Action action = actions[random.below(count)];
        for (int attempt = 0; !legal && attempt < 100; ++attempt) {
            const Action number = static_cast<Action>(random.next() >> 44);
            if (table.step(table.context, &state, number, &child, &mover, utilities) == ZERMELO_OK) action = number;
        }
        table.step(table.context, &state, action, &child, &mover, utilities);
        state = child;
        if (legal && mover < 0) return;
    }
}

void read_spoilt(std::string text, Random& random) {
    constexpr std::string_view LETTERS = "PNBRQKpnbrqk12345678/wb-ABCDEFGHabcdefgh09 ";
    for (uint64_t left = random.below(4); left > 0; --left)
        text[random.below(text.size())] = LETTERS[random.below(LETTERS.size())];
    text.resize(text.size() - random.below(2) * random.below(text.size()));
    State state;
    std::string why;
    if (!game().read(text, &state, why)) return;
    expect(game().read(game().write(&state), &state, why), "a position that was read", state);
}

}  // namespace

int main(int argc, char** argv) {
    const int games = argc > 1 ? std::atoi(argv[1]) : 60;
    Random random(1);
    std::vector<int32_t> numbers(FEATURES);
    for (int32_t& number : numbers) number = static_cast<int32_t>(random.below(400)) - 200;
    std::string why;
    const std::shared_ptr<const void> weights = game().weighted->weigh(numbers, why);
    zermelo_table table = *game().table;
    table.context = weights.get();
    for (int number = 0; number < games; ++number) {
        play_game(table, STARTS[number % 4], random, number % 8 < 4);
        for (int text = 0; text < 100; ++text) read_spoilt(STARTS[number % 4], random);
    }
    std::printf("%d games of chess: no difference\n", games);
}
