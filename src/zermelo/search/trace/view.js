// Plays a trace: anywidget's shape, render({ model, el }), with what `Trace.view()` gives as model.get("trace").
// Nothing is worked out here. A step lists the new looks of the nodes that it changes; to go back, the old ones
// are put back. With model.get("page") the keys of the whole page are ours, and `#step=7` in the address is a step.
// Of a long run the trace is a stretch, `first` steps after the beginning; model.get("beyond")(step) promises another.

const ROW = 26; // the height of a row in the list of events, as in view.css
const BEAT = 1100; // milliseconds a step takes at normal speed
const LEGIBLE = 0.55; // the scale below which a tree cannot be read
const SPEEDS = [0.5, 1, 2, 4, 10, 30];
const SYMBOLS = { max: "▲", min: "▼", chance: "○", player: "◊", leaf: "■" };
const SIGNS = { table: "≡", extend: "+", research: "↔", iteration: "§", simulation: "§", world: "§", vote: "√", front: "◊", playout: "≈", backup: "↑", result: "→" };
const ICONS = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M11 3v10L4 8z",
  play: "M4 2.5v11L13 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  next: "M5 3v10l7-5z",
  last: "M11 3h2v10h-2zM3 3v10l7-5z",
  cutoff: "M2 7l12-4v2.2L2 9.2zM2 12l12-4v2.2L2 14.2z",
};
const LEGEND = {
  max: ['<path class="shape" d="M0 -8L9 7L-9 7Z"/>', "MAX moves"],
  min: ['<path class="shape" d="M0 8L9 -7L-9 -7Z"/>', "MIN moves"],
  chance: ['<circle class="shape" r="8"/>', "chance"],
  player: ['<path class="shape" d="M0 -8.5L8 -2.6L5 7L-5 7L-8 -2.6Z"/>', "a player, by number"],
  leaf: ['<rect class="shape" x="-8" y="-7" width="16" height="14" rx="2"/>', "leaf, its value"],
};

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

function icon(name) {
  const holder = element("span");
  holder.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
  return holder.firstChild;
}

function button(name, title, act, attributes = {}) {
  const face = ICONS[name] ? icon(name) : name;
  return element("button", { type: "button", title, "aria-label": title, onclick: act, ...attributes }, face);
}

// The parts of each node that change from step to step, and the look it has now.
function findParts(svg, nodes) {
  const parts = nodes.map(() => ({}));
  for (const group of svg.querySelectorAll("[data-edge]")) parts[group.dataset.edge].edge = group;
  for (const group of svg.querySelectorAll("[data-node]")) {
    const part = parts[group.dataset.node];
    const [alpha, beta] = group.querySelectorAll(".greek");
    Object.assign(part, { node: group, kind: group.getAttribute("class").split(" ")[0] });
    Object.assign(part, { value: group.querySelector(".value"), note: group.querySelector(".note") });
    Object.assign(part, { alpha, beta, low: group.querySelector(".alpha"), high: group.querySelector(".beta") });
    const text = (each) => each?.textContent ?? "";
    const classes = group.getAttribute("class").slice(part.kind.length + 1);
    part.look = [classes, text(part.value), text(part.low), text(part.high), text(part.note)];
  }
  return parts;
}

