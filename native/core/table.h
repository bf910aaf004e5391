/* The game table: what a game, compiled from Python or written in C++, offers to every native search.
 *
 * The table is plain C, so that any compiler can fill it. A state is `state_size` bytes without pointers, aligned to
 * `state_alignment`, in which equal positions have equal bytes wherever `key` is null: a search copies, compares and
 * hashes states without knowing what they hold. An action is a 64-bit integer.
 *
 * Versions. The struct only ever grows at its end, by optional slots. A writer sets `version` and `size` from the header
 * that it was compiled with. A reader refuses a `version` that it does not know; what lies behind the `size` of an older
 * table it takes for null.
 *
 * Slots. Each takes the table's `context` first, returns a `zermelo_status`, keeps nothing between calls and may run
 * on many threads at once. Results go through out-parameters, which mean nothing unless the status is ZERMELO_OK.
 * `child` never overlaps `state`. Slots marked optional are null in games that lack the method.
 */
#ifndef ZERMELO_CORE_TABLE_H
#define ZERMELO_CORE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ZERMELO_TABLE_VERSION 1u
#define ZERMELO_TABLE_LEAST_SIZE offsetof(zermelo_table, enter) /* of the first table that had this version */

/* Who acts in a position: 0 ... players - 1, or one of these. */
#define ZERMELO_CHANCE (-1)
#define ZERMELO_TERMINAL (-2)

typedef int32_t zermelo_status;
#define ZERMELO_OK 0
#define ZERMELO_RAISED 1 /* the rule raised an exception */
#define ZERMELO_BREACH 2 /* the rule broke the contract: a mover that is no player, say */

/* Capabilities: facts about the game that no slot tells. */
#define ZERMELO_SIMULTANEOUS (1ull << 0)
#define ZERMELO_REPETITION_DRAW (1ull << 1)
#define ZERMELO_REPETITION_FORBIDDEN (1ull << 2)
#define ZERMELO_REPETITION_LOSES (1ull << 3)
#define ZERMELO_CONSTANT_SUM (1ull << 4) /* the utilities add up to 2 * neutral (players * neutral) at every end */
#define ZERMELO_COSTLY_STEPS (1ull << 5) /* a search should not step to children that it may never enter */
#define ZERMELO_REPETITION_PERPETUAL (1ull << 6) /* a draw, or lost for whoever alone gave `check` all the time */

