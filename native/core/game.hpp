// A game table for C++: checked once, then called with references; a failed rule is an exception.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "core/buffer.hpp"
#include "core/hash.hpp"
#include "core/table.h"

namespace zermelo {

constexpr int MAX_PLAYERS = 64;

// The player to move in a position, and its utility for each player if it is terminal.
struct Position {
    int32_t mover = ZERMELO_TERMINAL;
    std::array<double, MAX_PLAYERS> utilities;

    bool terminal() const { return mover == ZERMELO_TERMINAL; }
    bool chance() const { return mover == ZERMELO_CHANCE; }
};

// A slot returned a status other than ZERMELO_OK. Holds what is needed to repeat the call in the interpreter.
struct RuleError : std::runtime_error {
    RuleError(const char* slot, zermelo_status status, const std::byte* state, std::size_t size, int64_t action)
        : std::runtime_error(std::string("the rule behind `") + slot + "` failed"), slot(slot), status(status),
          state(state, state + size), action(action) {}

    const char* slot;
    zermelo_status status;
    std::vector<std::byte> state;
    int64_t action;
};

// The kinds of answers in the list of slots.
enum class AnswerKind { FLAG, INTEGER, NUMBER, FINITE, KEY };

template <AnswerKind kind, typename Raw>
using Answer = std::conditional_t<kind == AnswerKind::FLAG, bool, Raw>;

class Game {
public:
    explicit Game(const zermelo_table& table) : table_(table) {
        if (table.version != ZERMELO_TABLE_VERSION || table.size != sizeof(zermelo_table))
            throw std::invalid_argument("this game table has a version that this build of zermelo does not know");
        if (table.state_size == 0 || table.state_size % 8 != 0 || table.state_alignment > 64)
            throw std::invalid_argument("the states of this game table have an impossible size or alignment");
        if (table.players < 1 || table.players > MAX_PLAYERS)
            throw std::invalid_argument("a compiled game has 1 to 64 players");
        if (!table.initial || !table.actions || !table.step || !table.info)
            throw std::invalid_argument("this game table lacks one of initial, actions, step and info");
    }

    const zermelo_table& table() const { return table_; }
    std::size_t state_size() const { return table_.state_size; }
    int players() const { return table_.players; }
    StateBuffer buffer() const { return StateBuffer(table_.state_size); }

    void actions(const std::byte* state, ActionList& list) const {
        fill(list, "actions", state, [&](uint64_t* count) {
            return table_.actions(table_.context, state, list.actions.data(), list.actions.size(), count);
        });
    }

    // Checks that no probability is negative and that they sum to 1.
    void chances(const std::byte* state, ActionList& list) const {
        if (!table_.chances) fail("chances", ZERMELO_BREACH, state, 0);
        fill(list, "chances", state, [&](uint64_t* count) {
            list.probabilities.resize(list.actions.size());
            return table_.chances(table_.context, state, list.actions.data(), list.probabilities.data(),
                                  list.actions.size(), count);
        });
        double least = 0, sum = 0;
        for (std::size_t i = 0; i < list.count; ++i) {
            least = std::min(least, list.probabilities[i]);
            sum += list.probabilities[i];
        }
        if (least < 0 || !(std::abs(sum - 1) < 1e-6)) [[unlikely]]
            fail("chances", ZERMELO_BREACH, state, 0);
    }

    // The inputs that are on for a network, as `player` sees the position.
    void inputs(const std::byte* state, int32_t player, ActionList& list) const {
        if (!table_.inputs) fail("inputs", ZERMELO_BREACH, state, player);
        fill(list, "inputs", state, [&](uint64_t* count) {
            return table_.inputs(table_.context, state, player, list.actions.data(), list.actions.size(), count);
        });
    }

    // The player who has each cell of the board at the end of a game; -1 for nobody.
    void owners(const std::byte* state, ActionList& list) const {
        if (!table_.owners) fail("owners", ZERMELO_BREACH, state, 0);
        fill(list, "owners", state, [&](uint64_t* count) {
            return table_.owners(table_.context, state, list.actions.data(), list.actions.size(), count);
        });
    }

    // The inputs as a set of bits; only of a table with the slot.
    void input_words(const std::byte* state, int32_t player, uint64_t* words, std::size_t count) const {
        check("inputs", state, player, table_.input_words(table_.context, state, player, words, count));
    }

    // The utility of a terminal position for `player`: finite, and within the game's bounds.
    double end(const std::byte* state, const Position& position, int32_t player) const {
        const double utility = position.utilities[static_cast<std::size_t>(player)];
        if (!(utility >= table_.low && utility <= table_.high) || !std::isfinite(utility)) [[unlikely]]
            fail("bounds", ZERMELO_BREACH, state, player);
        return utility;
    }

