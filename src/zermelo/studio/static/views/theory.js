// Theory: a payoff matrix to fill in, and everything that can be said about it.

import { fallChart } from "../chart.js";
import { attempt, button, checkbox, element, field, input, parsePicture, select } from "../dom.js";
import { makeExtensive } from "../extensive.js";
import { makeLearning } from "../learning.js";

const EXAMPLES = {
  "Red and Blue": { players: ["Red", "Blue"], rows: ["1", "2"], columns: ["A", "B", "C"], cells: [["30", "-10", "20"], ["-10", "20", "-20"]] },
  "Rock, paper, scissors": { players: ["row", "column"], rows: ["rock", "paper", "scissors"], columns: ["rock", "paper", "scissors"], cells: [["0", "-1", "1"], ["1", "0", "-1"], ["-1", "1", "0"]] },
  "Prisoner's dilemma": { players: ["one", "two"], rows: ["cooperate", "confess"], columns: ["cooperate", "confess"], costs: true, cells: [["1, 1", "4, 0"], ["0, 4", "3, 3"]] },
  "Chicken": { players: ["one", "two"], rows: ["swerve", "straight"], columns: ["swerve", "straight"], cells: [["0, 0", "-1, 1"], ["1, -1", "-10, -10"]] },
};
const MOST = 12;

// Tells whether two matrices are the same.
const keyOf = ({ players, rows, columns, cells, costs = false }) => JSON.stringify([players, rows, columns, cells, costs]);

class Editor {
  // `edited` is called when somebody has changed something.
  constructor(edited) {
    this.edited = edited;
    this.el = element("div", { class: "matrix-holder" });
    this.costs = checkbox("the numbers are costs: less is better", false, edited);
    this.set(EXAMPLES["Red and Blue"]);
  }
  set({ players, rows, columns, cells, costs = false }) {
    Object.assign(this, { players: [...players], rows: [...rows], columns: [...columns] });
    this.cells = cells.map((row) => [...row]);
    this.costs.box.checked = costs;
    this.paint();
  }
  get given() {
    const { players, rows, columns, cells } = this;
    return { players, rows, columns, cells, costs: this.costs.box.checked };
  }
  paint(replies = null) {
    const name = (list, index, label) => {
      const box = input(list[index], { "aria-label": label, maxlength: 30, class: "name" });
      box.addEventListener("input", () => {
        list[index] = box.value;
        this.edited();
      });
      return box;
    };
    const head = element("tr", {}, element("td", {}, name(this.players, 0, "Row player"), name(this.players, 1, "Column player")),
      ...this.columns.map((_, j) => element("th", { scope: "col" }, name(this.columns, j, `Name of column ${j + 1}`))));
    const body = this.rows.map((_, i) => element("tr", {}, element("th", { scope: "row" }, name(this.rows, i, `Name of row ${i + 1}`)),
      ...this.columns.map((_column, j) => this.cell(i, j, replies))));
    this.el.replaceChildren(element("table", { class: "matrix", "aria-label": "Payoffs" },
      element("thead", {}, head), element("tbody", {}, body)));
  }
  cell(i, j, replies) {
    const box = input(this.cells[i][j], { "aria-label": `Payoff of ${this.rows[i]}, ${this.columns[j]}`, maxlength: 40 });
    box.addEventListener("input", () => {
      this.cells[i][j] = box.value;
      this.edited();
    });
    const best = [0, 1].filter((p) => replies?.[p][i]?.[j]).map((p) => `best-${p}`);
    return element("td", { class: best.join(" ") }, box);
  }
  // Best replies of a matrix that has changed are marked no more; whoever types stays in the cell.
  unmark() {
    for (const cell of this.el.querySelectorAll("td.best-0, td.best-1")) cell.classList.remove("best-0", "best-1");
  }
  resize(rows, columns) {
    if (rows < 1 || columns < 1 || rows > MOST || columns > MOST) return;
    const grow = (list, count, stem) => Array.from({ length: count }, (_, i) => list[i] ?? `${stem}${i + 1}`);
    this.rows = grow(this.rows, rows, "r");
    this.columns = grow(this.columns, columns, "c");
    this.cells = this.rows.map((_, i) => this.columns.map((_column, j) => this.cells[i]?.[j] ?? "0"));
    this.paint();
    this.edited();
  }
}

function showMix(mix, player) {
  const used = mix.filter(({ part }) => part > 0);
  const bars = used.map(({ action, share, part }) => element("span", { class: "share" },
    element("i", { style: `width:${(100 * part).toFixed(1)}%` }), `${action}: ${share}`));
  return element("p", {}, element("b", {}, `${player} `), bars);
}

