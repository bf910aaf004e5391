// Endgame tables: for the positions of some slices of a game, what they are worth to their player to move, and the plies to
// the end when the winner takes the shortest way and the loser the longest. A slice may tell these in steps only: then they are a
// bound, which gets less by a step within so many plies, if the winner wants it to.
//
// They hold for the game without a count of moves (`plies_left`) and without its history; endless play is a draw.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/game.hpp"
#include "core/watch.hpp"
#include "tables/listing.hpp"

namespace zermelo {

// What a position is worth to its player to move.
struct Verdict {
    static constexpr uint32_t LONGEST = 32767;  // plies

    int result = 0;  // 1 won, 0 drawn, -1 lost
    uint32_t distance = 0;  // plies to the end, at most; 0 for a draw
    uint32_t slack = 0;  // by how much the distance may be too large among those of its slice; 0: it is exact

    // The distance at least, compared with those of other positions.
    uint32_t least() const { return distance - std::min(slack, distance); }

    bool operator==(const Verdict&) const = default;

    // The greater, the better for the player to move: quicker wins, then draws, then slower losses.
    int32_t worth() const { return result * static_cast<int32_t>(2 * LONGEST - distance); }

    // The same seen one ply earlier, by the player who moved: the same one, or the opponent.
    Verdict before(bool same) const { return {same ? result : -result, result == 0 ? 0 : distance + 1, slack}; }
};

// What a search is after whose root is won or lost by tables that know the distance in steps only: a position that is nearer to
// the end for certain. The same winner's positions that may be as far away as the root settle nothing.
struct WayDown {
    int32_t winner = -1;  // nobody: all positions settle
    uint32_t goal = 0;  // plies
    uint32_t most = 0;  // no position on the way is farther from the end

    WayDown() = default;
    WayDown(const Verdict& root, int32_t mover) {
        if (root.result == 0 || root.slack == 0) return;
        winner = root.result > 0 ? mover : 1 - mover;
        goal = root.least();
        most = root.distance + 2;  // the bound of a position that is not kept is one of two plies on
    }
    bool operator==(const WayDown&) const = default;

    bool goes_back(const Verdict& verdict) const { return verdict.distance > most; }

    // Whether a position in which `mover` moves lies on the way, no nearer to the end than the root may be.
    bool leads_through(const Verdict& verdict, int32_t mover) const {
        return verdict.slack > 0 && winner >= 0 && verdict.distance > goal && verdict.result != 0 &&
               winner == (verdict.result > 0 ? mover : 1 - mover);
    }
};

// A verdict in 16 bits.
using Cell = uint16_t;
constexpr Cell DRAWN = 0;
constexpr Cell NOTHING = 1;  // an end of the game, or a number that stands for no position

constexpr Cell cell_of(bool won, uint32_t distance) { return static_cast<Cell>(distance << 1 | (won ? 1 : 0)); }
inline Cell cell_of(const Verdict& verdict) {
    return verdict.result == 0 ? DRAWN : cell_of(verdict.result > 0, verdict.distance);
}
inline Verdict verdict_of(Cell cell) {
    return cell <= NOTHING ? Verdict{} : Verdict{cell & 1 ? 1 : -1, static_cast<uint32_t>(cell >> 1), 0};
}

// The verdict of an end for `player`; nothing where its utility is neither a win nor a draw nor a loss.
std::optional<Verdict> verdict_of_end(const Game& game, const std::byte* state, const Position& position,
                                      int32_t player);

// How the positions of a slice are numbered: by the game, or by their place in a list.
class Numbering {
public:
    Numbering(const Game& game, const Listing* listing) : game_(game), listing_(listing) {}

    uint64_t count(int64_t material) const { return listing_ ? listing_->size() : game_.slice_size(material); }

    // Writes the position of a number; false if it stands for none.
    bool position(int64_t material, uint64_t number, std::byte* state) const {
        if (!listing_) return game_.unrank(material, number, state);
        listing_->state(number, state);
        return true;
    }

    // The number, below `count`, of a position of the slice; nothing if it is not listed.
    std::optional<uint64_t> find(const std::byte* state, uint64_t count) const {
        if (listing_) return listing_->find(state);
        const int64_t rank = game_.rank(state);
        if (rank < 0 || static_cast<uint64_t>(rank) >= count) [[unlikely]]
            throw RuleError("rank", ZERMELO_BREACH, state, game_.state_size(), rank);
        return static_cast<uint64_t>(rank);
    }

private:
    const Game& game_;
    const Listing* listing_;
};

// The cells of one slice, as numbers of a palette of one byte or two each: those of all numbers, or of one half, from which the
// other one follows by a look at the positions one ply on. Where distances come in steps, neither are those positions kept in
// which every action leaves the slice.
class Slice {
public:
    // `size` numbers, of which those from `first` on have the codes; `listing`, which may be null, has their positions. Throws
    // std::invalid_argument if they do not fit, or if a code lies outside the palette.
    Slice(uint64_t size, uint64_t first, uint32_t step, std::vector<Cell> palette, std::vector<uint8_t> codes,
          SharedListing listing = nullptr);