    void check_end(const std::byte* state, const Position& position) const {
        for (int32_t p = 0; p < table_.players; ++p) end(state, position, p);
    }

    void step(const std::byte* state, int64_t action, std::byte* child, Position& position) const {
        check_mover("step", state, action, position,
                    table_.step(table_.context, state, action, child, &position.mover, position.utilities.data()));
    }

    // `step`, and the actions of the child if a player moves there.
    void enter(const std::byte* state, int64_t action, std::byte* child, Position& position, ActionList& list) const {
        if (!table_.enter) {
            step(state, action, child, position);
            if (position.mover >= 0) actions(child, list);
            return;
        }
        if (list.actions.empty()) [[unlikely]]
            reserve(list);
        uint64_t count = 0;
        const zermelo_status status =
            table_.enter(table_.context, state, action, child, &position.mover, position.utilities.data(),
                         list.actions.data(), list.actions.size(), &count);
        list.count = count;
        if (status != ZERMELO_OK || count > list.actions.size() || !is_mover(position.mover)) [[unlikely]] {
            step(state, action, child, position);  // throws under its own name if it is the slot that failed
            actions(child, list);
        }
    }

    // Values of the children of a position, all leaves, in the order of the list, as far as they were evaluated.
    struct Frontier {
        std::vector<double> values;
        uint64_t tried = 0;
        uint64_t ends = 0;
    };

    // Fills `found` with the values of the children for `player`, up to the first that is at most `low` or at least
    // `high`.
    void frontier(const std::byte* state, const ActionList& list, int32_t player, double low, double high,
                  std::byte* child, Position& position, Frontier& found) const {
        if (found.values.size() < list.count) [[unlikely]]
            found.values.resize(list.count);
        if (table_.frontier &&
            table_.frontier(table_.context, state, list.actions.data(), list.count, player, low, high, child,
                            found.values.data(), &found.tried, &found.ends) == ZERMELO_OK) [[likely]]
            return;
        found.tried = found.ends = 0;  // the slow path, in which the failing rule throws under its own name
        while (found.tried < list.count) {
            step(state, list.actions[found.tried], child, position);
            const double value = position.terminal() ? position.utilities[player] : evaluate(child, player);
            found.ends += position.terminal();
            found.values[found.tried++] = value;
            if (value <= low || value >= high) break;
        }
    }

    void info(const std::byte* state, Position& position) const {
        check_mover("info", state, 0, position,
                    table_.info(table_.context, state, &position.mover, position.utilities.data()));
    }

    // The priority of each of `count` actions; 0 for all in a game without the method.
    void priorities(const std::byte* state, const int64_t* actions, std::size_t count, double* out) const {
        std::fill_n(out, count, 0.0);
        if (table_.priorities)
            check("priorities", state, 0, table_.priorities(table_.context, state, actions, count, out));
    }

    // One playout by the game's own policy, seeded by `random`; records the first actions as far as there is room.
    void playout(const std::byte* state, uint64_t& random, Position& position, std::vector<int64_t>& actions,
                 std::vector<int32_t>& movers, uint64_t& count) const {
        if (!table_.playout) fail("playout", ZERMELO_BREACH, state, 0);
        check("playout", state, 0,
              table_.playout(table_.context, state, &random, position.utilities.data(), actions.data(), movers.data(),
                             std::min(actions.size(), movers.size()), &count));
        position.mover = ZERMELO_TERMINAL;
    }

    // Prior values and weights of `count` actions; empty in a game without the method.
    void priors(const std::byte* state, const int64_t* actions, std::size_t count, double* values,
                double* weights) const {
        std::fill_n(values, count, table_.neutral);
        std::fill_n(weights, count, 0.0);
        if (table_.priors)
            check("priors", state, 0, table_.priors(table_.context, state, actions, count, values, weights));
    }

    // The probability of each of `count` actions, and the utilities of all players, by the game's policy.
    void policy(const std::byte* state, const int64_t* actions, std::size_t count, double* priors,
                double* utilities) const {
        if (!table_.policy) fail("policy", ZERMELO_BREACH, state, 0);
        check("policy", state, 0, table_.policy(table_.context, state, actions, count, priors, utilities));
    }

    void pass_turn(const std::byte* state, std::byte* child, Position& position) const {
        if (!table_.pass_turn) fail("pass_turn", ZERMELO_BREACH, state, 0);
        check_mover("pass_turn", state, 0, position,
                    table_.pass_turn(table_.context, state, child, &position.mover, position.utilities.data()));
    }

