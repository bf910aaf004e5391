"""What kind of game a game is, said in one place."""

import pytest

import zermelo as z
from zermelo.game import Kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("connect4", Kind(2, constant_sum=True, chance=False, hidden=False, simultaneous=False)),
        ("chess", Kind(2, constant_sum=True, chance=False, hidden=False, simultaneous=False)),
        ("backgammon", Kind(2, constant_sum=True, chance=True, hidden=False, simultaneous=False)),
        ("kuhn", Kind(2, constant_sum=True, chance=True, hidden=True, simultaneous=False)),
        ("prisoners_dilemma", Kind(2, constant_sum=False, chance=False, hidden=True, simultaneous=True)),
        ("kingmaker", Kind(3, constant_sum=True, chance=False, hidden=False, simultaneous=False)),
    ],
)
def test_a_game_says_what_kind_it_is(name: str, kind: Kind) -> None:
    assert z.load(name).kind == kind


def test_a_tree_is_of_the_kind_that_is_written_down() -> None:
    assert z.Tree([[3, 12], [2, 4]]).kind.combinatorial
    assert z.Tree({"chance": [[0.5, 1], [0.5, [2, 3]]]}).kind == Kind(2, True, True, False, False)
    assert not z.Tree({"max": [{"payoffs": [1, 1]}, {"payoffs": [0, 0]}]}).kind.adversarial


def test_one_number_is_enough_for_one_player_and_for_two_with_a_constant_sum() -> None:
    assert Kind(1, False, True, False, False).scalar
    assert Kind(2, True, False, False, False).scalar
    assert Kind(2, False, False, False, False).not_scalar == "is not a constant-sum game"
    assert Kind(3, True, False, False, False).not_scalar == "has 3 players"


def test_the_kind_in_words() -> None:
    assert str(z.load("connect4").kind) == "2 players, constant sum, deterministic, perfect information"
    assert str(z.load("kuhn").kind) == "2 players, constant sum, chance, hidden information"
