// The moves of a game: a row for each turn, a column for each player, dice before what was made of them.

import { button, element } from "./dom.js";

const MOST_COLUMNS = 3; // players beyond that have no columns of their own

export const SIGNS = { blunder: "??", mistake: "?", inaccuracy: "?!" };

// Where each move stands: [row, column], a row being full when its player has moved already.
function layOut(moves) {
  let row = 1;
  let last = -1;
  const next = moves.map((_, index) => moves.slice(index).find(({ player }) => player >= 0)?.player ?? 0);
  return moves.map(({ player }, index) => {
    const slot = 2 * (player < 0 ? next[index] : player) + (player < 0 ? 0 : 1);
    if (slot <= last) row += 1;
    last = slot;
    return [row, slot];
  });
}

export function makeMoves(look) {
  const el = element("ol", { class: "moves", "aria-label": "Moves" });
  let shown = "";
  function mark(ply) {
    for (const [index, each] of [...el.querySelectorAll("button")].entries()) {
      if (index + 1 === ply) {
        each.setAttribute("aria-current", "step");
        el.scrollTop += Math.max(0, each.getBoundingClientRect().bottom - el.getBoundingClientRect().bottom);
        el.scrollTop -= Math.max(0, el.getBoundingClientRect().top - each.getBoundingClientRect().top);
      } else each.removeAttribute("aria-current");
    }
  }
  function show({ moves, names, hidden = false, result = null }, judged = []) {
    const grades = moves.map((_, index) => judged[index]?.grade ?? "");
    const wanted = JSON.stringify([moves, grades, hidden, names.length]);
    if (wanted === shown) return;
    shown = wanted;
    const inColumns = names.length > 1 && names.length <= MOST_COLUMNS;
    el.classList.toggle("is-flow", !inColumns);
    el.style.setProperty("--players", names.length);
    let numbered = 0;
    const places = inColumns ? layOut(moves) : [];
    el.replaceChildren(...moves.map(({ notation, player }, index) => {
      const sign = SIGNS[grades[index]] ?? "";
      const item = element("li", { class: [player < 0 && "dice", sign && `is-${grades[index]}`].filter(Boolean).join(" ") },
        button(notation, () => look(index + 1), { disabled: hidden && !result, "data-sign": sign, "aria-label": sign ? `${notation}, ${grades[index]}` : null }));
      if (!inColumns) return item;
      const [row, slot] = places[index];
      item.style.gridRow = row;
      item.style.gridColumn = slot + 1;
      if (row !== numbered) item.dataset.number = numbered = row;
      return item;
    }));
    el.scrollTop = el.scrollHeight;
  }
  return { el, show, mark };
}
