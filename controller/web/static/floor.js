// The floor: alerts first and loud until somebody has acknowledged them; every table calmly beside them.

import { many } from "./counts.js";
import { become, make } from "./element.js";
import { Person } from "./person.js";
import { settle } from "./settling.js";
import { connected, offline, signIn } from "./sheet.js";
import { feed } from "./stream.js";

const OFFLINE = "No connection: what is shown may be old, and nothing can be acknowledged.";
const UNRECORDED = "Nothing can be recorded here: nobody can acknowledge anything now.";
const at = (name) => document.getElementById(name);
let floor = null;
let ahead = 0; // milliseconds by which the daemon's clock is ahead of this screen's
let known = null; // the alerts that were told to a screen reader
let chosen = ""; // the table that is looked at closely
let wanted = null; // the alert that waits for somebody to sign in
let refusals = new Map(); // alert -> why it was not acknowledged
let interrupted; // the alert whose button had the focus when the connection was cut

// ---- words

const STATES = {
  lost: "Not heard",
  waited: "Not heard yet",
  stands: "Stands",
  waits: "Waits",
  fault: "Fault",
  well: "",
  closed: "Closed",
};

const clock = (ms) => new Date(ms).toLocaleTimeString([], { hour12: false, hour: "2-digit", minute: "2-digit" });
const dollars = (cents) => `$${(cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;

function ago(ms) {
  const seconds = Math.max(0, Math.floor((Date.now() + ahead - ms) / 1000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} d`;
}

/** A time that counts on by itself. */
const age = (ms, before, after) => make("time", { "data-since": ms, "data-before": before, "data-after": after }, `${before}${ago(ms)}${after}`);

function tick() {
  for (const each of document.querySelectorAll("time[data-since]")) {
    const words = `${each.dataset.before ?? ""}${ago(Number(each.dataset.since))}${each.dataset.after ?? ""}`;
    if (each.textContent !== words) each.textContent = words;
  }
}

function meter(shown) {
  if (!shown) return "";
  if (shown.fault) return "Jackpot out of order";
  return shown.cents === null ? `Jackpot ${shown.offer}` : `Jackpot ${dollars(shown.cents)}`;
}

// ---- alerts

function alertCard(alert) {
  const often = alert.times > 1 ? `, ${alert.times} times` : "";
  const refused = refusals.get(alert.alert);
  const over = alert.over !== null;
  return make(
    "article",
    { class: `alert ${alert.urgency}${over ? " over" : ""}`, "data-key": keyOf(alert) },
    make("h3", {}, make("b", {}, alert.table), ` ${alert.title} `, make("small", {}, `since ${clock(alert.since)}${often}`, over ? "" : ", ", over ? "" : age(alert.since, "", ""))),
    make("p", {}, alert.text),
    over ? make("p", { class: "gone" }, `Its cause is gone since ${clock(alert.over)}.`) : alert.step ? make("p", { class: "step" }, alert.step) : null,
    refused ? make("p", { class: "refusal", role: "alert" }, refused) : null,
    alert.alert === null
      ? make("p", { class: "step" }, "It is not recorded yet.")
      : make("button", { type: "button", class: "plain strong", "data-alert": alert.alert, "aria-label": `Acknowledge: ${alert.table}, ${alert.title}` }, "Acknowledge"),
  );
}

function acknowledgedRow(alert) {
  const when = alert.acknowledged === null ? "" : `, ${clock(alert.acknowledged)}`;
  return make("article", { class: "known" }, make("h3", {}, make("b", {}, alert.table), ` ${alert.title} `, make("small", {}, `acknowledged${when}; it still stands`)), make("p", {}, alert.text));
}

const keyOf = (alert) => `${alert.table} ${alert.kind} ${alert.alert}`;

/**
 * Draws the alerts, each in an element of its own for as long as it is there: who is about to press a button never
 * presses that of another alert which has just come to its place.
 */
