// Where areas and seats lie: an arc before the dealer, or around an oval table.  The first is at the dealer's left.

const CURVE = 0.24; // of the table's height: how deep its edge is bent, as the style sheet has it
const WIDEST = 11.5; // letters (rem) of one area
const GAP = 0.3; // of the oval, kept free for the dealer
const SAMPLES = 720;

/** Places of areas: {x, y} in pixels of their lower end, and how wide each may be. */
export function arc(count, width, height, rem) {
  const inset = 1.4 * rem;
  const cell = Math.min((width - 2 * inset) / count, WIDEST * rem);
  const half = (cell * (count - 1)) / 2;
  const points = [];
  for (let n = 0; n < count; n++) {
    const t = count > 1 ? 1 - (2 * n) / (count - 1) : 0;
    const outer = Math.min(0.985, (Math.abs(t) * half + 0.36 * cell) / (width / 2));
    const edge = CURVE * height * (1 - Math.sqrt(1 - outer * outer));
    points.push({ x: width / 2 + t * half, y: height - 0.9 * rem - edge });
  }
  return { cell, points };
}

/** Places of seats around the table, with a free place for the dealer; and where bets lie before them. */
export function oval(count, width, height, rem) {
  const cell = Math.min(7.4 * rem, width / 6.2);
  const rx = width / 2 - cell / 2 - 0.6 * rem;
  const ry = height / 2 - 3.5 * rem;
  const path = [];
  let length = 0;
  for (let n = 0; n <= SAMPLES; n++) {
    const a = (2 * Math.PI * n) / SAMPLES; // clockwise from the top
    const bend = (v) => Math.sign(v) * Math.pow(Math.abs(v), 0.72);
    const point = { x: bend(Math.sin(a)) * rx, y: -bend(Math.cos(a)) * ry };
    const last = path.at(-1);
    if (last) length += Math.hypot(point.x - last.x, point.y - last.y);
    path.push({ ...point, at: length });
  }
  const free = GAP * width;
  const points = [];
  for (let n = 0; n < count; n++) {
    const wanted = free / 2 + ((length - free) * (n + 0.5)) / count;
    const at = path.find((point) => point.at >= wanted);
    points.push({
      x: width / 2 + at.x,
      y: height / 2 + at.y,
      bet: { x: width / 2 + at.x * 0.66, y: height / 2 + at.y * 0.5 },
    });
  }
  return { cell, points };
}
