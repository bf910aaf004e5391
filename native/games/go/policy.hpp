// How playouts choose their moves.
//
// The skilled policy replies to the last move first: it captures or saves groups in atari next to it, attacks and
// relieves groups with two liberties, plays the vital point of a small eye space, and prefers certain patterns. Each is
// skipped with some probability, so that playouts vary. All other moves are uniform over the sensible points: no own
// eye is filled, and no large group puts itself into atari, which keeps a seki a seki. The sensible policy only avoids
// filling its eyes. The uniform policy samples from all legal moves, including the pass.
#pragma once

#include "core/random.hpp"
#include "games/go/patterns.hpp"
#include "games/go/shapes.hpp"

namespace zermelo::go {

// The probability of each kind of reply, in 256ths.
struct Habits {
    unsigned atari = 230;
    unsigned two_liberties = 100;
    unsigned vital = 200;
    unsigned pattern = 242;
    unsigned avoid_self_atari = 250;
};

// Random numbers from the word kept by the caller.
class Dice {
public:
    explicit Dice(uint64_t& word) : word_(word) {}

    uint64_t next() {
        word_ += 0x9e3779b97f4a7c15u;
        return splitmix(word_);
    }
    int below(int count) { return static_cast<int>((next() >> 32) * static_cast<uint64_t>(count) >> 32); }
    bool one_in_256ths(unsigned chances) { return (next() >> 40 & 255) < chances; }

private:
    uint64_t& word_;
};

template <int N>
class Player {
public:
    using Set = Bits<N>;

    Player(Groups<N>& board, uint64_t& word, Policy policy) : board_(board), dice_(word), policy_(policy) {}

    // The cell of the next move; NOWHERE to pass.
    int choose() {
        if (policy_ == UNIFORM) return any_legal();
        if (policy_ == SKILLED && board_.last != NOWHERE) {
            const int answer = answer_last();
            if (answer != NOWHERE) return answer;
        }
        return anywhere();
    }

    // Whether the legal move on `cell` is a bad self-atari.
    bool is_bad_self_atari(int cell) const {
        Set joined;
        const Set free = board_.liberties_after(cell, joined);
        if (free.several()) return false;
        for (const int side : Groups<N>::SIDES) {
            const int colour = board_.colours[cell + side];
            if (colour == 1 - board_.turn && board_.in_atari(cell + side)) return false;  // captures something
        }
        return joined.several() ? !kills<N>(joined) : !throws_in(cell);
    }

private:
    // Whether sacrificing a single stone on `cell` may be worthwhile: it is adjacent to stones with two liberties.
    bool throws_in(int cell) const {
        for (const int side : Groups<N>::SIDES) {
            const int colour = board_.colours[cell + side];
            if (colour == 1 - board_.turn && board_.liberties_at(cell + side).count_up_to(3) == 2) return true;
        }
        return false;
    }

    bool is_sensible(int cell) const {
        return board_.is_empty(cell) && board_.is_legal(cell) && !board_.is_eye(cell, board_.turn);
    }

    void suggest(int cell) {
        if (count_ < MAX_CANDIDATES) found_[count_++] = cell;
    }

    int draw() { return found_[count_ == 1 ? 0 : dice_.below(count_)]; }

    int answer_last() {
        count_ = 0;
        if (dice_.one_in_256ths(HABITS.atari)) {
            answer_atari();
            if (count_ > 0) return draw();
        }
        if (dice_.one_in_256ths(HABITS.vital)) {
            suggest_vital();
            if (count_ > 0) return draw();
        }
        if (dice_.one_in_256ths(HABITS.two_liberties)) {
            answer_two_liberties();
            if (count_ > 0) return draw();
        }
        if (dice_.one_in_256ths(HABITS.pattern)) {
            suggest_patterns(board_.last);
            if (board_.before != NOWHERE) suggest_patterns(board_.before);
            if (count_ > 0) return draw();
        }
        return NOWHERE;
    }

    // Captures the group that has just moved if it is in atari, and saves what it has put into atari.
    void answer_atari() {
        const int last = board_.last;
        if (board_.colours[last] != 1 - board_.turn) return;
        if (board_.in_atari(last)) suggest_legal(board_.liberties_at(last).first());
        for (const int side : Groups<N>::SIDES) {
            const int beside = last + side;
            if (board_.colours[beside] == board_.turn && board_.in_atari(beside)) save(beside);
        }
    }

    void suggest_legal(int cell) {
        if (board_.is_legal(cell)) suggest(cell);
    }

