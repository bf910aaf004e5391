#include "games/bridge/search.hpp"

#include <limits>

namespace zermelo::bridge {

namespace {

constexpr int TRIED = std::numeric_limits<int>::min();

// The place of the move that is to be tried next, which is not offered again.
int take_next(Moves& moves) {
    int best = 0;
    for (int i = 1; i < moves.size; ++i)
        if (moves.scores[i] > moves.scores[best]) best = i;
    moves.scores[best] = TRIED;
    return best;
}

}  // namespace

Search::Search(const Deal& deal, int strain, Table& table, Poll poll)
    : deal_(deal), trump_(strain), table_(table), poll_(poll), hands_(deal.hands),
      all_(hands_[0] | hands_[1] | hands_[2] | hands_[3]), left_(deal.tricks) {
    for (int hand = 0; hand < HANDS; ++hand)
        for (int suit = 0; suit < SUITS; ++suit)
            lengths_ += one_card(hand, suit) * static_cast<Lengths>(count(held(hand, suit)));
}

bool Search::reaches(int need) {
    Cards won;
    return cards_ == 0 ? lead(trick_.leader, left_, need, won) : follow(trick_, cards_, left_, need, won);
}

bool Search::reaches_by(Cards card, int need) {
    Cards won;
    const int hand = player();
    const int suit = suit_at(card);
    return play(cards_ ? trick_ : Trick{hand, suit, hand, card, 0}, cards_, hand, card, left_, need, won);
}

bool Search::advance(Cards card) {
    const int hand = player();
    if (cards_ == 0) trick_ = {hand, suit_at(card), hand, card, 0};
    trick_.played |= card;
    if (beats(card, trick_.best)) {
        trick_.best = card;
        trick_.winner = hand;
    }
    hands_[hand] ^= card;
    if (++cards_ < HANDS) return false;
    remove(trick_.played);
    trick_ = {trick_.winner};
    cards_ = 0;
    --left_;
    return is_north_south(trick_.leader);
}

Moves Search::moves() const {
    if (cards_) return follow_moves(trick_, player());
    Moves moves;
    for (int suit = 0; suit < SUITS; ++suit) add_moves(player(), suit, moves);
    return moves;
}

OwnerWords Search::owner_words() const {
    const auto suit = [&](int s) { return static_cast<uint64_t>(deal_.owners[s][suit_of(all_, s)]); };
    return {suit(0) << 32 | suit(1), suit(2) << 32 | suit(3)};
}

Depths Search::depths(Cards won) const {
    unsigned found = 0;
    for (int suit = 0; suit < SUITS; ++suit)
        if (const unsigned cards = suit_of(won, suit))
            found |= static_cast<unsigned>(count(suit_of(all_, suit) & ~((cards & -cards) - 1))) << (4 * suit);
    return static_cast<Depths>(found);
}

Cards Search::ranks(Depths depths) const {
    Cards found = 0;
    for (int suit = 0; suit < SUITS; ++suit)
        if (const int depth = depths >> (4 * suit) & 15)
            found |= Cards{top_card(suit_of(all_, suit), depth)} << (SUIT_BITS * suit);
    return found;
}

bool Search::lead(int leader, int left, int need, Cards& won) {
    won = 0;
    if (need <= 0) return true;
    if (need > left) return false;
    ++nodes_;
    poll_();
    if (left == 1) return last_trick(leader, need, won);
    const bool ours = is_north_south(leader);
    const int wanted = ours ? need : left - need + 1;  // by the side of the leader
    const OwnerWords owners = owner_words();
    const int at = table_.known(lengths_, leader);
    if (at >= 0)
        if (const Proof* known = table_.find(static_cast<uint32_t>(at), owners, need)) {
            won = ranks(known->depths);
            return known->least >= need;
        }
    if (quick(leader, left, wanted, won)) return ours;
    if (later(leader, left, left - wanted + 1, won)) return !ours;
    return lead_each(leader, left, need, at, owners, won);
}

bool Search::lead_each(int leader, int left, int need, int at, const OwnerWords& owners, Cards& won) {
    Moves moves;
    for (int suit = 0; suit < SUITS; ++suit) add_moves(leader, suit, moves);
    score_leads(leader, at < 0 ? Table::NO_MOVE : table_.at(static_cast<uint32_t>(at)).move, moves);
    won = 0;
    Cards card = 0;
    const bool reached = try_moves(moves, nullptr, 0, leader, left, need, won, &card);
    const uint32_t again = table_.slot(lengths_, leader);
    table_.add(again, owners, depths(won), reached ? need : 0, reached ? left : need - 1);
    if (reached == is_north_south(leader)) {
        const int suit = suit_at(card);
        const int place = count(hands_[leader] & suit_mask(suit) & ~(card - 1));
        table_.at(again).move = static_cast<uint8_t>(suit << 4 | place);
    }
    return reached;
}

bool Search::last_trick(int leader, int need, Cards& won) {
    Trick trick{leader, suit_at(hands_[leader]), leader, hands_[leader], all_};
    for (int i = 1; i < HANDS; ++i) {
        const int hand = after(leader, i);
        if (beats(hands_[hand], trick.best)) {
            trick.best = hands_[hand];
            trick.winner = hand;
        }
    }
    if (count(all_ & suit_mask(suit_at(trick.best))) > 1) won = trick.best;
    return is_north_south(trick.winner) == (need == 1);
}

bool Search::try_moves(Moves& moves, const Trick* trick, int cards, int hand, int left, int need, Cards& won,
                       Cards* best) {
    const bool wanted = is_north_south(hand);
    std::array<unsigned, SUITS> alike{};  // cards of a suit below this are like one that has failed
    for (int i = 0; i < moves.size; ++i) {
        const Move& move = moves.list[moves.size == 1 ? 0 : take_next(moves)];
        const int suit = suit_at(move.card);
        if (suit_of(move.card, suit) < alike[suit]) continue;
        Cards ranks;
        const bool reached =
            play(trick ? *trick : Trick{hand, suit, hand, move.card, 0}, cards, hand, move.card, left, need, ranks);
        if (reached == wanted) {
            won = ranks;
            if (cards == 0) leads_that_helped_[hand][index_of(move.card)] += static_cast<uint64_t>(left);
            if (best) *best = move.card;
            return reached;
        }
        if (ranks & move.card) ranks |= move.lowest;  // the cards that are as good would have won by rank, too
        won |= ranks;
        const unsigned low = suit_of(ranks, suit);
        const unsigned limit = low ? low & -low : 1u << RANKS;
        if (suit_of(move.card, suit) < limit) alike[suit] = std::max(alike[suit], limit);
    }
    return !wanted;
}

bool Search::play(const Trick& before, int cards, int hand, Cards card, int left, int need, Cards& won) {
    Trick trick = before;
    trick.played |= card;
    if (cards > 0 && beats(card, trick.best)) {
        trick.best = card;
        trick.winner = hand;
    }
    hands_[hand] ^= card;
    const bool reached = cards == HANDS - 1 ? close(trick, left, need, won) : follow(trick, cards + 1, left, need, won);
    hands_[hand] ^= card;
    return reached;
}

void Search::remove(Cards played) {
    all_ &= ~played;
    for (Cards rest = played; rest; rest &= rest - 1) {
        const int index = index_of(rest);
        lengths_ -= one_card(deal_.owner[index], index / SUIT_BITS);
    }
}

bool Search::close(const Trick& trick, int left, int need, Cards& won) {
    const Cards all = all_;
    const Lengths lengths = lengths_;
    remove(trick.played);
    const bool reached = lead(trick.winner, left - 1, need - is_north_south(trick.winner), won);
    all_ = all;
    lengths_ = lengths;
    if (count(trick.played & suit_mask(suit_at(trick.best))) > 1) won |= trick.best;
    return reached;
}

Moves Search::follow_moves(const Trick& trick, int hand) const {
    Moves moves;
    if (held(hand, trick.suit)) add_moves(hand, trick.suit, moves);
    else
        for (int suit = 0; suit < SUITS; ++suit) add_moves(hand, suit, moves);
    return moves;
}

bool Search::follow(const Trick& trick, int cards, int left, int need, Cards& won) {
    const int hand = after(trick.leader, cards);
    Moves moves = follow_moves(trick, hand);
    won = 0;
    if (moves.size == 1) {
        const Move& move = moves.list[0];
        const bool reached = play(trick, cards, hand, move.card, left, need, won);
        if (reached != is_north_south(hand) && won & move.card) won |= move.lowest;
        return reached;
    }
    score_follows(trick, cards, hand, moves);
    return try_moves(moves, &trick, cards, hand, left, need, won);
}

// The cards of a suit, from the highest down: one for each run without a card of another hand in between.
void Search::add_moves(int hand, int suit, Moves& moves) const {
    Cards own = hands_[hand] & suit_mask(suit);
    const Cards others = all_ & suit_mask(suit) & ~own;
    while (own) {
        const Cards top = highest(own);
        const Cards between = highest(others & (top - 1));  // the next card of another hand
        const Cards run = between ? own & ~((between << 1) - 1) : own;
        moves.list[moves.size++] = {top, lowest(run)};
        own &= ~run;
    }
}

}  // namespace zermelo::bridge
