#include "tables/builder.hpp"

#include <algorithm>
#include <stdexcept>

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

SliceBuilder::SliceBuilder(const Game& game, const Tables& tables, const SliceTask& task, Watch& watch,
                           SolveProgress& progress)
    : game_(game), tables_(tables), task_(task), numbering_(game, task_.listing.get()), outer_(watch),
      watch_([&watch] { return watch.poll(), false; }), team_(task.threads, watch_), progress_(progress),
      size_(numbering_.count(task.material)) {
    progress_.states = size_;
    if (size_ * (sizeof(Cell) + (task.step > 1)) > task.memory) throw SolveRefusal{SolveRefusal::MEMORY, {}};
}

std::vector<Cell> SliceBuilder::build() {
    cells_.assign(size_, DRAWN);
    if (task_.step > 1) leaves_.assign(size_, 0);
    if (!build_by_edges()) sweep();
    cells_.resize(size_);
    if (task_.step > 1) round_up();
    return std::move(cells_);
}

// Whether that fits; if not, nothing has happened.
bool SliceBuilder::build_by_edges() {
    try {
        if (size_ >= MOST_NODES) throw DoesNotFit{};
        count_memory(size_ * (2 * sizeof(Cell) + sizeof(uint16_t) + sizeof(uint32_t)));
        open_.assign(size_, 0);
        slowest_.assign(size_, 0);
        blocks_.resize((size_ + BLOCK - 1) / BLOCK);
        progress_.begin(SolveProgress::EXPLORING);
        explore();
        explore_strays();
        progress_.begin(SolveProgress::LINKING);
        link();
    } catch (const DoesNotFit&) {
        blocks_ = {};
        open_ = slowest_ = {};
        ends_ = before_ = {};
        pending_ = {};
        strays_ = {};
        stray_numbers_ = {};
        cells_.assign(size_, DRAWN);
        ended_ = 0;
        bytes_ = 0;
        return false;
    }
    progress_.begin(SolveProgress::RESOLVING);
    resolve();
    return true;
}

void SliceBuilder::count_memory(std::size_t more) {
    bytes_ += more;
    progress_.bytes = bytes_.load();
    if (bytes_ > task_.memory) throw DoesNotFit{};
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
    if (size_ + strays_.size() >= MOST_NODES) throw DoesNotFit{};
    count_memory(2 * sizeof(Edge) * block.edges.size());
    blocks_.push_back(std::move(block));
    collect(worker);
}

void SliceBuilder::open_number(Worker& worker, Node number, Block& block) {
    std::byte* state = worker.state.data();
    if (numbering_.position(task_.material, number, state)) {
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
        const Behind behind = play(worker, worker.list.actions[i], state, mover);
        if (!behind.verdict) {
            const std::byte* child = worker.child.data();
            const auto next = behind.stray ? stray(child) : static_cast<Node>(number_of(child));
            note_half(node, next, behind.stray);
            block.edges.push_back(next << 1 | (behind.same ? 1 : 0));
            continue;
        }
        if (behind.verdict->distance > Verdict::LONGEST) throw SolveRefusal{SolveRefusal::MEMORY, {}};
        const uint32_t distance = behind.verdict->distance;
        if (behind.verdict->result > 0) quickest = quickest == 0 ? distance : std::min(quickest, distance);
        if (behind.verdict->result < 0) slowest = std::max(slowest, distance);
        never_lost |= behind.verdict->result >= 0;
    }
    const std::size_t degree = block.edges.size() - before;
    block.degrees.push_back(static_cast<uint16_t>(degree));
    if (degree == 0 && node < leaves_.size()) leaves_[node] = 1;
    open_[node] = never_lost ? NEVER_LOST : static_cast<uint16_t>(degree);
    slowest_[node] = static_cast<uint16_t>(slowest);
    if (quickest > 0) worker.waiting.push_back({quickest, node << 1 | 1});
    else if (!never_lost && degree == 0) worker.waiting.push_back({slowest, node << 1});
}

// Notes which half of the slice does not follow from the other one: it leads to itself, or to a position of no slice.
void SliceBuilder::note_half(uint64_t number, uint64_t child, bool stray) {
    const uint64_t middle = size_ / 2;
    if (number < size_ && (stray || (child < middle) == (number < middle)))
        follows_[number < middle ? 0 : 1].store(false, std::memory_order_relaxed);
}

SliceBuilder::Behind SliceBuilder::play(Worker& worker, int64_t action, const std::byte* state, int32_t mover) {
    std::byte* child = worker.child.data();
    game_.step(state, action, child, worker.position);
    if (worker.position.terminal()) {
        const std::optional<Verdict> end = verdict_of_end(game_, child, worker.position, mover);
        if (!end) throw SolveRefusal{SolveRefusal::UTILITIES, {child, child + game_.state_size()}};
        return {end->before(true), true, false};
    }
    if (worker.position.chance()) throw SolveRefusal{SolveRefusal::CHANCE, {child, child + game_.state_size()}};
    const bool same = worker.position.mover == mover;
    const int64_t material = game_.material(child);
    if (material == task_.material || material < 0) return {std::nullopt, same, material < 0};
    Verdict verdict;
    if (!tables_.probe(game_, child, verdict)) throw SliceMissing{material};
    if (verdict.slack > 0 && task_.step == 1) throw SolveRefusal{SolveRefusal::STEPS, {}};
    if (verdict.result != 0 && task_.step > 1) {
        uint32_t longest = behind_.load(std::memory_order_relaxed);
        while (longest < verdict.distance && !behind_.compare_exchange_weak(longest, verdict.distance)) {
        }
        verdict.distance = 0;
    }
    return {verdict.before(same), same, false};
}

uint64_t SliceBuilder::number_of(const std::byte* state) const {
    const std::optional<uint64_t> number = numbering_.find(state, size_);
    if (!number) throw std::logic_error("an action leads out of the positions that were collected");
    return *number;
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
void SliceBuilder::refuse_rank(uint64_t node) const {
    StateBuffer state = game_.buffer();
    numbering_.position(task_.material, node, state.data());
    throw RuleError("rank", ZERMELO_BREACH, state.data(), game_.state_size(), static_cast<int64_t>(node));
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
    if (total > UINT32_MAX) throw DoesNotFit{};
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

// The way out of the slice takes the plies that are left in it, and then the longest way behind it at most.
void SliceBuilder::round_up() {
    for (Cell& cell : cells_) {
        if (cell <= NOTHING) continue;
        const Verdict verdict = verdict_of(cell);
        const uint64_t steps = (verdict.distance + task_.step - 1) / task_.step;
        const uint64_t distance = behind_ + steps * task_.step;
        if (distance > Verdict::LONGEST) throw SolveRefusal{SolveRefusal::MEMORY, {}};
        cell = cell_of(verdict.result > 0, static_cast<uint32_t>(distance));
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
