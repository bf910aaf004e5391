#include "selfplay/selfplay.hpp"

#include "core/helpers.hpp"

namespace zermelo {
namespace {

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

}  // namespace

void SelfPlaySettings::check(const zermelo_table& table) const {
    const auto refuse = [](const char* why) { throw std::invalid_argument(why); };
    check_playable(table, player);
    opening.check();
    header_of(table, "", {initial.data(), table.state_size});  // refuses games that cannot be recorded
    if (threads < 1) refuse("games need at least one thread");
    if (block_games < 1) refuse("a block has at least one game");
    if (first + games < first) refuse("the numbers of these games are too large");
    if (!(nodes_spread >= 0 && nodes_spread < 1)) refuse("nodes vary by a share from 0 to below 1");
    if (!(variety_chance >= 0 && variety_chance <= 1)) refuse("a probability is a number from 0 to 1");
    if (!(variety_margin >= 0)) refuse("a margin is a number from 0 on");
    if (longest_plies < 1) refuse("a game has at least one ply");
    if (occurrences < 2) refuse("a repetition takes at least two occurrences");
}

// One game after another, a move at a time.
class SelfPlayGame {
public:
    SelfPlayGame(const zermelo_table& table, const SelfPlaySettings& settings, SelfPlayProgress& progress)
        : settings_(settings), progress_(progress), game_(table), thinker_(Thinker::make(table, settings.player)),
          live_(game_, settings.occurrences, thinker_->needs_states()), steps_(table.low, table.high), random_(0) {}

    bool is_playing() const { return playing_; }
    const GameRecord& record() const { return record_; }

    void begin(uint64_t number) {
        random_ = Random(mix(settings_.seed, number));
        const bool given = !settings_.starts.empty();
        const std::byte* start =
            (given ? settings_.starts[number % settings_.starts.size()] : settings_.initial).data();
        play_opening(live_, start, settings_.opening.draw_plies(random_), random_, indices_);
        thinker_->clear();
        record_.number = number;
        record_.moves.clear();
        record_.start.clear();
        if (given) record_.start.assign(start, start + game_.state_size());
        for (const std::size_t index : indices_) record_.moves.push_back({static_cast<uint32_t>(index)});
        opening_plies_ = live_.plies();
        playing_ = true;
    }

    // Plays one move of a player, and what chance does before it; false if the game is complete.
    bool advance(Watch& watch) {
        if (!live_.is_over() && live_.plies() >= settings_.longest_plies)
            return finish(Ending::length, std::vector<double>(live_.players(), game_.table().neutral));
        if (live_.is_over()) return finish(live_.ending(), live_.utilities());
        if (live_.mover() == ZERMELO_CHANCE) {
            const std::size_t outcome = live_.draw_action(random_);
            record_.moves.push_back({static_cast<uint32_t>(outcome)});
            live_.play(outcome);
            return true;
        }
        const bool varies = draws_variety();
        const Thought& thought = think(varies, watch);
        progress_.positions.fetch_add(1, std::memory_order_relaxed);
        progress_.nodes.fetch_add(thought.nodes, std::memory_order_relaxed);
        const bool ends = thought.proved && settings_.ends_proved;
        std::size_t played = thought.index;
        if (varies && !ends && !thought.close.empty()) played = thought.close[random_.below(thought.close.size())];
        add_move(thought, played);
        live_.play(played);
        if (ends && !live_.is_over()) return finish(Ending::proof, thought.utilities);
        return true;
    }

private:
    static constexpr unsigned VARIETY_LINES = 4;  // actions that get a value where variety is wanted

    bool draws_variety() {
        return live_.plies() - opening_plies_ < settings_.variety_plies && random_.unit() < settings_.variety_chance;
    }

    const Thought& think(bool varies, Watch& watch) {
        const Stopwatch stopwatch(progress_.search_nanoseconds);
        return thinker_->think(live_, limits(varies), watch);
    }

    ThinkLimits limits(bool varies) {
        ThinkLimits limits;
        limits.nodes = settings_.player.nodes;
        limits.seconds = settings_.player.seconds;
        if (settings_.nodes_spread > 0 && limits.nodes < std::numeric_limits<uint64_t>::max()) {
            const double share = 1 + settings_.nodes_spread * (2 * random_.unit() - 1);
            limits.nodes = std::max<uint64_t>(1, static_cast<uint64_t>(static_cast<double>(limits.nodes) * share));
        }
        limits.lines = varies ? VARIETY_LINES : 1;
        limits.margin = settings_.variety_margin;
        return limits;
    }

    void add_move(const Thought& thought, std::size_t played) {
        RecordedMove move;
        move.index = static_cast<uint32_t>(played);
        if (thought.known) {
            const int64_t best = live_.actions().actions[thought.index];
            move.score = steps_.score(thought.value);
            move.flags = SCORED | (thought.proved ? PROVED : 0) | (played != thought.index ? EXPLORED : 0);
            if (!game_.is_noisy(live_.state(), best) && !game_.is_check(live_.state())) move.flags |= QUIET;
        }
        record_.moves.push_back(move);
    }

