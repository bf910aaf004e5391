// One thread of the engine: alpha-beta with selective techniques, for games of one or two players.
//
// Scores inside a node are from the point of view of its mover. `search` guarantees for its result r, the window
// (alpha, beta) and the minimax value V under the same cut-offs:
//
//     r <= alpha  only if  V <= alpha,      r >= beta  only if  V >= beta,      r = V otherwise
//
// as long as only sound techniques are on. A result that rests on no estimate is marked as proved at any depth. The
// children of a node are stepped together: an immediate win is seen before anything is searched, and their table entries
// are prefetched before the first of them is entered.
//
// The parts: `worker.cpp` is the main search in numbered steps, `pruning.cpp` quiescence and the pruning of nodes and
// actions, `ordering.cpp` the children and their order, `correction.cpp` what searches teach about the evaluation.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "core/game.hpp"
#include "core/watch.hpp"
#include "networks/attach.hpp"
#include "search/history.hpp"
#include "search/score.hpp"
#include "search/settings.hpp"

namespace zermelo {

constexpr int UNLIMITED_DEPTH = TableEntry::PROVED;  // searches to the end of the game

constexpr int less_one_ply(int depth) { return depth >= UNLIMITED_DEPTH ? UNLIMITED_DEPTH : depth - 1; }

inline TableKey key_of(const Game& game, const std::byte* state) {
    const uint64_t key = game.key(state);
    return {game.table().key ? splitmix(key) : hash_words(state, game.state_size(), 0x5851f42d4c957f2du), key};
}

// The key that the repetition rule compares; `key` is that of the position.
inline TableKey recurrence_of(const Game& game, const std::byte* state, const TableKey& key) {
    if (!game.table().recurrence) return key;
    const uint64_t seen = game.recurrence(state);
    return {splitmix(seen), seen};
}

// A position to search, with depth and window.
struct SearchNode {
    const std::byte* state;
    int32_t mover;
    TableKey key;
    int depth;
    Score alpha;
    Score beta;
    bool may_pass = true;
    int excluded = TableEntry::NO_ACTION;  // the action under test for a singular extension

    bool is_pv() const { return beta > alpha + 1; }
};

class Worker {
public:
    Worker(const Game& game, SharedSearch& shared, uint64_t seed)
        : game_(game), shared_(shared), settings_(shared.settings), seed_(seed),
          scale_(game.table(), shared.settings.quick), stride_(stride_of(game.table())),
          repetition_counts_(has_repetition_rule(game.table())) {
        if (const NetworkGame* found = network_game(game.table())) network_.emplace(found->network(), found->rules());
    }

    static constexpr int32_t UNSTEPPED = -3;  // the mover of a child whose state has not been computed yet

    struct Child {
        int64_t action;
        int64_t history_key;  // the action and the square on which it lands
        TableKey key;
        int32_t mover;
        int32_t place;  // in the game's own order
        Score end;  // from the mover's point of view, if it is terminal
        bool noisy = false;
        bool deferred = false;  // another thread was searching it when its turn came
        bool exchange_known = false;
        Score exchange = 0;  // the static exchange evaluation, if known

        bool terminal() const { return mover == ZERMELO_TERMINAL; }
        bool stepped() const { return mover != UNSTEPPED; }
    };

    // An entry of the order in which children are searched.
    struct RankedAction {
        int64_t rank;
        int32_t place;  // in the game's own order
        bool noisy;
        bool has_child;  // its Child is filled in

        bool before(const RankedAction& other) const {
            return rank != other.rank ? rank > other.rank : place < other.place;
        }
    };

    // How far the order is computed: after a cut-off by one of the first children the others are never ranked.
    enum class Stage { listed, best, noisy, all };

    // A position on the path.
    struct Frame {
        const std::byte* state = nullptr;
        TableKey key{};
        TableKey recurrence{};  // the key that the repetition rule compares
        int32_t mover = 0;
        int64_t history_key = History::NO_ACTION;  // of the action being searched
        bool irreversible = false;  // no earlier position can recur after it
        bool estimated = false;  // the result rests on an estimate
        bool path_dependent = false;  // the result depends on how the position was reached
        bool evaluated = false;  // `evaluation` is known
        bool in_check = false;
        Score estimate = 0;  // static, as the game or its network gives it
        Score evaluation = 0;  // the same, corrected
        Score refined = 0;  // the same, or what the table says where that is more
        int best_place = TableEntry::NO_ACTION;
        ActionList list;
        std::vector<Child> children;  // by place
        std::vector<RankedAction> order;  // of the actions to search
        Stage stage = Stage::listed;
        std::size_t ranked = 0;  // the first entries of the order that have a rank
        bool only_noisy = false;  // quiet actions are omitted
        StateBuffer states{0};
        std::size_t capacity = 0;  // of `states`
        Line line;

        void forget() {
            history_key = History::NO_ACTION;
            irreversible = estimated = path_dependent = evaluated = in_check = false;
            estimate = evaluation = refined = 0;
            best_place = TableEntry::NO_ACTION;
            line.clear();
        }
    };

