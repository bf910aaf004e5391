// Play: a board, whoever sits at it, the moves so far and what a search thinks of them.

import { Board } from "../board.js";
import { attempt, button, copy, download, element, field, icon, input, notify, refill, select, slowNotice } from "../dom.js";
import { LinePlayer } from "../lines.js";
import { copyLink, isPage } from "../address.js";
import { makeMoves } from "../moves.js";
import { makeBar, makePlayers } from "../players.js";
import { makeReview } from "../review.js";
import { makeSheet } from "../sheet.js";
import { makeSound } from "../sound.js";
import { endingOf, makeHandover, makePause, statusOf } from "../turns.js";

const MOST_BUTTONS = 400;
const LARGEST_FILE = 190000; // characters of a message, less what else it holds

function makeFiles(model, sheet) {
  const format = select([], "", { "aria-label": "Format" });
  const text = element("textarea", { rows: 3, placeholder: "A position, moves, or a game in a file of its usual format" });
  const file = element("input", { type: "file", "aria-label": "A file to load" });
  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    text.value = "";
    if (chosen?.size > LARGEST_FILE) notify(`${chosen.name} is too large for a file of one game.`);
    else if (chosen) text.value = await chosen.text();
  });
  const save = async () => {
    const saved = await attempt(model.ask("save", { format: format.value }));
    if (saved) download(saved.name, saved.content);
  };
  const load = () => sheet.change("load", { text: text.value });
  const copyPosition = () => copy(model.get()?.position ?? "");
  const el = element("details", {}, element("summary", {}, "Save, load, copy"),
    element("p", { class: "row" }, button("Save as", save), format, button("Copy position", copyPosition)),
    field("Load", text), element("p", { class: "row" }, file, button("Load this", load)));
  let shown = "";
  const show = ({ formats }) => {
    if (formats.join() === shown) return;
    shown = formats.join();
    format.replaceChildren(...formats.map((each) => element("option", { value: each }, each)));
  };
  return { el, show };
}

// Why there is no evaluation, if one is wanted, and why searches are slow, if they are; not announced to screen readers.
function makeTrouble() {
  const el = element("p", { class: "trouble", hidden: true });
  const show = ({ trouble, interpreted }) => {
    const words = [trouble && `There is no evaluation: ${trouble}.`, slowNotice(interpreted)].filter(Boolean).join(" ");
    if (words !== el.textContent) el.textContent = words;
    el.hidden = !words;
  };
  return { el, show };
}

// All legal moves as buttons, for whom the board is no help; they are made when somebody looks.
function makeList(play) {
  const holder = element("div", { class: "legal" });
  const summary = element("summary", {}, "");
  const el = element("details", { class: "all-moves" }, summary, holder);
  let legal = [];
  const fill = () =>
    refill(holder, (el.open ? legal.slice(0, MOST_BUTTONS) : []).map(({ notation }) => button(notation, () => play(notation))));
  el.addEventListener("toggle", fill);
  const show = (next) => {
    if (JSON.stringify(next) === JSON.stringify(legal) && holder.childElementCount) return;
    legal = next;
    el.hidden = !legal.length;
    summary.textContent = legal.length === 1 ? "The only legal move" : `All ${legal.length} legal moves`;
    fill();
  };
  return { el, show };
}

// What comes after a game, in place of the line that says whose turn it is.
function makeEnding(model, sheet, review) {
  const heading = element("h2", {});
  const why = element("p", {});
  const dead = element("p", { class: "about", hidden: true }, "Small squares show whose each point is. Is a group dead that lives, or alive that is dead? Choose it on the board.");
  const rematch = button("Rematch", () => again(), { class: "primary" });
  const look = button("Review", review);
  const cards = button("Look at every card", () => (location.hash = "cards?adopt"));
  const el = element("div", { class: "ending", hidden: true }, heading, why, dead, element("p", { class: "row" }, rematch, look, cards, button("New game…", sheet.open)));
  // The same again; who sat alone against others takes the next seat.
  function again() {
    const { game, seats, people, control, evaluated } = model.get();
    const turned = people.length === 1 ? [seats.at(-1), ...seats.slice(0, -1)] : seats;
    return attempt(model.ask("new", { game, seats: turned, clock: control || "none", evaluate: evaluated }));
  }
  return {
    el,
    show(data) {
      el.hidden = !data.result;
      if (!data.result) return;
      const said = endingOf(data);
      heading.textContent = said.heading;
      why.textContent = `${said.why}.`;
      dead.hidden = !data.count;
      look.hidden = !data.reviewable || Boolean(data.review);
      cards.hidden = !data.solvable;
    },
  };
}

