#include "games/backgammon/race.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/random.hpp"
#include "games/backgammon/features.hpp"
#include "games/backgammon/homes.hpp"
#include "games/backgammon/plays.hpp"
#include "games/backgammon/saving.hpp"

namespace zermelo::backgammon {

namespace {

// The baseline that the network corrects: the logarithm of a bell curve around the rolls that these pips take, from
// mean and variance of a roll.
constexpr float PIPS_OF_ROLL = 49.f / 6, WASTED_ROLLS = 1, SPREAD_OF_PIP = 0.034f, LEAST_SPREAD = 0.3f;

// The distribution from the outputs of the network for a goal that takes this number of pips, and at least one roll.
void find_rolls(std::span<float, MAX_ROLLS> numbers, int pips, Rolls& rolls) {
    const float mean = static_cast<float>(pips) / PIPS_OF_ROLL + WASTED_ROLLS;
    const float spread = LEAST_SPREAD + SPREAD_OF_PIP * static_cast<float>(pips);
    for (int n = 1; n < MAX_ROLLS; ++n) {
        const float off = static_cast<float>(n) - mean;
        numbers[n] -= off * off / (2 * spread);
    }
    rolls[0] = 0;
    softmax(numbers.subspan<1>(), std::span(rolls).subspan<1>());
}

constexpr Rolls DONE{1};

// The rolls until a first chequer is off, if all are home. Eight always suffice.
Rolls first_off_at_home(const Side& side) {
    if (borne_off(side) > 0) return DONE;
    Rolls first{};
    const Unsaved& left = unsaved(side);
    for (int n = 1; n <= GAMMON_ROLLS; ++n) first[n] = left[n - 1] - (n < GAMMON_ROLLS ? left[n] : 0);
    return first;
}

void ask_network(const Side& side, const DenseNetwork& network, Needs& needs) {
    Inputs inputs;
    find_race_inputs(side, inputs);
    DenseNetwork::Numbers numbers;
    network.run(inputs, numbers);
    const std::span both(numbers);
    find_rolls(both.subspan<0, MAX_ROLLS>(), pips(side), needs.all);
    if (borne_off(side) > 0) needs.first = DONE;
    else find_rolls(both.subspan<MAX_ROLLS, MAX_ROLLS>(), pips_outside(side), needs.first);
}

// A cache of recent network results. A side recurs with every play of the other, so a lookahead mostly hits.
class Memory {
public:
    const Needs& find(const Side& side, const DenseNetwork& network) {
        Entry& entry = entries_[slot(side)];
        if (entry.network != network.serial() || entry.side != side) {
            ask_network(side, network, entry.needs);
            entry.side = side;
            entry.network = network.serial();
        }
        return entry.needs;
    }

private:
    static constexpr std::size_t SIZE = 4096;

    struct Entry {
        uint64_t network = 0;
        Side side;
        Needs needs;
    };

    static std::size_t slot(const Side& side) {
        uint64_t words[3], hash = 0;  // the bar is empty in a race
        static_assert(sizeof words == BAR);
        std::memcpy(words, side.data(), sizeof words);
        for (const uint64_t word : words) hash = splitmix(hash ^ word);
        return hash % SIZE;
    }

    std::vector<Entry> entries_{SIZE};
};

Needs find_needs(const Side& side, const DenseNetwork& network) {
    if (all_home(side)) return {bear_off(side).done, first_off_at_home(side)};
    thread_local Memory memory;
    return memory.find(side, network);
}

float mean(const Rolls& rolls) {
    float sum = 0;
    for (int n = 1; n < MAX_ROLLS; ++n) sum += static_cast<float>(n) * rolls[n];
    return sum;
}

// Adds `rolls`, one roll later, with this weight.
void add_later(const Rolls& rolls, float share, Rolls& sum) {
    for (int n = 0; n < MAX_ROLLS; ++n) sum[std::min(n + 1, MAX_ROLLS - 1)] += share * rolls[n];
}

// The best results of the plays of a roll, for each of the two goals separately.
Needs best_needs(const Side& side, int first_die, int second_die, const DenseNetwork& network,
                 std::vector<Play>& plays) {
    find_plays({side, {}}, first_die, second_die, plays);
    Needs best;
    float least = MAX_ROLLS, least_first = MAX_ROLLS;
    for (const Play& play : plays) {
        const Needs needs = find_needs(play.after.own, network);
        if (const float left = mean(needs.all); left < least) least = left, best.all = needs.all;
        if (const float left = mean(needs.first); left < least_first) least_first = left, best.first = needs.first;
    }
    return best;
}

// The probability that `winner` finishes at a roll of its own before which the other has had `fewer` fewer, and `loser`
// has not.
float chance_before(const Rolls& winner, const Rolls& loser, int fewer) {
    double sum = 0, not_yet = 1;  // the probability that the loser is not done after n - fewer rolls
    for (int n = 0; n < MAX_ROLLS; ++n) {
        if (n >= fewer) not_yet -= loser[n - fewer];
        sum += winner[n] * not_yet;
    }
    return static_cast<float>(std::clamp(sum, 0.0, 1.0));
}

// The rolls that chequers in the other's home need to leave it: as many as for bearing them off there.
const Rolls& leaving_needs(const Side& side) {
    Side far{};
    std::copy(side.begin() + POINTS - HOME, side.begin() + POINTS, far.begin());
    return bear_off(far).done;
}

}  // namespace

Needs needs_of(const Side& side, const DenseNetwork& network, int plies) {
    if (plies == 0 || chequers(side) == 0) return find_needs(side, network);
    Needs needs{};
    std::vector<Play> plays;
    for_each_roll([&](int first_die, int second_die, double chance) {
        const Needs best = best_needs(side, first_die, second_die, network, plays);
        add_later(best.all, static_cast<float>(chance), needs.all);
        add_later(best.first, static_cast<float>(chance), needs.first);
    });
    if (borne_off(side) > 0) needs.first = DONE;
    return needs;
}

Chances race_chances(const Board& board, const DenseNetwork& network) {
    const bool gammon = borne_off(board.other) == 0, gammon_against = borne_off(board.own) == 0;
    const Needs own = find_needs(board.own, network), other = find_needs(board.other, network);
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