function showAnswer(answer, players) {
  if (answer.error) return [element("p", { class: "answer" }, answer.error)];
  const parts = [];
  if (answer.zero_sum) parts.push(element("p", { class: "value-line" }, `The value of the game for ${players[0]} is ${answer.value}.`));
  const dominance = answer.dominance.length ? answer.dominance : ["No action is strictly dominated."];
  parts.push(element("h2", {}, "Dominance"), element("ol", {}, dominance.map((each) => element("li", {}, each))));
  parts.push(element("h2", {}, "Second thoughts"), element("p", { class: "chain" }, answer.chain.join(" → ")));
  const many = answer.mixtures ? `${answer.count} extreme equilibria, and their mixtures` : `${answer.count} equilibria`;
  parts.push(element("h2", {}, answer.count === 1 ? "The equilibrium" : many));
  if (answer.mixtures) parts.push(element("p", { class: "about" }, "Where two of them differ in one player's strategy only, whatever that player mixes of the two is an equilibrium too."));
  for (const found of answer.equilibria) {
    parts.push(element("div", { class: "equilibrium" }, found.mixes.map((mix, p) => showMix(mix, players[p])),
      element("p", {}, `Payoffs: ${found.payoffs.join(" and ")}`)));
  }
  if (answer.more) parts.push(element("p", {}, `and ${answer.more} more.`));
  return parts;
}

function showPictures({ picture, learning }) {
  const drawn = picture ? [element("h2", {}, "Picture"), element("div", { class: "paper" }, parsePicture(picture))] : [];
  return [...drawn, element("h2", {}, "Learning it"), element("p", {}, "The most that anybody could still gain, after so many steps of regret matching:"),
    fallChart(learning, "Regret of regret matching, step by step", "steps")];
}

export function render({ model, el }) {
  let edited = false; // since the matrix that was solved last
  const clear = () => {
    edited = true;
    example.value = "";
    pictures.replaceChildren();
    editor.unmark();
    results.replaceChildren(element("p", {}, "The matrix has changed: press Solve."));
  };
  const editor = new Editor(clear);
  const example = select([...Object.keys(EXAMPLES), { text: "", name: "a matrix of your own" }], "Red and Blue");
  const results = element("section", { class: "side", "aria-label": "What follows", "aria-live": "polite" });
  const pictures = element("div", {});
  const solve = () => attempt(model.ask("solve", editor.given));
  example.addEventListener("change", () => {
    if (!EXAMPLES[example.value]) return;
    editor.set(EXAMPLES[example.value]);
    edited = true;
    solve();
  });
  const restore = (matrix) => {
    editor.set(matrix);
    example.value = Object.keys(EXAMPLES).find((name) => keyOf(EXAMPLES[name]) === keyOf(matrix)) ?? "";
  };
  const size = (rows, columns) => () => editor.resize(editor.rows.length + rows, editor.columns.length + columns);
  const update = (data) => {
    if (!data) return;
    const same = keyOf(data.matrix) === keyOf(editor.given);
    if (edited && !same) return; // about what stood here before
    edited = false;
    if (!same) restore(data.matrix);
    if (data.running) return void results.replaceChildren(element("p", {}, "Solving… ", button("Stop", () => attempt(model.ask("halt")))));
    if (!data.answer) return void results.replaceChildren(element("p", {}, "Nobody waited for the answer: press Solve."));
    results.replaceChildren(...showAnswer(data.answer, editor.players));
    if (data.answer.error) return;
    pictures.replaceChildren(...showPictures(data.answer));
    editor.paint(data.answer.replies);
  };
  el.append(element("section", { class: "stage-board", "aria-label": "Matrix" }, element("h1", {}, "Theory"), field("Example", example),
    element("p", { class: "about" }, "One number in a cell for a zero-sum game, or two with a comma."), editor.el,
    element("p", { class: "row" }, button("+ row", size(1, 0)), button("− row", size(-1, 0)), button("+ column", size(0, 1)), button("− column", size(0, -1))),
    editor.costs.holder, element("p", { class: "row" }, button("Solve", solve, { class: "primary" })),
    element("p", { class: "about" }, "A blue edge marks the row player's best reply to a column, an orange one the column player's to a row."), pictures), results);
  const learning = makeLearning(model);
  const extensive = makeExtensive(model);
  el.append(extensive.el, learning.el);
  model.on("change", update);
  if (model.get()) update(model.get());
  else attempt(model.ask("home.games")).then(() => model.get() || solve()); // what was open comes before any answer
  return () => {
    model.off("change", update);
    learning.end();
    extensive.end();
  };
}

export default { render };
