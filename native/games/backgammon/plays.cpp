#include "games/backgammon/plays.hpp"

#include <algorithm>

namespace zermelo::backgammon {

namespace {

// One order of two different dice: every first step, and every second step after it.
struct TwoSteps {
    const Board& board;
    std::vector<Play>& plays;

    void search(int first, int second) {
        for (int from = BAR; from >= 0; --from) {
            if (!may_step(board, from, first)) continue;
            Board between = board;
            take_step(between, from, first);
            for (int next = BAR; next >= 0; --next) {
                if (!may_step(between, next, second)) continue;
                Board after = between;
                take_step(after, next, second);
                add(step_code(from, first) | step_code(next, second) << 8, after);
            }
        }
    }

    void add(Action action, const Board& after) {
        const bool known =
            std::any_of(plays.begin(), plays.end(), [&](const Play& play) { return play.after == after; });
        if (!known) plays.push_back({action, after});
    }
};

void find_single_steps(const Board& board, int die, std::vector<Play>& plays) {
    for (int from = BAR; from >= 0; --from) {
        if (!may_step(board, from, die)) continue;
        Board after = board;
        take_step(after, from, die);
        plays.push_back({step_code(from, die), after});
    }
}

// A double: the steps of a play in descending order of points, so that each set of steps occurs once.
struct Doubles {
    int die;
    std::vector<Play>& plays;
    int longest = 0;

    void search(const Board& board, int highest, int steps, Action action) {
        bool ended = true;
        for (int from = highest; from >= 0 && steps < MAX_STEPS; --from) {
            if (!may_step(board, from, die)) continue;
            ended = false;
            Board after = board;
            take_step(after, from, die);
            search(after, from, steps + 1, action | step_code(from, die) << 8 * steps);
        }
        if (ended) add(board, steps, action);
    }

    void add(const Board& board, int steps, Action action) {
        if (steps < longest) return;
        if (steps > longest) plays.clear();
        longest = steps;
        plays.push_back({action, board});
    }
};

}  // namespace

void find_plays(const Board& board, int first_die, int second_die, std::vector<Play>& plays) {
    plays.clear();
    if (first_die == second_die) {
        Doubles{first_die, plays}.search(board, BAR, 0, 0);
        return;
    }
    const auto [low, high] = std::minmax(first_die, second_die);
    TwoSteps both{board, plays};
    both.search(high, low);
    both.search(low, high);
    if (plays.empty()) find_single_steps(board, high, plays);
    if (plays.empty()) find_single_steps(board, low, plays);
    if (plays.empty()) plays.push_back({0, board});
}

bool make_play(Board& board, int first_die, int second_die, Action action) {
    int left[7] = {};  // the number of times each die may still be used
    left[first_die] += 1 + (first_die == second_die);
    left[second_die] += 1 + (first_die == second_die);
    if (action < 0 || action >> 8 * MAX_STEPS) return false;
    for (; action; action >>= 8) {
        const int from = static_cast<int>(action & 31) - 1, die = static_cast<int>(action >> 5 & 7);
        if (from < 0 || from > BAR || die < 1 || die > 6 || !left[die] || !may_step(board, from, die)) return false;
        --left[die];
        take_step(board, from, die);
    }
    return true;
}

}  // namespace zermelo::backgammon
