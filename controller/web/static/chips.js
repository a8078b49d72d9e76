// The float of the table: what was done to it is told here by name, and confirmed by a witness where the house wants one.

import { become, make } from "./element.js";
import { Person } from "./person.js";
import { connected, offline, signIn } from "./sheet.js";
import { feed } from "./stream.js";

const OFFLINE = "No connection: what is shown may be old, and nothing can be recorded.";
const at = (name) => document.getElementById(name);
const upper = (text) => text && text[0].toUpperCase() + text.slice(1);
const label = (deed) => upper(deed);
const when = (moment) => new Date(moment.at).toLocaleString([], { hour12: false, day: "2-digit", month: "2-digit", hour: "2-digit", minute: "2-digit" });
let picture = null;
let end = null; // ends the stream
let pending = []; // what waits for a witness: code, deed, amount, person, until, why it was refused last

// ---- what can be done

function key(each) {
  const says = [make("b", {}, label(each.deed)), make("small", {}, each.says), each.why ? make("small", {}, `Not now: ${each.why}`) : make("small", {}, each.witness ? "a witness confirms it" : "")];
  return make("button", { type: "button", class: "key", "data-deed": each.deed, "aria-disabled": each.why ? "true" : null }, says);
}

function drawDeeds() {
  become(at("deeds"), ...(person.me ? picture.deeds.map(key) : [make("p", { class: "calm" }, "Whoever did something to the float signs in and tells it here.")]));
  become(at("beside"), ...(person.me ? [make("button", { type: "button", class: "plain", "data-confirm": "yes" }, "Confirm a code")] : []));
  const words = picture.open ? "A shift runs" : "No shift runs: the float is counted first";
  if (at("summary").textContent !== words) at("summary").textContent = words;
}

function waiting(each) {
  const own = person.me?.person === each.person;
  const text = own || !person.me ? "The witness signs in" : `Confirm as ${person.me.person}`;
  return make(
    "div",
    { class: "pending", "data-code": each.code },
    make("p", {}, `${label(each.deed)} $${each.amount} by ${each.person} waits for a witness: `, make("code", {}, each.code)),
    make("button", { type: "button", class: "plain strong", "data-witness": each.code }, text),
    each.why ? make("p", { class: "refusal", role: "alert" }, each.why) : null,
  );
}

function drawPending() {
  pending = pending.filter((each) => each.until > Date.now());
  become(at("pending"), ...pending.map(waiting));
}

// ---- the shift

function sums(shift) {
  const rows = [
    ["Opening", shift.opening],
    ["Fills", shift.fills],
    ["Credits", shift.credits],
    ["Buy-ins", shift.buy_ins],
    ["Markers", shift.markers],
    ["Should be in the drop box", shift.noted],
    ["Drop, as counted", shift.drop],
    ["Closing", shift.closing],
    ["Win, as counted", shift.win, "sum"],
    ["Rounds that are over", shift.rounds_win, "sum"],
    ["Difference", shift.difference, "sum"],
    ...shift.named.map((each) => [upper(each.what), each.amount]),
  ];
  const told = rows.filter(([name, value]) => value !== null && (picture.open ? name !== "Rounds that are over" : true));
  return make("dl", {}, told.flatMap(([name, value, kind]) => [make("dt", { class: kind ?? null }, name), make("dd", { class: kind ?? null }, value)]));
}

function entry(each) {
  const people = [each.by.name, each.witness.name && `witness ${each.witness.name}`, each.slip && `slip ${each.slip}`, each.note].filter(Boolean);
  return make("li", {}, make("span", {}, `${when(each.at)} ${label(each.deed)}`), make("i", {}, each.amount), make("small", {}, people.join(", ")));
}

function drawShift() {
  const { shift, sees } = picture;
  if (!sees) return become(at("shift"), make("h2", {}, "The shift"), make("p", { class: "calm" }, "Its numbers are for supervisors, those above, and inspectors who are signed in."));
  if (shift === null) return become(at("shift"), make("h2", {}, "The shift"), make("p", { class: "calm" }, "No float was counted yet."));
  const ended = shift.closed ? ` to ${when(shift.closed)}` : "";
  become(
    at("shift"),
    make("h2", {}, `The shift of ${when(shift.opened)}${ended}`),
    sums(shift),
    ...shift.notes.map((note) => make("p", { class: "note" }, `${upper(note)}.`)),
    make("h2", {}, "On record"),
    make("ul", {}, [...shift.entries].reverse().map(entry)),
  );
}

// ---- forms

function field(name, text, attributes) {
  const id = `field-${name}`;
  return make("div", { class: "field" }, make("label", { for: id }, text), make("input", { id, name, autocomplete: "off", ...attributes }));
}

function shifts() {
  const options = picture.shifts.map((each) => make("option", { value: `${each.seq}` }, `opened ${when(each)}`));
  return make("div", { class: "field" }, make("label", { for: "field-about" }, "Of which shift"), make("select", { id: "field-about", name: "about" }, make("option", { value: "0" }, "the one that was closed last"), options));
}

