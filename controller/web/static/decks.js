// The decks of the table: what each is and where it is, what is to be done, and what who is signed in may do with it.

import { many } from "./counts.js";
import { become, make, rule } from "./element.js";
import { Person } from "./person.js";
import { connected, offline, signIn } from "./sheet.js";
import { feed } from "./stream.js";

const OFFLINE = "No connection: what is shown may be old, and nothing can be recorded.";
const FAULTS = ["marked", "bent", "torn", "soiled", "misprinted", "other"];
const at = (name) => document.getElementById(name);
let picture = null;
let end = null; // ends the stream
let asked = null; // the deed that is being filled in

const upper = (text) => text && text[0].toUpperCase() + text.slice(1);
const when = (by) => new Date(by.at).toLocaleString([], { hour12: false, day: "2-digit", month: "2-digit", hour: "2-digit", minute: "2-digit" });
const who = (by) => [by.person, by.role.replaceAll("-", " ")].filter(Boolean).join(", ");

// ---- decks

const DEEDS = {
  bring: ["Bring a deck", "It waits at the table until cards are replaced.", ["serial", "colour"]],
  name: ["Name", "Which deck it is that came without a name.", ["serial!", "colour"]],
  check: ["Checked", "The cards were looked through; the number, if they were counted.", ["count"]],
  order: ["Have them counted", "The dealer is told to count all cards, in a hand when that is over.", []],
  unfit: ["Unfit", "The deck leaves play, in a hand when that is over.", ["fault!", "cards", "note"]],
  change: ["Cards changed", "Single cards were changed for others: all are counted and shuffled then.", ["cards!", "fault!", "note"]],
  witness: ["I saw it", "You saw how it was boxed and sealed; somebody else did it.", []],
  seal: ["Box and seal", "It is in its box, with a slip and a seal.", ["slip!", "seal!", "witness!"]],
};
const FIELDS = {
  serial: "Serial number, or the code on the box",
  colour: "Colour of the backs",
  count: "Cards counted",
  fault: "What is wrong",
  cards: "Which cards, such as Kh 2c",
  note: "In words",
  slip: "Number of the card slip",
  seal: "Number of the seal",
  witness: "Who saw it",
};

function deedsOf(deck) {
  if (deck.standing === "sealed") return deck.sealed && !deck.sealed.seen ? ["witness"] : [];
  if (deck.standing === "out") return ["check", "seal"];
  const named = deck.serial ? [] : ["name"];
  return [...named, "check", "unfit", ...(deck.standing === "play" ? ["change"] : [])];
}

const button = (deed, deck, label) =>
  make("button", { type: "button", class: "plain", "data-deed": deed, "data-deck": `${deck}`, "aria-label": deck ? `${DEEDS[deed][0]}: deck ${deck}` : "" }, label ?? DEEDS[deed][0]);

function pairs(deck) {
  const checked = deck.inspected === null ? "nobody said so" : `inspection ${deck.inspected}`;
  const rows = [
    ["Checked", checked],
    ["Dealt", `${many(deck.hands, "hand")}, ${many(deck.shuffles, "shuffle")}`],
    ["Came", [when(deck.came), who(deck.came)].filter(Boolean).join(", ")],
    ["Named", deck.named && `${when(deck.named)}, ${who(deck.named)}`],
    ...deck.unfit.map((each) => [each.changed ? "Changed" : "Unfit", [[...each.cards, each.fault].join(" "), each.note, who(each.by)].filter(Boolean).join("; ")]),
    ["Left", deck.left && `${when(deck.left.by)}, ${deck.left.why}, ${who(deck.left.by)}`],
    ["Sealed", deck.sealed && `slip ${deck.sealed.slip}, seal ${deck.sealed.seal}, ${who(deck.sealed.by)}; seen by ${deck.sealed.witness}${deck.sealed.seen ? ", by their own word" : ""}`],
  ];
  return rows.filter(([, value]) => value);
}

function card(deck) {
  const may = person.me ? deedsOf(deck) : [];
  return make(
    "article",
    { class: `deck ${deck.standing}`, "data-number": `${deck.number}` },
    make("h3", {}, make("b", {}, `${deck.number}`), ` ${deck.serial || "without a name"}`, make("small", {}, [deck.colour && `${deck.colour} backs`, deck.in_words, deck.dealt && "dealt now"].filter(Boolean).join(" · "))),
    make("dl", {}, pairs(deck).flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])),
    may.length ? make("div", { class: "row" }, may.map((deed) => button(deed, deck.number))) : null,
  );
}

const ORDER = { play: 0, reserve: 1, out: 2, sealed: 3 };

