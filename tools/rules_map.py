"""Writes docs/rules.md and docs/rules.csv: the code of each rule of the documents, its scripts, the gaps."""

from __future__ import annotations

import argparse
import csv
import io
import json
import re
import sys
import textwrap
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.citations import Places, cited_in, covers, document_file, in_code, in_scripts, listed_rows, named_after
from tools.mutants.results import interval

ROOT = Path(__file__).resolve().parent.parent
LIST = "docs/rules.toml"
MAP = "docs/rules.md"
MATRIX = "docs/rules.csv"  # the same for a laboratory
MUTANTS = "docs/mutants.json"  # faults that were planted, as make mutants keeps them
SHOWN = 3  # places in one cell
STATUS = ("software", "procedure", "not offered", "later")

INTRO = """\
# The rules, the code, the proof

Every rule of the approved documents, the code that implements it and the scripts that prove it. `make rules` writes
this file from [rules.toml](rules.toml), the code and the scripts: edit the list, never this file. A rule counts as
found where the code or a script names its number, or one below it. Code is named by file and symbol (below
`controller`); an arrow points to the code that looks the number up. "+n": n more.

*Procedure*: only a person can do it. *Not offered*: the document allows it, and no table of ours has it. *Later*: not
built yet. Where no script can see what a rule asks for (a page, the text of a sign), a test in Python proves it.
[rules.csv](rules.csv) is the same for a laboratory, with every place, and with how many of the faults that were planted
into a rule's code the tests have found.
"""


@dataclass(frozen=True)
class Rule:
    """One number of a document, what it asks for, and where it was found."""

    number: str
    what: str
    status: str
    why: str
    code: tuple[str, ...]
    scripts: tuple[str, ...]  # and tests in Python, where no script can see it

    @property
    def proven(self) -> bool:
        """Whether it has both code and a script."""
        return bool(self.code and self.scripts)


@dataclass(frozen=True)
class Document:
    """A rule document with all its rules."""

    number: str
    title: str
    rules: tuple[Rule, ...]

    @property
    def software(self) -> list[Rule]:
        """Its rules that software has to follow."""
        return [rule for rule in self.rules if rule.status == "software"]


def order(number: str) -> tuple[bool, list[int], str]:
    """Returns the key that sorts rules as documents print them: by number, tables last.

    >>> sorted(["Table 2", "10.1", "9.1.1(b)", "9.1.1(a)", "9.2"], key=order)
    ['9.1.1(a)', '9.1.1(b)', '9.2', '10.1', 'Table 2']
    """
    return number.startswith("Table"), [int(n) for n in re.findall(r"\d+", number)], number


def build(root: Path | None = None) -> list[Document]:
    """Returns every document of the list, with the code and the scripts of each rule."""
    root = root or ROOT
    listed = tomllib.loads((root / LIST).read_text(encoding="utf-8"))
    code, scripts = in_code(root, listed), in_scripts(root, listed["games"])
    out = []
    for document in listed["document"]:
        rows = [{"status": "software", **row} for row in listed_rows(listed, document["number"])]
        for row in rows:
            _tests_name_it(root, document["number"], row)
        rules = [_rule(document["number"], row, number, code, scripts) for row in rows for number in row["rules"]]
        numbers = [rule.number for rule in rules]
        if twice := {n for n in numbers if numbers.count(n) > 1}:
            raise ValueError(f"{LIST}: document {document['number']} lists {', '.join(sorted(twice))} twice")
        rules.sort(key=lambda rule: order(rule.number))
        out.append(Document(document["number"], document["title"], tuple(rules)))
    return out


def _tests_name_it(root: Path, document: str, row: Mapping[str, Any]) -> None:
    """Raises ValueError for a test in Python that does not say which of the row's rules it proves."""
    for path in row.get("tests", []):
        named = set(cited_in((root / path).read_text(encoding="utf-8")))
        if missing := [number for number in row["rules"] if (document, number) not in named]:
            raise ValueError(f"{LIST}: {path} does not name {document} {', '.join(missing)}")


