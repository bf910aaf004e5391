"""What notebooks show."""

from __future__ import annotations

import builtins
import json
import re
from typing import Any

import pytest

import zermelo as z
from tests.studio.conftest import PATIENCE, soon
from zermelo.equilibrium import NormalForm, cfr, equilibria
from zermelo.errors import OptionError
from zermelo.studio.notebook import VIEWS, Board, make_script, make_style, studio_widget, trace_widget

RED_BLUE = [[30, -10, 20], [-10, 20, -20]]


def test_a_position_shows_itself_as_a_picture() -> None:
    game = z.load("tictactoe")
    after = game.result(game.initial(), 4)
    assert Board(game, after)._repr_svg_() == game.picture(after)
    assert game._repr_svg_() == Board(game)._repr_svg_()
    assert repr(Board(game)) == "<Board of TicTacToe>"


def test_a_player_sees_only_its_own_side_of_a_hidden_game() -> None:
    game = z.load("blind-tictactoe")
    after = game.result(game.initial(), 4)
    other = game.result(game.initial(), 0)
    assert Board(game, after, 1)._repr_svg_() == Board(game, other, 1)._repr_svg_()
    assert Board(game, after, 0)._repr_svg_() != Board(game, other, 0)._repr_svg_()


def rows(html: str) -> list[str]:
    """The rows of all tables, as text."""
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in re.findall(r"<tr>(.*?)</tr>", html)]


def test_an_analysis_shows_its_position_and_speaks_the_games_language() -> None:
    game = z.load("tictactoe")
    found = z.minimax(game, game.read("xx./oo./..."))
    html = found._repr_html_()
    assert "data:image/svg+xml;base64," in html
    assert {"value 1, proved", "best c3", "line c3"} <= set(rows(html))
    assert rows(z.mcts(game, simulations=50)._repr_html_())[-1].split()[-1].isdigit()  # visits of the last action


def test_every_search_says_what_it_searched() -> None:
    game = z.load("tictactoe")
    over = game.read("xxx/oo./...")
    for found in (z.search(game, depth=2), z.alphabeta(game, depth=2), z.mcts(game, simulations=9), z.solve(game)):
        assert found.origin == (game, game.initial())
    assert z.search(game, over).origin == (game, over)
    assert "nothing to choose" in z.search(game, over)._repr_html_()
    assert z.search(z.load("pig"), depth=1).origin[0].name == "Pig"


def test_an_analysis_of_nobody_knows_what_shows_itself_too() -> None:
    found = z.Analysis(3, 0.5, (0.5, -0.5), (3,), 1, 2, 1, 0, 0.1, False, (-1, 1), "mine", actions={3: 0.5, 4: 0.0})
    assert {"best 3", "depth 1", "4 0"} <= set(rows(found._repr_html_()))


def test_text_of_a_game_cannot_become_markup() -> None:
    form = NormalForm(RED_BLUE, ("<b>Red", "Blue"), (("<script>", "2"), ("A", "B", "C")), title="<img>")
    for html in (form._repr_html_(), z.equilibrium(form)._repr_html_()):
        assert "<script>" not in html
        assert "<b>" not in html
        assert html.count("<img") == html.count("<img alt=")


def test_a_payoff_table_underlines_best_replies() -> None:
    html = NormalForm(RED_BLUE, ("Red", "Blue"), (("1", "2"), ("A", "B", "C")))._repr_html_()
    assert rows(html) == ["Red \\ Blue A B C", "1 30 , -30 -10, 10 20 , -20", "2 -10, 10 20 , -20 -20, 20"]
    assert re.findall(r"<u>(-?\d+)</u>", html) == ["30", "10", "20", "20", "20"]


def test_payoff_tables_of_any_size_stay_small() -> None:
    assert "the first 8 × 50 of 300 × 50" in NormalForm([[0] * 50] * 300)._repr_html_()
    three = NormalForm([[[[1, 2], [3, 4]], [[1, 2], [3, 4]]]] * 3)._repr_html_()
    assert rows(three)[0] == "outcome player 0 player 1 player 2"
    assert len(rows(three)) == 9


def test_equilibria_show_their_mixtures_and_the_picture() -> None:
    form = NormalForm(RED_BLUE, ("Red", "Blue"), (("1", "2"), ("A", "B", "C")))
    html = z.equilibrium(form, exact=True)._repr_html_()
    assert rows(html) == ["player plays gets", "Red 1: 4/7 2: 3/7 20/7", "Blue B: 4/7 C: 3/7 -20/7"]
    assert "<img" in html
    assert equilibria(form)[0]._repr_html_().count("4/7") == 2
    assert "<img" in z.equilibrium([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])._repr_html_()
    large = [[0, 1, 2, 3], [3, 0, 1, 2], [2, 3, 0, 1], [1, 2, 3, 0]]
    assert "<img" not in z.equilibrium(large)._repr_html_()  # no picture of 4 × 4


