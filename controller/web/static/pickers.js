// Words of a key by touch: one picker for each kind of word.  Each calls `done(word)` when a word is entered.

import { make } from "./element.js";

const RANKS = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"];
const SUITS = [["s", "\u2660", "spades"], ["h", "\u2665", "hearts"], ["d", "\u2666", "diamonds"], ["c", "\u2663", "clubs"]];
const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
const LETTERS = [..."1234567890qwertyuiopasdfghjklzxcvbnm-"];

export function choice(text, call, attributes = {}, ...more) {
  const made = make("button", { type: "button", class: "choice", ...attributes }, text, ...more);
  made.addEventListener("click", call);
  return made;
}

function picker(title, ...content) {
  return make("section", { class: "picker" }, make("h3", {}, title), ...content);
}

function list(title, words, done, kind = "choices") {
  return picker(title, make("div", { class: kind }, words.map((word) => choice(word.replaceAll("-", " "), () => done(word), { "data-word": word }))));
}

let pads = 0; // laid so far

/** A field with keys below it: a real field, so that keyboards, badge readers and screen readers use it too. */
export function pad({ label, keys = DIGITS, extra = "", secret = false, value = "", enter = "Enter", done, letters = false, suggested = [] }) {
  const name = `pad-${(pads += 1)}`;
  const field = make("input", { id: name, type: secret ? "password" : "text", inputmode: "none", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  field.value = value;
  let given = value !== ""; // what stands there was not entered: the first digit takes its place
  field.addEventListener("input", () => (given = false));
  const finish = () => field.value && done(field.value);
  const type = (text) => {
    field.value = given ? text : field.value + text;
    given = false;
  };
  const digit = (text) => choice(text, () => type(text), { class: "choice digit" });
  const back = choice("Del", () => (field.value = field.value.slice(0, -1)), { class: "choice" });
  const last = letters ? [] : [extra ? digit(extra) : choice("Clear", () => (field.value = ""), { class: "choice" }), digit("0")];
  const end = make("button", { type: "button", class: "plain strong" }, enter);
  end.addEventListener("click", finish);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    finish();
  });
  const made = make(
    "div",
    { class: `pad${letters ? " letters" : ""}` },
    make("label", { for: name }, label),
    field,
    suggested.length ? make("div", { class: "suggested" }, suggested.map(([name, sum]) => choice(`${name} ${sum}`, () => ((field.value = sum), (given = true))))) : null,
    make("div", { class: "grid" }, keys.map(digit), last, back),
    end,
  );
  made.field = field;
  return made;
}

const number = (label, done, more = {}) => pad({ label, done, ...more });
const amount = (label, done, more = {}) => pad({ label, done, extra: ".", ...more });
const text = (label, done) => pad({ label, done, keys: LETTERS, letters: true });

/** First one of some words, then what follows it. */
function then(title, words, next) {
  const made = make("div", {});
  const ask = (word) => made.replaceChildren(next(word));
  made.append(list(title, words, ask));
  return made;
}

function places(scene, done, more = []) {
  const { picture, lit } = scene;
  const every = [...new Set([...picture.places, ...picture.used])];
  const open = (place) => !lit.length || lit.includes(place);
  const button = (place) =>
    choice(place, () => done(place), { class: `choice${picture.used.includes(place) ? " used" : ""}`, disabled: !open(place) && "disabled", "data-word": place, "aria-label": `${picture.place_called} ${place}` });
  const called = picture.place_called;
  const others = more.map((word) => choice(word, () => done(word), { "data-word": word }));
  return picker(`Which ${called}`, make("div", { class: "choices" }, every.map(button)), others.length ? make("div", { class: "choices others" }, others) : null);
}

function severalPlaces(scene, done) {
  const chosen = new Set();
  const end = make("button", { type: "button", class: "plain strong", disabled: "disabled" }, "Enter");
  end.addEventListener("click", () => done([...chosen].sort((a, b) => a - b).join(",")));
  const toggles = scene.picture.places.map((place) => {
    const made = choice(place, () => {
      chosen.has(place) ? chosen.delete(place) : chosen.add(place);
      made.setAttribute("aria-pressed", chosen.has(place));
      end.disabled = !chosen.size;
    }, { "aria-pressed": "false", "data-word": place, "aria-label": `${scene.picture.place_called} ${place}` });
    return made;
  });
  return picker(`One ${scene.picture.place_called} or several`, make("div", { class: "choices" }, toggles), make("div", { class: "answers" }, end));
}

function card(done, title = "Card") {
  let rank = "";
  const ranks = RANKS.map((each) => {
    const made = choice(each === "T" ? "10" : each, () => {
      rank = each;
      for (const other of ranks) other.setAttribute("aria-pressed", other === made);
      for (const suit of suits) suit.disabled = false;
    }, { "aria-pressed": "false", "data-rank": each });
    return made;
  });
  const suits = SUITS.map(([letter, sign, name]) =>
    choice(`${sign} ${name}`, () => done(rank + letter), { class: `choice suit${"hd".includes(letter) ? " red" : ""}`, disabled: "disabled", "data-suit": letter }),
  );
  return picker(`${title}: first the rank, then the suit`, make("div", { class: "choices ranks" }, ranks), make("div", { class: "choices suits" }, suits));
}

