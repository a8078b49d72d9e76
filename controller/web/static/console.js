// The dealer's console: what is due, who decides what, what is wrong, and big keys, of which those are lit that may be pressed.

import { make, rule } from "./element.js";
import { Person } from "./person.js";
import * as sheet from "./sheet.js";
import { feed } from "./stream.js";

const body = document.body;
const at = (name) => document.getElementById(name);
const TABS = [["plays", "Game"], ["reports", "Report"], ["asks", "Rulings and table"]];

let picture = null;
let declared = null;
let connected = false;
const presses = []; // presses that are under way or wait for those before them, in the order of the touches
let tab = "plays";
let refused = null; // the key that was refused last: its name, why, the rule
let newest = -1;
const tiles = new Map();
let guarded = []; // alerts of game protection: told to who could clear them, and to nobody else
let heardAs = null; // the session as which the stream was opened
let end = null; // ends the stream
const person = new Person(changed);

// ---- who may do what

const rank = (role) => Object.keys(declared.ranks).indexOf(role);
const may = (role) => person.me !== null && rank(person.me.role) >= rank(role);
const keyOf = (name) => declared.keys.find((key) => key.key === name);
const nowOf = (name) => picture.keys.find((key) => key.key === name);

function needs(role) {
  if (person.me === null) return "sign in first";
  return may(role) ? "" : `needs the ${declared.ranks[role]}`;
}

const toSignIn = (why = "") => sheet.signIn(person, why);

/** Whoever signs in or out is another one to the stream: it tells alerts to who could clear them. */
function changed() {
  if (!person.me) guarded = [];
  draw();
  if (heardAs !== (person.me?.csrf ?? null)) listen();
}

function guard(alerts) {
  guarded = alerts;
  draw();
}

const CAME_OF_IT = ["Looked at: nothing wrong", "Put right", "Handed to surveillance"];

function protectionAlert(each) {
  const answers = CAME_OF_IT.map((reason) => {
    const made = make("button", { type: "button", class: "answer", "data-key": `${each.alert} ${reason}` }, reason);
    made.addEventListener("click", async () => {
      const answer = await person.post("/protection/clear", { alert: each.alert, reason });
      say(answer.ok ? "done" : "refused", answer.ok ? `Alert ${each.alert}: cleared.` : `${answer.body.error.cause}.`);
    });
    return made;
  });
  return make(
    "section",
    { class: "matter protection", "data-alert": each.alert },
    make("h3", {}, `Game protection: ${each.title}`),
    make("p", {}, each.text),
    each.step ? make("p", {}, each.step) : null,
    make("div", { class: "answers" }, answers),
  );
}

// ---- pressing

/** Presses a key after those touched before it: a quick hand loses no touch, and a touch that is repeated counts once. */
async function send(key, args) {
  const words = [key.label, ...args].join(" ");
  if (!connected || presses.some((each) => each.words === words)) return;
  presses.push({ key, args, words });
  saySent();
  if (presses.length > 1) return;
  body.dataset.pressing = "true";
  while (presses.length) {
    await pressed(presses[0]);
    presses.shift();
    if (presses.length) saySent();
    else delete body.dataset.pressing;
    draw();
  }
}

const together = (several) => several.map((each) => each.words).join(", ");

/** Says what was touched and is not on record: a card that is dealt now may come before it. */
const saySent = () => say("sent", `${together(presses)}: not taken yet.`);

/** Sends one press and says what came of it; what was touched behind one that is refused was meant for another table. */
async function pressed({ key, args, words }) {
  refused = null;
  const answer = await person.press(key.key, args);
  if (answer.ok) return say("done", `${words}: done.`);
  const { cause, rule: number, next_step: step } = answer.body.error;
  const behind = presses.splice(1);
  refused = { key: key.key, args: args.join(" "), why: cause, rule: number };
  say("refused", `${words}: ${cause}.`, number, behind.length ? ` Not pressed: ${together(behind)}.` : "");
  if (answer.status === 401) toSignIn(`${cause}. ${step}`);
}

function say(kind, text, number = "", more = "") {
  at("result").className = kind;
  at("result").replaceChildren(...[text, rule(number), more].filter(Boolean));
}

/** Presses a key, after asking for words that are missing, and once more before what cannot be taken back. */
function press(name, { args = [], bounds = null, ready = false } = {}) {
  if (!connected || picture === null) return;
  const key = keyOf(name);
  const now = nowOf(name);
  const final = (words) => (key.final ? sheet.confirm(key, words, () => send(key, words)) : send(key, words));
  const { whole, more } = sheet.standing(key, sheet.told(key, args));
  if (whole && (ready || !more.length)) return final(args);
  sheet.ask(key, args, { picture, declared, lit: now?.places ?? [], bounds }, final);
}

