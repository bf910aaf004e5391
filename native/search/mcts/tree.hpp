// The tree of Monte Carlo tree search: nodes of 48 bytes in one block of memory, addressed by 32-bit indices.
//
// The children of a node are adjacent and are created together. The statistics of a node are sums from the point of
// view of the player who moved into it, so that a mover compares its children without knowing whose turn comes next.
// Threads share the tree without locks: visits and sums only grow, proved bounds only tighten, and children become
// visible by one store of `first`.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <vector>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

#include "core/table.h"

namespace zermelo {

struct MctsNode {
    static constexpr int8_t UNSEEN = -3;  // the mover is not known yet
    static constexpr int8_t REPEATED = -4;  // the repetition rule ends the game there
    enum Closed : uint8_t { OPEN, FORBIDDEN, LEFT_OUT };  // forbidden by the repetition rule; not requested

    int64_t action = 0;  // the action that led here
    std::atomic<double> sum{0};
    std::atomic<double> lower{0};  // proved bounds of player 0's utility
    std::atomic<double> upper{0};
    std::atomic<uint32_t> visits{0};
    std::atomic<uint32_t> first{0};  // the index of the first child
    uint32_t count = 0;  // number of children; written before `first`
    std::atomic<uint16_t> pending{0};  // simulations under way through here: virtual losses
    std::atomic<int8_t> mover{UNSEEN};
    std::atomic<Closed> closed{OPEN};  // whether and why the action is not to be tried

