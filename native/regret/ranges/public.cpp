#include "regret/ranges/public.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace zermelo::regret {
namespace {

constexpr int32_t most_cards = 1024;
constexpr int64_t max_numbers = int64_t{1} << 34;  // limit of a player's strategy

void require(bool holds, const char* what) {
    if (!holds) throw PublicError(what);
}

// Checks a node, and computes its index among nodes of its kind.
void enlist(Street& street, int32_t number, std::vector<bool>& entered) {
    PublicNode& node = street.nodes[number];
    require(node.kind >= SHOWDOWN && node.kind <= 1, "a node is of no known kind");
    require(entered[number], "a node has no parent");
    if (node.kind == DEAL) street.deals.push_back(number);
    if (node.kind < 0) return;
    require(node.count >= 1 && node.first > number &&
                int64_t{node.first} + node.count <= static_cast<int64_t>(street.nodes.size()),
            "a node's children lie outside the street");
    node.place = static_cast<int32_t>(street.actions[node.kind]);
    street.actions[node.kind] += node.count;
    for (int32_t i = node.first; i < node.first + node.count; ++i) {
        require(!entered[i], "a node has two parents");
        entered[i] = true;
    }
}

void join(Part& part, PublicNode& node, int32_t number) {
    part.nodes.push_back(number);
    if (node.kind >= 0) {
        node.row = static_cast<int32_t>(part.actions[node.kind]);
        part.actions[node.kind] += node.count;
        return;
    }
    node.row = static_cast<int32_t>(part.leaves());
    (node.kind == DEAL ? part.deals : node.kind == FIXED ? part.fixed : part.showdowns).push_back(number);
}

// Splits the forest between its trees, largest first.
void cut(Street& street) {
    constexpr std::size_t enough = 24;
    std::vector<int32_t> root(street.nodes.size()), sizes(street.roots, 0), order(street.roots), part(street.roots, 0);
    for (int32_t i = 0; i < static_cast<int32_t>(street.nodes.size()); ++i) {
        if (i < street.roots) root[i] = order[i] = i;
        ++sizes[root[i]];
        const PublicNode& node = street.nodes[i];
        if (node.kind >= 0) std::fill_n(root.begin() + node.first, node.count, root[i]);
    }
    std::ranges::stable_sort(order, std::greater<>(), [&](int32_t tree) { return sizes[tree]; });
    std::size_t size = 0;
    for (const int32_t tree : order) {
        if (street.parts.empty() || (street.deals.empty() && size >= enough)) {
            street.parts.emplace_back();
            size = 0;
        }
        part[tree] = static_cast<int32_t>(street.parts.size()) - 1;
        street.parts.back().roots.push_back(tree);
        size += static_cast<std::size_t>(sizes[tree]);
    }
    for (int32_t i = 0; i < static_cast<int32_t>(street.nodes.size()); ++i)
        join(street.parts[part[root[i]]], street.nodes[i], i);
}

// The index of each hand of a range on a board, -1 if it is blocked.
std::vector<int32_t> places(const Hands& hands, std::size_t range) {
    std::vector<int32_t> found(range, -1);
    for (std::size_t i = 0; i < hands.size(); ++i) found[hands.order[i]] = static_cast<int32_t>(i);
    return found;
}

}  // namespace

PublicGame::PublicGame(const PublicArrays& arrays) : cards(arrays.cards), sum(arrays.sum), weights(arrays.weights) {
    require(cards >= 0 && cards <= most_cards && std::isfinite(sum), "there are too many cards");
    read_ranges(arrays);
    read_streets(arrays);
    read_boards(arrays);
    weigh();
}

void PublicGame::read_ranges(const PublicArrays& arrays) {
    for (int p = 0; p < 2; ++p) {
        require(!weights[p].empty() && arrays.held[p].size() == 2 * weights[p].size(), "a range has no hands");
        require(std::ranges::all_of(weights[p], [](double w) { return w >= 0 && std::isfinite(w); }),
                "a weight is negative or no number");
        require(std::ranges::all_of(arrays.held[p], [&](int32_t card) { return card >= -1 && card < cards; }),
                "a hand holds no card of the deck");
    }
}

