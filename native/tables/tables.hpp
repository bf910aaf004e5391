// Endgame tables: for the positions of some slices of a game, what they are worth to their player to move, and the plies to
// the end when the winner takes the shortest way and the loser the longest.
//
// They hold for the game without a count of moves (`plies_left`) and without its history; endless play is a draw.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/game.hpp"
#include "core/watch.hpp"

namespace zermelo {

// What a position is worth to its player to move.
struct Verdict {
    static constexpr uint32_t LONGEST = 32767;  // plies

    int result = 0;  // 1 won, 0 drawn, -1 lost
    uint32_t distance = 0;  // plies to the end; 0 for a draw

    bool operator==(const Verdict&) const = default;

    // The greater, the better for the player to move: quicker wins, then draws, then slower losses.
    int32_t worth() const { return result * static_cast<int32_t>(2 * LONGEST - distance); }

    // The same seen one ply earlier, by the player who moved: the same one, or the opponent.
    Verdict before(bool same) const { return {same ? result : -result, result == 0 ? 0 : distance + 1}; }
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
    return cell <= NOTHING ? Verdict{} : Verdict{cell & 1 ? 1 : -1, static_cast<uint32_t>(cell >> 1)};
}

// The verdict of an end for `player`; nothing where its utility is neither a win nor a draw nor a loss.
std::optional<Verdict> verdict_of_end(const Game& game, const std::byte* state, const Position& position,
                                      int32_t player);

// The cells of one slice, as numbers of a palette of one byte or two each.
class Slice {
public:
    // Throws std::invalid_argument if a code lies outside the palette.
    Slice(std::vector<Cell> palette, std::vector<uint8_t> codes);

    uint64_t size() const { return size_; }
    Cell at(uint64_t index) const {
        if (!wide_) return palette_[codes_[index]];
        uint16_t code;
        std::memcpy(&code, &codes_[2 * index], sizeof code);
        return palette_[code];
    }
    std::size_t bytes() const { return codes_.size(); }

private:
    std::vector<Cell> palette_;
    std::vector<uint8_t> codes_;
    bool wide_;
    uint64_t size_;
};

class Tables {
public:
    void add(int64_t material, Slice slice) { slices_.insert_or_assign(material, std::move(slice)); }
    bool empty() const { return slices_.empty(); }
    const Slice* find(int64_t material) const {
        const auto found = slices_.find(material);
        return found == slices_.end() ? nullptr : &found->second;
    }

    // The verdict of a position in which a player moves; false if it is in no slice here.
    bool probe(const Game& game, const std::byte* state, Verdict& verdict) const {
        const int64_t material = game.material(state);
        if (material < 0) return false;
        const Slice* slice = find(material);
        if (!slice) return false;
        verdict = verdict_of(slice->at(rank_in(game, *slice, state)));
        return true;
    }

    // The same where a position of no slice is looked into: a few plies on, all positions have to be here.
    std::optional<Verdict> look(const Game& game, const std::byte* state, int plies = 3) const;

    // What the positions after `state` say of it, in which a player moves.
    std::optional<Verdict> back_up(const Game& game, const std::byte* state, int plies = 3) const;

    // The actions of `state`, with what each is worth to who takes it; nothing for one that leads out of the slices.
    std::vector<std::pair<int64_t, std::optional<Verdict>>> children(const Game& game, const std::byte* state,
                                                                     int plies = 3) const;

    // The index of the best action of a position that is won or lost; nothing if it is drawn, or in no slice here.
    std::optional<std::size_t> deciding(const Game& game, const std::byte* state) const;

    // Whether about `samples` positions of a slice are worth what the positions after them say, as far as these are here.
    bool agrees(const Game& game, int64_t material, uint64_t samples, Watch& watch) const;

    static uint64_t rank_in(const Game& game, const Slice& slice, const std::byte* state) {
        const int64_t rank = game.rank(state);
        if (rank < 0 || static_cast<uint64_t>(rank) >= slice.size()) [[unlikely]]
            throw RuleError("rank", ZERMELO_BREACH, state, game.state_size(), rank);
        return static_cast<uint64_t>(rank);
    }

private:
    std::unordered_map<int64_t, Slice> slices_;
};

}  // namespace zermelo
