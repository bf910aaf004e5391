// A random game, written directly into the table: the first word of a state selects the game.
#pragma once

#include <cstring>

#include "core/random.hpp"
#include "core/table.h"

namespace zermelo {

struct NoiseState {
    uint64_t net;
    int64_t place;
    int64_t ply;
    int64_t turn;
};

constexpr int64_t NOISE_PLACES = 40, NOISE_PLIES = 10;

inline uint64_t noise(const NoiseState& s, uint64_t what) {
    return splitmix(s.net * 1000003 + static_cast<uint64_t>(s.place) * 101 + what);
}

inline bool noise_over(const NoiseState& s) { return s.ply == NOISE_PLIES || noise(s, 1) % 7 == 0; }

inline zermelo_status noise_info(const void*, const void* state, int32_t* mover, double* utilities) {
    NoiseState s;
    std::memcpy(&s, state, sizeof s);
    *mover = noise_over(s) ? ZERMELO_TERMINAL : static_cast<int32_t>(s.turn);
    if (noise_over(s)) {
        utilities[0] = static_cast<double>(static_cast<int64_t>(noise(s, 2) % 21) - 10);
        utilities[1] = -utilities[0];
    }
    return ZERMELO_OK;
}

inline zermelo_status noise_actions(const void*, const void* state, int64_t* actions, uint64_t capacity,
                                    uint64_t* count) {
    NoiseState s;
    std::memcpy(&s, state, sizeof s);
    *count = 1 + noise(s, 3) % 5;
    for (uint64_t i = 0; i < *count && i < capacity; ++i) actions[i] = static_cast<int64_t>(i);
    return ZERMELO_OK;
}

inline zermelo_status noise_step(const void* context, const void* state, int64_t action, void* child, int32_t* mover,
                                 double* utilities) {
    NoiseState s;
    std::memcpy(&s, state, sizeof s);
    s.place = static_cast<int64_t>(noise(s, 10 + static_cast<uint64_t>(action)) % NOISE_PLACES);
    ++s.ply;
    s.turn = 1 - s.turn;
    std::memcpy(child, &s, sizeof s);
    return noise_info(context, child, mover, utilities);
}

inline zermelo_status noise_initial(const void*, void* state) {
    const NoiseState s{1, 0, 0, 0};
    std::memcpy(state, &s, sizeof s);
    return ZERMELO_OK;
}

inline zermelo_status noise_evaluate(const void*, const void* state, int32_t player, double* estimate) {
    NoiseState s;
    std::memcpy(&s, state, sizeof s);
    const double points = static_cast<double>(static_cast<int64_t>(noise(s, 4) % 19) - 9);
    *estimate = player == 0 ? points : -points;
    return ZERMELO_OK;
}

inline zermelo_status noise_noisy(const void*, const void* state, int64_t action, int32_t* noisy) {
    NoiseState s;
    std::memcpy(&s, state, sizeof s);
    *noisy = noise(s, 30 + static_cast<uint64_t>(action)) % 4 == 0;
    return ZERMELO_OK;
}

inline zermelo_status noise_pass(const void* context, const void* state, void* child, int32_t* mover,
                                 double* utilities) {
    NoiseState s;
    std::memcpy(&s, state, sizeof s);
    ++s.ply;
    s.turn = 1 - s.turn;
    std::memcpy(child, &s, sizeof s);
    return noise_info(context, child, mover, utilities);
}

inline zermelo_table noise_table() {
    zermelo_table table{};
    table.version = ZERMELO_TABLE_VERSION;
    table.size = sizeof table;
    table.capabilities = ZERMELO_CONSTANT_SUM;
    table.state_size = sizeof(NoiseState);
    table.state_alignment = 8;
    table.players = 2;
    table.max_actions = 2;  // too small, so that buffers have to grow
    table.low = -10;
    table.high = 10;
    table.neutral = 0;
    table.unit = 1;
    table.initial = noise_initial;
    table.actions = noise_actions;
    table.step = noise_step;
    table.info = noise_info;
    table.evaluate = noise_evaluate;
    table.is_noisy = noise_noisy;
    table.pass_turn = noise_pass;
    return table;
}

}  // namespace zermelo
