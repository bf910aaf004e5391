// Watch: one search, or two side by side, step by step over a tree typed in or a position of a game.

import { attempt, button, checkbox, download, element, field, input, select } from "../dom.js";
import { makeGamePicker } from "../games.js";
import { Predictor } from "../predict.js";
import { render as renderTrace } from "/trace/view.js";

const EXAMPLE = "[[[2,3],[5,9]],[[0,1],[7,5]]]";
const COUNTED = { enter: ["node", "nodes"], leaf: ["leaf", "leaves"], cutoff: ["cut-off", "cut-offs"] };

function makeForm(model, run) {
  const tree = element("textarea", { rows: 2, spellcheck: "false" });
  tree.value = EXAMPLE;
  const source = select([{ text: "tree", name: "a tree, typed in" }, { text: "game", name: "a game" }], "tree");
  const position = input("", { placeholder: "the start, or a position as text" });
  const depth = input("", { type: "number", min: 0, max: 100, placeholder: "to the end" });
  const first = select(["alphabeta"], "alphabeta");
  const second = select([{ text: "", name: "nothing" }], "");
  const order = input("", { placeholder: "best, or killers,history" });
  const flags = ["table", "null_move", "quiescence", "deepen", "quick", "hard"].map((name) => [name, checkbox(name.replace("_", " "), false)]);
  const picker = makeGamePicker(model, (info) => info && source.value === "game" && (first.value = info.algorithm));
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
    order: order.value.trim(),
    ...Object.fromEntries(flags.map(([name, flag]) => [name, flag.box.checked])),
  });
  const form = element("form", { class: "setup watch-form" }, field("Search", source), treeField, gameFields,
    field("Algorithm", first), field("beside", second), field("Depth", depth),
    element("details", {}, element("summary", {}, "Techniques"), field("Order of moves", order), ...flags.map(([, flag]) => flag.holder)),
    element("button", { type: "submit", class: "primary" }, "Record"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run([given(first.value, 0), second.value ? given(second.value, 1) : null]);
  });
  return form;
}

// One side: the player of a trace, its counts, and the windows into it.
class Side {
  constructor(model, number, moved) {
    Object.assign(this, { model, number, moved, version: -1, player: null, leave: null, predictor: null });
    this.counts = element("p", { class: "counts" });
    this.path = element("p", { class: "path" });
    this.tools = element("p", { class: "row tools" });
    this.holder = element("div", { class: "trace-holder" });
    this.el = element("section", { class: "trace-side", "aria-label": `Search ${number + 1}` }, this.counts, this.path, this.tools, this.holder);
    this.holder.addEventListener("click", (event) => this.open(event));
  }

  update({ view, version, running, error }) {
    this.el.hidden = !view && !running && !error;
    if (running) this.counts.textContent = "Recording…";
    else if (error) this.counts.textContent = error;
    if (version === this.version || running) return;
    this.version = version;
    this.whole = view;
    this.path.replaceChildren();
    if (view) this.show(view);
    else this.close();
  }

  show(view) {
    this.close();
    this.view = view;
    this.totals = countSteps(view.steps);
    const content = { trace: view, shown: (step) => this.tell(step), ready: (player) => (this.player = player) };
    this.leave = renderTrace({ model: { get: (name) => content[name] }, el: this.holder });
    const predict = checkbox("predict what is pruned", false, (on) => this.predict(on));
    const exercise = button("Exercise to print", () => this.exercise());
    this.tools.replaceChildren(predict.holder, exercise);
    this.tell(view.steps.length);
  }

  close() {
    this.predictor?.end();
    this.leave?.();
    this.holder.replaceChildren();
    this.tools.replaceChildren();
    Object.assign(this, { player: null, leave: null, predictor: null });
    this.counts.textContent = "";
  }

