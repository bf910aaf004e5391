// Watch: one search, or two side by side, step by step over a tree typed in or a position of a game.

import { attempt, button, checkbox, download, element, field, input, notify, select } from "../dom.js";
import { NodeBoard } from "../nodeboard.js";
import { copyLink, isPage } from "../address.js";
import { makeGamePicker } from "../games.js";
import { makePresent, passKeys } from "../present.js";
import { Predictor } from "../predict.js";
import { render as renderTrace } from "/trace/view.js";

const EXAMPLE = "[[[2,3],[5,9]],[[0,1],[7,5]]]";
const NO_TREE = "A tree is written in brackets, as [[3,12],[2,4]]: each pair is a choice, MAX's first, and a number is what an end is worth. For a game, choose “A position of a game”.";
const COUNTED = { enter: ["node", "nodes"], leaf: ["leaf", "leaves"], cutoff: ["cut-off", "cut-offs"], simulation: ["simulation", "simulations"] };

// The question.
function makeForm(model, run) {
  const tree = element("textarea", { rows: 2, spellcheck: "false" });
  tree.value = EXAMPLE;
  const source = select([{ text: "tree", name: "A tree, typed in" }, { text: "game", name: "A position of a game" }], "tree");
  const position = input("", { placeholder: "the start, or a position as text" });
  const depth = input("", { type: "number", min: 0, max: 100, placeholder: "to the end" });
  const simulations = input("", { type: "number", min: 1, max: 1000000, placeholder: "60 by mcts, 10 worlds by pimc" });
  const first = select(["alphabeta"], "alphabeta");
  const second = select([{ text: "", name: "nothing" }], "");
  const order = input("", { placeholder: "best, or killers,history" });
  const flags = ["table", "null_move", "probcut", "quiescence", "deepen", "quick", "hard"].map((name) => [name, checkbox(name.replace("_", " "), false)]);
  let chosen = false; // by hand, since the game was chosen: what suits the game may come later than that
  first.addEventListener("change", () => (chosen = true));
  const picker = makeGamePicker(model, (info) => {
    if (!info) chosen = false;
    else if (!chosen && source.value === "game") first.value = info.algorithm;
  });
  picker.ready.then(() => {
    const names = picker.algorithms();
    first.replaceChildren(...names.map((name) => element("option", { value: name, selected: name === "alphabeta" }, name)));
    second.append(...names.map((name) => element("option", { value: name }, name)));
  });
  const treeField = field("Tree", tree, "MAX moves first; numbers are MAX's. {\"chance\": [[0.5, 1], [0.5, 3]]} is a chance node.");
  const gameFields = element("div", { hidden: true }, picker.el, field("Position", position));
  source.addEventListener("change", () => {
    treeField.hidden = source.value !== "tree";
    gameFields.hidden = source.value !== "game";
    if (source.value === "game" && !depth.value) depth.value = 3;
  });
  const given = (algorithm, side) => ({
    side,
    algorithm,
    game: source.value === "tree" ? tree.value : picker.value(),
    position: source.value === "tree" ? "" : position.value,
    depth: depth.value === "" ? null : Number(depth.value),
    ...(simulations.value === "" ? {} : { simulations: Number(simulations.value) }),
    order: order.value.trim(),
    ...Object.fromEntries(flags.map(([name, flag]) => [name, flag.box.checked])),
  });
  const complaint = element("p", { class: "complaint", role: "alert" });
  const form = element("form", { class: "setup watch-form" }, field("Search", source), treeField, gameFields, complaint,
    field("Algorithm", first), field("Compare with", second), field("Depth", depth), field("Simulations", simulations),
    element("details", {}, element("summary", {}, "Techniques"), field("Order of moves", order), ...flags.map(([, flag]) => flag.holder)),
    element("button", { type: "submit", class: "primary" }, "Run"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const isTree = source.value === "tree";
    const asked = [given(first.value, 0), second.value ? given(second.value, 1) : null];
    const wrong = isTree && !/^\s*[[{]/.test(tree.value) ? NO_TREE : await run(asked);
    complaint.textContent = wrong;
    tree.setAttribute("aria-invalid", Boolean(isTree && wrong));
    form.dispatchEvent(new CustomEvent("asked", { detail: wrong }));
  });
  return form;
}

// One side: the player of a trace, its counts, and the parts of the tree that are open or folded.
class Side {
  constructor(model, number, moved, taken) {
    Object.assign(this, { model, number, moved, taken, version: -1, player: null, leave: null, predictor: null });
    Object.assign(this, { quiet: 0, differs: null, closed: new Set(), parts: [], predicting: false });
    this.counts = element("p", { class: "counts" });
    this.path = element("p", { class: "path" });
    this.tools = element("p", { class: "row tools" });
    this.holder = element("div", { class: "trace-holder" });
    this.board = new NodeBoard(model, number);
    const top = element("div", { class: "side-top" }, this.counts, this.path, this.tools);
    this.el = element("section", { class: "trace-side", "aria-label": `Search ${number + 1}` }, top, this.holder);
    this.nothing = element("span", { class: "about" }, "This search has no window and prunes nothing: there is nothing to predict.");
    this.halt = button("Stop and show", () => attempt(model.ask("halt", { side: number })));
    this.holder.addEventListener("click", (event) => this.click(event));
    this.holder.addEventListener("keydown", (event) => this.onKey(event));
  }

  update({ view, version, running, error, board }) {
    this.el.hidden = !view && !running && !error;
    this.running = running;
    if (running) this.progress(null);
    if (version === this.version || running) return;
    this.version = version;
    this.closed.clear();
    this.parts = [];
    this.board.begin(board);
    if (view) this.begin(view);
    else this.close();
    if (error) this.counts.textContent = error;
  }

  // What is new is shown from its beginning, of which the end of a long run is no part.
  async begin(view) {
    const { version } = this;
    this.close();
    const found = view.first ? await attempt(this.model.ask("window", { side: this.number, node: 0, step: 0, closed: [] })) : { view };
    if (found && version === this.version) this.show(found.view, 0);
  }

  // How far a recording is; such a word may come after the news that it is done.
  progress(steps) {
    if (!this.running) return;
    this.counts.replaceChildren(steps === null ? "Recording… " : `Recorded ${steps.toLocaleString("en")} steps… `, this.halt);
  }

  show(view, step) {
    this.close();
    const content = {
      trace: view,
      step,
      whole: !isSampled(view),
      known: isTree(view),
      shown: (step) => this.tell(step),
      ready: (player) => (this.player = player),
      loaded: (trace) => this.take(trace),
      beyond: (step) => this.fetch(step),
    };
    this.leave = renderTrace({ model: { get: (name) => content[name] }, el: this.holder });
    // What simulations will do is nobody's exercise.
    const exercise = isSampled(view) ? [] : [button("Exercise to print", () => this.exercise())];
    this.tools.replaceChildren(button("Save page", () => this.save(), { title: "This search as one web page, to be sent or shown anywhere" }), ...exercise);
    this.board.place(this.holder);
    if (this.predicting) this.predict(true);
    this.quiet += 1; // that it is there moves nothing: the other side stays at its own end
    this.tell(this.player.step);
    this.quiet -= 1;
  }

  close() {
    this.predictor?.end();
    this.player = null; // so that what it does when it leaves moves nobody else
    this.leave?.();
    this.holder.replaceChildren();
    this.tools.replaceChildren();
    this.path.replaceChildren();
    Object.assign(this, { leave: null, predictor: null, view: null });
    this.counts.textContent = "";
  }

  // Another stretch of the run is on the stage.
  take(view) {
    const before = this.view;
    this.view = view;
    this.taken();
    this.totals = countSteps(view);
    this.board.place(this.holder);
    if (view.root) this.path.replaceChildren(`The part below ${view.path.join(" › ")}. `, button("Back to the larger tree", () => this.back()));
    else this.path.replaceChildren();
    this.markDifference(this.differs);
    if (this.predictor && before) {
      this.judged.set(before.first, { state: this.predictor.state, counts: this.predictor.counts() });
      queueMicrotask(() => this.startPredictor()); // once the stage shows the step that was asked for
    }
  }

  fetch(step) {
    const asked = { side: this.number, node: this.view.root, step, closed: [...this.closed] };
    return attempt(this.model.ask("window", asked)).then((found) => found?.view);
  }

  // Shows the same stretch again, after something was folded or unfolded, or a part of the tree.
  async turn(root, step) {
    const found = await attempt(this.model.ask("window", { side: this.number, node: root, step, closed: [...this.closed] }));
    if (!found || !this.player) return;
    this.player.pause();
    this.player.load(found.view);
    this.player.go(step ?? this.player.last, false);
  }

  tell(step) {
    if (!this.view) return;
    const at = this.totals[step - this.view.first] ?? this.totals[this.totals.length - 1];
    const parts = Object.values(COUNTED).map((names, index) => `${at[index].toLocaleString("en")} ${names[at[index] === 1 ? 0 : 1]}`);
    this.counts.textContent = (isSampled(this.view) ? [parts[3], `${parts[0]} in the tree`] : parts.slice(0, 3)).join(" · ");
    this.predictor?.step(step);
    const place = step > this.view.first ? this.view.steps[step - this.view.first - 1].at : 0;
    this.board.show(place < 0 ? null : this.view.numbers[place]);
    if (this.player && !this.quiet) this.moved(this, step);
  }

  // Goes to a step without taking the other side along, at once or when it has come.
  async quietly(step, jump = false) {
    if (!this.player) return;
    this.quiet += 1;
    try {
      await (jump ? this.player.jump(step) : this.player.go(step, false));
    } finally {
      this.quiet -= 1;
    }
  }

  // A click on a node folds what is drawn below it, or unfolds it; where nothing is drawn, or with shift, it opens the
  // part of the tree below it.
  click(event) {
    const group = event.target.closest?.("[data-node]");
    if (group && !this.predictor) this.change(Number(group.dataset.node), event.shiftKey);
  }

  // The same for the node of the present step: F folds and unfolds, O opens the part below it.
  onKey(event) {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
    if (this.predictor || !["f", "o"].includes(key)) return;
    const place = this.view?.steps[this.player.step - this.view.first - 1]?.at ?? -1;
    if (place >= 0) this.change(place, key === "o");
  }

  change(place, open) {
    const number = this.view.numbers[place];
    if (number === null || number === undefined || number === this.view.root) return;
    const { step } = this.player;
    const inner = this.view.inner.includes(place);
    if (open ? inner || this.view.hidden[place] : !inner && this.view.hidden[place] && !this.closed.has(number)) {
      this.parts.push({ root: this.view.root, step });
      this.turn(number, null);
    } else if (!open && (inner || this.closed.has(number))) {
      if (!this.closed.delete(number)) this.closed.add(number);
      this.turn(this.view.root, step);
    }
  }

  back() {
    const { root, step } = this.parts.pop() ?? { root: 0, step: null };
    this.turn(root, step);
  }

  // Where the other search goes another way; in the whole tree, since a part of it counts its own steps.
  markDifference(step) {
    this.differs = step ?? null;
    for (const each of this.holder.querySelectorAll("[data-difference]")) delete each.dataset.difference;
    if (!step || !this.view || this.view.root || this.predicting) return;
    const place = this.view.steps[step - this.view.first - 1]?.at ?? -1;
    const group = this.holder.querySelector(`[data-node="${place}"]`);
    if (group) group.dataset.difference = "";
  }

  predict(on) {
    this.predicting = on;
    this.predictor?.end();
    this.predictor = null;
    this.nothing.remove();
    if (!on || !this.view) return;
    if (!this.view.windows) {
      this.tools.append(this.nothing);
      return;
    }
    this.judged = new Map(); // what was scored in each stretch that was left
    this.player.jump(this.player.low); // nothing has happened yet, in this stretch, that could be judged
    this.startPredictor();
  }

  startPredictor() {
    this.predictor?.end();
    const { first } = this.view;
    const elsewhere = [...this.judged].filter(([place]) => place !== first).map(([, { counts }]) => counts);
    this.predictor = new Predictor(this.view, this.holder, this.player, elsewhere, this.judged.get(first)?.state);
    this.tools.append(this.predictor.score);
  }

  async exercise() {
    const file = await attempt(this.model.ask("exercise", { side: this.number, node: this.view.root, key: true }));
    if (file) download(file.name, file.content, "text/html");
  }

  async save() {
    const file = await attempt(this.model.ask("page", { side: this.number }));
    if (file) download(file.name, file.content, "text/html");
  }
}

// Whether a search runs simulations: such a one neither cuts nor calls anything a leaf.
const isSampled = (view) => view.subtitle.startsWith("mcts");

// Whether a tree was typed in, whose ends are known before anybody searches it.
const isTree = (view) => /^[[{]/.test(view.title);

// Nodes, leaves, cut-offs and simulations after each step of a stretch.
function countSteps({ steps, counts }) {
  const totals = [counts];
  const kinds = Object.keys(COUNTED);
  for (const { kind } of steps) {
    const next = [...totals[totals.length - 1]];
    const index = kinds.indexOf(kind);
    if (index >= 0) next[index] += 1;
    totals.push(next);
  }
  return totals;
}

// The searches that a link asks for; what is wrong with them the studio says.
function readRun(text) {
  try {
    const found = JSON.parse(text);
    return Array.isArray(found) && found.length > 0 ? found : null;
  } catch {
    return null;
  }
}

export function render({ model, el, given = new URLSearchParams() }) {
  const together = checkbox("Step together", true);
  const difference = element("p", { class: "difference", role: "status" });
  const move = (side, step) => {
    const other = sides?.[1 - side.number];
    if (together.box.checked && other?.player && other.player.step !== step) other.quietly(step);
  };
  const sides = [0, 1].map((number) => new Side(model, number, move, () => name()));
  let asked = null; // what the page shows the answer of
  const link = button("Copy link", () => copyLink("watch", { run: JSON.stringify(asked) }), { disabled: true });
  // What is wrong with the question, or nothing.
  const run = async ([first, second]) => {
    try {
      asked = [first, second].filter(Boolean);
      link.disabled = false;
      await model.ask("run", first);
      await (second ? model.ask("run", second) : model.ask("close", { side: 1 }));
      return "";
    } catch (error) {
      return error.message;
    }
  };
  function showDifference(found) {
    const go = async () => {
      for (const side of sides) if (side.view?.root) await side.turn(0, null);
      sides.forEach((side, number) => side.quietly(found.steps[number], true));
    };
    sides.forEach((side, number) => side.markDifference(found?.steps?.[number]));
    const tools = found?.steps ? [button("Go to the first difference", go)] : [];
    const shown = sides[0].predicting ? [] : [found?.message, " ", ...tools]; // it would tell where something is cut
    difference.replaceChildren(...(found ? [...shown, together.holder] : []));
  }
  const update = (data) => {
    if (!data) return;
    data.sides.forEach((each, number) => sides[number].update(each));
    el.classList.toggle("is-double", data.sides.every(({ view }) => view));
    showDifference(data.difference);
  };
  const predict = (on) => {
    sides.forEach((each) => each.predict(on));
    showDifference(model.get()?.difference);
  };
  const form = makeForm(model, run);
  const said = element("summary", {}, "What is searched");
  const question = element("details", { class: "question" }, said, form);
  const name = () => {
    const views = sides.map(({ view }) => view).filter(Boolean);
    if (views.length) said.replaceChildren(element("b", {}, views.map(({ subtitle }) => subtitle).join(" beside ")), ` on ${views[0].title} `, element("span", { class: "change" }, "Change"));
  };
  const traces = element("div", { class: "traces" }, sides.map((each) => each.el));
  // What is shown is not what was asked for as long as a question stands that has no answer.
  form.addEventListener("asked", ({ detail }) => {
    traces.classList.toggle("is-outdated", Boolean(detail));
    question.open = Boolean(detail); // what is searched now says the line
  });
  const predicting = checkbox("Predict what is pruned", false, predict);
  const present = makePresent(el);
  const release = isPage(el) ? passKeys(() => el.querySelector(".zermelo-trace"), { p: present.toggle }) : () => {};
  const tools = element("p", { class: "row stage-tools" }, predicting.holder, isPage(el) && present.button, isPage(el) && link);
  el.append(element("h1", { class: "sr-only" }, "Watch"), element("div", { class: "stage-top" }, question, tools), difference, traces);
  sides.forEach((each) => (each.el.hidden = true));
  const progress = ({ side, steps }) => sides[side].progress(steps);
  model.on("change", update);
  model.on("change:recording", progress);
  const linked = readRun(given.get("run"));
  if (linked) attempt(run(linked).then((wrong) => wrong && notify(wrong)));
  else if (model.get()) update(model.get());
  else run([{ side: 0, algorithm: "alphabeta", game: EXAMPLE }]);
  return () => {
    present.end();
    release();
    model.off("change", update);
    model.off("change:recording", progress);
    sides.forEach((each) => each.close());
  };
}

export default { render };
