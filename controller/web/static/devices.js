// The technician's page: what each device does, what was wrong first and last, what to do; frames for who is signed in.

import { become, make } from "./element.js";
import { Person } from "./person.js";
import * as sheet from "./sheet.js";
import { feed } from "./stream.js";

const at = (name) => document.getElementById(name);
const cards = new Map();
let picture = null;
let chosen = "";
let before = null; // the picture before, and when it came
let stop = () => {};
const TECHNICIAN = "technician";
const RESETS = [TECHNICIAN, "supervisor", "area-manager", "assistant-casino-manager", "casino-manager"];
const results = new Map(); // device -> what became of its reset

// ---- words

const time = (iso) => (iso ? new Date(iso).toLocaleTimeString([], { hour12: false }) : "");
const milliseconds = (value) => (value === null || value === undefined ? "–" : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`);

/** Frames a second since the picture before. */
function rate(device, way) {
  const earlier = before?.picture.devices.find((each) => each.name === device.name)?.wire;
  if (!earlier || !device.wire) return "–";
  const seconds = (performance.now() - before.at) / 1000;
  const count = device.wire.stats[way] - earlier.stats[way];
  return seconds > 0 && count >= 0 ? `${(count / seconds).toFixed(1)}/s` : "–";
}

function kind(device) {
  if (!device.ready) return "bad";
  return device.troubles.length ? "warn" : "";
}

const state = (device) => (device.ready ? (device.troubles.length ? "fault" : "ready") : (device.wire?.phase ?? "lost"));

// ---- all of them

function card(device) {
  const wire = device.wire;
  return [
    make("b", {}, device.called, make("span", {}, state(device))),
    ...device.troubles.map((trouble) => make("span", { class: "trouble" }, `${trouble.text} ${trouble.step}`)),
    wire ? make("span", {}, `${device.name}, ${wire.address || "no address"}, ${wire.link}`) : make("span", {}, device.family),
    wire
      ? make("span", { class: "numbers" }, `in ${rate(device, "frames_in")}  out ${rate(device, "frames_out")}  rtt ${milliseconds(wire.stats.round_trip_p50_ms)}`)
      : null,
  ].filter(Boolean);
}

function list(p) {
  const names = new Set(p.devices.map((device) => device.name));
  for (const [name, button] of cards) {
    if (!names.has(name)) {
      button.parentElement.remove();
      cards.delete(name);
    }
  }
  for (const device of p.devices) {
    let button = cards.get(device.name);
    if (!button) {
      button = make("button", { type: "button" });
      button.addEventListener("click", () => choose(device.name));
      cards.set(device.name, button);
      at("devices").append(make("li", {}, button));
    }
    button.className = `device ${kind(device)}`;
    button.setAttribute("aria-pressed", device.name === chosen);
    const now = JSON.stringify(device.wire ? [device, rate(device, "frames_in"), rate(device, "frames_out")] : device);
    if (button.dataset.drawn !== now) {
      button.dataset.drawn = now;
      become(button, ...card(device));
    }
  }
  const bad = p.devices.filter((device) => kind(device) !== "");
  at("summary").className = p.stopped || bad.length ? "bad" : "";
  const devices = bad.length ? `${bad.length} of ${p.devices.length} need somebody` : `all ${p.devices.length} are ready`;
  const words = p.stopped || devices; // nothing is well while nothing can be recorded
  if (at("summary").textContent !== words) at("summary").textContent = words;
}

// ---- one of them

function cause(title, each, old) {
  if (!each) return null;
  return make(
    "div",
    { class: `cause${old ? " old" : ""}` },
    make("p", {}, make("b", {}, `${title}: `), each.cause, make("small", {}, ` ${each.code}${each.since ? `, since ${time(each.since)}` : ""}`)),
    each.next_step ? make("p", { class: "step" }, each.next_step) : null,
  );
}

function facts(pairs) {
  return make("dl", {}, pairs.filter(([, value]) => value !== "" && value !== null && value !== undefined).flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, `${value}`)]));
}

function frame(each) {
  const [day, hour] = [(each.at ?? "").slice(0, 11), (each.at ?? "").slice(11, 23)];
  return make("li", {}, make("time", { datetime: day && each.at }, hour), make("span", { class: each.way }, each.way), make("span", {}, each.text));
}

/** The newest frame first; heartbeats in a row are one line. */
function folded(frames) {
  const lines = [];
  for (const each of [...frames].reverse()) {
    const beat = /^P[IO]NG /.test(each.text);
    const last = lines.at(-1);
    if (beat && last?.beats) last.beats += 1;
    else lines.push(beat ? { ...each, beats: 1 } : each);
  }
  return lines.map((each) => frame(each.beats ? { ...each, text: `${each.beats} heartbeats` } : each));
}

/** What who looks may not see or do here, with who they are and who may; nothing while a technician's picture is on its way. */
function hints(device) {
  if (person.me === null) return ["Address, rates, causes and frames are for technicians: sign in above."];
  if (person.me.role === TECHNICIAN) return [];
  const told = [`${person.me.person} is signed in as ${person.me.role.replaceAll("-", " ")}. Address, rates, causes and frames are for technicians: sign out above, then a technician signs in.`];
  if (device.ready && device.troubles.length && !mayReset()) told.push("A technician or a supervisor can reset the device.");
  return told;
}

function closely(p) {
  const device = p.devices.find((each) => each.name === chosen) ?? p.devices.find((each) => kind(each) !== "") ?? p.devices[0];
  if (!device) return at("device").replaceChildren(make("p", { class: "hint" }, "No devices."));
  const wire = device.wire;
  const parts = [make("h2", {}, device.called), resetButton(device)].filter(Boolean);
  if (!wire) {
    parts.push(
      ...(device.troubles.length ? device.troubles.map((each) => make("div", { class: "cause" }, make("p", {}, each.text), make("p", { class: "step" }, each.step))) : [make("p", {}, "It works.")]),
      ...hints(device).map((text) => make("p", { class: "hint" }, text)),
    );
  } else {
    const errors = Object.entries(wire.stats.errors).map(([code, count]) => `${code} ${count}`).join(", ");
    const same = JSON.stringify(wire.first) === JSON.stringify(wire.latest);
    parts.push(
      ...[
        cause("Now", wire.cause, false),
        ...wire.faults.map((each) => cause("It reports", each, false)),
        cause("First cause", wire.first, true),
        same ? null : cause("Latest cause", wire.latest, true),
      ].filter(Boolean),
      facts([
        ["name", device.name],
        ["family", wire.family],
        ["address", wire.address],
        ["phase", wire.phase],
        ["link", wire.link],
        ["door", wire.door && (wire.door.open ? "open" : "shut") + (wire.door.allowed.length ? `; ${wire.door.allowed.join(" and ")} allow it` : "")],
        ["model", wire.identity && `${wire.identity.model}, firmware ${wire.identity.firmware}`],
        ["serial", wire.identity?.serial],
        ["frames", `in ${wire.stats.frames_in} (${rate(device, "frames_in")}), out ${wire.stats.frames_out} (${rate(device, "frames_out")})`],
        ["round trip", `p50 ${milliseconds(wire.stats.round_trip_p50_ms)}, p99 ${milliseconds(wire.stats.round_trip_p99_ms)}`],
        ["line", wire.stats.speed && `${wire.stats.speed} baud${wire.stats.low_latency ? ", low latency" : ""}`],
        ["retries", wire.stats.retries],
        ["errors", errors || "none"],
        ["unacknowledged", wire.stats.unacknowledged],
      ]),
      make("h3", {}, "Last frames"),
      p.frames.length && device.name === chosen
        ? make("ol", { class: "frames", "aria-label": "Last frames" }, folded(p.frames))
        : make("p", { class: "hint" }, "Choose the device to see its frames."),
    );
  }
  become(at("device"), ...parts);
}

function choose(name) {
  chosen = name;
  connect();
  if (picture) show(picture);
}

// ---- people

const person = new Person(signedIn, TECHNICIAN);
const mayReset = () => person.me !== null && RESETS.includes(person.me.role);

function signedIn(me) {
  const button = make("button", { type: "button", class: `plain${me ? "" : " strong"}` }, me ? "Sign out" : "Sign in");
  button.addEventListener("click", () => (me ? person.signOut() : sheet.signIn(person, "Wires, causes and frames are for technicians, resets for supervisors too.")));
  const name = me ? make("p", {}, me.person, make("small", {}, me.role.replaceAll("-", " "))) : null;
  at("person").replaceChildren(...[name, button].filter(Boolean));
  connect();
  if (picture) show(picture);
}

// ---- out of an error mode

/** The button that leads a device out of a fault that it reports; a device that cannot be reached has none. */
function resetButton(device) {
  if (!mayReset() || !device.ready || !device.troubles.length) return null;
  const made = make("button", { type: "button", class: "plain", "data-reset": device.name }, "Reset");
  return make("p", { class: "reset" }, made, results.has(device.name) ? make("span", { role: "status" }, results.get(device.name)) : null);
}

function askReset(name) {
  const device = picture.devices.find((each) => each.name === name);
  const deed = { label: `Reset ${device.called.toLowerCase()}`, says: device.troubles.map((each) => each.text).join(" ") };
  sheet.confirm(deed, [], () => reset(name), "First put right what is wrong.");
}

async function reset(name) {
  const { ok, body } = await person.post(`/devices/${encodeURIComponent(name)}/reset`, {});
  results.set(name, ok ? "It was reset: the fault is over when the device says so." : `${body.error.cause}. ${body.error.next_step}`);
  if (picture) show(picture);
}

at("device").addEventListener("click", (event) => {
  const button = event.target.closest("[data-reset]");
  if (button) askReset(button.dataset.reset);
});

// ---- the stream

function show(p) {
  if (document.body.dataset.scene === "offline") sheet.connected(true);
  picture = p;
  const trouble = p.stopped || p.devices.some((device) => kind(device) !== "");
  document.body.dataset.scene = trouble ? "trouble" : "well";
  document.body.dataset.technician = Boolean(p.technician);
  list(p);
  closely(p);
}

function arrived(p) {
  show(p);
  before = { picture: p, at: performance.now() };
}

function cut() {
  document.body.dataset.scene = "offline";
  sheet.connected(false, "No connection: nothing can be done here.");
  at("summary").className = "bad";
  at("summary").textContent = "No connection: what is shown may be old";
}

function connect() {
  stop();
  stop = feed(chosen ? `/devices/events?device=${encodeURIComponent(chosen)}` : "/devices/events", arrived, cut);
}

signedIn(null);
person.find();
