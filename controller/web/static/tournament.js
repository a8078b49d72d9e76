// A tournament for its room: the clock, the level, how many are left, and who stands where.

import { become, make } from "./element.js";
import { feed } from "./stream.js";

const at = (name) => document.getElementById(name);
const STAGES = { open: "Before the start", running: "Running", break: "Break", over: "Over" };
const address = `${location.pathname.replace(/\/$/, "")}/events`;
let picture = null;
let ahead = 0; // milliseconds by which the daemon's clock is ahead of this screen's

const dollars = (cents) => `$${(cents / 100).toLocaleString("en-US", { minimumFractionDigits: cents % 100 ? 2 : 0 })}`;

function left(until) {
  const seconds = Math.max(0, Math.ceil((until - Date.now() - ahead) / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (number) => number.toString().padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** What the large clock says: whatever comes next. */
function clock(room) {
  if (room.stage === "over") return [room.final ? "The prizes are awarded" : "The tournament is over", dollars(room.pool)];
  const waits = room.starts > Date.now() + ahead;
  if (room.stage === "open" || room.stage === "break") return waits ? [room.stage === "open" ? "Starts in" : "Goes on in", left(room.starts)] : ["", "Soon"];
  if (room.level_ends !== null) return [`Level ${room.level + 1} in`, left(room.level_ends)];
  if (room.session_ends !== null) return ["No new round after", left(room.session_ends)];
  if (room.level_rounds !== null) return [`Rounds until level ${room.level + 1}`, `${room.level_rounds}`];
  if (room.rounds_left !== null) return ["Rounds left", `${room.rounds_left}`];
  return ["Players left", `${room.left}`];
}

function tick() {
  if (!picture) return;
  const [label, value] = clock(picture);
  if (at("clock-label").textContent !== label) at("clock-label").textContent = label;
  if (at("clock").textContent !== value) at("clock").textContent = value;
  at("clock").className = value.length > 6 ? "long" : "";
}

function row(each) {
  const out = each.state !== "in";
  const where = out ? each.state : each.table ? `${each.table}, ${each.seat}` : "";
  return make(
    "li",
    { class: each.prize ? "won" : out ? "out" : "" },
    make("b", {}, each.place === null ? "" : `${each.place}`),
    make("span", {}, each.name.replaceAll("-", " "), where ? make("small", {}, where) : null),
    make("i", {}, each.prize ? dollars(each.prize) : out ? "" : each.bank ? dollars(each.bank) : ""),
  );
}

function fit(room) {
  const list = at("ranking");
  const rows = room.ranking.map(row);
  become(list, ...rows);
  const high = list.clientHeight;
  const fits = rows.length ? Math.max(1, Math.floor(high / list.firstChild.getBoundingClientRect().height)) : 0;
  [...list.children].slice(fits).forEach((each) => each.remove());
  const hidden = room.ranking.length - list.children.length;
  at("more").textContent = hidden > 0 ? `and ${hidden} more` : "";
}

const limited = (limits, bets) => (bets ? `${limits}, bets ${bets}` : limits);

function show({ now, cup }) {
  const room = (picture = cup.room);
  ahead = now - Date.now();
  document.body.dataset.scene = room.stage;
  document.title = room.name;
  at("name").textContent = room.name;
  const session = room.sessions > 1 && room.session ? `, session ${room.session} of ${room.sessions}` : "";
  at("stage").textContent = `${STAGES[room.stage]}${session}`;
  at("level").textContent = room.levels > 1 ? `Level ${room.level} of ${room.levels}` : "Limits";
  at("limits").textContent = room.limits;
  at("bets").textContent = room.bets ? `Bets ${room.bets}` : "";
  at("next").textContent = room.next_limits ? `Then ${limited(room.next_limits, room.next_bets)}` : "";
  const numbers = [
    ["Players", `${room.left} of ${room.entered}`],
    ["Tables", `${room.tables}`],
    ["Pool", dollars(room.pool)],
  ];
  become(at("numbers"), ...numbers.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
  at("standing-heading").textContent = room.session ? "Ranking" : "Entered";
  fit(room);
  tick();
}

function cut() {
  document.body.dataset.scene = "offline";
  picture = null;
  at("stage").textContent = "No connection";
  at("clock-label").textContent = "";
  at("clock").textContent = "– –"; // a clock that stands still is worse than none
}

setInterval(tick, 250);
addEventListener("resize", () => picture && fit(picture));
feed(address, show, cut);
