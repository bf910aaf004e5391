"""Tries what the README promises, on a wheel in an empty environment or on what is installed, away from the sources.

python tests/smoke.py path/to/zermelo.whl
python tests/smoke.py --installed
"""

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

TREE = "[[3,12,8],[2,4,6],[14,5,2]]"
OWN_GAME = '''
from typing import NamedTuple
import zermelo

class Nim(zermelo.Game):
    """Take one, two or three stones; whoever takes the last one wins."""

    class State(NamedTuple):
        stones: int
        turn: int

    def __init__(self, stones: int = 21):
        self.stones = stones

    def initial(self):        return self.State(self.stones, 0)
    def player(self, s):      return s.turn
    def actions(self, s):
        for n in (1, 2, 3):
            if n <= s.stones:
                yield n
    def result(self, s, a):   return self.State(s.stones - a, 1 - s.turn)
    def is_terminal(self, s): return s.stones == 0
    def utility(self, s, p):  return 1.0 if p != s.turn else -1.0
'''


def main(wheel: Path | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        python = Path(sys.executable)
        if wheel is not None:
            venv.create(place / "env", with_pip=True)
            python = place / "env" / "bin" / "python"
            subprocess.run([python, "-m", "pip", "install", "--quiet", str(wheel)], check=True)
        zermelo = python.with_name("zermelo")
        (place / "nim.py").write_text(OWN_GAME)

        def ask(*arguments: str) -> dict[str, object]:
            command = [zermelo, *arguments, "--json"]
            return dict(json.loads(subprocess.run(command, cwd=place, check=True, stdout=subprocess.PIPE).stdout))

        traced = ask("trace", TREE, "--algorithm", "alphabeta", "--html", "trace.html", "--svg", "trace.svg")
        assert (traced["value"], traced["action"], traced["leaves"]) == (3, "a1", 7), traced
        assert "<svg" in (place / "trace.svg").read_text()
        assert "<script" in (place / "trace.html").read_text()
        assert ask("solve", "tictactoe")["value"] == 0
        assert ask("perft", "connect4", "6")["nodes"] == 117_649
        checked = ask("check", "nim.py:Nim", "--seconds", "1")
        assert checked["ok"], checked
        assert checked["compiled"], checked
        assert ask("analyse", "nim.py:Nim:stones=15", "--depth", "15")["action"] == "3"
        play = "import zermelo as z; print(z.play(z.load('nim'), [z.Player('random'), z.Player('alphabeta')]))"
        subprocess.run([python, "-c", play], cwd=place, check=True)
        if wheel is not None:  # it was built with the compiled rules of some games: these need no Numba
            block = "import sys; sys.modules['numba'] = None; import warnings; warnings.simplefilter('error')"
            subprocess.run(
                [python, "-c", f"{block}; import zermelo as z; print(z.search(z.load('othello'), depth=4))"],
                cwd=place,
                check=True,
            )
        where = "installed and tried in an empty environment" if wheel else f"as installed for {python}"
        print(f"smoke test passed: zermelo, {where}")


if __name__ == "__main__":
    main(None if sys.argv[1] == "--installed" else Path(sys.argv[1]).resolve())