typedef struct zermelo_table {
    uint32_t version;
    uint32_t size; /* sizeof(zermelo_table) in the writer's header */
    const void* context;
    uint64_t capabilities;

    uint32_t state_size;      /* bytes, a multiple of 8 */
    uint32_t state_alignment; /* bytes, a power of two, at most 64 */
    int32_t players;
    uint32_t max_actions; /* a hint for the first buffer; a list may be longer */
    double low;           /* the least utility of any player */
    double high;          /* the greatest */
    double neutral;       /* the utility of a draw, and of a position about which nothing is known */
    double unit;          /* points per unit of utility; 0 where utilities are not whole points */

    /* The state in which a game begins. */
    zermelo_status (*initial)(const void* context, void* state);

    /* The legal actions of a position that is not terminal, in their fixed order. Writes the first `capacity` of them
     * and their whole number to `count`; where that is more, the caller enlarges its buffer and asks again. */
    zermelo_status (*actions)(const void* context, const void* state, int64_t* actions, uint64_t capacity,
                              uint64_t* count);

    /* One action, with all that a search asks about the child: who acts there (ZERMELO_TERMINAL if nobody) and, if it
     * is terminal, the utilities of all players. `utilities` has room for `players` and is untouched otherwise. */
    zermelo_status (*step)(const void* context, const void* state, int64_t action, void* child, int32_t* mover,
                           double* utilities);

    /* The same about a position that no step led to: a root. */
    zermelo_status (*info)(const void* context, const void* state, int32_t* mover, double* utilities);

    /* Optional. The actions of a chance position with their probabilities; the buffers as for `actions`. */
    zermelo_status (*chances)(const void* context, const void* state, int64_t* actions, double* probabilities,
                              uint64_t capacity, uint64_t* count);

    /* Optional. 64 bits that are equal for equal positions, and for unequal ones only by accident (about 1 in 2^64 a
     * pair). Null means that positions are equal exactly if their bytes are; the core hashes these itself. */
    zermelo_status (*key)(const void* context, const void* state, uint64_t* key);

    /* Optional. An estimate of the utility of `player`, strictly between `low` and `high`. */
    zermelo_status (*evaluate)(const void* context, const void* state, int32_t player, double* estimate);

    /* Optional. For each of `count` actions how early to try it, a greater number first. */
    zermelo_status (*priorities)(const void* context, const void* state, const int64_t* actions, uint64_t count,
                                 double* priorities);

    /* Optional. Whether the action changes the evaluation abruptly: 0 or 1. */
    zermelo_status (*noisy)(const void* context, const void* state, int64_t action, int32_t* noisy);

    /* Optional. The square on which the action lands. */
    zermelo_status (*target)(const void* context, const void* state, int64_t action, int64_t* target);

    /* Optional. The position with the other player to move and nothing else changed; otherwise as `step`. */
    zermelo_status (*pass_turn)(const void* context, const void* state, void* child, int32_t* mover, double* utilities);

    /* Optional. As `key`, of what `player` sees. */
    zermelo_status (*view_key)(const void* context, const void* state, int32_t player, uint64_t* key);

    /* Optional. Whether no position before the action can ever come back after it: 0 or 1. */
    zermelo_status (*irreversible)(const void* context, const void* state, int64_t action, int32_t* irreversible);

    /* Optional. `step`, and the actions of the child if a player moves there, in one call: what both would compute is
     * computed once. `count` is untouched if nobody or chance moves. */
    zermelo_status (*enter)(const void* context, const void* state, int64_t action, void* child, int32_t* mover,
                            double* utilities, int64_t* actions, uint64_t capacity, uint64_t* count);

    /* Optional. What the positions that `count` actions lead to are worth to `player`, one after the other: the utility at
     * an end, else the estimate, or `neutral` without `evaluate`. Ends behind the first value that is at most `low` or at
     * least `high`; writes how many were looked at and how many of them are ends. `child` is room for one state. */
    zermelo_status (*frontier)(const void* context, const void* state, const int64_t* actions, uint64_t count,
                               int32_t player, double low, double high, void* child, double* values, uint64_t* tried,
                               uint64_t* ends);

    /* Optional. Whether the player to move is under attack and has to answer it, as in check: 0 or 1. It may not pass, and
     * nobody judges such a position before it is answered. */
    zermelo_status (*check)(const void* context, const void* state, int32_t* check);

    /* Optional. Plays on to an end in the game's own way of playing at random, better than uniformly. `random` is one word,
     * the state of the caller's generator: the same word, the same game. Writes the utilities of all players, and the
     * first `capacity` actions with who played them; `count` is how many of them were written. */
    zermelo_status (*playout)(const void* context, const void* state, uint64_t* random, double* utilities,
                              int64_t* actions, int32_t* movers, uint64_t capacity, uint64_t* count);

    /* Optional. What to think of each of `count` actions before one has been tried: the utility that the mover may expect
     * of it, and as how many playouts that opinion should count. */
    zermelo_status (*priors)(const void* context, const void* state, const int64_t* actions, uint64_t count,
                             double* values, double* weights);

    /* Optional. What the action wins, as a utility, or loses (below 0) if both sides go on taking on the square where it
     * lands for as long as it pays. */
    zermelo_status (*exchange)(const void* context, const void* state, int64_t action, double* gain);

    /* Optional. As `key`, of what the rule of repetition looks at, where that is less than the position: the stones of Go,
     * whoever is to move. Null means the position itself. */
    zermelo_status (*recurrence)(const void* context, const void* state, uint64_t* key);

    /* Optional. Whether `check` will hold after the action, for less than a step would cost: 0 or 1. */
    zermelo_status (*gives_check)(const void* context, const void* state, int64_t action, int32_t* check);
} zermelo_table;

#ifdef __cplusplus
}
#endif

#endif
