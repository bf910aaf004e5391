// The options of a game as controls: numbers, switches and choices, each with what it means.

import { element, field, input, select } from "./dom.js";

function makeControl({ name, title, about, kind, value, low, high, step, choices }, changed) {
  if (kind === "flag") {
    const box = element("input", { type: "checkbox", name, checked: value === "yes" });
    box.addEventListener("change", changed);
    return {
      el: element("label", { class: "check", title: about }, box, title, about ? element("small", {}, about) : null),
      read: () => (box.checked ? "yes" : "no"),
      write: (text) => (box.checked = /^(yes|true|on)$/i.test(text)),
    };
  }
  const box = kind === "choice" ? select(choices, value, { name }) : input(value, { name, maxlength: 200 });
  if (kind === "number") {
    for (const [key, bound] of Object.entries({ type: "number", min: low, max: high, step })) if (bound !== null) box.setAttribute(key, bound);
  }
  box.addEventListener("change", changed);
  return { el: field(title, box, about), read: () => box.value.trim(), write: (text) => (box.value = text) };
}

// `changed` hears of every change that a person makes.
export function makeOptions(changed) {
  const el = element("div", { class: "options", role: "group", "aria-label": "Options" });
  let controls = [];
  let shown = "";
  const rest = new Map(); // what a text says of options that have no control here
  return {
    el,
    show(declared) {
      const wanted = JSON.stringify(declared);
      if (wanted === shown) return;
      shown = wanted;
      rest.clear();
      controls = declared.map((each) => ({ ...each, ...makeControl(each, changed) }));
      el.replaceChildren(...controls.map((each) => each.el));
    },
    // `columns=8,rows=7`: what is not as usual.
    value() {
      const said = controls.filter((each) => each.read() && each.read() !== each.value).map((each) => `${each.name}=${each.read()}`);
      return [...said, ...[...rest].map(([name, value]) => `${name}=${value}`)].join(",");
    },
    set(text) {
      rest.clear();
      for (const part of text.split(",").filter(Boolean)) {
        const [name, value = ""] = part.split("=").map((each) => each.trim());
        const control = controls.find((each) => each.name === name);
        if (control) control.write(value);
        else rest.set(name, value);
      }
    },
  };
}
