// An odometer of gold tubes: draws an amount, and rolls upwards to the next one, never past it.

const SVG = "http://www.w3.org/2000/svg";
const DIGIT = 0.64; // widths of the parts, in heights of a digit
const MARK = 0.26;
const CURRENCY = 0.62;
const SMALL = 0.52; // cents

/** Where a roll stands: quick at first, whole cents. */
export function roll(from, to, elapsed, length) {
  if (elapsed >= length || from >= to) return to;
  const left = Math.pow(1 - elapsed / length, 3);
  return Math.min(to, Math.max(from, to - (to - from) * left));
}

/** A whole number in tubes. */
export function number(element, value) {
  element.replaceChildren(...value.toString().split("").map(glyph));
  element.setAttribute("aria-label", value.toString());
}

/** "$124,998.00" */
export function dollars(cents) {
  const whole = Math.floor(cents / 100).toString().replace(/\B(?=(\d{3})+$)/g, ",");
  return `$${whole}.${(cents % 100).toString().padStart(2, "0")}`;
}

function glyph(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", name === "comma" || name === "point" ? "0 0 30 100" : "0 0 64 100");
  svg.setAttribute("class", `glyph ${name}`);
  for (const layer of ["tube", "shine"]) {
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#g-${name}`);
    use.setAttribute("class", layer);
    svg.append(use);
  }
  return svg;
}

function reel() {
  const box = document.createElement("span");
  box.className = "reel";
  const strip = document.createElement("span");
  strip.className = "strip";
  for (const digit of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0]) strip.append(glyph(digit.toString()));
  box.append(strip);
  return box;
}

export class Odometer {
  constructor(element) {
    this.element = element;
    this.reels = []; // cents first
    this.shown = null; // cents, with a fraction while it rolls
    this.target = null;
    this.until = 0;
    this.frame = 0;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** Show this; a rise rolls for `length` milliseconds, a fall stands there at once. */
  set(cents, length) {
    const now = performance.now();
    if (this.shown === null || cents < this.shown || length <= 0 || this.still.matches) {
      this.stop();
      this.shown = this.target = cents;
      this.draw(cents);
      return;
    }
    if (cents === this.target) return;
    // A roll under way ends when it would have ended: many rises in a row must not hold it up.
    this.until = this.frame ? Math.max(this.until, now) : now + length;
    this.from = this.shown;
    this.since = now;
    this.target = cents;
    if (!this.frame) this.frame = requestAnimationFrame(() => this.step());
  }

  step() {
    const now = performance.now();
    this.shown = roll(this.from, this.target, now - this.since, this.until - this.since);
    this.draw(this.shown);
    this.frame = this.shown < this.target ? requestAnimationFrame(() => this.step()) : 0;
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }

  clear() {
    this.stop();
    this.shown = this.target = null;
    this.reels = [];
    this.element.replaceChildren();
    this.element.removeAttribute("aria-label");
  }

  draw(value) {
    const count = Math.max(3, Math.floor(Math.max(value, this.target)).toString().length);
    if (count !== this.reels.length) this.build(count);
    // Like the wheels of a clock: each turns only while the one below passes from nine to nought.
    let carry = value - Math.floor(value);
    let whole = Math.floor(value);
    for (const one of this.reels) {
      const digit = whole % 10;
      one.firstChild.style.transform = `translateY(${(-(digit + carry) * 100) / 11}%)`;
      carry = digit === 9 ? carry : 0;
      whole = Math.floor(whole / 10);
    }
    this.element.setAttribute("aria-label", dollars(Math.floor(value)));
  }

  build(count) {
    this.reels = Array.from({ length: count }, reel);
    const parts = [glyph("dollar")];
    let width = CURRENCY;
    for (let at = count - 1; at >= 0; at--) {
      if (at === 1) {
        const cents = document.createElement("span");
        cents.className = "cents";
        cents.append(glyph("point"), this.reels[1], this.reels[0]);
        parts.push(cents);
        width += (MARK + 2 * DIGIT) * SMALL;
        break;
      }
      parts.push(this.reels[at]);
      width += DIGIT;
      if (at > 2 && (at - 2) % 3 === 0) {
        parts.push(glyph("comma"));
        width += MARK;
      }
    }
    this.element.replaceChildren(...parts);
    this.element.style.setProperty("--width", width.toFixed(3));
  }
}
