// Builds a slice without its edges: for each distance the actions of undecided positions are played again.
//
// The numbers are in groups. A position is decided at a distance d because a position after it was at d - 1, or because of an exit
// whose distance is known; so only groups are looked at that lead to one in which something has changed, or that have such an exit.
#include <limits>

#include "tables/builder.hpp"

namespace zermelo {

// Which groups lead to which, and what has happened to them.
class Groups {
public:
    static constexpr uint64_t MOST = 1 << 12;
    static constexpr uint32_t NEVER = std::numeric_limits<uint32_t>::max();

    explicit Groups(uint64_t size)
        : size_(size), width_((size + MOST - 1) / MOST), count_(width_ == 0 ? 0 : (size + width_ - 1) / width_),
          words_((count_ + 63) / 64), leads_(count_ * words_), changed_(words_), changing_(words_), due_(count_, NEVER),
          strays_(count_) {}

    uint64_t count() const { return count_; }
    uint64_t of(uint64_t number) const { return number / width_; }
    uint64_t begin(uint64_t group) const { return group * width_; }
    uint64_t end(uint64_t group) const { return std::min((group + 1) * width_, size_); }

    // One thread at a time works at a group.
    void lead(uint64_t group, uint64_t to) { leads_[group * words_ + to / 64] |= uint64_t{1} << to % 64; }
    void lead_astray(uint64_t group) { strays_[group] = 1; }
    void wait(uint64_t group, uint32_t distance) { due_[group] = std::min(due_[group], distance); }
    void change(uint64_t group) {
        __atomic_fetch_or(&changing_[group / 64], uint64_t{1} << group % 64, __ATOMIC_RELAXED);
    }

    // Whether a group may have a position that is decided at this distance; then it waits for nothing any more.
    bool take(uint64_t group, uint32_t distance, int plies) {
        bool due = due_[group] <= distance || (strays_[group] && quiet_ <= plies);
        for (uint64_t i = 0; i < words_ && !due; ++i) due = leads_[group * words_ + i] & changed_[i];
        if (due) due_[group] = NEVER;
        return due;
    }

    // The next distance at which something may happen after this one, for positions that depend on those `plies` on.
    uint32_t next(uint32_t distance, int plies) {
        std::swap(changed_, changing_);
        std::fill(changing_.begin(), changing_.end(), 0);
        const bool quiet = std::all_of(changed_.begin(), changed_.end(), [](uint64_t word) { return word == 0; });
        quiet_ = quiet ? quiet_ + 1 : 0;
        if (!quiet || (has_strays() && quiet_ <= plies)) return distance + 1;
        return *std::min_element(due_.begin(), due_.end());
    }

private:
    bool has_strays() const { return std::find(strays_.begin(), strays_.end(), 1) != strays_.end(); }