function answerButton(answer) {
  const why = needs(answer.role);
  const made = make("button", { type: "button", class: "answer", "data-key": answer.key, "aria-disabled": why ? "true" : null }, answer.label, why ? make("small", {}, why) : null);
  const bounds = answer.most ? [answer.least, answer.most] : null;
  made.addEventListener("click", () => (why ? toSignIn(`${answer.label}: ${why}.`) : press(answer.key, { args: answer.args, bounds, ready: answer.whole })));
  const no = refused !== null && refused.key === answer.key && refused.args === answer.args.join(" ");
  return no ? [made, refusal()] : [made];
}

const refusal = () => make("p", { class: "refusal" }, refused.why, rule(refused.rule));

// ---- at the left

function matter(each) {
  return make(
    "section",
    { class: `matter ${each.severity}` },
    make("h3", {}, each.title),
    make("p", {}, each.text, rule(each.rule)),
    each.steps.length ? make("ol", {}, each.steps.map((step) => make("li", {}, step))) : null,
    make("div", { class: "answers" }, each.answers.flatMap(answerButton)),
  );
}

function nobody() {
  const button = make("button", { type: "button", class: "plain strong" }, "Sign in with badge and PIN");
  button.addEventListener("click", () => toSignIn());
  return make("section", { class: "matter nobody" }, make("h3", {}, "Nobody is signed in"), make("p", {}, "Keys on this page are pressed by name."), make("div", { class: "answers" }, button));
}

function cards() {
  const parts = picture.cards.map((each) => make("span", { class: each.due ? "due" : null }, each.text, rule(each.rule)));
  return make("a", { href: "/cards", "data-key": "cards" }, make("b", {}, "Cards"), parts);
}

/** Draws a part anew only if it changed: people may be reading it, or have a finger on it. */
function part(name, what, drawn) {
  const now = JSON.stringify([what, person.me?.role ?? null, refused]);
  if (at(name).drawn === now) return;
  const had = at(name).contains(document.activeElement) ? document.activeElement.dataset.key : null;
  at(name).drawn = now;
  at(name).replaceChildren(...drawn());
  if (had) (at(name).querySelector(`[data-key="${had}"]`) ?? at("keys")).focus();
}

function decision(each) {
  return make(
    "section",
    { class: "decision", "data-place": each.place },
    make("h3", {}, each.label),
    make("div", { class: "answers" }, each.answers.flatMap(answerButton)),
    each.chips || each.rule ? make("p", { class: "chips" }, each.chips, rule(each.rule)) : null,
  );
}

// ---- keys

function layKeys() {
  tiles.clear();
  for (const key of declared.keys) {
    const tile = make("button", { type: "button", class: "key", "data-key": key.key });
    tile.addEventListener("click", () => touched(key));
    tiles.set(key.key, tile);
  }
  at("tabs").replaceChildren(
    ...TABS.map(([manner, text]) => {
      const made = make("button", { type: "button", role: "tab", id: `tab-${manner}`, "aria-controls": "keys", "data-manner": manner }, text);
      made.addEventListener("click", () => choose(manner));
      made.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step) choose(TABS[(TABS.findIndex(([each]) => each === manner) + step + TABS.length) % TABS.length][0], true);
      });
      return made;
    }),
  );
}

function choose(manner, focus = false) {
  tab = manner;
  draw();
  at("keys").scrollTop = 0;
  if (focus) at(`tab-${manner}`).focus();
}

function touched(key) {
  const now = nowOf(key.key);
  const why = now === undefined ? "" : needs(now.role);
  if (now === undefined) return;
  if (!now.lit) return sheet.explain(key, `Not now: ${now.why.text}.`, now.why.rule);
  if (why) return sheet.explain(key, `This ${person.me ? why : "needs somebody who is signed in"}.`, "", [["Sign in", () => toSignIn(`${key.label}: ${why}.`)]]);
  press(key.key, { ready: now.alone && tab === "plays" });
}

/** Keys that are due stand in the first tab too, whatever their kind. */
const stands = (key, now) => key.manner === tab || (tab === "plays" && now?.due);