// The tree: dresses nodes in looks, rings the current one, and keeps it in sight.
// With `known` the values of leaves are there from the beginning.
function makeStage(known) {
  const scroll = element("div", { class: "scroll", tabindex: "-1" });
  let [trace, svg, size, parts, halo, isWide] = [];
  let scale = 1;
  let tall = 1; // the scale from top to bottom, where it is another
  let current = -1;

  function load(given) {
    trace = given;
    scroll.innerHTML = trace.svg; // every text in it was escaped where it was made
    svg = scroll.firstElementChild;
    svg.setAttribute("preserveAspectRatio", "none");
    size = [Number(svg.getAttribute("width")), Number(svg.getAttribute("height"))];
    parts = findParts(svg, trace.nodes);
    if (known) showLeaves();
    // In the document they follow each other from level to level: the order says nothing of how it will end.
    const places = trace.nodes.map(([x, y], place) => [y, x, place]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    for (const [, , place] of places) parts[place].node.parentNode.append(parts[place].node);
    // Monte Carlo trees are far wider than high: they are drawn narrower than they are, or one would see a corner only.
    isWide = trace.steps.some((step) => step.kind === "simulation");
    current = -1;
    halo = null;
  }
  // What stands at the ends of a tree that somebody has typed in.
  function showLeaves() {
    for (const { looks } of trace.steps) {
      for (const [place, , value] of looks) {
        const part = parts[place];
        if (part.kind === "leaf" && value && !part.known && part.value) part.known = part.value.textContent = value;
      }
    }
  }
  const fits = () => [(scroll.clientWidth - 8) / size[0], (scroll.clientHeight - 8) / size[1]];
  // A node of the principal line is drawn above what is close to it, and has its place back when it is none any more.
  function lift(part, isHigh) {
    const { node } = part;
    if (isHigh) {
      if (!part.mark) node.before((part.mark = document.createComment("")));
      node.parentNode.append(node);
    } else if (part.mark) {
      part.mark.replaceWith(node);
      part.mark = null;
    }
  }
  function dress(place, look) {
    const part = parts[place];
    const [classes, value, low, high, note] = look;
    part.edge?.setAttribute("class", classes);
    part.node.setAttribute("class", `${part.kind} ${classes}`);
    if (part.value) part.value.textContent = value || (part.known ?? "");
    if (part.note) part.note.textContent = note;
    if (part.low) {
      part.alpha.textContent = low && "α";
      part.low.textContent = low;
      part.beta.textContent = high && "β";
      part.high.textContent = high;
    }
    lift(part, /\bline\b/.test(classes));
    part.look = look;
  }
  function point(place) {
    if (current >= 0) delete parts[current].node.dataset.now;
    current = place;
    halo?.remove();
    if (place < 0) return;
    parts[place].node.dataset.now = "";
    const shape = parts[place].node.querySelector(".shape");
    halo = shape.cloneNode(); // the ring is the outline once more, below it and much thicker
    halo.setAttribute("class", "halo");
    shape.before(halo);
  }
  function follow(smooth) {
    if (!trace.nodes.length) return;
    const [x, y] = trace.nodes[Math.max(0, current)].map((each, axis) => each * (axis ? tall : scale));
    const left = x + Math.max(0, (scroll.clientWidth - size[0] * scale) / 2);
    const spots = [[left, "scrollLeft", "clientWidth"], [y, "scrollTop", "clientHeight"]];
    const target = spots.map(([at, start, extent]) => {
      const room = Math.min(110, scroll[extent] / 3);
      const seen = at > scroll[start] + room && at < scroll[start] + scroll[extent] - room;
      return seen ? scroll[start] : at - scroll[extent] / 2;
    });
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    scroll.scrollTo({ left: target[0], top: target[1], behavior: smooth && !calm ? "smooth" : "instant" });
  }
  function zoom(wanted) {
    scale = Math.min(3, Math.max(0.01, wanted));
    tall = isWide ? Math.max(scale, Math.min(1, fits()[1])) : scale;
    svg.setAttribute("width", size[0] * scale);
    svg.setAttribute("height", size[1] * tall);
    // From far away nodes are dots, as large as there is room; those of the principal line can still be read.
    scroll.classList.toggle("far", scale < LEGIBLE && isWide);
    const dot = Math.min(0.5, Math.max(0.12, 3 * scale));
    const sizes = { "--near-x": 0.85 / scale, "--near-y": 0.85 / tall, "--dot-x": dot / scale, "--dot-y": dot / tall };
    for (const [name, value] of Object.entries(sizes)) scroll.style.setProperty(name, value);
    follow(false);
  }
  const fit = () => (isWide ? Math.min(1, fits()[0]) : Math.min(...fits()));
  const look = (place) => parts[place].look;
  // A tree that would become illegible is not squeezed into the window: it scrolls along with the search.
  const settle = () => zoom(fit() >= LEGIBLE || isWide ? Math.min(1.5, fit()) : 1);
  return { scroll, load, dress, look, point, follow, zoom, fit, settle, scale: () => scale };
}

// The list of events: only the rows in sight are in the document, however long the run is.
function makeList(choose) {
  const rows = element("ol");
  const box = element("div", { class: "events", "aria-label": "Steps", tabindex: "-1" }, rows);
  let trace = { steps: [], first: 0 };
  let current = 0;
  function load(given) {
    trace = given;
    rows.style.height = `${trace.steps.length * ROW}px`;
  }
  function row(index) {
    const step = trace.steps[index];
    const entered = step.kind === "enter" || step.kind === "leaf";
    const sign = ICONS[step.kind] ? icon(step.kind) : SIGNS[step.kind] ?? (entered ? SYMBOLS[step.shape] : "");
    const classes = ["is-" + step.kind, "is-" + step.shape, index + 1 === current ? "is-current" : index < current ? "" : "is-ahead"].join(" ");
    const inset = 12 + 11 * Math.min(step.ply, 9);
    const style = `top:${index * ROW}px;padding-left:${inset}px`;
    const item = element("li", { class: classes, style, title: step.says, onclick: () => choose(trace.first + index + 1) });
    item.append(element("i", {}, sign ?? ""), element("span", {}, step.brief));
    return item;
  }
  function paint() {
    const first = Math.max(0, Math.floor(box.scrollTop / ROW) - 8);
    const last = Math.min(trace.steps.length, first + Math.ceil((box.clientHeight || 400) / ROW) + 16);
    rows.replaceChildren(...Array.from({ length: last - first }, (_, place) => row(first + place)));
  }
  function show(step) {
    current = step - trace.first;
    const top = (current - 1) * ROW;
    if (top < box.scrollTop || top + ROW > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
    paint();
  }
  box.addEventListener("scroll", paint, { passive: true });
  return { box, load, show };
}

function makeLegend(trace) {
  const list = element("ul", { class: "legend zermelo-tree", "aria-label": "Legend" });
  const kinds = Object.keys(LEGEND).filter((kind) => trace.kinds.includes(kind));
  const entries = kinds.map((kind) => [kind, ...LEGEND[kind]]);
  if (trace.steps.some((step) => step.kind === "cutoff")) {
    const strike = '<path class="edge" d="M0 -9V9"/><path class="strike" d="M-6 -1L6 -4M-6 4L6 1"/>';
    entries.push(["pruned struck", strike, "cut off"]);
  }
  entries.push(["line", '<path class="edge" d="M0 -9V9"/>', "principal line"]);
  for (const [classes, drawing, text] of entries) {
    const item = element("li");
    item.innerHTML = `<svg viewBox="-11 -9 22 18" aria-hidden="true"><g class="${classes}">${drawing}</g></svg>`;
    item.append(text);
    list.append(item);
  }
  return list;
}

// Why a simulation goes to one child and not to its siblings: the terms of their scores, a row each.
function makeScores() {
  const table = element("table", { class: "scores", "aria-label": "Scores of the siblings" });
  function show(scores) {
    table.hidden = !scores;
    if (!scores) return;
    const head = element("tr", {}, ...scores.columns.map((name) => element("th", { scope: "col" }, name)));
    const rows = scores.rows.map(([label, ...terms], place) =>
      element("tr", place === scores.chosen ? { class: "is-chosen" } : {},
        element("th", { scope: "row" }, label), ...terms.map((term) => element("td", {}, term))));
    table.replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
  }
  return { table, show };
}

// Which step it is, and everything that moves it. `shown(step)` is called after every move.
class Player {
  constructor(stage, heard) {
    Object.assign(this, { stage, ...heard, speed: 1, timer: null, wanted: null, fetching: null });
  }
  // Shows a trace, or another stretch of it.
  load(trace) {
    Object.assign(this, { trace, first: trace.first ?? 0, last: trace.total ?? trace.steps.length });
    this.undo = []; // for each step taken, the looks that it replaced
    this.stage.load(trace);
    this.loaded(trace);
  }
  get step() {
    return this.first + this.undo.length;
  }
  // The first and the last step that can be shown without asking for more.
  get low() {
    return this.first ? this.first + 1 : 0;
  }
  get high() {
    return this.first + this.trace.steps.length;
  }
  get playing() {
    return this.timer !== null;
  }
  get nextCut() {
    const found = this.trace.steps.findIndex((step, index) => index >= this.undo.length && step.kind === "cutoff");
    return found < 0 ? this.trace.next_cut ?? this.step : this.first + found + 1;
  }
  go(wanted, smooth = true) {
    const { trace, stage, undo } = this;
    const target = Math.max(0, Math.min(this.last, wanted));
    if (target < this.low || target > this.high) return this.fetch(target);
    const count = target - this.first;
    this.wanted = null; // whatever was on its way is not asked for any more
    stage.scroll.classList.toggle("moves", smooth && Math.abs(count - undo.length) <= 1);
    while (undo.length < count) {
      const { looks } = trace.steps[undo.length];
      undo.push(looks.map(([place]) => [place, stage.look(place)]));
      for (const [place, ...look] of looks) stage.dress(place, look);
    }
    while (undo.length > count) for (const [place, look] of undo.pop()) stage.dress(place, look);
    const now = trace.steps[count - 1];
    stage.point(now && now.kind !== "result" ? now.at : -1);
    stage.follow(smooth);
    return this.shown(target);
  }
  // Goes to a step outside this stretch. However fast one moves, one question is asked at a time, and the last counts.
  fetch(target) {
    this.wanted = target;
    this.fetching ??= this.ask().finally(() => (this.fetching = null));
    return this.fetching;
  }
  async ask() {
    while (this.wanted !== null) {
      const target = this.wanted;
      const found = await this.beyond?.(target);
      if (!found) this.wanted = null;
      else if (this.wanted !== null) {
        const next = this.wanted;
        this.load(found);
        if (next >= this.low && next <= this.high) this.go(next, false);
        else if (next === target) this.wanted = null;
      }
    }
  }
  jump(step) {
    this.pause();
    const moved = this.go(step);
    this.remember(this.step);
    return moved;
  }
  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.shown(this.step);
  }
  toggle() {
    if (this.playing) return this.jump(this.step);
    if (this.step === this.last) this.go(0, false);
    const beat = () => {
      this.timer = setTimeout(beat, BEAT / this.speed);
      if (this.fetching) return;
      this.go(this.step + 1);
      if (this.step === this.last) this.jump(this.last);
    };
    this.timer = setTimeout(beat, 60);
    this.shown(this.step);
  }
  onKey(event) {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target.tagName === "SELECT") return;
    if (key === " " && (target.tagName === "BUTTON" || target.type === "checkbox")) return;
    const { step, last, nextCut } = this;
    const moves = { ArrowRight: step + 1, ArrowLeft: step - 1, Home: 0, End: last, c: nextCut };
    Object.assign(moves, { PageDown: step + 10, PageUp: step - 10 });
    if (key !== " " && !(key in moves)) return;
    event.preventDefault();
    if (key === " ") this.toggle();
    else this.jump(moves[key]);
  }
}