function hand(scene, done) {
  const made = make("div", {});
  const cards = [];
  const ask = (place) => {
    const end = make("button", { type: "button", class: "plain strong" }, `These are the cards of ${place}`);
    end.addEventListener("click", () => done(`${place}=${cards.join(",")}`));
    const more = (one) => {
      cards.push(one);
      ask(place);
    };
    made.replaceChildren(card(more, `${place}: ${cards.join(" ") || "no card yet"}`), ...(cards.length ? [make("div", { class: "answers" }, end)] : []));
  };
  made.append(places({ ...scene, lit: [] }, ask, scene.declared.shared));
  return made;
}

/** The tournaments that this table could be made part of, as the store has them now; when it does not answer, a name is typed. */
function tournaments(title, now, done) {
  const made = make("div", {}, picker(title, make("p", {}, "Looking for the tournaments that are open ...")));
  const show = (...content) => {
    made.replaceChildren(...content);
    made.querySelector("button, input")?.focus();
  };
  const type = () => show(pad({ label: title, done, keys: LETTERS, letters: true }));
  const offer = (words) => {
    const others = make("div", { class: "answers" }, choice("Type a name", type));
    show(words.length ? list(title, words, done, "choices wide") : picker(title, make("p", {}, "No tournament of this game is open.")), others);
  };
  fetch("/tournaments", { cache: "no-store" })
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.statusText))))
    .then((told) => offer([...told.tournaments.filter(({ here, word }) => here && word !== now).map(({ word }) => word), ...(now ? ["none"] : [])]))
    .catch(type);
  return made;
}

function setting(scene, done) {
  const made = make("div", {});
  const value = (option) => {
    const finish = (word) => done(`${option.name}=${word}`);
    const title = `${option.name}: now ${option.value || "not set"}. ${option.meaning}`;
    if (option.name === "tournament") return made.replaceChildren(tournaments(title, option.value, finish));
    made.replaceChildren(option.words.length ? list(title, option.words, finish) : pad({ label: title, done: finish, keys: [...LETTERS, ".", "%", "/", ","], letters: true }));
    made.querySelector("button, input")?.focus();
  };
  const known = scene.picture.options.filter(({ name }) => name !== "tournament" || scene.key === "set"); // nobody announces one
  const buttons = known.map((option) =>
    choice(option.name.replaceAll("-", " "), () => value(option), { "data-word": option.name }, make("small", {}, `now ${option.value || "not set"}`)),
  );
  made.append(picker("Which option", make("div", { class: "choices wide" }, buttons)));
  return made;
}

function share(scene, done) {
  const made = make("div", {});
  const ask = (name) => {
    const whole = choice("All that is left", () => done(name));
    made.replaceChildren(amount(`Amount for ${name}`, (sum) => done(`${name}=${sum}`)), make("div", { class: "answers" }, whole));
  };
  made.append(text("Name of the group", ask));
  return made;
}

/** What enters a word of each kind, by the kind's name; a kind that only another package knows is typed. */
export const PICKERS = {
  AREA: (scene, done) => places(scene, done),
  SEAT: (scene, done) => places(scene, done),
  PLACE: (scene, done) => places(scene, done, scene.declared.shared),
  PLACES: severalPlaces,
  SPOT: (scene, done) => list("Which spot", scene.declared.spots, done, "choices wide"),
  CARD: (scene, done) => card(done),
  HAND: hand,
  COUNT: (scene, done) => number("How many", done),
  N: (scene, done) => number("Which card: its number", done),
  AMOUNT: (scene, done) => amount(scene.bounds ? `Amount in dollars, ${scene.bounds[0]} to ${scene.bounds[1]}` : "Amount in dollars", done, { value: scene.bounds?.[0] ?? "", suggested: scene.bounds ? [["Least", scene.bounds[0]], ["Most", scene.bounds[1]]] : [] }),
  LIMIT: (scene, done) => then("Which limit", ["min", "max"], (word) => amount(`${word} in dollars`, (sum) => done(`${word}=${sum}`))),
  STAKE: (scene, done) => then("Chips", ["stack", "add", "take"], (word) => amount(`${word} in dollars`, (sum) => done(`${word}=${sum}`))),
  SETTING: setting,
  NAME: (scene, done) => text("Name", done),
  PROMOTION: (scene, done) => text("Name of the promotion", done),
  PATRON: (scene, done) => text("Name of the patron", done),
  DISPUTE: (scene, done) => number("Number of the dispute", done),
  BADGE: (scene, done) => text("Badge", done),
  PLAYER: (scene, done) => text("Name of the player", (name) => done(`player=${name}`)),
  SHARE: share,
  CODE: (scene, done) => list("Which reason", scene.picture.codes, done, "choices wide"),
};

export function pick(kind, scene, done) {
  const known = PICKERS[kind.name];
  return known ? known(scene, done) : text(kind.written, done);
}

export const fixed = (words, done) => list("Which", words, done, "choices wide");
