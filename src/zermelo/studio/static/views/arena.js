// Tournaments: set one up and watch its crosstable, or look at one that another process plays.

import { attempt, button, download, element, field, input, select } from "../dom.js";
import { makeGamePicker } from "../games.js";
import { Replay } from "../replay.js";

const LOOK = 3000; // milliseconds between two looks at a file that may grow

const FORMATS = [
  { text: "round-robin", name: "Everybody meets everybody" },
  { text: "gauntlet", name: "The first against all others" },
  { text: "swiss", name: "Swiss: equals meet" },
  { text: "ladder", name: "Ladder: neighbours meet, winners climb" },
  { text: "knock-out", name: "Knock-out" },
];

// `look` is called with two entrants whose games are wanted, where games can be looked at.
function makeTable(report, look = null) {
  const total = report.total === null ? "" : ` of ${report.total}`;
  const paid = Boolean(report.unit); // payoffs say more than points, and Elo nothing
  const said = paid ? [`${report.unit} a game, 95 %`, "games"] : ["rating", "points"];
  const head = element("tr", {}, ...["", "player", ...said, ...report.rows.map((_, i) => String(i + 1))].map((each) =>
    element("th", { scope: "col" }, each)));
  const rows = report.rows.map((row, i) => element("tr", {}, element("td", {}, String(i + 1)), element("th", { scope: "row" }, row.name),
    element("td", {}, paid ? row.payoff ?? "" : row.elo ? `${row.elo[0].toFixed(0)} ± ${((row.elo[2] - row.elo[1]) / 2).toFixed(0)}` : ""),
    element("td", {}, paid ? String(row.games) : `${row.points} / ${row.games}`),
    ...row.cells.map((cell, j) => {
      const said = cell === null ? "·" : !cell[2] ? "" : paid ? row.payoffs[j] ?? "" : `${cell[0]} – ${cell[1]}`;
      const other = report.rows[j].name;
      return element("td", {}, look && cell?.[2] ? button(said, () => look([row.name, other]), { class: "cell", title: `The games of ${row.name} and ${other}` }) : said);
    })));
  const copies = report.copies ? `; ${report.copies} repeat earlier ones and do not count` : "";
  return element("div", { class: "table-holder" }, element("table", { class: "crosstable" },
    element("caption", {}, `${report.played}${total} games${copies}`), element("thead", {}, head), element("tbody", {}, rows)));
}

// What went wrong with bots, one line each.
function showFaults(faults, replay) {
  if (!faults?.length) return [];
  const rows = faults.map(({ name, what, count, detail, number }) => element("li", {}, element("b", {}, name), ` ${what} in ${count} ${count === 1 ? "game" : "games"}. `,
    element("code", {}, detail), " ", button("Show the game", () => replay.show(number))));
  return [element("h2", {}, "What went wrong"), element("ul", { class: "faults" }, rows)];
}

// The games that have been played, the newest first; some of them, or all.
class GameList {
  constructor(model, replay) {
    Object.assign(this, { model, replay, wanted: [], asked: -1 });
    this.caption = element("p", { class: "about" });
    this.rows = element("tbody");
    const head = element("tr", {}, ...["game", "players", "result", "moves", "how it ended", ""].map((each) => element("th", { scope: "col" }, each)));
    const all = button("All games", () => this.filter([]));
    const save = (format) => button(`Download all as ${format.toUpperCase()}`, async () => {
      const file = await attempt(model.ask("write", { format }));
      if (file) download(file.name, file.content);
    });
    this.el = element("section", { class: "games", "aria-label": "Games", hidden: true }, element("h2", {}, "Games"), this.caption,
      element("div", { class: "table-holder game-rows" }, element("table", { class: "listing" }, element("thead", {}, head), this.rows)),
      element("p", { class: "row" }, all, save("pgn"), save("jsonl")));
  }

  filter(entrants) {
    this.wanted = entrants;
    this.ask();
  }

  // Asks again where games have been added.
  update(report) {
    const played = report?.played ?? 0;
    this.el.hidden = !played;
    if (played === this.asked || !played) return;
    this.asked = played;
    this.ask();
  }

