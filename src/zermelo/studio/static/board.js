// A board: any picture of a game, in which the places of legal moves can be clicked, dragged to and reached by keys.
// A move is made of steps, mostly of one; what a step leaves the board like is asked of the studio.

import { button, element, isFree, parsePicture } from "./dom.js";
import { Hand } from "./hand.js";
import { arrow, clearMarks, lay, ring, spot, STYLE as MARKS } from "./marks.js";

const STYLE = `
:host { display: block; }
svg { display: block; width: 100%; margin: auto; max-height: var(--board-height, min(70vh, 42rem)); fill: currentColor; }
pre { overflow: auto; margin: 0; }
.z-can { cursor: pointer; }
/* Turned round, the texts and what a game marks as upright are turned back where they stand. */
.z-turned, .z-turned text, .z-turned .upright { rotate: 180deg; }
.z-turned text, .z-turned .upright { transform-box: fill-box; transform-origin: center; }
.z-turned .upright text, .z-turned .upright .upright { rotate: none; }
[data-at]:focus { outline: none; }
.z-lifted { opacity: .3; }
${MARKS}`;

// Moves of one step each, those through the same places together: a promotion, or how many to take.
function stepsOf(legal) {
  const found = new Map();
  for (const { notation, at } of legal) {
    const name = JSON.stringify(at);
    if (!found.has(name)) found.set(name, { at, done: [], more: false });
    found.get(name).done.push(notation);
  }
  return [...found.values()].filter(({ at }) => at.length);
}