// Whose each place is at the end of a game that is counted.
function spotsOf({ count, colours, names }) {
  const dead = new Set(count?.dead);
  return Object.entries(count?.owners ?? {}).map(([name, p]) => [name, colours[p], `${dead.has(name) ? "dead, " : ""}${names[p]}’s`]);
}

export function render({ model, el, given = new URLSearchParams() }) {
  const play = (move) => attempt(model.ask("move", { move, ply: model.get()?.ply ?? 0 }));
  const board = new Board(play, (made) => attempt(model.ask("step", { made, ply: model.get().ply })));
  const sheet = makeSheet(model, (change) => board.hold(change));
  const heading = element("h1", {}, "Play");
  const status = element("p", { class: "status", role: "status" }, "Choose a game.");
  const bar = makeBar();
  const trouble = makeTrouble();
  const players = makePlayers(() => board.turned);
  const pause = makePause(model);
  const sound = makeSound();
  const handover = makeHandover(model, board);
  const files = makeFiles(model, sheet);
  const moves = makeMoves((ply) => look(ply));
  const lines = new LinePlayer(board, () => look(at()));
  const review = makeReview(model, (ply) => look(ply), (steps, title) => lines.play(steps, title));
  const ending = makeEnding(model, sheet, () => attempt(model.ask("review")));
  const typed = input("", { "aria-label": "Your move, typed", placeholder: "type a move" });
  const actions = element("div", { class: "legal", role: "group", "aria-label": "Legal moves" });
  const all = makeList((move) => board.act(move));
  let looking = null;
  let number = 0; // of the game that is shown
  let over = false; // whether its end has been shown
  const at = () => looking ?? model.get()?.ply ?? 0;

  const typeMove = element("form", { class: "row type-move" }, typed, element("button", { type: "submit" }, "Play"));
  typeMove.addEventListener("submit", async (event) => {
    event.preventDefault();
    const done = await board.hold(play(typed.value.trim()));
    if (done) typed.value = "";
  });
  const undo = button("Undo", () => (board.made.length ? board.takeBack() : board.hold(attempt(model.ask("undo")))));
  const hint = button("Hint", () => attempt(model.ask("hint")));
  const resign = button("Resign", () => sure(resign, "Really resign?") && attempt(model.ask("resign")));
  const analyse = button("Analyse", async () => {
    if (await attempt(model.ask("analyse.adopt", { ply: at() }))) location.hash = "analyse";
  }, { title: "This position, searched deeper and deeper" });
  const link = button("Copy link", () => copyLink("analyse", { game: model.get().game, position: looking === null ? model.get().position : seen.position }));
  const ways = [["First move", "M3 3h2v10H3zM13 3v10L6 8z", () => 0], ["Back", "M11 3v10L4 8z", () => at() - 1],
    ["Forward", "M5 3v10l7-5z", () => at() + 1], ["Last move", "M11 3h2v10h-2zM3 3v10l7-5z", () => model.get().ply]];
  const [first, back, forth, last] = ways.map(([name, outline, where]) => button(icon(outline), () => look(where()), { "aria-label": name, title: name }));
  let seen = {};

  // Asks again before what cannot be taken back.
  function sure(asked, question) {
    if (asked.dataset.asked) return true;
    const before = asked.textContent;
    Object.assign(asked.dataset, { asked: "yes" });
    asked.textContent = question;
    setTimeout(() => {
      asked.textContent = before;
      delete asked.dataset.asked;
    }, 3000);
    return false;
  }

  const allowUndo = () => {
    const data = model.get();
    undo.disabled = !board.made.length && (data.hidden || data.watched || !data.moves.length);
  };
  board.el.addEventListener("made", allowUndo);
  board.el.addEventListener("turned", () => queueMicrotask(() => {
    players.show();
    if (model.get()) showBar(model.get());
  }));

  async function look(ply) {
    const data = model.get();
    if (!data || ply < 0 || ply > data.ply) return null;
    lines.hide();
    if (ply === data.ply && !data.review) return show(data);
    const found = await attempt(model.ask("look", { ply }));
    if (!found) return null;
    looking = ply;
    seen = found;
    board.look(found.picture, { ...found, arrows: review.arrows(ply) });
    status.replaceChildren(...(ply < data.ply ? [`After ${ply} of ${data.ply} moves. `, button("Back to the game", () => show(model.get()))] : [statusOf(data)]));
    return place(data, ply);
  }
  function place(data, ply) {
    moves.mark(ply);
    review.look(ply);
    const course = data.review ? [...data.review.moves.map(({ share }) => share ?? null), ...data.values.slice(data.review.moves.length)] : data.values;
    review.chart(course, ply, `Prospects of ${data.names[0]}, move by move`);
    for (const each of [first, back]) each.disabled = !ply || data.hidden && !data.result;
    for (const each of [forth, last]) each.disabled = ply >= data.ply;
    showBar(data, course, ply);
  }
  function showBar(data, values = data.values, ply = at()) {
    const value = values.slice(0, ply + 1).findLast((each) => each !== null);
    bar.show(values.length ? value ?? 0 : null, data, players.lowest());
    bar.unknown(value === undefined);
  }
  function show(data) {
    if (!data) return;
    looking = null;
    if (number !== data.number) lines.hide();
    ({ number } = data);
    over = Boolean(data.result);
    heading.textContent = data.title;
    const seated = handover.show(data); // first: what is not shown has no sizes to be marked by
    board.show(data, data.title);
    board.setHint(data.hint?.move);
    board.score(spotsOf(data), data.count ? (turned) => board.hold(attempt(model.ask("count", { turned }))) : null);
    players.show();
    status.textContent = statusOf(data);
    status.classList.toggle("sr-only", Boolean(data.result)); // below there is more of it
    ending.show(data);
    trouble.show(data);
    pause.show(data);
    files.show(data);
    review.show(data);
    moves.show(data, review.judged());
    place(data, data.ply);
    const placeless = data.legal.filter(({ at: where }) => !where.length).slice(0, MOST_BUTTONS);
    refill(actions, placeless.map(({ notation }) => button(notation, () => board.act(notation))));
    stage.classList.toggle("has-actions", placeless.length > 0);
    all.show(placeless.length < data.legal.length ? data.legal : []);
    allowUndo();
    hint.disabled = !data.yours || !data.hints;
    resign.disabled = Boolean(data.result) || data.watched || data.handover !== null;
    typed.disabled = !data.yours;
    analyse.disabled = link.disabled = !data.position;
    if (seated) (board.svg.querySelector('[tabindex="0"]') ?? actions.querySelector("button"))?.focus({ preventScroll: true });
  }
  const update = (data) => {
    sound.hear(data);
    players.take(data);
    const ends = Boolean(data.result) && !over;
    const fresh = looking === null || data.ply !== data.moves.length || data.number !== number || ends;
    if (data.number !== number || (fresh && !lines.open)) return show(data);
    review.show(data); // as it goes on, while an earlier position is looked at
    moves.show(data, review.judged());
    return place(data, at());
  };

  const stage = element("section", { class: "stage-board", "aria-label": "Board" },
    element("div", { class: "table" }, bar.el, element("div", { class: "middle" }, players.above, handover.el, board.el, players.below)), lines.el, actions);
  el.append(stage,
    element("section", { class: "side", "aria-label": "The game" },
      element("p", { class: "row title-row" }, heading, button("New game…", sheet.open, { class: "primary" })),
      status, ending.el, trouble.el, review.el, moves.el,
      element("p", { class: "row steps" }, first, back, forth, last), review.graph,
      element("p", { class: "row" }, undo, hint, resign, ...pause.buttons, board.flip, sound.el, ...(isPage(el) ? [analyse, link] : [])), typeMove, all.el, files.el),
    sheet.dialog);
  model.on("change", update);
  if (model.get()) {
    players.take({ ...model.get(), clock: null }); // what its clocks show is no longer true
    show(model.get());
    attempt(model.ask("show")); // the clocks have run on while another view was open
  } else sheet.ready.then(() => !model.get() && sheet.begin()).catch((error) => notify(error.message));
  if (given.has("new")) sheet.open();
  return () => {
    model.off("change", update);
    players.end();
    lines.stop();
  };
}

export default { render };
