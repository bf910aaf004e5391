// The value of the doubling cube, by Janowski's model: a position lies between one with a dead cube, which is never
// turned again, and one with a live cube, which is turned at the optimal moment.
//
// With a dead cube the value is linear in the probability to win. With a live one it is bent at the cash point: where
// the other may as well drop, the value is that of the stake. That point follows from the value of owning the cube at
// twice the stake, and so on up to a cube that cannot be turned.
#pragma once

#include <algorithm>

namespace zermelo::backgammon {

// Who may turn the cube next, from the point of view of the player on roll.
enum class Owner { OWN, OTHER, NOBODY };

// An increasing, piecewise linear function of the probability to win.
class Bent {
public:
    void add(double chance, double value) {
        chance_[count_] = count_ ? std::max(chance, chance_[count_ - 1]) : chance;
        value_[count_] = count_ ? std::max(value, value_[count_ - 1]) : value;
        ++count_;
    }

    double at(double chance) const {
        int i = 1;
        while (i + 1 < count_ && chance > chance_[i]) ++i;
        const double width = chance_[i] - chance_[i - 1];
        const double share = width > 0 ? (chance - chance_[i - 1]) / width : 1;
        return value_[i - 1] + std::clamp(share, 0.0, 1.0) * (value_[i] - value_[i - 1]);
    }

    // The least probability with at least this `value`.
    double where(double value) const {
        if (value <= value_[0]) return chance_[0];
        for (int i = 1; i < count_; ++i)
            if (value <= value_[i]) {
                const double share = (value - value_[i - 1]) / (value_[i] - value_[i - 1]);
                return chance_[i - 1] + share * (chance_[i] - chance_[i - 1]);
            }
        return chance_[count_ - 1];
    }

private:
    double chance_[4], value_[4];
    int count_ = 0;
};

// `Game` defines the stakes for the player in question:
//     worth(points)           the value of winning (or losing, below zero) that many points
//     ends(cube, turned)      {value of losing, value of winning} a game that is played out, gammons included
//     may_turn(cube, other)   whether that player could still double a cube of this size if it had it
template <typename Game>
class Cube {
public:
    explicit Cube(const Game& game) : game_(game) {}

    Bent live(int cube, Owner owner) const {
        const auto [lose, win] = game_.ends(cube, owner != Owner::NOBODY);
        const bool own = owner != Owner::OTHER && game_.may_turn(cube, false);
        const bool other = owner != Owner::OWN && game_.may_turn(cube, true);
        double take = 0, cash = 1;
        if (other) take = live(cube + 1, Owner::OWN).where(game_.worth(-(1 << cube)));
        if (own) cash = live(cube + 1, Owner::OTHER).where(game_.worth(1 << cube));
        if (take > cash) take = cash = (take + cash) / 2;
        Bent line;
        line.add(0, lose);
        if (other) line.add(take, game_.worth(-(1 << cube)));
        if (own) line.add(cash, game_.worth(1 << cube));
        line.add(1, win);
        return line;
    }

    double dead(int cube, Owner owner, double chance) const {
        const auto [lose, win] = game_.ends(cube, owner != Owner::NOBODY);
        return lose + chance * (win - lose);
    }

private:
    const Game& game_;
};

}  // namespace zermelo::backgammon
