"""Weights are kept in files, and bad files are refused in one line."""

from __future__ import annotations

import pytest

from zermelo.errors import InputError
from zermelo.game import Weights


def test_weights_come_back_as_they_were_written(tmp_path):
    weights = Weights("nim", {"b": 1, "a": -2.5}, {"games": 3})
    weights.write(tmp_path / "w.json")
    assert Weights.read(tmp_path / "w.json") == weights
    assert weights.arranged(["a", "b"], "w.json") == [-2.5, 1]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("3", 'no "weights"'),
        ('{"weights": []}', 'no "weights"'),
        ('{"weights": {}}', 'no "weights"'),
        ('{"weights": {"a": "1"}}', "weight of 'a'"),
        ('{"weights": {"a": true}}', "weight of 'a'"),
        ('{"weights": {"a": NaN}}', "weight of 'a'"),
        ('{"weights": {"a": 1e10}}', "weight of 'a'"),
        ('{"weights": {"a": ' + "9" * 400 + "}}", "weight of 'a'"),
    ],
)
def test_what_holds_no_weights_is_refused(tmp_path, text, why):
    (tmp_path / "w.json").write_text(text)
    with pytest.raises(InputError, match=why):
        Weights.read(tmp_path / "w.json")


def test_a_file_that_cannot_be_read_or_written_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.json"):
        Weights.read(tmp_path / "none.json")
    with pytest.raises(InputError, match="cannot be written"):
        Weights("nim", {"a": 1}).write(tmp_path / "none" / "w.json")


def test_other_names_are_refused():
    weights = Weights("nim", {"a": 1, "b": 2})
    with pytest.raises(InputError, match="no weight for 'c'"):
        weights.arranged(["a", "c"], "w.json")
    with pytest.raises(InputError, match="a weight for 'b'"):
        weights.arranged(["a"], "w.json")
