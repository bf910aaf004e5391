// A view for the wall: nothing but what is shown, in large letters, on the whole screen; and keys that work wherever the
// focus is.

import { button } from "./dom.js";

// Shows `el` alone until Escape or the button is pressed.
export function makePresent(el) {
  const root = document.documentElement;
  const show = (on) => {
    root.classList.toggle("is-presenting", on);
    present.textContent = on ? "Leave" : "Present";
    present.setAttribute("aria-pressed", on);
  };
  async function toggle() {
    const on = !root.classList.contains("is-presenting");
    show(on);
    if (on) await el.ownerDocument.documentElement.requestFullscreen?.().catch(() => {}); // without it there is still the page
    else if (document.fullscreenElement) await document.exitFullscreen();
  }
  const present = button("Present", toggle, { "aria-pressed": false, title: "Large, on the whole screen; P" });
  const changed = () => !document.fullscreenElement && show(false);
  document.addEventListener("fullscreenchange", changed);
  return {
    button: present,
    toggle,
    end() {
      document.removeEventListener("fullscreenchange", changed);
      show(false);
    },
  };
}

// Keys that nobody else wants go to `target()`, as if it had the focus. Gives what ends that.
export function passKeys(target, own = {}) {
  const pass = (event) => {
    if (event.target !== document.body || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = own[event.key.toLowerCase()];
    if (act) return act();
    const copy = new KeyboardEvent("keydown", { key: event.key, shiftKey: event.shiftKey, bubbles: true, cancelable: true });
    target()?.dispatchEvent(copy);
    if (copy.defaultPrevented) event.preventDefault();
  };
  document.addEventListener("keydown", pass);
  return () => document.removeEventListener("keydown", pass);
}