    void copy(const MctsNode& other) {
        action = other.action;
        sum.store(other.sum.load(std::memory_order_relaxed), std::memory_order_relaxed);
        lower.store(other.lower.load(std::memory_order_relaxed), std::memory_order_relaxed);
        upper.store(other.upper.load(std::memory_order_relaxed), std::memory_order_relaxed);
        visits.store(other.visits.load(std::memory_order_relaxed), std::memory_order_relaxed);
        mover.store(other.mover.load(std::memory_order_relaxed), std::memory_order_relaxed);
        closed.store(other.closed.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
};
static_assert(sizeof(MctsNode) == 48);

// AMAF statistics of an action (all moves as first), initialised by the game's priors.
struct AmafStatistics {
    std::atomic<double> sum{0};
    std::atomic<double> weight{0};
};

// Adds to a shared value; with a single thread, without the cost of an atomic operation.
template <typename Number>
void add_to(std::atomic<Number>& total, Number amount, bool alone) {
    if (alone)
        total.store(static_cast<Number>(total.load(std::memory_order_relaxed) + amount), std::memory_order_relaxed);
    else total.fetch_add(amount, std::memory_order_relaxed);
}

class MctsTree {
public:
    static constexpr uint32_t NOTHING = 0;  // no child
    static constexpr uint32_t BUSY = 1;  // as a node's `first`: a thread is making its children
    static constexpr uint32_t ROOT = 1;  // as an index
    static constexpr double UNJUDGED = -1, JUDGING = -2;  // as the prior of the first child

    // `bytes` is the memory limit of the tree, including the memory for pruning.
    MctsTree(std::size_t bytes, bool with_priors, bool with_amaf)
        : with_priors_(with_priors), with_amaf_(with_amaf),
          capacity_(std::clamp<std::size_t>(bytes / 3 * 2 / bytes_per_node(), 16, UINT32_MAX)), block_(make()) {
        clear(0, 0);
    }

    void clear(double low, double high) {
        used_.store(ROOT + 1, std::memory_order_relaxed);
        new (&block_.nodes[ROOT]) MctsNode;
        open(ROOT, 0, low, high);
    }

    MctsNode& operator[](uint32_t index) { return block_.nodes[index]; }
    const MctsNode& operator[](uint32_t index) const { return block_.nodes[index]; }
    double prior(uint32_t index) const { return std::atomic_ref(block_.priors[index]).load(std::memory_order_relaxed); }
    void set_prior(uint32_t index, double prior) {
        std::atomic_ref(block_.priors[index]).store(prior, std::memory_order_relaxed);
    }
    // Whether the children of a node, from `first` on, have the priors of a policy, which may come later than they do.
    bool is_judged(uint32_t first) const {
        return std::atomic_ref(block_.priors[first]).load(std::memory_order_acquire) >= 0;
    }
    // Claims the judgement of a node for the caller; false if another thread has.
    bool claim_judgement(uint32_t first) {
        double unjudged = UNJUDGED;
        std::atomic_ref prior(block_.priors[first]);
        return prior.load(std::memory_order_relaxed) == UNJUDGED && prior.compare_exchange_strong(unjudged, JUDGING);
    }
    // Makes the priors visible, which end the claim.
    void set_priors(uint32_t first, std::span<const double> priors) {
        for (uint32_t i = 1; i < priors.size(); ++i) set_prior(first + i, priors[i]);
        std::atomic_ref(block_.priors[first]).store(priors[0], std::memory_order_release);
    }
    AmafStatistics& amaf(uint32_t index) { return block_.amaf[index]; }
    bool with_priors() const { return with_priors_; }
    bool with_amaf() const { return with_amaf_; }

    // Prefetches the children of `node`, the first of which a simulation will soon compare.
    void prefetch_children(const MctsNode& node) const {
        const uint32_t first = node.first.load(std::memory_order_acquire);
        if (first <= BUSY) return;
        const std::byte* begin = reinterpret_cast<const std::byte*>(&block_.nodes[first]);
        const std::size_t bytes = std::min<std::size_t>(node.count, 12) * sizeof(MctsNode);
        for (std::size_t at = 0; at < bytes; at += 64) __builtin_prefetch(begin + at);
    }

    // Allocates `count` adjacent nodes and returns the index of the first; NOTHING if there is no room.
    uint32_t allocate(std::size_t count) {
        const uint64_t at = used_.fetch_add(count, std::memory_order_relaxed);
        return at + count <= capacity_ ? static_cast<uint32_t>(at) : NOTHING;
    }

    void open(uint32_t index, int64_t action, double low, double high) {
        MctsNode& node = *new (&block_.nodes[index]) MctsNode;
        node.action = action;
        node.lower.store(low, std::memory_order_relaxed);
        node.upper.store(high, std::memory_order_relaxed);
        if (with_priors_) block_.priors[index] = 0;
        if (with_amaf_) new (&block_.amaf[index]) AmafStatistics;
    }

    std::size_t capacity() const { return capacity_; }
    bool full() const { return used_.load(std::memory_order_relaxed) > capacity_; }
    uint64_t size() const { return std::min<uint64_t>(used_.load(std::memory_order_relaxed), capacity_) - ROOT; }

    // Keeps the nodes below `root`, which becomes the root of the tree; of those with children, the most visited that
    // fit into `share` of the memory. Not thread-safe.
    void keep(uint32_t root, double share) {
        const uint32_t least = least_visits(root, static_cast<uint64_t>(share * static_cast<double>(capacity_)));
        Block old = std::move(block_);
        block_ = make();
        new (&block_.nodes[ROOT]) MctsNode;
        copy(old, root, ROOT);
        uint64_t used = ROOT + 1;
        std::vector<std::pair<uint32_t, uint32_t>> pending{{root, ROOT}};
        while (!pending.empty()) {
            const auto [from, to] = pending.back();
            pending.pop_back();
            const MctsNode& node = old.nodes[from];
            const uint32_t first = node.first.load(std::memory_order_relaxed);
            if (first <= BUSY || (from != root && node.visits.load(std::memory_order_relaxed) < least)) continue;
            block_.nodes[to].count = node.count;
            block_.nodes[to].first.store(static_cast<uint32_t>(used), std::memory_order_relaxed);
            for (uint32_t i = 0; i < node.count; ++i) {
                const uint32_t child = static_cast<uint32_t>(used + i);
                new (&block_.nodes[child]) MctsNode;
                copy(old, first + i, child);
                pending.emplace_back(first + i, child);
            }
            used += node.count;
        }
        used_.store(used, std::memory_order_relaxed);
    }

    // Removes all but the nodes of `kept`, each with its children, and writes their new indices there; the first
    // becomes the root. A node must precede its children. Works in place. Not thread-safe.
    void gather(const std::vector<uint32_t*>& kept) {
        struct Interval {
            uint32_t from, count;  // a range of children; the node itself if empty
            uint32_t* node;
        };
        std::vector<Interval> intervals;
        intervals.reserve(2 * kept.size());
        move(*kept[0], ROOT);
        *kept[0] = ROOT;
        for (uint32_t* node : kept) {
            if (*node != ROOT) intervals.push_back({*node, 0, node});
            intervals.push_back(
                {block_.nodes[*node].first.load(std::memory_order_relaxed), block_.nodes[*node].count, node});
        }
        std::sort(intervals.begin(), intervals.end(),
                  [](const Interval& a, const Interval& b) { return a.from < b.from; });
        uint32_t used = ROOT + 1;
        for (const Interval& interval : intervals) {
            for (uint32_t i = 0; i < std::max(interval.count, 1u); ++i) move(interval.from + i, used + i);
            if (interval.count == 0) *interval.node = used;
            else block_.nodes[*interval.node].first.store(used, std::memory_order_relaxed);
            used += std::max(interval.count, 1u);
        }
        used_.store(used, std::memory_order_relaxed);
    }

private:
    struct Release {
        void operator()(void* memory) const { std::free(memory); }
    };
    template <typename Element>
    using Memory = std::unique_ptr<Element[], Release>;
    struct Block {
        Memory<MctsNode> nodes;
        Memory<double> priors;
        Memory<AmafStatistics> amaf;
    };

    std::size_t bytes_per_node() const {
        return sizeof(MctsNode) + (with_priors_ ? sizeof(double) : 0) + (with_amaf_ ? sizeof(AmafStatistics) : 0);
    }

    // Memory is not touched before it is used, so that a small search takes little of it.
    template <typename Element>
    Memory<Element> reserve(bool wanted) const {
        if (!wanted) return nullptr;
        const std::size_t bytes = capacity_ * sizeof(Element);
        const std::size_t alignment = bytes >= HUGE_PAGE ? HUGE_PAGE : 64;
        void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
        if (!memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
        if (bytes >= HUGE_PAGE) madvise(memory, bytes, MADV_HUGEPAGE);  // far fewer TLB misses
#endif
        return Memory<Element>(static_cast<Element*>(memory));
    }

    Block make() const {
        return {reserve<MctsNode>(true), reserve<double>(with_priors_), reserve<AmafStatistics>(with_amaf_)};
    }

    // Moves a node with its statistics, and leaves its children where they are.
    void move(uint32_t from, uint32_t to) {
        if (from == to) return;
        new (&block_.nodes[to]) MctsNode;
        copy(block_, from, to);
        block_.nodes[to].count = block_.nodes[from].count;
        block_.nodes[to].first.store(block_.nodes[from].first.load(std::memory_order_relaxed),
                                     std::memory_order_relaxed);
    }

    void copy(const Block& old, uint32_t from, uint32_t to) {
        block_.nodes[to].copy(old.nodes[from]);
        if (with_priors_) block_.priors[to] = old.priors[from];
        if (with_amaf_) {
            AmafStatistics& amaf = *new (&block_.amaf[to]) AmafStatistics;
            amaf.sum.store(old.amaf[from].sum.load(std::memory_order_relaxed), std::memory_order_relaxed);
            amaf.weight.store(old.amaf[from].weight.load(std::memory_order_relaxed), std::memory_order_relaxed);
        }
    }

    // The number of visits that a node needs to keep its children. A child has no more visits than its parent, so the
    // kept nodes are connected.
    uint32_t least_visits(uint32_t root, uint64_t room) const {
        std::vector<std::pair<uint32_t, uint32_t>> families;  // visits of a parent, and its number of children
        std::vector<uint32_t> pending{root};
        uint64_t total = 0;
        while (!pending.empty()) {
            const MctsNode& node = block_.nodes[pending.back()];
            pending.pop_back();
            const uint32_t first = node.first.load(std::memory_order_relaxed);
            if (first <= BUSY) continue;
            families.emplace_back(node.visits.load(std::memory_order_relaxed), node.count);
            total += node.count;
            for (uint32_t i = 0; i < node.count; ++i) pending.push_back(first + i);
        }
        if (total <= room) return 0;
        std::sort(families.rbegin(), families.rend());
        uint64_t kept = 0;
        for (const auto& [visits, count] : families)
            if ((kept += count) > room) return visits == UINT32_MAX ? visits : visits + 1;
        return 0;
    }

    static constexpr std::size_t HUGE_PAGE = std::size_t{1} << 21;

    const bool with_priors_;
    const bool with_amaf_;
    const std::size_t capacity_;
    Block block_;
    std::atomic<uint64_t> used_{0};
};

}  // namespace zermelo
