// What is marked on a picture: where one may go, what is chosen or hinted at, what has the focus, the last move, and
// what a network thinks of each place.

const SVG = "http://www.w3.org/2000/svg";

export const STYLE = `
.z-mark, .z-ghost { pointer-events: none; }
.z-dot { fill: #2f7d4f; opacity: .42; }
.z-ring { fill: none; stroke-width: 3; vector-effect: non-scaling-stroke; }
.z-able { stroke: #2f7d4f; stroke-width: 2; opacity: .75; }
.z-chosen { stroke: #d97b16; } .z-hint { stroke: #2f7d4f; stroke-dasharray: 5 4; } .z-focus { stroke: #1656c0; }
.z-last { fill: #ffd829; fill-opacity: .6; stroke: #5f3f00; stroke-opacity: .75; stroke-width: 1.5; vector-effect: non-scaling-stroke; }
.z-decisive { fill: #e2352b; fill-opacity: .55; stroke: #8c1410; stroke-width: 1.5; vector-effect: non-scaling-stroke; }
.z-arrow { fill: none; stroke-linecap: round; stroke-linejoin: round; opacity: .8; } .z-arrow.is-good { stroke: #2f7d4f; } .z-arrow.is-bad { stroke: #c8371e; }
.z-spot { stroke: #777; stroke-width: 1; vector-effect: non-scaling-stroke; } .z-dead { opacity: .45; }
.z-one { fill: #23588f; } .z-two { fill: #c8501e; } .z-move { fill: #2f7d4f; }
`;

function makeShape(kind, attributes) {
  const shape = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ ...attributes, class: `z-mark ${kind}` })) shape.setAttribute(name, value);
  return shape;
}

export function clearMarks(svg) {
  for (const each of svg.querySelectorAll(".z-mark")) each.remove();
  for (const each of svg.querySelectorAll(".z-dead")) each.classList.remove("z-dead");
}

// A dot on `target`, which is round, or a ring, which goes round all that is wide or high.
export function ring(svg, target, kind) {
  const { x, y, width, height } = target.getBBox();
  const reach = Math.min(width, height) / 2;
  const edge = reach * (kind === "z-dot" ? 0.7 : 0.08);
  const [wide, high] = kind === "z-dot" ? [reach * 2, reach * 2] : [width, height];
  const sizes = { x: x + (width - wide) / 2 + edge, y: y + (height - high) / 2 + edge, width: wide - 2 * edge, height: high - 2 * edge };
  svg.append(makeShape(kind, { ...sizes, rx: reach - edge }));
}

// A small square of a player's colour, whose the place is; what stands there is dead.
export function spot(svg, target, colour) {
  const { x, y, width, height } = target.getBBox();
  const size = Math.min(width, height) * 0.38;
  target.classList.add("z-dead");
  svg.append(makeShape("z-spot", { x: x + (width - size) / 2, y: y + (height - size) / 2, width: size, height: size, fill: colour }));
}

// An arrow through the middles of `targets`, or a ring where there is but one.
export function arrow(svg, targets, kind) {
  if (targets.length === 1) return ring(svg, targets[0], `z-ring z-arrow ${kind}`);
  const points = targets.map((each) => {
    const { x, y, width, height } = each.getBBox();
    return [x + width / 2, y + height / 2, Math.min(width, height)];
  });
  const [[x, y], [toX, toY, size]] = points.slice(-2);
  const [long, thick] = [Math.hypot(toX - x, toY - y) || 1, size / 9];
  const [dx, dy] = [((toX - x) / long) * thick * 2.4, ((toY - y) / long) * thick * 2.4];
  const head = `M${toX - dx - dy},${toY - dy + dx}L${toX},${toY}L${toX - dx + dy},${toY - dy - dx}`;
  const shape = document.createElementNS(SVG, "path");
  shape.setAttribute("d", `M${points.map(([a, b]) => `${a},${b}`).join("L")}${head}`);
  shape.setAttribute("stroke-width", thick);
  shape.setAttribute("class", `z-mark z-arrow ${kind}`);
  return svg.append(shape);
}

// The same outline over a place that is no rectangle, as a hexagon: squares would overlap.
function trace(target, kind, attributes) {
  const shape = target.cloneNode();
  for (const { name } of [...shape.attributes]) if (!/^(points|d|transform)$/.test(name)) shape.removeAttribute(name);
  for (const [name, value] of Object.entries({ ...attributes, class: `z-mark ${kind}` })) shape.setAttribute(name, value);
  target.after(shape);
}

// A square under what stands at `target`, the corners of which show beside a stone; over what fills its place itself.
export function lay(target, kind = "z-last", attributes = {}) {
  if (kind !== "z-last" && /polygon|path/.test(target.localName)) return trace(target, kind, attributes);
  const cell = target.localName === "g" ? [...target.children].find(({ localName }) => localName === "rect") : null;
  const box = cell ?? target;
  const { x, y, width, height } = box.getBBox();
  const edge = Math.min(width, height) / 24;
  const sizes = { x: x + edge, y: y + edge, width: width - 2 * edge, height: height - 2 * edge, rx: edge };
  const shape = makeShape(kind, { ...sizes, ...attributes });
  if (box.localName === "g") return box.prepend(shape);
  if (box.hasAttribute("transform")) shape.setAttribute("transform", box.getAttribute("transform"));
  return /circle|ellipse/.test(box.localName) ? box.before(shape) : box.after(shape);
}
