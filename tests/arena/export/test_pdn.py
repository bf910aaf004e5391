"""PDN: checkers in the words of draughts."""

from __future__ import annotations

from tests.arena.export.exported import played

from zermelo.arena.export import ExportGame, export, writers
from zermelo.arena.openings import Opening, read_file
from zermelo.arena.openings.files import read_movetext


def test_pdn_has_the_colours_of_the_game_and_positions_of_the_standard():
    game = ExportGame(
        game="Checkers",
        players=("first", "second"),
        moves=("22x15x8", "1-5"),
        movers=(1, 0),
        utilities=(-1.0, 1.0),
        seats=("black", "white"),
        start="W:W22,K32:B18,11,27:H3",
    )
    (_, tags, moves), *rest = read_movetext(writers()["pdn"].write(game))
    assert (tags["Black"], tags["White"], tags["Result"], tags["GameType"]) == ("first", "second", "1-0", "21")
    assert tags["FEN"] == "W:W22,K32:B18,11,27"
    assert moves == ("22x15x8", "1-5")
    assert rest == []
    assert "\n1... 22x15x8 2. 1-5 1-0\n" in writers()["pdn"].write(game)


def test_a_game_of_checkers_is_read_back_from_pdn_by_the_rules(tmp_path):
    rules, _, game = played("checkers", seed=5)
    path = tmp_path / "games.pdn"
    path.write_text("".join(export("pdn", [game])))
    plies = len(game.moves) - 1
    assert read_file(path, rules, plies) == [Opening(None, game.moves[:plies])]
