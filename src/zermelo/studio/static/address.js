// Links to positions: what comes after the # of an address, as in #analyse?game=chess&position=…

import { copy } from "./dom.js";

// Whether a view stands in a page of the studio: a notebook has an address of its own.
export function isPage(el) {
  return el.getRootNode() === document;
}

// The parts of such an address: the name of a view, and what it is given.
export function readAddress() {
  const [name, query = ""] = location.hash.slice(1).split("?");
  return { name, given: new URLSearchParams(query) };
}

// With the token, without which no other tab may come in.
export function copyLink(view, given) {
  const query = new URLSearchParams(given);
  const token = sessionStorage.getItem("zermelo-token");
  return copy(`${location.origin}${location.pathname}#${view}?${query}${token ? `&token=${token}` : ""}`);
}
