// The felt: draws the table as it stands, tells what happens as it happens, and misses nothing when it was cut off.

import { AreaView, details } from "./areas.js";
import { lay, stack } from "./cards.js";
import { make, rule } from "./element.js";
import { arc, oval } from "./places.js";
import { feed } from "./stream.js";

const body = document.body;
const at = (name) => document.getElementById(name);
const MOST_LINES = 150;
const WHO = { stopped: "Out of service", held: "Held", question: "Question", fault: "Fault", told: "Note" };
const SMALLEST = 0.62;

let picture = null;
let views = [];
let chosen = null;
let newest = -1; // the newest fact that the story tells
let following = false; // what comes now is new, and is read aloud

// ---- the story

function told(said, fresh) {
  const won = said.kind === "settled" && said.net > 0 ? " won" : said.kind === "settled" && said.net < 0 ? " lost" : "";
  const parts = said.parts.map(([text, number]) => make("li", {}, text, rule(number)));
  return make(
    "div",
    { class: `said ${said.kind}${won}${fresh ? " fresh" : ""}` },
    make("p", {}, said.text, rule(said.rule)),
    parts.length ? make("ul", {}, parts) : null,
  );
}

function tell(event) {
  if (event.seq <= newest) return; // heard already
  newest = event.seq;
  const lines = event.sentences.map((said) => told(said, following));
  for (const line of lines) line.dataset.seq = event.seq;
  at("story").prepend(...lines);
  while (at("story").children.length > MOST_LINES) at("story").lastChild.remove();
}

/** Another journal: what was told has nothing to do with it. */
function anew() {
  newest = -1;
  at("story").replaceChildren();
}

function missed() {
  at("story").prepend(make("div", { class: "said told" }, make("p", {}, "Older lines are not kept here: the round on record has them.")));
}

// ---- the picture

function head(p) {
  at("title").textContent = p.title;
  document.title = p.title;
  at("limits").replaceChildren(...p.limits.map(([name, value]) => make("span", {}, `${name} `, make("b", {}, value))));
  at("meter").hidden = !p.meter;
  at("meter").replaceChildren(make("span", {}, "Jackpot "), p.meter);
  const called = p.round_called[0].toUpperCase() + p.round_called.slice(1);
  at("round").replaceChildren(...(p.number ? [`${called} ${p.number}, `] : []), make("b", {}, p.phase));
  const gates = [["bets", "Bets"], ["deal", "Cards"]];
  at("gates").replaceChildren(
    ...gates.map(([name, word]) => make("li", { class: `gate${p.gates[name].open ? " open" : ""}` }, `${word} ${p.gates[name].open ? "open" : "closed"}`)),
    ...(p.lamps.includes("shuffle") ? [make("li", { class: "gate open" }, "Shuffle")] : []),
  );
}

/** Cards of the dealer or of everybody; `always`: their place is printed on the felt. */
function placed(element, title, hand, always) {
  element.hidden = !hand && !always;
  element.className = "holds-cards";
  if (!hand) {
    element.replaceChildren(make("p", { class: "title" }, title), make("div", { class: "empty-place" }));
    return;
  }
  if (!element.querySelector(".hand")) {
    element.replaceChildren(make("p", { class: "title" }, title), make("div", { class: "hand" }), make("p", { class: "name" }));
  }
  lay(element.querySelector(".hand"), hand, ".2em");
  const verdict = hand.verdict ? make("span", { class: hand.verdict === "qualifies" ? "verdict" : "not" }, `, ${hand.verdict}`) : null;
  element.querySelector(".name").replaceChildren(...[hand.name, verdict, hand.verdict ? rule(hand.rule) : null].filter(Boolean));
}

function pot(each, n) {
  const name = n ? `Side pot ${n}` : "Pot";
  return make("div", { class: "pot" }, stack(each.cents), `${name} ${each.amount}`, each.text ? make("small", {}, each.text) : null);
}

