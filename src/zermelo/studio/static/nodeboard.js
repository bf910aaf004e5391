// The board of the node that a search is at, beside its tree; asked for as one steps on, and kept.

import { element, parsePicture } from "./dom.js";

const MOST = 300; // boards that are kept

export class NodeBoard {
  constructor(model, side) {
    Object.assign(this, { model, side, version: 0, known: new Map(), wanted: null, asking: false });
    this.el = element("div", { class: "node-board", hidden: true });
    this.root = this.el.attachShadow({ mode: "open" }); // styles of a picture stay inside it
  }

  // Another search; whether its positions have boards.
  begin(has) {
    Object.assign(this, { has, known: new Map(), wanted: null, version: this.version + 1 });
    this.el.hidden = true;
  }

  // The player draws its column anew with every stretch.
  place(holder) {
    if (this.has) holder.querySelector("aside")?.prepend(this.el);
  }

  // Shows the board of a node by its number; of nodes that were never entered, nothing new.
  show(node) {
    if (!this.has || node === null || node === undefined) return;
    this.wanted = node;
    if (this.known.has(node)) this.draw(this.known.get(node));
    else if (!this.asking) this.ask();
  }

  // One question at a time, and the last one counts.
  async ask() {
    this.asking = true;
    while (this.wanted !== null && !this.known.has(this.wanted)) {
      const { wanted: node, version } = this;
      const found = await this.model.ask("board", { side: this.side, node }).catch(() => null);
      if (version !== this.version) continue;
      if (!found) break; // asked again when somebody comes by again
      if (this.known.size >= MOST) this.known.clear();
      this.known.set(node, found.picture);
    }
    this.asking = false;
    if (this.known.has(this.wanted)) this.draw(this.known.get(this.wanted));
  }

  draw(picture) {
    this.el.hidden = !picture;
    if (!picture || picture === this.drawn) return;
    this.drawn = picture;
    const style = element("style", {}, "svg { display: block; margin: auto; max-width: 100%; max-height: 100%; width: 100%; height: 100%; }");
    this.root.replaceChildren(style, parsePicture(picture));
  }
}