    uint64_t size() const { return size_; }
    const Listing* listing() const { return listing_.get(); }
    // The number of a position; nothing if it is not among those that are listed.
    std::optional<uint64_t> number_of(const Game& game, const std::byte* state) const {
        return Numbering(game, listing()).find(state, size_);
    }
    bool holds(uint64_t index) const { return index - first_ < held_; }
    bool in_steps() const { return step_ > 1; }
    Verdict at(uint64_t index) const {
        Verdict verdict = verdict_of(cell(index));
        if (verdict.result != 0) verdict.slack = step_ - 1;
        return verdict;
    }

private:
    Cell cell(uint64_t index) const {
        if (!wide_) return palette_[codes_[index - first_]];
        uint16_t code;
        std::memcpy(&code, &codes_[2 * (index - first_)], sizeof code);
        return palette_[code];
    }

    uint64_t size_;
    uint64_t first_;
    uint32_t step_;
    std::vector<Cell> palette_;
    std::vector<uint8_t> codes_;
    SharedListing listing_;
    bool wide_;
    uint64_t held_;
};

using SharedSlice = std::shared_ptr<const Slice>;

class Tables {
public:
    using Loader = std::function<SharedSlice()>;

    void add(int64_t material, SharedSlice slice) {
        slices_.insert_or_assign(material, std::make_shared<Place>(std::move(slice)));
    }
    // A slice that is loaded when it is first asked, perhaps by several threads at once, of which one is heeded.
    void add(int64_t material, Loader loader) {
        slices_.insert_or_assign(material, std::make_shared<Place>(std::move(loader)));
    }
    void remove(int64_t material) { slices_.erase(material); }
    const Slice* find(int64_t material) const {
        const auto found = slices_.find(material);
        return found == slices_.end() ? nullptr : found->second->slice();
    }

    // The verdict of a position in which a player moves; false if it is in no slice here.
    bool probe(const Game& game, const std::byte* state, Verdict& verdict) const {
        const int64_t material = game.material(state);
        if (material < 0) return false;
        return probe_slice(game, material, state, verdict, MOST_LOOKS);
    }

    // The plies to the end at least of a position that is won or lost; the greatest number if it is not, or in no slice here.
    uint32_t least_distance(const Game& game, const std::byte* state) const {
        Verdict verdict;
        const bool decided = probe(game, state, verdict) && verdict.result != 0;
        return decided ? verdict.least() : std::numeric_limits<uint32_t>::max();
    }

    // The same where a position of no slice is looked into: a few plies on, all positions have to be here.
    std::optional<Verdict> look(const Game& game, const std::byte* state, int plies = 3) const;

    // What the positions after `state` say of it, in which a player moves.
    std::optional<Verdict> back_up(const Game& game, const std::byte* state, int plies = 3) const;

    // The actions of `state`, with what each is worth to who takes it; nothing for one that leads out of the slices.
    std::vector<std::pair<int64_t, std::optional<Verdict>>> children(const Game& game, const std::byte* state,
                                                                     int plies = 3) const;

    // The index of the best action of a position that is won or lost; nothing if it is drawn, in no slice here, or if its
    // distance is not exact.
    std::optional<std::size_t> deciding(const Game& game, const std::byte* state) const;

    // Goes on with a line of play from `root` to the end of the game, where it ends in a position that is won or lost.
    void go_on(const Game& game, const std::byte* root, std::vector<int64_t>& line) const;

    // Whether about `samples` positions of a slice are worth what the positions after them say, as far as these are here. A
    // distance in steps is one that the way down can keep to.
    bool agrees(const Game& game, int64_t material, uint64_t samples, Watch& watch) const;

    // Writes a drawn position of a slice in which only checks keep the draw; false if there is none. Where perpetual check loses,
    // draws hold if there is none: whoever is to move keeps them by quiet actions. Wins hold, as on their way no position recurs.
    bool find_checked_draw(const Game& game, int64_t material, std::byte* state, Watch& watch) const;

private:
    // How many plies a look goes on for a position that is not kept. More are no tables of a game.
    static constexpr int MOST_LOOKS = 128;

    // A slice that is here, or is going to be.
    class Place {
    public:
        explicit Place(SharedSlice slice) : kept_(std::move(slice)), slice_(kept_.get()) {}
        explicit Place(Loader loader) : loader_(std::move(loader)) {}

        const Slice* slice() {
            const Slice* found = slice_.load(std::memory_order_acquire);
            return found ? found : load();
        }

    private:
        const Slice* load();

        Loader loader_;
        SharedSlice kept_;
        std::atomic<const Slice*> slice_{nullptr};
        std::atomic_flag taken_;
    };

    bool probe_slice(const Game& game, int64_t material, const std::byte* state, Verdict& verdict, int looks) const {
        const Slice* slice = find(material);
        if (!slice) return false;
        const std::optional<uint64_t> number = slice->number_of(game, state);
        if (!number) return false;
        const bool held = slice->holds(*number);
        if (!held || slice->in_steps()) return looks > 0 && derive(game, *slice, material, state, verdict, looks);
        verdict = slice->at(*number);
        return true;
    }
    bool draws_quietly(const Game& game, const std::byte* state) const;
    static bool keeps(const Game& game, const Slice& slice, const std::byte* state);
    bool derive(const Game& game, const Slice& slice, int64_t material, const std::byte* state, Verdict& verdict,
                int looks) const;

    std::unordered_map<int64_t, std::shared_ptr<Place>> slices_;
};

}  // namespace zermelo
