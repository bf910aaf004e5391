"""From the text that names a game to the game."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import inspect
import pkgutil
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import zermelo.games
from zermelo.errors import GameNotFoundError, InputError, OptionError
from zermelo.game import AnyGame, Game, Tree, adapt
from zermelo.game.aima import NAMES as AIMA_NAMES
from zermelo.game.aima import AimaGame
from zermelo.options import call_with_options, declared_options, default_options, read_options, take_option


def games() -> dict[str, type[AnyGame]]:
    """Every game of the package by name, in alphabetical order."""
    found = {name: _main_class(importlib.import_module(f"zermelo.games.{name}")) for name in _scan(folders=True)}
    for name in _scan(folders=False):
        found |= _small_games(name)
    return {name.replace("_", "-"): found[name] for name in sorted(found)}


def _scan(folders: bool) -> list[str]:
    """The folders of this package, each a game, or its modules, each with several small games."""
    return [m.name for m in pkgutil.iter_modules(zermelo.games.__path__) if m.name[0] != "_" and m.ispkg is folders]


def _small_games(module: str) -> dict[str, type[AnyGame]]:
    """The games that a module defines, by the names of their classes: `red_blue` is RedBlue."""
    found = vars(importlib.import_module(f"zermelo.games.{module}")).values()
    own = [c for c in found if inspect.isclass(c) and issubclass(c, Game) and c.__module__.endswith(f".{module}")]
    return {re.sub(r"(?<!^)(?=[A-Z])", "_", c.__name__).lower(): c for c in own}


class Companion(NamedTuple):
    """A kind of file that goes with a game: an option names one, or it lies beside the rules and is found there."""

    option: str
    suffix: str
    join: Callable[[AnyGame, Path, bool], AnyGame]
    """The game with the file; one that was not `named` may be for other options, and then is left out."""
    is_folder: bool = False
    own_suffix: str = ""
    """Of the one beside a user's file, if that is another."""

    def files(self, rules: Path) -> list[Path]:
        """The files beside the rules: those of a folder of this package, or the one with the name of a user's file."""
        if rules.name == "__init__.py":
            return sorted(rules.parent.glob(self.option if self.is_folder else f"{self.option}*{self.suffix}"))
        path = self.place(rules)
        return [path] if (path.is_dir() if self.is_folder else path.is_file()) else []

    def place(self, rules: Path) -> Path:
        """Where the file for the rules in a user's file is."""
        return rules.with_suffix(self.own_suffix or self.suffix)


def _join_search(game: AnyGame, path: Path, named: bool) -> AnyGame:
    from zermelo.engine.identity import has_options_of
    from zermelo.engine.parameters import attach_tuning, read_tuning

    try:
        tuning = read_tuning(path)
    except InputError as error:
        raise error if named else InputError(f"{error}; play without it by search=no") from None
    if named or has_options_of(tuning.game, game):
        attach_tuning(game, tuning)
    return game


def _join_tables(game: AnyGame, path: Path, named: bool) -> AnyGame:
    from zermelo.engine.identity import has_options_of
    from zermelo.tables import kept_identity, read_tables, with_tables

    if not named:
        kept = kept_identity(path)
        if kept is None or not has_options_of(kept, game, game.tables_ignore):
            return game
    try:
        return with_tables(game, read_tables(path, game))
    except InputError as error:
        raise error if named else InputError(f"{error}; build them again, or play without them by tables=no") from None


def _join_network(game: AnyGame, path: Path, named: bool) -> AnyGame:
    from zermelo.engine.identity import has_options_of
    from zermelo.engine.network import learned_as, read_network, with_network

    if not named and getattr(game, "weights", "") != getattr(type(game), "weights", ""):
        return game  # whoever names weights wants the evaluation that they belong to
    network = read_network(path)
    taught = (has_options_of(network.game, each, each.networks_ignore) for each in (game, learned_as(game)))
    if not named and not any(taught):
        return game
    try:
        return with_network(game, network)
    except InputError as error:
        raise error if named else InputError(f"{error}; train again, or play without it by network=no") from None


def _join_book(game: AnyGame, path: Path, named: bool) -> AnyGame:
    from zermelo.book import StoredBook, attach_book, read_book, read_contents
    from zermelo.engine.identity import has_options_of

    if named:
        attach_book(game, read_book(path, game))
        return game
    contents = read_contents(path)
    if has_options_of(contents.game, game):
        try:
            book: StoredBook[Any, Any] = StoredBook(game, contents, str(path))
        except InputError as error:
            raise InputError(f"{error}; make it again, or play without it by book=no") from None
        book.is_shipped = path.is_relative_to(PACKAGE)
        attach_book(game, book)
    return game