    // The position under a symmetry, and the action that does there what `action` does in `state`; without symmetries
    // both stay as they are.
    void symmetric(const std::byte* state, int32_t symmetry, std::byte* image) const {
        if (!table_.symmetric) std::memcpy(image, state, state_size());
        else check("symmetric", state, symmetry, table_.symmetric(table_.context, state, symmetry, image));
    }
    int64_t symmetric_action(const std::byte* state, int64_t action, int32_t symmetry) const {
        int64_t image = action;
        if (table_.symmetric_action)
            check("symmetric_action", state, action, table_.symmetric_action(table_.context, action, symmetry, &image));
        return image;
    }

    // How many numbers a slice of endgame tables has.
    uint64_t slice_size(int64_t slice) const {
        const StateBuffer none = buffer();
        int64_t size = -1;
        if (table_.slice_size) check("slice_size", none.data(), slice, table_.slice_size(table_.context, slice, &size));
        if (size < 0) fail("slice_size", ZERMELO_BREACH, none.data(), slice);
        return static_cast<uint64_t>(size);
    }

    // Writes the position of a number of a slice; false if it stands for none.
    bool unrank(int64_t slice, uint64_t index, std::byte* state) const {
        const auto number = static_cast<int64_t>(index);
        if (!table_.unrank) fail("unrank", ZERMELO_BREACH, state, number);
        check("unrank", state, number, table_.unrank(table_.context, slice, number, state));
        return material(state) == slice && rank(state) == number;
    }

    // The queries of the list: each returns the table's answer, or the default of the list where the table has none.
#define ZERMELO_TAKE_POSITION
#define ZERMELO_TAKE_ACTION , int64_t action
#define ZERMELO_TAKE_PLAYER , int32_t player
#define ZERMELO_GIVE_POSITION
#define ZERMELO_GIVE_ACTION action,
#define ZERMELO_GIVE_PLAYER player,
#define ZERMELO_NAME_POSITION 0
#define ZERMELO_NAME_ACTION action
#define ZERMELO_NAME_PLAYER player
#define ZERMELO_SLOT(name, method, parameters)
#define ZERMELO_QUESTION(name, method, about, kind, otherwise)                                                        \
    Answer<AnswerKind::kind, ZERMELO_##kind> name(const std::byte* state ZERMELO_TAKE_##about) const {                \
        if (!table_.name) return otherwise;                                                                           \
        ZERMELO_##kind answer = 0;                                                                                    \
        check(#name, state, ZERMELO_NAME_##about, table_.name(table_.context, state, ZERMELO_GIVE_##about & answer)); \
        if (AnswerKind::kind == AnswerKind::FINITE && !std::isfinite(static_cast<double>(answer))) [[unlikely]]       \
            fail(#name, ZERMELO_BREACH, state, ZERMELO_NAME_##about);                                                 \
        return static_cast<Answer<AnswerKind::kind, ZERMELO_##kind>>(answer);                                         \
    }
#include "core/slots.def"

    void check(const char* slot, const std::byte* state, int64_t action, zermelo_status status) const {
        if (status != ZERMELO_OK) [[unlikely]]
            fail(slot, status, state, action);
    }

private:
    [[noreturn]] void fail(const char* slot, zermelo_status status, const std::byte* state, int64_t action) const {
        throw RuleError(slot, status, state, table_.state_size, action);
    }

    bool is_mover(int32_t mover) const {
        return static_cast<uint32_t>(mover - ZERMELO_TERMINAL) <
               static_cast<uint32_t>(table_.players - ZERMELO_TERMINAL);
    }

    void check_mover(const char* slot, const std::byte* state, int64_t action, const Position& position,
                     zermelo_status status) const {
        check(slot, state, action, status);
        if (!is_mover(position.mover)) [[unlikely]]
            fail(slot, ZERMELO_BREACH, state, action);
    }

    void reserve(ActionList& list) const { list.actions.resize(std::max<uint32_t>(table_.max_actions, 1)); }

    // Calls a slot that writes a list, and once more with a larger buffer if the first was too small.
    template <typename Call>
    void fill(ActionList& list, const char* slot, const std::byte* state, const Call& call) const {
        if (list.actions.empty()) reserve(list);
        uint64_t count = 0;
        check(slot, state, 0, call(&count));
        if (count > list.actions.size()) [[unlikely]] {
            list.actions.resize(count);
            check(slot, state, 0, call(&count));
            if (count > list.actions.size()) fail(slot, ZERMELO_BREACH, state, 0);
        }
        list.count = count;
    }

    const zermelo_table& table_;
};

}  // namespace zermelo
