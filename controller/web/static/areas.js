// One area or seat: its cards, what lies on its spots, what came of it.

import { lay, stack } from "./cards.js";
import { make, rule } from "./element.js";

const BACK = ["stand-off", "returned", "void", "carried", "reversed", "surrender"];
const LAMPS = { cut: "cuts", marker: "own limits", blind: "plays unseen", jackpot: "in the Jackpot" };

function look(result) {
  return BACK.includes(result) ? "back" : result === "open" ? "bet" : result;
}

function spot(wager, fresh) {
  const pile = wager.result === "open" ? stack(wager.cents) : null;
  if (fresh && pile) pile.classList.add("new");
  const shown = wager.net === "" ? wager.amount : BACK.includes(wager.result) && wager.net === "$0" ? `${wager.amount} back` : wager.net;
  return make("li", { class: `spot bet ${look(wager.result)}`, title: wager.text }, pile, make("i", {}, wager.label), make("b", {}, shown));
}

function printed([, label]) {
  return make("li", { class: "spot" }, make("i", {}, label));
}

export class AreaView {
  constructor(choose) {
    this.hand = make("div", { class: "hand" });
    this.name = make("p", { class: "name" });
    this.body = make("div", { class: "body" });
    this.plate = make("button", { class: "plate", type: "button", "aria-expanded": "false", "aria-controls": "details" });
    this.root = make("li", { class: "area" });
    this.front = make("p", { class: "bet-in-front", hidden: "hidden" });
    this.drawn = "";
    this.wagers = new Map();
    this.root.addEventListener("click", () => choose(this.place));
  }

  /** Draws the area if it is another one than before. */
  show(area, picture) {
    const now = JSON.stringify([area, picture.spots, picture.button]);
    if (now === this.drawn) return;
    this.drawn = now;
    this.place = area.place;
    this.root.dataset.lit = area.lamps.join(" ");
    this.root.dataset.place = area.place;
    const cards = area.hand ? area.hand.cards.length : 0;
    lay(this.hand, area.hand, cards > 3 ? "-1.45em" : cards > 2 ? "-1.1em" : "-.25em");
    this.name.textContent = area.hand?.name ?? "";
    const held = this.plate === document.activeElement;
    if (picture.spots.length || !("seat" in area)) this.house(area, picture);
    else this.player(area, picture);
    if (held) this.plate.focus(); // it was moved: who is there by keyboard stays there
  }

  house(area, picture) {
    const several = area.bettors.length > 1;
    this.root.classList.toggle("out", area.bettors.length > 0 && area.bettors.every((bettor) => bettor.folded));
    const seen = new Map();
    const lists = area.bettors.map((bettor) => {
      const drawn = bettor.wagers.map((wager) => {
        const key = `${bettor.place} ${wager.spot}`;
        seen.set(key, wager.cents);
        return spot(wager, this.wagers.get(key) !== wager.cents);
      });
      const made = new Set(bettor.wagers.map((wager) => wager.spot));
      const empty = several ? [] : picture.spots.filter(([name]) => !made.has(name)).map(printed);
      const order = several ? drawn : this.ordered(bettor.wagers, drawn, picture.spots, empty);
      return [
        several ? make("p", { class: "bettor-name" }, `${bettor.place}${bettor.decided ? `: ${bettor.decided}` : ""}`) : null,
        make("ul", { class: "spots", "aria-label": `Wagers at ${bettor.place}` }, order),
      ];
    });
    this.wagers = seen;
    if (!area.bettors.length) lists.push(make("ul", { class: "spots", "aria-label": `Spots of ${area.label}` }, picture.spots.map(printed)));
    const decided = several ? "" : (area.bettors[0]?.decided ?? "");
    this.plate.replaceChildren(area.place);
    this.plate.setAttribute("aria-label", this.label(area));
    this.root.replaceChildren(
      this.hand,
      this.name,
      ...(decided ? [make("p", { class: "decided" }, decided)] : []),
      ...area.bettors.filter((bettor) => bettor.net).slice(0, 3).map((bettor) => this.net(bettor, several)),
      ...lists.flat().filter(Boolean),
      this.plate,
    );
  }

