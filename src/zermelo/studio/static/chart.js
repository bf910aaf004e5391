// Small charts as SVG: the course of an evaluation, and a curve over steps on a scale of powers.

const SVG = "http://www.w3.org/2000/svg";

function node(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// Values from −1 to 1, one a ply; `null` where nothing is known.
export function courseChart(values, at, label) {
  const width = 320;
  const height = 80;
  const svg = node("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": label });
  const step = width / Math.max(values.length - 1, 12);
  const place = (value, index) => `${(index * step).toFixed(1)},${(height / 2 - value * (height / 2 - 4)).toFixed(1)}`;
  svg.append(node("line", { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: "axis" }));
  const known = values.map((value, index) => (value === null ? null : place(value, index))).filter(Boolean);
  if (known.length > 1) svg.append(node("polyline", { points: known.join(" "), class: "curve" }));
  values.forEach((value, index) => {
    if (value === null || (index !== at && known.length > 1)) return;
    const [cx, cy] = place(value, index).split(",");
    svg.append(node("circle", { cx, cy, r: 3.5, class: "dot" }));
  });
  return svg;
}

// Points [steps, gain], both on a logarithmic scale.
export function learningChart(points, label) {
  const [width, height, left] = [320, 150, 40];
  const svg = node("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": label });
  const shown = points.filter(([, gain]) => gain > 0);
  if (!shown.length) return svg;
  const logs = shown.map(([steps, gain]) => [Math.log10(steps), Math.log10(gain)]);
  const right = Math.max(1, ...logs.map(([x]) => x));
  const [low, high] = [Math.min(...logs.map(([, y]) => y)), Math.max(...logs.map(([, y]) => y))];
  const x = (value) => left + (value / right) * (width - left - 12);
  const y = (value) => 12 + ((high - value) / Math.max(high - low, 0.5)) * (height - 40);
  svg.append(node("polyline", { points: logs.map(([a, b]) => `${x(a)},${y(b)}`).join(" "), class: "curve" }));
  for (const [a, b] of logs) svg.append(node("circle", { cx: x(a), cy: y(b), r: 3, class: "dot" }));
  const [first, last] = [shown[0], shown[shown.length - 1]];
  svg.append(node("text", { x: left, y: height - 8 }, `${first[0]} step`));
  svg.append(node("text", { x: width - 12, y: height - 8, "text-anchor": "end" }, `${last[0].toLocaleString("en")} steps`));
  svg.append(node("text", { x: 2, y: y(logs[0][1]) + 4 }, first[1].toPrecision(2)));
  svg.append(node("text", { x: 2, y: y(logs[logs.length - 1][1]) + 4 }, last[1].toPrecision(2)));
  return svg;
}
