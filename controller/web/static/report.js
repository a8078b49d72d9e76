// The report page: what a gaming day came to by shift, dealer, game and wager, beside what theory expects of it.

import { called, many } from "./counts.js";
import { make, svg } from "./element.js";
import { Person } from "./person.js";
import * as sheet from "./sheet.js";

const at = (name) => document.getElementById(name);
const BYS = { shift: "Shift", dealer: "Dealer", game: "Game", wager: "Wager", spot: "Spot", round: "Round" };
const WIDE = 360; // of a plot, in its own units
const HIGH = 160;
const MOST_BARS = 6;
const AGAIN = 15_000; // milliseconds between two looks at today
let by = "shift";
let day = "";
let page = null;
let asked = 0;
let timer = 0;

// ---- words

const LOOKS = ["inspector", "supervisor", "area-manager", "assistant-casino-manager", "casino-manager"];
const mayLook = () => person.me !== null && LOOKS.includes(person.me.role);

/** Dollars as people read them: thousands in groups, cents only where there are some. */
function money(text, sign = false) {
  const value = Number(text);
  const words = Math.abs(value).toLocaleString("en", { minimumFractionDigits: Number.isInteger(value) ? 0 : 2, maximumFractionDigits: 2 });
  return `${value < 0 ? "−" : sign && value > 0 ? "+" : ""}${words}`;
}

const percent = (value) => (value === null ? "–" : `${value.toFixed(2)} %`.replace("-", "−"));
const amount = (text) => make("td", { class: Number(text) < 0 ? "lost" : "" }, money(text, true));

// ---- the table

function row(part, last) {
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, last ? "all" : part.name),
    make("td", {}, `${part.rounds}`),
    make("td", {}, part.pace === null ? "–" : `${Math.round(part.pace)}`),
    make("td", {}, money(part.handle)),
    amount(part.win),
    amount(part.theoretical),
    make("td", {}, percent(part.hold)),
  );
}

function table(numbers) {
  const names = [BYS[numbers.by], "Rounds", "An hour", "Handle", "Win", "Theory", "Hold"];
  return make(
    "table",
    {},
    make("thead", {}, make("tr", {}, names.map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, numbers.parts.map((part) => row(part, false))),
    make("tfoot", {}, row(numbers.total, true)),
  );
}

const entry = (name, words) => make("li", {}, make("b", {}, name), ` ${words}`);

function aside(total) {
  const counts = [
    [total.rounds - total.settled, "round not settled", "rounds not settled"],
    [total.irregular, "irregular round"],
    [total.rulings, "ruling"],
    [total.corrections, "correction"],
    [total.device_faults, "fault of a device", "faults of devices"],
    [total.alerts, "alert of game protection", "alerts of game protection"],
    [total.prizes_won, "prize of a Jackpot", "prizes of Jackpots", `, ${money(total.prizes)} together: not in win, but taken off where theory is compared`],
  ];
  const vouchers = [[total.chip_vouchers, "chips"], [total.token_vouchers, "promotional tokens"]];
  const known = total.known_handle === total.handle && total.known_win === total.win ? [] : [entry(money(total.known_win, true), `won of ${money(total.known_handle)} on wagers whose edge is known; theory says ${money(total.theoretical, true)}`)];
  return [
    ...counts.filter(([count]) => count).map(([count, what, several, more = ""]) => entry(`${count}`, called(count, what, several) + more)),
    ...vouchers.filter(([amount]) => Number(amount)).map(([amount, what]) => entry(money(amount), `in ${what} given for vouchers: not in win`)),
    ...(Number(total.promotion_prizes) ? [entry(money(total.promotion_prizes), "prizes of promotions: of the cashier, not in win")] : []),
    ...known,
    ...total.unknown.map((each) => entry(`No theory for ${money(each.handle)}`, `on ${each.wager} (${each.game}): ${each.why}`)),
  ];
}

function edges(numbers) {
  if (!numbers.edges.length) return [];
  const told = (edge) => `${edge.percent} % = ${edge.exact}; ${edge.covers}`;
  const chosen = (edge) => Object.entries(edge.options).map(([name, value]) => ` ${name}=${value}`).join("");
  return [
    make("h2", {}, "Edges that theory counts with"),
    make("p", { class: "hint" }, "Every decision played best; no card is known but one's own and what lies open."),
    make("ul", {}, numbers.edges.map((edge) => entry(`${edge.game}${chosen(edge)}: ${edge.wager}`, told(edge)))),
  ];
}

function floats(report) {
  const told = report.shifts.map((shift) => {
    if (shift.win === null) return entry(`Opened with ${money(shift.opening)}`, "and not closed yet");
    const named = shift.named.map((each) => `${money(each.amount, true)}: ${each.what}`).join("; ");
    return entry(`Counted ${money(shift.win, true)}, rounds ${money(shift.rounds_win, true)}`, Number(shift.difference) ? `difference ${money(shift.difference, true)}. ${named}` : "no difference");
  });
  return told.length ? [make("h2", {}, "Float"), make("ul", {}, told)] : [];
}

// ---- plots

/** A scale from values to units: `to(value)`, and round values for its grid. */
function scale(values, from, until) {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values, low + 1);
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  const first = Math.floor(low / step) * step;
  const last = Math.ceil(high / step) * step;
  const ticks = [];
  for (let tick = first; tick <= last + step / 2; tick += step) ticks.push(Number(tick.toPrecision(12)));
  return { to: (value) => from + ((value - first) / (last - first)) * (until - from), ticks };
}

