from __future__ import annotations

import random

import pytest

import zermelo as z
from zermelo.errors import InputError
from zermelo.games._bridge.cards import Board, board_facts, random_deal
from zermelo.games.bridge import lin, pbn
from zermelo.games.bridge.boards import PlayedBoard
from zermelo.games.bridge.players import BridgePlayer
from zermelo.games.bridge.record import played_board


def play(number: int, stop: int = 1000) -> PlayedBoard:
    """A board by rules, as far as so many calls and cards."""
    board = Board(random_deal(13, number), *board_facts(number), name=str(number))
    game = z.load(f"bridge:deal={board.text()},dealer={'NESW'[board.dealer]},vulnerable={board.vulnerable}")
    player, s, actions = BridgePlayer(1), game.initial(), []
    while not game.is_terminal(s) and len(actions) < stop:
        actions.append(player.choose(game, s))
        s = game.result(s, actions[-1])
    played = played_board(game, game.initial(), actions, ("Nora", "Emil", "Sara", "Willi"))
    return PlayedBoard(board, played.calls, played.cards, played.players)


BOARDS = [play(number) for number in range(1, 9)] + [play(9, 3), play(10, 12), play(1, 30)]


def test_whole_boards_round_trip():
    assert pbn.read_played(pbn.write_played(BOARDS)) == BOARDS
    assert lin.read_played(lin.write_played(BOARDS)) == BOARDS
    claimed = [PlayedBoard(each.board, each.calls, each.cards[:20], each.players, None, 9) for each in BOARDS[:3]]
    assert pbn.read_played(pbn.write_played(claimed)) == claimed
    assert lin.read_played(lin.write_played(claimed)) == claimed


def test_a_game_reads_what_it_writes():
    game, chance = z.load("bridge:ranks=13,dealer=E,vulnerable=NS"), random.Random(3)
    s, actions = game.initial(), []
    player = BridgePlayer(1)
    while not game.is_terminal(s):
        a = chance.choice(list(game.actions(s))) if game.player(s) == z.CHANCE else player.choose(game, s)
        actions.append(a)
        s = game.result(s, a)
    text = game.write_record(game.initial(), actions, "abcd", game.utilities(s))
    assert game.read_record(text) == (game.initial(), actions)
    assert game.read_record("no board") is None
    with pytest.raises(InputError, match="needs other options: bridge:dealer=E,vulnerable=NS"):
        z.load("bridge").read_record(text)


PBN = """[Board "7"]
[Dealer "S"]
[Vulnerable "All"]
[Deal "N:AK4.QT9.J87.6532 QJ9.AK4.QT9.J874 T87.J876.AK5.QT9 6532.532.6432.AK"]
[Declarer "S"]
[Contract "1NT"]
[Result "7"]
[Auction "S"]
1NT =1= AP
[Note "1:weak"]
[Play "W"]
CA C2 C4 C9 {a comment}
CK C3 C7 CT
*
"""


def test_pbn_as_others_write_it():
    (played,) = pbn.read_played(PBN)
    assert str(played.contract) == "1NT-S"
    assert (len(played.calls), len(played.cards), played.tricks, played.score) == (4, 8, 7, 90)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"1NT"]', '"2NT"]', "board 7: the auction leads to 1NT-S, and the contract is said to be 2NT-S"),
        ("1NT =1= AP", "1NT X AP", "the auction leads to 1NTX-S"),
        ("1NT =1= AP", "1NT 1C AP", "call 2: west bids 1C, which is not above 1NT"),
        ("1NT =1= AP", "1NTT AP", "is not a call"),
        ("C2 C4", "S4 C4", "card 2: north plays S4 and still has clubs.*revoke"),
        ("C2 C4", "D2 C4", "card 2: north plays D2 and does not hold it"),
        ("CA C2", "1A C2", "not a card"),
        ('[Play "W"]', '[Play "N"]', "W leads against 1NT-S"),
        ('[Result "7"]', '[Result "77"]', "the number of the declarer's tricks"),
        ('[Auction "S"]', '[Auction "N"]', "the auction begins with 'N'"),
        ("6432.AK", "6432.AKQ", "both have the card CQ"),
        ("6432.AK", "432.AK", "west 12"),
        ('"1NT"]', '"9NT"]', "is not a contract"),
    ],
)
def test_broken_pbn_says_what_is_wrong_in_one_line(old, new, says):
    assert old in PBN
    with pytest.raises(InputError, match=says) as caught:
        pbn.read_played(PBN.replace(old, new))
    assert "\n" not in str(caught.value)


LIN = (
    "pn|sara,willi,nora,emil|md|1ST87HJ876DAK5CQT9,S6532H532D6432CAK,SAK4HQT9DJ87C6532|sv|b|ah|Board 7|"
    "mb|1N|an|weak|mb|p|mb|p|mb|p|pc|CA|pc|C2|pc|C4|pc|C9|mc|7|"
)


def test_lin_as_others_write_it():
    (played,) = lin.read_played(LIN)
    assert (str(played.contract), played.players[0], played.tricks, played.score) == ("1NT-S", "nora", 7, 90)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("mb|1N|", "mb|1N|mb|r|", "Board 7: call 2: west redoubles"),
        ("mb|1N|", "mb|zz|", "is not a call"),
        ("pc|C2|", "pc|S4|", "still has clubs"),
        ("mb|p|pc", "pc", "there is no contract"),
        ("mc|7|", "mc|17|", "mc is the number"),
    ],
)
def test_broken_lin_says_what_is_wrong_in_one_line(old, new, says):
    with pytest.raises(InputError, match=says):
        lin.read_played(LIN.replace(old, new))


def test_lin_cannot_say_a_contract_without_an_auction():
    played = PlayedBoard(BOARDS[0].board, said=BOARDS[0].contract)
    assert pbn.read_played(pbn.write_played([played])) == [played]
    with pytest.raises(InputError, match="LIN needs the auction"):
        lin.write_played([played])
