// Predict mode: click the branches that will be pruned, before it happens. Right, missed and wrong ones are counted;
// one cut-off may prune several. What the list of steps would give away is out of sight meanwhile.

import { element } from "./dom.js";

export class Predictor {
  // Of a long run, `elsewhere` is what was scored in other stretches, and `state` how this one was left.
  constructor(view, holder, player, elsewhere = [], state = null) {
    Object.assign(this, { view, holder, player, elsewhere, marks: new Set(), settled: new Map() });
    this.score = element("span", { class: "score", role: "status" });
    this.groups = new Map();
    for (const group of holder.querySelectorAll("[data-node]")) this.groups.set(Number(group.dataset.node), group);
    this.children = new Map();
    for (const place of this.groups.keys()) {
      const parent = view.parents[place];
      this.children.set(parent, [...(this.children.get(parent) ?? []), place]);
    }
    this.edges = new Map();
    for (const edge of holder.querySelectorAll("[data-edge]")) this.edges.set(Number(edge.dataset.edge), edge);
    if (state) Object.assign(this, state);
    else this.fates = this.findFates();
    this.onClick = (event) => this.click(event);
    this.onKey = (event) => (event.key === "Enter" || event.key === " ") && this.click(event) && event.preventDefault();
    holder.addEventListener("click", this.onClick);
    holder.addEventListener("keydown", this.onKey);
    holder.classList.add("is-predicting");
    for (const [place, group] of this.groups) {
      group.setAttribute("tabindex", "0");
      group.setAttribute("role", "button");
      group.setAttribute("aria-label", `${group.querySelector("title")?.textContent ?? place}: will it be pruned?`);
    }
    this.step(player.step);
  }

  // For each node, the step at which it is entered or struck, whichever decides its fate; and the value of leaves.
  // What has happened by now is nobody's guess any more.
  findFates() {
    const fates = new Map();
    const known = new Set([...this.groups.keys()].filter((place) => !this.groups.get(place).classList.contains("unseen")));
    this.values = new Map();
    this.view.steps.forEach(({ looks }, index) => {
      for (const [place, classes, value] of looks) {
        const words = classes.split(" ");
        if (this.groups.get(place)?.classList.contains("leaf") && value) this.values.set(place, value);
        if (fates.has(place) || known.has(place)) continue;
        const step = this.view.first + index + 1;
        if (words.includes("struck")) fates.set(place, { step, pruned: true, top: true });
        else if (words.includes("pruned")) fates.set(place, { step, pruned: true, top: false });
        else if (!words.includes("unseen")) fates.set(place, { step, pruned: false, top: false });
      }
    });
    return fates;
  }

  click(event) {
    const group = event.target.closest?.("[data-node], [data-edge]");
    if (!group) return false;
    const place = Number(group.dataset.node ?? group.dataset.edge);
    const fate = this.fates.get(place);
    if (!fate || fate.step <= this.player.step || this.settled.has(place)) return false;
    if (this.marks.has(place)) this.marks.delete(place);
    else this.marks.add(place);
    this.paint();
    return true;
  }

  // Whatever has happened by `step` is judged, once.
  step(step) {
    for (const [place, fate] of this.fates) {
      if (fate.step > step || this.settled.has(place)) continue;
      const marked = this.marks.has(place);
      if (fate.top) this.settled.set(place, this.isMarked(place) ? "right" : "missed");
      else if (marked && !fate.pruned) this.settled.set(place, "wrong");
      else if (marked) this.settled.set(place, "implied");
    }
    this.paint();
  }

  // Whoever marks everything below a branch has marked the branch.
  isMarked(place) {
    const below = this.children.get(place);
    return this.marks.has(place) || Boolean(below?.every((each) => this.isMarked(each)));
  }

  counts() {
    const counts = { right: 0, missed: 0, wrong: 0 };
    for (const each of this.settled.values()) if (each in counts) counts[each] += 1;
    return counts;
  }

  get state() {
    const { marks, settled, fates, values } = this;
    return { marks, settled, fates, values };
  }

  paint() {
    for (const [place, group] of this.groups) {
      for (const each of [group, this.edges.get(place)]) {
        if (!each) continue;
        each.classList.toggle("is-marked", this.marks.has(place));
        for (const verdict of ["right", "missed", "wrong"]) {
          each.classList.toggle(`is-${verdict}`, this.settled.get(place) === verdict);
        }
      }
      group.setAttribute("aria-pressed", this.marks.has(place));
      const value = group.querySelector(".value");
      if (value && group.classList.contains("unseen") && this.values.has(place)) value.textContent = this.values.get(place);
    }
    const sum = (name, places) => places.reduce((total, each) => total + each[name], 0);
    const [right, missed, wrong] = ["right", "missed", "wrong"].map((name) => sum(name, [this.counts(), ...this.elsewhere]));
    const here = [...this.fates.values()].filter(({ top }) => top).length;
    const all = here + sum("right", this.elsewhere) + sum("missed", this.elsewhere);
    this.score.textContent = `${right} right, ${missed} missed, ${wrong} wrong, of ${all} ${all === 1 ? "branch" : "branches"} cut off`;
    const begun = this.settled.size || this.marks.size || sum("right", this.elsewhere) + sum("missed", this.elsewhere);
    if (!begun) this.score.textContent += ". Click the branches that you think will be cut off, then step on.";
  }

  end() {
    this.holder.removeEventListener("click", this.onClick);
    this.holder.removeEventListener("keydown", this.onKey);
    this.holder.classList.remove("is-predicting");
    this.score.remove();
    for (const group of this.groups.values()) {
      for (const name of ["tabindex", "role", "aria-label", "aria-pressed"]) group.removeAttribute(name);
    }
    for (const group of [...this.groups.values(), ...this.edges.values()]) {
      group.classList.remove("is-marked", "is-right", "is-missed", "is-wrong");
    }
  }
}
