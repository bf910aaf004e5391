#include "tables/builder.hpp"

#include <algorithm>

namespace zermelo {

namespace {

// Plain numbers that several threads change: vectors of `std::atomic` could not grow.
template <typename Number>
Number load(const Number& place) {
    return __atomic_load_n(&place, __ATOMIC_RELAXED);
}

// Whether this call, and no other one, replaced DRAWN.
bool claim(Cell& place, Cell cell) {
    Cell before = DRAWN;
    return __atomic_compare_exchange_n(&place, &before, cell, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

}  // namespace

SliceBuilder::SliceBuilder(const Game& game, const Tables& tables, int64_t material, std::size_t memory,
                           unsigned threads, Watch& watch, SolveProgress& progress)
    : game_(game), tables_(tables), material_(material), memory_(memory), watch_(watch), team_(threads, watch),
      progress_(progress), size_(game.slice_size(material)) {
    if (size_ >= MOST_NODES) throw SolveRefusal{SolveRefusal::MEMORY, {}};
    progress_.states = size_;
    count_memory(size_ * (2 * sizeof(Cell) + sizeof(uint16_t) + sizeof(uint32_t)));
}

std::vector<Cell> SliceBuilder::build() {
    cells_.assign(size_, DRAWN);
    open_.assign(size_, 0);
    slowest_.assign(size_, 0);
    blocks_.resize((size_ + BLOCK - 1) / BLOCK);
    progress_.begin(SolveProgress::EXPLORING);
    explore();
    explore_strays();
    progress_.begin(SolveProgress::LINKING);
    link();
    progress_.begin(SolveProgress::RESOLVING);
    resolve();
    cells_.resize(size_);
    return std::move(cells_);
}

void SliceBuilder::count_memory(std::size_t more) {
    bytes_ += more;
    progress_.bytes = bytes_.load();
    if (bytes_ > memory_) throw SolveRefusal{SolveRefusal::MEMORY, {}};
}

void SliceBuilder::explore() {
    std::atomic<uint64_t> next{0};
    team_.run([&](unsigned, const ThreadTeam::StopCheck& check) {
        Worker worker(game_);
        for (uint64_t at; (at = next++) < blocks_.size();) {
            Block& block = blocks_[at];
            block.first = static_cast<Node>(at * BLOCK);
            const auto last = static_cast<Node>(std::min((at + 1) * BLOCK, size_));
            for (Node number = block.first; number < last; ++number) {
                check();
                open_number(worker, number, block);
            }
            block.edges.shrink_to_fit();
            count_memory(2 * sizeof(Edge) * block.edges.size());  // here, and turned around
            progress_.done += last - block.first;
            progress_.edges += block.edges.size();
            collect(worker);
        }
    });
}

// Positions of no slice may lead to more of them.
void SliceBuilder::explore_strays() {
    Worker worker(game_);
    Block block;
    block.first = static_cast<Node>(size_);
    for (std::size_t i = 0; i < strays_.size(); ++i) {
        watch_.node();
        std::memcpy(worker.state.data(), strays_[i].data(), game_.state_size());
        game_.info(worker.state.data(), worker.position);
        cells_.push_back(DRAWN);
        open_.push_back(0);
        slowest_.push_back(0);
        open(worker, static_cast<Node>(size_ + i), worker.state.data(), worker.position.mover, block);
    }
    if (size_ + strays_.size() >= MOST_NODES) throw SolveRefusal{SolveRefusal::MEMORY, {}};
    count_memory(2 * sizeof(Edge) * block.edges.size());
    blocks_.push_back(std::move(block));
    collect(worker);
}

void SliceBuilder::open_number(Worker& worker, Node number, Block& block) {
    std::byte* state = worker.state.data();
    if (game_.unrank(material_, number, state)) {
        game_.info(state, worker.position);
        if (worker.position.chance()) throw SolveRefusal{SolveRefusal::CHANCE, {state, state + game_.state_size()}};
        if (!worker.position.terminal()) return open(worker, number, state, worker.position.mover, block);
        ++worker.ended;
    }
    cells_[number] = NOTHING;
    block.degrees.push_back(0);
}

// Plays every action of a node: edges within the slice go to the block, and what the exits decide is noted.
void SliceBuilder::open(Worker& worker, Node node, const std::byte* state, int32_t mover, Block& block) {
    const std::size_t before = block.edges.size();
    game_.actions(state, worker.list);
    if (worker.list.count == 0 || worker.list.count >= NEVER_LOST)
        throw RuleError("actions", ZERMELO_BREACH, state, game_.state_size(), 0);
    uint32_t quickest = 0, slowest = 0;
    bool never_lost = false;
    for (std::size_t i = 0; i < worker.list.count; ++i) {
        const std::optional<Verdict> exit = follow(worker, worker.list.actions[i], state, mover, block);
        if (!exit) continue;
        if (exit->distance > Verdict::LONGEST) throw SolveRefusal{SolveRefusal::MEMORY, {}};
        if (exit->result > 0) quickest = quickest == 0 ? exit->distance : std::min(quickest, exit->distance);
        if (exit->result < 0) slowest = std::max(slowest, exit->distance);
        never_lost |= exit->result >= 0;
    }
    const std::size_t degree = block.edges.size() - before;
    block.degrees.push_back(static_cast<uint16_t>(degree));
    open_[node] = never_lost ? NEVER_LOST : static_cast<uint16_t>(degree);
    slowest_[node] = static_cast<uint16_t>(slowest);
    if (quickest > 0) worker.waiting.push_back({quickest, node << 1 | 1});
    else if (!never_lost && degree == 0) worker.waiting.push_back({slowest, node << 1});
}

// What an action is worth that leads out of the slice; nothing for one that stays in it, whose edge goes to the block.
std::optional<Verdict> SliceBuilder::follow(Worker& worker, int64_t action, const std::byte* state, int32_t mover,
                                            Block& block) {
    std::byte* child = worker.child.data();
    game_.step(state, action, child, worker.position);
    if (worker.position.terminal()) {
        const std::optional<Verdict> end = verdict_of_end(game_, child, worker.position, mover);
        if (!end) throw SolveRefusal{SolveRefusal::UTILITIES, {child, child + game_.state_size()}};
        return end->before(true);
    }
    if (worker.position.chance()) throw SolveRefusal{SolveRefusal::CHANCE, {child, child + game_.state_size()}};
    const bool same = worker.position.mover == mover;
    const int64_t material = game_.material(child);
    if (material == material_ || material < 0) {
        Node node;
        if (material < 0) {
            node = stray(child);
        } else {
            const int64_t rank = game_.rank(child);
            if (rank < 0 || static_cast<uint64_t>(rank) >= size_)
                throw RuleError("rank", ZERMELO_BREACH, child, game_.state_size(), rank);
            node = static_cast<Node>(rank);
        }
        block.edges.push_back(node << 1 | (same ? 1 : 0));
        return std::nullopt;
    }
    const Slice* slice = tables_.find(material);
    if (!slice) throw SliceMissing{material};
    return verdict_of(slice->at(Tables::rank_in(game_, *slice, child))).before(same);
}

SliceBuilder::Node SliceBuilder::stray(const std::byte* state) {
    const std::lock_guard locked(lock_);
    std::string bytes(reinterpret_cast<const char*>(state), game_.state_size());
    const auto [found, added] = stray_numbers_.try_emplace(bytes, static_cast<Node>(size_ + strays_.size()));
    if (added) {
        count_memory(3 * game_.state_size());
        strays_.push_back(std::move(bytes));
    }
    return found->second;
}

// An action leads to a number that stands for no position in which a player moves.
void SliceBuilder::refuse_rank(Node node) const {
    StateBuffer state = game_.buffer();
    game_.unrank(material_, node, state.data());
    throw RuleError("rank", ZERMELO_BREACH, state.data(), game_.state_size(), node);
}

// Turns the edges around: `before_` has, for each node, the nodes that lead to it.
void SliceBuilder::link() {
    ends_.assign(size_ + strays_.size(), 0);
    uint64_t total = 0;
    for (const Block& block : blocks_) {
        watch_.poll();
        total += block.edges.size();
        for (const Edge edge : block.edges) {
            const Node node = edge >> 1;
            if (cells_[node] == NOTHING) refuse_rank(node);
            ++ends_[node];
        }
    }
    if (total > UINT32_MAX) throw SolveRefusal{SolveRefusal::MEMORY, {}};
    uint32_t sum = 0;
    for (uint32_t& end : ends_) sum += std::exchange(end, sum);
    before_.resize(total);
    std::atomic<uint64_t> next{0};
    team_.run([&](unsigned, const ThreadTeam::StopCheck& check) {
        for (uint64_t at; (at = next++) < blocks_.size();) {
            const Block block = std::move(blocks_[at]);
            std::size_t edge = 0;
            for (std::size_t i = 0; i < block.degrees.size(); ++i) {
                check();
                for (const std::size_t last = edge + block.degrees[i]; edge < last; ++edge) {
                    const Edge child = block.edges[edge];
                    const uint32_t place = __atomic_fetch_add(&ends_[child >> 1], 1, __ATOMIC_RELAXED);
                    before_[place] = static_cast<Edge>(block.first + i) << 1 | (child & 1);
                }
            }
            progress_.done += block.degrees.size();
        }
    });
    blocks_.clear();
}

void SliceBuilder::resolve() {
    for (uint32_t distance = 1; distance < pending_.size(); ++distance) {
        const std::vector<Candidate> candidates = std::move(pending_[distance]);
        std::atomic<uint64_t> next{0};
        const auto work = [&](unsigned, const ThreadTeam::StopCheck& check) {
            Worker worker(game_);
            for (uint64_t at; (at = BLOCK * next++) < candidates.size();) {
                const uint64_t last = std::min(at + BLOCK, candidates.size());
                for (uint64_t i = at; i < last; ++i) {
                    check();
                    settle(worker, candidates[i], distance);
                }
                progress_.done += last - at;
            }
            collect(worker);
        };
        if (candidates.size() > BLOCK) team_.run(work);
        else work(0, ThreadTeam::StopCheck(watch_, true));
    }
}

// Gives a node its verdict, if it has none yet, and tells the nodes before it.
void SliceBuilder::settle(Worker& worker, Candidate candidate, uint32_t distance) {
    const Node node = candidate >> 1;
    const bool won = candidate & 1;
    if (!claim(cells_[node], cell_of(won, distance))) return;
    for (uint32_t i = node == 0 ? 0 : ends_[node - 1]; i < ends_[node]; ++i) {
        const Node before = before_[i] >> 1;
        const bool same = before_[i] & 1;
        if (load(cells_[before]) != DRAWN) continue;
        if (won == same) {
            worker.waiting.push_back({distance + 1, before << 1 | 1});
        } else if (load(open_[before]) != NEVER_LOST && __atomic_sub_fetch(&open_[before], 1, __ATOMIC_RELAXED) == 0) {
            worker.waiting.push_back({std::max<uint32_t>(distance + 1, slowest_[before]), before << 1});
        }
    }
}

void SliceBuilder::collect(Worker& worker) {
    const std::lock_guard locked(lock_);
    ended_ += std::exchange(worker.ended, 0);
    for (const Waiting& each : worker.waiting) {
        if (each.distance > Verdict::LONGEST) throw SolveRefusal{SolveRefusal::MEMORY, {}};
        if (pending_.size() <= each.distance) pending_.resize(each.distance + 1);
        pending_[each.distance].push_back(each.candidate);
    }
    worker.waiting.clear();
}

}  // namespace zermelo
