"""Whatever a table cites is a rule that its document has."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tools.citations import covers, listed_rows, spelled

LIST = Path(__file__).parents[1] / "docs" / "rules.toml"
OF_THE_ACT = re.compile(r"s\d+(\(\d+\))*")  # Casino Control Act

FORM = re.compile(r"(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)+|table-\d+)(?:\((?:[a-z]|[ivx]+|\d+)\))*")


@cache
def documents() -> Mapping[str, list[dict[str, Any]]]:
    """Returns the listed rules of the approved documents, by their numbers."""
    listed = tomllib.loads(LIST.read_text("utf-8"))
    return {each["number"]: listed_rows(listed, each["number"]) for each in listed["document"]}


@cache
def numbers(document: str) -> frozenset[str]:
    """Returns the numbers of a document's rules."""
    listed = documents()[document]
    return frozenset(rule.split()[0] if rule[0].isdigit() else rule for row in listed for rule in row["rules"])


@cache
def is_known(document: str, cited: str) -> bool:
    """Tells whether a document has this rule, or the list names one above or below it; a number is written like one."""
    number = spelled(cited)
    return FORM.fullmatch(cited) is not None and any(
        covers(rule, number) or covers(number, rule) for rule in numbers(document)
    )


def cited_by(told: object) -> Iterator[str]:
    """Yields the rules that something cites, told as plain data."""
    if isinstance(told, Mapping):
        for name, value in told.items():
            if name == "rule" and isinstance(value, str):
                yield value
            yield from cited_by(value)
    elif isinstance(told, list | tuple):
        for value in told:
            yield from cited_by(value)


def unknown(document: str, told: object) -> list[str]:
    """Returns what is cited and is no rule of the document; what no rule says cites none.

    Nothing is known of the documents of games that other packages bring.
    """
    if document not in documents():
        return []
    cited = {rule for rule in cited_by(told) if rule and not OF_THE_ACT.fullmatch(rule)}
    return sorted(rule for rule in cited if not is_known(document, rule))
