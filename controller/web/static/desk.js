// The director's desk: entries, places, the start, levels, moves, penalties, the award; each deed is on record.

import { become, make } from "./element.js";
import { Person } from "./person.js";
import { connected, offline, signIn } from "./sheet.js";
import { feed } from "./stream.js";

const OFFLINE = "No connection: what is shown may be old, and nothing can be done.";
const STAGES = { open: "before the start", running: "running", break: "break", over: "over" };
const at = (name) => document.getElementById(name);
const sheet = at("sheet");
const base = location.pathname.replace(/\/desk\/?$/, "");
const api = base.replace("/tournament/", "/tournaments/");
let desk = null;
let line = -1; // the line that the picture of the desk is up to

const dollars = (cents) => `$${(cents / 100).toLocaleString("en-US", { minimumFractionDigits: cents % 100 ? 2 : 0 })}`;
const spoken = (name) => name.replaceAll("-", " ");
const word = (text) => text.trim().split(/\s+/).join("-");

// ---- people

/** The director, or whoever the director has appointed. */
class DeskPerson extends Person {
  async signIn(badge, pin) {
    this.role = "tournament-director";
    const answer = await super.signIn(badge, pin);
    if (answer.ok || answer.body.error.code !== "sign-in.role") return answer;
    this.role = "deputy";
    return super.signIn(badge, pin);
  }
}

const person = new DeskPerson(drawPerson);

function drawPerson(me) {
  const button = make("button", { type: "button", class: `plain ${me ? "" : "strong"}` }, me ? "Sign out" : "Sign in");
  button.addEventListener("click", () => (me ? person.signOut() : signIn(person, "As the tournament director, or as a deputy.")));
  at("person").replaceChildren(make("p", {}, me ? me.person : "Nobody is signed in", make("small", {}, me ? spoken(me.role) : "")), button);
  look();
}

/** Reads what only the desk may know; without a director there is nothing to see here. */
async function look() {
  if (!person.me) return forget("nobody", "");
  const answer = await fetch(`${api}/desk`, { cache: "no-store" }).catch(() => null);
  if (!answer) return;
  const body = await answer.json();
  if (!answer.ok) return forget("nobody", `${body.error.cause[0].toUpperCase()}${body.error.cause.slice(1)}. ${body.error.next_step}`);
  desk = body;
  draw();
}

function forget(scene, why) {
  desk = null;
  if (document.body.dataset.scene !== "offline") document.body.dataset.scene = scene;
  become(at("keys"), make("p", { class: "calm" }, why || "Sign in to run the tournament."));
  become(at("people"));
  become(at("tables"));
  become(at("asks"));
}

// ---- deeds

async function post(deed, words, employees = false) {
  const answer = await person.post(`${api}/deeds`, { deed, words, employees });
  if (answer.ok) at("heard").textContent = `Done: ${[deed === "key" ? "" : deed, ...words].join(" ").trim()}.`;
  await look();
  return answer;
}

function button(text, call, kind = "plain") {
  const made = make("button", { type: "button", class: kind }, text);
  made.addEventListener("click", call);
  return made;
}

function close() {
  if (sheet.open) sheet.close();
}

/** A sheet with fields; `done(values)` returns the answer, and what is refused stays to be read. */
function form(title, says, fields, yes, done, danger = false) {
  const trouble = make("div", { role: "alert" });
  const made = fields.map((each) => field(each));
  const body = make("form", { class: "fields", id: "deed" }, trouble, made);
  const submit = make("button", { type: "submit", form: "deed", class: `plain ${danger ? "danger" : "strong"}` }, yes);
  body.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    const values = Object.fromEntries(fields.map(({ name, kind }) => [name, kind === "tick" ? body.elements[name].checked : body.elements[name].value]));
    const answer = await done(values);
    submit.disabled = false;
    if (answer.ok) return close();
    const { cause, rule, next_step: step } = answer.body.error;
    const cited = rule ? ` (rule ${rule})` : "";
    become(trouble, make("p", { class: "refusal" }, `${cause[0].toUpperCase()}${cause.slice(1)}${cited}. ${step}`));
  });
  sheet.className = "narrow";
  sheet.replaceChildren(
    make("div", { class: "sheet-head" }, make("h2", { id: "sheet-title" }, title), says ? make("p", {}, says) : null),
    make("div", { class: "sheet-body" }, body),
    make("div", { class: "sheet-foot" }, button("Cancel", close), submit),
  );
  if (!sheet.open) sheet.showModal();
  body.querySelector("input, select")?.focus();
}

