// Play: a board, whoever sits at it, the moves so far and what a search thinks of them.

import { Board } from "../board.js";
import { courseChart } from "../chart.js";
import { attempt, button, checkbox, copy, download, element, field, input, notify, refill, select, slowNotice } from "../dom.js";
import { makeGamePicker } from "../games.js";
import { makeClocks, makeHandover, makePause, statusOf } from "../turns.js";

const MOST_BUTTONS = 400;
const LARGEST_FILE = 190000; // characters of a message, less what else it holds

// The form in which a game is set up; `hold` keeps the board still until the new game is there.
function makeSetup(model, hold) {
  const seats = element("div", { class: "seats" });
  const clock = input("", { placeholder: "none, 60+0.6 or move=2", maxlength: 40 });
  const position = input("", { placeholder: "the game's start" });
  const evaluate = checkbox("evaluation bar", true);
  const picker = makeGamePicker(model, (info) => {
    if (!info) return seats.replaceChildren();
    const others = info.opponents.filter(({ text }) => text !== "human");
    const open = model.get()?.game === picker.value() ? model.get().seats : [];
    const rows = info.seats.map((name, seat) => {
      const player = open[seat] ?? (seat === 0 ? "human" : others[0].text);
      const listed = info.opponents.some(({ text }) => text === player);
      const box = select([...info.opponents, { text: "?", name: "another player…" }], listed ? player : "?");
      const own = input(listed ? "" : player, { placeholder: "pvs:depth=5", hidden: listed, "aria-label": `Player of ${name}, as text` });
      box.addEventListener("change", () => (own.hidden = box.value !== "?"));
      return element("div", { class: "seat" }, field(name, box), own);
    });
    evaluate.holder.hidden = info.hidden;
    return seats.replaceChildren(...rows);
  });
  const values = () =>
    [...seats.children].map((row) => {
      const box = row.querySelector("select");
      return box.value === "?" ? row.querySelector("input").value.trim() : box.value;
    });
  const given = () => ({ game: picker.value(), seats: values(), evaluate: evaluate.box.checked, clock: clock.value.trim() || "none" });
  const settle = async (verb, more) => {
    await picker.settled();
    return attempt(model.ask(verb, { ...given(), ...more() }));
  };
  const change = (verb, more) => hold(settle(verb, more));
  const begin = () => change("new", () => ({ position: position.value }));
  const form = element("form", { class: "setup" }, picker.el, seats,
    element("details", {}, element("summary", {}, "Clock and position"), field("Clock", clock), field("Position", position)),
    evaluate.holder, element("button", { type: "submit", class: "primary" }, "New game"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    begin();
  });
  // A game that goes on tells how it was begun; what somebody has written since then stays.
  const ready = picker.ready.then(() => {
    const { control = "", evaluated = true } = model.get() ?? {};
    clock.value ||= control;
    evaluate.box.checked &&= evaluated;
  });
  return { form, begin, change, ready };
}

function makeBar() {
  const fill = element("span", {});
  const meter = { role: "meter", "aria-label": "Prospects of the first player", "aria-valuemin": -1, "aria-valuemax": 1 };
  const el = element("div", { class: "bar-eval", hidden: true, ...meter }, fill);
  return {
    el,
    // It has its room from the beginning: the board must not move away while somebody reaches for it.
    show(values, names) {
      const value = values.findLast?.((each) => each !== null);
      el.hidden = !values.length;
      el.classList.toggle("is-unknown", value === undefined);
      fill.style.width = `${50 + 50 * (value ?? 0)}%`;
      el.setAttribute("aria-valuenow", (value ?? 0).toFixed(2));
      el.setAttribute("aria-valuetext", `${(value ?? 0).toFixed(2)} for ${names[0]}`);
    },
  };
}