function draw() {
  const { decks, duties, story, inspections } = picture.decks;
  const sorted = [...decks].sort((one, other) => ORDER[one.standing] - ORDER[other.standing] || one.number - other.number);
  become(at("decks"), ...sorted.map(card));
  become(at("deeds"), ...(person.me ? [button("bring", 0), button("check", 0, "All checked"), button("order", 0)] : []));
  become(at("duties"), ...(duties.length ? duties.map((each) => make("li", {}, upper(each.text), rule(each.rule))) : [make("li", { class: "calm" }, person.me ? "Nothing." : "Sign in to see it.")]));
  become(at("story"), ...story.map((each) => make("li", {}, make("time", {}, when(each.by)), ` ${upper(each.text)}`, who(each.by) ? make("small", {}, ` ${who(each.by)}`) : null)));
  if (!story.length) become(at("story"), make("li", { class: "calm" }, "Nobody has told anything yet."));
  become(at("inspections"), ...inspections.map(inspection));
  if (!inspections.length) become(at("inspections"), make("li", { class: "calm" }, "None is at hand."));
  const inPlay = decks.filter((deck) => deck.standing === "play").length;
  const words = [`${many(inPlay, "deck")} in play`, duties.length ? `${duties.length} to do` : ""].filter(Boolean).join(", ");
  if (at("summary").textContent !== words) at("summary").textContent = words;
}

function inspection(made) {
  const decks = made.decks.length > 1 ? `decks ${made.decks.join(", ")}` : `deck ${made.decks[0]}`;
  return make(
    "li",
    { class: made.right ? "" : "wrong" },
    make("b", {}, `${made.number} `),
    make("time", {}, when(made.by)),
    ` ${upper(decks)}: ${made.in_words}, ${made.why}`,
    rule(made.rule),
    who(made.by) ? make("small", {}, ` ${who(made.by)}`) : null,
    person.me ? make("a", { class: "plain", href: `/decks/inspections/${made.number}/receipt`, target: "_blank", rel: "noopener", "aria-label": `Receipt of inspection ${made.number}` }, "Receipt") : null,
  );
}

// ---- what people do

function field(name, needed) {
  const id = `field-${name}`;
  const attributes = { id, name, required: needed ? "yes" : null, autocomplete: "off", maxlength: name === "note" ? "120" : "60" };
  const entry =
    name === "fault"
      ? make("select", attributes, FAULTS.map((each) => make("option", {}, each)))
      : make("input", { ...attributes, ...(name === "count" ? { inputmode: "numeric", pattern: "[0-9]{1,4}" } : {}) });
  return make("div", { class: "field" }, make("label", { for: id }, FIELDS[name]), entry);
}

function ask(deed, deck) {
  const [title, says, fields] = DEEDS[deed];
  asked = { deed, deck };
  const form = make(
    "form",
    { method: "dialog" },
    make("div", { class: "sheet-head" }, make("h2", { id: "deed-title" }, deck ? `Deck ${deck}: ${title}` : title), make("p", {}, says)),
    make("div", { class: "sheet-body" }, make("p", { id: "refused", role: "alert" }), fields.map((each) => field(each.replace("!", ""), each.endsWith("!"))), make("p", { class: "dim" }, "It is recorded with your name.")),
    make("div", { class: "sheet-foot" }, make("button", { type: "button", class: "plain", "data-close": "yes" }, "Cancel"), make("button", { type: "submit", class: "plain strong" }, title)),
  );
  form.addEventListener("submit", (event) => (event.preventDefault(), send(new FormData(form))));
  at("deed").replaceChildren(form);
  at("deed").showModal();
  at("deed").querySelector("input, select, .strong").focus();
}

async function send(entered) {
  const body = { deed: asked.deed, deck: asked.deck };
  for (const [name, value] of entered) {
    const text = value.trim();
    if (name === "count") body.count = text ? Number(text) : -1;
    else if (name === "cards") body.cards = text.split(/[\s,]+/).filter(Boolean);
    else body[name] = text;
  }
  const answer = await person.post("/decks", body);
  if (answer.ok) {
    at("deed").close();
    at("done").textContent = [`${DEEDS[body.deed][0]}: recorded.`, ...answer.body.prompts.map((each) => `${upper(each.text)}.`)].join(" ");
    return;
  }
  const { cause, rule: number } = answer.body.error;
  at("refused").textContent = `${upper(cause)}${number ? ` (rule ${number})` : ""}.`;
}

document.body.addEventListener("click", (event) => {
  const pressed = event.target.closest("[data-deed]");
  if (pressed) ask(pressed.dataset.deed, Number(pressed.dataset.deck));
  if (event.target.closest("[data-close]")) at("deed").close();
});

// ---- people and the stream

const person = new Person(drawPerson);

function drawPerson(me) {
  const entrance = make("button", { type: "button", class: `plain ${me ? "" : "strong"}` }, me ? "Sign out" : "Sign in");
  entrance.addEventListener("click", () => (me ? person.signOut() : signIn(person)));
  at("person").replaceChildren(make("p", {}, me ? me.person : "Nobody is signed in", make("small", {}, me ? me.role.replaceAll("-", " ") : "")), entrance);
  if (!me && at("deed").open) at("deed").close();
  end?.();
  end = feed("/cards/events", show, cut); // names are told to who is signed in alone
}

function show(shown) {
  picture = shown;
  document.body.dataset.scene = picture.decks.duties.length ? "to-do" : "well";
  become(at("cut"));
  connected(true);
  draw();
}

const cut = () => offline(OFFLINE);

drawPerson(null);
person.find();
