// Games whose positions are judged many at a time, as a GPU wants it: thousands of games are played at once, each on a fiber,
// which waits where its search asks what a position is worth.
//
// The games are two groups. While the positions of one are judged, threads play on those of the other, each game up to its next
// question. So a game needs no code of its own for it: searches ask the game's policy as ever.
#pragma once

#include <array>
#include <cstring>
#include <functional>

#include "networks/attach.hpp"
#include "selfplay/fiber.hpp"
#include "selfplay/ordered.hpp"

namespace zermelo {

// The positions of a group: rows of numbers, in memory of who judges them.
struct JudgedRows {
    uint64_t* inputs;  // [rows][words + 1]: bits of the inputs, and a word that is 1 if player 1 moves
    const float* outputs;  // [rows][actions + 1]: logits, and the output of the value
};

struct JudgeSettings {
    std::shared_ptr<const GridShape> shape;
    std::size_t rows = 0;  // of a group
    std::array<JudgedRows, 2> groups;
    std::function<void(std::size_t group)> judge;  // writes the outputs of all rows of a group; called by one thread

    std::size_t words() const { return shape->inputs.words() + 1; }
    std::size_t outputs() const { return shape->actions.size() + 1; }
};

template <typename Table>
class JudgedGames : public NumberedGames<Table> {
public:
    JudgedGames(uint64_t first, uint64_t games, GamesProgress& progress, const JudgeSettings& settings,
                unsigned threads)
        : NumberedGames<Table>(first, games, progress), settings_(settings), threads_(threads) {
        if (!Fiber::exist())
            throw std::invalid_argument("games are judged in batches on Linux with glibc and on macOS alone");
        if (settings.rows == 0) throw std::invalid_argument("a batch has at least one position");
    }

    // Fills the rows; `make` makes a table of games with the rules of a table.
    template <typename Make>
    void add_tables(const zermelo_table& rules, const Make& make) {
        for (std::size_t group = 0; group < seats_.size(); ++group)
            for (std::size_t row = 0; row < settings_.rows; ++row) {
                auto& seat = *seats_[group].emplace_back(std::make_unique<Seat>());
                seat.game = std::make_unique<AskedGame>(rules, settings_.shape, asker(group, row));
                seat.table = make(seat.game->table());
                seat.fiber = std::make_unique<Fiber>([this, &seat] { play_on(seat); });
            }
    }

private:
    struct Seat {
        std::unique_ptr<AskedGame> game;
        std::unique_ptr<Table> table;
        std::unique_ptr<Fiber> fiber;  // left before the others end
    };

    // Writes a position to its row, and waits until that is judged.
    AskedGame::Ask asker(std::size_t group, std::size_t row) const {
        return [this, group, row](const Game& rules, const std::byte* state, int32_t mover) {
            const GridShape& shape = *settings_.shape;
            uint64_t* words = settings_.groups[group].inputs + row * settings_.words();
            shape.inputs.read(rules, state, std::max(mover, 0), words);
            words[shape.inputs.words()] = mover == 1;
            Fiber::wait();
            return settings_.groups[group].outputs + row * settings_.outputs();
        };
    }

    // The work of a fiber: one game after another. It is told to stop by being ended, so that its searches ask nobody.
    void play_on(Seat& seat) {
        Watch watch(nullptr);
        while (this->start_game(*seat.table)) {
            while (seat.table->advance(watch));
            this->finish_game(*seat.table);
        }
    }

    void run(Watch& watch) override {
        std::vector<std::exception_ptr> failures(threads_ + 1);
        working_ = 0;
        round_ = 0;
        over_ = false;
        std::vector<std::thread> helpers = start_helpers(threads_ + 1, [&](std::size_t thread) {
            for (uint64_t round = 0; next_round(round);) {
                guarded(failures[thread], [&] { advance(thread - 1); });
                const std::lock_guard lock(this->mutex_);
                if (--working_ == 0) changed_.notify_all();
            }
        });
        guarded(failures[0], [&] {
            while (!this->is_paused()) {
                watch.poll();
                begin_round(helpers.size());
                if (waits_[1 - turn_]) settings_.judge(1 - turn_);
                for (std::size_t i = helpers.size(); i < threads_; ++i) advance(i);  // threads not granted
                end_round();
            }
        });
        end_round();
        {
            const std::lock_guard lock(this->mutex_);
            over_ = true;
            changed_.notify_all();
        }
        for (std::thread& helper : helpers) helper.join();
        rethrow_failures(failures);
    }

    template <typename Act>
    void guarded(std::exception_ptr& failure, const Act& act) {
        try {
            act();
        } catch (...) {
            failure = std::current_exception();
            this->pause();
        }
    }

    // Has the helpers play on in the group whose turn it is.
    void begin_round(std::size_t helpers) {
        const std::lock_guard lock(this->mutex_);
        working_ = helpers;
        under_way_ = true;
        ++round_;
        changed_.notify_all();
    }

    // Waits for them, and gives the turn to the other group, which has been judged meanwhile.
    void end_round() {
        std::unique_lock lock(this->mutex_);
        changed_.wait(lock, [&] { return working_ == 0; });
        if (!under_way_) return;
        under_way_ = false;
        waits_[turn_] = true;
        waits_[1 - turn_] = false;
        turn_ = 1 - turn_;
    }

    // Waits for a round after `round`, which becomes that; false if there is none any more.
    bool next_round(uint64_t& round) {
        std::unique_lock lock(this->mutex_);
        changed_.wait(lock, [&] { return over_ || round_ != round; });
        if (over_) return false;
        round = round_;
        return true;
    }

    // Plays a share of the games of the group whose turn it is, each up to its next question.
    void advance(std::size_t share) {
        const Stopwatch stopwatch(this->progress_.total_nanoseconds);
        std::vector<std::unique_ptr<Seat>>& seats = seats_[turn_];
        for (std::size_t i = share; i < seats.size(); i += threads_)
            if (!seats[i]->fiber->ended()) seats[i]->fiber->resume();
    }

    const JudgeSettings& settings_;
    const std::size_t threads_;
    std::array<std::vector<std::unique_ptr<Seat>>, 2> seats_;
    std::array<bool, 2> waits_{};  // whether the positions of a group are there to be judged
    std::size_t turn_ = 0;
    std::condition_variable changed_;
    std::size_t working_ = 0;
    uint64_t round_ = 0;
    bool under_way_ = false;
    bool over_ = false;
};

}  // namespace zermelo