export class Board {
  // `play` gets a move, as a text; `advance` gets the steps made so far and gives the board and the steps after them.
  constructor(play, advance) {
    Object.assign(this, { play, advance, legal: [], steps: [], chosen: [], hint: [], last: [], decisive: [], arrows: [], warmth: [], spots: [], pick: null, made: [], frames: [], held: 0 });
    this.frame = element("div", { class: "board-frame" });
    this.root = this.frame.attachShadow({ mode: "open" });
    this.holder = element("div", {});
    this.root.append(element("style", {}, STYLE), this.holder);
    this.choices = element("p", { class: "choices", role: "group", "aria-label": "Which of these" });
    this.text = element("pre", { class: "sr-only", role: "img" });
    this.announcement = element("p", { class: "sr-only", role: "status" });
    this.turned = false;
    this.flip = button("Flip board", () => this.turn(!this.turned), { title: "F on the board", "aria-keyshortcuts": "f", hidden: true });
    this.el = element("div", { class: "board" }, this.frame, this.choices, this.announcement, this.text);
    this.hand = new Hand(this);
    this.holder.addEventListener("keydown", (event) => this.onKey(event));
    this.holder.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.hover(this.placeOf(event)));
    this.holder.addEventListener("pointerleave", () => this.hover(undefined));
    this.holder.addEventListener("focusin", (event) => this.focus(event.target));
  }

  // What a snapshot of a view has: picture, text, legal, steps, mover, whether the players sit face to face,
  // whether the only person does so at the far side, and what the last move touched.
  show({ picture, text, legal, steps, mover, turn, game, seats, faces, turned = false, last = [], decisive = [] }, label = "The board") {
    const seating = JSON.stringify([game, seats, faces, turned]);
    if (seating !== this.seating) {
      this.seating = seating; // what a person turns stays so until others sit down
      this.flip.hidden = !faces;
      this.turn(turned);
    }
    const same = picture === this.shown && JSON.stringify(legal) === JSON.stringify(this.legal);
    Object.assign(this, { last, decisive, arrows: [], mover: turn });
    if (same) return this.mark(); // news about something else must not take a piece out of anybody's hand
    this.legal = legal;
    this.stepwise = Boolean(steps);
    this.begin(picture, steps ?? stepsOf(legal));
    this.text.textContent = text;
    this.text.setAttribute("aria-label", text);
    this.label = mover ? `${label}, ${mover} to move` : label;
    this.svg.setAttribute("aria-label", this.label);
  }

  begin(picture, steps) {
    this.shown = picture;
    this.made = [];
    this.frames = [];
    this.announcement.textContent = "";
    this.enter({ picture, steps });
  }

  // A board and the steps that can be made on it.
  enter({ picture, steps }) {
    this.keyed = this.root.activeElement?.dataset?.at ?? this.keyed;
    this.steps = steps;
    this.chosen = [];
    this.current = { picture, steps };
    this.draw(picture);
    this.svg.setAttribute("role", "group");
    this.svg.setAttribute("aria-label", this.label ?? "");
    this.mark();
    this.refocus();
  }

  // The focus comes back to the place that had it, or to one that can be played, unless it is elsewhere by now. Where a
  // board has no places, as while another player thinks, it comes back to the next one that has.
  refocus() {
    if (this.keyed === undefined || !this.places.size) return;
    const place = this.places.get(this.keyed)?.[0] ?? this.svg.querySelector('[tabindex="0"]');
    if (isFree(this.frame)) place?.focus({ preventScroll: true });
    else this.keyed = undefined;
  }

  // A position that is only looked at.
  draw(picture) {
    this.hand.drop();
    this.over = undefined;
    this.svg = parsePicture(picture);
    this.svg.classList.toggle("z-turned", this.turned);
    if (this.mover >= 0) this.svg.classList.add(`z-turn-${this.mover}`); // for what a picture shows under the pointer
    this.limitText();
    const { width, height } = this.svg.viewBox?.baseVal ?? {};
    if (width && height) (this.el.closest(".middle") ?? this.el).style.setProperty("--aspect", (width / height).toFixed(3));
    this.frame.classList.toggle("is-bare", this.svg.classList.contains("own-ground"));
    this.holder.replaceChildren(this.svg);
    this.places = new Map();
    for (const each of this.svg.querySelectorAll?.("[data-at]") ?? []) {
      const name = each.dataset.at;
      if (!this.places.has(name)) this.places.set(name, []);
      this.places.get(name).push(each);
    }
    this.choices.replaceChildren();
  }

  turn(turned) {
    this.turned = turned;
    this.el.dispatchEvent(new Event("turned"));
    this.flip.setAttribute("aria-pressed", turned);
    this.svg?.classList.toggle("z-turned", turned);
  }

  // A game that is drawn as text needs no letters of a hand's height.
  limitText() {
    const width = Number(this.svg.getAttribute?.("viewBox")?.split(" ")[2]);
    if (width && this.svg.getAttribute("font-family")?.includes("monospace")) this.svg.style.maxWidth = `${2.5 * width}px`;
  }

  // Whose places are at the end, and what is dead: each [name, colour, in words]. `pick` is called with a place that
  // somebody chooses then.
  score(spots, pick = null) {
    Object.assign(this, { spots, pick });
    this.mark();
  }

  look(picture, { last = [], decisive = [], arrows = [] } = {}) {
    this.legal = [];
    Object.assign(this, { spots: [], pick: null });
    Object.assign(this, { last, decisive, arrows });
    this.begin(picture, []);
  }

  // What can be chosen under the pointer has the class `z-over`, for a picture to show what would become of it.
  hover(place) {
    if (place === this.over) return;
    for (const each of this.places.get(this.over) ?? []) each.classList.remove("z-over");
    this.over = place;
    if (this.nextPlaces().has(place) && !this.held) for (const each of this.places.get(place)) each.classList.add("z-over");
  }

  // What a network thinks of places: each [name, number of the element, from −1 to 1, kind of mark, in words].
  warm(warmth) {
    this.warmth = warmth;
    this.mark();
  }

  setHint(notation) {
    this.hint = this.legal.find((each) => each.notation === notation)?.at ?? [];
    this.mark();
  }

  // Nothing can be chosen while `change`, which may bring another position, is under way.
  async hold(change) {
    this.held += 1;
    this.el.setAttribute("aria-busy", "true");
    try {
      return await change;
    } finally {
      this.held -= 1;
      if (!this.held) this.el.removeAttribute("aria-busy");
    }
  }

  candidates() {
    return this.steps.filter(({ at }) => this.chosen.every((place, index) => at[index] === place));
  }

  nextPlaces() {
    const count = this.chosen.length;
    return new Set(this.candidates().map(({ at }) => at[count]).filter((place) => place !== undefined));
  }

  choose(place) {
    if (this.held) return null;
    this.keyed = place;
    if (this.pick) return this.pick(place);
    if (this.nextPlaces().has(place)) this.chosen.push(place);
    else {
      const same = this.chosen[this.chosen.length - 1] === place;
      this.chosen = [];
      if (!same && this.nextPlaces().has(place)) this.chosen.push(place);
    }
    const found = this.chosen.length ? this.candidates() : [];
    const whole = found.find(({ at }) => at.length === this.chosen.length);
    if (whole && found.length === 1 && whole.more) return this.goOn(whole);
    if (whole && found.length === 1 && whole.done.length === 1) return this.act(whole.done[0]);
    this.offer(whole?.done ?? []);
    return this.mark();
  }

  // A step that is not the last: the board as it is then; where the move may also end there, a button ends it.
  async goOn({ at, done }) {
    const made = [...this.made, at];
    const { current } = this;
    const found = await this.hold(this.advance(made));
    if (this.current !== current) return; // another position is shown by now
    if (!found) return this.enter(current);
    this.frames.push(current);
    this.made = made;
    this.enter(found);
    this.offer(done);
    this.announce();
  }

  takeBack() {
    if (!this.made.length || this.held) return;
    this.made = this.made.slice(0, -1);
    this.enter(this.frames.pop());
    this.offer([]);
    this.announce();
  }

  announce() {
    const made = this.made.map((at) => at.join(" to ")).join(", then ");
    this.announcement.textContent = made ? `Made so far: ${made}. Go on, or press Escape to take it back.` : "Taken back.";
    this.el.dispatchEvent(new Event("made"));
  }

  // Several moves may be written with the same places: a promotion, or how many to take.
  offer(moves) {
    const back = this.made.length ? [button("Take this step back", () => this.takeBack(), { class: "take-back" })] : [];
    this.choices.replaceChildren(...moves.map((notation) => button(notation, () => this.act(notation))), ...back);
    if (moves.length) this.choices.firstChild.focus();
  }

  async act(notation) {
    this.chosen = [];
    this.choices.replaceChildren();
    this.mark();
    const { current } = this;
    await this.hold(this.play(notation));
    if (this.current === current) this.offer([]); // the position stays: what is half made can still be taken back
  }

  placeOf(event) {
    return event.target.closest?.("[data-at]")?.dataset.at;
  }

  // Whether every step from a place goes on to another, so that to choose it is to take up what stands there.
  isSource(place) {
    if (this.held || (this.chosen.length && (this.chosen.at(-1) === place || this.nextPlaces().has(place)))) return false;
    const steps = this.steps.filter(({ at }) => at[0] === place);
    return steps.length > 0 && steps.every(({ at }) => at.length > 1);
  }

  onKey(event) {
    const place = this.placeOf(event);
    if (event.key === "Enter" || event.key === " ") {
      if (place !== undefined) this.choose(place);
    } else if (event.key === "Escape") {
      if (this.hand.pressed !== undefined) return this.hand.putBack();
      if (!this.chosen.length) this.takeBack();
      this.chosen = [];
      this.mark();
    } else if (event.key === "f" && !this.flip.hidden) this.turn(!this.turned);
    else if (/^Arrow/.test(event.key) && place !== undefined) this.step(place, event.key);
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

  // Dots where one may go, rings around what is chosen, hinted at, or has the focus, and a ground for the last move.
  mark() {
    const active = this.root.activeElement;
    const focused = active?.matches(":focus-visible") ? active.dataset.at : undefined; // by keys; a mouse shows itself
    if (!this.svg?.querySelectorAll || this.svg.localName !== "svg") return;
    clearMarks(this.svg);
    const touched = new Set(this.last.map(([name]) => name));
    for (const [name, number] of this.last) {
      const target = this.places.get(name)?.at(number);
      if (target) lay(target);
    }
    for (const [name, number] of this.decisive) {
      const target = this.places.get(name)?.at(number);
      if (target) lay(target, "z-decisive");
    }
    const thoughts = new Map();
    for (const [name, number, share, kind, words] of this.warmth) {
      const target = this.places.get(name)?.at(number);
      if (target) lay(target, kind, { "fill-opacity": (0.85 * Math.abs(share)).toFixed(3) });
      thoughts.set(name, words);
    }
    for (const [name, colour, words] of this.spots) {
      const target = this.places.get(name)?.at(-1);
      if (target) spot(this.svg, target, colour);
      thoughts.set(name, words);
    }
    const next = this.nextPlaces();
    // Where one click is a move, dots are of use if only some places can be played; pieces they would only cover.
    const single = this.steps.filter(({ at }) => at.length === 1).map(({ at }) => at[0]);
    const placing = new Set(2 * single.length < this.places.size ? single : []);
    let reachable = false;
    for (const [name, list] of this.places) {
      const can = next.has(name);
      for (const each of list) each.classList.toggle("z-can", can);
      const first = list[0];
      first.setAttribute("role", "button");
      const stands = list.length === 1 && first.dataset.is; // of several there, as in a column, none is the one
      first.setAttribute("aria-label", [name, stands, thoughts.get(name), touched.has(name) && "last move", can && "can be played"].filter(Boolean).join(", "));
      if (!first.hasAttribute("tabindex")) first.setAttribute("tabindex", "-1");
      reachable ||= first.getAttribute("tabindex") === "0";
      const top = list[list.length - 1];
      if (can && (this.chosen.length || placing.has(name))) ring(this.svg, top, "z-dot");
      else if (can && this.stepwise) ring(this.svg, top, "z-ring z-able");
      if (this.chosen.includes(name)) ring(this.svg, top, "z-ring z-chosen");
      else if (this.hint.includes(name)) ring(this.svg, top, "z-ring z-hint");
      if (name === focused) ring(this.svg, top, "z-ring z-focus");
    }
    for (const { at, kind } of this.arrows) {
      const targets = at.map((name) => this.places.get(name)?.at(-1)).filter(Boolean);
      if (targets.length) arrow(this.svg, targets, kind);
    }
    if (!reachable && this.places.size) {
      const start = [...next][0] ?? [...this.places.keys()][0];
      this.places.get(start)[0].setAttribute("tabindex", "0");
    }
  }
}