// The sentence and the bar of buttons; `show` brings them up to date.
function makeControls(player, isWhole) {
  const scores = makeScores();
  const says = element("p", { class: "says", "aria-live": "polite" });
  const count = element("output", { class: "count" });
  const slider = element("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Step" });
  slider.addEventListener("input", () => {
    const wanted = Number(slider.value); // taken first: to pause is to show the present step, here too
    player().pause();
    player().go(wanted, false);
    slider.value = wanted; // it stays under the hand, though its step may still be on its way
  });
  slider.addEventListener("change", () => player().remember(player().step));
  const speed = element("select", { "aria-label": "Speed", title: "Speed" });
  for (const each of SPEEDS) speed.append(element("option", { value: each, selected: each === 1 }, `${each}×`));
  speed.addEventListener("change", () => (player().speed = Number(speed.value)));
  const back = [
    button("first", "To the beginning (Home)", () => player().jump(0)),
    button("back", "One step back (←)", () => player().jump(player().step - 1)),
  ];
  const on = [
    button("next", "One step on (→)", () => player().jump(player().step + 1)),
    button("last", "To the end (End)", () => player().jump(player().last)),
  ];
  const play = button("play", "Play or pause (space)", () => player().toggle(), { class: "play" });
  const cut = button("cutoff", "To the next cut-off (C)", () => player().jump(player().nextCut));
  const whole = element("input", { type: "checkbox", checked: isWhole });
  whole.addEventListener("change", () => player().stage.scroll.classList.toggle("whole", whole.checked));
  const choice = element("label", { class: "whole-switch" }, whole, "whole tree");
  const bar = element("div", { class: "bar" }, ...back, play, ...on, cut, slider, count, speed, choice);

  function show(step) {
    const { trace, first, last } = player();
    const now = trace.steps[step - first - 1];
    scores.show(now?.scores);
    says.textContent = now?.says ?? "The search has not begun: press play, or → for one step.";
    count.textContent = `${step.toLocaleString("en")} / ${last.toLocaleString("en")}`;
    slider.max = last;
    slider.value = step;
    for (const each of back) each.disabled = step === 0;
    for (const each of on) each.disabled = step === last;
    cut.disabled = player().nextCut === step;
    play.replaceChildren(icon(player().playing ? "pause" : "play"));
  }
  return { says, scores: scores.table, bar, show };
}