function makeFiles(model, setup) {
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
  const load = () => setup.change("load", () => ({ text: text.value }));
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

export function render({ model, el }) {
  const play = (move) => attempt(model.ask("move", { move, ply: model.get()?.ply ?? 0 }));
  const board = new Board(play, (made) => attempt(model.ask("step", { made, ply: model.get().ply })));
  const setup = makeSetup(model, async (change) => {
    const done = await board.hold(change);
    if (done) board.el.scrollIntoView({ block: "nearest" }); // on a phone the form is far below it
    return done;
  });
  const status = element("p", { class: "status", role: "status" }, "Choose a game and press New game.");
  const bar = makeBar();
  const trouble = makeTrouble();
  const clocks = makeClocks();
  const pause = makePause(model);
  const handover = makeHandover(model, board);
  const files = makeFiles(model, setup);
  const moves = element("ol", { class: "moves", "aria-label": "Moves" });
  const graph = element("div", { class: "graph" });
  const typed = input("", { "aria-label": "Your move, typed", placeholder: "type a move" });
  const actions = element("div", { class: "legal", role: "group", "aria-label": "Legal moves" });
  const all = makeList((move) => board.act(move));
  let looking = null;
  let number = 0; // of the game that is shown

  const typeMove = element("form", { class: "row" }, typed, element("button", { type: "submit" }, "Play"));
  typeMove.addEventListener("submit", async (event) => {
    event.preventDefault();
    const done = await board.hold(play(typed.value.trim()));
    if (done) typed.value = "";
  });
  const undo = button("Undo", () => (board.made.length ? board.takeBack() : board.hold(attempt(model.ask("undo")))));
  const hint = button("Hint", () => attempt(model.ask("hint")));
  const resign = button("Resign", () => attempt(model.ask("resign")));

  const allowUndo = () => {
    const data = model.get();
    undo.disabled = !board.made.length && (data.hidden || data.watched || !data.moves.length);
  };
  board.el.addEventListener("made", allowUndo);

  async function look(ply) {
    const data = model.get();
    if (ply >= data.ply) return show(data);
    const found = await attempt(model.ask("look", { ply }));
    if (!found) return null;
    looking = ply;
    board.look(found.picture, found.last);
    status.replaceChildren(`After ${ply} of ${data.ply} moves. `, button("Back to the game", () => show(model.get())));
    return markMoves(ply);
  }
  function markMoves(ply) {
    for (const [index, each] of [...moves.querySelectorAll("button")].entries()) {
      if (index + 1 === ply) each.setAttribute("aria-current", "step");
      else each.removeAttribute("aria-current");
    }
  }
  function showMoves(data) {
    moves.replaceChildren(...data.moves.map((move, index) =>
      element("li", {}, button(move.notation, () => look(index + 1), { disabled: data.hidden }))));
    markMoves(data.ply);
    moves.scrollTop = moves.scrollHeight;
  }
  function show(data) {
    if (!data) return;
    looking = null;
    ({ number } = data);
    const seated = handover.show(data); // first: what is not shown has no sizes to be marked by
    board.show(data, data.name);
    board.setHint(data.hint?.move);
    status.textContent = statusOf(data);
    trouble.show(data);
    pause.show(data);
    bar.show(data.values, data.names);
    files.show(data);
    showMoves(data);
    const known = data.values.some((each) => each !== null);
    graph.replaceChildren(...(known ? [courseChart(data.values, data.ply, `Prospects of ${data.names[0]}, move by move`)] : []));
    const placeless = data.legal.filter(({ at }) => !at.length).slice(0, MOST_BUTTONS);
    refill(actions, placeless.map(({ notation }) => button(notation, () => board.act(notation))));
    all.show(placeless.length < data.legal.length ? data.legal : []);
    allowUndo();
    hint.disabled = !data.yours || !data.hints;
    resign.disabled = Boolean(data.result) || data.watched || data.handover !== null;
    typed.disabled = !data.yours;
    if (seated) (board.svg.querySelector('[tabindex="0"]') ?? actions.querySelector("button"))?.focus({ preventScroll: true });
  }
  const update = (data) => {
    clocks.take(data);
    const fresh = looking === null || data.ply !== moves.childElementCount || data.number !== number || data.result;
    if (fresh) show(data);
  };

  el.append(
    element("section", { class: "stage-board", "aria-label": "Board" }, element("h1", {}, "Play"), bar.el, trouble.el, handover.el, board.el, actions, status, clocks.el, all.el),
    element("section", { class: "side", "aria-label": "The game" },
      element("p", { class: "row" }, undo, hint, resign, ...pause.buttons, board.flip), typeMove, graph, moves, files.el,
      element("h2", {}, "New game"), setup.form));
  model.on("change", update);
  if (model.get()) {
    show(model.get());
    attempt(model.ask("show")); // the clocks have run on while another view was open
  } else setup.ready.then(() => !model.get() && setup.begin()).catch((error) => notify(error.message));
  return () => {
    model.off("change", update);
    clocks.end();
  };
}

export default { render };
