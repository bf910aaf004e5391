// Small charts as SVG: the course of an evaluation, a curve over steps on a scale of powers, and one over generations.

const SVG = "http://www.w3.org/2000/svg";

function node(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// Values from −1 to 1, one a ply; `null` where nothing is known. `marks`: what the move to each ply from the first on was.
export function courseChart(values, at, label, { marks = [], choose = null } = {}) {
  const width = 320;
  const height = 80;
  const svg = node("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": label });
  const step = width / Math.max(values.length - 1, 12);
  const place = (value, index) => [(index * step).toFixed(1), (height / 2 - value * (height / 2 - 4)).toFixed(1)];
  svg.append(node("line", { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: "axis" }));
  const known = values.map((value, index) => (value === null ? null : place(value, index).join(","))).filter(Boolean);
  if (known.length > 1) svg.append(node("polyline", { points: known.join(" "), class: "curve" }));
  values.forEach((value, index) => {
    const grade = marks[index - 1];
    const wrong = grade && grade !== "best";
    if (value === null || (index !== at && known.length > 1 && !wrong)) return;
    const [cx, cy] = place(value, index);
    if (wrong) svg.append(node("circle", { cx, cy, r: 3.5, class: `dot is-${grade}` }));
    if (index === at) svg.append(node("circle", { cx, cy, r: wrong ? 6 : 3.5, class: wrong ? "dot hollow-ring" : "dot" }));
  });
  if (choose) {
    svg.addEventListener("click", (event) => {
      const { left, width: wide } = svg.getBoundingClientRect();
      choose(Math.max(0, Math.min(values.length - 1, Math.round(((event.clientX - left) / wide) * (width / step)))));
    });
  }
  return svg;
}

// Points [steps, gain], both on a scale of powers of ten.
export function fallChart(points, label, unit) {
  const [width, height, left, right, top, bottom] = [360, 190, 46, 10, 10, 34];
  const svg = node("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": label });
  const logs = points.filter(([steps, gain]) => steps > 0 && gain > 0).map((point) => point.map(Math.log10));
  if (!logs.length) {
    const said = points.length ? "0 at every step" : "nothing to show"; // neither has a place on a scale of powers
    svg.setAttribute("aria-label", `${label}: ${said}`);
    svg.append(node("text", { x: width / 2, y: height / 2, "text-anchor": "middle" }, said));
    return svg;
  }
  const [xs, ys] = [0, 1].map((axis) => logs.map((point) => point[axis]));
  const [high, low] = [Math.ceil(Math.max(...ys)), Math.floor(Math.min(...ys, Math.max(...ys) - 0.1))];
  const end = Math.max(1, Math.ceil(Math.max(...xs)));
  const x = (value) => (left + (value / end) * (width - left - right)).toFixed(1);
  const y = (value) => (top + ((high - value) / (high - low)) * (height - top - bottom)).toFixed(1);
  const power = (value) => (value < -3 || value > 4 ? `1e${value}` : (10 ** value).toLocaleString("en", { maximumFractionDigits: 3 }));
  for (let each = low; each <= high; each += Math.ceil((high - low) / 6)) {
    svg.append(node("line", { x1: left, x2: width - right, y1: y(each), y2: y(each), class: "axis" }));
    svg.append(node("text", { x: left - 6, y: Number(y(each)) + 4, "text-anchor": "end" }, power(each)));
  }
  for (let each = 0; each <= end; each += 1) {
    svg.append(node("text", { x: x(each), y: height - bottom + 15, "text-anchor": each === end ? "end" : "middle" }, power(each)));
  }
  svg.append(node("text", { x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle" }, unit));
  svg.append(node("polyline", { points: logs.map(([a, b]) => `${x(a)},${y(b)}`).join(" "), class: "curve" }));
  const [lastX, lastY] = logs[logs.length - 1];
  svg.append(node("circle", { cx: x(lastX), cy: y(lastY), r: 3.5, class: "dot" }));
  return svg;
}

// A round step of which about `count` fill `range`.
function roundStep(range, count) {
  const power = 10 ** Math.floor(Math.log10(range / count));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => range / each <= count);
}

// Points { number, value, low, high, kept } over generations: error bars where there are bounds, hollow dots for what was
// discarded. `digits` after the point of the numbers on the scale.
export function generationChart(points, label, unit, digits = 0) {
  const [width, height, left, right, top, bottom] = [460, 180, 50, 12, 12, 30];
  const svg = node("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart wide", role: "img", "aria-label": label });
  const known = points.filter(({ value }) => value !== null);
  if (!known.length) {
    svg.setAttribute("viewBox", `0 0 ${width} 60`);
    svg.append(node("text", { x: width / 2, y: 34, "text-anchor": "middle" }, `${unit}: nothing to show yet`));
    return svg;
  }
  const ys = known.flatMap(({ value, low = value, high = value }) => [value, low, high]);
  const step = roundStep(Math.max(...ys) - Math.min(...ys) || Math.abs(ys[0]) || 1, 5);
  const [low, high] = [Math.floor(Math.min(...ys) / step) * step, Math.ceil(Math.max(...ys) / step) * step || step];
  const last = Math.max(points[points.length - 1].number, 2);
  const x = (value) => (left + 12 + ((value - 1) / (last - 1)) * (width - left - right - 24)).toFixed(1);
  const y = (value) => (top + ((high - value) / (high - low || 1)) * (height - top - bottom)).toFixed(1);
  const decimals = Math.max(digits, Math.ceil(-Math.log10(step) - 1e-9));
  for (let each = low; each <= high + step / 2; each += step) {
    const [name, at] = [each.toFixed(Math.max(0, decimals)).replace("-", "−"), y(each)];
    svg.append(node("line", { x1: left, x2: width - right, y1: at, y2: at, class: "axis" }));
    svg.append(node("text", { x: left - 6, y: Number(at) + 4, "text-anchor": "end" }, name));
  }
  const stride = Math.ceil(last / 16);
  for (let each = 1; each <= last; each += stride) {
    svg.append(node("text", { x: x(each), y: height - bottom + 15, "text-anchor": "middle" }, String(each)));
  }
  svg.append(node("text", { x: (left + width - right) / 2, y: height - 2, "text-anchor": "middle" }, `${unit}, by generation`));
  svg.append(node("polyline", { points: known.map(({ number, value }) => `${x(number)},${y(value)}`).join(" "), class: "curve" }));
  for (const { number, value, low: from, high: to, kept } of known) {
    if (from !== undefined) svg.append(node("path", { d: `M${x(number)},${y(from)}V${y(to)}m-4,0h8M${x(number) - 4},${y(from)}h8`, class: "error-bar" }));
    svg.append(node("circle", { cx: x(number), cy: y(value), r: 4, class: kept === false ? "dot hollow" : "dot" }));
  }
  return svg;
}
