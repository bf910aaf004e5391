// Chooses a game and its options; tells what there is to choose for it.

import { attempt, element, field, select } from "./dom.js";
import { makeOptions } from "./options.js";

export const SHELVES = { yours: "Yours", board: "Board", dice: "Dice", cards: "Cards", theory: "Theory" };

let known = null; // the list is the same for all views

export async function listGames(model) {
  known ??= await attempt(model.ask("home.games"));
  return known;
}

// What names a game in a list of them, and the rest of the text, its options.
export function takeApart(text, games) {
  const fits = games.filter((game) => text === game.text || text.startsWith(`${game.text}:`));
  const [game] = fits.sort((one, other) => other.text.length - one.text.length);
  return game ? { game, options: text.slice(game.text.length + 1) } : null;
}

// The part of a picker that knows a game: its options, and what the studio says of it with these options.
export function makeGame(model, changed) {
  const options = makeOptions(() => look());
  const about = element("p", { class: "about" });
  const el = element("div", { class: "picker" }, options.el);
  let game = null;
  let info = null;
  let settled = null;
  let asking = 0;
  const value = () => {
    const said = options.value();
    return said ? `${game.text}:${said}` : game.text;
  };
  async function lookUp() {
    changed(null); // what was chosen for another game is nobody's choice for this one
    const asked = value();
    const found = await attempt(model.ask("home.game", { game: asked }));
    if (!found || asked !== value()) return;
    info = found;
    options.show(info.controls);
    changed(info);
  }
  async function busy(question) {
    asking += 1;
    el.setAttribute("aria-busy", "true");
    await question;
    asking -= 1;
    if (!asking) el.removeAttribute("aria-busy");
  }
  const look = () => (settled = busy(lookUp()));
  async function choose(chosen, given = "") {
    game = chosen;
    about.textContent = game.about;
    options.show([]);
    options.set(""); // those of another game
    await look();
    if (!given || !info) return;
    options.set(given);
    await look();
  }
  // What was chosen last, once it is known what there is to choose for it: whoever begins a game waits for that.
  return { el, about, choose: (...all) => (settled = busy(choose(...all))), value, settled: () => settled, info: () => info };
}

// `preferOwn`: a game from the command line, if there is one, is what the user came for. `verb`: who knows the games, if
// not all are to be chosen from.
export function makeGamePicker(model, changed, first = "tictactoe", { preferOwn = true, verb = null } = {}) {
  const box = select([], "");
  const part = makeGame(model, changed);
  const el = element("div", {}, field("Game", box), part.about, part.el);
  let offered = [];
  async function fill() {
    if (!(await listGames(model))) return;
    offered = verb ? (await attempt(model.ask(verb)))?.games ?? [] : known.games;
    for (const [shelf, name] of Object.entries(SHELVES)) {
      const found = offered.filter((game) => game.shelf === shelf);
      if (found.length) box.append(element("optgroup", { label: name }, ...found.map(({ text, title }) => element("option", { value: text }, title))));
    }
    const own = preferOwn && offered.find((game) => game.own);
    const open = takeApart(model.get()?.game ?? "", offered); // what is open in this view comes before any answer
    const game = open?.game ?? (own || offered.find(({ text }) => text === first) || offered[0]);
    box.value = game.text;
    await part.choose(game, open?.options);
  }
  box.addEventListener("change", () => part.choose(offered.find(({ text }) => text === box.value)));
  part.el.setAttribute("aria-busy", "true"); // until the list is there
  const ready = fill().finally(() => part.el.removeAttribute("aria-busy"));
  return { el, value: part.value, ready, settled: part.settled, info: part.info, algorithms: () => known?.algorithms ?? [] };
}