NETWORK = Companion("network", ".safetensors", _join_network)
BOOK = Companion("book", ".book", _join_book)
TABLES = Companion("tables", ".tables", _join_tables, is_folder=True)
SEARCH = Companion("search", ".json", _join_search, own_suffix=".search.json")
COMPANIONS = (SEARCH, TABLES, NETWORK, BOOK)
"""In this order: a game with tables or a network has the parameters of the game without them."""
PACKAGE = Path(__file__).parent
"""Where the games of the package lie, with what ships with them."""
PYTHON_FILE = re.compile(r"(.+?\.py)(?::(\w+))?(?::(.*))?$", re.DOTALL)
SHARED_LIBRARY = re.compile(r"(.+?\.(?:so|dylib|dll))(?::(\w+))?(?::(.*))?$", re.DOTALL)


def runs_code(text: str) -> bool:
    """Whether loading the game that `text` names runs code from outside the package."""
    text = text.strip()
    if text.startswith(("[", "{", "(")) or text.lower().endswith(".efg"):
        return False
    return PYTHON_FILE.match(text) is not None or SHARED_LIBRARY.match(text) is not None


def split_name(text: str) -> tuple[Path | None, str, str]:
    """The file that `text` names, if any, what the game is called in it or in the package, and its options."""
    file = PYTHON_FILE.match(text.strip()) or SHARED_LIBRARY.match(text.strip())
    if file:
        return Path(file.group(1)), file.group(2) or "", file.group(3) or ""
    name, _, options = text.strip().partition(":")
    return None, name, options


def network_file(text: str) -> Path:
    """Where the network of a game goes: beside the file of its rules, where it is found again, or into this folder."""
    return _beside(text, NETWORK)


def book_file(text: str) -> Path:
    """The same for its book."""
    return _beside(text, BOOK)


def tables_folder(text: str) -> Path:
    """The same for the folder of its endgame tables."""
    return _beside(text, TABLES)


def openings_folder(game: AnyGame) -> Path | None:
    """The folder of the openings that a game brings: beside its rules, as its other files are; `None` without one."""
    rules = _file_of(type(_bare(game)))
    if rules is None:
        return None
    in_package = rules.is_relative_to(PACKAGE)
    folder = rules.with_name("openings") if in_package else rules.with_suffix(".openings")
    return folder if folder.is_dir() else None


def search_file(text: str) -> Path:
    """The same for the parameters of its search."""
    return _beside(text, SEARCH)


def _beside(text: str, companion: Companion) -> Path:
    file = PYTHON_FILE.match(text.strip())
    return companion.place(Path(file.group(1) if file else text.strip().partition(":")[0]))


def with_option(text: str, name: str, value: str) -> str:
    """The name of a game with one more option, as in `connect4:columns=8,network=FILE`."""
    file = PYTHON_FILE.match(text)
    options = file.group(3) if file else text.partition(":")[2]
    return f"{text}{',' if options else ':'}{name}={value}"


def without_files(options: str) -> str:
    """The options of a game without those that name the files that go with it."""
    for each in COMPANIONS:
        options = take_option(options, each.option)[1]
    return options


def load(text: str) -> AnyGame:
    """The game that `text` names, ready to play."""
    text = text.strip()
    if text.startswith(("[", "{", "(")):
        return Tree(text)
    if text.lower().endswith(".efg"):
        from zermelo.equilibrium.efg import load_efg

        return load_efg(text)
    file = PYTHON_FILE.match(text)
    if file:
        path, name, options = file.groups()
        return _make(_class_in_file(Path(path), name), options or "", text, Path(path))
    library = SHARED_LIBRARY.match(text)
    if library:
        return _shared(*library.groups())
    name, _, options = text.partition(":")
    return _load_built_in(name, options)


def load_named(text: str) -> AnyGame:
    """The game of the package or the tree that `text` names: for text from strangers, which may open no file."""
    text = text.strip()
    if text.startswith(("[", "{", "(")):
        return Tree(text)
    name, _, options = text.partition(":")
    _check_strange(options, games().get(name))
    return _load_built_in(name, options)


def load_again(game: AnyGame, options: str) -> AnyGame:
    """Another game of the class of `game`, with `options` from strangers."""
    if isinstance(game, (AimaGame, Tree)):
        raise OptionError(f"{game.name} takes no options here; start the studio with the game to say them")
    kind = type(_bare(game))
    _check_strange(options, kind)
    return _make(kind, options, game.name, _file_of(kind))


def _check_strange(options: str, kind: type[AnyGame] | None) -> None:
    """Refuses options that are texts, which might name files, unless they are among the choices of `kind`."""
    declared = {} if kind is None else declared_options(kind)
    for option, value in read_options(options).items():
        if isinstance(value, str) and not (option in declared and value in declared[option].choices):
            raise OptionError(f"{option} must be a number, yes or no here; start the studio with the game to say more")


def _shared(path: str, symbol: str | None, options: str | None) -> AnyGame:
    """A game that a shared library holds, in whatever language it was written."""
    from zermelo.engine.native import load_shared

    if options is not None:
        raise OptionError(f"a game in a shared library takes no options; name it {path}:{symbol}")
    return load_shared(Path(path), symbol)


