// Endgame tables in a search: a position that they decide is settled, as an end of the game is; at the root they say how to win.
#include <cstring>
#include <limits>
#include <tuple>

#include "search/mcts/search.hpp"

namespace zermelo {
namespace {

constexpr auto RELAXED = std::memory_order_relaxed;

}  // namespace

// Whether endgame tables know the position at the end of the path; if so, `utilities` holds its value, which is proved if no
// count of moves and no earlier position of the game can stand on the way to a win. Where they call the root drawn, draws are
// searched: for the move that asks most of the other side.
bool MctsSimulator::take_known(MctsNode& node) {
    Verdict verdict;
    if (!shared_.tables || position_.mover < 0 || !shared_.tables->probe(game_, state_, verdict)) return false;
    if (verdict.result == 0 && !shared_.probe_draws) return false;
    if (shared_.way_down.leads_through(verdict, position_.mover)) return false;
    ++probed_;
    const double utility = verdict.result == 0 ? table_.neutral : verdict.result > 0 ? table_.high : table_.low;
    position_.utilities[static_cast<std::size_t>(position_.mover)] = utility;
    position_.utilities[static_cast<std::size_t>(1 - position_.mover)] = 2 * table_.neutral - utility;
    const bool certain = verdict.result == 0 ||
                         (verdict.distance <= shared_.past_distance && verdict.distance <= game_.plies_left(state_));
    if (solver_ && certain) {
        node.lower.store(position_.utilities[0], RELAXED);
        node.upper.store(position_.utilities[0], RELAXED);
    }
    return true;
}

// What the tables say of the root, and of the positions before it that count as repeated. A tree that was grown under other
// conditions has proofs that hold no longer.
void MctsSearch::consult(const MctsTask& task, MctsShared& shared) {
    if (!tables_) return;
    const zermelo_table& table = game_.table();
    Verdict verdict;
    shared.tables = tables_;
    if (shared.root_mover >= 0 && tables_->probe(game_, task.root, verdict)) {
        shared.probe_draws = verdict.result != 0;
        shared.way_down = WayDown(verdict, shared.root_mover);
    }
    const Verdict root = verdict;
    for (const auto& [state, since] : task.repeated)
        shared.past_distance = std::min(shared.past_distance, tables_->least_distance(game_, state.data()));
    if (!shared.probe_draws) shared.told = table.neutral;
    else if (shared.way_down.winner >= 0 && root.distance <= shared.past_distance &&
             root.distance <= game_.plies_left(task.root))
        shared.told = root.result > 0 ? table.high : table.low;
    const std::tuple conditions{shared.probe_draws, shared.past_distance, shared.way_down};
    if (std::exchange(conditions_, conditions) != conditions) planted_ = false;
}

// Whether the search likes an action of the root better than another one: a proof first, then visits.
bool MctsSearch::is_preferred(int32_t mover, std::size_t place, std::size_t other) const {
    const uint32_t first = tree_[MctsTree::ROOT].first.load(RELAXED);
    const auto rank = [&](std::size_t each) {
        const MctsAction action = describe(first + static_cast<uint32_t>(each), mover);
        return std::pair{action.lower, action.visits};
    };
    return rank(place) > rank(other);
}

// The place of the root's action with the quickest win or the slowest loss, among those that are open; nothing where the tables
// do not decide the root. Proofs alone do not tell apart the winning moves, some of which lead nowhere. Where tables do not tell
// them apart either, the search does.
std::optional<std::size_t> MctsSearch::decided(const MctsShared& shared) const {
    Verdict verdict;
    if (!tables_ || !tables_->probe(game_, root_.data(), verdict) || verdict.result == 0) return std::nullopt;
    const MctsNode& root = tree_[MctsTree::ROOT];
    const uint32_t first = root.first.load(RELAXED);
    StateBuffer below = game_.buffer();
    Position position;
    std::optional<std::size_t> best;
    int32_t most = std::numeric_limits<int32_t>::min();
    for (const auto& [action, behind] : tables_->children(game_, root_.data())) {
        std::size_t place = 0;
        while (place < root.count && tree_[first + static_cast<uint32_t>(place)].action != action) ++place;
        if (place == root.count || tree_[first + static_cast<uint32_t>(place)].closed.load(RELAXED)) continue;
        game_.step(root_.data(), action, below.data(), position);
        const bool repeats = shared.history.contains(game_.recurrence(below.data()));
        if (!behind && !repeats) continue;
        const int32_t worth = repeats ? 0 : behind->worth();
        if (worth > most ||
            (worth == most && shared.way_down.winner >= 0 && is_preferred(shared.root_mover, place, *best)))
            most = worth, best = place;
    }
    return best;
}

}  // namespace zermelo
