#include "search/mcts/simulator.hpp"

#include <cmath>

#include "search/playout.hpp"

namespace zermelo {
namespace {

constexpr auto RELAXED = std::memory_order_relaxed;
constexpr std::size_t STOP_CHECK_PLIES = 4096;  // plies of a playout between two checks of the stop flag

}  // namespace

MctsSimulator::MctsSimulator(const Game& game, MctsShared& shared, uint64_t seed, bool alone, bool batched)
    : game_(game), table_(game.table()), shared_(shared), tree_(shared.tree), settings_(shared.settings), alone_(alone),
      virtual_(!alone || batched), judged_(has_judge(table_, settings_) && !batched),
      lazy_(judged_ && settings_.judged_from > 0), solver_(has_solver(table_, settings_)),
      opposed_(table_.players == 2 && (table_.capabilities & ZERMELO_CONSTANT_SUM)),
      bounded_(std::isfinite(table_.high - table_.low)), repetition_counts_(heeds_repetition(table_)),
      chances_(table_.chances != nullptr), hidden_(shared.worlds != nullptr), random_(seed), word_(seed),
      trails_(static_cast<std::size_t>(table_.players)), last_sets_(trails_.size()),
      buffers_{game.buffer(), game.buffer()}, root_sums_(static_cast<std::size_t>(table_.players)) {}

void MctsSimulator::expand_root(const MctsEvaluator* evaluator) {
    MctsNode& root = tree_[MctsTree::ROOT];
    root.mover.store(static_cast<int8_t>(shared_.root_mover), RELAXED);
    if (root.first.load(RELAXED) <= MctsTree::BUSY) {
        root.first.store(MctsTree::NOTHING, RELAXED);
        std::vector<double> priors;
        if (shared_.root_mover >= 0) {
            game_.actions(shared_.root, list_);
            if (evaluator) {
                MctsQuestion question = ask(shared_.root, shared_.root_mover);
                (*evaluator)(std::span(&question, 1));
                priors = std::move(question.priors);
            } else if (judged_) {
                priors.resize(list_.count);
                game_.policy(shared_.root, list_.actions.data(), list_.count, priors.data(),
                             position_.utilities.data());
            }
        }
        if (!expand(MctsTree::ROOT, shared_.root, priors))
            throw std::invalid_argument("the tree has no room for the first position's actions: give it more memory");
    }
    if (shared_.worlds) plant_root();
}

void MctsSimulator::begin() {
    child_sums_.assign(tree_[MctsTree::ROOT].count * static_cast<std::size_t>(table_.players), 0);
    child_visits_.assign(tree_[MctsTree::ROOT].count, 0);
}

void MctsSimulator::simulate() {
    played_count_ = 0;
    if (judged_ && !lazy_ && !shared_.worlds) return simulate_judged();
    if ((shared_.worlds ? descend_world() : descend(false)) == Arrival::leaf) playout();
    if (shared_.worlds) back_up_world();
    else back_up();
}

// Descends the tree to a position whose value is known (`utilities` holds it) or that is new. With an evaluator, a
// position without children is new: positions are evaluated before they are expanded.
MctsSimulator::Arrival MctsSimulator::descend(bool with_evaluator) {
    path_.assign(1, MctsTree::ROOT);
    keys_.assign(1, shared_.root_key);
    irreversible_.assign(1, 0);
    checks_.assign(1, 0);
    banned_ = false;
    state_ = shared_.root;
    for (uint32_t at = MctsTree::ROOT;;) {
        if (lazy_) judge_visited(at);
        const uint32_t child = choose(at);
        if (child == MctsTree::NOTHING) {  // all children are settled, or closed by the repetition rule
            if (solver_) tighten(tree_[at]);
            if (!take_proved(tree_[at])) game_.check("repetition", state_, 0, ZERMELO_BREACH);
            return Arrival::ended;
        }
        tree_.prefetch_children(tree_[child]);
        std::byte* below = buffers_[state_ == buffers_[0].data()].data();
        if (!enter_child(at, child, state_, below)) continue;
        path_.push_back(child);
        state_ = below;
        MctsNode& node = tree_[child];
        if (virtual_) add_to<uint16_t>(node.pending, 1, alone_);
        if (take_settled(child)) return Arrival::ended;
        at = child;
        if (node.first.load(std::memory_order_acquire) > MctsTree::BUSY) continue;
        if (with_evaluator && !position_.chance()) {
            uint32_t nothing = MctsTree::NOTHING;
            return node.first.compare_exchange_strong(nothing, MctsTree::BUSY) ? Arrival::leaf : Arrival::busy;
        }
        if (!with_evaluator && node.visits.load(RELAXED) == 0) return Arrival::leaf;
        if (expand(child, state_, {})) continue;
        if (!with_evaluator) return Arrival::leaf;
        estimate_here();
        return Arrival::ended;
    }
}

// Steps to `child`; false if the repetition rule forbids it.
bool MctsSimulator::enter_child(uint32_t at, uint32_t child, const std::byte* state, std::byte* below) {
    MctsNode& node = tree_[child];
    if (node.first.load(RELAXED) <= MctsTree::BUSY) game_.enter(state, node.action, below, position_, list_);
    else game_.step(state, node.action, below, position_);
    ++nodes_;
    const bool unseen = node.mover.load(RELAXED) == MctsNode::UNSEEN;
    if (repetition_counts_ && !position_.terminal()) {
        keys_.resize(path_.size());
        irreversible_.resize(path_.size());
        const uint64_t key = game_.recurrence(below);
        keys_.push_back(key);
        irreversible_.push_back(game_.is_irreversible(state, node.action));
        checks_.resize(path_.size());
        checks_.push_back((table_.capabilities & ZERMELO_REPETITION_PERPETUAL) && game_.is_check(below));
        if (unseen && repeats(key)) {
            if ((table_.capabilities & ZERMELO_REPETITION_FORBIDDEN) && tree_[at].mover.load(RELAXED) >= 0) {
                node.closed.store(MctsNode::FORBIDDEN, RELAXED);
                banned_ = true;
                return false;
            }
            node.mover.store(MctsNode::REPEATED, RELAXED);
        }
    }
    if (node.mover.load(RELAXED) == MctsNode::UNSEEN) node.mover.store(static_cast<int8_t>(position_.mover), RELAXED);
    return true;
}

// Whether `key`, the last of the path, occurred before, in the tree or in the game so far.
bool MctsSimulator::repeats(uint64_t key) const {
    for (std::size_t i = keys_.size() - 1; i > 0; --i) {
        if (irreversible_[i]) return false;
        if (keys_[i - 1] == key) return true;
    }
    return shared_.history.contains(key);
}

// The player who loses because the position at the end of the path is repeated; -1 for a draw.
int32_t MctsSimulator::repetition_loser() const {
    if (table_.capabilities & ZERMELO_REPETITION_LOSES) return tree_[path_[path_.size() - 2]].mover.load(RELAXED);
    if (!(table_.capabilities & ZERMELO_REPETITION_PERPETUAL)) return -1;
    const uint64_t key = keys_.back();
    CheckRun since;
    for (std::size_t i = keys_.size() - 1; i > 0; --i) {
        const int32_t mover = tree_[path_[i - 1]].mover.load(RELAXED);
        if (mover >= 0) since.add(mover, checks_[i]);
        if (keys_[i - 1] == key) return since.checker();
    }
    if (const auto past = shared_.history.find(key); past != shared_.history.end()) since.add(past->second);
    return since.checker();
}

// Whether the value of the position at the end of the path is known; if so, `utilities` holds it.
bool MctsSimulator::take_settled(uint32_t index) {
    MctsNode& node = tree_[index];
    if (node.mover.load(RELAXED) == MctsNode::REPEATED) {
        const int32_t loser = repetition_loser();
        for (int32_t p = 0; p < table_.players; ++p)
            position_.utilities[p] = loser < 0 ? table_.neutral : p == loser ? table_.low : table_.high;
    } else if (!position_.terminal()) {
        return take_proved(node) || take_known(node);
    } else {
        game_.check_end(state_, position_);
    }
    if (solver_) {
        node.lower.store(position_.utilities[0], RELAXED);
        node.upper.store(position_.utilities[0], RELAXED);
    }
    return true;
}

// The bounds of an average may cross by rounding: then, too, there is nothing left to prove.
bool MctsSimulator::is_proved(const MctsNode& node) const {
    return solver_ && node.lower.load(RELAXED) >= node.upper.load(RELAXED);
}

bool MctsSimulator::take_proved(const MctsNode& node) {
    if (!is_proved(node)) return false;
    position_.utilities[0] = node.lower.load(RELAXED);
    position_.utilities[1] = 2 * table_.neutral - position_.utilities[0];
    return true;
}

double MctsSimulator::span() const {
    if (bounded_) return table_.high - table_.low;
    const double seen = shared_.most.load(RELAXED) - shared_.least.load(RELAXED);
    return seen > 0 ? seen : 1;
}

void MctsSimulator::note_range() {
    for (int32_t p = 0; p < table_.players; ++p) {
        lower(shared_.least, position_.utilities[p]);
        raise(shared_.most, position_.utilities[p]);
    }
}

// A playout from the end of the path: uniformly random, by the best estimates, or by the game's own policy.
void MctsSimulator::playout() {
    played_count_ = 0;
    if (settings_.own_playouts && table_.playout) {
        if (played_.empty()) played_.resize(1024), movers_.resize(1024);
        uint64_t count = 0;
        game_.check("playout", state_, 0,
                    table_.playout(table_.context, state_, &word_, position_.utilities.data(), played_.data(),
                                   movers_.data(), played_.size(), &count));
        played_count_ = std::min<uint64_t>(count, played_.size());
        nodes_ += count;
        return;
    }
    const bool noted = settings_.rave > 0;
    for (uint64_t plies = 0; !position_.terminal(); ++plies) {
        if (plies >= settings_.plies) return estimate_here();
        if (plies % STOP_CHECK_PLIES == STOP_CHECK_PLIES - 1 && shared_.stop.load(RELAXED)) return estimate_here();
        std::size_t chosen;
        if (position_.chance()) [[unlikely]] {
            game_.chances(state_, list_);
            chosen = draw(list_, random_);
        } else if (settings_.greedy_playouts) {
            chosen = best_estimate();
        } else {
            chosen = random_.below(list_.count);
        }
        if (list_.count == 0) [[unlikely]]
            game_.check("actions", state_, 0, ZERMELO_BREACH);
        const int64_t action = list_.actions[chosen];
        if (noted) {
            if (played_.size() <= played_count_) played_.resize(2 * played_count_ + 64), movers_.resize(played_.size());
            played_[played_count_] = action;
            movers_[played_count_++] = position_.mover;
        }
        std::byte* below = buffers_[state_ == buffers_[0].data()].data();
        const bool counted = settings_.greedy_playouts && !position_.chance();  // counted with its siblings
        game_.enter(state_, action, below, position_, list_);
        state_ = below;
        nodes_ += !counted;
    }
    game_.check_end(state_, position_);
}

// The action whose result has the greatest utility or estimate for the mover; the first of equals.
std::size_t MctsSimulator::best_estimate() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::byte* below = buffers_[state_ == buffers_[0].data()].data();
    game_.frontier(state_, list_, position_.mover, -infinity, infinity, below, scratch_, frontier_);
    nodes_ += list_.count;
    const auto values = frontier_.values.begin();
    return static_cast<std::size_t>(std::max_element(values, values + static_cast<std::ptrdiff_t>(list_.count)) -
                                    values);
}

