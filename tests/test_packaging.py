"""What the package says of itself: versions, bounds, names."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numba

import zermelo

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SOURCES = sorted((ROOT / "src").rglob("*.py"))


def release(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:2])


def test_numba_is_within_the_bound() -> None:
    (wanted,) = [text for text in PROJECT["dependencies"] if text.startswith("numba")]
    least, bound = re.fullmatch(r"numba>=([\d.]+),<([\d.]+)", wanted).groups()
    assert release(least) <= release(numba.__version__) < release(bound), (
        f"Numba {numba.__version__} is outside {wanted}. To raise the bound: run this file, tests/engine, "
        "tests/twins and bench/rules_fuzz.py with the new version; mend src/zermelo/engine/rules/numba_api.py, "
        "the only importer of its internals; then set the bound in pyproject.toml accordingly"
    )


def test_only_one_module_imports_numba_and_all_that_it_imports_is_there() -> None:
    importers = {
        path.name
        for path in SOURCES
        if re.search(r"^\s*(from|import) (numba|llvmlite)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert importers <= {"numba_api.py", "compiler.py", "objects.py"}  # the last two: documented parts of llvmlite
    text = (ROOT / "src/zermelo/engine/rules/numba_api.py").read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in ("numba", "llvmlite"):
            for name in node.names:
                module = importlib.import_module(node.module)
                known = hasattr(module, name.name) or importlib.util.find_spec(f"{node.module}.{name.name}") is not None
                assert known, f"{node.module} has no {name.name} in Numba {numba.__version__}"


def test_the_version_is_looked_up_in_one_place() -> None:
    asking = [path for path in SOURCES if "PackageNotFoundError" in path.read_text(encoding="utf-8")]
    assert [path.relative_to(ROOT / "src").as_posix() for path in asking] == ["zermelo/version.py"]


def test_the_project_says_where_it_lives_and_for_whom_it_is() -> None:
    assert set(PROJECT["urls"]) >= {"Homepage", "Documentation", "Source", "Changelog", "Issues"}
    for python in ("3.11", "3.12", "3.13"):
        assert f"Programming Language :: Python :: {python}" in PROJECT["classifiers"]


def test_a_function_hides_no_package() -> None:
    import zermelo.check as check
    import zermelo.equilibrium as equilibrium
    import zermelo.search as search

    assert equilibrium.NormalForm([[1, -1], [-1, 1]]).players == ("row", "column")
    assert equilibrium.equilibrium([[1, -1], [-1, 1]]).value == 0
    assert search.alphabeta is zermelo.alphabeta
    assert check.check(zermelo.load("nim"), games=1).problems == ()
    assert zermelo.equilibrium([[1, -1], [-1, 1]]).value == 0
    assert zermelo.search(zermelo.load("tictactoe"), depth=9).value == 0


def test_dir_is_complete() -> None:
    assert {"Engine", "cfr", "match", "search", "equilibrium", "Game", "__version__"} <= set(dir(zermelo))
    assert all(hasattr(zermelo, name) for name in dir(zermelo))


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = "import sys, zermelo; print({'numba', 'numpy', 'scipy', 'starlette', 'zermelo._core'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"


def test_what_ships_beside_the_rules_is_small() -> None:
    most = {".table": 4.5, ".book": 0.1, ".safetensors": 4.0}
    for suffix, megabytes in most.items():
        files = list((ROOT / "src/zermelo/games").rglob(f"*{suffix}"))
        assert files
        for game in {path.relative_to(ROOT / "src/zermelo/games").parts[0] for path in files}:
            size = sum(path.stat().st_size for path in files if game in path.parts)
            assert size < megabytes * 1e6, f"the files *{suffix} of {game} take {size:,} bytes"
