"""From text to a game: names, options, files, trees, and everything that is none of these."""

import contextlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as z
from zermelo.errors import GameNotFoundError, InputError, OptionError
from zermelo.games import games, load, without_files

NIM = '''
from typing import NamedTuple
import zermelo

class Nim(zermelo.Game):
    """Take one, two or three stones."""
    class State(NamedTuple):
        stones: int
        turn: int
    def __init__(self, stones: int = 21):
        self.stones = stones
    def initial(self): return self.State(self.stones, 0)
    def player(self, s): return s.turn
    def actions(self, s):
        for n in (1, 2, 3):
            if n <= s.stones:
                yield n
    def result(self, s, a): return self.State(s.stones - a, 1 - s.turn)
    def is_terminal(self, s): return s.stones == 0
    def utility(self, s, p): return 1.0 if p != s.turn else -1.0

class Helper: pass
made = Nim(4)
number = 4
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my_game.py"
    path.write_text(NIM)
    return path


def test_every_folder_is_a_game_and_can_be_loaded_by_its_name() -> None:
    assert {"tictactoe", "connect4", "nim", "hex", "blind-tictactoe"} <= set(games())
    for name, cls in games().items():
        assert isinstance(load(name), cls)
        assert cls.__doc__


def test_options_follow_a_colon() -> None:
    game: Any = load("connect4:columns=8,rows=7")
    assert (game.columns, game.rows) == (8, 7)
    nim: Any = load("nim:heaps=1/2/3,misere=yes")
    assert (nim.heaps, nim.misere) == ((1, 2, 3), True)
    assert load("nim:heaps=(2,5)").initial().heaps.tolist() == [2, 5]
    assert load("nim:heaps=7").initial().heaps.tolist() == [7]


def test_a_class_in_a_file_with_and_without_options(file: Path) -> None:
    assert load(f"{file}:Nim").initial().stones == 21
    assert load(f"{file}:Nim:stones=15").initial().stones == 15
    assert load(str(file)).initial().stones == 21
    assert load(f"{file}:made").initial().stones == 4


def test_a_tree_is_a_game() -> None:
    assert z.alphabeta(load("[[3,12,8],[2,4,6],[14,5,2]]")).value == 3


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("", GameNotFoundError, "zermelo games"),
        ("conect4", GameNotFoundError, "did you mean connect4"),
        ("../games/nim", GameNotFoundError, "no game"),
        ("_grid", GameNotFoundError, "no game"),
        ("connect4:depth=3", OptionError, "columns, rows"),
        ("connect4:columns", OptionError, "NAME=VALUE"),
        ("connect4:columns=many", OptionError, "like 7"),
        ("connect4:columns=0", OptionError, "not possible"),
        ("connect4:columns=99", OptionError, "not possible"),
        ("tictactoe:k=9", OptionError, "smaller"),
        ("nim:heaps=0/0", OptionError, "heaps"),
        ("nim:misere=5", OptionError, "misere"),
        ("nim:heaps=1/" + "9" * 5_000, OptionError, "heaps"),
        ("missing.py:Nim", GameNotFoundError, "no file"),
        ("[[1,2", InputError, "not a tree"),
    ],
)
def test_bad_names_say_what_to_do(text: str, error: type[InputError], says: str) -> None:
    with pytest.raises(error, match=says):
        load(text)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Nam", "has no class Nam; it has Nim, Helper"),
        ("Helper", "derive it from zermelo.Game"),
        ("number", "not a game"),
    ],
)
def test_bad_classes_say_what_to_do(file: Path, name: str, says: str) -> None:
    with pytest.raises(GameNotFoundError, match=says):
        load(f"{file}:{name}")
    with pytest.raises(OptionError, match="already made"):
        load(f"{file}:made:stones=3")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("x = 1\n1/0\n", "line 2, cannot be imported: ZeroDivisionError"),
        ("def broken(:\n", "line 1, cannot be imported: SyntaxError"),
        ("raise SystemExit(3)\n", "SystemExit"),
        ("import nothing_of_that_name\n", "ModuleNotFoundError"),
        ("class Game: pass\n", "say which class"),
        ("class A(__import__('zermelo').Game):\n def __init__(self): raise RuntimeError('no')\n", "RuntimeError: no"),
        ("\x00", "cannot be imported"),
    ],
)
def test_a_file_that_fails_says_where(tmp_path: Path, source: str, says: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(source)
    with pytest.raises(InputError, match=says):
        load(str(path))


def test_a_files_neighbours_can_be_imported(tmp_path: Path) -> None:
    (tmp_path / "neighbour_of_nim.py").write_text("MOST = 3\n")
    path = tmp_path / "beside.py"
    path.write_text("from neighbour_of_nim import MOST\n" + NIM)
    assert load(f"{path}:Nim").initial().stones == 21


def test_options_without_those_that_name_files() -> None:
    assert without_files("columns=8,search=a.json,rows=7,network=b,tables=c,book=no") == "columns=8,rows=7"


@given(st.text(max_size=40))
def test_any_text_is_a_game_or_an_input_error(text: str) -> None:
    with contextlib.suppress(InputError):
        load(text)