function field({ name, label, kind = "text", value = "", choices = [] }) {
  if (kind === "tick") return make("label", { class: "tick" }, make("input", { type: "checkbox", name }), label);
  if (kind === "choice") return make("label", {}, label, make("select", { name }, choices.map((each) => make("option", { value: each }, spoken(each)))));
  return make("label", {}, label, make("input", { name, value, type: kind, required: "required", autocomplete: "off", min: kind === "number" ? "1" : null, step: kind === "number" ? "any" : null }));
}

/** A key that comes with no words: at once, or after the question where it stays done. */
function alone(key, label) {
  form(`${label}?`, desk.keys[key], [], `Yes: ${label}`, () => post("key", [key]), key === "award");
}

// ---- keys

function keyButton(key, label, { done = false, call = () => alone(key, label), says = "" } = {}) {
  const why = desk.refusals[key] ?? "";
  const kind = done ? "done" : why ? "never" : key === "award" ? "final" : "";
  const made = make("button", { type: "button", class: `key ${kind}`, "data-key": key }, label, make("small", {}, done ? "done" : why ? `not now: ${why}` : says || desk.keys[key] || ""));
  made.addEventListener("click", call);
  return made;
}

function drawKeys() {
  const names = Object.keys(desk.deputies);
  const pair = (...both) => make("div", { class: "pair" }, both);
  become(
    at("keys"),
    pair(keyButton("enter", "Enter", { call: enter, says: "people pay and enter" }), keyButton("withdraw", "Withdraw", { call: () => choose("withdraw"), says: "somebody withdraws" })),
    pair(keyButton("substitute", "Substitute", { call: substitute, says: "another takes over" }), keyButton("seat", "Seat", { call: seat, says: "the draw gave a place" })),
    pair(keyButton("publish", "Publish", { done: desk.published }), keyButton("advise", "Advise", { done: desk.advised })),
    pair(keyButton("briefed", "Briefed", { done: desk.briefed }), keyButton("practice", "Practice", { call: () => number("practice", "Practice", "Rounds of each table", "3") })),
    keyButton("start", desk.room.session ? "Start the next session" : "Start"),
    pair(keyButton("level", "Level", { call: () => number("level", "Level", "Level", `${Math.min(desk.room.level + 1, desk.room.levels)}`) }), keyButton("postpone", "Postpone", { call: postpone })),
    pair(keyButton(desk.present ? "away" : "present", desk.present ? "Director leaves" : "Director is back"), keyButton("deputy", "Deputy", { call: deputy, says: names.length ? names.map((each) => `${spoken(each)} ${desk.deputies[each] ? "present" : "away"}`).join(", ") : desk.keys.deputy })),
    keyButton("award", "Award"),
  );
}

const enter = () =>
  form("Enter", "Names with commas between them; each pays fee and buy-in.", [{ name: "names", label: "Names" }, { name: "employees", label: "They are employees", kind: "tick" }], "Enter", ({ names, employees }) =>
    post("enter", names.split(",").map((each) => each.trim()).filter(Boolean), employees),
  );
const players = (states) => desk.people.filter((each) => states.includes(each.state)).map((each) => each.name);
const choose = (deed) => form("Withdraw", "What was paid goes back as the terms say.", [{ name: "who", label: "Who", kind: "choice", choices: players(["in"]) }], "Withdraw", ({ who }) => post(deed, [who]));
const substitute = () =>
  form("Substitute", "The other takes over bank and place.", [{ name: "who", label: "Who leaves", kind: "choice", choices: players(["in"]) }, { name: "other", label: "Who comes" }], "Substitute", ({ who, other }) => post("substitute", [who, other]));