function drawAlerts() {
  const list = at("alerts");
  const before = new Map([...list.querySelectorAll("[data-key]")].map((node) => [node.dataset.key, node]));
  const focused = focusedAlert();
  const loud = floor.alerts.map((alert) => drawn(before.get(keyOf(alert)), alertCard(alert)));
  const wanted = [
    ...(floor.unrecorded ? [make("p", { class: "refusal" }, UNRECORDED)] : []),
    ...(loud.length ? loud : [make("p", { class: "calm" }, "Nothing to acknowledge.")]),
    ...(floor.acknowledged.length ? [make("h2", {}, "Acknowledged"), ...floor.acknowledged.map(acknowledgedRow)] : []),
  ];
  if (!same([...list.children], wanted)) list.replaceChildren(...wanted);
  if (focused && document.activeElement?.dataset.alert !== focused) (list.querySelector(`[data-alert="${focused}"]`) ?? list).focus({ preventScroll: true });
  const order = floor.alerts.map(keyOf);
  if ([...before.keys()].some((key, n) => key !== order[n])) settle(list);
  at("needs-heading").textContent = loud.length ? `${many(loud.length, "alert")} to acknowledge` : "Alerts";
}

/** The alert whose button has the focus. */
const focusedAlert = () => (at("alerts").contains(document.activeElement) ? document.activeElement.dataset.alert : undefined);

/** Gives the focus back that a cut took away, unless it has gone elsewhere since. */
function resume() {
  if (interrupted && document.activeElement === document.body) at("alerts").querySelector(`[data-alert="${interrupted}"]`)?.focus({ preventScroll: true });
  interrupted = undefined;
}

/** The element that shows an alert already, brought up to date; or a new one. */
function drawn(old, card) {
  if (!old) return card;
  old.className = card.className;
  become(old, ...card.childNodes);
  return old;
}

const same = (nodes, others) => nodes.length === others.length && nodes.every((node, n) => node === others[n] || node.isEqualNode(others[n]));

/** Tells a screen reader what came, each alert once. */
function announce() {
  const now = new Map(floor.alerts.map((alert) => [`${alert.table} ${alert.kind} ${alert.times} ${alert.text}`, alert]));
  const fresh = known === null ? [] : [...now].filter(([key]) => !known.has(key)).map(([, alert]) => `${alert.table}: ${alert.title}. ${alert.text}`);
  if (fresh.length) at("heard").textContent = fresh.join(" ");
  known = new Set(now.keys());
}

// ---- tables

function density(count) {
  if (count <= 2) return "one";
  if (count <= 6) return "few";
  return count <= 20 ? "some" : "many";
}

function numbers(table, told) {
  const phase = STATES[table.state] && !table.lost && table.state !== "closed" ? told.phase : "";
  return [told.pace === null ? "" : `${told.pace}/h`, `round ${told.round}`, phase].filter(Boolean).join(" · ");
}

function tile(table) {
  const told = table.summary;
  const state = STATES[table.state] || told?.phase || "";
  const fault = told?.fault?.text;
  return make(
    "button",
    { type: "button", class: `tile ${table.state}`, "data-table": table.name },
    make("span", { class: "top" }, make("b", {}, table.name), make("i", {}, state)),
    table.lost ? make("span", { class: "bad" }, `since ${clock(table.lost.since / 1000)}${told ? "; what follows is old" : ""}`) : null,
    ...(told
      ? [
          make("span", { class: "game" }, told.title || told.game),
          make("span", { class: "numbers" }, numbers(table, told)),
          make("span", { class: "rest" }, table.ended === null ? "no round on record" : age(table.ended, "last round ", " ago")),
          told.limits.length ? make("span", { class: "rest" }, told.limits.map(([label, value]) => `${label} ${value}`).join(" · ")) : null,
          told.meter ? make("span", { class: "rest meter" }, meter(told.meter)) : null,
          fault && !table.lost ? make("span", { class: "rest bad" }, `${told.faults > 1 ? `${many(told.faults, "fault")}, first: ` : ""}${fault}`) : null,
        ]
      : [make("span", { class: "rest" }, "nothing is known of it")]),
    table.alerts ? make("span", { class: "count" }, many(table.alerts, "alert")) : null,
  );
}

function drawTables() {
  at("tables").dataset.density = density(floor.tables.length);
  become(at("tables"), ...floor.tables.map(tile));
  if (chosen) drawClosely();
}

