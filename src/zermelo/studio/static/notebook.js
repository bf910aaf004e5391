// A view of the studio as a widget: its model speaks to the kernel, and its looks stay in a shadow tree.

import { Channel } from "./channel.js";
import { element, useToast } from "./dom.js";

class Kernel extends Channel {
  constructor(model) {
    super();
    this.carry = (text) => model.send({ text });
  }
}

export function mount(view, name, { model, el }) {
  const kernel = new Kernel(model);
  const hear = ({ text }) => kernel.hear(JSON.parse(text));
  model.on("msg:custom", hear);
  const toast = element("div", { class: "toast", role: "alert" });
  const stage = element("div", { class: `view view-${name}` });
  const page = element("div", { class: "studio" }, element("main", {}, stage), toast);
  const root = el.attachShadow({ mode: "open" });
  root.append(element("style", {}, model.get("style")), page);
  useToast(toast);
  kernel.ask("home.refresh").catch(() => {}); // first: a view begins something new only if nothing is open
  const leave = view.render({ model: kernel.model(name), el: stage });
  return () => {
    model.off("msg:custom", hear);
    leave();
  };
}
