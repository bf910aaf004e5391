// Plays a line on the board, one picture after the other.

import { button, element } from "./dom.js";

export class LinePlayer {
  constructor(board, done) {
    Object.assign(this, { board, done, timer: null });
    this.el = element("p", { class: "row line-player", hidden: true });
  }
  play(steps, title) {
    this.stop();
    if (!steps.length) return;
    this.steps = steps;
    this.at = 0;
    const moves = steps.map((step, index) => button(step.notation, () => (this.stop(), this.show(index))));
    this.el.replaceChildren(title, ...moves, button("Close", () => this.close()));
    this.el.hidden = false;
    const beat = () => {
      this.show(this.at);
      this.at += 1;
      if (this.at < steps.length) this.timer = setTimeout(beat, 900);
    };
    beat();
  }
  show(index) {
    const { picture, last, text } = this.steps[index];
    this.board.look(picture, { last });
    this.board.text.textContent = text;
    [...this.el.querySelectorAll("button")].forEach((each, place) => {
      if (place === index) each.setAttribute("aria-current", "step");
      else each.removeAttribute("aria-current");
    });
  }
  stop() {
    clearTimeout(this.timer);
  }
  hide() {
    this.stop();
    this.el.hidden = true;
  }
  close() {
    this.hide();
    this.done();
  }
  get open() {
    return !this.el.hidden;
  }
}