function trouble(each) {
  const named = /^\d/.test(each.place) ? `${picture.place_called} ${each.place}` : each.place;
  const place = named ? `, ${named}` : "";
  const role = each.role && each.role !== "dealer" ? `, ${each.role.replaceAll("-", " ")}` : "";
  return make(
    "div",
    { class: `trouble ${each.severity}` },
    make("span", { class: "who" }, `${WHO[each.severity]}${place}${role}`),
    make("p", {}, each.text, rule(each.rule)),
    each.step ? make("p", {}, each.step) : null,
  );
}

function due(each) {
  return make("li", {}, each.text, rule(each.rule));
}

function stamp(p) {
  const worst = p.troubles[0]?.severity;
  if (worst === "stopped") return "Out of service";
  if (!p.open) return "Closed";
  return worst === "held" ? "Table held" : "";
}

let noted = "";
function troubles(p) {
  const now = JSON.stringify(p.troubles);
  if (now === noted) return; // people may be reading it
  noted = now;
  at("troubles").replaceChildren(...p.troubles.map(trouble));
}

/** Draws the newest picture with the next frame of the screen: of several that come together only the last. */
function show(p) {
  if (newer === undefined) requestAnimationFrame(draw);
  newer = p;
}

let newer; // undefined: it is drawn already
function draw() {
  const p = newer;
  newer = undefined;
  if (p === undefined) return; // it was cut off meanwhile
  if (p === null) return cut("No game yet", "No game has been opened at this table.");
  picture = p;
  body.dataset.scene = p.troubles.some((each) => each.severity === "stopped") ? "stopped" : p.phase.replaceAll(" ", "-");
  body.dataset.kind = p.spots.length ? "house" : "poker";
  body.dataset.round = p.number;
  body.dataset.outcome = p.outcome;
  head(p);
  placed(at("dealer"), "Dealer", p.dealer, p.spots.length > 0 && !p.board); // some games have a board and no dealer's hand
  placed(at("board"), "Board", p.board, false);
  at("print").textContent = p.title;
  at("pots").replaceChildren(...p.pots.map(pot));
  troubles(p);
  at("waiting").replaceChildren(...p.waiting.map(due));
  const words = stamp(p);
  if (at("stamp").textContent !== words) at("stamp").textContent = words;
  areas(p);
  if (chosen !== null) choose(chosen, true);
  following = true;
  at("story").setAttribute("aria-live", "polite");
}

function areas(p) {
  if (views.length !== p.areas.length) {
    views = p.areas.map(() => new AreaView(choose));
    at("areas").replaceChildren(...views.map((view) => view.root));
    document.querySelectorAll(".bet-in-front").forEach((each) => each.remove());
    for (const view of views) at("middle").after(view.front);
  }
  p.areas.forEach((area, n) => views[n].show(area, p));
  place();
}

// ---- how it lies on the screen

function place() {
  if (picture === null) return;
  const table = at("felt");
  const [width, height] = [table.clientWidth, table.clientHeight];
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const layout = picture.spots.length ? arc : oval;
  const { cell, points } = layout(views.length, width, height, rem);
  views.forEach((view, n) => view.put(points[n], cell * (picture.spots.length ? 0.96 : 1)));
  const usual = Math.max(10.5, Math.min(rem * 1.06, cell * 0.128));
  let letters = usual;
  const list = at("areas");
  const apply = () => table.style.setProperty("--letters", `${letters.toFixed(2)}px`);
  apply();
  if (picture.spots.length) {
    const low = Math.max(at("dealer").getBoundingClientRect().bottom, at("board").getBoundingClientRect().bottom);
    const top = table.getBoundingClientRect().top;
    const middle = [0.3 * width, 0.7 * width];
    const high = () =>
      [...list.children].some((each) => {
        const box = each.getBoundingClientRect();
        const x = parseFloat(each.style.left);
        return box.top < (x > middle[0] && x < middle[1] ? Math.max(low, top) : top + 0.6 * rem);
      });
    while (high() && letters > usual * SMALLEST) {
      letters -= usual * 0.04;
      apply();
    }
  }
  const many = Math.max(...picture.areas.map((area) => area.hand?.cards.length ?? 0), 1);
  const room = cell / letters; // widths in letters
  const widest = picture.spots.length ? (many > 3 ? 1.15 : 1.3) : 0.95;
  const needed = many > 3 ? 2.7 + (many - 1) * 1.15 : many > 2 ? 2.7 + (many - 1) * 1.6 : many * 2.5;
  table.style.setProperty("--card", `${Math.min(widest, (room * 0.98) / needed).toFixed(3)}em`);
  const spots = [...list.querySelectorAll(".spot")];
  for (const each of spots) each.classList.remove("tight", "tighter");
  const cramped = (each) => each.querySelector("i").scrollWidth > each.querySelector("i").clientWidth;
  for (const kind of ["tight", "tighter"]) for (const each of spots.filter(cramped)) each.classList.add(kind);
  if (!picture.spots.length) inside(table, rem);
  print(table, rem);
}

