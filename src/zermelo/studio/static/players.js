// Who plays: a card for each player with its name, its colour, what it has got so far, and its clock.

import { element } from "./dom.js";

const OWN_COLOURS = ["var(--one)", "var(--two)", "var(--good)", "var(--warn)", "var(--soft)"];

export function colourOf(data, p) {
  return data.colours?.[p] ?? OWN_COLOURS[p % OWN_COLOURS.length];
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function sayWho(data, p) {
  if (!data.people.includes(p)) return data.who[p];
  return data.people.length === 1 ? "You" : "";
}

// Who sits below: the only person, or who does in the picture; the others sit above.
function whoIsBelow(data, turned) {
  if (data.names.length !== 2) return null;
  const home = data.below ?? (data.people.length === 1 ? data.people[0] : 0);
  return data.below !== null && turned ? 1 - home : home;
}

// The clocks run here for the eye; the studio's own decide, and say how long the turn has lasted.
export function makePlayers(isTurned) {
  const above = element("div", { class: "players above" });
  const below = element("div", { class: "players below" });
  let since = 0;
  let data = null;
  function card(p) {
    const chip = element("span", { class: "chip", "aria-hidden": "true" });
    chip.style.background = colourOf(data, p);
    const who = sayWho(data, p);
    const tally = data.tallies[p] ?? "";
    return element("div", { class: data.turn === p && !data.result ? "player is-next" : "player", "data-seat": p }, chip,
      element("b", {}, capital(data.names[p])), who ? element("span", { class: "who" }, who) : null,
      data.thinking && data.turn === p ? element("span", { class: "thinking" }, "thinking…") : null,
      data.result?.winners.includes(p) ? element("span", { class: "won" }, "won") : null,
      tally ? element("span", { class: "tally" }, tally) : null,
      data.clock ? element("span", { class: "clock" }) : null);
  }
  function tick() {
    if (!data?.clock) return;
    const running = data.clock.running ? data.turn : null;
    for (const each of [...above.children, ...below.children]) {
      const p = Number(each.dataset.seat);
      const spent = p === running ? (performance.now() - since) / 1000 : 0;
      const left = Math.max(0, data.clock.remaining[p] - spent);
      const clock = each.querySelector(".clock");
      clock.textContent = `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
      clock.classList.toggle("is-running", p === running);
    }
  }
  function show() {
    if (!data) return;
    const low = whoIsBelow(data, isTurned());
    const seats = data.names.map((_, p) => p);
    above.replaceChildren(...seats.filter((p) => p !== low).map(card));
    below.replaceChildren(...(low === null ? [] : [card(low)]));
    tick();
  }
  const timer = setInterval(tick, 250);
  return {
    above,
    below,
    show,
    // Who is at the lower edge of the bar.
    lowest: () => (data ? whoIsBelow(data, isTurned()) ?? 0 : 0),
    // What has just come; an older picture would set the clocks back.
    take(news) {
      data = news;
      since = performance.now() - (data.clock?.spent ?? 0) * 1000;
      show();
    },
    end: () => clearInterval(timer),
  };
}

// How the players stand, as a bar in their colours that is filled from below by whoever sits there.
export function makeBar() {
  const fill = element("span", {});
  const meter = { role: "meter", "aria-label": "Prospects of the first player", "aria-valuemin": -1, "aria-valuemax": 1 };
  const el = element("div", { class: "bar-eval", hidden: true, ...meter }, fill);
  return {
    el,
    // It has its room from the beginning: the board must not move away while somebody reaches for it.
    show(value, data, lowest) {
      el.hidden = value === null;
      const known = value ?? 0;
      fill.style.height = `${50 + 50 * (lowest === 0 ? known : -known)}%`;
      fill.style.background = colourOf(data, lowest);
      el.style.background = colourOf(data, 1 - lowest);
      el.setAttribute("aria-valuenow", known.toFixed(2));
      el.setAttribute("aria-valuetext", `${known.toFixed(2)} for ${data.names[0]}`);
      el.title = "How the players stand";
    },
    unknown(is) {
      el.classList.toggle("is-unknown", is);
    },
  };
}
