// The sheet over the console: signing in, the words that come with a key, and the question before what stays done.

import { make, rule } from "./element.js";
import { fixed, pad, pick } from "./pickers.js";
import { settle } from "./settling.js";

const sheet = document.getElementById("sheet");
let open = null; // what the sheet is about
let interrupted = null; // what had the focus when the table was not heard any more

function show(what, { title, says = "", body, foot, narrow = false }) {
  open = what;
  sheet.className = narrow ? "narrow" : "";
  sheet.replaceChildren(
    make("div", { class: "sheet-head" }, make("h2", { id: "sheet-title" }, title), says ? make("p", {}, says) : null),
    make("div", { class: "sheet-body" }, body),
    make("div", { class: "sheet-foot" }, foot),
  );
  if (!sheet.open) sheet.showModal();
}

function button(text, call, kind = "plain") {
  const made = make("button", { type: "button", class: kind }, text);
  made.addEventListener("click", call);
  return made;
}

export function close() {
  open = null;
  if (sheet.open) sheet.close();
}

sheet.addEventListener("close", () => (open = null));

/** While the table is not heard, the sheet says so and takes nothing; what was entered stays, and so does the focus. */
export function connected(yes, words = "") {
  const { activeElement: now } = document;
  if (!yes && now !== sheet && sheet.contains(now)) interrupted = now;
  for (const each of sheet.querySelectorAll(".sheet-body, .sheet-foot")) each.inert = !yes;
  sheet.querySelector(".sheet-cut")?.remove();
  if (yes && interrupted?.isConnected) interrupted.focus();
  if (yes) interrupted = null;
  else sheet.querySelector(".sheet-head")?.append(make("p", { class: "refusal sheet-cut", role: "alert" }, words));
}

/** The table is not heard: the page says so in these words, and the sheet takes nothing. */
export function offline(words) {
  document.body.dataset.scene = "offline";
  const cut = document.getElementById("cut");
  if (cut.textContent !== words) cut.textContent = words;
  connected(false, words);
}

/** Whether a sheet of this kind is open. */
export const isOpen = (what) => open !== null && open.what === what;

function alert(sentences) {
  return make("div", { class: "refusal", role: "alert" }, sentences.map((each) => make("p", {}, each)));
}

// ---- badge and PIN

export function signIn(person, before = "") {
  const about = { what: "sign-in" };
  const cancel = () => button("Cancel", close);

  function badge(error = [], number = "") {
    const field = pad({ label: "Number of the badge", value: number, enter: "Next", done: pin });
    show(about, { title: "Sign in", says: before, body: [...(error.length ? [alert(error)] : []), field], foot: [cancel()], narrow: !error.length });
    field.field.focus();
  }

  function pin(number) {
    const field = pad({ label: `PIN of badge ${number}`, secret: true, enter: "Sign in", done: (digits) => check(number, digits) });
    show(about, { title: "Sign in", says: "Nobody but you sees the digits.", body: [field], foot: [cancel(), button("Another badge", () => badge())], narrow: true });
    field.field.focus();
  }

  async function check(number, digits) {
    for (const each of sheet.querySelectorAll("button, input")) each.disabled = true;
    const answer = await person.signIn(number, digits);
    if (open !== about) return;
    if (answer.ok) return close();
    const { cause, next_step: step } = answer.body.error;
    badge([`${cause[0].toUpperCase()}${cause.slice(1)}.`, step], number);
  }

  badge();
}

// ---- what cannot be taken back

export function confirm(key, args, call, because = "This cannot be taken back.") {
  const words = [key.label, ...args].join(" ");
  const yes = button(`Yes: ${words}`, () => (close(), call()), "plain danger");
  settle(yes); // who touches twice has not answered
  show(
    { what: "confirm" },
    {
      title: `${words}?`,
      says: key.says,
      body: [make("p", {}, because), make("p", {}, "It is recorded with your name.")],
      foot: [button("No, go back", close), yes],
      narrow: true,
    },
  );
}

// ---- words

const kindOf = (argument, text) => argument.kinds.find((kind) => kind.fixed && kind.name === text) ?? argument.kinds.find((kind) => !kind.fixed);
const pointAt = (form, at) => form[at] ?? (form.at(-1)?.many ? form.at(-1) : undefined);

/** The forms of a key that begin with these words. */
function fitting(key, words) {
  return key.forms.filter((form) => words.every(({ kind }, at) => pointAt(form, at)?.kinds.some((each) => each.name === kind)));
}

const isWhole = (form, count) => form.filter((argument) => !argument.optional).length <= count;

/** Each word with its kind, as some form of the key has it. */
export function told(key, args) {
  for (const form of key.forms) {
    const words = args.map((text, at) => ({ text, kind: pointAt(form, at) && kindOf(pointAt(form, at), text)?.name }));
    if (words.every((word) => word.kind)) return words;
  }
  return [];
}

/** Whether a key with these words can be pressed, and whether more could come. */
export function standing(key, words) {
  const forms = fitting(key, words);
  return { whole: forms.some((form) => isWhole(form, words.length)), more: forms.map((form) => pointAt(form, words.length)).filter(Boolean) };
}

/**
 * Asks for the words of a key, one after the other, then calls `press(args)`.
 *
 * `given` are words that are known; `scene` has the picture, what is declared, where the key is lit, and bounds.
 */
export function ask(key, given, scene, press) {
  const about = { what: "words", key: key.key };
  const words = told(key, given);
  const fixedCount = words.length;

  function enter(text, kind) {
    words.push({ text, kind });
    const { whole, more } = standing(key, words);
    if (whole && !more.length) end();
    else draw();
  }

  function end() {
    const args = words.map((word) => word.text);
    close();
    press(args);
  }

  function draw() {
    const { whole, more } = standing(key, words);
    const kinds = [...new Map(more.flatMap((argument) => argument.kinds).map((kind) => [kind.name, kind])).values()];
    const very = kinds.filter((kind) => kind.fixed).map((kind) => kind.name);
    const here = { ...scene, key: key.key, lit: words.length ? [] : scene.lit };
    const pickers = kinds.filter((kind) => !kind.fixed).map((kind) => pick(kind, here, (text) => enter(text, kind.name)));
    const line = make("p", { class: "words", "aria-live": "polite" }, make("b", {}, key.label), words.map((word) => make("span", {}, word.text)), whole && more.length ? make("i", {}, "more may follow") : null);
    const back = () => (words.pop(), draw());
    show(about, {
      title: key.label,
      says: key.says,
      body: [line, ...(very.length ? [fixed(very, (word) => enter(word, word))] : []), ...pickers],
      foot: [
        button("Cancel", close),
        ...(words.length > fixedCount ? [button("Back", back)] : []),
        ...(whole ? [button(`Press ${[key.label, ...words.map((word) => word.text)].join(" ")}`, end, "plain strong")] : []),
      ],
    });
    sheet.querySelector(".sheet-body button:not(:disabled), .sheet-body input")?.focus();
  }

  draw();
}

/** Why a key cannot be pressed now. */
export function explain(key, why, number, actions = []) {
  show(
    { what: "why", key: key.key },
    {
      title: key.label,
      says: key.says,
      body: [make("p", {}, why, rule(number))],
      foot: [button("Close", close), ...actions.map(([text, call]) => button(text, () => (close(), call()), "plain strong"))],
      narrow: true,
    },
  );
}
