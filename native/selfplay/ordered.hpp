// Numbered games on native threads, handed over in the order of their numbers.
//
// Each thread has a table, at which one game after another is played a move at a time. Threads run during a call only; in
// between, games stand still in the middle.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/helpers.hpp"
#include "core/watch.hpp"

namespace zermelo {

// Adds the time of its life to a counter.
class Stopwatch {
public:
    explicit Stopwatch(std::atomic<uint64_t>& nanoseconds) : nanoseconds_(nanoseconds) {}
    ~Stopwatch() {
        const auto spent = std::chrono::duration_cast<std::chrono::nanoseconds>(Watch::Clock::now() - start_);
        nanoseconds_.fetch_add(static_cast<uint64_t>(spent.count()), std::memory_order_relaxed);
    }
    Stopwatch(const Stopwatch&) = delete;

private:
    std::atomic<uint64_t>& nanoseconds_;
    const Watch::Clock::time_point start_ = Watch::Clock::now();
};

// Counters that can be read while games are played.
struct GamesProgress {
    std::atomic<uint64_t> games = 0;  // complete
    std::atomic<uint64_t> positions = 0;  // searched
    std::atomic<uint64_t> nodes = 0;
    std::atomic<uint64_t> search_nanoseconds = 0;  // of all threads
    std::atomic<uint64_t> total_nanoseconds = 0;  // the same, with all that is done beside searching
};

// A Table has `begin(number)`, `is_playing()`, `advance(watch)`, which plays a move and returns false once the game is
// complete, and then `result()`.
template <typename Table>
class NumberedGames {
public:
    using Result = typename Table::Result;

    NumberedGames(uint64_t first, uint64_t games, GamesProgress& progress)
        : progress_(progress), end_(first + games), next_start_(first), next_number_(first) {}
    virtual ~NumberedGames() = default;

    // Plays on until the next `wanted` games, or all that are left, are complete. When the watch stops it, games that are
    // not complete are dropped, and those that are can still be taken.
    void play(uint64_t wanted, Watch& watch) {
        wanted_ = wanted;
        if (stopped_ || are_complete()) return;
        pause_ = false;
        try {
            run(watch);
        } catch (const Stopped&) {
            stopped_ = true;
        } catch (...) {
            stopped_ = true;
            throw;
        }
    }

    // The next games that are complete, at most `most`.
    std::vector<Result> take(uint64_t most) {
        std::vector<Result> taken;
        while (!complete_.empty() && (stopped_ || (taken.size() < most && complete_.begin()->first == next_number_))) {
            taken.push_back(std::move(complete_.begin()->second));
            next_number_ = complete_.begin()->first + 1;
            complete_.erase(complete_.begin());
        }
        return taken;
    }

    bool stopped() const { return stopped_; }

protected:
    // Plays until `is_paused`.
    virtual void run(Watch& watch) = 0;

    // Whether enough games are complete, or something failed.
    bool is_paused() const { return pause_.load(std::memory_order_relaxed); }
    void pause() { pause_ = true; }

    // Begins the next game at a table; false if there is none left.
    bool start_game(Table& table) {
        uint64_t number;
        {
            const std::lock_guard lock(mutex_);
            if (next_start_ == end_) return false;
            number = next_start_++;
        }
        table.begin(number);
        return true;
    }

    void finish_game(const Table& table) {
        const std::lock_guard lock(mutex_);
        complete_.emplace(table.result().number, table.result());
        progress_.games.fetch_add(1, std::memory_order_relaxed);
        if (are_complete()) pause_ = true;
    }

    std::mutex mutex_;  // of all below
    GamesProgress& progress_;

private:
    bool are_complete() const {
        const uint64_t wanted = std::min(wanted_, end_ - next_number_);
        if (complete_.size() < wanted) return false;
        uint64_t number = next_number_;
        for (auto game = complete_.begin(); number < next_number_ + wanted; ++game, ++number)
            if (game->first != number) return false;
        return true;
    }

    const uint64_t end_;  // behind the last number
    std::map<uint64_t, Result> complete_;  // not taken yet
    uint64_t next_start_;  // the number of the next game to begin
    uint64_t next_number_;  // the number of the next game to take
    uint64_t wanted_ = 0;
    std::atomic<bool> pause_ = false;
    bool stopped_ = false;
};

// Games of which each thread plays one at a time.
template <typename Table>
class OrderedGames : public NumberedGames<Table> {
public:
    using NumberedGames<Table>::NumberedGames;

    void add_table(std::unique_ptr<Table> table) { tables_.push_back(std::move(table)); }

private:
    void run(Watch& watch) override {
        std::vector<std::exception_ptr> failures(tables_.size());
        std::atomic<bool> stop = false;
        const auto guarded = [&](std::size_t thread, const auto& act) {
            try {
                act();
            } catch (...) {
                failures[thread] = std::current_exception();
                stop = true;
                this->pause();
            }
        };
        working_ = tables_.size() - 1;
        std::vector<std::thread> helpers = start_helpers(tables_.size(), [&](std::size_t thread) {
            Watch own([&] { return stop.load(std::memory_order_relaxed); });
            guarded(thread, [&] { work(thread, own); });
            const std::lock_guard lock(this->mutex_);
            --working_;
            finished_.notify_all();
        });
        {
            const std::lock_guard lock(this->mutex_);
            working_ -= tables_.size() - 1 - helpers.size();
        }
        guarded(0, [&] {
            work(0, watch);
            for (std::size_t i = helpers.size() + 1; i < tables_.size(); ++i) work(i, watch);  // threads not granted
            wait(watch);
        });
        for (std::thread& helper : helpers) helper.join();
        rethrow_failures(failures);
    }

    void work(std::size_t thread, Watch& watch) {
        Table& table = *tables_[thread];
        const Stopwatch stopwatch(this->progress_.total_nanoseconds);
        while (!this->is_paused()) {
            if (!table.is_playing() && !this->start_game(table)) return;
            watch.poll();
            while (!this->is_paused())
                if (!table.advance(watch)) {
                    this->finish_game(table);
                    break;
                }
        }
    }

    // Lets the watch poll while only the helpers have games to play.
    void wait(Watch& watch) {
        std::unique_lock lock(this->mutex_);
        while (working_ > 0) {
            finished_.wait_for(lock, Watch::interval);
            lock.unlock();
            watch.poll();
            lock.lock();
        }
    }

    std::vector<std::unique_ptr<Table>> tables_;  // one per thread
    std::condition_variable finished_;
    std::size_t working_ = 0;  // helper threads
};

}  // namespace zermelo