export function render({ model, el }) {
  const page = model.get("page");
  const stage = makeStage(model.get("known"));
  stage.scroll.classList.toggle("whole", Boolean(model.get("whole")));
  stage.scroll.classList.toggle("known", Boolean(model.get("known")));
  const list = makeList((step) => player.jump(step));
  const controls = makeControls(() => player, Boolean(model.get("whole")));
  // Whoever shows the run as part of something larger may hear of every step, and take the controls.
  const shown = (step) => (controls.show(step), list.show(step), model.get("shown")?.(step));
  // A notebook's frame has no address of its own to write to.
  const remember = (step) => page && location.protocol !== "about:" && history.replaceState(null, "", `#step=${step}`);
  const head = element("header");
  const aside = element("aside");
  const loaded = (trace) => {
    const subtitle = element("span", { class: "subtitle" }, trace.subtitle);
    head.replaceChildren(element("h1", {}, trace.title), subtitle);
    if (trace.notices.length) head.append(element("p", { class: "notices" }, trace.notices.join(" ")));
    list.load({ ...trace, first: player.first });
    aside.replaceChildren(list.box, controls.scores, makeLegend(trace));
    stage.zoom(stage.scale());
    model.get("loaded")?.(trace);
  };
  const player = new Player(stage, { shown, remember, loaded, beyond: model.get("beyond") });
  const zooms = element("div", { class: "zoom" },
    button("−", "Smaller", () => stage.zoom(stage.scale() / 1.25)),
    button("Fit", "Fit the whole tree", () => stage.zoom(stage.fit())),
    button("+", "Larger", () => stage.zoom(stage.scale() * 1.25)));
  const root = element("div", { class: "zermelo-trace", tabindex: "0" }, head,
    element("div", { class: "stage" }, stage.scroll, zooms), aside,
    element("footer", {}, controls.says, controls.bar));
  player.load(model.get("trace"));
  el.replaceChildren(root);
  if (page) el.style.height = "100%";

  const watcher = new ResizeObserver(() => stage.settle());
  watcher.observe(stage.scroll);
  const onKey = (event) => player.onKey(event);
  const keys = page ? document : root;
  keys.addEventListener("keydown", onKey);
  // One who opens the page sees how it ended; to play is to see how it came to that.
  const asked = () => Number((page && /^#step=(\d+)$/.exec(location.hash)?.[1]) ?? model.get("step") ?? player.last);
  const onHash = () => (player.pause(), player.go(asked(), false));
  if (page) window.addEventListener("hashchange", onHash);
  player.go(asked(), false);
  model.get("ready")?.(player);
  return () => {
    player.pause();
    watcher.disconnect();
    keys.removeEventListener("keydown", onKey);
    window.removeEventListener("hashchange", onHash);
  };
}

export default { render };
