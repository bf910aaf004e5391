#include "games/backgammon/bearoff.hpp"

#include <algorithm>
#include <vector>

#include "games/backgammon/homes.hpp"
#include "games/backgammon/plays.hpp"
#include "games/backgammon/saving.hpp"
#include "games/backgammon/together.hpp"

namespace zermelo::backgammon {

namespace {

// One side alone. With all chequers home every die can be played, so a play is any step by the first die followed by
// any step by the next: the best after k steps of a die is the best of k - 1 steps after one of them.
class Alone {
public:
    Alone() : homes_(all_homes(CHEQUERS)), table_(homes_.size()) {
        for (auto& by_die : best_)
            for (auto& ranks : by_die) ranks.resize(homes_.size());
        for (const int at : in_order_of_pips(homes_)) {
            if (at == 0) table_[at].done[0] = 1;
            else solve(at);
        }
    }

    std::vector<BearOff> take() { return std::move(table_); }

private:
    using Steps = std::vector<int>;

    // The ranks after one chequer's step by `die`.
    void find_steps(Home home, int die, Steps& steps) const {
        steps.clear();
        const int rear = rearmost(home);
        for (int from = rear; from >= 0; --from) {
            if (!home[from] || (from + 1 < die && from != rear)) continue;
            --home[from];
            if (from >= die) ++home[from - die];
            steps.push_back(rank(home.data(), CHEQUERS));
            ++home[from];
            if (from >= die) --home[from - die];
        }
    }

    int better(int a, int b) const { return table_[b].mean < table_[a].mean ? b : a; }

    // The best result of `k` more steps by `die` from each of `steps`.
    int best_behind(const Steps& steps, int k, int die) const {
        int best = k ? best_[k - 1][die - 1][steps[0]] : steps[0];
        for (const int step : steps) best = better(best, k ? best_[k - 1][die - 1][step] : step);
        return best;
    }

    void solve(int at) {
        Steps steps[6];
        for (int die = 1; die <= 6; ++die) {
            find_steps(homes_[at], die, steps[die - 1]);
            for (int k = 0; k < MAX_STEPS; ++k) best_[k][die - 1][at] = best_behind(steps[die - 1], k, die);
        }
        BearOff& entry = table_[at];
        entry.mean = 1;
        for_each_roll([&](int first, int second, double chance) {
            const int to = first == second ? best_[MAX_STEPS - 1][first - 1][at]
                                           : better(best_behind(steps[first - 1], 1, second),
                                                    best_behind(steps[second - 1], 1, first));
            const BearOff& next = table_[to];
            entry.mean += chance * next.mean;
            const float share = static_cast<float>(chance);
            for (int n = 1; n < MAX_ROLLS; ++n) entry.done[n] += share * next.done[n - 1];
        });
    }

    std::vector<Home> homes_;
    std::vector<BearOff> table_;
    std::array<std::array<std::vector<int>, 6>, MAX_STEPS> best_;  // [k][die - 1]: after k + 1 steps
};

}  // namespace

const BearOff& bear_off(const Side& side) {
    static const std::vector<BearOff> table = Alone().take();
    return table[rank(side.data(), CHEQUERS)];
}

double race_chance(const Board& board) {
    if (is_solved(board)) return solved_chance(board);
    const BearOff &own = bear_off(board.own), &other = bear_off(board.other);
    double sum = 0, not_yet = 1;  // the probability that the other needs at least n rolls
    for (int n = 0; n < MAX_ROLLS; ++n) {
        sum += own.done[n] * not_yet;
        not_yet -= other.done[n];
    }
    return std::clamp(sum, 0.0, 1.0);
}

double gammon_chance(const Board& board) {
    const BearOff& own = bear_off(board.own);
    const Unsaved& other = unsaved(board.other);
    double sum = 0;
    for (int n = 1; n <= GAMMON_ROLLS; ++n) sum += own.done[n] * other[n - 1];
    return sum;
}

double gammon_chance_against(const Board& board) {
    const BearOff& other = bear_off(board.other);
    const Unsaved& own = unsaved(board.own);
    double sum = 0;
    for (int n = 1; n < GAMMON_ROLLS; ++n) sum += other.done[n] * own[n];
    return sum;
}

}  // namespace zermelo::backgammon
