#include "games/backgammon/saving.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "games/backgammon/homes.hpp"
#include "games/backgammon/plays.hpp"

namespace zermelo::backgammon {

namespace {

// The placement of fifteen chequers follows from the number on each point but the first.
int full_rank(const uint8_t* home) { return rank(home + 1, CHEQUERS, HOME - 1); }

void keep_least(Unsaved& least, const Unsaved& other) {
    for (int n = 0; n < GAMMON_ROLLS; ++n) least[n] = std::min(least[n], other[n]);
}

// With all chequers home every die can be played, so a play is any step by the first die followed by any step by the
// next: the minimum after k steps of a die is the minimum of k - 1 steps after one of them.
class Saving {
public:
    Saving() : table_(ways(CHEQUERS, HOME - 1)) {
        for (auto& by_die : least_)
            for (auto& column : by_die) column.resize(table_.size());
        const std::vector<Home> homes = all_homes(CHEQUERS);
        for (const int at : in_order_of_pips(homes))
            if (std::accumulate(homes[at].begin(), homes[at].end(), 0) == CHEQUERS) solve(homes[at]);
    }

    std::vector<Unsaved> take() { return std::move(table_); }

private:
    using Steps = std::vector<int>;

    // The ranks after one chequer's step by `die`; none if it may bear one off.
    static void find_steps(Home home, int die, Steps& steps) {
        steps.clear();
        if (home[die - 1] || rearmost(home) < die) return;
        for (int from = die; from < HOME; ++from) {
            if (!home[from]) continue;
            --home[from], ++home[from - die];
            steps.push_back(full_rank(home.data()));
            ++home[from], --home[from - die];
        }
    }

    // The minimum after `k` more steps by `die` from each of `steps`, or zero if a chequer is off.
    Unsaved least_behind(const Steps& steps, int k, int die) const {
        Unsaved least{};
        if (!steps.empty()) least.fill(1);
        for (const int step : steps) keep_least(least, k ? least_[k - 1][die - 1][step] : table_[step]);
        return least;
    }

    void solve(const Home& home) {
        const int at = full_rank(home.data());
        Steps steps[6];
        for (int die = 1; die <= 6; ++die) {
            find_steps(home, die, steps[die - 1]);
            for (int k = 0; k < MAX_STEPS; ++k) least_[k][die - 1][at] = least_behind(steps[die - 1], k, die);
        }
        table_[at][0] = 1;
        for_each_roll([&](int first, int second, double chance) {
            Unsaved least = least_[MAX_STEPS - 1][first - 1][at];
            if (first != second) {
                least = least_behind(steps[first - 1], 1, second);
                keep_least(least, least_behind(steps[second - 1], 1, first));
            }
            for (int n = 1; n < GAMMON_ROLLS; ++n) table_[at][n] += static_cast<float>(chance) * least[n - 1];
        });
    }

    std::vector<Unsaved> table_;
    std::array<std::array<std::vector<Unsaved>, 6>, MAX_STEPS> least_;  // [k][die - 1]: after k + 1 steps
};

}  // namespace

const Unsaved& unsaved(const Side& side) {
    static const std::vector<Unsaved> table = Saving().take();
    return table[full_rank(side.data())];
}

}  // namespace zermelo::backgammon
