// A board: any picture of a game, in which the places of legal moves can be clicked, dragged to and reached by keys.

import { button, element, parsePicture } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const STYLE = `
:host { display: block; }
svg { display: block; width: 100%; margin: auto; max-height: min(70vh, 42rem); fill: currentColor; }
pre { overflow: auto; margin: 0; }
.z-can { cursor: pointer; }
[data-at]:focus { outline: none; }
.z-mark { pointer-events: none; }
.z-dot { fill: #2f7d4f; opacity: .42; }
.z-ring { fill: none; stroke-width: 3; vector-effect: non-scaling-stroke; }
.z-chosen { stroke: #d97b16; } .z-hint { stroke: #2f7d4f; stroke-dasharray: 5 4; } .z-focus { stroke: #1656c0; }
`;

export class Board {
  constructor(play) {
    this.play = play;
    this.legal = [];
    this.chosen = [];
    this.hint = [];
    this.frame = element("div", { class: "board-frame" });
    this.root = this.frame.attachShadow({ mode: "open" });
    this.holder = element("div", {});
    this.root.append(element("style", {}, STYLE), this.holder);
    this.choices = element("p", { class: "choices", role: "group", "aria-label": "Which of these" });
    this.text = element("pre", { class: "sr-only", role: "img" });
    this.el = element("div", { class: "board" }, this.frame, this.choices, this.text);
    this.holder.addEventListener("pointerdown", (event) => (this.pressed = this.placeOf(event)));
    this.holder.addEventListener("pointerup", (event) => this.release(event));
    this.holder.addEventListener("click", (event) => this.click(event));
    this.holder.addEventListener("keydown", (event) => this.onKey(event));
    this.holder.addEventListener("focusin", (event) => this.focus(event.target));
  }

  // What a snapshot of a room has: picture, text, legal, mover.
  show({ picture, text, legal, mover }, label = "The board") {
    const place = this.root.activeElement?.dataset?.at;
    const same = picture === this.picture && JSON.stringify(legal) === JSON.stringify(this.legal);
    if (same) return; // news about something else must not take a piece out of anybody's hand
    this.legal = legal;
    this.chosen = [];
    this.draw(picture);
    this.text.textContent = text;
    this.text.setAttribute("aria-label", text);
    this.svg.setAttribute("role", "group");
    this.svg.setAttribute("aria-label", mover ? `${label}, ${mover} to move` : label);
    this.mark();
    if (place) this.places.get(place)?.[0].focus({ preventScroll: true });
  }

  // A position that is only looked at.
  draw(picture) {
    this.picture = picture;
    this.svg = parsePicture(picture);
    this.limitText();
    this.holder.replaceChildren(this.svg);
    this.places = new Map();
    for (const each of this.svg.querySelectorAll?.("[data-at]") ?? []) {
      const name = each.dataset.at;
      if (!this.places.has(name)) this.places.set(name, []);
      this.places.get(name).push(each);
    }
    this.choices.replaceChildren();
  }

  // A game that is drawn as text needs no letters of a hand's height.
  limitText() {
    const width = Number(this.svg.getAttribute?.("viewBox")?.split(" ")[2]);
    if (width && this.svg.getAttribute("font-family")?.includes("monospace")) this.svg.style.maxWidth = `${2.5 * width}px`;
  }

  look(picture) {
    this.legal = [];
    this.chosen = [];
    this.draw(picture);
  }

  setHint(say) {
    this.hint = this.legal.find((each) => each.say === say)?.at ?? [];
    this.mark();
  }

  candidates() {
    return this.legal.filter(({ at }) => this.chosen.every((place, index) => at[index] === place));
  }

  nextPlaces() {
    const count = this.chosen.length;
    return new Set(this.candidates().map(({ at }) => at[count]).filter((place) => place !== undefined));
  }

  choose(place) {
    if (this.nextPlaces().has(place)) this.chosen.push(place);
    else {
      const same = this.chosen[this.chosen.length - 1] === place;
      this.chosen = [];
      if (!same && this.nextPlaces().has(place)) this.chosen.push(place);
    }
    const found = this.chosen.length ? this.candidates() : [];
    const whole = found.filter(({ at }) => at.length === this.chosen.length);
    if (whole.length === 1 && found.length === 1) return this.act(whole[0]);
    this.offer(whole);
    return this.mark();
  }

