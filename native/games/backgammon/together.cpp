#include "games/backgammon/together.hpp"

#include <algorithm>
#include <vector>

#include "games/backgammon/homes.hpp"
#include "games/backgammon/plays.hpp"

namespace zermelo::backgammon {

namespace {

constexpr int MAX_CHEQUERS = 6;  // per side

// All boards of one side, and the results of each roll.
class Successors {
public:
    Successors() : homes_(all_homes(MAX_CHEQUERS)), order_(in_order_of_pips(homes_)) {
        std::vector<Play> plays;
        for (const Home& home : homes_) {
            Board board{};
            std::copy(home.begin(), home.end(), board.own.begin());
            for_each_roll([&](int first, int second, double) {
                starts_.push_back(static_cast<int>(ranks_.size()));
                find_plays(board, first, second, plays);
                for (const Play& play : plays) ranks_.push_back(rank(play.after.own.data(), MAX_CHEQUERS));
            });
        }
        starts_.push_back(static_cast<int>(ranks_.size()));
    }

    std::size_t size() const { return homes_.size(); }
    const std::vector<int>& order() const { return order_; }

    // Calls with the probability of each roll and the range of the ranks it may lead to.
    template <typename Visit>
    void visit(int at, const Visit& visit) const {
        const int* start = &starts_[21 * at];
        for_each_roll([&](int, int, double chance) {
            visit(chance, ranks_.data() + start[0], ranks_.data() + start[1]);
            ++start;
        });
    }

private:
    std::vector<Home> homes_;
    std::vector<int> order_, starts_, ranks_;
};

// The probability to win.
struct Winning {
    using Values = std::array<float, 1>;
    static constexpr float LOST = 0;
    // The value for the player who has moved, from the values of the other, who is on roll now.
    static Values turned(const Values& v) { return {1 - v[0]}; }
};

// The equity of the player about to roll, by `Owner`.
struct Cubeful {
    using Values = std::array<float, 3>;
    static constexpr float LOST = -1;
    static Values turned(const Values& v) {
        const auto [own, other, nobody] = v;
        const float doubled = std::min(2 * other, 1.f);  // and taken or dropped
        return {-other, -std::max(own, doubled), -std::max(nobody, doubled)};
    }
};

template <typename Kind>
class Together {
public:
    Together() {
        const Successors successors;
        size_ = successors.size();
        table_.resize(size_ * size_);
        const std::vector<int>& order = successors.order();
        for (std::size_t i = 0; i < size_; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                solve(successors, order[j], order[i]);
                solve(successors, order[i], order[j]);
            }
    }

    const typename Kind::Values& operator[](const Board& board) const {
        return table_[rank(board.own.data(), MAX_CHEQUERS) * size_ + rank(board.other.data(), MAX_CHEQUERS)];
    }

private:
    using Values = typename Kind::Values;

    void solve(const Successors& successors, int own, int other) {
        Values& result = table_[own * size_ + other];
        result.fill(own ? Kind::LOST : 1);
        if (!own || !other) return;
        std::array<double, std::tuple_size_v<Values>> sums{};
        const Values* others = &table_[other * size_];  // on roll, by the chequers left to the player
        successors.visit(own, [&](double chance, const int* first, const int* last) {
            Values best = Kind::turned(others[*first]);
            while (++first < last) {
                const Values values = Kind::turned(others[*first]);
                for (std::size_t i = 0; i < values.size(); ++i) best[i] = std::max(best[i], values[i]);
            }
            for (std::size_t i = 0; i < best.size(); ++i) sums[i] += chance * best[i];
        });
        std::copy(sums.begin(), sums.end(), result.begin());
    }

    std::size_t size_ = 0;
    std::vector<Values> table_;  // [own][other], with the first on roll
};

}  // namespace

bool is_solved(const Board& board) {
    return all_home(board.own) && all_home(board.other) && chequers(board.own) <= MAX_CHEQUERS &&
           chequers(board.other) <= MAX_CHEQUERS;
}

double solved_chance(const Board& board) {
    static const Together<Winning> table;
    return table[board][0];
}

double solved_equity(const Board& board, Owner owner) {
    static const Together<Cubeful> table;
    return table[board][static_cast<int>(owner)];
}

}  // namespace zermelo::backgammon
