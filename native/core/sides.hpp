// The game of teams as a game of sides: a table with one player for each team over the table of the game. States and
// actions stay as they are.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "core/game.hpp"

namespace zermelo {

struct Sides {
    zermelo_table seated;          // the game with all its players
    std::vector<int32_t> side_of;  // by player
    std::vector<int32_t> first;    // by side, its first player

    // Writes who acts and what everybody gets, as sides, from what the seated game says.
    void tell(int32_t& mover, const double* own, double* utilities) const {
        if (mover >= seated.players) mover = static_cast<int32_t>(first.size());  // as wrong as before
        else if (mover >= 0) mover = side_of[static_cast<std::size_t>(mover)];
        else if (mover == ZERMELO_TERMINAL) share(own, utilities);
    }

    void share(const double* own, double* utilities) const {
        for (std::size_t side = 0; side < first.size(); ++side) utilities[side] = own[first[side]];
    }
};

using SeatUtilities = std::array<double, MAX_PLAYERS>;

inline const Sides& sides_of(const void* context) { return *static_cast<const Sides*>(context); }

// A slot that knows nothing of players.
template <auto slot>
struct Forward;
template <typename... Rest, zermelo_status (*zermelo_table::*slot)(const void*, Rest...)>
struct Forward<slot> {
    static zermelo_status call(const void* context, Rest... rest) {
        const Sides& sides = sides_of(context);
        return (sides.seated.*slot)(sides.seated.context, rest...);
    }
};

// A question about a player: the first of a side answers for all.
template <auto slot>
struct ForwardPlayer;
template <typename Answered, zermelo_status (*zermelo_table::*slot)(const void*, const void*, int32_t, Answered*)>
struct ForwardPlayer<slot> {
    static zermelo_status call(const void* context, const void* state, int32_t side, Answered* answer) {
        const Sides& sides = sides_of(context);
        return (sides.seated.*slot)(sides.seated.context, state, sides.first[static_cast<std::size_t>(side)], answer);
    }
};

inline zermelo_status step_sides(const void* context, const void* state, int64_t action, void* child, int32_t* mover,
                                 double* utilities) {
    const Sides& sides = sides_of(context);
    SeatUtilities own;
    const zermelo_status status = sides.seated.step(sides.seated.context, state, action, child, mover, own.data());
    if (status == ZERMELO_OK) sides.tell(*mover, own.data(), utilities);
    return status;
}

inline zermelo_status inform_sides(const void* context, const void* state, int32_t* mover, double* utilities) {
    const Sides& sides = sides_of(context);
    SeatUtilities own;
    const zermelo_status status = sides.seated.info(sides.seated.context, state, mover, own.data());
    if (status == ZERMELO_OK) sides.tell(*mover, own.data(), utilities);
    return status;
}

inline zermelo_status pass_sides(const void* context, const void* state, void* child, int32_t* mover,
                                 double* utilities) {
    const Sides& sides = sides_of(context);
    SeatUtilities own;
    const zermelo_status status = sides.seated.pass_turn(sides.seated.context, state, child, mover, own.data());
    if (status == ZERMELO_OK) sides.tell(*mover, own.data(), utilities);
    return status;
}

inline zermelo_status enter_sides(const void* context, const void* state, int64_t action, void* child, int32_t* mover,
                                  double* utilities, int64_t* actions, uint64_t capacity, uint64_t* count) {
    const Sides& sides = sides_of(context);
    SeatUtilities own;
    const zermelo_status status =
        sides.seated.enter(sides.seated.context, state, action, child, mover, own.data(), actions, capacity, count);
    if (status == ZERMELO_OK) sides.tell(*mover, own.data(), utilities);
    return status;
}

inline zermelo_status frontier_sides(const void* context, const void* state, const int64_t* actions, uint64_t count,
                                     int32_t side, double low, double high, void* child, double* values,
                                     uint64_t* tried, uint64_t* ends) {
    const Sides& sides = sides_of(context);
    return sides.seated.frontier(sides.seated.context, state, actions, count,
                                 sides.first[static_cast<std::size_t>(side)], low, high, child, values, tried, ends);
}

inline zermelo_status list_inputs_of_sides(const void* context, const void* state, int32_t side, int64_t* inputs,
                                           uint64_t capacity, uint64_t* count) {
    const Sides& sides = sides_of(context);
    return sides.seated.inputs(sides.seated.context, state, sides.first[static_cast<std::size_t>(side)], inputs,
                               capacity, count);
}

// The table of the sides; `sides` is its context. What only the players of the seated game can use is left out: what each
// of them sees, networks, and playouts of the game's own.
inline zermelo_table make_sides(const Sides& sides) {
    const zermelo_table& seated = sides.seated;
    zermelo_table table = seated;
    table.context = &sides;
    table.players = static_cast<int32_t>(sides.first.size());
#define ZERMELO_FORWARD_POSITION Forward
#define ZERMELO_FORWARD_ACTION Forward
#define ZERMELO_FORWARD_PLAYER ForwardPlayer
#define ZERMELO_SLOT(name, method, parameters) \
    if (seated.name) table.name = &Forward<&zermelo_table::name>::call;
#define ZERMELO_QUESTION(name, method, about, kind, otherwise) \
    if (seated.name) table.name = &ZERMELO_FORWARD_##about<&zermelo_table::name>::call;
#include "core/slots.def"
    table.step = &step_sides;
    table.info = &inform_sides;
    if (seated.enter) table.enter = &enter_sides;
    if (seated.pass_turn) table.pass_turn = &pass_sides;
    if (seated.frontier) table.frontier = &frontier_sides;
    if (seated.inputs) table.inputs = &list_inputs_of_sides;
    table.view_key = nullptr;
    table.playout = nullptr;
    table.policy = nullptr;
    table.input_words = nullptr;
    table.team = nullptr;
    return table;
}

}  // namespace zermelo