function keys() {
  const shown = [];
  const counts = { plays: 0, reports: 0, asks: 0 };
  for (const key of declared.keys) {
    const now = nowOf(key.key);
    const lit = Boolean(now?.lit) && may(now.role);
    if (lit) counts[key.manner] += 1;
    const tile = tiles.get(key.key);
    const no = refused?.key === key.key ? refused : null;
    const lacks = now?.lit && person.me ? needs(now.role) : "";
    const drawn = JSON.stringify([lit, now?.due, lacks, no]);
    if (tile.drawn !== drawn) {
      tile.drawn = drawn;
      tile.className = `key${lit ? " lit" : ""}${now?.due ? " due" : ""}`;
      tile.setAttribute("aria-disabled", !lit);
      tile.replaceChildren(
        make("b", {}, key.label),
        make("small", {}, key.says),
        ...(lacks ? [make("small", { class: "needs" }, lacks)] : []),
        ...(no ? [make("span", { class: "refused" }, no.why, rule(no.rule))] : []),
      );
    }
    if (stands(key, now)) shown.push([now?.due && now.lit ? 0 : 1, tile]);
  }
  const wanted = [...shown.filter(([late]) => !late), ...shown.filter(([late]) => late)].map(([, tile]) => tile);
  if (wanted.length !== at("keys").children.length || wanted.some((tile, n) => at("keys").children[n] !== tile)) {
    const held = at("keys").contains(document.activeElement) ? document.activeElement : null;
    at("keys").replaceChildren(...wanted);
    if (held) (wanted.includes(held) ? held : at("keys")).focus();
  }
  at("keys").setAttribute("aria-labelledby", `tab-${tab}`);
  for (const button of at("tabs").children) {
    const { manner } = button.dataset;
    const chosen = manner === tab;
    button.setAttribute("aria-selected", chosen);
    button.tabIndex = chosen ? 0 : -1;
    const text = TABS.find(([each]) => each === manner)[1];
    button.replaceChildren(text, make("i", { "aria-label": `${counts[manner]} lit` }, String(counts[manner])));
  }
}

// ---- above

function head() {
  at("title").textContent = picture.title;
  document.title = `${picture.title}: the dealer's console`;
  const called = picture.round_called[0].toUpperCase() + picture.round_called.slice(1);
  at("round").replaceChildren(...(picture.number ? [`${called} ${picture.number}, `] : []), make("b", {}, picture.phase));
  const words = { bets: "Bets", deal: "Cards" };
  at("gates").replaceChildren(...picture.gates.map((gate) => make("li", { class: `gate${gate.open ? " open" : ""}` }, `${words[gate.name]} ${gate.open ? "open" : "closed"}`)));
}

function who() {
  part("person", person.me?.person ?? null, () => {
    const button = make("button", { type: "button", class: `plain${person.me ? "" : " strong"}`, "data-key": "person" }, person.me ? "Sign out" : "Sign in");
    button.addEventListener("click", () => (person.me ? person.signOut() : toSignIn()));
    const name = person.me ? make("p", {}, person.me.person, make("small", {}, declared?.ranks[person.me.role] ?? person.me.role.replaceAll("-", " "))) : null;
    return [name, button].filter(Boolean);
  });
}

function draw() {
  if (picture === null || declared === null) return;
  body.dataset.person = person.me?.person ?? "";
  head();
  who();
  part("waiting", picture.waiting, () => picture.waiting.map((each) => make("li", {}, each.text, rule(each.rule))));
  const matters = () => [...(person.me ? [] : [nobody()]), ...picture.matters.map(matter), ...guarded.map(protectionAlert)];
  part("matters", [picture.matters, guarded], matters);
  part("cards", picture.cards, () => [cards()]);
  part("decisions", picture.decisions, () => picture.decisions.map(decision));
  keys();
}

// ---- live

function show(p) {
  if (p === null) return cut("No game yet: nothing can be pressed.");
  if (!connected) person.find(); // the daemon may have been renewed, and sessions end with it
  if (!connected) sheet.connected(true);
  connected = true;
  picture = p;
  at("cut").textContent = "";
  for (const each of document.querySelectorAll("#now, #desk, #person")) each.inert = false;
  body.dataset.scene = p.stopped ? "stopped" : p.phase.replaceAll(" ", "-");
  body.dataset.round = p.number;
  draw();
}

function cut(words = "No connection to the table: nothing can be pressed here. What is shown may be old.") {
  connected = false;
  sheet.connected(false, words);
  for (const each of document.querySelectorAll("#now, #desk, #person")) each.inert = true;
  body.dataset.scene = "offline";
  if (at("cut").textContent !== words) at("cut").textContent = words;
}

function declare(given) {
  if (given === null || JSON.stringify(given) === JSON.stringify(declared)) return;
  declared = given;
  layKeys();
}

function tell(event) {
  if (event.seq <= newest) return;
  newest = event.seq;
  at("told").textContent = event.sentences.at(-1).text;
}

function listen() {
  heardAs = person.me?.csrf ?? null;
  end?.();
  end = feed("/console/events", show, cut, { declared: declare, told: tell, alerts: guard, anew: () => (newest = -1) });
}

listen();