    Score search(int ply, SearchNode node);

    // Finds what the transposition table knows of a position.
    bool look_up(const TableKey& key, TableEntry& entry) const {
        return (shared_.past_key != 0 && shared_.table.probe(under_past(key), entry)) || look_up_plain(key, entry);
    }

    // Generates the children of the position at `ply`; false if one of them wins at once (it is then the only one,
    // unless `all` is set). Where steps are costly the children are only listed, and stepped when their turn comes.
    bool expand(int ply, const std::byte* state, int32_t mover, bool all = false);
    // The child after the first `from` of the order, or null: the one at place `best` first, then noisy ones, then quiet ones.
    Child* pick(int ply, std::size_t from, int best);
    // Ranks all children at once.
    void order_all(int ply);
    const std::byte* child_state(int ply, int place) const { return frames_.at(ply).states.data() + place * stride_; }
    Score search_child(int ply, const Child& child, int depth, Score alpha, Score beta, bool may_pass = true);

    // Called before a search: nothing of the one before is left but its memory.
    void begin() {
        scale_ = ScoreScale(game_.table(), settings_.quick);
        nodes_ = leaves_ = cutoffs_ = probed_ = reported_ = next_check_ = quiescence_end_ = 0;
        for (std::size_t ply = 0; ply < frames_.size(); ++ply) frames_.at(ply).forget();
    }
    Frame& frame(int ply) { return frames_.at(ply); }
    // The utility, not rounded to a score, of the root's terminal child at `place`, for the root's mover.
    double root_utility(int place) const { return root_utilities_[static_cast<std::size_t>(place)]; }
    ScoreScale& scale() { return scale_; }
    void use(History& history) { history_ = &history; }
    // The main thread polls its caller.
    void use(Watch& watch) { watch_ = &watch; }
    int64_t history_key_of(const std::byte* state, int64_t action) const {
        return game_.table().target ? action ^ (game_.target(state, action) << 24) : action;
    }
    void begin_iteration(int depth) {
        root_depth_ = depth;
        deepest_ = 0;
        next_check_ = nodes_;
        for (std::size_t ply = 0; ply < frames_.size(); ++ply) frames_.at(ply).history_key = History::NO_ACTION;
    }
    Score aspiration_width() const {
        return static_cast<Score>(std::min(history_->volatility * parameters().aspiration_width, LARGEST_MARGIN)) +
               scale_.margin(0);
    }
    // Counts a node; checks the limits every 1024 nodes and before the last node of the budget.
    void count_node() {
        if (nodes_ >= next_check_ || shared_.stop.load(std::memory_order_relaxed)) [[unlikely]]
            check_limits();
        ++nodes_;
    }
    uint64_t nodes() const { return nodes_; }
    int deepest() const { return deepest_; }  // ply entered in this iteration
    uint64_t leaves() const { return leaves_; }
    uint64_t cutoffs() const { return cutoffs_; }
    uint64_t probed() const { return probed_; }
    void report_nodes() {
        shared_.nodes += nodes_ - reported_;
        reported_ = nodes_;
    }

private:
    static std::size_t stride_of(const zermelo_table& table) {
        const std::size_t alignment = std::max<std::size_t>(table.state_alignment, 8);
        return (table.state_size + alignment - 1) / alignment * alignment;
    }

