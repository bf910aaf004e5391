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
 * Slots. `slots.def` lists and describes them. Each takes the table's `context` first, returns a `zermelo_status`, keeps
 * nothing between calls and may run on many threads at once. Results go through out-parameters, which mean nothing unless the
 * status is ZERMELO_OK. `child` never overlaps `state`. Optional slots are null in games that lack the method.
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

/* Capabilities: facts about the game that no slot gives. */
#define ZERMELO_SIMULTANEOUS (1ull << 0)
#define ZERMELO_REPETITION_DRAW (1ull << 1)
#define ZERMELO_REPETITION_FORBIDDEN (1ull << 2)
#define ZERMELO_REPETITION_LOSES (1ull << 3)
#define ZERMELO_CONSTANT_SUM (1ull << 4) /* those of all teams add up to teams * neutral at every end */
#define ZERMELO_COSTLY_STEPS (1ull << 5) /* a search should not step to children that it may never enter */
#define ZERMELO_REPETITION_PERPETUAL (1ull << 6) /* a draw, or lost for the player who alone gave check all the time */
#define ZERMELO_DRAWS_GO_ON \
    (1ull << 7) /* `actions` of an end that is a draw are those of play going on: perft counts them */

typedef struct zermelo_table {
    uint32_t version;
    uint32_t size; /* sizeof(zermelo_table) in the writer's header */
    const void* context;
    uint64_t capabilities;

    uint32_t state_size; /* bytes, a multiple of 8 */
    uint32_t state_alignment; /* bytes, a power of two, at most 64 */
    int32_t players;
    uint32_t max_actions; /* a hint for the first buffer; a list may be longer */
    double low; /* the least utility of any player */
    double high; /* the greatest */
    double neutral; /* the utility of a draw, and of a position about which nothing is known */
    double unit; /* points per unit of utility; 0 where utilities are not whole points */

#define ZERMELO_ABOUT_POSITION
#define ZERMELO_ABOUT_ACTION int64_t action,
#define ZERMELO_ABOUT_PLAYER int32_t player,
#define ZERMELO_FLAG int32_t
#define ZERMELO_INTEGER int64_t
#define ZERMELO_NUMBER double
#define ZERMELO_FINITE double
#define ZERMELO_KEY uint64_t
#define ZERMELO_SLOT(name, method, parameters) zermelo_status(*name) parameters;
#include "slots.def"
} zermelo_table;

#ifdef __cplusplus
}
#endif

#endif
