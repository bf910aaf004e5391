// Whatever keeps somebody from using the page: an expression that gives a list of complaints, empty if there are none.
() => {
  const complaints = [];
  const all = (selector) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
  const short = (each) => each.outerHTML.slice(0, 120);

  for (const each of all("button, input, select, textarea, a[href], [role=button], [role=img]")) {
    const named = each.labels?.length || each.getAttribute("aria-label") || each.title || each.textContent.trim();
    if (!named) complaints.push(`no name: ${short(each)}`);
  }

  const numbers = (text) => text.match(/[\d.]+/g).map(Number);
  const linear = (part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  const paper = (each) => {
    for (let node = each; node; node = node.parentElement) {
      const found = numbers(getComputedStyle(node).backgroundColor);
      if (found.length < 4 || found[3] > 0) return found;
    }
    return [255, 255, 255];
  };
  for (const each of all("main *, header *")) {
    const says = [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    if (!says || each.closest("svg, :disabled, option")) continue;
    const shades = [light(numbers(getComputedStyle(each).color)), light(paper(each))];
    const contrast = (Math.max(...shades) + 0.05) / (Math.min(...shades) + 0.05);
    if (contrast < 4.5) complaints.push(`contrast ${contrast.toFixed(2)}: ${short(each)}`);
  }

  const ids = [...document.querySelectorAll("[id]")].map((each) => each.id);
  for (const id of ids.filter((each, index) => ids.indexOf(each) !== index)) complaints.push(`two ids ${id}`);
  for (const each of all("[tabindex]")) if (each.tabIndex > 0) complaints.push(`order of focus: ${short(each)}`);
  if (document.documentElement.lang !== "en" || !document.title) complaints.push("no language, or no title");
  if (all("main").length !== 1 || !all("h1").length) complaints.push("no main part, or no heading");
  return complaints;
}
