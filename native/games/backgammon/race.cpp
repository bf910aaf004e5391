#include "games/backgammon/race.hpp"

#include <algorithm>
#include <vector>

#include "games/backgammon/homes.hpp"
#include "games/backgammon/plays.hpp"
#include "games/backgammon/saving.hpp"

namespace zermelo::backgammon {

namespace {

// What the network corrects: the logarithm of a bell about the rolls that so many pips take, from the mean of a roll and its spread.
constexpr float PIPS_OF_ROLL = 49.f / 6, WASTED_ROLLS = 1, SPREAD_OF_PIP = 0.034f, LEAST_SPREAD = 0.3f;

void add_bell(int pips, float* numbers) {
    const float mean = static_cast<float>(pips) / PIPS_OF_ROLL + WASTED_ROLLS;
    const float spread = LEAST_SPREAD + SPREAD_OF_PIP * static_cast<float>(pips);
    for (int n = 0; n < MOST_ROLLS; ++n) {
        const float off = static_cast<float>(n) - mean;
        numbers[n] -= off * off / (2 * spread);
    }
}

// The rolls until a first chequer is off, if all are home. Eight are always enough.
Rolls first_off_at_home(const Side& side) {
    Rolls first{};
    if (borne_off(side) > 0) {
        first[0] = 1;
        return first;
    }
    const Unsaved& left = unsaved(side);
    for (int n = 1; n <= GAMMON_ROLLS; ++n) first[n] = left[n - 1] - (n < GAMMON_ROLLS ? left[n] : 0);
    return first;
}

// `first` is filled in only if it is asked for.
void find_needs(const Side& side, const Network& network, bool with_first, Needs& needs) {
    if (all_home(side)) {
        needs.all = bear_off(side).done;
        if (with_first) needs.first = first_off_at_home(side);
        return;
    }
    Inputs inputs;
    find_race_inputs(side, inputs);
    Network::Numbers numbers;
    network.run(inputs, numbers);
    float *all = numbers.data(), *first = all + MOST_ROLLS;
    add_bell(pips(side), all);
    soften({all, MOST_ROLLS}, needs.all);
    if (!with_first) return;
    if (borne_off(side) > 0) {
        needs.first = first_off_at_home(side);
        return;
    }
    add_bell(pips_outside(side), first);
    soften({first, MOST_ROLLS}, needs.first);
}

float mean(const Rolls& rolls) {
    float sum = 0;
    for (int n = 1; n < MOST_ROLLS; ++n) sum += static_cast<float>(n) * rolls[n];
    return sum;
}

// `rolls` a roll later, in this proportion.
void add_later(const Rolls& rolls, float share, Rolls& sum) {
    for (int n = 0; n < MOST_ROLLS; ++n) sum[std::min(n + 1, MOST_ROLLS - 1)] += share * rolls[n];
}

// The best that the plays of a roll lead to, for each of the two ends by itself.
Needs best_needs(const Side& side, int first_die, int second_die, const Network& network, std::vector<Play>& plays) {
    find_plays({side, {}}, first_die, second_die, plays);
    Needs best;
    float least = MOST_ROLLS, least_first = MOST_ROLLS;
    for (const Play& play : plays) {
        Needs needs;
        find_needs(play.after.own, network, true, needs);
        if (const float left = mean(needs.all); left < least) least = left, best.all = needs.all;
        if (const float left = mean(needs.first); left < least_first) least_first = left, best.first = needs.first;
    }
    return best;
}

// The chance that `winner` is done at a roll of its own before which the other has had so many fewer, and `loser` is not.
float chance_before(const Rolls& winner, const Rolls& loser, int fewer) {
    double sum = 0, not_yet = 1;  // the chance that the loser is not done after n - fewer rolls
    for (int n = 0; n < MOST_ROLLS; ++n) {
        if (n >= fewer) not_yet -= loser[n - fewer];
        sum += winner[n] * not_yet;
    }
    return static_cast<float>(std::clamp(sum, 0.0, 1.0));
}

// Those that chequers in the other's home need to leave it: as many as for bearing them off there.
const Rolls& leaving_needs(const Side& side) {
    Side far{};
    std::copy(side.begin() + POINTS - HOME, side.begin() + POINTS, far.begin());
    return bear_off(far).done;
}

}  // namespace

Needs needs_of(const Side& side, const Network& network, int plies) {
    Needs needs;
    if (plies == 0 || chequers(side) == 0) {
        find_needs(side, network, true, needs);
        return needs;
    }
    needs.all.fill(0);
    needs.first.fill(0);
    std::vector<Play> plays;
    for_each_roll([&](int first_die, int second_die, double chance) {
        const Needs best = best_needs(side, first_die, second_die, network, plays);
        add_later(best.all, static_cast<float>(chance), needs.all);
        add_later(best.first, static_cast<float>(chance), needs.first);
    });
    if (borne_off(side) > 0) needs.first = first_off_at_home(side);
    return needs;
}

Chances race_chances(const Board& board, const Network& network) {
    const bool gammon = borne_off(board.other) == 0, gammon_against = borne_off(board.own) == 0;
    Needs own, other;
    find_needs(board.own, network, gammon_against, own);
    find_needs(board.other, network, gammon, other);
    Chances chances{chance_before(own.all, other.all, 1), 0, 0, 0, 0};
    if (gammon) chances[WIN_GAMMON] = chance_before(own.all, other.first, 1);
    if (gammon_against) chances[LOSE_GAMMON] = chance_before(other.all, own.first, 0);
    if (rearmost(board.other) >= POINTS - HOME)
        chances[WIN_BACKGAMMON] = chance_before(own.all, leaving_needs(board.other), 1);
    if (rearmost(board.own) >= POINTS - HOME)
        chances[LOSE_BACKGAMMON] = chance_before(other.all, leaving_needs(board.own), 0);
    return chances;
}

}  // namespace zermelo::backgammon
