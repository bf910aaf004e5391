// Chooses a game and its options; tells what there is to choose for it.

import { attempt, element, field, input, select } from "./dom.js";

let known = null; // the list is the same for all views

// `preferOwn`: a game from the command line, if there is one, is what the user came for. `verb`: who knows the games, if
// not all are to be chosen from.
export function makeGamePicker(model, changed, first = "tictactoe", { preferOwn = true, verb = null } = {}) {
  const box = select([], "", { "aria-describedby": "" });
  const options = input("", { maxlength: 200 });
  const about = element("p", { class: "about" });
  const el = element("div", { class: "picker" }, field("Game", box), field("Options", options), about);
  let info = null;
  let offered = [];

  const value = () => (options.value.trim() ? `${box.value}:${options.value.trim()}` : box.value);
  // What was chosen last, once it is known what there is to choose for it: whoever begins a game waits for that.
  let settled = null;
  const choose = () => (settled = busy(lookUp()));
  let asking = 0;
  async function busy(question) {
    asking += 1;
    el.setAttribute("aria-busy", "true");
    await question;
    asking -= 1;
    if (!asking) el.removeAttribute("aria-busy");
  }
  async function lookUp() {
    const game = offered.find(({ text }) => text === box.value);
    about.textContent = game?.about ?? "";
    options.placeholder = game?.options || "none";
    changed(null); // what was chosen for another game is nobody's choice for this one
    const asked = value();
    info = await attempt(model.ask("home.game", { game: asked }));
    if (info && asked === value()) changed(info);
  }
  // What is open in this view, if that can be chosen here: it comes before any answer.
  function restore(text) {
    const fits = offered.filter((game) => text === game.text || text.startsWith(`${game.text}:`));
    const [game] = fits.sort((one, other) => other.text.length - one.text.length);
    if (!game) return;
    box.value = game.text;
    options.value = text.slice(game.text.length + 1);
  }
  async function fill() {
    known ??= await attempt(model.ask("home.games"));
    if (!known) return;
    offered = verb ? (await attempt(model.ask(verb)))?.games ?? [] : known.games;
    box.append(...offered.map(({ text, name }) => element("option", { value: text }, text === name ? name : text)));
    const own = preferOwn && offered.find((game) => game.own);
    box.value = own ? own.text : first;
    restore(model.get()?.game ?? "");
    await choose();
  }
  box.addEventListener("change", () => {
    options.value = "";
    choose();
  });
  options.addEventListener("change", choose);
  const ready = busy(fill());
  return { el, value, ready, settled: () => settled, info: () => info, algorithms: () => known?.algorithms ?? [] };
}
