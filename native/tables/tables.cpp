#include "tables/tables.hpp"

#include <limits>
#include <stdexcept>
#include <thread>

namespace zermelo {

std::optional<Verdict> verdict_of_end(const Game& game, const std::byte* state, const Position& position,
                                      int32_t player) {
    const double utility = game.end(state, position, player);
    const zermelo_table& table = game.table();
    if (utility == table.neutral) return Verdict{0, 0};
    if (utility == table.high) return Verdict{1, 0};
    if (utility == table.low) return Verdict{-1, 0};
    return std::nullopt;
}

namespace {

// What it takes to look a ply ahead.
struct Scratch {
    explicit Scratch(std::size_t size) : state_size(size), child(size) {}

    std::size_t state_size;
    StateBuffer child;
    Position position;
    ActionList list;
};

// Scratches of this thread, one for each look under way. A look may load a slice, and that looks into it.
class Borrowed {
public:
    explicit Borrowed(std::size_t size) {
        if (kept().size() <= depth()) kept().emplace_back();
        std::unique_ptr<Scratch>& place = kept()[depth()];
        if (!place || place->state_size < size) place = std::make_unique<Scratch>(size);
        scratch_ = place.get();
        ++depth();
    }
    ~Borrowed() { --depth(); }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;

    Scratch& operator*() const { return *scratch_; }

private:
    static std::vector<std::unique_ptr<Scratch>>& kept() {
        thread_local std::vector<std::unique_ptr<Scratch>> scratches;
        return scratches;
    }
    static std::size_t& depth() {
        thread_local std::size_t count = 0;
        return count;
    }

