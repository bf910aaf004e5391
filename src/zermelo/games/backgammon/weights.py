"""Where the networks of backgammon come from."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from zermelo.engine.backgammon import Networks
from zermelo.errors import InputError, OptionError

DEFAULT = Path(__file__).with_name("weights.safetensors")
"""Those that come with the package, as `zermelo train backgammon` has written them."""


@lru_cache(maxsize=8)
def _read(path: str, _changed: int) -> Networks:
    return Networks.read(path)


def networks_of(path: str) -> Networks | None:
    """The networks in the file `path`, read once; none for `none`, and the package's own for no name."""
    if path == "none":
        return None
    file = Path(path) if path else DEFAULT
    try:
        changed = file.stat().st_mtime_ns
    except OSError:
        raise OptionError(
            f"weights must be a file of `zermelo train backgammon`, or none; there is no {path}"
        ) from None
    try:
        return _read(str(file), changed)
    except InputError as error:
        raise OptionError(str(error)) from None