// Uses the game's estimate in place of a terminal utility.
void MctsSimulator::estimate_here() {
    for (int32_t p = 0; p < table_.players; ++p) position_.utilities[p] = game_.evaluate(state_, p);
}

// Backs up the utilities at the end of the path to every position on it. Without chance they are clamped to the proved
// bounds of each position, since a proof outweighs the simulation. With chance, that would bias the mean.
void MctsSimulator::back_up() {
    std::array<double, MAX_PLAYERS>& utilities = position_.utilities;
    if (!bounded_) note_range();
    if (settings_.rave > 0) update_amaf(utilities);
    bool news = is_proved(tree_[path_.back()]);
    for (std::size_t i = path_.size(); i-- > 0;) {
        MctsNode& node = tree_[path_[i]];
        if (solver_) {
            if (i + 1 < path_.size() && (news || banned_)) news = tighten(node);
            if (!chances_) {
                utilities[0] = std::max(std::min(utilities[0], node.upper.load(RELAXED)), node.lower.load(RELAXED));
                utilities[1] = 2 * table_.neutral - utilities[0];
            }
        }
        const int32_t before = i > 0 ? tree_[path_[i - 1]].mover.load(RELAXED) : shared_.root_mover;
        add_to(node.sum, utilities[static_cast<std::size_t>(std::max(before, 0))], alone_);
        add_to<uint32_t>(node.visits, 1, alone_);
        if (virtual_ && i > 0) add_to<uint16_t>(node.pending, static_cast<uint16_t>(-1), alone_);
        if (i == 1) add_to_child(path_[1] - tree_[MctsTree::ROOT].first.load(RELAXED));
    }
    for (std::size_t p = 0; p < root_sums_.size(); ++p) root_sums_[p] += utilities[p];
    ++simulations_;
}

