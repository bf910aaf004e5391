// Small helpers around the document.

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((each) => each !== null && each !== undefined && each !== false));
  return node;
}

export function button(text, act, attributes = {}) {
  return element("button", { type: "button", onclick: act, ...attributes }, text);
}

// A sign that no font need have: the outline of what is filled, 16 by 16.
export function icon(outline) {
  const holder = element("span");
  holder.innerHTML = `<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${outline}"/></svg>`;
  return holder.firstChild;
}

let fields = 0;

// A control under its label.
export function field(label, control, hint = "") {
  control.id ||= `field-${(fields += 1)}`;
  const note = hint ? element("small", {}, hint) : null;
  return element("p", { class: "field" }, element("label", { for: control.id }, label), control, note);
}

export function select(options, chosen, attributes = {}) {
  const box = element("select", attributes);
  for (const each of options) {
    const { text, name } = typeof each === "string" ? { text: each, name: each } : each;
    box.append(element("option", { value: text, selected: text === chosen }, name));
  }
  return box;
}

export function input(value = "", attributes = {}) {
  const box = element("input", { type: "text", spellcheck: "false", autocomplete: "off", ...attributes });
  box.value = value;
  return box;
}

export function checkbox(label, checked, change) {
  const box = element("input", { type: "checkbox", checked });
  box.addEventListener("change", () => change?.(box.checked));
  const holder = element("label", { class: "check" }, box, label);
  return { holder, box };
}

// Whether nothing but `holder` has the focus: what had it may be gone.
export function isFree(holder) {
  const { activeElement } = holder.getRootNode();
  return !activeElement || activeElement === document.body || holder.contains(activeElement);
}

const kept = new WeakSet();

// Other buttons in place of those in `holder`; whoever pressed one of them by a key finds the focus on the next ones.
export function refill(holder, buttons) {
  if (holder.contains(holder.getRootNode().activeElement)) kept.add(holder);
  holder.replaceChildren(...buttons);
  if (!buttons.length || !kept.has(holder)) return;
  kept.delete(holder);
  if (isFree(holder)) holder.querySelector("button")?.focus({ preventScroll: true });
}

let toast = null;
let toastTimer = null;

// The element that `notify` writes to, in place of the page's own line.
export function useToast(box) {
  toast = box;
}

// Shows one line that goes away by itself; a screen reader reads it at once.
export function notify(text) {
  const box = toast ?? document.querySelector(".toast");
  box.textContent = text;
  box.classList.add("is-shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => box.classList.remove("is-shown"), 6000);
}

// Why searches are slow, where the rules are not compiled.
export function slowNotice(interpreted) {
  return interpreted ? `Searches run the rules in Python, which is slow: ${interpreted.replace(/\.$/, "")}.` : "";
}

// Awaits a request and shows its error, if it is refused.
export async function attempt(promise) {
  try {
    return await promise;
  } catch (error) {
    notify(error.message);
    return null;
  }
}

export function download(name, content, kind = "text/plain") {
  const address = URL.createObjectURL(new Blob([content], { type: kind }));
  const anchor = element("a", { href: address, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    notify("Copied.");
  } catch {
    notify(text);
  }
}

const UNSAFE = "script, foreignObject, iframe, object, embed, a, image, use, animate, set";

// An SVG element from text that a game has written: nothing in it may run or fetch.
export function parsePicture(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const svg = parsed.documentElement;
  if (svg.localName !== "svg" || parsed.querySelector("parsererror")) {
    return element("pre", {}, text);
  }
  for (const each of svg.querySelectorAll(UNSAFE)) each.remove();
  for (const each of [svg, ...svg.querySelectorAll("*")]) {
    for (const { name } of [...each.attributes]) {
      if (/^on|href$/i.test(name)) each.removeAttribute(name);
    }
  }
  return document.importNode(svg, true);
}