const grid = (ticks, to) => ticks.map((tick) => svg("line", { class: tick === 0 ? "axis" : "grid", x1: 0, x2: WIDE, y1: to(tick), y2: to(tick) }));

/** Words beside and below a drawing: axe cannot judge letters that lie on a picture. */
function figure(title, label, { to, ticks }, content, below) {
  const marks = ticks.map((tick) => {
    const mark = make("span", {}, money(tick).replace(/^(−?)/, "$1$$"));
    mark.style.top = `${(100 * to(tick)) / HIGH}%`;
    return mark;
  });
  return make(
    "figure",
    {},
    make("figcaption", {}, make("b", {}, title), make("span", { class: "key" }, "win"), make("span", { class: "key theory" }, "theory")),
    make(
      "div",
      { class: "plot" },
      make("div", { class: "ticks", "aria-hidden": "true" }, marks),
      svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label }, ...grid(ticks, to), ...content),
      make("div", { class: "below", "aria-hidden": "true" }, below.map((words) => make("span", {}, words))),
    ),
  );
}

/** How win and theory went from round to round. */
function line(course) {
  const wins = course.map((point) => Number(point.win));
  const theories = course.map((point) => Number(point.theory));
  const measure = scale([...wins, ...theories], HIGH - 8, 8);
  const { to } = measure;
  const x = (n) => ((n + 1) / course.length) * (WIDE - 4);
  const path = (values) => `M0 ${to(0)}${values.map((value, n) => `L${x(n).toFixed(1)} ${to(value).toFixed(1)}`).join("")}`;
  const hour = (point) => new Date(point.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false, timeZone: page.zone || undefined });
  const label = `Win along the day: ${money(wins.at(-1), true)} after round ${course.at(-1).round}; theory ${money(theories.at(-1), true)}`;
  const drawn = [svg("path", { class: "theory", d: path(theories) }), svg("path", { class: "win", d: path(wins) })];
  return figure("Win along the day", label, measure, drawn, [hour(course[0]), hour(course.at(-1))]);
}

/** Win and theory of each part beside each other; of many the last ones. */
function bars(numbers) {
  const parts = numbers.parts.slice(-MOST_BARS);
  const measure = scale(parts.flatMap((part) => [Number(part.win), Number(part.theoretical)]), HIGH - 8, 8);
  const { to } = measure;
  const each = WIDE / parts.length;
  const width = Math.min(34, each * 0.36);
  const bar = (kind, text, left) => {
    const value = Number(text);
    return svg("rect", { class: `bar ${kind || (value < 0 ? "lost" : "")}`, x: left, width, y: Math.min(to(0), to(value)), height: Math.max(1, Math.abs(to(value) - to(0))) });
  };
  const drawn = parts.flatMap((part, n) => [bar("", part.win, each * (n + 0.5) - width - 1), bar("theory", part.theoretical, each * (n + 0.5) + 1)]);
  const label = `By ${numbers.by}: ${parts.map((part) => `${part.name} win ${money(part.win, true)}, theory ${money(part.theoretical, true)}`).join("; ")}`;
  const names = parts.map((part) => (numbers.by === "shift" ? part.name.slice(11) : part.name));
  const made = figure(`By ${numbers.by}`, label, measure, drawn, names);
  made.classList.add("bars");
  return made;
}

