"""No two modules of the textbook know each other: imports, those for types alone included, go one way."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

SEARCH = Path(__file__).parents[2] / "src" / "zermelo" / "search"


def name_of(path: Path) -> str:
    parts = path.relative_to(SEARCH.parents[1]).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_the_modules_of_the_textbook_have_an_order() -> None:
    modules = {name_of(path): path for path in SEARCH.rglob("*.py")}
    known: dict[str, set[str]] = {name: set() for name in modules}
    for name, path in modules.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module in modules and node.module != name:
                known[name].add(node.module)
                known[name] |= {f"{node.module}.{each.name}" for each in node.names} & modules.keys()
    assert len(list(TopologicalSorter(known).static_order())) == len(modules)