    bool finish(Ending ending, const std::vector<double>& utilities) {
        record_.ending = ending;
        record_.utilities = utilities;
        for (double& utility : record_.utilities)  // an expectation may be rounded to beyond the bounds
            utility = std::clamp(utility, game_.table().low, game_.table().high);
        playing_ = false;
        return false;
    }

    const SelfPlaySettings& settings_;
    SelfPlayProgress& progress_;
    const Game game_;
    std::unique_ptr<Thinker> thinker_;
    LiveGame live_;
    const ScoreSteps steps_;
    Random random_;
    GameRecord record_;
    std::vector<std::size_t> indices_;
    uint32_t opening_plies_ = 0;
    bool playing_ = false;
};

SelfPlay::SelfPlay(const zermelo_table& table, SelfPlaySettings settings)
    : table_(table), settings_(std::move(settings)), next_start_(settings_.first), next_number_(settings_.first) {
    settings_.check(table);
    for (unsigned i = 0; i < settings_.threads; ++i)
        playing_.push_back(std::make_unique<SelfPlayGame>(table_, settings_, progress_));
}

SelfPlay::~SelfPlay() = default;

std::optional<Bytes> SelfPlay::next_block(Watch& watch) {
    if (!stopped_ && !is_block_complete()) run(watch);
    return take_block();
}

// Plays on all threads until a block is complete, the watch stops, or a rule fails.
void SelfPlay::run(Watch& watch) {
    pause_ = false;
    std::vector<std::exception_ptr> failures(playing_.size());
    std::atomic<bool> stop = false;
    const auto guarded = [&](std::size_t thread, const auto& act) {
        try {
            act();
        } catch (...) {
            failures[thread] = std::current_exception();
            stop = pause_ = true;
        }
    };
    working_ = static_cast<unsigned>(playing_.size()) - 1;
    std::vector<std::thread> helpers = start_helpers(playing_.size(), [&](std::size_t thread) {
        Watch own([&] { return stop.load(std::memory_order_relaxed); });
        guarded(thread, [&] { work(thread, own); });
        const std::lock_guard lock(mutex_);
        --working_;
        finished_.notify_all();
    });
    {
        const std::lock_guard lock(mutex_);
        working_ -= static_cast<unsigned>(playing_.size() - 1 - helpers.size());
    }
    guarded(0, [&] {
        work(0, watch);
        for (std::size_t i = helpers.size() + 1; i < playing_.size(); ++i) work(i, watch);  // threads not granted
        wait(watch);
    });
    for (std::thread& helper : helpers) helper.join();
    try {
        rethrow_failures(failures);
    } catch (const Stopped&) {
        stopped_ = true;
    } catch (...) {
        stopped_ = true;
        throw;
    }
}

void SelfPlay::work(std::size_t thread, Watch& watch) {
    SelfPlayGame& game = *playing_[thread];
    const Stopwatch stopwatch(progress_.total_nanoseconds);
    while (!pause_.load(std::memory_order_relaxed)) {
        if (!game.is_playing() && !start_game(game)) return;
        watch.poll();
        while (!pause_.load(std::memory_order_relaxed))
            if (!game.advance(watch)) {
                finish_game(game.record());
                break;
            }
    }
}

// Lets the watch poll while only the helpers have games to play.
void SelfPlay::wait(Watch& watch) {
    std::unique_lock lock(mutex_);
    while (working_ > 0) {
        finished_.wait_for(lock, Watch::interval);
        lock.unlock();
        watch.poll();
        lock.lock();
    }
}

bool SelfPlay::start_game(SelfPlayGame& game) {
    uint64_t number;
    {
        const std::lock_guard lock(mutex_);
        if (next_start_ == settings_.first + settings_.games) return false;
        number = next_start_++;
    }
    game.begin(number);
    return true;
}

void SelfPlay::finish_game(const GameRecord& record) {
    const std::lock_guard lock(mutex_);
    complete_.emplace(record.number, record);
    progress_.games.fetch_add(1, std::memory_order_relaxed);
    if (is_block_complete()) pause_ = true;
}

// Whether all games up to the end of the next block are complete.
bool SelfPlay::is_block_complete() const {
    const uint64_t left = settings_.first + settings_.games - next_number_;
    const uint64_t wanted = std::min(settings_.block_games, left);
    if (complete_.size() < wanted) return false;
    uint64_t number = next_number_;
    for (auto game = complete_.begin(); number < next_number_ + wanted; ++game, ++number)
        if (game->first != number) return false;
    return true;
}

std::optional<Bytes> SelfPlay::take_block() {
    BlockWriter writer(table_);
    while (!complete_.empty() && (stopped_ || writer.games() < settings_.block_games)) {
        writer.add(complete_.begin()->second);
        next_number_ = complete_.begin()->first + 1;
        complete_.erase(complete_.begin());
    }
    if (writer.games() == 0) return std::nullopt;
    return writer.take();
}

}  // namespace zermelo
