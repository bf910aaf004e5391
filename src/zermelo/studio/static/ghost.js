// What stands in a place of a picture, once more, to follow the pointer while it is dragged.

const SVG = "http://www.w3.org/2000/svg";

export class Ghost {
  // `top` is what lies on top in the place: a piece, or a group of the cell, which stays, and the piece on it.
  constructor(svg, top, turned) {
    this.pieces = top.localName === "g" ? [...top.children].filter(({ localName }) => localName !== "rect") : [top];
    const { width, height } = svg.getBoundingClientRect();
    const box = svg.viewBox.baseVal;
    this.unit = (turned ? -1 : 1) / Math.min(width / (box?.width || width), height / (box?.height || height));
    this.el = document.createElementNS(SVG, "g");
    this.el.setAttribute("class", "z-ghost");
    this.el.append(...this.pieces.map((each) => each.cloneNode(true)));
    for (const each of this.el.querySelectorAll("[data-at]")) each.removeAttribute("data-at"); // it is no place itself
    for (const each of this.pieces) each.classList.add("z-lifted");
    top.parentNode.append(this.el);
  }

  // So many pixels to the right and down from where it was taken up.
  move(x, y) {
    this.el.setAttribute("transform", `translate(${x * this.unit} ${y * this.unit})`);
  }

  remove() {
    this.el.remove();
    for (const each of this.pieces) each.classList.remove("z-lifted");
  }
}
