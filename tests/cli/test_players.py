"""`zermelo players` lists who can play."""

from __future__ import annotations

from zermelo.arena.players import kinds


def test_every_kind_is_listed_with_an_example(zermelo):
    done = zermelo("players")
    assert done.exit_code == 0
    for name, kind in kinds().items():
        assert f"\n{name}\n" in f"\n{done.stdout}"
        assert kind.example in done.stdout


def test_the_list_is_data_too(zermelo):
    found = zermelo.json("players")["players"]
    assert [each["name"] for each in found] == list(kinds())
    assert all(set(each) == {"name", "summary", "example", "options"} for each in found)
