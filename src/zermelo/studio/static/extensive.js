// A small game as a tree with information sets: its equilibrium in fractions, and its drawing.

import { attempt, button, download, element, field, parsePicture, select } from "./dom.js";
import { makeGamePicker } from "./games.js";

const ENTRY = `EFG 2 R "Market entry" { "Entrant" "Incumbent" } ""
p "" 1 1 "outside" { "enter" "stay out" } 0
p "" 2 1 "entered" { "fight" "share" } 0
t "" 1 "" { -1, -1 }
t "" 2 "" { 2, 1 }
t "" 3 "" { 0, 4 }`;

function showRows({ rows, values, nodes }) {
  const head = element("tr", {}, ["player", "knows", "plays"].map((each) => element("th", { scope: "col" }, each)));
  const body = rows.map(({ player, set, mix }) => element("tr", {}, element("td", {}, player), element("th", { scope: "row" }, set),
    element("td", {}, mix.map(({ action, share, part }) => element("span", { class: "share" }, element("i", { style: `width:${(100 * part).toFixed(1)}%` }), `${action}: ${share}`)))));
  return element("div", { class: "table-holder" }, element("table", { class: "crosstable strategy" },
    element("caption", {}, `${nodes} nodes, ${rows.length} information sets. ${values.map(([name, value]) => `${name} gets ${value}`).join(", ")}.`),
    element("thead", {}, head), element("tbody", {}, body)));
}

export function makeExtensive(model) {
  const source = select([{ text: "game", name: "A game of the package" }, { text: "efg", name: "A tree, typed in" }], "game");
  const picker = makeGamePicker(model, () => {}, "kuhn", { preferOwn: false, verb: "tree.games" });
  const text = element("textarea", { rows: 8, spellcheck: "false" });
  text.value = ENTRY;
  const typed = field("Tree", text, "Gambit's format: a line for each node, first p with the player, its information set and its actions, c for chance, t with the payoffs of an end.");
  typed.hidden = true;
  source.addEventListener("change", () => {
    typed.hidden = source.value !== "efg";
    picker.el.hidden = source.value === "efg";
  });
  const form = element("form", { class: "setup" }, field("Game as a tree", source), picker.el, typed, element("button", { type: "submit", class: "primary" }, "Show the tree"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await picker.ready;
    attempt(model.ask("tree.solve", { game: source.value === "efg" ? text.value : picker.value() }));
  });
  const status = element("p", { class: "status", role: "status" }, "Every node, who moves there and what is known: nodes that look alike to a player are joined by a dashed line.");
  const rows = element("div", { class: "side" }, status);
  const table = element("div", {});
  rows.append(table);
  const picture = element("div", { class: "tree-picture", tabindex: 0, role: "region", "aria-label": "The tree" });
  const save = element("p", { class: "row" });
  picture.hidden = true;
  const update = (data) => {
    if (!data) return;
    const { answer, running } = data;
    status.textContent = running ? "Solving…" : answer?.error ?? (answer ? "An equilibrium, and the probability of every action in it:" : "Nobody waited for the answer: show the tree again.");
    const good = answer && !answer.error;
    table.replaceChildren(...(good ? [showRows(answer)] : []));
    picture.hidden = !(good && answer.picture);
    picture.replaceChildren(...(picture.hidden ? [] : [parsePicture(answer.picture)]));
    save.replaceChildren(...(picture.hidden ? [] : [button("Save picture", () => download("tree.svg", answer.picture, "image/svg+xml"))]));
  };
  model.on("change:tree", update);
  update(model.get("tree"));
  const el = element("section", { class: "extensive", "aria-label": "A game as a tree" }, element("h2", {}, "A game as a tree"),
    element("div", { class: "learning-parts" }, form, rows), picture, save);
  return { el, end: () => model.off("change:tree", update) };
}