function open(title, says, fields, button, sent) {
  const form = make(
    "form",
    { method: "dialog" },
    make("div", { class: "sheet-head" }, make("h2", { id: "deed-title" }, title), make("p", {}, says)),
    make("div", { class: "sheet-body" }, make("p", { id: "refused", role: "alert" }), fields, make("p", { class: "dim" }, "It is recorded with your name.")),
    make("div", { class: "sheet-foot" }, make("button", { type: "button", class: "plain", "data-close": "yes" }, "Cancel"), make("button", { type: "submit", class: "plain strong" }, button)),
  );
  form.addEventListener("submit", (event) => (event.preventDefault(), sent(Object.fromEntries(new FormData(form)))));
  at("deed").replaceChildren(form);
  at("deed").showModal();
  at("deed").querySelector("input").focus();
}

function ask(deed) {
  const each = picture.deeds.find((one) => one.deed === deed);
  if (each.why) return say("", `${label(deed)}: ${each.why}.`);
  const fields = [
    field("amount", "Dollars", { inputmode: "decimal", required: "yes", maxlength: "16", pattern: "-?[0-9]+([.][0-9]{1,2})?", title: "Dollars, such as 10 or 2.50" }),
    field("slip", "Number of the slip", { maxlength: "60" }),
    field("note", "In words; a counter-entry, with a negative amount, needs it", { maxlength: "200" }),
    deed === "drop" ? shifts() : null,
  ];
  open(label(deed), upper(each.says), fields, label(deed), (entered) => record(deed, entered));
}

const refusal = ({ cause, next_step: step }) => [cause, step].filter(Boolean).map((each) => upper(each).replace(/\.?$/, ".")).join(" ");
const onRecord = ({ deed, amount, witness, seq }) => `${label(deed)} $${amount}: on record${witness ? `, witness ${witness}` : ""} (fact ${seq}).`;

function say(done, refused = "") {
  at("done").textContent = done || refused;
}

async function record(deed, { amount, slip, note, about }) {
  const wish = { deed, amount: amount.trim(), slip: slip.trim(), note: note.trim(), about: Number(about ?? 0) };
  const answer = await person.post("/float", wish);
  if (!answer.ok) {
    at("refused").textContent = refusal(answer.body.error);
    return;
  }
  at("deed").close();
  if (answer.body.confirm) {
    pending.push({ ...answer.body, code: answer.body.confirm, until: Date.now() + answer.body.minutes * 60000 });
    say(`${label(deed)}: nothing is on record before a witness confirms it, here or with felt float confirm, within ${answer.body.minutes} minutes.`);
  } else say(onRecord(answer.body));
  drawPending();
}

/** Whoever did it signs out first; then the witness signs in, and touches the button once more. */
async function witness(code) {
  const each = pending.find((one) => one.code === code);
  if (person.me === null || person.me.person === each.person) {
    if (person.me) await person.signOut();
    return signIn(person, `The witness of ${label(each.deed)} $${each.amount}.`);
  }
  const answer = await confirm(code);
  if (!answer.ok) each.why = refusal(answer.body.error);
  drawPending();
}

async function confirm(code) {
  const answer = await person.post("/float/confirm", { code });
  if (answer.ok) {
    pending = pending.filter((one) => one.code !== code.toUpperCase());
    say(onRecord(answer.body));
  }
  return answer;
}

function askCode() {
  const sent = async ({ code }) => {
    const answer = await confirm(code.trim());
    if (answer.ok) at("deed").close();
    else at("refused").textContent = refusal(answer.body.error);
    drawPending();
  };
  open("Confirm a code", "You saw what somebody else did: they have the code.", [field("code", "Code", { required: "yes", maxlength: "8", autocapitalize: "characters" })], "Confirm", sent);
}

document.body.addEventListener("click", (event) => {
  const pressed = event.target.closest("[data-deed], [data-witness], [data-confirm], [data-close]")?.dataset ?? {};
  if (pressed.deed) ask(pressed.deed);
  if (pressed.witness) witness(pressed.witness);
  if (pressed.confirm) askCode();
  if (pressed.close) at("deed").close();
});

// ---- people and the stream

const person = new Person(drawPerson);

function drawPerson(me) {
  const entrance = make("button", { type: "button", class: `plain ${me ? "" : "strong"}` }, me ? "Sign out" : "Sign in");
  entrance.addEventListener("click", () => (me ? person.signOut() : signIn(person)));
  at("person").replaceChildren(make("p", {}, me ? me.person : "Nobody is signed in", make("small", {}, me ? me.role.replaceAll("-", " ") : "")), entrance);
  if (!me && at("deed").open) at("deed").close();
  end?.();
  end = feed("/chips/events", show, cut); // what may be done, and who sees numbers, depends on the person
}

function show(shown) {
  picture = shown;
  document.body.dataset.scene = picture.open ? "open" : "closed";
  become(at("cut"));
  connected(true);
  drawDeeds();
  drawPending();
  drawShift();
}

const cut = () => offline(OFFLINE);

drawPerson(null);
person.find();
setInterval(drawPending, 5000);