  /** Wagers and empty spots in the order in which they are printed. */
  ordered(wagers, drawn, spots, empty) {
    const left = [...empty];
    const at = new Map(wagers.map((wager, n) => [wager.spot, drawn[n]]));
    const list = spots.map(([name]) => at.get(name) ?? left.shift());
    return [...list, ...wagers.filter((wager) => !spots.some(([name]) => name === wager.spot)).map((wager) => at.get(wager.spot))];
  }

  player(area, picture) {
    const seat = area.seat;
    const out = !seat || ["folded", "mucked", "dead", "no cards"].includes(seat.state);
    this.root.classList.toggle("out", out);
    this.plate.replaceChildren(area.place);
    this.plate.setAttribute("aria-label", this.label(area));
    const button = picture.button === area.place ? make("span", { class: "button", role: "img", "aria-label": "dealer button" }, "D") : null;
    const bettor = area.bettors[0];
    const state = seat && seat.state && seat.state !== "in" ? seat.state : "";
    const words = [state, ...(seat?.buttons ?? []).map((name) => name.replaceAll("-", " "))].filter(Boolean).join(", ");
    const side = bettor ? bettor.wagers : [];
    this.root.replaceChildren(
      make(
        "div",
        { class: `seat${seat ? "" : " empty"}` },
        this.hand,
        make("div", { class: "top" }, this.plate, make("span", { class: "stake" }, seat ? seat.stack : "free"), button),
        this.name.textContent ? this.name : null,
        words ? make("p", { class: "state" }, words) : null,
        side.length ? make("ul", { class: "spots", "aria-label": `Side wagers of ${area.label}` }, side.map((wager) => spot(wager, false))) : null,
        bettor?.net && bettor.won ? this.net(bettor, false) : null,
      ),
    );
    this.front.hidden = !seat?.bet;
    if (seat?.bet) this.front.replaceChildren(stack(seat.bet_cents), make("span", { class: "unseen" }, `${area.label} bets `), seat.bet);
  }

  net(bettor, several) {
    const kind = bettor.won > 0 ? "win" : bettor.won < 0 ? "lose" : "even";
    return make("p", { class: `net ${kind}` }, several ? `${bettor.place} ${bettor.net}` : bettor.net);
  }

  label(area) {
    const lit = area.lamps.includes("decide") || area.lamps.includes("act") ? ", has to decide" : "";
    return `${area.label}${lit}, details`;
  }

  put(point, cell) {
    this.root.style.left = `${point.x}px`;
    this.root.style.top = `${point.y}px`;
    this.root.style.setProperty("--cell", `${cell}px`);
    if (point.bet) {
      this.front.style.left = `${point.bet.x}px`;
      this.front.style.top = `${point.bet.y}px`;
    }
  }
}

/** All that there is to say of an area, in sentences. */
export function details(area, close) {
  const lines = [];
  if (area.hand) lines.push(make("p", {}, `Cards: ${area.hand.words}${area.hand.name ? `; ${area.hand.name}` : ""}.`));
  if (area.seat) {
    const bet = area.seat.bet ? `, ${area.seat.bet} in front` : "";
    lines.push(make("p", {}, `${area.seat.stack} behind${bet}${area.seat.state ? `; ${area.seat.state}` : ""}.`));
  }
  for (const bettor of area.bettors) {
    const who = area.bettors.length > 1 ? `${bettor.place}: ` : "";
    if (bettor.decided) lines.push(make("p", {}, `${who}${bettor.decided}.`));
    if (bettor.wagers.length) lines.push(make("ul", {}, bettor.wagers.map((wager) => make("li", {}, who, wager.text, rule(wager.rule)))));
    if (bettor.net) lines.push(make("p", {}, make("b", {}, `${who}in all ${bettor.net}`)));
  }
  const lamps = area.lamps.map((name) => LAMPS[name]).filter(Boolean);
  if (lamps.length) lines.push(make("p", {}, lamps.join(", ")));
  if (!lines.length) lines.push(make("p", {}, "Nothing lies here."));
  const button = make("button", { type: "button" }, "Close");
  button.addEventListener("click", close);
  return [make("div", { class: "head" }, make("h2", {}, area.label), button), ...lines];
}