def _rule(document: str, row: Mapping[str, Any], number: str, code: Places, scripts: Places) -> Rule:
    if row["status"] not in STATUS:
        raise ValueError(f"{LIST}: {document} {number} has the status {row['status']}: use one of {', '.join(STATUS)}")
    see = row.get("see") or [number if number.startswith("Table") else number.split()[0]]

    def where(citations: Places) -> set[str]:
        cited = citations.get(document, {})
        return {place for n, places in cited.items() if any(covers(rule, n) for rule in see) for place in places}

    def named(path: str) -> bool:
        return any(covers(rule, named_after(Path(path).name)) for rule in see)

    def chosen(places: set[str]) -> set[str]:
        return {one for one in places if not among or any(part in one for part in among)}

    among = row.get("among", [])
    if gone := [part for part in among if not any(part in one for one in where(code) | where(scripts))]:
        raise ValueError(f"{LIST}: {document} {number}: nothing that names it is {', '.join(gone)}")
    places = sorted(
        chosen(where(code)), key=lambda place: ("[" in place or document_file(place.partition(":")[0]), place)
    )  # after what acts
    proofs = sorted(chosen(where(scripts)), key=lambda path: (not named(path), path))  # named after the rule first
    proofs += row.get("tests", [])
    return Rule(number, row["what"], row["status"], row.get("why", ""), tuple(places), tuple(proofs))


# ---- writing it down


def _cell(parts: list[str]) -> str:
    more = [f"+{len(parts) - SHOWN}"] if len(parts) > SHOWN else []
    return "<br>".join(parts[:SHOWN] + more)


def _line(rule: Rule) -> str:
    note = "" if rule.status == "software" else f"*{rule.status}{f': {rule.why}' if rule.why else ''}*"
    code = _cell([f"`{place}`" for place in rule.code])
    scripts = _cell([f"[{Path(path).stem.replace('_', ' ')}](../{path})" for path in rule.scripts])
    return f"| {rule.number} | {rule.what} | {'<br>'.join(filter(None, (note, code)))} | {scripts} |"


def _gaps(documents: list[Document], missing: Mapping[str, list[Rule]]) -> list[str]:
    """Returns the lines about rules that lack something, those of one row together."""
    out = []
    for document in documents:
        rows: dict[str, list[str]] = defaultdict(list)
        for rule in missing[document.number]:
            rows[rule.what].append(rule.number)
        if rows:
            out += [f"**{document.number} {document.title}** ({len(missing[document.number])})", ""]
            out += [*(f"- {', '.join(numbers)}: {what}" for what, numbers in rows.items()), ""]
    return out or ["None.", ""]


def _figures(document: Document) -> str:
    software = document.software
    figures = [
        len(document.rules),
        len(software),
        sum(bool(rule.code) for rule in software),
        sum(bool(rule.scripts) for rule in software),
        sum(rule.proven for rule in software),
        sum(rule.status == "procedure" for rule in document.rules),
        sum(rule.status == "not offered" for rule in document.rules),
        sum(rule.status == "later" for rule in document.rules),
    ]
    return f"| {document.number} {document.title} | {' | '.join(map(str, figures))} |"


def sampled(root: Path, documents: list[Document]) -> str:
    """Returns in words what came of the faults that were drawn from all, and how sure that is; "" before some were."""
    kept = root / MUTANTS
    if not kept.exists():
        return ""
    sample, known = json.loads(kept.read_text(encoding="utf-8")), planted(root)
    of, noticed = len(sample["faults"]), sum(row[-1] in NOTICED for row in sample["faults"])
    low, high = interval(noticed, of)
    software = [rule for document in documents for rule in document.software]
    empty = sum(not any(known[place] for place in acting(rule)) for rule in software)
    note = f" ({sample['note']})" if "note" in sample else ""
    share, sure = f"{100 * noticed / of:.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %"
    drawn = f"seed {sample['seed']}, {sample['date']}, commit {sample['commit']}"
    words = (
        f"Of {of:,} faults drawn from all that can be planted into the pure rooms ({drawn}) the tests found"
        f" {noticed}{note}: {share}, and with 95 % certainty {sure} of all. That says something of the whole, not of"
        f" one rule: {empty} of {len(software)} rules for software have no planted fault in code that names them, and"
        " an empty score. `make mutants ARGS='--each-rule 2 --keep'` draws up to two for each of these, kept apart from"
        " the sample."
    )
    return textwrap.fill(words, 120, break_on_hyphens=False, break_long_words=False) + "\n"


