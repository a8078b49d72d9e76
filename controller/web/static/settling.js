// Takes no touch for a moment where something else lay: a finger that was on its way, or touches twice, meant that.

const MOMENT = 500; // milliseconds

const timers = new WeakMap();

/** Takes no touch on an element for a moment; keyboards go on. */
export function settle(element, moment = MOMENT) {
  element.classList.add("moved");
  clearTimeout(timers.get(element));
  timers.set(element, setTimeout(() => element.classList.remove("moved"), moment));
}

const overlap = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** Where the buttons of a page lie: one that comes to lie where another one was settles first. */
export class Lying {
  #lay = [];
  #until = new Map();

  /** Looks at the buttons as they lie now, each with a name that says what it does. */
  look(named) {
    const now = performance.now();
    const lie = named.map(([name, element]) => [name, element.getBoundingClientRect()]);
    for (const [name, box] of lie) {
      if (this.#lay.some(([other, old]) => other !== name && overlap(box, old))) this.#until.set(name, now + MOMENT);
    }
    this.#lay = lie;
    for (const [name, until] of this.#until) if (until <= now) this.#until.delete(name);
    for (const [name, element] of named) if (this.#until.has(name)) settle(element, this.#until.get(name) - now);
  }

  /** Somebody asked for others in their place. */
  forget() {
    this.#lay = [];
  }
}
