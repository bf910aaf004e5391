// The review of a game: what each move cost, in the list and on the graph, and what would have been better.

import { attempt, button, element } from "./dom.js";
import { courseChart } from "./chart.js";
import { capital, colourOf } from "./players.js";

const NAMES = [["blunder", "blunders"], ["mistake", "mistakes"], ["inaccuracy", "inaccuracies"]];

const isWrong = ({ grade }) => NAMES.some(([name]) => name === grade);

// `look(ply)` shows a position of the game; `play` gets steps to be shown one after the other.
export function makeReview(model, look, play) {
  const summary = element("div", { class: "summary" });
  const said = element("p", { class: "answer", role: "status" });
  const graph = element("div", { class: "graph" });
  const error = element("p", { class: "complaint", hidden: true });
  const previous = button("Previous mistake", () => step(-1));
  const next = button("Next mistake", () => step(1));
  const better = button("Show the better line", () => showBetter());
  const retry = button("Try again from here", () => attempt(model.ask("retry", { ply: at - 1 })));
  const el = element("section", { class: "review", hidden: true, "aria-label": "Review" }, summary,
    element("p", { class: "row" }, previous, next), said, element("p", { class: "row" }, better, retry), error);
  let at = 0; // the ply that is looked at
  let data = null;

  const judged = () => data?.review?.moves ?? [];
  const mistakes = () => judged().map((each, index) => (isWrong(each) ? index + 1 : 0)).filter(Boolean);
  function step(way) {
    const found = mistakes().filter((ply) => (way > 0 ? ply > at : ply < at));
    if (found.length) look(way > 0 ? found[0] : found.at(-1));
  }
  async function showBetter() {
    const found = await attempt(model.ask("better", { ply: at - 1 }));
    if (found) play(found.steps, "Better: ");
  }
  function tell() {
    const move = judged()[at - 1];
    const wrong = move && isWrong(move);
    said.textContent = wrong ? move.message : at && move?.grade === "best" ? `${data.moves[at - 1].notation} is the best move.` : "";
    said.dataset.grade = wrong ? move.grade : "";
    better.hidden = retry.hidden = !wrong;
    previous.disabled = !mistakes().some((ply) => ply < at);
    next.disabled = !mistakes().some((ply) => ply > at);
  }
  return {
    el,
    graph,
    judged,
    // The moves to be drawn as arrows where the game is looked at: what was played, and what was better.
    arrows: (ply) => {
      const move = judged()[ply - 1];
      return move && isWrong(move) ? [{ at: move.played, kind: "is-bad" }, { at: move.arrow, kind: "is-good" }] : [];
    },
    look(ply) {
      at = ply;
      tell();
    },
    show(news) {
      data = news;
      const { review } = data;
      el.hidden = !review;
      if (!review) return;
      const done = review.moves.length;
      const counts = data.names.map((name, p) => {
        const own = review.moves.filter((_, index) => data.moves[index]?.player === p);
        const parts = NAMES.map(([one, many]) => [own.filter(({ grade }) => grade === one).length, one, many]);
        const words = parts.map(([count, one, many]) => `${count} ${count === 1 ? one : many}`).join(", ");
        const chip = element("span", { class: "chip", "aria-hidden": "true" });
        chip.style.background = colourOf(data, p);
        return element("p", {}, chip, element("b", {}, capital(name)), ` ${words}`);
      });
      summary.replaceChildren(element("h2", {}, done < review.of ? `Review: ${done} of ${review.of} moves…` : "Review"), ...counts);
      error.textContent = review.error;
      error.hidden = !review.error;
      tell();
    },
    // The course of the game, with its mistakes on it, once it is known; each place of it can be clicked.
    chart(values, ply, label) {
      const known = values.some((each) => each !== null);
      const marks = judged().map(({ grade }) => grade);
      graph.replaceChildren(...(known ? [courseChart(values, ply, label, { marks, choose: look })] : []));
    },
  };
}