def render(documents: list[Document], faults: str = "") -> str:
    """Returns the whole of docs/rules.md; `faults`: what is said of planted ones."""
    out = [
        INTRO,
        *([faults] if faults else []),
        "| document | rules | for software | with code | with a script | with both | procedure | not offered | later |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
        *(_figures(d) for d in documents),
        "\n## Gaps\n\n### Rules for software without code\n",
        *_gaps(documents, {d.number: [r for r in d.software if not r.code] for d in documents}),
        "### Rules for software without a script\n",
        *_gaps(documents, {d.number: [r for r in d.software if not r.scripts] for d in documents}),
    ]
    for d in documents:
        out += [f"## {d.number} {d.title}\n", "| rule | what | code | scripts |", "|---|---|---|---|"]
        out += [*map(_line, d.rules), ""]
    return "\n".join(out)


# ---- for a laboratory

COLUMNS = ("document", "rule", "what", "status", "code", "scripts", "reason", "faults planted", "faults found")
NOTICED = ("found", "hangs")  # verdicts on a planted fault that a test noticed


def matrix(documents: list[Document], faults: Mapping[tuple[str, str], list[str]]) -> str:
    """Returns the whole of docs/rules.csv; `faults`: file and symbol -> the verdict on each fault planted there."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(COLUMNS)
    for document in documents:
        for rule in document.rules:
            verdicts = [verdict for place in sorted(acting(rule)) for verdict in faults.get(place, [])]
            noticed = sum(verdict in NOTICED for verdict in verdicts)
            score = (len(verdicts), noticed) if verdicts else ("", "")
            places = "; ".join(rule.code), "; ".join(rule.scripts)
            table.writerow((document.number, rule.number, rule.what, rule.status, *places, rule.why, *score))
    return out.getvalue()


def acting(rule: Rule) -> set[tuple[str, str]]:
    """Returns file and symbol of the code of a rule: what looks a number up, where the number stands elsewhere."""
    places = [place.rpartition(" → ")[2].partition(": ") for place in rule.code]
    return {(f"controller/{file}", symbol) for file, _, symbol in places}


def planted(root: Path, samples: Sequence[str] = ("faults", "each rule")) -> dict[tuple[str, str], list[str]]:
    """Returns the verdicts on faults that were planted, by file and symbol; none before some were."""
    out: dict[tuple[str, str], list[str]] = defaultdict(list)
    kept = root / MUTANTS
    all_ = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    apart = all_.get("each rule", {"faults": []})  # drawn for rules of which the sample of all faults has none
    rows = {"faults": all_.get("faults", []), "each rule": apart["faults"]}
    for file, _, symbol, _, _, _, verdict in (row for sample in samples for row in rows[sample]):
        out[file, symbol].append(verdict)
    return out


# ---- keeping what was proven


def proven_in(text: str) -> set[tuple[str, str]]:
    """Returns (document, rule) of every line of a map that has both code and a script."""
    out, document = set(), ""
    for line in text.splitlines():
        if heading := re.match(r"## (\d{3}) ", line):
            document = heading[1]
        cells = line.split(" | ")
        if document and len(cells) == 4 and "`" in cells[2] and "](" in cells[3]:
            out.add((document, cells[0].removeprefix("| ")))
    return out


def lost(text: str, documents: list[Document]) -> list[str]:
    """Returns the rules that a map calls proven and that are gaps now; a rule that left the list is no gap."""
    before = proven_in(text)
    gone = [(d.number, r) for d in documents for r in d.rules if (d.number, r.number) in before and not r.proven]
    return [f"{d} {r.number} ({r.what}) has no {'script' if r.code else 'code'} any more" for d, r in gone]


def main() -> int:
    """Writes the map of the rules and the matrix; refuses when a rule that was proven would become a gap."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--anyway", action="store_true", help="write it even so")
    anyway = parser.parse_args().anyway
    documents, target = build(), ROOT / MAP
    before = target.read_text(encoding="utf-8") if target.exists() else ""
    if (gone := lost(before, documents)) and not anyway:
        print(*gone, "Nothing was written. If it is meant so: make rules ARGS=--anyway", sep="\n", file=sys.stderr)
        return 1
    target.write_text(render(documents, sampled(ROOT, documents)), encoding="utf-8")
    (ROOT / MATRIX).write_text(matrix(documents, planted(ROOT)), encoding="utf-8")
    for d in documents:
        print(f"{d.number}: {len(d.software)} rules for software, {sum(r.proven for r in d.software)} proven")
    return 0


if __name__ == "__main__":
    sys.exit(main())
