// Tricks that are sure at the beginning of a trick, found by looking at the cards.
#include "games/bridge/search.hpp"

namespace zermelo::bridge {

// What the leader can cash in a suit, and then, once the partner leads, the partner.
struct Search::Run {
    int own = 0, own_depth = 0;  // tricks, and how many of the highest cards of the suit they rest on
    int partner = 0, partner_depth = 0;
    int rounds = RANKS;  // before an opponent ruffs
    bool entry = false;  // whether the leader has a card left for a winner of the partner

    int tricks() const { return own + partner; }
    int depth() const { return partner ? partner_depth : own_depth; }
};

// The same of all suits.
struct Search::Runs {
    std::array<Run, SUITS> suits;
    int own = 0, total = 0;
    int entry = SUITS;   // a suit by which the partner gets the lead
    bool drawn = false;  // whether the leader's trumps draw those of the opponents first
};

void Search::count_run(int leader, int suit, Run& run) const {
    const int mate = partner(leader);
    const unsigned cards = suit_of(all_, suit);
    const int all = count(cards), own = length(leader, suit), his = length(mate, suit);
    const int theirs = std::max(length(after(leader), suit), length(after(leader, 3), suit));
    const Owners owners = deal_.owners[suit][cards];
    const int top = run_of(owners, leader, all);
    const int longest = std::max(theirs, his);
    if (own && top >= longest) {  // the rest are long cards
        run.own = std::min(own, run.rounds);
        run.own_depth = std::min(run.own, longest);
        return;
    }
    run.own = run.own_depth = std::min(top, run.rounds);
    if (his <= top || run.rounds <= top || top == all) return;
    const int next = run_of(owners << (OWNER_BITS * top), mate, all - top);
    if (next == 0) return;
    const int rest = his - top;
    run.entry = own > top;
    run.partner = std::min(next, rest);
    run.partner_depth = top + run.partner;
    if (top + next >= std::max(theirs, own)) run.partner = rest;
    run.partner = std::min(run.partner, run.rounds - top);
}

Search::Runs Search::count_runs(int leader, int need) const {
    const int first = after(leader), second = after(leader, 3);
    const bool trumps = trump_ != NO_TRUMP;
    const int first_trumps = trumps ? length(first, trump_) : 0, second_trumps = trumps ? length(second, trump_) : 0;
    bool ruffs = first_trumps || second_trumps;
    Runs found;
    for (int i = 0; i < SUITS; ++i) {
        const int suit = !trumps ? i : i == 0 ? trump_ : i <= trump_ ? i - 1 : i;  // the trumps first
        const unsigned cards = suit_of(all_, suit);
        if (!cards) continue;
        Run& run = found.suits[suit];
        if (ruffs && suit != trump_) {
            if (first_trumps) run.rounds = length(first, suit);
            if (second_trumps) run.rounds = std::min(run.rounds, length(second, suit));
        }
        count_run(leader, suit, run);
        found.own += run.own;
        found.total += run.tricks();
        if (run.entry) found.entry = suit;
        if (suit == trump_ && ruffs &&
            run_of(deal_.owners[suit][cards], leader, count(cards)) >= std::max(first_trumps, second_trumps)) {
            ruffs = false;
            found.drawn = true;
        }
        if (found.own >= need) break;
    }
    return found;
}

// Has the partner ruff a card of the leader, and so get the lead, if that is possible.
void Search::add_ruff(int leader, Runs& runs) const {
    const int mate = partner(leader);
    const int trumps = length(mate, trump_), followed = std::min(runs.suits[trump_].own, trumps);
    if (trumps <= followed + runs.suits[trump_].partner) return;
    for (int suit = 0; suit < SUITS; ++suit) {
        Run& run = runs.suits[suit];
        if (suit == trump_ || length(mate, suit) || length(leader, suit) <= run.own || run.rounds <= run.own) continue;
        run.partner = 1;
        run.partner_depth = run.own_depth;
        runs.entry = suit;
        ++runs.total;
        return;
    }
}

bool Search::quick(int leader, int left, int need, Cards& won) const {
    Runs runs = count_runs(leader, need);
    const bool crosses = runs.own < need;
    if (crosses && trump_ != NO_TRUMP) add_ruff(leader, runs);
    if (crosses && (runs.entry == SUITS || runs.total < need)) return quick_with_trumps(leader, left, need, runs, won);
    won = 0;
    int found = 0;
    const auto use = [&](int suit, bool partner_too) {
        Run& run = runs.suits[suit];
        const int missing = need - found;  // the first so many winners are enough
        const int depth = partner_too ? run.depth() : std::min(run.own_depth, missing);
        found += partner_too ? run.tricks() : run.own;
        if (depth) won |= Cards{top_card(suit_of(all_, suit), depth)} << (SUIT_BITS * suit);
        run.own = 0;
        if (partner_too) run.partner = 0;
    };
    if (runs.drawn) use(trump_, false);  // the other suits rest on it
    if (crosses) use(runs.entry, true);
    for (int suit = 0; suit < SUITS && found < need; ++suit)
        if (runs.suits[suit].own) use(suit, false);
    for (int suit = 0; suit < SUITS && found < need; ++suit)
        if (runs.suits[suit].partner) use(suit, true);
    return true;
}

// The other suits first, while everybody follows, and then the leader's trumps, which get their tricks in any order.
bool Search::quick_with_trumps(int leader, int left, int need, const Runs& runs, Cards& won) const {
    if (trump_ == NO_TRUMP || runs.drawn) return false;
    const int side = runs.own - runs.suits[trump_].own, trumps = need - side;
    if (length(leader, trump_) < trumps) return false;
    if (left - length(partner(leader), trump_) < side) return false;  // the partner would have to ruff
    unsigned low = 0;
    if (sure_trumps(leader, trumps, low) < trumps) return false;
    won = Cards{low} << (SUIT_BITS * trump_);
    for (int suit = 0; suit < SUITS; ++suit)
        if (const int depth = runs.suits[suit].own_depth; suit != trump_ && depth)
            won |= Cards{top_card(suit_of(all_, suit), depth)} << (SUIT_BITS * suit);
    return true;
}

// Each trump of a hand is played to a trick, which it loses at most to a higher one that the other side has not used yet.
int Search::sure_trumps(int hand, int need, unsigned& lowest) const {
    const unsigned own = held(hand, trump_);
    const unsigned theirs = held(after(hand), trump_) | held(after(hand, 3), trump_);
    int higher = 0, found = 0;
    for (unsigned rest = own | theirs; rest && found < need;) {
        const unsigned card = std::bit_floor(rest);
        rest ^= card;
        if (theirs & card) {
            ++higher;
        } else if (higher) {
            --higher;
        } else {
            ++found;
            lowest = card;
        }
    }
    return found;
}

bool Search::later(int leader, int left, int need, Cards& won) const {
    if (trump_ == NO_TRUMP) return gives_up_lead(leader, left, need, won);
    for (const int hand : {after(leader), after(leader, 3)}) {
        unsigned low = 0;
        if (length(hand, trump_) < need || sure_trumps(hand, need, low) < need) continue;
        won = Cards{low} << (SUIT_BITS * trump_);
        return true;
    }
    if (!length(leader, trump_) && !length(partner(leader), trump_)) return gives_up_lead(leader, left, need, won);
    return wins_any_lead(leader, need, won);
}

// Without trumps of its own the leader's side can lead the suits in which the other side has not the highest card so
// many times, and then has to lead one in which it has: who wins that goes on from the top with what was kept until then.
bool Search::gives_up_lead(int leader, int left, int need, Cards& won) const {
    const int mate = partner(leader);
    int rounds = 0;
    std::array<int, SUITS> holder;
    unsigned holders = 0;  // one bit for each opponent
    for (int suit = 0; suit < SUITS; ++suit) {
        holder[suit] = -1;
        const int ours = std::max(length(leader, suit), length(mate, suit));
        if (!ours) continue;
        const int owner = static_cast<int>(deal_.owners[suit][suit_of(all_, suit)] >> 30);
        if (is_north_south(owner) == is_north_south(leader)) {
            rounds += ours;
        } else {
            holder[suit] = owner;
            holders |= 1u << owner;
        }
    }
    if (!holders || rounds >= left) return false;
    won = 0;
    for (const int hand : {after(leader), after(leader, 3)}) {
        if (!(holders >> hand & 1)) continue;
        int found = 0, kept = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            if (holder[suit] != hand && (found >= need || !length(hand, suit))) continue;
            const unsigned cards = suit_of(all_, suit);
            const int top = run_of(deal_.owners[suit][cards], hand, count(cards));
            const int own = length(hand, suit);
            const int longest = std::max({length(leader, suit), length(mate, suit), length(partner(hand), suit)});
            int run = top >= longest ? own : top;
            run = std::min(run, std::max(need - found, holder[suit] == hand ? 1 : 0));
            if (!run) continue;
            found += run;
            kept += run;
            if (const int depth = std::min(run, longest)) won |= Cards{top_card(cards, depth)} << (SUIT_BITS * suit);
        }
        if (found < need || kept > left - rounds) return false;
    }
    return true;
}

