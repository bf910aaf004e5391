// Which moves are tried first. The weights were found by a random walk that counted nodes; none changes a result.
#include "games/bridge/search.hpp"

namespace zermelo::bridge {

namespace {

// Leads. A suit that an opponent ruffs counts for nothing else.
constexpr int HIGHEST = 24, PARTNER_HIGHEST = 28, ABOVE_OPPONENTS = 10;
constexpr int THROUGH_STRENGTH = 5, UP_TO_STRENGTH = 1;  // the best card of the opponents is before, behind the partner
constexpr int FIRST_RUFFS = -16, LAST_RUFFS = -10, PARTNER_RUFFS = 20, PARTNER_RUFFS_TOO = 12;
constexpr int PER_CARD = 7, SINGLETON = 5, ONLY_OURS = 1, MOST_TRUMPS = 1, LOW_FROM_HIGHEST = -5;
constexpr int POINT = 16;  // of the above, in those of a rank
constexpr int HELPED = 100, PERIOD = 1024;  // for leads that have helped, per that many nodes
constexpr int BEST_BEFORE = 1 << 20;

// Following suit, and discards, in points of a rank.
constexpr int WINS = 60, WINS_IF_NEEDED = 3, FORCES_THIRD = 10, FORCES_SECOND = 5, OVER_PARTNER = -5;
constexpr int DISCARD_PER_CARD = 2, RUFF = -16, DISCARD_SINGLETON = -2;

}  // namespace

int Search::score_lead(int leader, const Move& move) const {
    const int mate = partner(leader), before = after(leader), behind = after(leader, 3);
    const int suit = suit_at(move.card);
    const unsigned card = suit_of(move.card, suit), own = held(leader, suit), his = held(mate, suit);
    const unsigned first = held(before, suit), last = held(behind, suit), theirs = first | last;
    const auto ruffs = [&](int hand, unsigned cards) {
        return trump_ != NO_TRUMP && suit != trump_ && !cards && held(hand, trump_);
    };
    const bool first_ruffs = ruffs(before, first), last_ruffs = ruffs(behind, last);
    int score = 0;
    if (first_ruffs || last_ruffs) {
        score += first_ruffs * FIRST_RUFFS + last_ruffs * LAST_RUFFS;
    } else {
        const unsigned best_first = std::bit_floor(first), best_last = std::bit_floor(last);
        const unsigned best_his = std::bit_floor(his);
        if (card > (theirs | his)) score += HIGHEST;
        else if (best_his > theirs && best_his > card) score += PARTNER_HIGHEST;
        else if (card > theirs) score += ABOVE_OPPONENTS;
        else if (best_first > best_last && best_his > best_last) score += THROUGH_STRENGTH;
        else if (best_last > best_first && best_his > best_first) score += UP_TO_STRENGTH;
        if (!theirs) score += ONLY_OURS;
    }
    if (ruffs(mate, his)) score += first_ruffs || last_ruffs ? PARTNER_RUFFS_TOO : PARTNER_RUFFS;
    if (suit == trump_) {
        if (count(own | his) > count(theirs)) score += MOST_TRUMPS;
    } else {
        if (trump_ != NO_TRUMP && held(leader, trump_) && count(own) == 1) score += SINGLETON;
        score += PER_CARD * count(own);
    }
    if (own > theirs && card < theirs) score += LOW_FROM_HIGHEST;
    return POINT * score - std::bit_width(card);
}

void Search::score_leads(int leader, int hint, Moves& moves) const {
    for (int i = 0; i < moves.size; ++i) {
        const Move& move = moves.list[i];
        const uint64_t helped = leads_that_helped_[leader][index_of(move.card)];
        int& score = moves.scores[i];
        score = score_lead(leader, move) + static_cast<int>(helped * HELPED / (1 + nodes_ / PERIOD));
        const int suit = suit_at(move.card);
        const int place = count(hands_[leader] & suit_mask(suit) & ~(move.card - 1));
        if (hint == (suit << 4 | place)) score += BEST_BEFORE;
    }
}

void Search::score_follows(const Trick& trick, int cards, int hand, Moves& moves) const {
    const int mate = partner(hand);
    const bool mate_wins = cards >= 2 && trick.winner == mate;
    Cards theirs = 0, ours = 0;  // what the hands behind this one can do at best
    for (int i = cards + 1; i < HANDS; ++i) {
        const int behind = after(trick.leader, i);
        Cards best = hands_[behind] & suit_mask(trick.suit);
        if (!best && trump_ != NO_TRUMP) best = hands_[behind] & suit_mask(trump_);
        best = highest(best);
        if (best) (behind == mate ? ours : theirs) = best;
    }
    const auto wins = [&](Cards card, Cards over) { return !over || beats(card, over); };
    for (int i = 0; i < moves.size; ++i) {
        const Move& move = moves.list[i];
        const int suit = suit_at(move.card);
        int score = suit * SUIT_BITS - index_of(move.card);  // the lower, the earlier
        if (suit != trick.suit && suit != trump_) {
            const int length = count(held(hand, suit));
            score += DISCARD_PER_CARD * length + (length == 1 ? DISCARD_SINGLETON : 0);
        } else if (suit != trick.suit) {
            score += RUFF;
        }
        if (beats(move.card, trick.best)) {
            if (mate_wins && (cards == 3 || wins(trick.best, theirs))) {
                score += OVER_PARTNER;
            } else if (wins(move.card, theirs)) {
                const bool spare = cards == 1 && ours && wins(ours, theirs) && wins(ours, trick.best);
                score += spare ? WINS_IF_NEEDED : WINS;
            } else {
                score += cards == 2 ? FORCES_THIRD : FORCES_SECOND;
            }
        }
        moves.scores[i] = score;
    }
}

}  // namespace zermelo::bridge
