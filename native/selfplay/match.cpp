#include "selfplay/match.hpp"

namespace zermelo {

void MatchSettings::check(const zermelo_table& first_table, const zermelo_table& second_table) const {
    const auto refuse = [](const char* why) { throw std::invalid_argument(why); };
    if (first_table.state_size != second_table.state_size || first_table.players != second_table.players ||
        first_table.low != second_table.low || first_table.high != second_table.high ||
        first_table.capabilities != second_table.capabilities || !first_table.chances != !second_table.chances)
        refuse("the players of a match search tables of one game");
    if (first_table.players != 2) refuse("a match takes a game of two players");
    check_playable(first_table, players[0]);
    check_playable(second_table, players[1]);
    opening.check();
    if (threads < 1) refuse("games need at least one thread");
    if (first + pairs < first) refuse("the numbers of these pairs are too large");
    if (starts[0].size() != starts[1].size()) refuse("both players start from as many states");
    if (longest_plies < 1) refuse("a game has at least one ply");
    if (occurrences < 2) refuse("a repetition takes at least two occurrences");
}

// One pair after another, a move at a time.
class MatchTable {
public:
    using Result = MatchPair;

    MatchTable(const std::array<const zermelo_table*, 2>& tables, const MatchSettings& settings,
               GamesProgress& progress)
        : settings_(settings), progress_(progress),
          seats_{Seat(*tables[0], settings, 0), Seat(*tables[1], settings, 1)}, live_(seats_[0].live), dice_(0) {
        if (settings_.opening_nodes == 0) return;
        judge_ = Thinker::make(*tables[0], {.nodes = settings_.opening_nodes}, settings_.tables[0]);
    }

    bool is_playing() const { return playing_; }
    const MatchPair& result() const { return pair_; }

    void begin(uint64_t number) {
        pair_ = {};
        pair_.number = number;
        for (std::size_t p = 0; p < 2; ++p) {
            const std::vector<StateBuffer>& starts = settings_.starts[p];
            seats_[p].start = (starts.empty() ? settings_.initial[p] : starts[number % starts.size()]).data();
        }
        seed_ = mix(settings_.seed, number);
        has_opening_ = false;
        playing_ = true;
    }

    bool advance(Watch& watch) {
        if (!has_opening_) {
            find_opening(watch);
            begin_game(0);
            return true;
        }
        if (live_.is_over()) return finish_game(live_.ending(), live_.utilities());
        if (live_.plies() >= settings_.longest_plies)
            return finish_game(Ending::length, std::vector<double>(2, table().neutral));
        if (live_.mover() == ZERMELO_CHANCE) {
            play(live_.draw_action(dice_));
            return true;
        }
        const std::size_t player = static_cast<std::size_t>(live_.mover()) ^ swapped_;
        const PlayerSettings& limits = settings_.players[player];
        Seat& seat = seats_[player];
        const Thought& thought =
            think(*seat.thinker, seat.live, {limits.nodes, limits.simulations, limits.seconds}, watch);
        const bool won = thought.proved && thought.value >= table().high && !table().chances;
        play(thought.index);
        if (won && settings_.ends_won && !live_.is_over()) return finish_game(Ending::proof, thought.utilities);
        return true;
    }

private:
    static constexpr int OPENINGS_PER_PAIR = 20;  // tried before one whose result is proved is taken

    // A player, and the game as its table sees it.
    struct Seat {
        Seat(const zermelo_table& table, const MatchSettings& settings, std::size_t player)
            : game(table), thinker(Thinker::make(table, settings.players[player], settings.tables[player])),
              live(game, settings.occurrences, thinker->needs_states(), settings.tables[player]) {}

        const Game game;
        std::unique_ptr<Thinker> thinker;
        LiveGame live;
        const std::byte* start = nullptr;
    };

    const zermelo_table& table() const { return seats_[0].game.table(); }

    void play(std::size_t index) {
        for (Seat& seat : seats_) seat.live.play(index);
    }

    const Thought& think(Thinker& thinker, LiveGame& live, const ThinkLimits& limits, Watch& watch) {
        const Stopwatch stopwatch(progress_.search_nanoseconds);
        const Thought& thought = thinker.think(live, limits, watch);
        progress_.positions.fetch_add(1, std::memory_order_relaxed);
        progress_.nodes.fetch_add(thought.nodes, std::memory_order_relaxed);
        return thought;
    }

    void find_opening(Watch& watch) {
        Random random(seed_);
        for (int tried = 0; tried < OPENINGS_PER_PAIR; ++tried) {
            play_opening(live_, seats_[0].start, settings_.opening.draw_plies(random), random, opening_);
            if (!judge_ || live_.is_over()) break;
            judge_->clear();
            if (!think(*judge_, live_, {settings_.opening_nodes}, watch).proved) break;
        }
        has_opening_ = true;
    }

    void begin_game(std::size_t which) {
        swapped_ = which;
        dice_ = Random(splitmix(seed_));
        for (Seat& seat : seats_) {
            seat.thinker->clear();
            seat.live.begin(seat.start);
        }
        for (const std::size_t index : opening_) play(index);
    }

    // Notes the result; false after the second game of the pair.
    bool finish_game(Ending ending, const std::vector<double>& utilities) {
        MatchGame& game = pair_.games[swapped_];
        game = {{utilities[swapped_], utilities[1 - swapped_]}, ending, live_.plies()};
        if (swapped_ == 0) begin_game(1);
        else playing_ = false;
        return playing_;
    }

    const MatchSettings& settings_;
    GamesProgress& progress_;
    std::array<Seat, 2> seats_;
    LiveGame& live_;                  // of the first player: it tells when a game is over
    std::unique_ptr<Thinker> judge_;  // of openings
    Random dice_;
    uint64_t seed_ = 0;
    std::vector<std::size_t> opening_;
    bool has_opening_ = false;
    std::size_t swapped_ = 0;  // 1 in the second game of a pair: the first player has the second seat
    MatchPair pair_;
    bool playing_ = false;
};

Match::Match(const zermelo_table& first_table, const zermelo_table& second_table, MatchSettings settings)
    : settings_(std::move(settings)) {
    settings_.check(first_table, second_table);
    pairs_ = std::make_unique<OrderedGames<MatchTable>>(settings_.first, settings_.pairs, progress_);
    for (unsigned i = 0; i < settings_.threads; ++i)
        pairs_->add_table(std::make_unique<MatchTable>(std::array{&first_table, &second_table}, settings_, progress_));
}

Match::~Match() = default;

bool Match::stopped() const { return pairs_->stopped(); }

std::vector<MatchPair> Match::next_pairs(Watch& watch) {
    pairs_->play(1, watch);
    return pairs_->take(std::numeric_limits<uint64_t>::max());
}

}  // namespace zermelo
