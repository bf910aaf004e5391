#include "games/bridge/solver.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "games/bridge/search.hpp"

namespace zermelo::bridge {

namespace {

// The greatest number of `low` … `high` that `reaches` says yes to, by zero windows from `guess` on; `low` is not asked.
template <typename Reaches>
int find_tricks(int guess, int low, int high, const Reaches& reaches) {
    while (low < high) {
        const int need = std::clamp(guess, low + 1, high);
        if (reaches(need)) {
            low = need;
            guess = need + 1;
        } else {
            high = need - 1;
            guess = high;
        }
    }
    return low;
}

// The tricks of north and south by their high cards and trumps, which is about a trick off.
int first_guess(const Deal& deal, int strain) {
    const Cards ours = deal.hands[0] | deal.hands[2];
    double points = 0;
    for (int suit = 0; suit < SUITS; ++suit)
        for (int high = 4; high > 0; --high) points += high * (suit_of(ours, suit) >> (RANKS - 5 + high) & 1);
    const double trumps = strain == NO_TRUMP ? 0 : count(ours & suit_mask(strain)) - RANKS / 2.0;
    const double tricks = RANKS / 2.0 + (points - 20) / (strain == NO_TRUMP ? 2.6 : 3.2) + 0.75 * trumps;
    return std::clamp(static_cast<int>(tricks + 0.5) * deal.tricks / RANKS, 0, deal.tricks);
}

// The results of one strain. Partners' results are most often the same, so they follow each other.
void solve_strain(const Deal& deal, int strain, std::array<int, HANDS>& tricks, uint64_t& nodes, Poll poll) {
    Table table;
    Search search(deal, strain, table, poll);
    int guess = first_guess(deal, strain);
    for (const int leader : {0, 2, 1, 3}) {
        search.set_leader(leader);
        guess = find_tricks(guess, 0, deal.tricks, [&](int need) { return search.reaches(need); });
        tricks[leader] = guess;
    }
    nodes = search.nodes();
}

// Runs `work` on `threads` threads, this one included. An exception of one ends all, and comes out of here.
template <typename Work>
void run_threads(unsigned threads, Watch& watch, const Work& work) {
    std::exception_ptr failure;
    std::mutex lock;
    std::atomic<unsigned> running{threads - 1};
    const auto guard = [&](bool is_helper) {
        try {
            work(Poll(watch, is_helper));
        } catch (...) {
            const std::scoped_lock held(lock);
            if (!failure) failure = std::current_exception();
            watch.end();
        }
    };
    std::vector<std::thread> helpers;
    try {
        for (unsigned i = 1; i < threads; ++i)
            helpers.emplace_back([&] {
                guard(true);
                --running;
            });
    } catch (const std::system_error&) {  // there are no more threads to be had
        running -= threads - 1 - static_cast<unsigned>(helpers.size());
    }
    guard(false);
    while (running > 0) {  // Ctrl-C is asked for by this thread only
        try {
            watch.poll();
        } catch (...) {
            const std::scoped_lock held(lock);
            if (!failure) failure = std::current_exception();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    for (std::thread& helper : helpers) helper.join();
    if (failure) std::rethrow_exception(failure);
}

// The deal with the cards on the table back in their hands.
std::unique_ptr<const Deal> deal_of(const Position& position) {
    Hands hands = position.hands;
    for (std::size_t i = 0; i < position.played.size(); ++i)
        hands[after(position.leader, static_cast<int>(i))] |= Cards{1} << position.played[i];
    return std::make_unique<const Deal>(hands);
}

Search begin(const Deal& deal, const Position& position, Table& table, Poll poll) {
    Search search(deal, position.strain, table, poll);
    search.set_leader(position.leader);
    for (const int card : position.played) search.advance(Cards{1} << card);
    return search;
}

// The value of the position for north and south, and that of every legal card, all from `least` to `most`.
int value_cards(Search& search, int guess, int least, int most, std::vector<CardTricks>& cards) {
    const bool ours = is_north_south(search.player());
    int best = -1;
    for (const Move& move : search.moves().list_of()) {
        const auto reaches = [&](int need) { return search.reaches_by(move.card, need); };
        const int tricks = find_tricks(best < 0 ? guess : best, least, most, reaches);
        if (best < 0 || (ours ? tricks > best : tricks < best)) best = tricks;
        const Cards own = search.hand(search.player()) & suit_mask(suit_at(move.card));
        for (Cards card = move.card; card >= move.lowest; card >>= 1)
            if (own & card) cards.push_back({index_of(card), tricks});
    }
    return best;
}

// Plays one of the best cards, the lowest of those that are as good, until the end.
void follow_best(Search& search, int value, PositionResult& result) {
    while (search.tricks_left() > 0) {
        const bool ours = is_north_south(search.player());
        const Moves moves = search.moves();
        const auto keeps = [&](const Move& move) {
            return ours ? search.reaches_by(move.card, value) : !search.reaches_by(move.card, value + 1);
        };
        const auto list = moves.list_of();
        const auto found = list.size() == 1 ? list.begin() : std::find_if(list.begin(), list.end(), keeps);
        const Move& best = found == list.end() ? list.front() : *found;
        result.line.push_back(index_of(best.lowest));
        value -= search.advance(best.lowest);
    }
}

}  // namespace

DealResult solve_deal(const Hands& hands, unsigned strains, unsigned threads, Watch& watch) {
    const auto deal = std::make_unique<const Deal>(hands);
    DealResult result;
    std::array<uint64_t, STRAINS> nodes{};
    std::atomic<int> next{STRAINS - 1};  // no trump is the longest of the five
    const auto work = [&](Poll poll) {
        for (int strain = next--; strain >= 0; strain = next--)
            if (strains >> strain & 1) solve_strain(*deal, strain, result.tricks[strain], nodes[strain], poll);
    };
    run_threads(std::clamp(threads, 1u, static_cast<unsigned>(STRAINS)), watch, work);
    for (const uint64_t each : nodes) result.nodes += each;
    return result;
}

const char* fault_of(const Position& position) {
    if (position.strain < 0 || position.strain >= STRAINS) return "there is no such strain";
    if (position.leader < 0 || position.leader >= HANDS) return "there is no such leader";
    if (position.played.size() >= HANDS) return "a trick has at most three cards before it is complete";
    Hands hands = position.hands;
    int hand = position.leader;
    for (const int card : position.played) {
        if (card < 0 || card >= SUITS * SUIT_BITS || hands[hand] >> card & 1)
            return "there is no such card to be played";
        hands[hand] |= Cards{1} << card;
        hand = after(hand);
    }
    return fault_of(hands);
}

PositionResult solve_position(const Position& position, Watch& watch) {
    const auto deal = deal_of(position);
    Table table;
    Search search = begin(*deal, position, table, Poll(watch, false));
    PositionResult result;
    const int left = search.tricks_left();
    const int value = value_cards(search, left / 2, 0, left, result.cards);
    follow_best(search, value, result);
    result.nodes = search.nodes();
    return result;
}

std::vector<std::vector<CardTricks>> solve_worlds(std::span<const Position> worlds, int least, int most,
                                                  StrainTable& table, uint64_t& nodes, Watch& watch) {
    const std::scoped_lock held(table.busy);
    std::vector<std::vector<CardTricks>> results;
    int guess = worlds.empty() ? 0 : count(worlds[0].hands[0]) / 2;
    for (const Position& world : worlds) {
        const auto deal = deal_of(world);
        Search search = begin(*deal, world, table.table, Poll(watch, false, &nodes));
        const int low = std::max(least, 0), high = std::max(std::min(most, search.tricks_left()), low);
        std::vector<CardTricks> cards;
        try {
            guess = value_cards(search, guess, low, high, cards);
        } catch (const Spent&) {
            break;
        }
        results.push_back(std::move(cards));
    }
    return results;
}

std::vector<int> value_worlds(std::span<const Position> worlds, StrainTable& table, Watch& watch) {
    const std::scoped_lock held(table.busy);
    std::vector<int> values;
    int guess = worlds.empty() ? 0 : count(worlds[0].hands[0]) / 2;
    for (const Position& world : worlds) {
        const auto deal = deal_of(world);
        Search search = begin(*deal, world, table.table, Poll(watch, false));
        guess = find_tricks(guess, 0, search.tricks_left(), [&](int need) { return search.reaches(need); });
        values.push_back(guess);
    }
    return values;
}

}  // namespace zermelo::bridge
