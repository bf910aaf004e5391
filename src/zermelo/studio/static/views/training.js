// Training: how a network learns, generation by generation, while it runs in a terminal and after.

import { Board } from "../board.js";
import { courseChart, generationChart } from "../chart.js";
import { attempt, button, copy, element, field, input, refill, select } from "../dom.js";

const LOOK = 2000; // milliseconds between two looks at a folder that may change
const SILENT = 60; // seconds without news after which a training may have been stopped
const SHOWN_PLACES = 3; // that are named in words, at either end

const count = (value) => value.toLocaleString("en");
const signed = (value, digits) => value.toFixed(digits).replace("-", "−").replace(/^(?=\d)/, "+");
const margin = (elo, width) => (elo === null ? "" : `${signed(elo, 0)}${width === null ? "" : ` ± ${width.toFixed(0)}`}`);

function duration(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, String(whole % 60).padStart(2, "0")];
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

// The time that has passed since the folder was written counts, unless nobody seems to be training any more.
function timeOf({ over, seconds, total }, age) {
  const spent = over || age === null || age > SILENT ? seconds : Math.min(seconds + age, total);
  return { spent, left: over ? 0 : total - spent };
}

function describe(data, age) {
  if (data.error) return data.error;
  const { final, kept, phase } = data;
  const result = final && final.elo !== null ? ` ${margin(final.elo, final.margin)} Elo over what was there before, in ${final.games} games.` : "";
  if (data.over) return `The training is over.${kept ? result : " Nothing stronger than what was there before was found."}`;
  const doing = { playing: "plays against itself", learning: "learns", testing: "is tested against the best so far", matching: "plays the last match" }[phase];
  if (age !== null && age > SILENT) return `No news for ${duration(age)} minutes: if it was stopped, the same zermelo train goes on with it.`;
  return `Generation ${data.generations.length || 1} ${doing ?? "begins"}…`;
}

function showFacts(data, age) {
  const { spent, left } = timeOf(data, age);
  const facts = [["game", data.name], ["games", count(data.games)], ["positions", count(data.positions)],
    ["best network", data.kept ? `generation ${data.kept}` : "none yet"], ["time spent", duration(spent)], ["time left", duration(left)]];
  return facts.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)));
}

function showGenerations(generations) {
  const names = ["", "verdict", "test", "Elo of it", "LLR", "loss", "games", "positions"];
  const head = element("tr", {}, names.map((each) => element("th", { scope: "col" }, each)));
  const verdict = { true: "kept", false: "discarded", null: "…" };
  const rows = [...generations].reverse().map(({ number, games, positions, loss, test, kept }) =>
    element("tr", { class: kept ? "is-kept" : null }, element("th", { scope: "row" }, String(number)), [verdict[kept],
      test ? `${test.points} – ${test.games - test.points}` : "", test ? margin(test.elo, test.margin) : "", test ? signed(test.llr, 2) : "",
      loss === null ? "" : loss.toFixed(4), count(games), count(positions)].map((each) => element("td", {}, each))));
  return [element("p", { class: "about" }, "Each network is tested against the best so far, and kept if the games speak for 20 Elo more rather than none: LLR above 0. Tests against an earlier network are at equal nodes, others and the last match at equal time. The loss is that of positions held out: as games become closer, it may rise."),
    element("div", { class: "table-holder generations", tabindex: 0, role: "group", "aria-label": "Generations" },
      element("table", { class: "crosstable" }, element("thead", {}, head), element("tbody", {}, rows)))];
}

function showCurves(generations) {
  const elos = generations.map(({ number, elo, kept }) => (elo ? { number, value: elo[0], low: elo[1], high: elo[2], kept } : { number, value: null }));
  const losses = generations.map(({ number, loss, kept }) => ({ number, value: loss, kept }));
  return [generationChart(elos, "Elo of the best network after each generation", "Elo of the best network"), generationChart(losses, "Loss of each generation", "loss", 2)];
}

// Small boards, each a button that shows what the network likes there, with the course of its value.
function showPositions(data, choose) {
  return data.boards.map(({ picture, text, mover }, index) => {
    const values = data.values[index];
    const known = values.filter((each) => each !== null);
    const said = known.length ? signed(known[known.length - 1], 2) : "–";
    const board = element("img", { src: `data:image/svg+xml,${encodeURIComponent(picture)}`, alt: text, class: "small-board" });
    const chart = courseChart(values.length ? values : [null], values.length - 1, `Its value from generation to generation: ${known.map((each) => signed(each, 2)).join(", ")}`);
    return button([board, element("span", {}, `${mover} to move: ${said}`), chart], () => choose(index),
      { class: "position", "aria-pressed": String(index === data.position), "data-position": index });
  });
}