void PublicGame::read_streets(const PublicArrays& arrays) {
    const std::size_t nodes = arrays.kind.size();
    require(arrays.first.size() == nodes && arrays.count.size() == nodes && arrays.payoffs.size() == 3 * nodes &&
                arrays.street_roots.size() == arrays.street_nodes.size(),
            "the arrays of nodes differ in length");
    require(std::ranges::all_of(arrays.payoffs, [](double u) { return std::isfinite(u); }), "a payoff is not finite");
    std::size_t at = 0;
    for (std::size_t s = 0; s < arrays.street_nodes.size(); ++s) {
        const int64_t size = arrays.street_nodes[s];
        require(size >= 1 && static_cast<uint64_t>(size) <= nodes - at, "a street has nodes outside the arrays");
        require(arrays.street_roots[s] >= 1 && arrays.street_roots[s] <= size, "a street has no roots");
        Street street;
        street.roots = arrays.street_roots[s];
        for (std::size_t i = at; i < at + static_cast<std::size_t>(size); ++i)
            street.nodes.push_back({arrays.kind[i],
                                    arrays.first[i],
                                    arrays.count[i],
                                    {arrays.payoffs[3 * i], arrays.payoffs[3 * i + 1], arrays.payoffs[3 * i + 2]}});
        std::vector<bool> entered(street.nodes.size(), false);
        std::fill_n(entered.begin(), street.roots, true);
        for (int32_t i = 0; i < size; ++i) enlist(street, i, entered);
        cut(street);
        streets.push_back(std::move(street));
        at += static_cast<std::size_t>(size);
    }
    require(at == nodes, "there are nodes of no street");
}

void PublicGame::read_boards(const PublicArrays& arrays) {
    const std::size_t count = arrays.parent.size();
    require(count >= 1 && arrays.street.size() == count && arrays.probability.size() == count &&
                arrays.sizes[0].size() == count && arrays.sizes[1].size() == count &&
                arrays.order[0].size() == arrays.level[0].size() && arrays.order[1].size() == arrays.level[1].size(),
            "the arrays of boards differ in length");
    std::array<std::size_t, 2> at{};
    std::vector<std::size_t> level(count, 1);
    for (std::size_t b = 0; b < count; ++b) {
        Board board{arrays.parent[b], arrays.street[b], arrays.probability[b]};
        require(b == 0 ? board.parent == -1 : board.parent >= 0 && board.parent < static_cast<int64_t>(b),
                "a board comes before the one it grew from");
        require(board.street >= 0 && board.street < static_cast<int64_t>(streets.size()), "a board has no such street");
        require(board.probability >= 0 && board.probability <= 1, "a board's chance is no probability");
        const std::size_t roots = b == 0 ? 1 : streets[boards[board.parent].street].deals.size();
        require(static_cast<std::size_t>(streets[board.street].roots) == roots,
                "a street does not follow the deals before it");
        for (int p = 0; p < 2; ++p) {
            require(arrays.sizes[p][b] >= 0 &&
                        static_cast<std::size_t>(arrays.sizes[p][b]) <= arrays.order[p].size() - at[p],
                    "a board has hands outside the arrays");
            const std::size_t size = static_cast<std::size_t>(arrays.sizes[p][b]);
            read_hands(arrays, board, p, at[p], size);
            at[p] += size;
            board.base[p] = room[p];
            room[p] += streets[board.street].actions[p] * static_cast<int64_t>(size);
            require(room[p] <= max_numbers, "there are too many choices");
        }
        const std::size_t levels = std::max(board.hands[0].begin.size(), board.hands[1].begin.size());
        for (Hands& hands : board.hands) hands.begin.resize(levels, static_cast<int32_t>(hands.size()));
        match_twins(board);
        if (b > 0) {
            boards[board.parent].children.push_back(static_cast<int32_t>(b));
            level[b] = level[board.parent] + 1;
            depth = std::max(depth, level[b]);
        }
        boards.push_back(std::move(board));
    }
    require(depth <= 64, "too many cards are dealt one after the other");
    for (const Board& board : boards)
        require(board.children.empty() == streets[board.street].deals.empty(), "a deal leads nowhere");
}

