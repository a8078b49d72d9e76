// The limit sign: what is in force, and what is announced with the time that is left.

import { feed } from "./stream.js";

const body = document.body;
const at = (name) => document.getElementById(name);
const SMALLEST = 0.3;
const LEAST_LARGE = 0.6; // of the size of everything else

function element(name, ...content) {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}

/** Words beside amounts are smaller than the amounts: "from $10", "$10 / $20". */
function amounts(text) {
  const parts = text.split(/(\$\S+)/).filter((part) => part !== "");
  return element("p", ...parts.map((part) => (part.startsWith("$") ? part : element("small", part))));
}

const large = ([label, value]) => element("div", element("h2", label), amounts(value));
const small = ([label, value]) => element("div", element("dt", label), element("dd", value));

function count(left, what) {
  return left > 1 ? `in ${left} ${what}s` : left === 1 ? `after the next ${what}` : "now";
}

function clock(seconds) {
  if (seconds === 0) return "from now on";
  return `in ${Math.floor(seconds / 60)}:${(seconds % 60).toString().padStart(2, "0")}`;
}

/** Most changes wait for one thing; where it is two, for whatever is still to come. */
function left(notice) {
  const waits = [];
  if (notice.rounds !== undefined) waits.push(count(notice.rounds, "round"));
  if (notice.hands !== undefined && !(notice.hands === 0 && notice.seconds > 0)) waits.push(count(notice.hands, "hand"));
  if (notice.seconds !== undefined && !(notice.seconds === 0 && notice.hands > 0)) waits.push(clock(notice.seconds));
  return waits.slice(0, notice.hands === 0 ? 1 : 2).join(", ") || `from the next ${notice.played ?? "hand"}`;
}

const line = (notice) => element("li", element("span", notice.text), element("b", left(notice)));

/** Everything must be on the screen: first the large amounts give way, then all letters. */
function fit() {
  const main = document.querySelector("main");
  const end = main.getBoundingClientRect().bottom - parseFloat(getComputedStyle(main).paddingBottom);
  const wide = () => [...document.querySelectorAll("main p, main h1, main h2")].some((e) => e.scrollWidth > e.clientWidth);
  const high = () => [...main.children].some((e) => e.getBoundingClientRect().bottom > end + 1);
  const sizes = { "--large": 1, "--size": 1 };
  const apply = () => Object.entries(sizes).forEach(([name, size]) => body.style.setProperty(name, size.toFixed(2)));
  apply();
  while ((wide() || high()) && sizes["--size"] > SMALLEST) {
    sizes[sizes["--large"] > sizes["--size"] * LEAST_LARGE ? "--large" : "--size"] -= 0.04;
    apply();
  }
}

addEventListener("resize", fit);

feed(
  "/display/limits/events",
  (p) => {
    body.dataset.scene = p.open ? "open" : "closed";
    at("game").textContent = p.game || document.title; // before a game is chosen
    at("large").replaceChildren(...p.large.map(large));
    at("small").replaceChildren(...p.small.map(small));
    at("state").textContent = "Closed";
    at("notices").replaceChildren(...p.notices.map(line));
    fit();
  },
  () => {
    body.dataset.scene = "offline";
    at("state").textContent = "No connection";
    at("notices").replaceChildren(); // a countdown that stands still is worse than none
  },
);
