// The search of one strain of a deal: whether north and south get so many tricks, with all cards seen.
//
// Every search also says which ranks mattered: the lowest card of each suit that won a trick because it was high, or
// that somebody would have had to hold. Positions with the same lengths, and the same owners from the top down to these
// cards, have the same answer (partition search). Where all of a player's moves fail, cards of one suit below the ranks
// that mattered are alike, so one of them is enough.
#pragma once

#include <span>

#include "core/watch.hpp"
#include "games/bridge/table.hpp"

namespace zermelo::bridge {

// Thrown out of a search that has used up its nodes.
struct Spent {};

// Asked at every trick; ends the search by an exception.
class Poll {
public:
    // `nodes_left`, if there is one, is counted down.
    Poll(Watch& watch, bool is_helper, uint64_t* nodes_left = nullptr)
        : watch_(watch), is_helper_(is_helper), nodes_left_(nodes_left) {}
    void operator()() {
        if (nodes_left_) {
            if (*nodes_left_ == 0) throw Spent{};
            --*nodes_left_;
        }
        if (is_helper_) watch_.helper_node();
        else watch_.node();
    }

private:
    Watch& watch_;
    bool is_helper_;
    uint64_t* nodes_left_;
};

struct Move {
    Cards card;
    Cards lowest;  // of the cards of the hand that are as good
};

struct Moves {
    std::array<Move, RANKS> list;
    std::array<int, RANKS> scores;  // of each, the higher the earlier; among equals the first
    int size = 0;

    std::span<const Move> list_of() const { return {list.data(), static_cast<std::size_t>(size)}; }
};

// The cards of a trick so far.
struct Trick {
    int leader = 0, suit = 0, winner = 0;
    Cards best = 0;  // the card that wins so far
    Cards played = 0;
};

class Search {
public:
    Search(const Deal& deal, int strain, Table& table, Poll poll);

    // The player who leads to the next trick.
    void set_leader(int leader) { trick_.leader = leader; }

    // Plays a card for good; returns whether north and south have won a trick by it.
    bool advance(Cards card);

    Cards hand(int hand) const { return hands_[hand]; }
    int player() const { return after(trick_.leader, cards_); }
    int tricks_left() const { return left_; }

    // The legal cards, those that are as good as each other as one move.
    Moves moves() const;

    // Whether north and south get at least `need` of the tricks that are left, this one included.
    bool reaches(int need);
    bool reaches_by(Cards card, int need);

    uint64_t nodes() const { return nodes_; }

private:
    bool lead(int leader, int left, int need, Cards& won);
    bool lead_each(int leader, int left, int need, int at, const OwnerWords& owners, Cards& won);
    bool last_trick(int leader, int need, Cards& won);
    void remove(Cards played);
    Moves follow_moves(const Trick& trick, int hand) const;
    bool follow(const Trick& trick, int cards, int left, int need, Cards& won);
    bool play(const Trick& trick, int cards, int hand, Cards card, int left, int need, Cards& won);
    bool close(const Trick& trick, int left, int need, Cards& won);

    bool try_moves(Moves& moves, const Trick* trick, int cards, int hand, int left, int need, Cards& won,
                   Cards* best = nullptr);

    void add_moves(int hand, int suit, Moves& moves) const;
    int score_lead(int leader, const Move& move) const;
    void score_leads(int leader, int hint, Moves& moves) const;
    void score_follows(const Trick& trick, int cards, int hand, Moves& moves) const;

    struct Run;
    struct Runs;
    void count_run(int leader, int suit, Run& run) const;
    Runs count_runs(int leader, int need) const;
    void add_ruff(int leader, Runs& runs) const;
    // Whether the leader's side can run `need` tricks from the top at once.
    bool quick(int leader, int left, int need, Cards& won) const;
    bool quick_with_trumps(int leader, int left, int need, const Runs& runs, Cards& won) const;
    // Whether the other side gets `need` tricks whatever happens.
    bool later(int leader, int left, int need, Cards& won) const;
    bool gives_up_lead(int leader, int left, int need, Cards& won) const;
    bool wins_any_lead(int leader, int need, Cards& won) const;
    int sure_trumps(int hand, int need, unsigned& lowest) const;

    bool beats(Cards card, Cards best) const {
        const int suit = suit_at(card);
        return suit == suit_at(best) ? card > best : suit == trump_;
    }
    unsigned held(int hand, int suit) const { return suit_of(hands_[hand], suit); }
    int length(int hand, int suit) const { return lengths_ >> (4 * (4 * hand + suit)) & 15; }
    OwnerWords owner_words() const;
    Depths depths(Cards won) const;
    Cards ranks(Depths depths) const;

    const Deal& deal_;
    const int trump_;
    Table& table_;
    Poll poll_;
    Hands hands_;
    Cards all_;  // at the beginning of the trick
    Trick trick_;
    int cards_ = 0;  // of the trick so far
    int left_;
    Lengths lengths_ = 0;
    uint64_t nodes_ = 0;
    std::array<std::array<uint64_t, SUITS * SUIT_BITS>, HANDS> leads_that_helped_{};
};

}  // namespace zermelo::bridge
