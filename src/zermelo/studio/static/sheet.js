// The sheet for a new game: a gallery of games, their options, who plays and how strong.

import { attempt, button, checkbox, element, field, input, select } from "./dom.js";
import { listGames, makeGame, SHELVES, takeApart } from "./games.js";
import { capital } from "./players.js";

const FIRST = "tictactoe";
const ANOTHER = "?";

// The pictures of all games, one below the heading of its shelf beside the other.
function makeGallery(model, choose) {
  const search = input("", { type: "search", placeholder: "Find a game", "aria-label": "Find a game" });
  const shelves = element("div", { class: "shelves" });
  const el = element("div", { class: "gallery" }, search, shelves);
  let tiles = [];
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    for (const { tile, said } of tiles) tile.hidden = !said.includes(wanted);
    for (const each of shelves.children) each.hidden = !each.querySelector(".tile:not([hidden])");
  });
  async function fill(games) {
    tiles = games.map((game) => {
      const picture = element("img", { alt: "", class: "cover" });
      const tile = button("", () => choose(game), { class: "tile", "data-game": game.text, "aria-pressed": false });
      tile.append(picture, game.title);
      return { game, tile, picture, said: `${game.title} ${game.text} ${game.about}`.toLowerCase() };
    });
    shelves.replaceChildren(...Object.entries(SHELVES).map(([shelf, name]) => {
      const found = tiles.filter(({ game }) => game.shelf === shelf);
      return found.length ? element("section", {}, element("h3", {}, name), element("div", { class: "tiles" }, ...found.map(({ tile }) => tile))) : null;
    }).filter(Boolean));
  }
  // When the sheet is opened for the first time; until then nobody needs them.
  async function draw() {
    if (tiles[0]?.picture.src) return;
    const pictures = (await attempt(model.ask("home.tiles"))) ?? {};
    for (const { game, picture } of tiles) {
      if (pictures[game.text]) picture.src = `data:image/svg+xml,${encodeURIComponent(pictures[game.text])}`;
    }
  }
  function mark(chosen) {
    for (const { game, tile } of tiles) tile.setAttribute("aria-pressed", game === chosen);
  }
  return { el, fill, draw, mark };
}

// Who sits where: which side a person takes and how strong the other is; or each seat by itself.
function makeSeats(model) {
  const sides = element("div", { class: "sides", role: "radiogroup", "aria-label": "You play" });
  const strength = select([], "");
  const about = element("small", {});
  const opponent = element("p", { class: "field" }, element("label", {}, "Opponent"), strength, about);
  strength.id = "opponent";
  opponent.querySelector("label").htmlFor = strength.id;
  const seats = element("div", { class: "seats" });
  const quick = element("div", {}, element("p", { class: "field" }, element("span", { class: "label" }, "You play"), sides), opponent);
  let info = null;
  let side = "0";

  const boxes = () => [...seats.querySelectorAll("select")];
  const level = () => info?.levels.find(({ text }) => text === strength.value);
  function setSeats() {
    about.textContent = level()?.about ?? "";
    const taken = side === "random" ? String(Math.floor(Math.random() * boxes().length)) : side;
    opponent.hidden = side === "all";
    for (const [seat, box] of boxes().entries()) {
      setSeat(box, side === "all" || String(seat) === taken ? "human" : strength.value);
    }
  }
  function setSeat(box, player) {
    const own = box.closest(".seat").querySelector("input");
    const listed = info.opponents.some(({ text }) => text === player);
    box.value = listed ? player : ANOTHER;
    own.value = listed ? "" : player;
    own.hidden = listed;
  }
  function markSide() {
    for (const each of sides.children) each.setAttribute("aria-checked", each.dataset.side === side);
  }
  function choose(which) {
    side = which;
    markSide();
    setSeats();
  }
  // What the boxes of the seats say, as a side.
  function readSide() {
    const people = boxes().map((box, seat) => (box.value === "human" ? seat : null)).filter((seat) => seat !== null);
    side = people.length === boxes().length ? "all" : people.length === 1 ? String(people[0]) : "";
    const other = boxes().find((box) => box.value !== "human");
    if (other && info.levels.some(({ text }) => text === other.value)) strength.value = other.value;
    markSide();
  }
  strength.addEventListener("change", setSeats);
  function show(found, open) {
    info = found;
    const kept = info.levels.some(({ text }) => text === strength.value) ? strength.value : info.levels[0].text;
    strength.replaceChildren(...info.levels.map(({ text, name }) => element("option", { value: text, selected: text === kept }, name)));
    const choices = [...info.seats.map((name, seat) => [String(seat), capital(name)]), ["random", "Random"], ["all", info.seats.length > 2 ? "All" : "Both"]];
    sides.replaceChildren(...choices.map(([value, name]) => button(name, () => choose(value), { role: "radio", "data-side": value })));
    seats.replaceChildren(...info.seats.map((name) => {
      const box = select([...info.opponents, { text: ANOTHER, name: "Another player…" }], "human");
      const own = input("", { placeholder: "pvs:depth=5", hidden: true, "aria-label": `Player of ${name}, as text` });
      box.addEventListener("change", () => {
        own.hidden = box.value !== ANOTHER;
        readSide();
      });
      return element("div", { class: "seat" }, field(capital(name), box), own);
    }));
    if (open.length === info.seats.length) {
      for (const [seat, box] of boxes().entries()) setSeat(box, open[seat]);
      return readSide();
    }
    if (!info.seats[Number(side)] && side !== "all" && side !== "random") side = "0";
    return choose(side);
  }
  const values = () => boxes().map((box) => (box.value === ANOTHER ? box.closest(".seat").querySelector("input").value.trim() : box.value));
  return { quick, seats, show, values, again: () => side === "random" && setSeats() };
}

