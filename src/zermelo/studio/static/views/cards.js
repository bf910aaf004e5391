// Open cards: a game of hidden information after the event, with what every action was worth if all had been seen.

import { Board } from "../board.js";
import { attempt, button, element, field, icon } from "../dom.js";
import { makeGamePicker } from "../games.js";
import { LinePlayer } from "../lines.js";
import { makeMoves } from "../moves.js";
import { capital } from "../players.js";

const SHADE = 0.5; // of the marks, through which cards are read
const LARGEST_FILE = 190000; // characters of a message, less what else it holds

function makeLoader(model) {
  const text = element("textarea", { rows: 5, placeholder: "A board in PBN or LIN, or a position" });
  const file = element("input", { type: "file", "aria-label": "A file to open" });
  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    if (chosen && chosen.size <= LARGEST_FILE) text.value = await chosen.text();
  });
  const picker = makeGamePicker(model, () => {}, "bridge", { verb: "cards.games" });
  const load = () => attempt(model.ask("open", { game: picker.value(), load: text.value }));
  const last = () => attempt(model.ask("adopt"));
  return element("details", { class: "more", open: true }, element("summary", {}, "A game to look at"),
    element("p", { class: "row" }, button("The game in Play", last, { title: "Once it is over" })),
    picker.el, field("Text", text), element("p", { class: "row" }, file, button("Open", load, { class: "primary" })));
}

export function render({ model, el, given = new URLSearchParams() }) {
  el.classList.add("view-analyse"); // laid out as the other view of a board with what a search says of it
  const look = (ply) => attempt(model.ask("look", { ply }));
  const ask = (move) => attempt(model.ask("whynot", { move }));
  const board = new Board(ask, () => null);
  const heading = element("h1", {}, "Open cards");
  const status = element("p", { class: "status", role: "status" }, "What was every card worth, if all had been seen?");
  const worths = element("ol", { class: "lines", "aria-label": "What each is worth" });
  const answer = element("p", { class: "answer", role: "status" });
  const moves = makeMoves((ply) => look(ply + model.get().dealt)); // the deal is no move
  const lines = new LinePlayer(board, () => draw(model.get()));
  const loader = makeLoader(model);
  const ways = [["First", "M3 3h2v10H3zM13 3v10L6 8z", () => 0], ["Back", "M11 3v10L4 8z", ({ ply }) => ply - 1],
    ["Forward", "M5 3v10l7-5z", ({ ply }) => ply + 1], ["Last", "M11 3h2v10h-2zM3 3v10l7-5z", ({ of }) => of - 1]];
  const [first, back, forth, last] = ways.map(([name, outline, where]) => button(icon(outline), () => look(where(model.get())), { "aria-label": name, title: name }));
  const slips = (data) => data.moves.map(({ grade }, index) => (grade ? index + data.dealt : -1)).filter((ply) => ply >= 0);
  const next = button("Next costly card", () => {
    const data = model.get();
    const found = slips(data).find((index) => index > data.ply) ?? slips(data)[0];
    if (found !== undefined) look(found);
  });
  let told = null;
  let opened = null; // the game that is shown

  function draw(data) {
    board.show({ ...data, legal: data.worths.map(({ notation, at }) => ({ notation, at })), mover: data.turn, turn: -1, seats: 0 }, data.title);
    board.warm(data.worths.filter(({ at }) => at.length).map(({ at, share, says }) => [at[0], 0, share * SHADE, share > 0 ? "z-move" : "z-two", says]));
  }
  function show(data) {
    if (!data) return;
    heading.textContent = `${data.title}, open cards`;
    if (opened !== data.number) loader.open = false;
    opened = data.number;
    const text = data.answer ? JSON.stringify([data.ply, data.answer.message]) : null;
    if (text !== told || !text) {
      lines.hide();
      draw(data);
      if (text) lines.play(data.answer.steps, "After it: ");
    }
    told = text;
    answer.textContent = data.answer?.message ?? "";
    const waits = !data.known && data.turn ? " The solver is on its way…" : "";
    const words = data.worths.length ? "Click a card to ask why not." : data.turn ? "Nobody is to play a card here." : "";
    status.textContent = data.error || `${data.turn ? `${capital(data.turn)} is to act. ` : ""}${waits || words} ${data.solved < data.of ? `${data.solved} of ${data.of} positions solved.` : ""}`;
    worths.replaceChildren(...data.worths.map(({ notation, says, share, played }) => element("li", {},
      button(notation, () => ask(notation), { "aria-label": `Why not ${notation}?` }), " ", element("b", {}, share > 0 ? "best" : ""), ` ${says}${played ? " · played" : ""}`)));
    moves.show({ ...data, result: true }, data.moves);
    moves.mark(data.ply - data.dealt);
    for (const each of [first, back]) each.disabled = !data.ply;
    for (const each of [forth, last]) each.disabled = data.ply >= data.of - 1;
    next.disabled = !slips(data).length;
  }

  el.append(
    element("section", { class: "stage-board", "aria-label": "Board" }, element("div", { class: "table" }, element("div", { class: "middle" }, board.el)), lines.el,
      element("p", { class: "row steps" }, first, back, forth, last, next)),
    element("section", { class: "side", "aria-label": "What each is worth" }, heading, status, answer, worths, moves.el, loader));
  model.on("change", show);
  if (given.has("adopt")) attempt(model.ask("adopt"));
  if (model.get()) show(model.get());
  loader.open = !model.get() && !given.has("adopt");
  return () => {
    model.off("change", show);
    lines.stop();
  };
}

export default { render };
