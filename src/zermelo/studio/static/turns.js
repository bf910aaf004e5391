// Whose turn it is: what is said of it, a pause, and the page that goes from one person to the next.

import { attempt, button, element, isFree } from "./dom.js";
import { capital } from "./players.js";

// Holds a game that nobody at the page plays, and lets it go on: by itself, or by one move.
export function makePause(model) {
  const ask = (verb) => attempt(model.ask(verb));
  const pause = button("Pause", () => ask(model.get()?.paused ? "go" : "pause"), { hidden: true });
  const once = button("One move", () => ask("once"), { hidden: true });
  return {
    buttons: [pause, once],
    show({ watched, paused, thinking, result }) {
      pause.hidden = !watched || Boolean(result);
      pause.textContent = paused ? "Go on" : "Pause";
      once.hidden = pause.hidden || !paused;
      once.setAttribute("aria-disabled", thinking); // still the one with the focus, for the next move
    },
  };
}

// In place of the board, until the person who may see it says to be there.
export function makeHandover(model, board) {
  const heading = element("h2", { tabindex: -1 });
  // The second click of a double one was meant for the board.
  const sit = (event) => event.detail < 2 && attempt(model.ask("sit", { seat: model.get().handover }));
  const here = button("", sit, { class: "primary" });
  const el = element("div", { class: "handover", hidden: true }, heading, element("p", {}, "Nobody else should look at the page now."), here);
  return {
    el,
    // Whether somebody has just sat down by a key, and needs the focus on the board.
    show({ handover, names }) {
      const covers = handover !== null;
      const keyed = el.contains(el.getRootNode().activeElement);
      const free = isFree(board.el);
      const before = el.hidden ? null : heading.textContent;
      el.hidden = !covers;
      board.el.hidden = covers;
      if (!covers) return keyed;
      heading.textContent = `Hand over to ${names[handover]}`;
      here.textContent = `I am ${names[handover]}`;
      // Not on the button: a key that is held down would press it.
      if (before !== heading.textContent && free) heading.focus({ preventScroll: true });
      return false;
    },
  };
}

// What goes on, in a line.
export function statusOf(data) {
  if (data.result) return `The game is over: ${data.result.message || data.result.shares}.`;
  if (data.handover !== null) return `Hand over to ${data.names[data.handover]}.`;
  if (data.thinking) return `${capital(data.mover)} is thinking…`;
  if (data.hint && !data.hint.move) return `There is no hint: ${data.hint.message}.`;
  if (data.hint) return `Hint: ${data.hint.move}. ${data.hint.message}.`;
  const last = data.moves[data.moves.length - 1];
  const yours = data.people.length === 1 && data.yours;
  const next = yours ? "Your move." : `${capital(data.mover)} to move.`;
  if (!last) return data.paused ? `Paused: ${next}` : next;
  if (last.player < 0) return `${data.dice ? `${yours ? "You" : capital(data.mover)} rolled` : "Chance:"} ${last.notation}. ${data.paused ? "Paused: " : ""}${next}`;
  const who = data.people.length === 1 && data.people[0] === last.player ? "You" : capital(data.names[last.player]);
  return `${who} played ${last.notation}. ${data.paused ? "Paused: " : ""}${next}`;
}

// How it ended, for the person at the page: a heading, and below it why.
export function endingOf({ result, people, names }) {
  const [one] = people.length === 1 ? people : [];
  const won = result.winners.map((p) => capital(names[p])).join(" and ");
  const heading = !result.winners.length ? (result.utilities ? "Draw" : "The game is over")
    : one === undefined ? `${won} ${result.winners.length === 1 ? "wins" : "share the win"}` : result.winners.includes(one) ? "You win" : "You lose";
  return { heading, why: capital(result.why || (one === undefined && result.winners.length ? "" : result.message) || result.shares) };
}
