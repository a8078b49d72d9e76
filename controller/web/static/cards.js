// Cards and chips: a hand changes card by card, so that only what is new moves.

import { make, svg } from "./element.js";

const DOWN = "??";
const CHIPS = [1000, 500, 100, 25, 5, 1]; // dollars
const MOST = 7; // chips in one drawn stack

function suit(card, kind) {
  const drawn = svg("svg", { class: kind, viewBox: "0 0 32 32" });
  drawn.append(svg("use", { href: `#suit-${card[1]}` }));
  return drawn;
}

function draw(card) {
  if (card === DOWN) return make("span", { class: "card back" });
  const red = card[1] === "h" || card[1] === "d";
  const rank = card[0] === "T" ? "10" : card[0];
  const kind = `card${red ? " red" : ""}${rank === "10" ? " ten" : ""}`;
  return make("span", { class: kind, "data-rank": rank, "data-card": card }, suit(card, "small"), suit(card, "big"));
}

/** Shows cards in an element, which says them aloud; keeps those that lie there already. */
export function lay(element, hand, lap) {
  const cards = hand ? hand.cards : [];
  const before = element.cards ?? [];
  const children = cards.map((card, at) => {
    if (before[at] === card) return element.children[at];
    const made = draw(card);
    made.classList.add(before[at] === DOWN ? "turned" : "new");
    return made;
  });
  if (cards.length !== before.length || cards.some((card, at) => before[at] !== card)) element.replaceChildren(...children);
  element.cards = cards;
  element.hidden = cards.length === 0;
  if (hand) {
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", hand.words);
  }
  element.style.setProperty("--lap", lap);
}

function chips(cents) {
  let left = Math.round(cents / 100);
  const pile = [];
  for (const value of CHIPS) {
    while (left >= value && pile.length < MOST) {
      pile.push(value);
      left -= value;
    }
  }
  return pile.length ? pile : [1];
}

/** A drawn stack of chips that come to about this amount; the amount itself stands beside it as text. */
export function stack(cents) {
  const pile = chips(cents);
  const drawn = svg("svg", { class: "stack", viewBox: "0 0 34 34", "aria-hidden": "true" });
  pile.forEach((value, at) => {
    const y = 15.7 + (pile.length - 1) * 1.7 - at * 3.4; // in the middle, however high it is
    drawn.append(
      svg("ellipse", { class: `edge c${value}`, cx: 17, cy: y + 2.6, rx: 14, ry: 6.4 }),
      svg("ellipse", { class: `edge c${value}`, cx: 17, cy: y, rx: 14, ry: 6.4 }),
      svg("ellipse", { class: `mark c${value}`, cx: 17, cy: y, rx: 11.6, ry: 5 }),
    );
  });
  return drawn;
}