// ---- the page

function draw() {
  const { numbers } = page;
  at("title").textContent = page.table ? `Report: ${page.table}` : "Report";
  at("day").value = page.day;
  at("day").max = page.today;
  at("after").disabled = page.day >= page.today;
  const missing = page.older ? " Older rounds are only in the journal." : page.behind ? " Rounds are still being told." : "";
  say(`${many(numbers.total.rounds, "round")}, handle ${money(numbers.total.handle)}${page.zone ? `, ${page.zone}` : ""}.${missing}`, Boolean(missing));
  const left = page.left_out ? [make("p", { class: "hint" }, `${page.left_out} more ${called(page.left_out, "is", "are")} in felt report ${numbers.by}.`)] : [];
  const notes = aside(numbers.total);
  at("figures").replaceChildren(
    ...(numbers.total.rounds ? [table(numbers), ...left] : [make("p", { class: "hint" }, "No round was played on this day.")]),
    ...(notes.length ? [make("h2", {}, "Beside it"), make("ul", {}, notes)] : []),
    ...floats(page.float),
    ...edges(numbers),
  );
  at("plots").replaceChildren(...(page.course.length ? [line(page.course), bars(numbers)] : [make("p", { class: "hint" }, "Nothing to draw.")]));
  document.body.dataset.scene = numbers.total.rounds ? "shown" : "empty";
}

function say(words, bad = false) {
  at("summary").className = bad ? "bad" : "";
  if (at("summary").textContent !== words) at("summary").textContent = words;
}

function hide(words, scene) {
  page = null;
  say("");
  at("figures").replaceChildren(make("p", { class: "hint" }, words));
  at("plots").replaceChildren();
  document.body.dataset.scene = scene;
}

async function look() {
  clearTimeout(timer);
  if (!mayLook()) {
    const who = person.me ? `${person.me.person} is signed in as ${person.me.role.replaceAll("-", " ")}. ` : "";
    return hide(`${who}The numbers are for supervisors, those above, and inspectors: sign in above.`, "closed");
  }
  const number = ++asked;
  let answer;
  try {
    answer = await fetch(`/report/numbers?by=${by}${day ? `&day=${day}` : ""}`, { cache: "no-store" });
  } catch {
    document.body.dataset.scene = "offline";
    say("No connection: what is shown may be old.", true);
    timer = setTimeout(look, AGAIN / 5);
    return;
  }
  const body = await answer.json();
  if (number !== asked) return; // somebody has asked for something else since
  if (answer.status === 401) return person.find();
  if (!answer.ok) return hide(`${body.error.cause}. ${body.error.next_step}`, "closed");
  page = body;
  draw();
  if (page.day === page.today) timer = setTimeout(look, AGAIN);
}

function chooseDay(text) {
  day = text;
  look();
}

function shifted(days) {
  const date = new Date(`${page?.day ?? at("day").value}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  chooseDay(date.toISOString().slice(0, 10));
}

function choose(name) {
  by = name;
  for (const button of at("bys").children) button.setAttribute("aria-pressed", button.dataset.by === by);
  look();
}

for (const [name, words] of Object.entries(BYS)) {
  const button = make("button", { type: "button", class: "plain", "data-by": name, "aria-pressed": `${name === by}` }, words);
  button.addEventListener("click", () => choose(name));
  at("bys").append(button);
}
at("before").addEventListener("click", () => shifted(-1));
at("after").addEventListener("click", () => shifted(1));
at("day").addEventListener("change", () => at("day").value && chooseDay(at("day").value));

// ---- people

const person = new Person(signedIn);

function signedIn(me) {
  const button = make("button", { type: "button", class: `plain${me ? "" : " strong"}` }, me ? "Sign out" : "Sign in");
  button.addEventListener("click", () => (me ? person.signOut() : sheet.signIn(person, "The numbers are for supervisors, those above, and inspectors.")));
  const name = me ? make("p", {}, me.person, make("small", {}, me.role.replaceAll("-", " "))) : null;
  at("person").replaceChildren(...[name, button].filter(Boolean));
  look();
}

signedIn(null);
person.find();
