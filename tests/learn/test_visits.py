"""What self-play by simulations records for a policy: visits, noise, quick and full searches, drawn actions."""

from __future__ import annotations

from pathlib import Path

import pytest

import zermelo as z
from zermelo.engine.mcts import mcts
from zermelo.errors import MethodError, OptionError
from zermelo.learn.records import MoveFlags, RecordedGames, RecordWriter
from zermelo.learn.selfplay import Exploration, SearchPlayer, SelfPlay, SelfPlayOptions

PUCT = {"selection": "puct"}
FULL = Exploration(visits=True)


def options(exploration: Exploration, **changes: object) -> SelfPlayOptions[object]:
    given: dict[str, object] = {
        "player": SearchPlayer("mcts", simulations=80, simulation=PUCT),
        "games": 10,
        "block_games": 4,
        "longest_plies": 60,
        "exploration": exploration,
    }
    return SelfPlayOptions(**{**given, **changes})  # type: ignore[arg-type]


def play(game: z.Game, path: Path, wanted: SelfPlayOptions[object]) -> RecordedGames[object]:
    with RecordWriter(path, game) as writer:
        for block in SelfPlay(game, wanted).blocks():
            writer.write(block)
    return RecordedGames(path, game)


@pytest.mark.parametrize("name", ["connect4", "breakthrough", "checkers", "race"])
def test_visits_are_shares_of_legal_actions(name: str, tmp_path: Path) -> None:
    game = z.load(name)
    records = play(game, tmp_path / "games", options(FULL))
    assert records.check() == records.moves
    for each in records:
        state = each.start
        for action, shares, score, flags in zip(each.actions, each.visits, each.scores, each.flags, strict=True):
            if score is not None and MoveFlags.proved not in flags:
                assert sum(shares.values()) == pytest.approx(1, abs=0.05)
                assert max(shares.values()) == shares[action] or MoveFlags.proved in flags
                assert set(shares) <= set(game.actions(state))
            elif score is None:
                assert not shares
            state = game.result(state, action)


def test_the_first_visits_are_those_of_a_search_alone(tmp_path: Path) -> None:
    game = z.load("connect4")
    first = next(iter(play(game, tmp_path / "games", options(FULL, games=1))))
    found = mcts(game, simulations=80, **PUCT)
    assert first.actions[0] == found.action
    total = sum(found.visits.values())
    for action, visits in found.visits.items():
        assert first.visits[0].get(action, 0) == pytest.approx(visits / total, abs=1 / 255)


def test_a_proved_position_teaches_its_best_action(tmp_path: Path) -> None:
    game = z.load("tictactoe")
    seen = 0
    for each in play(game, tmp_path / "games", options(FULL, games=30, player=SearchPlayer("mcts", simulations=2000))):
        for action, shares, score, flags in zip(each.actions, each.visits, each.scores, each.flags, strict=True):
            if MoveFlags.proved in flags:
                seen += 1
                assert shares == ({} if score == game.bounds[0] else {action: 1.0})
    assert seen > 0


def test_only_full_searches_have_visits(tmp_path: Path) -> None:
    game = z.load("connect4")
    part = Exploration(visits=True, full_share=0.25, quick_part=0.1)
    records = play(game, tmp_path / "games", options(part, games=40))
    searched = [shares for each in records for shares, score in zip(each.visits, each.scores, strict=True) if score]
    assert 0.15 < sum(bool(shares) for shares in searched) / len(searched) < 0.35


def test_noise_and_drawn_actions_make_games_differ(tmp_path: Path) -> None:
    game = z.load("connect4")

    def games(exploration: Exploration) -> set[tuple[int, ...]]:
        path = tmp_path / str(hash(exploration))
        return {each.actions for each in play(game, path, options(exploration))}

    assert len(games(Exploration())) == 1
    assert len(games(Exploration(noise=10.0))) > 5
    assert len(games(Exploration(drawn_plies=6))) > 5


def test_the_same_seed_gives_the_same_games_on_any_number_of_threads() -> None:
    game = z.load("connect4")
    every = Exploration(visits=True, full_share=0.5, quick_part=0.2, noise=10.0, drawn_plies=8)
    runs = [list(SelfPlay(game, options(every, threads=threads, seed=3)).blocks()) for threads in (1, 3)]
    assert runs[0] == runs[1]
    assert runs[0] != list(SelfPlay(game, options(every, seed=4)).blocks())


def test_games_without_visits_take_no_more_room() -> None:
    game = z.load("connect4")
    without, recorded = (
        sum(map(len, SelfPlay(game, options(Exploration(visits=visits))).blocks())) for visits in (False, True)
    )
    assert without < recorded / 2


@pytest.mark.parametrize(
    "exploration",
    [Exploration(full_share=1.5), Exploration(quick_part=-0.1), Exploration(noise=-1), Exploration(drawn_plies=-1)],
)
def test_exploration_that_makes_no_sense_is_refused(exploration: Exploration) -> None:
    with pytest.raises(OptionError):
        SelfPlay(z.load("connect4"), options(exploration))


def test_visits_are_those_of_simulations() -> None:
    with pytest.raises(MethodError, match="Monte Carlo"):
        SelfPlay(z.load("connect4"), options(FULL, player=SearchPlayer(nodes=10)))
    with pytest.raises(OptionError, match="Monte Carlo"):
        SelfPlay(z.load("connect4"), options(Exploration(), player=SearchPlayer(simulations=10)))
