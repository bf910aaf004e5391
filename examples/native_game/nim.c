/* A game in C for every search of Zermelo: take one, two or three stones; whoever takes the last one wins.
 *
 *     cc -O2 -shared -fPIC -I ../../native/core -o nim.so nim.c
 *     zermelo solve ./nim.so:nim
 *
 * It fills the table of `native/core/table.h`, where each slot is described. Any language that can export a C symbol can do
 * the same.
 */
#include <string.h>

#include "table.h"

#define STONES 21

/* A state has no pointers, and equal positions have equal bytes: what is not used is zero. */
typedef struct {
    int64_t stones;
    int64_t turn;
} state;

/* Who acts in `s`, and at the end what it is worth to both. */
static zermelo_status describe(const state* s, int32_t* mover, double* utilities) {
    if (s->stones > 0) {
        *mover = (int32_t)s->turn;
        return ZERMELO_OK;
    }
    *mover = ZERMELO_TERMINAL;
    utilities[s->turn] = -1.0; /* the other took the last stone */
    utilities[1 - s->turn] = 1.0;
    return ZERMELO_OK;
}

static zermelo_status initial(const void* context, void* out) {
    const state start = {STONES, 0};
    (void)context;
    memcpy(out, &start, sizeof start);
    return ZERMELO_OK;
}

static zermelo_status actions(const void* context, const void* from, int64_t* found, uint64_t capacity,
                              uint64_t* count) {
    const state* s = from;
    (void)context;
    *count = s->stones < 3 ? (uint64_t)s->stones : 3;
    for (uint64_t i = 0; i < *count && i < capacity; ++i) found[i] = (int64_t)i + 1;
    return ZERMELO_OK;
}

static zermelo_status step(const void* context, const void* from, int64_t action, void* child, int32_t* mover,
                           double* utilities) {
    const state* s = from;
    const state after = {s->stones - action, 1 - s->turn};
    (void)context;
    if (action < 1 || action > 3 || after.stones < 0) return ZERMELO_BREACH;
    memcpy(child, &after, sizeof after);
    return describe(&after, mover, utilities);
}

static zermelo_status info(const void* context, const void* from, int32_t* mover, double* utilities) {
    (void)context;
    return describe(from, mover, utilities);
}

/* Optional: an estimate strictly between `low` and `high`. Whoever must move at a multiple of four is worse off. */
static zermelo_status evaluate(const void* context, const void* from, int32_t player, double* estimate) {
    const state* s = from;
    const double mine = s->stones % 4 == 0 ? -0.5 : 0.5;
    (void)context;
    *estimate = player == s->turn ? mine : -mine;
    return ZERMELO_OK;
}

const zermelo_table nim = {
    .version = ZERMELO_TABLE_VERSION,
    .size = sizeof(zermelo_table),
    .capabilities = ZERMELO_CONSTANT_SUM,
    .state_size = sizeof(state),
    .state_alignment = 8,
    .players = 2,
    .max_actions = 3,
    .low = -1.0,
    .high = 1.0,
    .neutral = 0.0,
    .unit = 2.0, /* utilities and estimates are whole halves */
    .initial = initial,
    .actions = actions,
    .step = step,
    .info = info,
    .evaluate = evaluate,
};

/* A function may hand the table out as well: where it has to be made first, say. */
const zermelo_table* nim_game(void) { return &nim; }
