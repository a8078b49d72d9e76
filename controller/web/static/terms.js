// Opens a tournament: the director brings its terms, is told everything that is wrong with them, and opens it.

import { make } from "./element.js";
import { Person } from "./person.js";
import { signIn } from "./sheet.js";

const LARGEST = 60_000; // bytes of terms
const at = (name) => document.getElementById(name);
const [terms, mistakes, file] = [at("terms"), at("mistakes"), at("file")];
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;

const person = new Person(draw, "tournament-director");

function draw(me) {
  const button = make("button", { type: "button", class: `plain ${me ? "" : "strong"}` }, me ? "Sign out" : "Sign in");
  button.addEventListener("click", () => (me ? person.signOut() : signIn(person, "As the tournament director.")));
  at("person").replaceChildren(make("p", {}, me ? me.person : "Nobody is signed in", make("small", {}, me ? me.role.replaceAll("-", " ") : "")), button);
  document.body.dataset.scene = me ? "writing" : "nobody";
  for (const name of ["check", "open"]) at(name).disabled = !me;
  at("summary").textContent = me ? "" : "Sign in as the tournament director to open one.";
}

function say(...content) {
  mistakes.replaceChildren(...content);
  const number = mistakes.querySelectorAll(".mistake:not(.hint)").length;
  at("judged-heading").textContent = number ? `${number} mistakes` : "What is wrong";
}

const trouble = ({ cause, next_step: step }) => say(make("p", { class: "refusal" }, `${sentence(cause)}. ${step}`));

/** One mistake, or what may surprise; a press goes to its line. */
function one({ line, key, text }, kind = "") {
  const made = make("button", { type: "button", class: `mistake ${kind}` }, make("b", {}, line ? `line ${line}, ${key}` : key), make("small", {}, text));
  made.addEventListener("click", () => go(line));
  return made;
}

function go(line) {
  if (!line) return terms.focus();
  const lines = terms.value.split("\n");
  const from = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  terms.focus();
  terms.setSelectionRange(from, from + lines[line - 1].length);
}

/** Whether the terms can be used; everything that is wrong with them is told. */
async function check() {
  const answer = await person.post("/tournament-terms", { terms: terms.value });
  if (!answer.ok) return trouble(answer.body.error);
  const { name, game, mistakes: wrong, hints } = answer.body;
  const surprises = hints.map((each) => one(each, "hint"));
  if (wrong.length) return say(...wrong.map((each) => one(each)));
  say(make("p", { class: "fit" }, `${name}, ${game}: these terms can be used.`), ...(hints.length ? [make("p", { class: "calm" }, "But look at this:"), ...surprises] : []));
  return true;
}

async function open() {
  if (!(await check())) return;
  const answer = await person.post("/tournaments", { terms: terms.value });
  if (!answer.ok) return trouble(answer.body.error);
  location.assign(`/tournament/${encodeURIComponent(answer.body.tournament)}/desk`);
}

async function once(deed) {
  for (const name of ["check", "open"]) at(name).disabled = true;
  await deed();
  for (const name of ["check", "open"]) at(name).disabled = !person.me;
}

at("check").addEventListener("click", () => once(check));
at("open").addEventListener("click", () => once(open));
file.addEventListener("click", () => (file.value = "")); // the same file again is read again
file.addEventListener("change", async () => {
  const [chosen] = file.files;
  if (!chosen) return;
  if (chosen.size > LARGEST) return trouble({ cause: `${chosen.name} is too large for terms`, next_step: "Choose another file." });
  terms.value = await chosen.text();
  if (person.me) once(check);
});

draw(null);
say(make("p", { class: "calm" }, "Nothing was checked yet. Whole files to begin from stand in examples/tournaments."));
person.find();
