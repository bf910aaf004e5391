// Learning a game of hidden information: a run of regret minimisation, its exploitability falling, and its strategy.

import { fallChart } from "./chart.js";
import { attempt, button, element, field, input, select } from "./dom.js";
import { makeGamePicker } from "./games.js";

const METHODS = ["cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "pdcfr+", "external", "outcome"];

function describeRun({ name, method, running, error, curve, outcome }) {
  if (error) return error;
  const [iterations, gain] = curve[curve.length - 1] ?? [0, null];
  const so = gain === null ? "the tree is being built…" : `${iterations.toLocaleString("en")} iterations, exploitability ${gain.toPrecision(3)}`;
  const size = outcome ? `; ${outcome.nodes.toLocaleString("en")} nodes, ${outcome.sets.toLocaleString("en")} information sets` : "";
  return `${name} by ${method}: ${so}${size}${running ? "" : ". The run is over."}`;
}

function showStrategy({ strategy, sets, values }) {
  const rows = strategy.map(({ player, set, mix }) => element("tr", {}, element("td", {}, player), element("th", { scope: "row" }, set),
    element("td", {}, mix.map(({ action, part }) => element("span", { class: "share" }, element("i", { style: `width:${(100 * part).toFixed(1)}%` }),
      `${action}: ${part.toFixed(3)}`)))));
  const head = element("tr", {}, ["player", "knows", "plays"].map((each) => element("th", { scope: "col" }, each)));
  const worth = values.map(([name, value]) => `${name} ${value.toFixed(4)}`).join(", ");
  const caption = `What it has learnt: ${worth}${sets > strategy.length ? `; the first ${strategy.length} of ${sets} information sets` : ""}`;
  return element("div", { class: "table-holder" }, element("table", { class: "crosstable strategy" }, element("caption", {}, caption),
    element("thead", {}, head), element("tbody", {}, rows)));
}

export function makeLearning(model) {
  const method = select(METHODS, "pdcfr+");
  const iterations = input("1000", { type: "number", min: 1, max: 10000000 });
  const picker = makeGamePicker(model, () => {}, "kuhn", { preferOwn: false, verb: "learn.games" });
  const form = element("form", { class: "setup" }, picker.el, field("Method", method), field("Iterations", iterations),
    element("button", { type: "submit", class: "primary" }, "Learn"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await picker.ready;
    attempt(model.ask("learn.run", { game: picker.value(), method: method.value, iterations: Number(iterations.value) }));
  });
  const halt = button("Stop", () => attempt(model.ask("learn.halt")), { hidden: true });
  const status = element("p", { class: "status", role: "status" }, "A game with hidden cards is learnt by playing against oneself.");
  const curve = element("div", {});
  const strategy = element("div", {});
  const update = (data) => {
    if (!data) return;
    halt.hidden = !data.running;
    status.textContent = describeRun(data);
    curve.replaceChildren(...(data.curve.length ? [fallChart(data.curve, "Exploitability after so many iterations", "iterations")] : []));
    strategy.replaceChildren(...(data.outcome ? [showStrategy(data.outcome)] : []));
  };
  model.on("change:learn", update);
  update(model.get("learn"));
  const el = element("section", { class: "learning", "aria-label": "Learning" }, element("h2", {}, "Learning a game of hidden information"),
    element("div", { class: "learning-parts" }, form, element("div", { class: "side" }, status, element("p", { class: "row" }, halt), curve)), strategy);
  return { el, end: () => model.off("change:learn", update) };
}
