from __future__ import annotations

import pytest

import zermelo as z
from zermelo.errors import InputError, OptionError, PositionError
from zermelo.games._bridge.cards import Board, board_facts, random_deal, read_card, read_deal
from zermelo.games._bridge.lin import read_lin, write_lin
from zermelo.games._bridge.pbn import read_pbn, write_pbn

BOARDS = [
    Board(random_deal(13, number), *board_facts(number), name=str(number))
    for number in range(1, 17)
]  # fmt: skip
DEAL = "N:AK4.QT9.J87.6532 QJ9.AK4.QT9.J874 T87.J876.AK5.QT9 6532.532.6432.AK"


def test_boards_have_the_usual_dealers_and_vulnerable_sides():
    assert [board.dealer for board in BOARDS[:5]] == [0, 1, 2, 3, 0]
    said = "none NS EW both NS EW both none EW both none NS both none NS EW"
    assert [board.vulnerable for board in BOARDS] == said.split()


def test_pbn_and_lin_round_trip():
    assert read_pbn(write_pbn(BOARDS)) == BOARDS
    assert read_lin(write_lin(BOARDS)) == BOARDS


def test_pbn_reads_what_other_programs_write():
    text = (
        '% PBN 2.1\n%Creator: x\n[Event "a; b"]\n[Board "7"]\n[Dealer "S"]\n[Vulnerable "All"]\n'
        f'{{a comment: [Deal "x"]}}\n[Deal "{DEAL}"]\n[Auction "N"]\n1C Pass\n\n'
        f'[Event "#"]\n[Board "8"]\n[Dealer "W"]\n[Vulnerable "Love"]\n[Deal "{DEAL}"]\n'
    )
    first, second = read_pbn(text)
    assert (first.name, first.dealer, first.vulnerable) == ("7", 2, "both")
    assert (second.name, second.dealer, second.vulnerable) == ("8", 3, "none")
    assert first.hands == second.hands == read_deal(DEAL)


def test_lin_deals_the_rest_to_the_last_hand():
    deal = "qx|o1|md|3ST87HJ876DAK5CQT9,S6532H532D6432CAK,SAK4HQT9DJ87C6532|sv|n|ah|Board 1|mb|p|"
    (board,) = read_lin(deal)
    assert (board.hands, board.dealer, board.vulnerable, board.name) == (read_deal(DEAL), 0, "NS", "Board 1")


@pytest.mark.parametrize(
    ("deal", "says"),
    [
        ("N:AK4.QT9.J87.6532", "four hands"),
        ("X", "is not a deal"),
        (DEAL.replace("J87.6532", "J87.65322"), "the card C2 twice"),
        (DEAL.replace("J87.6532", "J87.6532.3"), "four suits"),
        (DEAL.replace("6532 QJ9", "653 QJ92"), "both have the card S2"),
        (DEAL.replace("6532 QJ9", "653 QJ9"), "same number of cards.*north 12"),
        (DEAL.replace("AK4", "AZ4", 1), "'Z'.*is not a rank"),
        ("N:... ... ... ...", "at least one"),
    ],
)
def test_what_is_no_deal_is_refused_in_one_line(deal, says):
    with pytest.raises(InputError, match=says):
        read_deal(deal)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[Board "3"]\n[Deal "N:A... K... Q..."]', "board 3: a deal has four hands"),
        (f'[Dealer "X"]\n[Deal "{DEAL}"]', "the dealer is N, E, S or W"),
        (f'[Vulnerable "some"]\n[Deal "{DEAL}"]', "vulnerable is None"),
    ],
)
def test_broken_pbn_says_which_board(text, says):
    with pytest.raises(InputError, match=says):
        read_pbn(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("md|1SAK,HAK|", "three hands or four"),
        ("md|1XAK,HAK,DAK,CAK|", "is not a hand"),
        ("md|1SA,SA,DA,CA|", "both have the card SA"),
        ("sv|x|md|1SA,HA,DA,CA|", "not who is vulnerable"),
    ],
)
def test_broken_lin_is_refused(text, says):
    with pytest.raises(InputError, match=says):
        read_lin(text)


def test_a_game_is_a_deal_of_a_file(tmp_path):
    for suffix, write in ((".pbn", write_pbn), (".lin", write_lin)):
        path = tmp_path / f"deals{suffix}"
        path.write_text(write(BOARDS), encoding="utf-8")
        assert z.load(f"double-dummy:deal={path},board=3").deal == BOARDS[2]
        with pytest.raises(OptionError, match="has 16 deals"):
            z.load(f"double-dummy:deal={path},board=17")
    (tmp_path / "empty.pbn").write_text("", encoding="utf-8")
    for name, says in (("empty.pbn", "has no deal"), ("none.lin", "cannot be read"), ("deals.txt", "neither a deal")):
        with pytest.raises(OptionError, match=says):
            z.load(f"double-dummy:deal={tmp_path / name}")


def test_a_position_is_read_as_it_was_written_and_refused_if_it_is_none():
    game = z.load(f"double-dummy:deal={DEAL},strain=S,leader=E")
    s = game.result(game.result(game.initial(), read_card("DQ")), read_card("D5"))
    assert game.write(s).endswith(" E 0 DQD5")
    assert game.read(game.write(s)) == s
    for text, says in (
        (game.write(s).replace("DQD5", "D9D5"), "still holds it"),
        (game.write(s).replace(" E 0", " E 3"), "have 3 tricks"),
        (game.write(s).replace("DQD5", "DQ"), "same number of cards"),
    ):
        with pytest.raises(PositionError, match=says):
            game.read(text)


@pytest.mark.parametrize("text", ["SA", "as", "♠A", "AS"])
def test_a_card_is_read_as_people_write_it(text):
    assert read_card(text) == 12
