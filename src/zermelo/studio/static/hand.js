// The pointer on a board: what it takes up, drags along and lets go. What can be chosen is the board's to say.

import { Ghost } from "./ghost.js";

const FAR = 5; // pixels that a pointer may stray in a click

export class Hand {
  constructor(board) {
    Object.assign(this, { board, pressed: undefined, taken: false, dragged: false, ghost: null });
    const { holder } = board;
    holder.addEventListener("pointerdown", (event) => this.press(event));
    holder.addEventListener("pointermove", (event) => this.drag(event));
    // A finger drags a piece; elsewhere it scrolls the page.
    holder.addEventListener("touchmove", (event) => this.isDraggable() && event.preventDefault(), { passive: false });
    holder.addEventListener("pointerup", (event) => this.release(event));
    holder.addEventListener("pointercancel", () => this.putBack());
    holder.addEventListener("click", (event) => this.click(event));
  }

  click(event) {
    const { board } = this;
    const place = board.placeOf(event);
    const taken = this.taken && event.detail > 0; // a click without a pointer, as by a screen reader, has no press
    if (place !== undefined && (board.steps.length || board.pick) && !this.dragged && !taken) board.choose(place);
    this.dragged = this.taken = false;
  }

  // What can be taken up is chosen as soon as it is pressed; all else, as when it is clicked.
  press(event) {
    if (!event.isPrimary || event.button) return;
    const { board } = this;
    this.pressed = board.placeOf(event);
    this.before = [...board.chosen];
    this.start = [event.clientX, event.clientY];
    this.taken = this.pressed !== undefined && board.isSource(this.pressed);
    if (this.taken) board.choose(this.pressed);
  }

  // Whether what is pressed has been taken up, or is on its way already.
  isDraggable() {
    const { held, chosen, made } = this.board;
    return this.pressed !== undefined && !held && (chosen.at(-1) === this.pressed || made.length > 0);
  }

  drag(event) {
    const { board } = this;
    if (!event.isPrimary || this.pressed === undefined || board.held) return;
    const [x, y] = [event.clientX - this.start[0], event.clientY - this.start[1]];
    if (!this.ghost && Math.hypot(x, y) > FAR && this.isDraggable()) {
      this.ghost = new Ghost(board.svg, board.places.get(this.pressed).at(-1), board.turned);
      board.holder.setPointerCapture(event.pointerId); // wherever it is let go, the board hears of it
    }
    this.ghost?.move(x, y);
  }

  drop() {
    this.ghost?.remove();
    this.ghost = null;
  }

  // As if nothing had been pressed: the page scrolls, or somebody has thought better of it.
  putBack() {
    this.drop();
    if (this.taken) this.board.chosen = this.before;
    this.pressed = undefined;
    this.taken = false;
    this.board.mark();
  }

  release(event) {
    if (!event.isPrimary || this.pressed === undefined) return;
    const { pressed, ghost, board } = this;
    this.drop();
    this.pressed = undefined;
    // A finger's events stay with the element on which it came down: what counts is what lies below it now.
    const below = board.root.elementFromPoint(event.clientX, event.clientY);
    const place = below?.closest?.("[data-at]")?.dataset.at;
    this.dragged = place !== undefined && place !== pressed;
    if (!board.steps.length) return;
    if (ghost && place === pressed && !this.taken) board.choose(place); // back where it was: the click is the board's
    if (!this.dragged) return;
    if (board.chosen.at(-1) !== pressed) board.choose(pressed);
    // A piece that has begun its way is dragged on from where it stands, which is no part of the step.
    if (board.chosen.length || (board.made.length && board.nextPlaces().has(place))) board.choose(place);
    setTimeout(() => (this.dragged = false)); // no click follows where the pointer went from one element to another
  }
}
