"""Pictures for the documents: few colours, so that they are small, and in each the words that the page had."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from playwright.async_api import Page

SIGNATURE = b"\x89PNG\r\n\x1a\n"
WORDS = b"What the page says\0\1\0\0\0"  # how the chunk with the words begins: its keyword, that they are compressed
# Cuts boxes of colours in two, the widest and fullest first, until there are 256; a pixel gets the mean of its box.
FEW_COLOURS = """async (data) => {
  const image = await createImageBitmap(await (await fetch(data)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const pixels = canvas.getImageData(0, 0, image.width, image.height).data;
  const bins = new Map();
  const bin = (at) => ((pixels[at] >> 1) << 14) | ((pixels[at + 1] >> 1) << 7) | (pixels[at + 2] >> 1);
  for (let at = 0; at < pixels.length; at += 4) {
    const key = bin(at);
    const sum = bins.get(key) ?? bins.set(key, { n: 0, sums: [0, 0, 0] }).get(key);
    sum.n += 1;
    for (let c = 0; c < 3; c++) sum.sums[c] += pixels[at + c];
  }
  const colours = [...bins].map(([key, { n, sums }]) => ({ key, n, rgb: sums.map((s) => s / n) }));
  const measured = (box) => {
    const ranges = [0, 1, 2].map((c) => {
      const values = box.map((each) => each.rgb[c]);
      return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
    });
    const widest = ranges.indexOf(Math.max(...ranges));
    const pixelsInIt = box.reduce((n, each) => n + each.n, 0);
    return { box, widest, weight: box.length > 1 ? ranges[widest] * Math.sqrt(pixelsInIt) : -1 };
  };
  const boxes = [measured(colours)];
  while (boxes.length < 256) {
    boxes.sort((a, b) => a.weight - b.weight);
    if (boxes.at(-1).weight < 0) break;
    const { box, widest } = boxes.pop();
    box.sort((a, b) => a.rgb[widest] - b.rgb[widest]);
    const middle = (box[0].rgb[widest] + box.at(-1).rgb[widest]) / 2;
    const cut = Math.max(1, box.findIndex((each) => each.rgb[widest] > middle));
    boxes.push(measured(box.slice(0, cut)), measured(box.slice(cut)));
  }
  const index = new Map();
  const palette = boxes.flatMap(({ box }, i) => {
    box.forEach((each) => index.set(each.key, i));
    const all = box.reduce((n, each) => n + each.n, 0);
    return [0, 1, 2].map((c) => Math.round(box.reduce((s, each) => s + each.rgb[c] * each.n, 0) / all));
  });
  let text = "";
  for (let at = 0; at < pixels.length; at += 4) text += String.fromCharCode(index.get(bin(at)));
  return [image.width, image.height, palette, btoa(text)];
}"""


async def write_picture(path: Path, page: Page, words: str) -> None:
    """Takes a picture of the page as it stands, and puts these words into it."""
    shot = await page.screenshot(animations="disabled", caret="hide")
    desk = await page.context.new_page()  # an empty one: the page's own policy lets no script of ours in
    width, height, palette, pixels = await desk.evaluate(
        FEW_COLOURS, f"data:image/png;base64,{base64.b64encode(shot).decode()}"
    )
    await desk.close()
    indices = base64.b64decode(pixels)
    lines = b"".join(b"\0" + indices[y * width : (y + 1) * width] for y in range(height))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(
        SIGNATURE
        + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
        + _chunk(b"PLTE", bytes(palette))
        + _chunk(b"iTXt", WORDS + zlib.compress(words.encode(), 9))
        + _chunk(b"IDAT", zlib.compress(lines, 9))
        + _chunk(b"IEND", b"")
    )


def words_in(path: Path) -> str:
    """Returns the words that the page had when this picture was taken."""
    for kind, data in _chunks(path.read_bytes()):
        if kind == b"iTXt" and data.startswith(WORDS):
            return zlib.decompress(data[len(WORDS) :]).decode()
    return ""


def size_of(path: Path) -> tuple[int, int]:
    """Returns how many pixels the picture is wide and high."""
    (_, header), *_ = _chunks(path.read_bytes())
    width, height = struct.unpack(">II", header[:8])
    return width, height


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(SIGNATURE)
    while at < len(picture):
        (length,) = struct.unpack(">I", picture[at : at + 4])
        yield picture[at + 4 : at + 8], picture[at + 8 : at + 8 + length]
        at += length + 12
