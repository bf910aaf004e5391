// Whose turn it is: the clocks, what is said of it, a pause, and the page that goes from one person to the next.

import { attempt, button, element, isFree } from "./dom.js";

// The clocks run here for the eye; the studio's own decide, and say how long the turn has lasted.
export function makeClocks() {
  const el = element("p", { class: "clocks", "aria-label": "Clocks", hidden: true });
  let since = 0;
  let data = null;
  function paint() {
    if (!data?.clock) return;
    const running = data.clock.running ? data.turn : null;
    const left = data.clock.remaining.map((each, p) => (p === running ? each - (performance.now() - since) / 1000 : each));
    el.replaceChildren(...left.map((each, p) => {
      const seconds = Math.max(0, each);
      const shown = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
      return element("span", { class: p === running ? "is-running" : "" }, `${data.names[p]} ${shown}`);
    }));
  }
  const timer = setInterval(paint, 250);
  return {
    el,
    // What has just come; an older picture would set them back.
    take(news) {
      data = news;
      since = performance.now() - (data.clock?.spent ?? 0) * 1000;
      el.hidden = !data.clock;
      paint();
    },
    end: () => clearInterval(timer),
  };
}

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
  if (data.thinking) return `${data.mover} is thinking…`;
  if (data.hint && !data.hint.move) return `There is no hint: ${data.hint.message}.`;
  if (data.hint) return `Hint: ${data.hint.move}. ${data.hint.message}.`;
  const last = data.moves[data.moves.length - 1];
  const before = last ? `${last.player < 0 ? "Chance" : data.names[last.player]} played ${last.notation}. ` : "";
  return `${before}${data.paused ? "Paused: " : ""}${data.mover} to move.`;
}
