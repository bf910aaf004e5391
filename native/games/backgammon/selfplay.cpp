#include "games/backgammon/selfplay.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include "core/random.hpp"
#include "games/backgammon/plays.hpp"

namespace zermelo::backgammon {

namespace {

constexpr uint64_t CHUNK = 16;            // games that a thread takes at a time
constexpr int MAX_RANDOM_PLAYS = 10;         // maximal number of random plays at the start of a game
constexpr std::size_t MAX_PLAYS = 250;  // beginners may play without end; the estimate replaces the result

uint64_t seed_of(uint64_t seed, uint64_t game) { return splitmix(seed) ^ splitmix(~game); }

struct Dice {
    int first, second;
};

Dice roll(Random& random) { return {static_cast<int>(random.below(6)) + 1, static_cast<int>(random.below(6)) + 1}; }

// A roll with two different dice: equal ones are rolled again.
Dice opening_roll(Random& random) {
    Dice dice = roll(random);
    while (dice.first == dice.second) dice = roll(random);
    return dice;
}

// The play after which the other has the least equity, and that equity.
struct Choice {
    Board board;  // with the other on roll
    Chances chances;
};

Choice best_choice(const Board& board, Dice dice, const Networks& networks, std::vector<Play>& plays) {
    find_plays(board, dice.first, dice.second, plays);
    Choice best;
    float least = 4;
    for (const Play& play : plays) {
        const Board after = play.after.turned();
        const Chances chances = chances_of(after, &networks);
        if (const float left = equity(chances); left < least) {
            least = left;
            best = {after, chances};
        }
    }
    return best;
}

Chances look_ahead(const Board& board, const Networks& networks, int plies, std::vector<Play>& plays) {
    if (plies == 0 || class_of(board) == Class::OVER) return chances_of(board, &networks);
    std::array<double, CHANCES> sums{};
    for (int first = 1; first <= 6; ++first)
        for (int second = 1; second <= first; ++second) {
            const Choice best = best_choice(board, {first, second}, networks, plays);
            const Chances after = plies == 1 ? best.chances : look_ahead(best.board, networks, plies - 1, plays);
            for (int i = 0; i < CHANCES; ++i) sums[i] += (first == second ? 1.0 : 2.0) / 36 * turned(after)[i];
        }
    Chances means;
    std::copy(sums.begin(), sums.end(), means.begin());
    return means;
}

// One game, from the opening to the race.
class Lesson {
public:
    Lesson(const Networks& networks, const SelfPlay& settings, uint64_t game, Lessons& lessons,
           std::vector<Play>& plays)
        : networks_(networks), settings_(settings), random_(seed_of(settings.seed, game)), lessons_(lessons),
          plays_(plays) {}

    void run() {
        Choice at{{START, START}, {}};
        Dice dice = opening_roll(random_);
        if (random_.unit() < settings_.strange) at.board = play_at_random(at.board, dice);
        while (in_play(at.board) && passed_.size() < MAX_PLAYS) {
            at = best_choice(at.board, dice, networks_, plays_);
            passed_.push_back(at);
            dice = roll(random_);
        }
        if (settings_.lookahead > 0) teach_by_lookahead();
        else teach_by_returns();
    }

private:
    static bool in_play(const Board& board) { return class_of(board) == Class::CONTACT; }

    Board play_at_random(Board board, Dice& dice) {
        for (uint64_t left = 1 + random_.below(MAX_RANDOM_PLAYS); left > 0 && in_play(board); --left) {
            find_plays(board, dice.first, dice.second, plays_);
            board = plays_[random_.below(plays_.size())].after.turned();
            dice = roll(random_);
        }
        return board;
    }

    void add(const Board& board, const Chances& target) {
        lessons_.boards.push_back(board);
        lessons_.targets.push_back(target);
    }

    // The return of a position is that of the next one, mixed with its estimate; the last one is a race, or over.
    void teach_by_returns() {
        if (passed_.empty()) return;
        Chances target = passed_.back().chances;
        const float far = static_cast<float>(settings_.lambda);
        for (std::size_t i = passed_.size() - 1; i-- > 0;) {
            for (int c = 0; c < CHANCES; ++c) target[c] = (1 - far) * passed_[i + 1].chances[c] + far * target[c];
            target = turned(target);
            add(passed_[i].board, target);
        }
    }

    void teach_by_lookahead() {
        for (const Choice& at : passed_)
            if (in_play(at.board) && random_.unit() < settings_.lookahead)
                add(at.board, look_ahead(at.board, networks_, 1, plays_));
    }

    const Networks& networks_;
    const SelfPlay& settings_;
    Random random_;
    Lessons& lessons_;
    std::vector<Play>& plays_;
    std::vector<Choice> passed_;
};

// Distributes the numbers below `count` among threads in chunks; `work(begin, end, chunk)` runs for each chunk. The
// calling thread only polls.
template <typename Work>
void share(uint64_t count, uint64_t chunk, unsigned threads, Watch& watch, const Work& work) {
    std::atomic<uint64_t> next{0};
    std::atomic<bool> over{false};
    const auto run = [&] {
        for (uint64_t at; !over && (at = next++) * chunk < count;)
            work(at * chunk, std::min(count, (at + 1) * chunk), at);
    };
    std::vector<std::thread> helpers;
    for (unsigned i = 0; i < threads; ++i) helpers.emplace_back(run);
    const auto join = [&] {
        for (std::thread& helper : helpers) helper.join();
    };
    try {
        for (; next * chunk < count; std::this_thread::sleep_for(std::chrono::milliseconds(5))) watch.poll();
    } catch (const Stopped&) {
        over = true;
        join();
        throw;
    }
    join();
}

// The points won by the first player to move.
int play_game(const Networks* players[2], Random& random, std::vector<Play>& plays) {
    Board board{START, START};
    Dice dice = opening_roll(random);
    for (int turn = 0;; turn ^= 1) {
        board = best_choice(board, dice, *players[turn], plays).board;
        if (chequers(board.other) == 0) return (turn ? -1 : 1) * stakes_won(board.own);
        dice = roll(random);
    }
}

}  // namespace

Chances look_ahead(const Board& board, const Networks& networks, int plies) {
    std::vector<Play> plays;
    return look_ahead(board, networks, plies, plays);
}

Lessons play_for_lessons(const Networks& networks, const SelfPlay& settings, Watch& watch) {
    std::vector<Lessons> chunks((settings.games + CHUNK - 1) / CHUNK);
    share(settings.games, CHUNK, settings.threads, watch, [&](uint64_t begin, uint64_t end, uint64_t chunk) {
        std::vector<Play> plays;
        for (uint64_t game = begin; game < end; ++game)
            Lesson(networks, settings, settings.first + game, chunks[chunk], plays).run();
    });
    Lessons all;
    for (const Lessons& part : chunks) {
        all.boards.insert(all.boards.end(), part.boards.begin(), part.boards.end());
        all.targets.insert(all.targets.end(), part.targets.begin(), part.targets.end());
    }
    return all;
}

std::vector<int> play_duel(const Networks& first, const Networks& second, uint64_t pairs, uint64_t seed,
                           unsigned threads, Watch& watch) {
    std::vector<int> points(pairs);
    share(pairs, 1, threads, watch, [&](uint64_t begin, uint64_t, uint64_t) {
        std::vector<Play> plays;
        const Networks *one[2]{&first, &second}, *two[2]{&second, &first};
        Random random(seed_of(seed, begin)), again = random;
        points[begin] = play_game(one, random, plays) - play_game(two, again, plays);
    });
    return points;
}

}  // namespace zermelo::backgammon
