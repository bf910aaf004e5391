#include "regret/form.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace zermelo::regret {
namespace {

constexpr int64_t NONE = -1;

// For each node the last action of every player, as an index into `Tree::offsets`, and the chance probability of the
// path.
struct Paths {
    std::vector<int32_t> last;
    std::vector<double> reach;
};

Paths follow(const Tree& tree, const std::vector<int64_t>& offsets) {
    const std::size_t players = static_cast<std::size_t>(tree.players);
    Paths paths{std::vector<int32_t>(tree.nodes() * players, NONE), std::vector<double>(tree.nodes(), 1.0)};
    for (std::size_t node = 0; node < tree.nodes(); ++node)
        for (int32_t i = 0; i < tree.count[node]; ++i) {
            const std::size_t child = static_cast<std::size_t>(tree.first[node] + i);
            std::copy_n(&paths.last[node * players], players, &paths.last[child * players]);
            paths.reach[child] = paths.reach[node] * tree.chance[child];
            const int32_t set = tree.infoset[node];
            if (set >= 0) paths.last[child * players + tree.owner[set]] = static_cast<int32_t>(offsets[set] + i);
        }
    return paths;
}

// The owner's last action before each information set; all of its nodes must have the same.
std::vector<int64_t> befores(const Tree& tree, const Paths& paths) {
    constexpr int64_t unknown = -2;
    std::vector<int64_t> before(tree.owner.size(), unknown);
    for (std::size_t node = 0; node < tree.nodes(); ++node) {
        const int32_t set = tree.infoset[node];
        if (set < 0) continue;
        const int64_t last = paths.last[node * tree.players + tree.owner[set]];
        if (before[set] == unknown) before[set] = last;
        if (before[set] != last) throw RecallError(set);
    }
    return before;
}

// Numbers the information sets of each player in preorder; `numbers` receives the sequence of each action.
Origin number(const Tree& tree, const std::vector<int64_t>& offsets, const std::vector<int64_t>& before,
              std::vector<int32_t>& numbers) {
    const std::size_t sets = tree.owner.size(), actions = static_cast<std::size_t>(offsets.back());
    std::vector<int32_t> next(sets, NONE), head(actions + tree.players, NONE);
    for (std::size_t set = sets; set-- > 0;) {  // so that lists begin with the set found first
        const std::size_t place =
            before[set] == NONE ? actions + tree.owner[set] : static_cast<std::size_t>(before[set]);
        next[set] = head[place];
        head[place] = static_cast<int32_t>(set);
    }
    numbers.assign(actions, 0);
    Origin origin;
    origin.form.sides.resize(tree.players);
    origin.places.assign(tree.players, {NONE});
    std::vector<int32_t> pending;
    for (int p = 0; p < tree.players; ++p) {
        Side& side = origin.form.sides[p];
        pending.assign(1, head[actions + p]);
        while (!pending.empty()) {
            const int32_t set = pending.back();
            if (set == NONE) {
                pending.pop_back();
                continue;
            }
            pending.back() = next[set];
            side.after.push_back(before[set] == NONE ? 0 : numbers[before[set]]);
            for (int32_t i = 0; i < tree.width[set]; ++i) {
                numbers[offsets[set] + i] = side.first.back() + i;
                origin.places[p].push_back(offsets[set] + i);
            }
            side.first.push_back(side.first.back() + tree.width[set]);
            for (int32_t i = tree.width[set]; i-- > 0;) pending.push_back(head[offsets[set] + i]);
        }
    }
    return origin;
}

// Sorts the ends by their sequences and merges those with the same.
void add_up(Ends& ends, std::size_t players) {
    const std::size_t count = ends.sequences.size() / players;
    const auto row = [&](std::size_t end) { return &ends.sequences[end * players]; };
    // The first two sequences as one number: enough to sort the ends of two players without further comparisons.
    std::vector<std::pair<uint64_t, uint32_t>> order(count);
    for (std::size_t end = 0; end < count; ++end) {
        const uint64_t second = players > 1 ? static_cast<uint32_t>(row(end)[1]) : 0;
        order[end] = {static_cast<uint64_t>(row(end)[0]) << 32 | second, static_cast<uint32_t>(end)};
    }
    std::ranges::sort(order, [&](const auto& a, const auto& b) {
        if (a.first != b.first) return a.first < b.first;
        const auto rest = std::lexicographical_compare_three_way(row(a.second), row(a.second) + players, row(b.second),
                                                                 row(b.second) + players);
        return rest != 0 ? rest < 0 : a.second < b.second;
    });
    Ends kept;
    for (const auto& [key, end] : order) {
        const bool same =
            !kept.sequences.empty() && std::equal(row(end), row(end) + players, kept.sequences.end() - players);
        if (!same) {
            kept.sequences.insert(kept.sequences.end(), row(end), row(end) + players);
            kept.payoffs.resize(kept.payoffs.size() + players, 0.0);
        }
        for (std::size_t p = 0; p < players; ++p)
            kept.payoffs[kept.payoffs.size() - players + p] += ends.payoffs[end * players + p];
    }
    ends = std::move(kept);
}

// The ends by the sequences of player p, without those whose payoff to p is 0.
void list_terms(Side& side, const Ends& ends, std::size_t players, std::size_t p) {
    const std::size_t count = ends.sequences.size() / players;
    side.start.assign(side.sequences() + 1, 0);
    for (std::size_t end = 0; end < count; ++end)
        if (ends.payoffs[end * players + p] != 0) ++side.start[ends.sequences[end * players + p] + 1];
    std::partial_sum(side.start.begin(), side.start.end(), side.start.begin());
    side.payoff.resize(side.start.back());
    side.others.resize(side.start.back() * (players - 1));
    std::vector<int64_t> place(side.start.begin(), side.start.end() - 1);
    for (std::size_t end = 0; end < count; ++end) {
        if (ends.payoffs[end * players + p] == 0) continue;
        const int64_t at = place[ends.sequences[end * players + p]]++;
        side.payoff[at] = ends.payoffs[end * players + p];
        for (std::size_t q = 0, i = 0; q < players; ++q)
            if (q != p) side.others[at * (players - 1) + i++] = ends.sequences[end * players + q];
    }
}

}  // namespace

void place_terms(Side& side, Ends ends, int players, int p) {
    add_up(ends, static_cast<std::size_t>(players));
    list_terms(side, ends, static_cast<std::size_t>(players), static_cast<std::size_t>(p));
}

Origin make_form(const Tree& tree) {
    const std::vector<int64_t> offsets = tree.offsets();
    const Paths paths = follow(tree, offsets);
    const std::vector<int64_t> before = befores(tree, paths);
    std::vector<int32_t> numbers;
    Origin origin = number(tree, offsets, before, numbers);
    const std::size_t players = static_cast<std::size_t>(tree.players);
    Ends ends;
    for (std::size_t node = 0; node < tree.nodes(); ++node) {
        if (tree.infoset[node] != END_NODE || paths.reach[node] == 0) continue;
        for (std::size_t p = 0; p < players; ++p) {
            const int32_t last = paths.last[node * players + p];
            ends.sequences.push_back(last == NONE ? 0 : numbers[last]);
            ends.payoffs.push_back(paths.reach[node] * tree.payoffs[tree.first[node] * players + p]);
        }
    }
    add_up(ends, players);
    for (std::size_t p = 0; p < players; ++p) list_terms(origin.form.sides[p], ends, players, p);
    return origin;
}

}  // namespace zermelo::regret