// `hold` keeps the board still until the new game is there.
export function makeSheet(model, hold) {
  const clock = input("", { placeholder: "none, 60+0.6 or move=2", maxlength: 40 });
  const position = input("", { placeholder: "the game's start" });
  const evaluate = checkbox("Show who is ahead while playing", true);
  const seats = makeSeats(model);
  const title = element("h2", { class: "game-title" }, "");
  const game = makeGame(model, (info) => {
    if (!info) return;
    title.textContent = info.title;
    const open = model.get()?.game === game.value() ? model.get().seats : [];
    seats.show(info, open);
    evaluate.holder.hidden = info.hidden;
  });
  const gallery = makeGallery(model, (chosen) => {
    gallery.mark(chosen);
    game.choose(chosen);
  });
  const close = () => dialog.close();
  const more = element("details", { class: "more" }, element("summary", {}, "Seats, clock and position"), seats.seats, field("Clock", clock), field("Position", position), evaluate.holder);
  const form = element("form", { class: "setup" }, title, game.about, seats.quick, game.el, more,
    element("p", { class: "row begin" }, element("button", { type: "submit", class: "primary" }, "Start game"), button("Cancel", close)));
  const dialog = element("dialog", { class: "sheet", "aria-label": "New game" },
    element("div", { class: "sheet-top" }, element("h2", {}, "New game"), button("×", close, { class: "close", "aria-label": "Close" })),
    element("div", { class: "sheet-parts" }, gallery.el, form));
  dialog.addEventListener("click", (event) => event.target === dialog && close()); // beside it

  const given = () => ({ game: game.value(), seats: seats.values(), evaluate: evaluate.box.checked, clock: clock.value.trim() || "none" });
  const settle = async (verb, more_) => {
    await game.settled();
    return attempt(model.ask(verb, { ...given(), ...more_ }));
  };
  const change = (verb, more_ = {}) => hold(settle(verb, more_));
  const begin = async () => {
    seats.again();
    return change("new", { position: position.value });
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await begin()) close();
  });
  // What goes on tells how it was begun; what somebody has written since then stays.
  async function fill() {
    const games = (await listGames(model))?.games ?? [];
    gallery.fill(games);
    const open = takeApart(model.get()?.game ?? "", games);
    const first = open?.game ?? games.find(({ own }) => own) ?? games.find(({ text }) => text === FIRST);
    gallery.mark(first);
    await game.choose(first, open?.options);
    const { control = "", evaluated = true } = model.get() ?? {};
    clock.value ||= control;
    evaluate.box.checked &&= evaluated;
  }
  const ready = fill();
  async function open() {
    dialog.showModal();
    gallery.draw();
    await ready;
    dialog.querySelector('.tile[aria-pressed="true"]')?.focus();
  }
  return { dialog, open, begin, change, ready };
}
