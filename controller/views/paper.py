"""Receipts on paper: one page to print and sign, or plain text, made of sheets; no script, no other file."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from html import escape
from textwrap import wrap
from typing import Final, NamedTuple

from controller.views.plain import one_line

WIDTH: Final = 79
STYLE: Final = """
:root { color-scheme: light; }
body { font: 15px/1.4 system-ui, sans-serif; color: #111; background: #fff; }
main { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
h2 { font-size: 1.05rem; margin: 1.4rem 0 .4rem; border-bottom: 1px solid #111; }
p { margin: .25rem 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .2rem .6rem .2rem 0; vertical-align: top; border-bottom: 1px solid #bbb; }
th { font-weight: 600; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; padding-right: 1.5rem; }
.proof { font: .85rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; background: #f2f2f2; padding: .5rem; }
.sign { display: flex; gap: 2rem; margin-top: 3rem; }
.sign div { flex: 1; border-top: 1px solid #111; padding-top: .25rem; }
@media print {
  body { font-size: 8pt; line-height: 1.15; }
  h1 { font-size: 13pt; }
  h2 { font-size: 9.5pt; margin: .6rem 0 .15rem; }
  p { margin: 0; }
  th, td { padding: .02rem .6rem .02rem 0; }
  .lines { columns: 2; }
  .sign { margin-top: 2rem; }
  main { margin: 0; padding: 0; max-width: none; }
  .proof { background: none; border: 1px solid #111; }
  tr, .sign, .proof { break-inside: avoid; }
}
@page { size: A4; margin: 12mm 15mm; }
"""
_DIGEST: Final = b64encode(sha256(STYLE.encode()).digest()).decode()
POLICY: Final = f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; form-action 'none'"


class Sheet(NamedTuple):
    """A part of a receipt: a table with its heading, or lines."""

    title: str
    heading: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    numbers: Sequence[int] = ()  # which columns are amounts
    lines: Sequence[str] = ()


class Receipt(NamedTuple):
    """A receipt as it is printed; `anchor` is the line that ties it to the journal, "" where there is none yet."""

    title: str
    about: Sequence[str]
    sheets: Sequence[Sheet]
    remarks: Sequence[str]
    proof: Sequence[str]
    anchor: str
    signatures: Sequence[str]

    @property
    def filled(self) -> list[Sheet]:
        """The parts that have something to tell."""
        return [sheet for sheet in self.sheets if sheet.rows or sheet.lines]


def proof(facts: str, table: str, anchor: str) -> Iterator[str]:
    """Yields how a receipt is proved; `facts` names those of the journal that it is told from."""
    yield f"This is told from {facts} of the journal of table {table}."
    if anchor:
        yield "The line below is an anchor: it proves that nothing up to there was changed."
        yield "To check, put it into a file and run: felt journal verify --anchor FILE"


# ---- plain text


def lines(receipt: Receipt) -> Iterator[str]:
    """Yields a receipt as plain text that fits a page."""
    for line in _lines(receipt):
        text = one_line(line)
        fits = len(text) <= WIDTH or line == receipt.anchor  # which must stay one line: it is copied into a file
        yield from [text] if fits else wrap(text, WIDTH, subsequent_indent="    ", break_on_hyphens=False)


def _lines(receipt: Receipt) -> Iterator[str]:
    yield receipt.title
    yield "=" * min(WIDTH, len(receipt.title))
    yield from receipt.about
    for sheet in receipt.filled:
        yield ""
        yield f"{sheet.title}:"
        if sheet.rows:
            yield from _columns([sheet.heading, *sheet.rows], sheet.numbers)
        yield from (f"  {line}" for line in sheet.lines)
    for remark in receipt.remarks:
        yield ""
        yield remark
    yield ""
    yield from receipt.proof
    if receipt.anchor:
        yield receipt.anchor
    yield ""
    for who in receipt.signatures:
        yield ""
        yield f"{who + ':':<12}______________________________   Date: ____________________"


def _columns(rows: Sequence[Sequence[str]], numbers: Sequence[int]) -> Iterator[str]:
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.rjust(w) if n in numbers else cell.ljust(w)
            for n, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        yield f"  {'  '.join(cells)}".rstrip()


# ---- a page


def page(receipt: Receipt) -> str:
    """Returns a receipt as one HTML page: no script, no other file, a style for paper."""
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    head += f"<title>{_safe(receipt.title)}</title>"
    return "".join(
        (
            f'<!DOCTYPE html>\n<html lang="en"><head>{head}<style>{STYLE}</style></head>\n<body><main>\n',
            f"<h1>{_safe(receipt.title)}</h1>\n",
            *(f"<p>{_safe(line)}</p>\n" for line in receipt.about),
            *(_section(sheet) for sheet in receipt.filled),
            *(f"<p>{_safe(remark)}</p>\n" for remark in receipt.remarks),
            "<h2>Proof</h2>\n",
            *(f"<p>{_safe(line)}</p>\n" for line in receipt.proof),
            f'<p class="proof">{_safe(receipt.anchor)}</p>\n' if receipt.anchor else "",
            f'<div class="sign">{"".join(f"<div>{who}, date</div>" for who in receipt.signatures)}</div>\n',
            "</main></body></html>\n",
        )
    )


def _section(sheet: Sheet) -> str:
    table = ""
    if sheet.rows:
        head = _cells("th", sheet.heading, sheet.numbers)
        body = "".join(f"<tr>{_cells('td', row, sheet.numbers)}</tr>\n" for row in sheet.rows)
        table = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>\n"
    lines = "".join(f"<p>{_safe(line.strip())}</p>\n" for line in sheet.lines)
    return f'<section>\n<h2>{_safe(sheet.title)}</h2>\n{table}<div class="lines">{lines}</div>\n</section>\n'


def _cells(tag: str, cells: Iterable[str], numbers: Sequence[int]) -> str:
    scope = ' scope="col"' if tag == "th" else ""
    return "".join(f"<{tag}{scope}{_class(n, numbers)}>{_safe(cell)}</{tag}>" for n, cell in enumerate(cells))


def _class(n: int, numbers: Sequence[int]) -> str:
    return ' class="number"' if n in numbers else ""


def _safe(text: str) -> str:
    """Returns words of devices and people so that they cannot be anything but words."""
    return escape(one_line(text))