    const SearchParameters& parameters() const { return settings_.parameters; }
    void check_limits();
    bool may_extend(int ply, int depth) const {
        return depth < UNLIMITED_DEPTH && ply < parameters().extension_limit * root_depth_;
    }
    bool repeats(int ply, const TableKey& key) const;
    double repetition_utility(int ply);
    int32_t perpetual_checker(int ply) const;
    Score leaf(Frame& frame, Score score, bool estimated);
    std::optional<Score> probe_tables(int ply, const SearchNode& node, bool last);
    Score evaluate(int ply, const std::byte* state);
    Score refine(int ply, Score evaluation, const TableEntry& entry) const;
    // Whether nodes at this depth are pruned by their evaluation.
    bool prunes(int depth) const {
        return game_.table().evaluate && depth < UNLIMITED_DEPTH &&
               (settings_.reverse_futility || settings_.razoring || settings_.null_move || uses_probcut());
    }
    bool uses_probcut() const { return settings_.probcut && !settings_.depth_pairs.empty(); }
    Score quiescence(int ply, const SearchNode& node, int plies);
    bool recurs_in_quiescence(int ply, int plies, const TableKey& key) const;
    bool look_up_plain(const TableKey& key, TableEntry& entry) const;
    // The same place in the table, for what holds under this history only.
    TableKey under_past(const TableKey& key) const { return {key.place, key.check ^ shared_.past_key}; }
    bool depends_on_past(const TableEntry& entry) const;
    // In a game with cycles, estimates in the table could sustain each other, and no depth would prove a draw.
    bool is_usable(const TableEntry& entry) const {
        return settings_.table_estimates || entry.depth >= TableEntry::PROVED;
    }
    bool causes_cutoff(const TableEntry& entry, const SearchNode& node, int ply) const;
    bool prune_node(int ply, const SearchNode& node, Score& score, int& extension);
    bool null_move_cutoff(int ply, const SearchNode& node, Score& score, int& extension);
    bool probable_cutoff(int ply, const SearchNode& node, Score& score);
    bool foretells_cutoff(int ply, SearchNode node, const DepthPair& pair, bool high);
    bool is_singular(int ply, const SearchNode& node, const TableEntry& entry);
    template <typename Take>
    void for_each_correction(int ply, const Take& take);
    Score corrected(int ply, Score estimate);
    void learn_correction(int ply, const SearchNode& node, Score score, Score alpha);
    bool enhanced_cutoff(int ply, const SearchNode& node, Score& score);
    bool steps_lazily(int ply) const { return ply > 0 && (game_.table().capabilities & ZERMELO_COSTLY_STEPS); }
    void list_children(Frame& frame, const std::byte* state, bool only_noisy);
    Child& child_of(Frame& frame, RankedAction& turn) const;
    bool step_child(int ply, Child& child);
    void make_room(Frame& frame, std::size_t states) const;
    void rank_next_stage(int ply, int best);
    bool is_noisy(const Frame& frame, const RankedAction& turn) const;
    int64_t rank_quiet(int ply, const History::PriorActions& past, const RankedAction& turn) const;
    void add_priorities(Frame& frame, std::size_t from);
    static void move_back(Frame& frame, std::size_t from);
    bool defer_busy(Child& child, int depth, int tried) const;
    Score static_exchange(const std::byte* state, Child& child) const;
    bool gives_safe_check(const std::byte* state, int64_t action) const;
    bool is_losing_capture(const std::byte* state, Child& child, int best) const;
    Score search_children(int ply, const SearchNode& node, int depth, int best, bool best_is_singular);
    Score search_child_pvs(int ply, const SearchNode& node, const Child& child, int depth, Score alpha, int tried);
    int reduction(const SearchNode& node, int depth, int tried, const Child& child, int ply) const;
    double late_plies(int ply, int depth, const Child& child, int tried) const;
    void update_history(int ply, int depth, std::size_t refuting);
    History::PriorActions prior_actions(int ply) const {
        return {ply > 0 ? frames_.at(ply - 1).history_key : History::NO_ACTION,
                ply > 1 ? frames_.at(ply - 2).history_key : History::NO_ACTION};
    }
    // The margin for `plies`: the expected change of the evaluation over them.
    Score margin(double plies) const {
        const double ply = std::floor(std::min(parameters().margin_scale * history_->volatility + 1, LARGEST_STEP));
        return static_cast<Score>(std::min(ply * plies, LARGEST_MARGIN));
    }
    // Whether the evaluation is better than at the mover's last turn.
    bool improving(int ply) const;
    bool may_prune(int ply, const SearchNode& node, int depth, const Child& child, int tried, Score best) const;
    int pruning_depth(int ply, int depth, const Child& child, int tried) const;
    bool exceeds_move_count(int ply, int depth, int tried) const;
    bool is_futile(int ply, const SearchNode& node, int depth, Child& child) const;
    void store(int ply, const SearchNode& node, Score score, Score alpha, uint64_t effort);

    static constexpr double LARGEST_STEP = 1e8, LARGEST_MARGIN = 1e9;  // within a score, beside another one
    static constexpr int QUIESCENCE_PLIES = 30;
    static constexpr uint64_t QUIESCENCE_NODES = 1 << 14;  // limit below one leaf of the main search
    static constexpr int64_t LAST_RANK = -(int64_t{1} << 60);

    const Game& game_;
    SharedSearch& shared_;
    const EngineSettings& settings_;
    Watch* watch_ = nullptr;
    const uint64_t seed_;  // 0 for the main thread; varies the order of quiet actions in helpers
    ScoreScale scale_;
    const std::size_t stride_;  // bytes from one child's state to the next
    const bool repetition_counts_;
    mutable PlyStack<Frame> frames_;
    std::optional<SumEvaluator> network_;  // of a game that a network evaluates
    History* history_ = nullptr;
    Position position_;
    std::vector<int64_t> actions_;  // arguments of `priorities`
    std::vector<double> priorities_;
    int root_depth_ = 0;  // of the current iteration
    uint64_t nodes_ = 0;
    int deepest_ = 0;
    uint64_t leaves_ = 0;
    uint64_t cutoffs_ = 0;
    uint64_t probed_ = 0;  // positions that endgame tables settled
    uint64_t reported_ = 0;
    uint64_t next_check_ = 0;
    uint64_t quiescence_end_ = 0;  // the node count beyond which quiescence returns the evaluation
    std::vector<double> root_utilities_;  // of the root's terminal children, by place
};

}  // namespace zermelo