  // Several moves may be written with the same places: a promotion, or how many to take.
  offer(moves) {
    this.choices.replaceChildren(...moves.map((move) => button(move.say, () => this.act(move))));
    if (moves.length) this.choices.firstChild.focus();
  }

  act(move) {
    this.chosen = [];
    this.choices.replaceChildren();
    this.mark();
    this.play(move.say);
  }

  placeOf(event) {
    return event.target.closest?.("[data-at]")?.dataset.at;
  }

  click(event) {
    const place = this.placeOf(event);
    if (place !== undefined && this.legal.length && !this.dragged) this.choose(place);
    this.dragged = false;
  }

  release(event) {
    const place = this.placeOf(event);
    this.dragged = place !== undefined && this.pressed !== undefined && place !== this.pressed;
    if (!this.dragged || !this.legal.length) return;
    if (this.chosen[this.chosen.length - 1] !== this.pressed) this.choose(this.pressed);
    if (this.chosen.length) this.choose(place);
    setTimeout(() => (this.dragged = false)); // no click follows where the pointer went from one element to another
  }

  onKey(event) {
    const place = this.placeOf(event);
    if (event.key === "Enter" || event.key === " ") {
      if (place !== undefined) this.choose(place);
    } else if (event.key === "Escape") {
      this.chosen = [];
      this.mark();
    } else if (/^Arrow/.test(event.key) && place !== undefined) this.step(place, event.key);
    else return;
    event.preventDefault();
  }

  // To the nearest place in a direction.
  step(place, key) {
    const middle = (each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    };
    const [x, y] = middle(this.places.get(place)[0]);
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    let best = null;
    let least = Infinity;
    for (const [name, [each]] of this.places) {
      const [toX, toY] = middle(each);
      const along = (toX - x) * dx + (toY - y) * dy;
      const aside = Math.abs((toX - x) * dy) + Math.abs((toY - y) * dx);
      if (name !== place && along > 2 && along + 3 * aside < least) [best, least] = [each, along + 3 * aside];
    }
    best?.focus();
  }

  focus(target) {
    for (const list of this.places.values()) list[0].setAttribute("tabindex", "-1");
    target.setAttribute("tabindex", "0");
    this.mark();
  }

  // Dots where one may go, rings around what is chosen, hinted at, or has the focus.
  mark() {
    const active = this.root.activeElement;
    const focused = active?.matches(":focus-visible") ? active.dataset.at : undefined; // by keys; a mouse shows itself
    if (!this.svg?.querySelectorAll || this.svg.localName !== "svg") return;
    for (const each of this.svg.querySelectorAll(".z-mark")) each.remove();
    const next = this.nextPlaces();
    // Where one click is a move, the first dots are of use; elsewhere they would only cover the pieces.
    const single = this.legal.filter(({ at }) => at.length === 1).map(({ at }) => at[0]);
    const placing = new Set(single.length < this.places.size ? single : []);
    let reachable = false;
    for (const [name, list] of this.places) {
      const can = next.has(name);
      for (const each of list) each.classList.toggle("z-can", can);
      const first = list[0];
      first.setAttribute("role", "button");
      first.setAttribute("aria-label", can ? `${name}, can be played` : name);
      if (!first.hasAttribute("tabindex")) first.setAttribute("tabindex", "-1");
      reachable ||= first.getAttribute("tabindex") === "0";
      if (can && (this.chosen.length || placing.has(name))) this.ring(list[list.length - 1], "z-dot");
      if (this.chosen.includes(name)) this.ring(first, "z-ring z-chosen");
      else if (this.hint.includes(name)) this.ring(first, "z-ring z-hint");
      if (name === focused) this.ring(first, "z-ring z-focus");
    }
    if (!reachable && this.places.size) {
      const start = [...next][0] ?? [...this.places.keys()][0];
      this.places.get(start)[0].setAttribute("tabindex", "0");
    }
  }

  ring(target, kind) {
    const { x, y, width, height } = target.getBBox();
    const shape = document.createElementNS(SVG, "circle");
    const reach = Math.min(width, height) / 2;
    shape.setAttribute("cx", x + width / 2);
    shape.setAttribute("cy", y + height / 2);
    shape.setAttribute("r", kind === "z-dot" ? reach * 0.3 : reach * 0.92);
    shape.setAttribute("class", `z-mark ${kind}`);
    this.svg.append(shape);
  }
}