  tell(step) {
    const at = this.totals[step] ?? this.totals[this.totals.length - 1];
    const parts = Object.values(COUNTED).map((names, index) => `${at[index].toLocaleString("en")} ${names[at[index] === 1 ? 0 : 1]}`);
    const more = this.view.total > this.view.steps.length ? ` · the first ${this.view.steps.length.toLocaleString("en")} of ${this.view.total.toLocaleString("en")} steps` : "";
    this.counts.textContent = parts.join(" · ") + more;
    this.predictor?.step(step);
    this.moved(this, step);
  }

  // A fold marker opens a window onto what lies below it.
  async open(event) {
    const group = event.target.closest?.("[data-node]");
    const place = group ? Number(group.dataset.node) : -1;
    if (place < 0 || this.predictor || !this.view.hidden[place] || this.view.numbers[place] === null) return;
    const found = await attempt(this.model.ask("window", { side: this.number, node: this.view.numbers[place] }));
    if (!found) return;
    this.show(found.view);
    this.path.replaceChildren("A part of the tree. ", button("The whole tree", () => {
      this.path.replaceChildren();
      this.show(this.whole);
    }));
  }

  // Where the other search goes another way; in the whole tree, since a part of it counts its own steps.
  markDifference(step) {
    for (const each of this.holder.querySelectorAll("[data-difference]")) delete each.dataset.difference;
    if (!step || this.view !== this.whole) return;
    const place = this.view?.steps[step - 1]?.at ?? -1;
    const group = this.holder.querySelector(`[data-node="${place}"]`);
    if (group) group.dataset.difference = "";
  }

  predict(on) {
    this.predictor?.end();
    this.predictor = null;
    if (!on) return;
    this.player.jump(0); // nothing has happened yet that could be judged
    this.predictor = new Predictor(this.view, this.holder, this.player);
    this.tools.append(this.predictor.score);
  }

  async exercise() {
    const file = await attempt(this.model.ask("exercise", { side: this.number, key: true }));
    if (file) download(file.name, file.content, "text/html");
  }
}

// Nodes, leaves and cut-offs after each step.
function countSteps(steps) {
  const totals = [[0, 0, 0]];
  const kinds = Object.keys(COUNTED);
  for (const { kind } of steps) {
    const next = [...totals[totals.length - 1]];
    const index = kinds.indexOf(kind);
    if (index >= 0) next[index] += 1;
    totals.push(next);
  }
  return totals;
}

export function render({ model, el }) {
  const together = checkbox("step together", true);
  const difference = element("p", { class: "difference", role: "status" });
  let busy = false;
  const sides = [0, 1].map((number) => new Side(model, number, (side, step) => {
    const other = sides?.[1 - number];
    if (busy || !together.box.checked || !other?.player || other.player.step === step) return;
    busy = true;
    other.player.go(step, false);
    busy = false;
  }));
  const run = async (asked) => {
    const [first, second] = asked;
    if (await attempt(model.ask("run", first))) {
      if (second) await attempt(model.ask("run", second));
      else await attempt(model.ask("close", { side: 1 }));
    }
  };
  function showDifference(found) {
    const [one, other] = sides;
    const go = () => {
      busy = true;
      one.player?.jump(found.steps[0]);
      other.player?.jump(found.steps[1]);
      busy = false;
    };
    sides.forEach((side, number) => side.markDifference(found?.steps?.[number]));
    const tools = found?.steps ? [button("Go to the first difference", go)] : [];
    difference.replaceChildren(...(found ? [found.says, " ", ...tools, together.holder] : []));
  }
  const update = (data) => {
    if (!data) return;
    data.sides.forEach((each, number) => sides[number].update(each));
    el.classList.toggle("is-double", data.sides.every(({ view }) => view));
    showDifference(data.difference);
  };
  const form = makeForm(model, run);
  el.append(element("h1", {}, "Watch"), form, difference, element("div", { class: "traces" }, sides.map((each) => each.el)));
  sides.forEach((each) => (each.el.hidden = true));
  model.on("change", update);
  if (model.get()) update(model.get());
  else attempt(model.ask("run", { side: 0, algorithm: "alphabeta", game: EXAMPLE }));
  return () => {
    model.off("change", update);
    sides.forEach((each) => each.close());
  };
}

export default { render };
