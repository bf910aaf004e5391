// Builds one slice of endgame tables by retrograde analysis: the ends, and what leads out of the slice to slices that are built,
// are known; from there values pass back along the actions within the slice, distance by distance.
//
//     won in d     an action leads to a position lost in d - 1 by the opponent, and none to one lost in less
//     lost in d    all actions lead to positions won by the opponent, the slowest of them in d - 1
//     drawn        what is neither, when no position is left to pass on
//
// The numbers of the slice are shared out in blocks. Each thread plays every action of the positions of its blocks once; what
// they lead to within the slice is then turned around, into the list of the positions before each. A child that belongs to no
// slice, as one with a capture en passant, becomes a node of its own behind those of the slice.
//
// Where these lists do not fit, no edges are kept: the actions are played again for each distance, in the groups of numbers that
// lead to a number which the distance before has decided (`sweep.cpp`). That takes two bytes a number, and several times as long.
//
// With steps, distances are those to the action that leaves the slice, rounded up to whole steps, on top of the longest distance
// behind: so they never get larger on the way down, and few numbers tell them.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "solve/progress.hpp"
#include "solve/team.hpp"
#include "tables/tables.hpp"

namespace zermelo {

// Thrown where an action leads to a slice that is not built yet.
struct SliceMissing {
    int64_t material;
};

// What a builder is to do, and with how much.
struct SliceTask {
    int64_t material;
    uint32_t step = 1;  // plies
    std::size_t memory = std::size_t{1} << 32;
    unsigned threads = 1;
    SharedListing listing = nullptr;  // of the positions, where the game does not number them
};

class Groups;

class SliceBuilder {
public:
    SliceBuilder(const Game& game, const Tables& tables, const SliceTask& task, Watch& watch, SolveProgress& progress);

    // The cells of all numbers of the slice.
    std::vector<Cell> build();

    // With steps, for each number whether its position leads out of the slice by every action: it takes no place in a file.
    const std::vector<uint8_t>& leaves() const { return leaves_; }

    // How many numbers stand for an end of the game, whose cells say nothing.
    uint64_t ended() const { return ended_; }

    // Whether the first half of the numbers, or the second, follows from the other one by a look one ply ahead.
    bool follows(int half) const { return size_ % 2 == 0 && follows_[half]; }

private:
    using Node = uint32_t;  // a number of the slice, or one more than the last number for each position of no slice
    using Edge = uint32_t;  // a node, and in the last bit whether the same player moves in both positions

    static constexpr uint64_t BLOCK = 1 << 13;
    static constexpr uint64_t MOST_NODES = uint64_t{1} << 31;
    static constexpr uint16_t NEVER_LOST = UINT16_MAX;  // some action does not lose

    // Consecutive nodes, with the edges to their children one after the other.
    struct Block {
        Node first = 0;
        std::vector<uint16_t> degrees;
        std::vector<Edge> edges;
    };

    // A node that gets its verdict at some distance if it has none by then, and in the last bit whether it is won.
    using Candidate = uint32_t;
    struct Waiting {
        uint32_t distance;
        Candidate candidate;
    };

    // What one thread works with.
    struct Worker {
        explicit Worker(const Game& game) : state(game.buffer()), child(game.buffer()) {}

        StateBuffer state, child;
        Position position;
        ActionList list;
        uint64_t ended = 0;
        std::vector<Waiting> waiting;
    };

    // What an action leads to: a verdict where that is known for good, or a position of the slice or of none in `child`.
    struct Behind {
        std::optional<Verdict> verdict;
        bool same;  // whether the same player moves
        bool stray;  // the position is of no slice
    };

    // A thrown one ends an attempt to keep all edges.
    struct DoesNotFit {};

    bool build_by_edges();
    void explore();
    void explore_strays();
    void open_number(Worker& worker, Node number, Block& block);
    void open(Worker& worker, Node node, const std::byte* state, int32_t mover, Block& block);
    Behind play(Worker& worker, int64_t action, const std::byte* state, int32_t mover);
    uint64_t number_of(const std::byte* state) const;
    void note_half(uint64_t number, uint64_t child, bool stray);
    Node stray(const std::byte* state);
    void count_memory(std::size_t more);
    [[noreturn]] void refuse_rank(uint64_t node) const;
    void link();
    void resolve();
    void settle(Worker& worker, Candidate candidate, uint32_t distance);
    void collect(Worker& worker);
    void round_up();

    void sweep();
    void survey(Groups& groups);
    void sweep_once(Groups& groups, uint32_t distance);
    std::optional<Verdict> verdict_now(Worker& worker, const std::byte* state, int32_t mover, int plies);

    const Game& game_;
    const Tables& tables_;
    const SliceTask task_;
    const Numbering numbering_;
    Watch& outer_;  // asks the caller
    Watch watch_;  // of an attempt to keep all edges, whose threads end when they do not fit
    ThreadTeam team_;
    SolveProgress& progress_;
    const uint64_t size_;
    std::atomic<uint32_t> behind_{0};  // the longest distance after an action that leaves the slice
    std::vector<uint8_t> leaves_;
    std::atomic<std::size_t> bytes_{0};
    std::atomic<uint64_t> ended_{0};
    std::atomic<bool> follows_[2]{true, true};

    std::vector<Block> blocks_;
    std::vector<Cell> cells_;  // DRAWN as long as nothing is known
    std::vector<uint16_t> open_;  // children that are not known to lose
    std::vector<uint16_t> slowest_;  // plies to the end of the slowest exit, where all exits lose
    std::vector<uint32_t> ends_;  // of the lists of edges
    std::vector<Edge> before_;
    std::vector<std::vector<Candidate>> pending_;  // by distance

    std::mutex lock_;  // of what follows
    std::unordered_map<std::string, Node> stray_numbers_;
    std::vector<std::string> strays_;  // positions of no slice
};

}  // namespace zermelo
