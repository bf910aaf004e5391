"""Compiles the rules of the package's games into one library, while a wheel is built.

    python native/package_games.py CORE OUT NAME…

CORE is the native module just built, OUT the library, NAME `all` or names of games.
"""

import importlib.util
import sys
from pathlib import Path

core, out, *names = sys.argv[1:]
sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
spec = importlib.util.spec_from_file_location("zermelo._core", core)
assert spec is not None
assert spec.loader is not None
sys.modules["zermelo._core"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["zermelo._core"])

from zermelo.engine.export import package  # noqa: E402
from zermelo.games import games, load  # noqa: E402

taken = package(Path(out), map(load, games() if names == ["all"] else names))
print("compiled:", ", ".join(type(game).__name__ for game in taken))
