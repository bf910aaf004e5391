from __future__ import annotations

import pytest
from click.testing import CliRunner

from zermelo.cli import main


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["backgammon", "--networks", "hiddn=8"], "has no option 'hiddn'"),
        (["backgammon", "--networks", "games=8"], "--games N"),
        (["backgammon", "--networks", "hidden=-8"], "hidden must be 0 to 1024"),
        (["backgammon", "--data", "somewhere"], "leave out --data"),
        (["tictactoe", "--networks", "hidden=8"], "has no networks"),
    ],
)
def test_what_a_training_cannot_use_is_one_line(tmp_path, arguments, why):
    done = CliRunner().invoke(main, ["train", *arguments, "--out", str(tmp_path / "x")])
    assert done.exit_code == 2
    assert why in done.output
    assert done.output.count("\n") == 1