def test_a_learnt_strategy_shows_its_sets_and_its_curve() -> None:
    html = cfr(z.load("kuhn"), "cfr+", exploitability=None, iterations=300)._repr_html_()
    assert rows(html)[0] == "player knows plays"
    assert len(rows(html)) == 13
    assert "Exploitability falls to" in html
    assert "player 0 K pb call: 1" in rows(html)


def test_widgets_say_what_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "anywidget":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    for make in (lambda: trace_widget(z.minimax(z.load("[1,2]"), trace=True).trace), studio_widget):
        with pytest.raises(OptionError, match="pip install"):
            make()


def test_a_trace_becomes_a_widget() -> None:
    pytest.importorskip("anywidget")
    trace = z.minimax(z.load("[1,2]"), trace=True).trace
    widget = trace_widget(trace)
    assert widget.trace == trace.view()
    assert "export default" in str(widget._esm)


def ask(widget: Any, sent: list[Any], verb: str, **given: Any) -> Any:
    """What the kernel answers to a view's question, which comes over another thread."""
    number = 1 + max((each.get("id") or 0 for each in sent), default=0)
    text = json.dumps({"id": number, "do": verb, "with": given})
    widget._handle_custom_msg({"text": text}, [])
    assert soon(lambda: any(each.get("id") == number for each in sent))
    return next(each for each in sent if each.get("id") == number)


def test_a_view_is_a_widget_that_plays_in_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("anywidget")
    game = z.load("nim")
    widget = studio_widget("play", game)
    sent: list[Any] = []
    monkeypatch.setattr(type(widget), "send", lambda _self, content: sent.append(json.loads(content["text"])))
    assert ask(widget, sent, "home.games")["ok"]["games"][0]["text"] == game.name
    assert "ok" in ask(widget, sent, "play.new", game="tictactoe", seats=["human", "human"], evaluate=False)
    assert "ok" in ask(widget, sent, "play.move", move="b2")
    assert soon(lambda: any(each.get("event") == "play" and each.get("changes", {}).get("ply") == [1] for each in sent))
    for nonsense in ({}, {"text": "["}, "text"):
        widget._handle_custom_msg(nonsense, [])
        assert "error" in sent[-1]
    ask(widget, sent, "analyse.open", game="chess")
    view = widget.connection.session.views["analyse"]
    assert view.job is not None
    widget.close()
    assert view.job is None


def test_only_views_become_widgets() -> None:
    pytest.importorskip("anywidget")
    with pytest.raises(OptionError, match="there are play"):
        studio_widget("kitchen")


WIDGET = """({ script, style }) => new Promise(async (done) => {
  const heard = [];
  const model = {
    get: (name) => ({ style })[name],
    send: (content) => window.toKernel(content.text),
    on: (_event, act) => heard.push(act),
    off() {},
  };
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const { default: widget } = await import(address);
  document.body.append(Object.assign(document.createElement("div"), { id: "cell" }));
  await widget.render({ model, el: document.getElementById("cell") });
  setInterval(async () => {
    for (const text of await window.fromKernel()) heard.forEach((act) => act({ text }));
  }, 20);
  done();
})"""
SEEN = {"play": ".board svg", "watch": ".zermelo-tree", "analyse": ".lines li", "theory": ".equilibrium"}


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_lives_in_a_cell(browser: Any, view: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The widget's own script in Chromium, with what carries its messages put in the place of Jupyter."""
    pytest.importorskip("anywidget")
    widget = studio_widget(view)
    mail: list[str] = []
    monkeypatch.setattr(type(widget), "send", lambda _self, content: mail.append(content["text"]))
    page = browser.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request", lambda asked: None if asked.url.startswith(("blob:", "about:")) else complaints.append(asked.url)
    )
    page.expose_function("toKernel", lambda text: widget._handle_custom_msg({"text": text}, []))
    page.expose_function("fromKernel", lambda: [mail.pop(0) for _ in range(len(mail))])
    page.evaluate(WIDGET, {"script": make_script(view), "style": make_style()})
    page.locator(SEEN.get(view, ".setup")).first.wait_for(timeout=PATIENCE)
    if view == "play":
        page.locator('div.board:not([aria-busy]) [data-at="b2"]').first.click()
        page.locator(".moves li").first.wait_for(timeout=PATIENCE)
    assert complaints == []
    page.close()
    widget.close()
