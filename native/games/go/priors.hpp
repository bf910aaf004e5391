// Priors of moves, as wins and losses in virtual playouts.
#pragma once

#include <cstdlib>

#include "games/go/playout.hpp"

namespace zermelo::go {

struct Opinion {
    double wins = 0;
    double tries = 0;

    void like(double weight) { wins += weight, tries += weight; }
    void dislike(double weight) { tries += weight; }
};

// The weight of each feature of a move, in playouts.
struct Weights {
    double even = 10;  // half won, half lost
    double takes_one = 15, takes_many = 30;
    double saves_one = 15, saves_many = 30;
    double atari = 6;
    double pattern = 10;
    double vital = 20;
    double bad_self_atari = 20;
    double fills_eye = 40;
    std::array<double, 3> near_last{20, 16, 6};  // at distance 1, 2, 3
    double open_edge = 10, open_third = 10;      // with no stone nearby: on the first two lines, on the third
    double pass = 30;
};

template <int N>
class MovePriors {
public:
    using Set = Bits<N>;

    explicit MovePriors(const State<N>& state) : state_(state), board_(state), player_(board_, word_, SKILLED) {
        measure_distances();
        open_ = points_of<N>(state.size) - near_stones();
    }

    Opinion of(int cell) {
        Opinion opinion{WEIGHTS.even / 2, WEIGHTS.even};
        if (cell == NOWHERE) {
            rate_pass(opinion);
            return opinion;
        }
        for (std::size_t i = 0; i < distances_.size(); ++i)
            if (distances_[i].has(cell)) opinion.like(WEIGHTS.near_last[i]);
        if (board_.is_eye(cell, board_.turn)) {
            opinion.dislike(WEIGHTS.fills_eye);
            return opinion;
        }
        rate_contact(cell, opinion);
        if (has_pattern(board_, cell)) opinion.like(WEIGHTS.pattern);
        if (open_.has(cell)) rate_open(cell, opinion);
        return opinion;
    }

private:
    // A pass that ends the game has the value of the score; any other loses a move.
    void rate_pass(Opinion& opinion) const {
        const int ahead = state_.passes == 0 ? 0 : 2 * area_margin(state_) - state_.komi;
        if (state_.turn == BLACK ? ahead > 0 : ahead < 0) opinion.like(WEIGHTS.pass);
        else opinion.dislike(WEIGHTS.pass);
    }

    // Captures, rescues and threats of the move.
    void rate_contact(int cell, Opinion& opinion) {
        Set joined;
        const bool safe = board_.liberties_after(cell, joined).several();
        Set taken, saved, threatened;
        for (const int side : Groups<N>::SIDES) {
            const int beside = cell + side, colour = board_.colours[beside];
            if (colour >= EMPTY) continue;
            const int liberties = board_.liberties_at(beside).count_up_to(3);
            if (colour == board_.turn) {
                if (liberties == 1 && safe) saved |= board_.group_at(beside);
            } else if (liberties == 1) {
                taken |= board_.group_at(beside);
            } else if (liberties == 2 && safe) {
                threatened |= board_.group_at(beside);
            }
        }
        if (taken) opinion.like(taken.single() ? WEIGHTS.takes_one : WEIGHTS.takes_many);
        if (saved) opinion.like(saved.single() ? WEIGHTS.saves_one : WEIGHTS.saves_many);
        if (threatened) opinion.like(WEIGHTS.atari);
        if (!safe && !taken && player_.is_bad_self_atari(cell)) opinion.dislike(WEIGHTS.bad_self_atari);
    }

    // Away from stones the third line is good and the first two are bad.
    void rate_open(int cell, Opinion& opinion) const {
        const int row = row_of<N>(cell), column = column_of<N>(cell), far = state_.size - 1;
        const int line = std::min(std::min(row, far - row), std::min(column, far - column));
        if (line < 2) opinion.dislike(WEIGHTS.open_edge);
        if (line == 2) opinion.like(WEIGHTS.open_third);
    }

    // The cells at distance 1, 2, 3 from the last move, where all stones of a group are one point.
    void measure_distances() {
        if (state_.last == NOWHERE) return;
        const Set& points = points_of<N>(state_.size);
        Set reached = whole_groups(Set::at(state_.last));
        for (Set& distance : distances_) {
            distance = whole_groups(reached.beside() & points) - reached;
            reached |= distance;
        }
    }

    Set whole_groups(const Set& cells) const {
        Set whole = cells;
        for (const Set& stones : state_.stones) whole |= flood(cells & stones, stones);
        return whole;
    }

    // The cells within three steps of a stone.
    Set near_stones() const {
        const Set& points = points_of<N>(state_.size);
        Set near = state_.occupied();
        for (int i = 0; i < 3; ++i) near |= near.beside() & points;
        return near;
    }

    static constexpr Weights WEIGHTS{};

    const State<N>& state_;
    Groups<N> board_;
    uint64_t word_ = 0;
    Player<N> player_;
    std::array<Set, 3> distances_{};
    Set open_;
};

}  // namespace zermelo::go