    // Moves that get the group at `cell` out of atari: capturing an attacker, or extending to more liberties.
    void save(int cell) {
        take_neighbours(cell);
        const int liberty = board_.liberties_at(cell).first();
        if (!board_.is_legal(liberty)) return;
        Set joined;
        if (board_.liberties_after(liberty, joined).several()) suggest(liberty);
    }

    // The captures of groups adjacent to that at `cell`.
    void take_neighbours(int cell) {
        Set others = board_.group_at(cell).beside();
        Set seen;
        others.each([&](int beside) {
            if (board_.colours[beside] != 1 - board_.turn || seen.has(beside)) return;
            seen |= board_.group_at(beside);
            if (board_.in_atari(beside)) suggest_legal(board_.liberties_at(beside).first());
        });
    }

    // Puts the group that has just moved into atari, or gives an own adjacent group more liberties.
    void answer_two_liberties() {
        const int last = board_.last;
        if (board_.colours[last] != 1 - board_.turn) return;
        if (board_.liberties_at(last).count_up_to(3) == 2) press(last);
        for (const int side : Groups<N>::SIDES) {
            const int beside = last + side;
            if (board_.colours[beside] == board_.turn && board_.liberties_at(beside).count_up_to(3) == 2)
                relieve(beside);
        }
    }

    void press(int cell) {
        board_.liberties_at(cell).each([&](int liberty) {
            Set joined;
            if (board_.is_legal(liberty) && board_.liberties_after(liberty, joined).several()) suggest(liberty);
        });
    }

    void relieve(int cell) {
        take_neighbours(cell);
        board_.liberties_at(cell).each([&](int liberty) {
            Set joined;
            if (board_.is_legal(liberty) && board_.liberties_after(liberty, joined).count_up_to(4) > 3)
                suggest(liberty);
        });
    }

    // The vital point of a small eye space next to the last move, whoever owns it.
    void suggest_vital() {
        for (const int side : Groups<N>::SIDES) {
            const int start = board_.last + side;
            if (!board_.is_empty(start)) continue;
            const int vital = vital_of_space(start);
            if (vital != NOWHERE && board_.is_legal(vital)) suggest(vital);
        }
    }

    // The vital point of the empty region at `start`, if it is small and belongs to one side.
    int vital_of_space(int start) const {
        std::array<int, LARGEST_EYE> cells{start};
        Set space = Set::at(start);
        int owner = EMPTY, count = 1;
        for (int i = 0; i < count; ++i)
            for (const int side : Groups<N>::SIDES) {
                const int cell = cells[i] + side, colour = board_.colours[cell];
                if (colour == BORDER || space.has(cell)) continue;
                if (colour == EMPTY) {
                    if (count == LARGEST_EYE) return NOWHERE;
                    space.add(cell);
                    cells[count++] = cell;
                } else if (owner == EMPTY) {
                    owner = colour;
                } else if (owner != colour) {
                    return NOWHERE;
                }
            }
        return count < 3 ? NOWHERE : vital_point<N>(space);
    }

    void suggest_patterns(int centre) {
        for (const auto* around : {&Groups<N>::SIDES, &Groups<N>::CORNERS})
            for (const int step : *around) {
                const int cell = centre + step;
                if (board_.is_empty(cell) && has_pattern(board_, cell) && board_.is_legal(cell) &&
                    !is_bad_self_atari(cell))
                    suggest(cell);
            }
    }

    // Any sensible point, uniformly.
    int anywhere() {
        for (int count = board_.empty_count(); count > 0; --count) {
            const int index = dice_.below(count), cell = board_.empty_at(index);
            if (is_sensible(cell) &&
                !(policy_ == SKILLED && dice_.one_in_256ths(HABITS.avoid_self_atari) && is_bad_self_atari(cell)))
                return cell;
            board_.set_aside(index, count);
        }
        return NOWHERE;
    }

    // Any legal move, uniformly; the pass is always one.
    int any_legal() {
        for (int count = board_.empty_count();; --count) {
            const int index = dice_.below(count + 1);
            if (index == count) return NOWHERE;
            if (board_.is_legal(board_.empty_at(index))) return board_.empty_at(index);
            board_.set_aside(index, count);
        }
    }

    static constexpr Habits HABITS{};
    static constexpr int MAX_CANDIDATES = 64;

    Groups<N>& board_;
    Dice dice_;
    const Policy policy_;
    std::array<int, MAX_CANDIDATES> found_;
    int count_ = 0;
};

}  // namespace zermelo::go
