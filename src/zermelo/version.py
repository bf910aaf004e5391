"""The version of the installed package; `pyproject.toml` is the one place where it is written."""

from __future__ import annotations


def own_version() -> str:
    """The installed version; a checkout that was never installed has none."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("zermelo")
    except PackageNotFoundError:
        return "(not installed)"
