// The jackpot on a wall: the amount, what was won, what is out of order; nothing when the daemon is not heard.

import { feed } from "./stream.js";
import { Odometer, number } from "./odometer.js";

const body = document.body;
const at = (name) => document.getElementById(name);
const amount = new Odometer(at("amount"));
const prize = new Odometer(at("won"));

let picture = null;
let scenes = [];
let turn = 0;
let timer = 0;

function plan(p) {
  if (p.offer === "closed") return [{ scene: "closed" }];
  if (p.offer !== "running") return [{ scene: "none" }];
  const list = [];
  for (const win of p.wins) {
    list.push({ scene: "winner", table: win.table, area: win.area, hand: win.hand });
    list.push({ scene: "won", table: win.table, area: win.area, cents: win.cents });
  }
  if (p.fault) list.push({ scene: "fault" });
  const caption = p.wins.length ? "base" : p.fault ? "pending" : "amount";
  return [...list, { scene: caption }];
}

function draw() {
  const now = scenes[turn % scenes.length];
  body.dataset.scene = now.scene;
  body.dataset.hit = picture.wins.length > 0;
  const table = now.table ? `Table ${now.table}` : "";
  if (now.scene === "winner") {
    at("where").textContent = table || "We have a winner";
    number(at("area"), now.area);
    at("hand").textContent = now.hand;
  } else if (now.scene === "won") {
    at("who").textContent = `${table} Area ${now.area} wins`.trim();
    prize.set(now.cents, 0);
    at("confirm").hidden = picture.confirmed;
  }
}

function next() {
  turn += 1;
  draw();
}

feed(
  "/display/jackpot/events",
  (p) => {
    const planned = plan(p);
    const same = JSON.stringify(planned) === JSON.stringify(scenes) && picture !== null;
    picture = p;
    if (p.cents !== null) amount.set(p.cents, p.roll);
    if (!same) {
      scenes = planned;
      turn = 0;
      clearInterval(timer);
      if (scenes.length > 1) timer = setInterval(next, p.turn);
    }
    draw();
  },
  () => {
    clearInterval(timer);
    picture = null;
    scenes = [];
    amount.clear(); // an amount that may be old is no amount
    body.dataset.scene = "offline";
    body.dataset.hit = false;
  },
);
