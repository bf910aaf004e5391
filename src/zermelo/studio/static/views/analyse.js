// Analyse: the best lines of a position while a search deepens, and what it has against any other move.

import { Board } from "../board.js";
import { attempt, button, checkbox, copy, element, field, icon, input, refill, select, slowNotice } from "../dom.js";
import { copyLink, isPage } from "../address.js";
import { makeGamePicker } from "../games.js";
import { LinePlayer } from "../lines.js";
import { makeMoves } from "../moves.js";
import { makeBar } from "../players.js";

const MOST_BUTTONS = 400;
const PLAY = "M4 2.5v11L13 8z";

function makeSetup(model, open) {
  const position = input("", { placeholder: "the start, a position, moves or a game" });
  const lines = select(["1", "2", "3", "5", "8"], "3");
  const picker = makeGamePicker(model, () => {}, "chess");
  const form = element("form", { class: "setup" }, picker.el, field("Position or moves", position), field("Lines", lines),
    element("button", { type: "submit", class: "primary" }, "Analyse"));
  const given = () => ({ game: picker.value(), load: position.value, lines: Number(lines.value) });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    open(given());
  });
  return { form, lines: () => Number(lines.value), begin: () => open(given()), ready: picker.ready };
}

function describeAnalysis(data) {
  const found = data.analysis;
  if (data.error) return data.error;
  if (!found) return data.turn === null ? "The game is over here." : "Searching…";
  const simulations = found.simulations ? `${found.simulations.toLocaleString("en")} simulations · ` : "";
  const depth = found.depth === null ? simulations : `depth ${found.depth} · `;
  const speed = found.speed ? ` · ${Math.round(found.speed).toLocaleString("en")} a second` : "";
  return `${found.message} · ${depth}${found.nodes.toLocaleString("en")} nodes${speed}${data.running ? "" : " · stopped"}`;
}

