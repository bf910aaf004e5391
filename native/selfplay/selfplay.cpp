#include "selfplay/selfplay.hpp"

namespace zermelo {

void SelfPlaySettings::check(const zermelo_table& table) const {
    const auto refuse = [](const char* why) { throw std::invalid_argument(why); };
    check_playable(table, player);
    opening.check();
    exploration.check();
    if (exploration.explores() && player.method != PlayMethod::mcts)
        refuse("noise and visits are those of Monte Carlo tree search");
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
class SelfPlayTable {
public:
    using Result = GameRecord;

    SelfPlayTable(const zermelo_table& table, const SelfPlaySettings& settings, GamesProgress& progress)
        : settings_(settings), progress_(progress), game_(table),
          thinker_(Thinker::make(table, settings.player, settings.tables)),
          live_(game_, settings.occurrences, thinker_->needs_states(), settings.tables), steps_(table.low, table.high),
          random_(0) {}

    bool is_playing() const { return playing_; }
    const GameRecord& result() const { return record_; }

    void begin(uint64_t number) {
        random_ = Random(mix(settings_.seed, number));
        const bool given = !settings_.starts.empty();
        const std::byte* start =
            (given ? settings_.starts[number % settings_.starts.size()] : settings_.initial).data();
        play_opening(live_, start, settings_.opening.draw_plies(random_), random_, indices_);
        thinker_->clear();
        record_.number = number;
        record_.moves.clear();
        record_.visits.clear();
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
        const bool full = is_full();
        const Thought& thought = think(varies, full, watch);
        progress_.positions.fetch_add(1, std::memory_order_relaxed);
        progress_.nodes.fetch_add(thought.nodes, std::memory_order_relaxed);
        const bool ends = thought.proved && settings_.ends_proved;
        std::size_t played = thought.index;
        if (varies && !ends && !thought.close.empty()) played = thought.close[random_.below(thought.close.size())];
        if (!ends && live_.plies() - opening_plies_ < settings_.exploration.drawn_plies)
            played = draw_visited(thought.visits, played, random_);
        add_move(thought, played, full);
        live_.play(played);
        if (ends && !live_.is_over()) return finish(Ending::proof, thought.utilities);
        return true;
    }

private:
    static constexpr unsigned VARIETY_LINES = 4;  // actions that get a value where variety is wanted

    bool draws_variety() {
        return live_.plies() - opening_plies_ < settings_.variety_plies && random_.unit() < settings_.variety_chance;
    }

    bool is_full() {
        const double share = settings_.exploration.full_share;
        return share == 1 || random_.unit() < share;
    }

    const Thought& think(bool varies, bool full, Watch& watch) {
        const Stopwatch stopwatch(progress_.search_nanoseconds);
        return thinker_->think(live_, limits(varies, full), watch);
    }

    ThinkLimits limits(bool varies, bool full) {
        const ExplorationSettings& exploration = settings_.exploration;
        ThinkLimits limits;
        limits.nodes = settings_.player.nodes;
        limits.simulations = settings_.player.simulations;
        limits.seconds = settings_.player.seconds;
        if (!full) shorten(limits, exploration.quick_part);
        if (full && exploration.noise > 0) {
            limits.noise = draw_noise(live_.actions().count, exploration.noise, random_);
            limits.noise_share = exploration.noise_share;
        }
        if (settings_.nodes_spread > 0 && limits.nodes < std::numeric_limits<uint64_t>::max()) {
            const double share = 1 + settings_.nodes_spread * (2 * random_.unit() - 1);
            limits.nodes = std::max<uint64_t>(1, static_cast<uint64_t>(static_cast<double>(limits.nodes) * share));
        }
        if (settings_.ending_nodes > 0 && game_.stage(live_.state()) >= settings_.ending_stage)
            limits.nodes = std::max(limits.nodes, settings_.ending_nodes);
        limits.lines = varies ? VARIETY_LINES : 1;
        limits.margin = settings_.variety_margin;
        return limits;
    }

    static void shorten(ThinkLimits& limits, double part) {
        for (uint64_t* limit : {&limits.nodes, &limits.simulations})
            if (*limit < std::numeric_limits<uint64_t>::max())
                *limit = std::max<uint64_t>(1, static_cast<uint64_t>(static_cast<double>(*limit) * part));
        if (limits.seconds >= 0) limits.seconds *= part;
    }

    void add_move(const Thought& thought, std::size_t played, bool full) {
        RecordedMove move;
        move.index = static_cast<uint32_t>(played);
        if (thought.known) {
            const int64_t best = live_.actions().actions[thought.index];
            move.score = steps_.score(thought.value);
            move.flags = SCORED | (thought.proved ? PROVED : 0) | (played != thought.index ? EXPLORED : 0);
            if (!game_.is_noisy(live_.state(), best) && !game_.is_check(live_.state())) move.flags |= QUIET;
        }
        if (settings_.exploration.visits && full) {
            const std::vector<VisitShare> shares = share_visits(thought.visits);
            move.shares = static_cast<uint32_t>(shares.size());
            record_.visits.insert(record_.visits.end(), shares.begin(), shares.end());
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
    GamesProgress& progress_;
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
    : table_(table), settings_(std::move(settings)) {
    settings_.check(table);
    const auto make = [this](const zermelo_table& rules) {
        return std::make_unique<SelfPlayTable>(rules, settings_, progress_);
    };
    if (settings_.judged) {
        auto games = std::make_unique<JudgedGames<SelfPlayTable>>(settings_.first, settings_.games, progress_,
                                                                  *settings_.judged, settings_.threads);
        games->add_tables(table_, make);
        games_ = std::move(games);
    } else {
        auto games = std::make_unique<OrderedGames<SelfPlayTable>>(settings_.first, settings_.games, progress_);
        for (unsigned i = 0; i < settings_.threads; ++i) games->add_table(make(table_));
        games_ = std::move(games);
    }
}

SelfPlay::~SelfPlay() = default;

bool SelfPlay::stopped() const { return games_->stopped(); }

std::optional<Bytes> SelfPlay::next_block(Watch& watch) {
    games_->play(settings_.block_games, watch);
    BlockWriter writer(table_);
    for (const GameRecord& record : games_->take(settings_.block_games)) writer.add(record);
    if (writer.games() == 0) return std::nullopt;
    return writer.take();
}

}  // namespace zermelo