// Accumulates every player's utilities for the root's child at `place`: nodes store those of one player only.
void MctsSimulator::add_to_child(std::size_t place) {
    const std::size_t players = root_sums_.size();
    for (std::size_t p = 0; p < players; ++p) child_sums_[place * players + p] += position_.utilities[p];
    ++child_visits_[place];
}

// Undoes the virtual losses of an abandoned path.
void MctsSimulator::leave_path() {
    for (std::size_t i = 1; i < path_.size(); ++i)
        add_to<uint16_t>(tree_[path_[i]].pending, static_cast<uint16_t>(-1), alone_);
}

// All moves as first: an action that a player chose later in the game is credited to the same action in every position
// on the path in which it was available.
void MctsSimulator::update_amaf(std::span<const double> utilities) {
    moments_.clear();
    uint32_t moment = 0;
    for (std::size_t i = 0; i + 1 < path_.size(); ++i, ++moment)
        moments_.add(tree_[path_[i]].mover.load(RELAXED), tree_[path_[i + 1]].action, moment);
    for (std::size_t i = 0; i < played_count_; ++i, ++moment) moments_.add(movers_[i], played_[i], moment);
    for (uint32_t i = 0; i + 1 < path_.size(); ++i) {
        const MctsNode& node = tree_[path_[i]];
        const int32_t mover = node.mover.load(RELAXED);
        if (mover < 0) continue;
        const uint32_t first = node.first.load(RELAXED);
        for (uint32_t child = first; child < first + node.count; ++child) {
            if (!moments_.since(mover, tree_[child].action, i)) continue;
            add_to(tree_.amaf(child).sum, utilities[static_cast<std::size_t>(mover)], alone_);
            add_to(tree_.amaf(child).weight, 1.0, alone_);
        }
    }
}