// Whatever is led, the other side has the highest card of it, and goes on with what it has from the top.
bool Search::wins_any_lead(int leader, int need, Cards& won) const {
    const int mate = partner(leader);
    const bool trumps = trump_ != NO_TRUMP;
    unsigned winners = 0;  // one bit for each opponent
    won = 0;
    for (int suit = 0; suit < SUITS; ++suit) {
        if (!length(leader, suit)) continue;
        const unsigned cards = suit_of(all_, suit);
        const int owner = static_cast<int>(deal_.owners[suit][cards] >> 30);
        if (is_north_south(owner) == is_north_south(leader)) return false;
        if (trumps && suit != trump_ && !length(mate, suit) && length(mate, trump_)) return false;
        winners |= 1u << owner;
        won |= Cards{std::bit_floor(cards)} << (SUIT_BITS * suit);
    }
    if (need == 1) return true;
    for (const int hand : {after(leader), after(leader, 3)}) {
        if (!(winners >> hand & 1)) continue;
        int found = 0;
        for (int suit = 0; suit < SUITS && found < need; ++suit) {
            const unsigned cards = suit_of(all_, suit);
            if (!length(hand, suit)) continue;
            Run run;
            if (trumps && suit != trump_) {
                if (length(leader, trump_)) run.rounds = length(leader, suit);
                if (length(mate, trump_)) run.rounds = std::min(run.rounds, length(mate, suit));
            }
            count_run(hand, suit, run);
            if (!run.own) continue;
            const int depth = std::min(run.own_depth, need - found);
            found += run.own;
            if (depth) won |= Cards{top_card(cards, depth)} << (SUIT_BITS * suit);
        }
        if (found < need) return false;
    }
    return true;
}

}  // namespace zermelo::bridge
