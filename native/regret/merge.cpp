// Merges information sets that are equal up to renaming, such as the suits of cards.
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "core/hash.hpp"
#include "regret/form.hpp"

namespace zermelo::regret {
namespace {

using Colours = std::vector<std::vector<uint64_t>>;

uint64_t payoff_colour(double payoff, double greatest) {
    return static_cast<uint64_t>(std::llround(payoff / greatest * 0x1p40));
}

// A colour for the ends of one sequence, independent of their order.
uint64_t ends_colour(const Form& form, int p, std::size_t s, double greatest, const Colours& colours) {
    const Side& side = form.sides[p];
    const int rivals = form.players() - 1;
    uint64_t sum = 0;
    for (int64_t i = side.start[s]; i < side.start[s + 1]; ++i) {
        uint64_t hash = payoff_colour(side.payoff[i], greatest);
        for (int q = 0; q < rivals; ++q) hash = mix(hash, colours[q < p ? q : q + 1][side.others[i * rivals + q]]);
        sum += splitmix(hash);
    }
    return sum;
}

// One round: up the player's forest, so that a colour depends on what follows, and down again, so that it depends on
// the past.
std::vector<uint64_t> refine(const Form& form, int p, double greatest, const Colours& colours) {
    const Side& side = form.sides[p];
    std::vector<uint64_t> found(side.sequences()), sets(side.sets());
    for (std::size_t s = 0; s < found.size(); ++s)
        found[s] = mix(ends_colour(form, p, s, greatest, colours), colours[p][s]);
    for (std::size_t set = side.sets(); set-- > 0;) {
        uint64_t hash = static_cast<uint64_t>(side.first[set + 1] - side.first[set]);
        for (int32_t s = side.first[set]; s < side.first[set + 1]; ++s) hash = mix(hash, found[s]);
        sets[set] = hash;
        found[side.after[set]] += splitmix(hash);
    }
    for (std::size_t set = 0; set < side.sets(); ++set)
        for (int32_t s = side.first[set]; s < side.first[set + 1]; ++s)
            found[s] = mix(mix(found[side.after[set]], sets[set]), static_cast<uint64_t>(s - side.first[set]));
    return found;
}

std::size_t count(const Colours& colours) {
    std::size_t classes = 0;
    for (const auto& own : colours) classes += std::unordered_set<uint64_t>(own.begin(), own.end()).size();
    return classes;
}

Colours stable_colours(const Form& form) {
    double greatest = 0;
    for (const Side& side : form.sides)
        for (const double payoff : side.payoff) greatest = std::max(greatest, std::abs(payoff));
    Colours colours;
    for (const Side& side : form.sides) colours.emplace_back(side.sequences(), 0);
    for (std::size_t before = 0, now = 1; now > before;) {
        for (int p = 0; p < form.players(); ++p) colours[p] = refine(form, p, greatest, colours);
        before = now;
        now = count(colours);
    }
    return colours;
}

// The classes of one player in the order found; the first set of a class represents it.
std::vector<int32_t> classify(const Side& side, const std::vector<uint64_t>& colours, Side& merged) {
    std::vector<int32_t> classes(side.sequences(), 0);
    std::unordered_map<uint64_t, int32_t> known;
    for (std::size_t set = 0; set < side.sets(); ++set) {
        const auto [entry, unseen] = known.try_emplace(colours[side.first[set]], merged.first.back());
        const int32_t width = side.first[set + 1] - side.first[set];
        if (unseen) {
            merged.after.push_back(classes[side.after[set]]);
            merged.first.push_back(merged.first.back() + width);
        }
        for (int32_t i = 0; i < width; ++i) classes[side.first[set] + i] = entry->second + i;
    }
    return classes;
}

}  // namespace

Merged merge(const Form& form) {
    const Colours colours = stable_colours(form);
    const int players = form.players();
    Merged merged;
    merged.form.sides.resize(players);
    for (int p = 0; p < players; ++p)
        merged.classes.push_back(classify(form.sides[p], colours[p], merged.form.sides[p]));
    // Each player's terms are merged separately, since a term with payoff 0 to a player is not listed for it.
    for (int p = 0; p < players; ++p) {
        const Side& side = form.sides[p];
        Ends ends;
        for (std::size_t s = 0; s < side.sequences(); ++s)
            for (int64_t i = side.start[s]; i < side.start[s + 1]; ++i)
                for (int q = 0, other = 0; q < players; ++q) {
                    const int32_t sequence =
                        q == p ? static_cast<int32_t>(s) : side.others[i * (players - 1) + other++];
                    ends.sequences.push_back(merged.classes[q][sequence]);
                    ends.payoffs.push_back(q == p ? side.payoff[i] : 0.0);
                }
        place_terms(merged.form.sides[p], std::move(ends), players, p);
    }
    return merged;
}

}  // namespace zermelo::regret