    uint64_t size_, width_, count_, words_;
    std::vector<uint64_t> leads_;  // a row of bits for each group
    std::vector<uint64_t> changed_, changing_;  // at the last distance, at this one
    std::vector<uint32_t> due_;
    std::vector<uint8_t> strays_;  // groups that lead to positions of no slice, and so to any group
    int quiet_ = 0;  // distances at which nothing has changed
};

namespace {

// How many positions of no slice may follow each other.
constexpr int MOST_STRAYS = 8;

}  // namespace

void SliceBuilder::sweep() {
    if (size_ == 0) return;
    Groups groups(size_);
    progress_.begin(SolveProgress::EXPLORING);
    survey(groups);
    for (uint32_t distance = groups.next(0, MOST_STRAYS); distance != Groups::NEVER;
         distance = groups.next(distance, MOST_STRAYS)) {
        if (distance > Verdict::LONGEST) throw SolveRefusal{SolveRefusal::MEMORY, {}};
        progress_.begin(SolveProgress::RESOLVING);
        sweep_once(groups, distance);
    }
}

// Finds the positions, where their groups lead, and what exits say.
void SliceBuilder::survey(Groups& groups) {
    std::atomic<uint64_t> next{0};
    ThreadTeam(task_.threads, outer_).run([&](unsigned, const ThreadTeam::StopCheck& check) {
        Worker worker(game_);
        for (uint64_t group; (group = next++) < groups.count();) {
            for (uint64_t number = groups.begin(group); number < groups.end(group); ++number) {
                check();
                std::byte* state = worker.state.data();
                cells_[number] = NOTHING;
                if (!numbering_.position(task_.material, number, state)) continue;
                game_.info(state, worker.position);
                if (worker.position.chance())
                    throw SolveRefusal{SolveRefusal::CHANCE, {state, state + game_.state_size()}};
                if (worker.position.terminal()) {
                    ++worker.ended;
                    continue;
                }
                cells_[number] = DRAWN;
                const int32_t mover = worker.position.mover;
                bool leaves = true;
                game_.actions(state, worker.list);
                if (worker.list.count == 0) throw RuleError("actions", ZERMELO_BREACH, state, game_.state_size(), 0);
                for (std::size_t i = 0; i < worker.list.count; ++i) {
                    const Behind behind = play(worker, worker.list.actions[i], state, mover);
                    if (behind.verdict && behind.verdict->result != 0) groups.wait(group, behind.verdict->distance);
                    if (behind.verdict) continue;
                    leaves = false;
                    const uint64_t child = behind.stray ? 0 : number_of(worker.child.data());
                    note_half(number, child, behind.stray);
                    if (behind.stray) groups.lead_astray(group);
                    else groups.lead(group, groups.of(child));
                }
                if (leaves && !leaves_.empty()) leaves_[number] = 1;
            }
            progress_.done += groups.end(group) - groups.begin(group);
            collect(worker);
        }
    });
}

// Decides the positions at this distance, all nearer ones being decided.
void SliceBuilder::sweep_once(Groups& groups, uint32_t distance) {
    std::atomic<uint64_t> next{0};
    ThreadTeam(task_.threads, outer_).run([&](unsigned, const ThreadTeam::StopCheck& check) {
        Worker worker(game_);
        for (uint64_t group; (group = next++) < groups.count();) {
            progress_.done += groups.end(group) - groups.begin(group);
            if (!groups.take(group, distance, MOST_STRAYS)) continue;
            for (uint64_t number = groups.begin(group); number < groups.end(group); ++number) {
                if (cells_[number] != DRAWN) continue;
                check();
                numbering_.position(task_.material, number, worker.state.data());
                game_.info(worker.state.data(), worker.position);
                const auto verdict = verdict_now(worker, worker.state.data(), worker.position.mover, MOST_STRAYS);
                if (!verdict || verdict->result == 0) continue;
                if (verdict->distance > distance) {
                    groups.wait(group, verdict->distance);
                } else {
                    __atomic_store_n(&cells_[number], cell_of(*verdict), __ATOMIC_RELAXED);
                    groups.change(group);
                }
            }
        }
    });
}

// What the decided positions say of one: won if one of them is lost by the other side, lost if all are won by it.
std::optional<Verdict> SliceBuilder::verdict_now(Worker& worker, const std::byte* state, int32_t mover, int plies) {
    std::optional<Verdict> won;
    Verdict slowest{-1, 0, 0};
    bool lost = true;
    game_.actions(state, worker.list);
    for (std::size_t i = 0; i < worker.list.count; ++i) {
        const Behind behind = play(worker, worker.list.actions[i], state, mover);
        std::optional<Verdict> verdict = behind.verdict;
        if (!verdict && behind.stray) {
            if (plies == 0) throw SolveRefusal{SolveRefusal::MEMORY, {}};
            Worker further(game_);
            if ((verdict = verdict_now(further, worker.child.data(), worker.position.mover, plies - 1)))
                verdict = verdict->before(behind.same);
        } else if (!verdict) {
            const uint64_t child = number_of(worker.child.data());
            const Cell cell = __atomic_load_n(&cells_[child], __ATOMIC_RELAXED);
            if (cell == NOTHING) refuse_rank(child);
            if (cell != DRAWN) verdict = verdict_of(cell).before(behind.same);
        }
        if (!verdict || verdict->result >= 0) lost = false;
        if (!verdict) continue;
        if (verdict->result > 0 && (!won || verdict->distance < won->distance)) won = verdict;
        if (verdict->result < 0) slowest.distance = std::max(slowest.distance, verdict->distance);
    }
    if (won) return won;
    return lost ? std::optional(slowest) : std::nullopt;
}

}  // namespace zermelo