const tables = () => desk.tables.filter((each) => !each.broken).map((each) => each.name);
const seat = () =>
  form("Seat", "Others get their places by lot.", [{ name: "who", label: "Who", kind: "choice", choices: players(["in"]) }, { name: "table", label: "Table", kind: "choice", choices: tables() }, { name: "place", label: "Place", kind: "number", value: "1" }], "Seat", ({ who, table, place }) => post("seat", [table, place, who]));
const number = (key, label, what, value) => form(label, desk.keys[key], [{ name: "number", label: what, kind: "number", value }], label, ({ number: given }) => post("key", [key, given]));
const postpone = () => form("Postpone", desk.keys.postpone, [{ name: "time", label: "By how long, such as 30m", value: "30m" }], "Postpone", ({ time }) => post("key", ["postpone", time]));
const deputy = () => form("Deputy", desk.keys.deputy, [{ name: "who", label: "Name, as people.toml has it" }], "Appoint", ({ who }) => post("key", ["deputy", word(who)]));

// ---- players

function drawPeople() {
  const rows = [...desk.people].sort((one, other) => (one.place ?? 1e6) - (other.place ?? 1e6));
  at("everybody-heading").textContent = `${desk.room.left} of ${desk.room.entered} players in`;
  become(at("people"), ...(rows.length ? rows.map(onePerson) : [make("p", { class: "calm" }, "Nobody has entered.")]));
}

function onePerson(each) {
  const notes = [
    each.table ? `${each.table}, place ${each.seat}` : "",
    each.state === "in" ? "" : `${each.state}${each.rule ? ` (rule ${each.rule})` : ""}`,
    each.buys_back ? "may buy back" : "",
    each.employee ? "employee" : "",
    each.rebuys ? `${each.rebuys} re-buys` : "",
    each.add_ons ? `${each.add_ons} add-ons` : "",
    each.warnings ? `${each.warnings} warnings` : "",
    each.refund ? `${dollars(each.refund)} back` : "",
    each.prize ? `prize ${dollars(each.prize)}` : "",
  ].filter(Boolean);
  const more = make("button", { type: "button", class: "plain", "data-person": each.name, "aria-label": `Do something about ${spoken(each.name)}` }, "···");
  return make(
    "article",
    { class: `one ${each.state}${each.buys_back ? " back" : ""}` },
    make("b", {}, each.place === null ? "" : `${each.place}`),
    make("p", {}, spoken(each.name), make("small", {}, notes.join(", "))),
    make("i", {}, each.bank ? dollars(each.bank) : ""),
    more,
  );
}

/** What can be done about one player. */
function about(name) {
  const deed = (key, label, ask) => {
    const made = make("button", { type: "button", class: `key ${["disqualify", "retire"].includes(key) ? "final" : ""}` }, label, make("small", {}, desk.keys[key]));
    made.addEventListener("click", ask ?? (() => form(`${label}: ${spoken(name)}?`, desk.keys[key], [], `Yes: ${label}`, () => post("key", [key, name]), ["disqualify", "retire"].includes(key))));
    return made;
  };
  const penalty = () => form(`Penalty: ${spoken(name)}`, desk.keys.penalty, [{ name: "amount", label: "Chips that leave the bank, in dollars", kind: "number", value: "100" }], "Take them", ({ amount }) => post("key", ["penalty", name, amount]), true);
  const warning = () => form(`Warn ${spoken(name)}?`, desk.keys.penalty, [], "Yes: warn", () => post("key", ["penalty", name, "warning"]));
  const move = () => form(`Move ${spoken(name)}`, desk.keys.move, [{ name: "table", label: "To table", kind: "choice", choices: tables() }], "Move", ({ table }) => post("key", ["move", name, table]));
  sheet.className = "";
  sheet.replaceChildren(
    make("div", { class: "sheet-head" }, make("h2", { id: "sheet-title" }, spoken(name))),
    make("div", { class: "sheet-body" }, make("div", { class: "deeds" }, deed("rebuy", "Re-buy"), deed("add-on", "Add-on"), deed("move", "Move", move), deed("penalty", "Warning", warning), deed("penalty", "Penalty in chips", penalty), deed("retire", "Retire"), deed("disqualify", "Disqualify"))),
    make("div", { class: "sheet-foot" }, button("Close", close)),
  );
  if (!sheet.open) sheet.showModal();
}

