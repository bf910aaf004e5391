"""Every game has a page of its own, and what the page shows is what happens."""

from __future__ import annotations

import doctest
import inspect
from pathlib import Path

import pytest

from zermelo.games import games, load


def page_of(game: type) -> Path:
    """The page beside the rules: of a folder its README, of a module with several games the file of its name."""
    file = Path(inspect.getfile(game))
    return file.with_suffix(".md") if file.parent.name == "games" else file.with_name("README.md")


PAGES = {name: page_of(game) for name, game in games().items()}


@pytest.mark.parametrize("name", PAGES)
def test_the_examples_of_the_page_are_true(name):
    text = PAGES[name].read_text(encoding="utf-8")
    test = doctest.DocTestParser().get_doctest(text, {}, f"{name}/README.md", None, 0)
    assert test.examples
    said = []
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)


@pytest.mark.parametrize("name", PAGES)
def test_the_page_names_every_option(name):
    text = PAGES[name].read_text(encoding="utf-8")
    for option, parameter in inspect.signature(games()[name]).parameters.items():
        assert f"`{option}`" in text
        assert parameter.default is not inspect.Parameter.empty
    assert f"zermelo play {name}" in text


@pytest.mark.parametrize("name", PAGES)
def test_the_name_loads_the_game(name):
    assert isinstance(load(name), games()[name])
