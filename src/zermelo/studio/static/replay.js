// A game that others have played, move by move: its board, its moves, how it ended, and what to do with it.

import { isPage } from "./address.js";
import { Board } from "./board.js";
import { attempt, button, download, element, field, icon, select } from "./dom.js";
import { makeMoves } from "./moves.js";

const SIGNS = { first: "M3 3h2v10H3zM13 3v10L6 8z", back: "M11 3v10L4 8z", next: "M5 3v10l7-5z", last: "M11 3h2v10h-2zM3 3v10l7-5z" };

export class Replay {
  // `game` gives the text of the game that is played.
  constructor(model, game) {
    Object.assign(this, { model, game, ply: 0, shown: null, version: 0 });
    this.board = new Board(() => {}, () => null);
    this.heading = element("h2", { tabindex: -1 });
    this.about = element("p", { class: "replay-end" });
    this.moves = makeMoves((ply) => this.look(ply));
    const step = (name, title, act) => button("", act, { "aria-label": title, title });
    const buttons = Object.entries({
      first: ["To the beginning", () => this.look(0)],
      back: ["One move back", () => this.look(this.ply - 1)],
      next: ["One move on", () => this.look(this.ply + 1)],
      last: ["To the end", () => this.look(this.shown.plies)],
    }).map(([name, [title, act]]) => {
      const made = step(name, title, act);
      made.append(icon(SIGNS[name]));
      return made;
    });
    this.format = select([], "");
    this.tools = element("p", { class: "row" }, button("Open in Play", () => this.open("play")), button("Analyse", () => this.open("analyse")));
    const file = element("p", { class: "row" }, field("As", this.format), button("Download", () => this.save()));
    this.el = element("section", { class: "replay", "aria-label": "A game", hidden: true, tabindex: -1 }, this.heading, this.about,
      element("div", { class: "replay-parts" }, this.board.el, element("div", {}, this.moves.el, element("p", { class: "row steps" }, buttons), this.tools, file,
        button("Close", () => this.close()))));
    this.el.addEventListener("keydown", (event) => this.onKey(event));
  }

  async show(number) {
    const found = await attempt(this.model.ask("game", { number }));
    if (!found) return;
    this.shown = found;
    this.tools.hidden = !isPage(this.el); // a cell of a notebook has one view
    this.el.hidden = false;
    this.heading.textContent = `Game ${number + 1}: ${found.players.join(" – ")}, ${found.points.join(" – ")}`;
    const why = found.detail || `It ended ${found.reason === "by the rules" ? "by the rules" : `because ${found.reason}`}.`;
    this.about.textContent = `${found.players.map((name, p) => `${name} plays ${found.seats[p]}`).join(", ")}. ${why}`;
    this.format.replaceChildren(...found.formats.map((name) => element("option", { value: name }, name)));
    this.moves.show({ moves: found.moves, names: found.seats });
    await this.look(found.plies);
    this.heading.focus();
    this.el.scrollIntoView({ block: "nearest" });
  }

  async look(wanted) {
    this.ply = Math.max(0, Math.min(this.shown.plies, wanted));
    const { ply, shown } = this;
    this.version += 1;
    const { version } = this;
    const found = await attempt(this.model.ask("position", { number: shown.number, ply }));
    if (!found || version !== this.version) return;
    this.board.look(found.picture, { last: found.last });
    this.board.text.textContent = found.text;
    this.moves.mark(ply);
  }

  onKey(event) {
    const { ply } = this;
    const target = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: this.shown?.plies }[event.key];
    if (target === undefined || ["SELECT", "INPUT"].includes(event.target.tagName)) return;
    event.preventDefault();
    this.look(target);
  }

  // The game as two people's, to go on from any place of it, or its last position under the engine.
  async open(view) {
    const file = await attempt(this.model.ask("write", { number: this.shown.number }));
    if (!file) return;
    const text = file.content;
    const asked = view === "play" ? this.model.ask("play.load", { game: this.game(), text, seats: this.shown.seats.map(() => "human") })
      : this.model.ask("analyse.open", { game: this.game(), load: text });
    if (await attempt(asked)) location.hash = view;
  }

  async save() {
    const file = await attempt(this.model.ask("write", { number: this.shown.number, format: this.format.value }));
    if (file) download(file.name, file.content);
  }

  close() {
    this.el.hidden = true;
    this.shown = null;
  }
}