    Scratch* scratch_;
};

}  // namespace

Slice::Slice(uint64_t size, uint64_t first, uint32_t step, std::vector<Cell> palette, std::vector<uint8_t> codes,
             SharedListing listing)
    : size_(size), first_(first), step_(step), palette_(std::move(palette)), codes_(std::move(codes)),
      listing_(std::move(listing)), wide_(palette_.size() > 256), held_(codes_.size() / (wide_ ? 2 : 1)) {
    if (step < 1 || step > Verdict::LONGEST) throw std::invalid_argument("the distances of a slice have no such step");
    if (palette_.size() > 65536 || (wide_ && codes_.size() % 2 != 0))
        throw std::invalid_argument("a slice does not fit its palette");
    if (listing_ && listing_->size() != size) throw std::invalid_argument("a slice has another number of positions");
    if (first > size || held_ > size - first) throw std::invalid_argument("a slice has more codes than numbers");
    for (uint64_t i = 0; i < held_; ++i) {
        const std::size_t code = wide_ ? codes_[2 * i] | codes_[2 * i + 1] << 8 : codes_[i];
        if (code >= palette_.size()) throw std::invalid_argument("a slice has a code that is not in its palette");
    }
}

// One caller publishes what it has loaded; the others wait for that.
const Slice* Tables::Place::load() {
    SharedSlice loaded = loader_();
    if (!taken_.test_and_set(std::memory_order_acq_rel)) {
        kept_ = std::move(loaded);
        slice_.store(kept_.get(), std::memory_order_release);
    }
    const Slice* found;
    while (!(found = slice_.load(std::memory_order_acquire))) std::this_thread::yield();
    return found;
}

std::optional<Verdict> Tables::look(const Game& game, const std::byte* state, int plies) const {
    Verdict verdict;
    if (probe(game, state, verdict)) return verdict;
    if (plies == 0 || game.material(state) >= 0) return std::nullopt;
    return back_up(game, state, plies);
}

std::vector<std::pair<int64_t, std::optional<Verdict>>> Tables::children(const Game& game, const std::byte* state,
                                                                         int plies) const {
    std::vector<std::pair<int64_t, std::optional<Verdict>>> found;
    StateBuffer child = game.buffer();
    ActionList list;
    Position position;
    game.info(state, position);
    const int32_t mover = position.mover;
    if (mover < 0) return found;
    game.actions(state, list);
    for (std::size_t i = 0; i < list.count; ++i) {
        game.step(state, list.actions[i], child.data(), position);
        std::optional<Verdict> verdict;
        if (position.terminal()) {
            verdict = verdict_of_end(game, child.data(), position, mover);
            if (verdict) verdict = verdict->before(true);
        } else if (!position.chance()) {
            verdict = look(game, child.data(), plies - 1);
            if (verdict) verdict = verdict->before(position.mover == mover);
        }
        found.emplace_back(list.actions[i], verdict);
    }
    return found;
}

std::optional<Verdict> Tables::back_up(const Game& game, const std::byte* state, int plies) const {
    std::optional<Verdict> best;
    for (const auto& [action, verdict] : children(game, state, plies)) {
        if (!verdict) return std::nullopt;
        if (!best || verdict->worth() > best->worth()) best = verdict;
    }
    return best;
}

bool Tables::keeps(const Game& game, const Slice& slice, const std::byte* state) {
    const std::optional<uint64_t> number = slice.number_of(game, state);
    return number && slice.holds(*number);
}

// The verdict of a position that its slice may not hold: where it does not, all actions lead to numbers that it holds, or out of
// it. In a slice with steps it holds those of its half with an action that stays.
bool Tables::derive(const Game& game, const Slice& slice, int64_t material, const std::byte* state, Verdict& best,
                    int looks) const {
    const Borrowed borrowed(game.state_size());
    Scratch& scratch = *borrowed;
    std::byte* child = scratch.child.data();
    game.info(state, scratch.position);
    const int32_t mover = scratch.position.mover;
    if (mover < 0) return false;
    const std::optional<uint64_t> number = slice.number_of(game, state);
    if (!number) return false;
    game.actions(state, scratch.list);
    int32_t most = std::numeric_limits<int32_t>::min();
    uint32_t slack = 0;
    for (std::size_t i = 0; i < scratch.list.count; ++i) {
        game.step(state, scratch.list.actions[i], child, scratch.position);
        Verdict verdict;
        if (scratch.position.terminal()) {
            const std::optional<Verdict> end = verdict_of_end(game, child, scratch.position, mover);
            if (!end) return false;
            verdict = end->before(true);
        } else {
            const int64_t behind = scratch.position.chance() ? -1 : game.material(child);
            const bool stays = behind == material || behind < 0;
            if (stays && slice.holds(*number)) {
                best = slice.at(*number);
                return true;
            }
            if (behind < 0 || (stays && !keeps(game, slice, child)) ||
                !probe_slice(game, behind, child, verdict, looks - 1))
                return false;
            verdict = verdict.before(scratch.position.mover == mover);
        }
        slack = std::max(slack, verdict.slack);
        if (verdict.worth() > most) most = verdict.worth(), best = verdict;
    }
    best.slack = best.result == 0 ? 0 : slack;
    return scratch.list.count > 0;
}

std::optional<std::size_t> Tables::deciding(const Game& game, const std::byte* state) const {
    Verdict verdict;
    if (!probe(game, state, verdict) || verdict.result == 0 || verdict.slack > 0) return std::nullopt;
    std::optional<std::size_t> best;
    const auto list = children(game, state);
    for (std::size_t i = 0; i < list.size(); ++i)
        if (list[i].second && (!best || list[i].second->worth() > list[*best].second->worth())) best = i;
    return best;
}

void Tables::go_on(const Game& game, const std::byte* root, std::vector<int64_t>& line) const {
    StateBuffer state = game.buffer(), next = game.buffer();
    std::memcpy(state.data(), root, game.state_size());
    Position position;
    game.info(root, position);
    const auto play = [&](int64_t action) {
        game.step(state.data(), action, next.data(), position);
        std::swap(state, next);
    };
    for (const int64_t action : line) play(action);
    ActionList list;
    while (position.mover >= 0 && line.size() < Verdict::LONGEST) {
        const std::optional<std::size_t> best = deciding(game, state.data());
        if (!best) return;
        game.actions(state.data(), list);
        line.push_back(list.actions[*best]);
        play(line.back());
    }
}

bool Tables::agrees(const Game& game, int64_t material, uint64_t samples, Watch& watch) const {
    const Slice* slice = find(material);
    if (!slice) return false;
    const Numbering numbering(game, slice->listing());
    if (slice->size() != numbering.count(material)) return false;
    const uint64_t step = std::max<uint64_t>(slice->size() / std::max<uint64_t>(samples, 1), 1);
    StateBuffer state = game.buffer();
    Position position;
    uint64_t spread = 0;  // so that the step has no number in common with the places of the board
    for (uint64_t first = 0; first < slice->size(); first += step) {
        watch.node();
        spread = spread * 6364136223846793005u + 1442695040888963407u;
        const uint64_t index = std::min(first + (spread >> 33) % step, slice->size() - 1);
        if (!slice->holds(index) || !numbering.position(material, index, state.data())) continue;
        game.info(state.data(), position);
        if (position.mover < 0) continue;
        const std::optional<Verdict> expected = back_up(game, state.data());
        if (!expected) continue;
        Verdict kept;
        if (!probe(game, state.data(), kept) || kept.result != expected->result) return false;
        if (kept.distance != expected->distance && kept.slack == 0) return false;
        // What is a ply or two on may stand for no number of its own, and then for one that is as far on again.
        if (expected->distance > kept.distance + (kept.slack > 0 ? 4 : 0)) return false;
    }
    return true;
}

bool Tables::find_checked_draw(const Game& game, int64_t material, std::byte* state, Watch& watch) const {
    const Slice* slice = find(material);
    if (!slice) return false;
    const Numbering numbering(game, slice->listing());
    Position position;
    Verdict verdict;
    for (uint64_t number = 0; number < slice->size(); ++number) {
        watch.node();
        if (!numbering.position(material, number, state)) continue;
        game.info(state, position);
        if (position.mover < 0 || !probe(game, state, verdict) || verdict.result != 0) continue;
        if (!draws_quietly(game, state)) return true;
    }
    return false;
}

// Whether an action that gives no check leads to a draw.
bool Tables::draws_quietly(const Game& game, const std::byte* state) const {
    const Borrowed borrowed(game.state_size());
    Scratch& scratch = *borrowed;
    std::byte* child = scratch.child.data();
    game.actions(state, scratch.list);
    for (std::size_t i = 0; i < scratch.list.count; ++i) {
        game.step(state, scratch.list.actions[i], child, scratch.position);
        if (scratch.position.chance()) continue;
        const std::optional<Verdict> behind =
            scratch.position.terminal() ? verdict_of_end(game, child, scratch.position, 0) : look(game, child);
        const bool checks = !scratch.position.terminal() && game.is_check(child);
        if (behind && behind->result == 0 && !checks) return true;
    }
    return false;
}

}  // namespace zermelo