bool MctsSimulator::raise(std::atomic<double>& bound, double to) {
    double now = bound.load(RELAXED);
    while (to > now)
        if (bound.compare_exchange_weak(now, to, RELAXED)) return true;
    return false;
}

bool MctsSimulator::lower(std::atomic<double>& bound, double to) {
    double now = bound.load(RELAXED);
    while (to < now)
        if (bound.compare_exchange_weak(now, to, RELAXED)) return true;
    return false;
}

// Computes the bounds of a position from those of its children; returns whether they have tightened.
bool MctsSimulator::tighten(MctsNode& node) {
    const int32_t mover = node.mover.load(RELAXED);
    const uint32_t first = node.first.load(std::memory_order_acquire);
    double low = mover == 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    double high = low;
    if (mover == ZERMELO_CHANCE) low = high = 0;
    bool any = false;
    for (uint32_t child = first; child < first + node.count; ++child) {
        const MctsNode& below = tree_[child];
        if (below.closed.load(RELAXED)) continue;
        any = true;
        const double least = below.lower.load(RELAXED), most = below.upper.load(RELAXED);
        if (mover == ZERMELO_CHANCE) {
            low += tree_.prior(child) * least;
            high += tree_.prior(child) * most;
        } else {
            low = mover == 0 ? std::max(low, least) : std::min(low, least);
            high = mover == 0 ? std::max(high, most) : std::min(high, most);
        }
    }
    if (!any || std::isnan(low) || std::isnan(high)) return false;
    const bool raised = raise(node.lower, low);
    return lower(node.upper, high) || raised;
}

}  // namespace zermelo