  async ask() {
    const found = await attempt(this.model.ask("games", { entrants: this.wanted }));
    if (!found) return;
    const { games, count } = found;
    this.caption.textContent = `${this.wanted.length ? `${this.wanted.join(" and ")}: ` : ""}${count} ${count === 1 ? "game" : "games"}${games.length < count ? `, the last ${games.length} of them` : ""}`;
    this.rows.replaceChildren(...games.map((game) => element("tr", { class: game.fault ? "is-fault" : null }, element("td", {}, String(game.number + 1)),
      element("td", {}, game.players.join(" – ")), element("td", {}, game.points.join(" – ")), element("td", {}, String(game.plies)),
      element("td", {}, game.reason), element("td", {}, button("Show", () => this.replay.show(game.number), { "aria-label": `Show game ${game.number + 1}` })))));
  }
}

// Players for a first tournament, as many as the game needs or more; bots of one's own are what one came for.
function suggest({ hidden, chance, seats, opponents, bots }) {
  if (bots.length) return bots.length > 1 ? bots : [...bots, "random"];
  const sampled = opponents.some(({ text }) => text.startsWith("mcts"));
  const searching = chance ? ["expectiminimax:depth=2"] : ["alphabeta:depth=3", "alphabeta:depth=1"];
  const able = hidden || seats.length > 2 ? (sampled ? ["mcts:simulations=200"] : []) : searching;
  const missing = Math.max(1, seats.length - able.length);
  return [...able, ...Array.from({ length: missing }, (_, i) => (i ? `random:seed=${i}` : "random"))];
}

export function render({ model, el }) {
  const entrants = element("textarea", { rows: 4, spellcheck: "false" });
  const games = input("20", { type: "number", min: 1, max: 1000 });
  const format = select(FORMATS, "round-robin");
  const clock = input("", { placeholder: "none, 60+0.6 or nodes=10000" });
  let typed = false; // whom somebody has invited, we do not send away
  entrants.addEventListener("input", () => (typed = entrants.value.trim() !== ""));
  const picker = makeGamePicker(model, (info) => {
    if (!info || typed) return;
    entrants.value = suggest(info).join("\n");
  });
  picker.ready.then(() => {
    const { plan } = model.get() ?? {};
    if (!plan || typed) return;
    typed = true;
    entrants.value = plan.entrants.join("\n");
    games.value = plan.games;
    format.value = plan.format;
    clock.value = plan.clock === "none" ? "" : plan.clock;
  });
  const form = element("form", { class: "setup" }, picker.el, field("Players, one a line", entrants), field("Games per pairing", games),
    field("Format", format), field("Clock", clock), element("button", { type: "submit", class: "primary" }, "Start"));
  const status = element("p", { class: "status", role: "status" }, "No tournament is being played.");
  const table = element("div", {});
  const faults = element("div", {});
  const replay = new Replay(model, () => model.get()?.game ?? picker.value());
  const played = new GameList(model, replay);
  const halt = button("Stop", () => attempt(model.ask("halt")), { hidden: true });
  const files = element("p", { class: "row" });
  let timer = null;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearInterval(timer);
    replay.close();
    Object.assign(played, { wanted: [], asked: -1 });
    const names = entrants.value.split("\n").map((each) => each.trim()).filter(Boolean);
    const given = { game: picker.value(), entrants: names, games: Number(games.value), format: format.value };
    attempt(model.ask("start", { ...given, clock: clock.value.trim() || "none" }));
  });
  const update = (data) => {
    if (!data) return;
    halt.hidden = !data.running;
    const over = data.stopped ? "The tournament was stopped." : "The tournament is over.";
    status.textContent = data.error || (data.running ? "Games are being played…" : over);
    table.replaceChildren(...(data.report ? [makeTable(data.report, (names) => played.filter(names))] : []));
    faults.replaceChildren(...showFaults(data.report?.faults, replay));
    played.update(data.report);
  };
  async function look(file) {
    const found = await attempt(model.ask("show", { file }));
    if (!found) return clearInterval(timer);
    status.textContent = file;
    return table.replaceChildren(makeTable(found.report));
  }
  attempt(model.ask("files")).then((found) => {
    files.append(...(found?.files ?? []).map((file) => button(file, () => {
      clearInterval(timer);
      timer = setInterval(() => look(file), LOOK);
      look(file);
    })));
  });
  el.append(element("section", { class: "stage-board", "aria-label": "Table" }, element("h1", {}, "Tournaments"), status, element("p", { class: "row" }, halt), table, faults, replay.el, played.el, files),
    element("section", { class: "side", "aria-label": "New tournament" }, element("h2", {}, "New tournament"), form));
  model.on("change", update);
  if (model.get()) update(model.get());
  return () => {
    model.off("change", update);
    clearInterval(timer);
  };
}

export default { render };