at("people").addEventListener("click", (event) => {
  const chosen = event.target.closest("[data-person]");
  if (chosen) about(chosen.dataset.person);
});

// ---- tables

function drawTables() {
  become(at("tables"), ...(desk.tables.length ? desk.tables.map(oneTable) : [make("p", { class: "calm" }, "No table is designated. An area manager does that at the table: felt tournament table NAME, or the key set tournament=NAME.")]));
}

function oneTable(each) {
  const says = each.broken ? "broken" : each.running ? "a round runs" : each.shut || "open for a round";
  return make(
    "article",
    { class: `table${each.shut || each.broken ? " shut" : ""}` },
    make("div", {}, make("h3", {}, each.name), make("small", {}, `${each.people} of ${each.places} places, level ${each.level}, ${each.played} played; ${says}`)),
    make("button", { type: "button", class: "plain", "data-table": each.name, "aria-label": `Do something about table ${each.name}` }, "···"),
  );
}

function aboutTable(name) {
  const deed = (words, label, says) => {
    const made = make("button", { type: "button", class: "key final" }, label, make("small", {}, says));
    made.addEventListener("click", () => form(`${label}: ${name}?`, says, [], `Yes: ${label}`, () => post("key", words), true));
    return made;
  };
  sheet.className = "narrow";
  sheet.replaceChildren(
    make("div", { class: "sheet-head" }, make("h2", { id: "sheet-title" }, `Table ${name}`)),
    make("div", { class: "sheet-body" }, deed(["break", name], "Break", desk.keys.break), deed(["end-table", name], "End early", desk.keys["end-table"]), deed(["end-table", name, "agreed"], "End by agreement", "all agree, and the chips are paid in cash")),
    make("div", { class: "sheet-foot" }, button("Close", close)),
  );
  if (!sheet.open) sheet.showModal();
}

at("tables").addEventListener("click", (event) => {
  const chosen = event.target.closest("[data-table]");
  if (chosen) aboutTable(chosen.dataset.table);
});

// ---- the stream

function draw() {
  const room = desk.room;
  document.body.dataset.scene = room.stage;
  const session = room.sessions > 1 && room.session ? `, session ${room.session} of ${room.sessions}` : "";
  at("summary").textContent = `${STAGES[room.stage]}${session}, level ${room.level}: ${room.limits}${room.bets ? `, bets ${room.bets}` : ""}, pool ${dollars(room.pool)}${room.final ? ", awarded" : ""}`;
  become(at("asks"), ...(desk.asks ? [document.createTextNode(desk.asks)] : []));
  drawKeys();
  drawPeople();
  drawTables();
}

function show({ cup }) {
  at("title").textContent = cup.room.name;
  document.title = `${cup.room.name}: the desk`;
  become(at("cut"));
  connected(true);
  if (document.body.dataset.scene === "offline") document.body.dataset.scene = person.me ? cup.room.stage : "nobody";
  for (const part of ["keys", "people", "tables"]) at(part).inert = false;
  if (cup.line !== line || !desk) look();
  line = cup.line;
}

function cut() {
  offline(OFFLINE);
  for (const part of ["keys", "people", "tables"]) at(part).inert = true;
}

drawPerson(null);
person.find();
feed(`${base}/events`, show, cut);