export function render({ model, el, given: link = new URLSearchParams() }) {
  const asking = checkbox("Ask by clicking on the board", false);
  const ask = (move) => attempt(model.ask("whynot", { move }));
  const settle = async (verb, given) => {
    const done = await attempt(model.ask(verb, given));
    show(model.get()); // at once: the board can be clicked from here on
    return done;
  };
  const change = (verb, given) => board.hold(settle(verb, given));
  const chooses = (data) => data !== null && data.turn !== null && data.turn >= 0; // a player, not chance
  const board = new Board(
    (move) => (asking.box.checked && chooses(model.get()) ? ask(move) : change("move", { move })),
    (made) => attempt(model.ask("step", { made })),
  );
  const setup = makeSetup(model, (given) => change("open", given));
  const status = element("p", { class: "status", role: "status" });
  const notice = element("p", { class: "trouble", hidden: true });
  const heading = element("h1", {}, "Analyse");
  const bar = makeBar();
  const lines = element("ol", { class: "lines", "aria-label": "Best lines" });
  const book = element("p", { class: "book", hidden: true });
  const moves = makeMoves((ply) => change("back", { ply }));
  const answer = element("p", { class: "answer", role: "status" });
  const reasoning = element("details", { class: "reasoning", hidden: true }, element("summary", {}, "Show the reasoning"), element("p", {}));
  const placeless = element("div", { class: "legal", role: "group", "aria-label": "Moves without a place on the board" });
  const others = select([], "", { "aria-label": "A move to ask about" });
  const player = new LinePlayer(board, () => show(model.get()));
  let played = null;

  const halt = button("Stop", () => attempt(model.ask(model.get()?.running ? "halt" : "go")));
  const back = button("Back", () => change("back"));
  const start = button("Start", () => change("back", { ply: 0 }));
  const copyPosition = button("Copy position", () => copy(model.get()?.position ?? ""));
  const share = button("Copy link", () => copyLink("analyse", { game: model.get().game, position: model.get().position }));
  const why = button("Why not?", () => others.value && ask(others.value));

  async function playLine(number) {
    const found = await attempt(model.ask("line", { line: number }));
    if (found) player.play(found.steps, "Line: ");
  }
  function showLines(data) {
    const found = data.analysis?.lines ?? [];
    lines.replaceChildren(...found.map((line, number) => element("li", {}, button(icon(PLAY), () => playLine(number), { "aria-label": `Play line ${number + 1}` }),
      element("b", {}, line.value), " ", element("span", {}, line.moves.join(" ")))));
  }
  function showAnswer(data) {
    if (data.asking) answer.textContent = "Looking for the refutation…";
    else answer.textContent = data.answer?.message ?? (data.turn !== null && data.turn < 0 ? "Chance decides here: nobody can be asked why not." : "");
    reasoning.hidden = !data.answer?.reasoning;
    reasoning.lastChild.textContent = data.answer?.reasoning ?? "";
    const text = data.answer ? JSON.stringify(data.answer.message) : null;
    if (text && text !== played) player.play(data.answer.steps, "After it: ");
    played = text;
  }
  let place = null;
  function show(data) {
    if (!data) return;
    const here = `${data.game} ${data.ply} ${data.position}`;
    if (place !== here) {
      player.el.hidden = true;
      player.stop();
      const asked = chooses(data) ? data.legal : [];
      others.replaceChildren(...asked.map(({ notation }) => element("option", { value: notation }, notation)));
      others.disabled = why.disabled = asking.box.disabled = !asked.length;
    }
    if (place !== here || !player.open) board.show(data, data.title);
    place = here;
    const elsewhere = data.legal.filter(({ at }) => !at.length).slice(0, MOST_BUTTONS);
    refill(placeless, elsewhere.map(({ notation }) => button(notation, () => board.act(notation))));
    status.textContent = describeAnalysis(data);
    notice.textContent = slowNotice(data.interpreted);
    notice.hidden = !data.interpreted;
    heading.textContent = data.title;
    const lowest = data.below !== null && board.turned ? 1 - data.below : data.below ?? 0;
    bar.show(data.analysis?.share ?? 0, data, lowest);
    book.textContent = data.book;
    book.hidden = !data.book;
    showLines(data);
    moves.show(data);
    moves.mark(data.ply);
    showAnswer(data);
    halt.textContent = data.running ? "Stop" : "Go on";
    back.disabled = start.disabled = !data.ply;
  }
  let painted = 0;
  let late = null;
  // A search may tell of many depths in a moment: the page follows at most ten times a second.
  const update = () => {
    clearTimeout(late);
    const wait = 100 - (performance.now() - painted);
    late = setTimeout(() => {
      painted = performance.now();
      show(model.get());
    }, Math.max(0, wait));
  };

  el.append(
    element("section", { class: "stage-board", "aria-label": "Board" },
      element("div", { class: "table" }, bar.el, element("div", { class: "middle" }, board.el)), placeless, player.el,
      element("p", { class: "row" }, start, back, halt, board.flip, copyPosition, isPage(el) && share)),
    element("section", { class: "side", "aria-label": "Analysis" }, heading, status, notice, lines, book, moves.el, element("h2", {}, "Why not?"),
      element("p", { class: "row" }, others, why), asking.holder, answer, reasoning,
      element("details", { class: "more", open: !model.get() }, element("summary", {}, "Another position"), setup.form)));
  model.on("change", update);
  const follow = async () => {
    const opened = await change("open", { game: link.get("game"), position: link.get("position") ?? "", lines: setup.lines() });
    if (!opened && !model.get()) setup.ready.then(setup.begin);
  };
  if (link.has("game")) follow();
  else if (model.get()) show(model.get());
  else setup.ready.then(() => !model.get() && setup.begin());
  return () => {
    model.off("change", update);
    clearTimeout(late);
    player.stop();
    model.ask("halt").catch(() => {});
  };
}

export default { render };
