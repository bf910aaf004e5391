// The frame: which view is shown, and the one socket that all of them share.

import { readAddress } from "./address.js";
import { element } from "./dom.js";
import { Link } from "./link.js";

const VIEWS = { play: "Play", watch: "Watch", analyse: "Analyse", cards: "Open cards", theory: "Theory", arena: "Tournaments", training: "Training" };
const main = document.getElementById("view");
const state = document.querySelector(".link-state");
const nav = document.querySelector("nav");
let leave = null;
let shown = "";
let shows = 0;

// The token comes after the #, is kept for this tab, and leaves the address.
function findToken() {
  const found = /[#&]token=([\w-]+)/.exec(location.hash)?.[1];
  if (found) {
    sessionStorage.setItem("zermelo-token", found);
    history.replaceState(null, "", location.pathname + location.hash.replace(/[#&]token=[\w-]+/, ""));
  }
  return found ?? sessionStorage.getItem("zermelo-token") ?? "";
}

const STATES = {
  open: "",
  elsewhere: "This session goes on in another tab.",
  lost: "Connection lost; trying again…",
  full: "Too many pages of this studio are open: close some of them, and this one goes on by itself.",
  refused: "Open the address that the terminal printed: it has the token.",
  restarted: "The studio was started anew: open the address that its terminal has printed since.",
};

function showState(what) {
  state.textContent = STATES[what];
  document.body.classList.toggle("is-away", what !== "open");
}

// A new address that is opened in this tab changes nothing but what comes after the #.
function follow() {
  if (!/[#&]token=/.test(location.hash)) return show();
  findToken();
  return location.reload();
}

async function show() {
  const { name: wanted, given } = readAddress();
  const name = wanted in VIEWS ? wanted : "play";
  if (given.size) history.replaceState(null, "", `${location.pathname}#${name}`); // it is opened once
  else if (name === shown) return;
  shown = name;
  const ticket = (shows += 1);
  for (const each of nav.children) {
    if (each.dataset.view === name) each.setAttribute("aria-current", "page");
    else each.removeAttribute("aria-current");
  }
  document.title = `${VIEWS[name]} · Zermelo studio`;
  leave?.();
  leave = null;
  const { render } = await import(`./views/${name}.js`);
  if (shown !== name || ticket !== shows) return;
  const el = element("div", { class: `view view-${name}` });
  main.replaceChildren(el);
  leave = render({ model: link.model(name), el, given });
}

for (const [name, title] of Object.entries(VIEWS)) {
  nav.append(element("a", { href: `#${name}`, "data-view": name }, title));
}
const link = new Link(findToken(), showState);
window.addEventListener("hashchange", follow);
show();