function drawClosely() {
  const table = floor.tables.find((each) => each.name === chosen);
  if (!table) return at("closely").close();
  const told = table.summary;
  const since = (us) => (us ? clock(us / 1000) : "not known");
  const pairs = [
    ["State", STATES[table.state] || told?.phase || ""],
    ["Not heard", table.lost && `since ${clock(table.lost.since / 1000)}. ${table.lost.cause} ${table.lost.step}`],
    ["Last heard", table.last_heard && `${clock(table.last_heard)}: what follows is from then`],
    ["Game", told && `${told.title}${told.document ? `, document ${told.document}` : ""}`],
    ["Limits", told?.limits.map(([label, value]) => `${label} ${value}`).join(", ")],
    ["Round", told && `${told.round}, ${told.phase}`],
    ["Waits for", told?.waits],
    ["Pace", told && (told.pace === null ? "too few rounds" : `${told.pace} rounds an hour`)],
    ["Last round", table.ended && `ended ${clock(table.ended)}`],
    ["Prize meter", meter(told?.meter)],
    ["Faults", told && (told.fault ? `${told.faults}; the first since ${since(told.fault.since)}: ${told.fault.text}` : "none")],
    ["Version", told?.version],
  ].filter(([, value]) => value);
  become(
    at("closely"),
    make("div", { class: "sheet-head" }, make("h2", { id: "closely-title" }, `Table ${table.name}${table.here ? ", watched from here" : ""}`)),
    make("div", { class: "sheet-body", tabindex: "0", role: "group", "aria-label": `All of ${table.name}` }, make("dl", {}, pairs.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, `${value}`)]))),
    make(
      "div",
      { class: "sheet-foot" },
      make("button", { type: "button", class: "plain", "data-close": "yes" }, "Close"),
      table.page ? make("a", { class: "plain", href: `${table.page.replace(/\/$/, "")}/table`, target: "_blank", rel: "noopener" }, "Its felt") : null,
    ),
  );
}

at("tables").addEventListener("click", (event) => {
  const button = event.target.closest("[data-table]");
  if (!button) return;
  chosen = button.dataset.table;
  drawClosely();
  at("closely").showModal();
});
at("closely").addEventListener("click", (event) => event.target.closest("[data-close]") && at("closely").close());
at("closely").addEventListener("close", () => (chosen = ""));

// ---- people

const person = new Person(drawPerson);

function drawPerson(me) {
  const button = make("button", { type: "button", class: `plain ${me ? "" : "strong"}` }, me ? "Sign out" : "Sign in");
  button.addEventListener("click", () => (me ? person.signOut() : signIn(person)));
  at("person").replaceChildren(make("p", {}, me ? me.person : "Nobody is signed in", make("small", {}, me ? me.role.replaceAll("-", " ") : "")), button);
  if (me && wanted !== null) acknowledge(wanted);
}

async function acknowledge(number) {
  wanted = null;
  if (!person.me) {
    wanted = number;
    return signIn(person, "To acknowledge the alert. It is recorded with your name.");
  }
  const answer = await person.post("/floor/acknowledge", { alert: number });
  const error = answer.body.error;
  const gone = answer.status === 404;
  refusals = new Map(answer.ok || gone ? [] : [[number, `${error.cause[0].toUpperCase()}${error.cause.slice(1)}. ${error.next_step}`]]);
  if (answer.status === 401) acknowledge(number);
  else if (floor) drawAlerts();
}

at("alerts").addEventListener("click", (event) => {
  const button = event.target.closest("[data-alert]");
  if (button) acknowledge(Number(button.dataset.alert));
});
at("sheet").addEventListener("close", () => !person.me && (wanted = null));

// ---- the stream

function show(picture) {
  floor = picture.floor;
  ahead = picture.now - Date.now();
  const trouble = floor.alerts.some((alert) => alert.over === null && alert.urgency !== "fault");
  document.body.dataset.scene = floor.alerts.length ? (trouble ? "alarm" : "alert") : "well";
  document.title = floor.alerts.length ? `(${floor.alerts.length}) The floor` : "The floor";
  become(at("cut"));
  at("alerts").inert = false;
  connected(true);
  const lost = floor.tables.filter((table) => table.state === "lost").length;
  const words = [many(floor.tables.length, "table"), lost ? `${lost} not heard` : "", floor.alerts.length ? `${floor.alerts.length} to acknowledge` : "nothing to acknowledge"];
  const summary = words.filter(Boolean).join(", ");
  if (at("summary").textContent !== summary) at("summary").textContent = summary;
  drawAlerts();
  resume();
  drawTables();
  announce();
}

function cut() {
  offline(OFFLINE);
  interrupted ??= focusedAlert(); // it comes here again while nothing is heard
  at("alerts").inert = true;
}

setInterval(tick, 1000);
drawPerson(null);
person.find();
feed("/floor/events", show, cut);

