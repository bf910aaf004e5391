// Go as a game table.
#include "games/go/game.hpp"

#include <algorithm>

#include "games/go/inputs.hpp"
#include "games/go/priors.hpp"
#include "games/go/status.hpp"
#include "games/go/text.hpp"

namespace zermelo::go {

namespace {

constexpr uint64_t TURN_KEY = splitmix(uint64_t{1} << 32);
constexpr uint64_t PASS_KEY = splitmix(uint64_t{2} << 32);
constexpr int OVER = 2;  // passes in a row

template <int N>
struct Table {
    using Position = State<N>;

    static const Position& at(const void* state) { return *static_cast<const Position*>(state); }

    static void reward(int half_points, double* utilities) {
        utilities[BLACK] = half_points > 0 ? 1 : half_points < 0 ? -1 : 0;
        utilities[WHITE] = -utilities[BLACK];
    }

    static zermelo_status initial(const void*, void* state) {
        Position& start = *static_cast<Position*>(state);
        start = Position{};
        start.size = N;
        start.komi = 15;
        return ZERMELO_OK;
    }

    static zermelo_status actions(const void*, const void* state, int64_t* list, uint64_t capacity, uint64_t* count) {
        const Position& here = at(state);
        uint64_t found = 0;
        const auto add = [&](int cell) {
            if (found < capacity) list[found] = action_of(here, cell);
            ++found;
        };
        legal_points(here).each(add);
        add(NOWHERE);
        *count = found;
        return ZERMELO_OK;
    }

    // Whether the action is a legal move, or a pass, in a game that is not over.
    static bool is_possible(const Position& here, int64_t action) {
        if (here.passes >= OVER || action < 0 || action > here.size * here.size) return false;
        const int cell = cell_of(here, action);
        return cell == NOWHERE || (!here.occupied().has(cell) && is_legal(here, cell));
    }

    static zermelo_status step(const void* context, const void* state, int64_t action, void* child, int32_t* mover,
                               double* utilities) {
        if (!is_possible(at(state), action)) return ZERMELO_BREACH;
        Position& below = *static_cast<Position*>(child);
        below = at(state);
        play(below, cell_of(below, action));
        return info(context, child, mover, utilities);
    }

    static zermelo_status info(const void*, const void* state, int32_t* mover, double* utilities) {
        const Position& here = at(state);
        *mover = here.turn;
        if (here.passes >= OVER) {
            *mover = ZERMELO_TERMINAL;
            reward(final_margin(here), utilities);
        }
        return ZERMELO_OK;
    }

    static zermelo_status key(const void*, const void* state, uint64_t* found) {
        const Position& here = at(state);
        *found = here.board ^ (here.turn * TURN_KEY) ^
                 splitmix(PASS_KEY + here.passes + 4u * static_cast<unsigned>(here.ko));
        if (here.scoring == TERRITORY)
            *found ^= splitmix(TURN_KEY + static_cast<uint64_t>(here.prisoners[BLACK] - here.prisoners[WHITE]));
        return ZERMELO_OK;
    }

    // The stones alone, whoever is to move; a pass, which changes none of them, is never a repetition: each has its own
    // key.
    static zermelo_status recurrence(const void*, const void* state, uint64_t* found) {
        const Position& here = at(state);
        *found = here.passes == 0 ? here.board : here.board ^ splitmix(PASS_KEY + 1 + here.moves);
        return ZERMELO_OK;
    }

    static zermelo_status playout(const void*, const void* state, uint64_t* random, double* utilities, int64_t* list,
                                  int32_t* movers, uint64_t capacity, uint64_t* count) {
        const Position& here = at(state);
        uint64_t played = 0;
        Groups<N> board(here);
        const Policy policy = static_cast<Policy>(here.policy);
        play_on(board, here.passes, *random, policy, [&](int cell, int mover) {
            if (played == capacity) return;
            list[played] = action_of(here, cell);
            movers[played++] = mover;
        });
        *count = played;
        const int area = policy == UNIFORM ? area_of(board) : filled_area(board);
        reward(here.passes >= OVER ? final_margin(here) : half_points(here, area), utilities);
        return ZERMELO_OK;
    }

    static zermelo_status priors(const void*, const void* state, const int64_t* list, uint64_t count, double* values,
                                 double* weights) {
        const Position& here = at(state);
        if (here.policy != SKILLED) {  // without knowledge there are no priors
            std::fill_n(values, count, 0.0);
            std::fill_n(weights, count, 0.0);
            return ZERMELO_OK;
        }
        MovePriors<N> move_priors(here);
        for (uint64_t i = 0; i < count; ++i) {
            if (!is_possible(here, list[i])) return ZERMELO_BREACH;
            const Opinion opinion = move_priors.of(cell_of(here, list[i]));
            values[i] = 2 * opinion.wins / opinion.tries - 1;
            weights[i] = opinion.tries;
        }
        return ZERMELO_OK;
    }