def _built_in(name: str) -> type[AnyGame]:
    wanted = name.strip().lower().replace("-", "_")
    folders = _scan(folders=True)
    if wanted in folders:
        return _main_class(importlib.import_module(f"zermelo.games.{wanted}"))
    small = {each: game for module in _scan(folders=False) for each, game in _small_games(module).items()}
    if wanted in small:
        return small[wanted]
    near = difflib.get_close_matches(wanted, [*folders, *small], 1, 0.5)
    hint = f"did you mean {near[0].replace('_', '-')}? " if near else ""
    raise GameNotFoundError(
        f"no game is called {name!r}: {hint}`zermelo games` lists them, and FILE.py:Class names one of your own"
    )


def _main_class(module: ModuleType) -> type[AnyGame]:
    """The one game class that a game's folder exports."""
    (found,) = [c for c in vars(module).values() if inspect.isclass(c) and issubclass(c, Game)]
    return found


def _class_in_file(path: Path, name: str | None) -> Any:
    if not path.is_file():
        raise GameNotFoundError(f"there is no file {path}: give the path of a Python file, as in my_game.py:MyGame")
    module = _run_file(path)
    own = {n: c for n, c in vars(module).items() if inspect.isclass(c) and c.__module__ == module.__name__}
    if name is None:
        own = {n: c for n, c in own.items() if issubclass(c, Game)}
        if len(own) != 1:
            choice = ", ".join(own) or "none that derives from zermelo.Game"
            raise GameNotFoundError(f"say which class of {path} is the game, as in {path}:NAME (it has {choice})")
        name = next(iter(own))
    found = vars(module).get(name)
    if found is None:
        raise GameNotFoundError(f"{path} has no class {name}; it has {', '.join(own) or 'no classes'}")
    return found


def _run_file(path: Path) -> ModuleType:
    """The module in the file `path`, under a name of its own; its folder can be imported from, as in a script."""
    name = f"zermelo_user_{re.sub(r'[^0-9a-zA-Z]', '_', str(path.resolve()))}"
    status = path.stat()
    version = (status.st_mtime_ns, status.st_size)
    if name in sys.modules and vars(sys.modules[name]).get("__zermelo_version__") == version:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        frames = traceback.extract_tb(error.__traceback__)
        lines = [f.lineno for f in frames if Path(f.filename).resolve() == path.resolve()]
        line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
        at = f", line {line}," if line else ""
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise InputError(f"{path}{at} cannot be imported: {what}; mend the file and try again") from error
    finally:
        sys.path.remove(folder)
    vars(module)["__zermelo_version__"] = version
    return module


def with_shipped_files(game: AnyGame) -> AnyGame:
    """A game with the files beside its rules that were made for its options."""
    rules = _file_of(type(game))
    if rules is None:
        return game
    for each in COMPANIONS:
        for path in each.files(rules):
            game = each.join(game, path, False)
    return game


def _bare(game: AnyGame) -> AnyGame:
    """The game without what was made for it."""
    from zermelo.engine.equipped import EquippedGame

    while isinstance(game, EquippedGame):
        game = game.rules
    return game


def _file_of(kind: type[AnyGame]) -> Path | None:
    """The file beside which those of a game lie, as `Companion.files` has it; `None` for a class that was typed in."""
    try:
        file = Path(inspect.getfile(kind))
    except (OSError, TypeError):
        return None
    return file.with_name("__init__.py") if file.is_relative_to(PACKAGE) else file


def _load_built_in(name: str, options: str) -> AnyGame:
    """A game of the package, with the files in its folder that were made for these options, if there are any."""
    kind = _built_in(name)
    return _make(kind, options, name, Path(inspect.getfile(kind)).with_name("__init__.py"))


def _make(game: Any, options: str, text: str, rules: Path | None = None) -> AnyGame:
    """The game object, with the files that its options name, or else those beside its rules."""
    own = default_options(game) if inspect.isclass(game) else {}
    named: dict[str, str | None] = {}
    for each in COMPANIONS:
        if each.option not in own:
            named[each.option], options = take_option(options, each.option)
    made = _make_rules(game, options, text)
    for each in COMPANIONS:
        file = named.get(each.option)
        if file is not None and file.lower() not in ("no", "none", "off"):
            made = each.join(made, Path(file), True)
        elif file is None and each.option in named and rules is not None:
            for path in each.files(rules):
                made = each.join(made, path, False)
    return made


def _make_rules(game: Any, options: str, text: str) -> AnyGame:
    """The game object: a class called with its options, a game as it is, an AIMA-style class adapted."""
    if isinstance(game, Game):
        if options:
            raise OptionError(f"{text} is a game already made, so it takes no options; name its class instead")
        return game
    if not inspect.isclass(game):
        raise GameNotFoundError(f"{text} is not a game class; name a class that derives from zermelo.Game")
    if not issubclass(game, Game):
        missing = [name for name in AIMA_NAMES if name != "initial" and not hasattr(game, name)]
        if missing:
            raise GameNotFoundError(
                f"{game.__name__} is not a game: derive it from zermelo.Game, or give it the AIMA methods "
                f"{', '.join(AIMA_NAMES)} (it lacks {', '.join(missing)})"
            )
    made = call_with_options(game, options)
    return made if isinstance(made, Game) else adapt(made)