// What a map says, for a board: shares of its greatest number.
function warmthOf({ marks }, isPolicy) {
  const greatest = Math.max(0, ...marks.map(([, , gain]) => Math.abs(gain)));
  return marks.map(([name, number, gain]) => {
    const kind = isPolicy ? "z-move" : gain > 0 ? "z-one" : "z-two";
    return [name, number, greatest ? gain / greatest : 0, kind, isPolicy ? `${(100 * gain).toFixed(0)} %` : signed(gain, 3)];
  });
}

function describeMap({ marks }, isPolicy) {
  const sorted = [...marks].sort((one, other) => other[2] - one[2]);
  const name = ([place, , gain]) => (isPolicy ? `${place} ${(100 * gain).toFixed(0)} %` : `${place} ${signed(gain, 3)}`);
  if (isPolicy) return sorted.slice(0, 2 * SHOWN_PLACES).map(name).join(", ");
  const most = sorted.filter(([, , gain]) => gain > 0).slice(0, SHOWN_PLACES).map(name).join(", ");
  const least = sorted.filter(([, , gain]) => gain < 0).slice(-SHOWN_PLACES).reverse().map(name).join(", ");
  return [most && `Most for the first player: ${most}.`, least && `Most for the second: ${least}.`].filter(Boolean).join(" ");
}

function showInputs({ inputs, more }) {
  if (!inputs.length) return [];
  const greatest = Math.max(...inputs.map(({ gain }) => Math.abs(gain))) || 1;
  const rows = inputs.map(({ name, on, gain }) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, on ? "on" : "off"),
    element("td", {}, signed(gain, 3)), element("td", { class: "gain" }, element("i", { class: gain > 0 ? "one" : "two", style: `width:${(100 * Math.abs(gain) / greatest).toFixed(0)}%` }))));
  return [element("h3", {}, "Inputs beside the board"), element("div", { class: "table-holder" }, element("table", { class: "crosstable inputs" },
    element("tbody", {}, rows))), more ? element("p", { class: "about" }, `and ${count(more)} more, with less influence.`) : null].filter(Boolean);
}

function showMoves(policy) {
  return policy ? [element("h3", {}, "Its moves"), element("ol", { class: "lines" }, policy.moves.map(({ notation, share }) =>
    element("li", {}, element("b", {}, `${(100 * share).toFixed(1)} %`), " ", notation)))] : [];
}

// The board of the chosen position with one of the network's maps on it.
class Opinion {
  constructor() {
    this.board = new Board(async () => null, async () => null);
    this.chosen = "";
    this.choices = element("p", { class: "row", role: "group", "aria-label": "What is drawn" });
    this.words = element("p", { class: "map-words" });
    this.lists = element("div", { class: "side" });
    this.note = element("p", { class: "about" });
    this.el = element("section", { class: "opinion", "aria-label": "What the network likes" }, element("h2", {}, "What the network likes"), this.note,
      this.choices, element("div", { class: "opinion-parts" }, element("div", { class: "stage-board" }, this.board.el, this.words), this.lists));
  }

  show(data) {
    const { network, boards, position, kept, drawing } = data;
    const board = boards[position];
    this.el.hidden = !board;
    if (!board) return;
    this.maps = network ? [...network.maps, ...(network.policy ? [network.policy.map] : [])] : [];
    this.policy = network?.policy?.map ?? null;
    if (!this.maps.some(({ name }) => name === this.chosen)) this.chosen = this.maps[0]?.name ?? "";
    if (drawing) this.note.textContent = "The network is being looked at…";
    else if (!network) this.note.textContent = kept ? `The network of generation ${kept} cannot be shown.` : "No network has been kept yet: the first that wins its test is shown here.";
    else if (!network.maps.length && network.policy) this.note.textContent = `How likely the network of generation ${kept} plays each move.`;
    else this.note.textContent = `The network of generation ${kept} in the chosen position: what is blue speaks for the first player, what is orange for the second. Of what is there, it is what would be lost without it; of what is not, what it would bring.`;
    this.board.show({ picture: board.picture, text: board.text, legal: [], mover: board.mover }, `${data.name}, as the network sees it`);
    this.paint();
    this.lists.replaceChildren(...(network ? [...showMoves(network.policy), ...showInputs(network)] : []));
  }