    static zermelo_status inputs(const void*, const void* state, int32_t player, int64_t* list, uint64_t capacity,
                                 uint64_t* count) {
        uint64_t found = 0;
        each_input(at(state), player, [&](int input) {
            if (found < capacity) list[found] = input;
            ++found;
        });
        *count = found;
        return ZERMELO_OK;
    }

    static zermelo_status input_words(const void*, const void* state, int32_t player, uint64_t* words, uint64_t count) {
        const Position& here = at(state);
        if (count != static_cast<uint64_t>(input_count(here.size) + 63) / 64) return ZERMELO_BREACH;
        std::fill_n(words, count, 0);
        each_input(here, player, [&](int input) { words[input / 64] |= uint64_t{1} << input % 64; });
        return ZERMELO_OK;
    }

    static zermelo_status symmetric(const void*, const void* state, int32_t symmetry, void* image) {
        *static_cast<Position*>(image) = turned(at(state), symmetry);
        return ZERMELO_OK;
    }

    // Of a board of all N lines: the game does without symmetries on a smaller one.
    static zermelo_status symmetric_action(const void*, int64_t action, int32_t symmetry, int64_t* image) {
        if (action < 0 || action > N * N) return ZERMELO_BREACH;
        *image = turned(action, N, symmetry);
        return ZERMELO_OK;
    }

    static zermelo_status owners(const void*, const void* state, int64_t* list, uint64_t capacity, uint64_t* count) {
        const Position& here = at(state);
        const Bits<N> empty = empty_of(here);
        const Bits<N> black = here.stones[BLACK] | surrounded(here.stones, empty, BLACK);
        const Bits<N> white = here.stones[WHITE] | surrounded(here.stones, empty, WHITE);
        *count = static_cast<uint64_t>(here.size) * here.size;
        for (uint64_t point = 0; point < std::min(*count, capacity); ++point) {
            const int cell = cell_of(here, static_cast<int64_t>(point));
            list[point] = black.has(cell) ? BLACK : white.has(cell) ? WHITE : -1;
        }
        return ZERMELO_OK;
    }

    static zermelo_table make() {
        zermelo_table table{};
        table.version = ZERMELO_TABLE_VERSION;
        table.size = sizeof(zermelo_table);
        table.capabilities = ZERMELO_REPETITION_FORBIDDEN | ZERMELO_CONSTANT_SUM;
        table.state_size = sizeof(Position);
        table.state_alignment = alignof(Position);
        table.players = 2;
        table.max_actions = N * N + 1;
        table.low = -1;
        table.high = 1;
        table.neutral = 0;
        table.unit = 1;
        table.initial = initial;
        table.actions = actions;
        table.step = step;
        table.info = info;
        table.key = key;
        table.playout = playout;
        table.priors = priors;
        table.recurrence = recurrence;
        table.inputs = inputs;
        table.input_words = input_words;
        table.symmetric = symmetric;
        table.symmetric_action = symmetric_action;
        table.owners = owners;
        return table;
    }

    static std::string write(const void* state) { return write_text(at(state)); }

    static bool read(std::string_view text, void* state, std::string& why) {
        return read_text(text, *static_cast<Position*>(state), why);
    }

    static std::vector<std::pair<std::string, double>> explain(const void*) { return {}; }

    static std::vector<double> ownership(const void* state) {
        const Position& here = at(state);
        const auto owned = go::ownership(here);
        std::vector<double> shares;
        points_of<N>(here.size).each([&](int cell) { shares.push_back(owned[cell] / double{STATUS_PLAYOUTS}); });
        return shares;
    }
};

const zermelo_table TABLE9 = Table<9>::make(), TABLE13 = Table<13>::make(), TABLE19 = Table<19>::make();

template <int N>
constexpr NativeGame describe(const char* name, const zermelo_table& table) {
    return {name, &table, Table<N>::write, Table<N>::read, Table<N>::explain, nullptr, Table<N>::ownership};
}

}  // namespace

const NativeGame game9 = describe<9>("go9", TABLE9);
const NativeGame game13 = describe<13>("go13", TABLE13);
const NativeGame game19 = describe<19>("go19", TABLE19);

}  // namespace zermelo::go
