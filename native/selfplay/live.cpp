#include "selfplay/live.hpp"

#include "search/playout.hpp"

namespace zermelo {
namespace {

constexpr uint64_t REPETITION_RULES =
    ZERMELO_REPETITION_DRAW | ZERMELO_REPETITION_FORBIDDEN | ZERMELO_REPETITION_LOSES | ZERMELO_REPETITION_PERPETUAL;

}  // namespace

LiveGame::LiveGame(const Game& game, unsigned occurrences, bool keep_states, const Tables* tables)
    : game_(game), occurrences_(occurrences), keeps_states_(keep_states), tables_(tables),
      repetition_(game.table().capabilities & REPETITION_RULES), states_{game.buffer(), game.buffer()},
      child_(game.buffer()) {}

void LiveGame::begin(const std::byte* start) {
    turn_ = 0;
    std::byte* state = states_[0].data();
    std::memcpy(state, start, game_.state_size());
    game_.info(state, position_);
    plies_ = 0;
    earlier_.clear();
    history_.clear();
    if (position_.mover >= 0) game_.actions(state, list_);
    arrive();
}

void LiveGame::play(std::size_t index) {
    const int64_t action = list_.actions[index];
    if (keeps_states_) {
        history_.push_back(game_.buffer());
        std::memcpy(history_.back().data(), state(), game_.state_size());
    }
    if (repetition_) {
        earlier_.push_back(here_);
        if (game_.is_irreversible(state(), action)) earlier_.clear();
    }
    game_.enter(state(), action, states_[1 - turn_].data(), position_, list_);
    turn_ = 1 - turn_;
    ++plies_;
    arrive();
}

// Completes what `step` told about the current position.
void LiveGame::arrive() {
    over_ = position_.terminal();
    if (over_) {
        game_.check_end(state(), position_);
        ending_ = Ending::rules;
        utilities_.assign(position_.utilities.begin(), position_.utilities.begin() + game_.players());
        list_.count = 0;
        return;
    }
    if (position_.chance()) game_.chances(state(), list_);
    if (list_.count == 0) game_.check("actions", state(), 0, ZERMELO_BREACH);
    if (!repetition_) return;
    here_ = {recurrence(state()), 0, position_.mover,
             (repetition_ & ZERMELO_REPETITION_PERPETUAL) && game_.is_check(state()), history_.size()};
    if (tables_) here_.distance = tables_->least_distance(game_, state());
    here_.occurrence = earlier_occurrences(here_.key) + 1;
    if (here_.occurrence >= occurrences_) end_by_repetition();
}

TableKey LiveGame::recurrence(const std::byte* state) const {
    return recurrence_of(game_, state, key_of(game_, state));
}

unsigned LiveGame::earlier_occurrences(const TableKey& key) const {
    for (auto position = earlier_.rbegin(); position != earlier_.rend(); ++position)
        if (position->key == key) return position->occurrence;
    return 0;
}

void LiveGame::end_by_repetition() {
    const zermelo_table& table = game_.table();
    int32_t loser = -1;
    if (repetition_ & ZERMELO_REPETITION_LOSES) loser = earlier_.back().mover;
    if (repetition_ & ZERMELO_REPETITION_PERPETUAL)
        find_past([&](const Earlier& position, const CheckRun& since) {
            if (position.key == here_.key) loser = since.checker();
        });
    over_ = true;
    ending_ = Ending::repetition;
    utilities_.assign(players(), loser < 0 ? table.neutral : table.high);
    if (loser >= 0) utilities_[static_cast<std::size_t>(loser)] = table.low;
    list_.count = 0;
}

// Calls `take` with the last occurrence of each position whose return would count, and the moves since.
template <typename Take>
void LiveGame::find_past(const Take& take) const {
    CheckRun since;
    bool check = here_.check;
    for (auto position = earlier_.rbegin(); position != earlier_.rend(); ++position) {
        if (repetition_ & ZERMELO_REPETITION_PERPETUAL) since.add(position->mover, check);
        if (position->occurrence + 1 == occurrences_) take(*position, since);
        check = position->check;
    }
}

const std::vector<PastPosition>& LiveGame::past() {
    past_.clear();
    find_past([&](const Earlier& position, const CheckRun& since) {
        past_.push_back({position.key, since, position.distance});
    });
    return past_;
}

std::vector<std::pair<StateBuffer, CheckRun>> LiveGame::past_states() {
    std::vector<std::pair<StateBuffer, CheckRun>> states;
    find_past(
        [&](const Earlier& position, const CheckRun& since) { states.emplace_back(history_[position.ply], since); });
    return states;
}

bool LiveGame::is_allowed(std::size_t index) {
    if (!(repetition_ & ZERMELO_REPETITION_FORBIDDEN)) return true;
    Position position;
    game_.step(state(), list_.actions[index], child_.data(), position);
    const TableKey key = recurrence(child_.data());
    const unsigned occurrences = key == here_.key ? here_.occurrence : earlier_occurrences(key);
    return position.terminal() || occurrences + 1 < occurrences_;
}

std::size_t LiveGame::draw_action(Random& random) {
    if (position_.chance()) return draw(list_, random);
    if (!(repetition_ & ZERMELO_REPETITION_FORBIDDEN)) return random.below(list_.count);
    allowed_.clear();
    for (std::size_t i = 0; i < list_.count; ++i)
        if (is_allowed(i)) allowed_.push_back(i);
    if (allowed_.empty()) game_.check("repetition", state(), 0, ZERMELO_BREACH);
    return allowed_[random.below(allowed_.size())];
}

}  // namespace zermelo