  paint() {
    const chosen = this.maps.find(({ name }) => name === this.chosen);
    const pressed = this.choices.querySelector(":focus")?.textContent;
    refill(this.choices, this.maps.map((map) => button(map.name, () => {
      this.chosen = map.name;
      this.paint();
    }, { "aria-pressed": String(map === chosen) })));
    if (pressed) [...this.choices.children].find(({ textContent }) => textContent === pressed)?.focus();
    this.board.warm(chosen ? warmthOf(chosen, chosen === this.policy) : []);
    this.words.textContent = chosen ? describeMap(chosen, chosen === this.policy) : "";
  }
}

function makeEmpty() {
  const command = "zermelo train breakthrough --minutes 30";
  return element("section", { class: "empty", "aria-label": "No training" }, element("h2", {}, "No training is here yet"),
    element("p", {}, "Start one in a terminal, in the folder in which this studio was started, and it appears here by itself:"),
    element("p", { class: "row" }, element("code", {}, command), button("Copy", () => copy(command))),
    element("p", { class: "about" }, "Any game of two players can be trained, one of your own as well: zermelo train my_game.py:MyGame --minutes 30. Trainings elsewhere are opened by their folder, which ends in .training."));
}

export function render({ model, el }) {
  const found = select([], "", { "aria-label": "Trainings found here" });
  const path = input("", { placeholder: "my_game.training", maxlength: 1000 });
  const status = element("p", { class: "status", role: "status" });
  const facts = element("dl", { class: "facts" });
  const trouble = element("p", { class: "about trouble" });
  const curves = element("div", { class: "curves" });
  const table = element("div", {});
  const positions = element("div", { class: "positions" });
  const opinion = new Opinion();
  const empty = makeEmpty();
  const valued = element("section", { "aria-label": "Positions" }, element("h2", {}, "The same positions, from generation to generation"),
    element("p", { class: "about" }, "What each network says about positions of one random game, between a loss (−1) and a win (+1) of the first player; a discarded one counts, too. Choose a position to see what the network likes there."), positions);
  const parts = element("div", { hidden: true }, facts, trouble, element("section", { class: "course", "aria-label": "Course" }, curves, table), valued, opinion.el);
  let age = null;
  let drawn = "";
  let timer = null;

  const open = (folder) => attempt(model.ask("open", { folder }));
  const form = element("form", { class: "setup training-form" }, field("Training", found), field("or its folder", path), element("button", { type: "submit" }, "Open"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (path.value.trim()) open(path.value.trim());
    else if (found.value) open(found.value);
  });
  found.addEventListener("change", () => open(found.value));

  async function list() {
    const answer = await model.ask("find").catch(() => null);
    const trainings = answer?.trainings ?? [];
    const key = JSON.stringify(trainings);
    if (key !== drawn) {
      drawn = key;
      if (!trainings.length) found.replaceChildren(element("option", { value: "" }, "none found here"));
      else found.replaceChildren(...trainings.map(({ folder, about }) => element("option", { value: folder }, `${folder} (${about})`)));
    }
    found.disabled = !trainings.length;
    empty.hidden = Boolean(trainings.length || model.get());
    const data = model.get();
    if (data) found.value = data.folder;
    else if (trainings.length) open(trainings[0].folder);
  }
  async function look() {
    if (!document.hidden) {
      if (model.get()) {
        const answer = await model.ask("look").catch(() => null);
        if (answer) age = answer.age;
        showNews(model.get());
      } else await list();
    }
    timer = setTimeout(look, LOOK);
  }
  function showNews(data) {
    if (!data) return;
    const said = describe(data, age);
    if (status.textContent !== said) status.textContent = said;
    facts.replaceChildren(...showFacts(data, age));
  }
  function choose(position) {
    attempt(model.ask("choose", { position }));
  }
  function update(data) {
    if (!data) return;
    empty.hidden = true;
    parts.hidden = false;
    found.value = data.folder;
    showNews(data);
    trouble.textContent = data.trouble;
    trouble.hidden = !data.trouble;
    curves.replaceChildren(...showCurves(data.generations));
    table.replaceChildren(...showGenerations(data.generations));
    valued.hidden = !data.boards.length;
    const focused = positions.querySelector(":focus")?.dataset.position;
    positions.replaceChildren(...showPositions(data, choose));
    if (focused !== undefined) positions.querySelector(`[data-position="${focused}"]`)?.focus();
    opinion.show(data);
  }
  el.append(element("section", { class: "training-head", "aria-label": "Choose a training" }, element("h1", {}, "Training"), form, status), empty, parts);
  model.on("change", update);
  if (model.get()) update(model.get());
  list().then(look);
  return () => {
    model.off("change", update);
    clearTimeout(timer);
  };
}

export default { render };
