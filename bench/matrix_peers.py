"""Other programs for matrix games, in a place and a process of their own: QuantEcon, Nashpy, Gambit, SciPy, lrsnash."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
HOME = HERE / ".venv-games"
PYTHON = HOME / "bin" / "python"
PACKAGES = [["nashpy"], ["quantecon"], ["--only-binary", ":all:", "pygambit>=17.0.0b2"]]
DEBIAN = ["lrslib", "liblrs1"]
"""Where lrsnash comes from; unpacked apart, so that nothing is installed."""


def install() -> None:
    """Each by itself: what cannot be had here is said, and left out."""
    subprocess.run([sys.executable, "-m", "venv", str(HOME)], check=True)
    for words in PACKAGES:
        attempt([str(PYTHON), "-m", "pip", "install", "--quiet", *words], words[-1])
    home = HOME / "lrs"
    home.mkdir(exist_ok=True)
    if shutil.which("apt-get") is None or not attempt(["apt-get", "download", "-qq", *DEBIAN], "lrsnash", home):
        return
    for package in home.glob("*.deb"):
        subprocess.run(["dpkg", "-x", str(package), str(home)], check=True)


def attempt(command: list[str], what: str, folder: Path = HERE) -> bool:
    done = subprocess.run(command, cwd=folder, check=False).returncode == 0
    if not done:
        print(f"left out: {what} could not be installed", file=sys.stderr)
    return done


class Peers:
    """The process that runs them; without an environment of theirs there are none."""

    def __init__(self, python: Path):
        self.process: Any = None
        if python.exists():
            worker = [str(python), "-W", "ignore", str(HERE / "matrix_worker.py")]
            self.process = subprocess.Popen(worker, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request: Any) -> dict[str, Any]:
        """What they answer; nothing if there are none."""
        if self.process is None:
            return {}
        print(json.dumps(request), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            sys.exit("the peers' process ended; what it said stands above")
        found: dict[str, Any] = json.loads(line)
        return found

    def close(self) -> None:
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()

    def missing(self) -> str:
        """A word about peers that are not there; empty if they are."""
        if self.process is not None:
            return ""
        return f"left out: the peers are not installed; `python {Path(sys.argv[0])} --install` does it"