void PublicGame::read_hands(const PublicArrays& arrays, Board& board, int p, std::size_t at, std::size_t size) {
    Hands& hands = board.hands[p];
    const std::size_t range = weights[p].size();
    const auto before = board.parent < 0 ? std::vector<int32_t>() : places(boards[board.parent].hands[p], range);
    std::vector<bool> seen(range, false);
    for (std::size_t i = at; i < at + size; ++i) {
        const int32_t hand = arrays.order[p][i], level = arrays.level[p][i];
        require(hand >= 0 && static_cast<std::size_t>(hand) < range && !seen[hand],
                "a board has no such hand, or twice");
        require(before.empty() || before[hand] >= 0, "a hand comes back after it was blocked");
        require(level >= 0 && static_cast<std::size_t>(level) <= arrays.level[0].size() + arrays.level[1].size() &&
                    static_cast<std::size_t>(level) + 1 >= hands.begin.size(),
                "hands are not in the order of their strength");
        seen[hand] = true;
        hands.begin.resize(static_cast<std::size_t>(level) + 1, static_cast<int32_t>(i - at));
        hands.order.push_back(hand);
        hands.from.push_back(before.empty() ? hand : before[hand]);
        std::array<int32_t, 2> reads{}, writes{};
        for (std::size_t c = 0; c < 2; ++c) {
            const int32_t card = arrays.held[p][2 * static_cast<std::size_t>(hand) + c];
            reads[c] = card < 0 ? cards : card;
            writes[c] = card < 0 ? cards + 1 : card;
        }
        hands.reads.push_back(reads);
        hands.writes.push_back(writes);
    }
    hands.begin.push_back(static_cast<int32_t>(size));
}

// A hand that both players may hold must have the same strength for both: a showdown relies on it.
void PublicGame::match_twins(Board& board) const {
    std::array<std::map<std::array<int32_t, 2>, int32_t>, 2> known;
    std::array<std::vector<int32_t>, 2> level;
    for (int p = 0; p < 2; ++p) {
        const Hands& hands = board.hands[p];
        level[p].resize(hands.size());
        for (std::size_t l = 0; l + 1 < hands.begin.size(); ++l)
            std::fill(level[p].begin() + hands.begin[l], level[p].begin() + hands.begin[l + 1],
                      static_cast<int32_t>(l));
        for (std::size_t i = 0; i < hands.size(); ++i) {
            std::array<int32_t, 2> held{hands.reads[i][0], hands.reads[i][1]};
            std::ranges::sort(held);
            if (held[0] == cards) continue;  // no cards at all
            require(held[0] != held[1], "a hand holds a card twice");
            require(known[p].emplace(held, static_cast<int32_t>(i)).second, "a range has a hand twice");
        }
        board.hands[p].twin.assign(hands.size(), -1);
    }
    for (const auto& [held, i] : known[0]) {
        const auto other = known[1].find(held);
        if (other == known[1].end()) continue;
        require(level[0][i] == level[1][other->second], "a hand is stronger with one player than with the other");
        if (held[1] == cards) continue;  // a single card is subtracted once
        board.hands[0].twin[i] = other->second;
        board.hands[1].twin[other->second] = i;
    }
}

void PublicGame::weigh() {
    const Board& root = boards.front();
    std::vector<double> held(static_cast<std::size_t>(cards) + 2, 0.0);
    double total = 0;
    for (std::size_t j = 0; j < root.hands[1].size(); ++j) {
        const double weight = weights[1][root.hands[1].order[j]];
        total += weight;
        for (const int32_t card : root.hands[1].writes[j]) held[card] += weight;
    }
    for (std::size_t i = 0; i < root.hands[0].size(); ++i) {
        const auto& [a, b] = root.hands[0].reads[i];
        const int32_t twin = root.hands[0].twin[i];
        const double same = twin < 0 ? 0.0 : weights[1][root.hands[1].order[twin]];
        mass += weights[0][root.hands[0].order[i]] * std::max(total - held[a] - held[b] + same, 0.0);
    }
    require(mass > 0 && std::isfinite(mass), "no two hands of the ranges can be dealt together");
}

}  // namespace zermelo::regret