/** Seats with much to show are moved so that all of it is on the table. */
function inside(table, rem) {
  const { top, bottom } = table.getBoundingClientRect();
  for (const view of views) {
    view.root.style.marginTop = "0";
    const box = view.root.getBoundingClientRect();
    const over = Math.max(0, box.bottom - bottom + 1.2 * rem);
    const under = Math.max(0, top + 1.2 * rem - box.top);
    view.root.style.marginTop = `${under - over}px`;
  }
}

/** The name of the game is printed where nothing lies, if there is such a place. */
function print(table, rem) {
  const box = (element) => element.getBoundingClientRect();
  if (!picture.spots.length) {
    at("print").style.visibility = "visible";
    table.style.setProperty("--print", `${(box(at("middle")).top - box(table).top) / 2 + rem}px`);
    return;
  }
  const top = Math.max(...["dealer", "board", "pots"].map((name) => box(at(name)).bottom), box(table).top);
  const width = box(at("print")).width / 2 + rem;
  const centre = (box(table).left + box(table).right) / 2;
  const under = views.filter((view) => box(view.root).right > centre - width && box(view.root).left < centre + width);
  const low = Math.min(...under.map((view) => box(view.root).top), box(table).bottom);
  at("print").style.visibility = low - top > 4 * rem ? "visible" : "hidden";
  table.style.setProperty("--print", `${Math.max(top + 2 * rem, (top + low) / 2) - box(table).top - table.clientTop}px`);
}

addEventListener("resize", place);

// ---- details of one area

function choose(place, again = false) {
  if (!again && chosen === place) return unchoose();
  chosen = place;
  const area = picture.areas.find((each) => each.place === place);
  if (!area) return unchoose();
  views.forEach((view) => {
    view.root.dataset.chosen = view.place === place;
    view.plate.setAttribute("aria-expanded", view.place === place);
  });
  const now = JSON.stringify(area);
  at("details").hidden = false;
  if (at("details").dataset.drawn === now) return;
  const held = at("details").contains(document.activeElement);
  at("details").dataset.drawn = now;
  at("details").replaceChildren(...details(area, unchoose));
  if (held) at("details").querySelector("button").focus();
}

function unchoose() {
  const view = views.find((each) => each.place === chosen);
  chosen = null;
  at("details").hidden = true;
  at("details").dataset.drawn = "";
  for (const each of views) {
    each.root.dataset.chosen = false;
    each.plate.setAttribute("aria-expanded", "false");
  }
  view?.plate.focus();
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && chosen !== null) unchoose();
});

function cut(words = "No connection", footer = "What is shown here may be old: the table is not heard.") {
  newer = undefined;
  body.dataset.scene = "offline";
  at("stamp").textContent = words;
  noted = "";
  at("troubles").replaceChildren();
  at("waiting").replaceChildren(make("li", {}, footer));
}

feed("/table/events", show, cut, { told: tell, gap: missed, anew });
