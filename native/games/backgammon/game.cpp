#include "games/backgammon/game.hpp"

#include <algorithm>

#include "games/backgammon/id.hpp"
#include "games/backgammon/plays.hpp"

namespace zermelo::backgammon {

namespace {

constexpr std::size_t ROLLS = 21, OPENING_ROLLS = 30;
constexpr uint32_t USUAL_ACTIONS = 64;

const Rules& rules_at(const void* context) { return *static_cast<const Rules*>(context); }
const State& state_at(const void* state) { return *static_cast<const State*>(state); }
State& state_at(void* state) { return *static_cast<State*>(state); }

zermelo_status write_initial(const void* context, void* state) {
    rules_at(context).begin(state_at(state));
    return ZERMELO_OK;
}

int32_t mover_of(const State& state) {
    switch (state.phase) {
        case OVER: return ZERMELO_TERMINAL;
        case OPENING:
        case ROLL: return ZERMELO_CHANCE;
        case ANSWER: return state.turn ^ 1;
        default: return state.turn;
    }
}

void write_position(const Rules& rules, const State& state, int32_t* mover, double* utilities) {
    *mover = mover_of(state);
    if (*mover != ZERMELO_TERMINAL) return;
    utilities[0] = rules.utility(state, 0);
    utilities[1] = rules.utility(state, 1);
}

zermelo_status write_list(const int64_t* list, uint64_t size, int64_t* actions, uint64_t capacity, uint64_t* count) {
    std::copy_n(list, std::min(size, capacity), actions);
    *count = size;
    return ZERMELO_OK;
}

// The rolls of a position in which the dice are rolled, with their probabilities if requested.
zermelo_status write_rolls(const State& s, int64_t* actions, double* probabilities, uint64_t capacity,
                           uint64_t* count) {
    if (s.phase != OPENING && s.phase != ROLL) return ZERMELO_BREACH;
    const bool opening = s.phase == OPENING;
    *count = opening ? OPENING_ROLLS : ROLLS;
    uint64_t at = 0;
    for (int first = 1; first <= 6; ++first)
        for (int second = 1; second <= (opening ? 6 : first); ++second) {
            if ((opening && first == second) || at >= capacity) continue;
            if (probabilities) probabilities[at] = opening ? 1.0 / 30 : first == second ? 1.0 / 36 : 2.0 / 36;
            actions[at++] = roll_code(first, second);
        }
    return ZERMELO_OK;
}

zermelo_status write_actions(const void*, const void* state, int64_t* actions, uint64_t capacity, uint64_t* count) {
    static constexpr int64_t DECISIONS[]{ROLL_DICE, DOUBLE}, ANSWERS[]{TAKE, DROP};
    const State& s = state_at(state);
    if (s.phase == DECIDE) return write_list(DECISIONS, 2, actions, capacity, count);
    if (s.phase == ANSWER) return write_list(ANSWERS, 2, actions, capacity, count);
    if (s.phase != PLAY) return write_rolls(s, actions, nullptr, capacity, count);
    thread_local std::vector<Play> plays;
    find_plays(s.board(), s.dice[0], s.dice[1], plays);
    *count = plays.size();
    for (uint64_t i = 0; i < std::min<uint64_t>(plays.size(), capacity); ++i) actions[i] = plays[i].action;
    return ZERMELO_OK;
}

zermelo_status write_chances(const void*, const void* state, int64_t* actions, double* probabilities, uint64_t capacity,
                             uint64_t* count) {
    return write_rolls(state_at(state), actions, probabilities, capacity, count);
}

zermelo_status step(const void* context, const void* state, int64_t action, void* child, int32_t* mover,
                    double* utilities) {
    if (!rules_at(context).apply(state_at(state), action, state_at(child))) [[unlikely]]
        return ZERMELO_BREACH;
    write_position(rules_at(context), state_at(child), mover, utilities);
    return ZERMELO_OK;
}

zermelo_status info(const void* context, const void* state, int32_t* mover, double* utilities) {
    write_position(rules_at(context), state_at(state), mover, utilities);
    return ZERMELO_OK;
}

zermelo_status estimate(const void* context, const void* state, int32_t player, double* value) {
    *value = rules_at(context).estimate(state_at(state), player);
    return ZERMELO_OK;
}

zermelo_status find_frontier(const void* context, const void* state, const int64_t* actions, uint64_t count,
                             int32_t player, double low, double high, void* child, double* values, uint64_t* tried,
                             uint64_t* ends) {
    const Rules& rules = rules_at(context);
    *tried = *ends = 0;
    while (*tried < count) {
        if (!rules.apply(state_at(state), actions[*tried], state_at(child))) return ZERMELO_BREACH;
        const double value = rules.worth(state_at(child), player);
        *ends += state_at(child).phase == OVER;
        values[(*tried)++] = value;
        if (value <= low || value >= high) break;
    }
    return ZERMELO_OK;
}

}  // namespace

zermelo_table make_table(const Rules& rules) {
    zermelo_table table{};
    table.version = ZERMELO_TABLE_VERSION;
    table.size = sizeof(zermelo_table);
    table.context = &rules;
    table.capabilities = ZERMELO_CONSTANT_SUM;
    table.state_size = sizeof(State);
    table.state_alignment = alignof(State);
    table.players = 2;
    table.max_actions = USUAL_ACTIONS;
    table.low = -rules.most();
    table.high = rules.most();
    table.initial = &write_initial;
    table.actions = &write_actions;
    table.step = &step;
    table.info = &info;
    table.chances = &write_chances;
    table.evaluate = &estimate;
    table.frontier = &find_frontier;
    return table;
}

namespace {

// One game without a cube: the entry in the core's list of games.
const Rules& usual_rules() {
    static const Rules rules({}, nullptr);
    return rules;
}

const zermelo_table& usual_table() {
    static const zermelo_table table = make_table(usual_rules());
    return table;
}

std::string write(const void* state) { return write_ids(state_at(state), usual_rules()); }
bool read(std::string_view text, void* state, std::string& why) {
    return read_ids(text, usual_rules(), state_at(state), why);
}
std::vector<std::pair<std::string, double>> explain(const void* state) {
    return usual_rules().explain(state_at(state));
}

}  // namespace

const NativeGame& game() {
    static const NativeGame made{"backgammon", &usual_table(), &write, &read, &explain};
    return made;
}

}  // namespace zermelo::backgammon
