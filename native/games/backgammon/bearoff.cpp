#include "games/backgammon/bearoff.hpp"

#include <algorithm>
#include <vector>

#include "games/backgammon/homes.hpp"
#include "games/backgammon/plays.hpp"
#include "games/backgammon/saving.hpp"

namespace zermelo::backgammon {

namespace {

constexpr int SMALL = 6;  // chequers a side, of which both sides are solved together

Side side_of(const Home& home) {
    Side side{};
    std::copy(home.begin(), home.end(), side.begin());
    return side;
}

// The ranks that a roll may lead to.
void find_successors(const Home& home, int first, int second, int most, std::vector<Play>& plays, std::vector<int>& to) {
    find_plays({side_of(home), Side{}}, first, second, plays);
    to.clear();
    for (const Play& play : plays) to.push_back(rank(play.after.own.data(), most));
}

// One side alone. With all chequers home every die can be played, so a play is any step by the first die and then any by the
// next: the best that k steps of a die lead to is the best of k - 1 behind one of them.
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

    // The ranks that one chequer's step by `die` leads to.
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

    // The best of what `k` more steps by `die` lead to from each of `steps`.
    int best_behind(const Steps& steps, int k, int die) const {
        int best = k ? best_[k - 1][die - 1][steps[0]] : steps[0];
        for (const int step : steps) best = better(best, k ? best_[k - 1][die - 1][step] : step);
        return best;
    }

    void solve(int at) {
        Steps steps[6];
        for (int die = 1; die <= 6; ++die) {
            find_steps(homes_[at], die, steps[die - 1]);
            for (int k = 0; k < MOST_STEPS; ++k) best_[k][die - 1][at] = best_behind(steps[die - 1], k, die);
        }
        BearOff& entry = table_[at];
        entry.mean = 1;
        for_each_roll([&](int first, int second, double chance) {
            const int to = first == second ? best_[MOST_STEPS - 1][first - 1][at]
                                           : better(best_behind(steps[first - 1], 1, second),
                                                    best_behind(steps[second - 1], 1, first));
            const BearOff& next = table_[to];
            entry.mean += chance * next.mean;
            const float share = static_cast<float>(chance);
            for (int n = 1; n < MOST_ROLLS; ++n) entry.done[n] += share * next.done[n - 1];
        });
    }

    std::vector<Home> homes_;
    std::vector<BearOff> table_;
    std::array<std::array<std::vector<int>, 6>, MOST_STEPS> best_;  // [k][die - 1]: after k + 1 steps
};

// Both sides together, for the few last chequers.
class Both {
public:
    Both() : homes_(all_homes(SMALL)), size_(homes_.size()), chances_(size_ * size_) {
        const std::vector<int> order = in_order_of_pips(homes_);
        find_all_successors();
        for (std::size_t i = 0; i < size_; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                at(order[j], order[i]) = solve(order[j], order[i]);
                at(order[i], order[j]) = solve(order[i], order[j]);
            }
    }

    double chance(const Side& own, const Side& other) const {
        return chances_[rank(own.data(), SMALL) * size_ + rank(other.data(), SMALL)];
    }

private:
    float& at(std::size_t own, std::size_t other) { return chances_[own * size_ + other]; }

    float solve(int own, int other) {
        if (own == 0) return 1;
        if (other == 0) return 0;
        double sum = 0;
        int roll = 21 * own;
        for_each_roll([&](int, int, double chance) {
            float least = 1;  // of the other's chances, when it is on roll
            for (int i = starts_[roll]; i < starts_[roll + 1]; ++i)
                least = std::min(least, successors_[i] == 0 ? 0 : at(other, successors_[i]));
            sum += chance * (1 - least);
            ++roll;
        });
        return static_cast<float>(sum);
    }

    void find_all_successors() {
        std::vector<Play> plays;
        std::vector<int> to;
        for (const Home& home : homes_)
            for_each_roll([&](int first, int second, double) {
                starts_.push_back(static_cast<int>(successors_.size()));
                find_successors(home, first, second, SMALL, plays, to);
                successors_.insert(successors_.end(), to.begin(), to.end());
            });
        starts_.push_back(static_cast<int>(successors_.size()));
    }

    std::vector<Home> homes_;
    std::size_t size_;
    std::vector<float> chances_;  // [own][other]: of the one on roll
    std::vector<int> starts_, successors_;
};

const Both& both() {
    static const Both solved;
    return solved;
}

}  // namespace

const BearOff& bear_off(const Side& side) {
    static const std::vector<BearOff> table = Alone().take();
    return table[rank(side.data(), CHEQUERS)];
}

double race_chance(const Board& board) {
    if (chequers(board.own) <= SMALL && chequers(board.other) <= SMALL) return both().chance(board.own, board.other);
    const BearOff &own = bear_off(board.own), &other = bear_off(board.other);
    double sum = 0, not_yet = 1;  // the chance that the other needs at least n rolls
    for (int n = 0; n < MOST_ROLLS; ++n) {
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
