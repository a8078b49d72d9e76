"""The fenced blocks of the documents: what kind each is, and how it is tried."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "examples").rglob("README.md"),
        *(ROOT / "firmware_bridge").rglob("README.md"),
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    ]
)
KINDS = {
    "console": "lines with `$ ` are run, and what stands below them is compared",
    "felt": "a script, which is played",
    "toml": "a part of table.toml; `toml people`: of people.toml; `toml pyproject`: of a package",
    "json": "parsed; `json GET PATH`: compared with what the table answers",
    "python": "compiled and run; `python pytest`: run by pytest with our plugin",
    "sh": "commands for a real machine: only with a reason why they are not run",
    "sql": "statements for a real server: only with a reason why they are not run",
    "text": "a drawing or words on a screen: nothing that could be run",
}
NOT_RUN, TESTED_BY = "not-run:", "tested-by:"
_FENCE = re.compile(r"^(?P<indent> *)```(?P<info>.*)\n(?P<text>(?:.*\n)*?)(?P=indent)```$", re.MULTILINE)
_BEFORE = re.compile(r"^ *<!-- \$ (.*) -->$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """One fenced block, or a command that only the tests see: a comment `<!-- $ COMMAND -->`."""

    page: Path
    line: int
    kind: str
    words: tuple[str, ...]  # between the kind and the reason
    reason: str  # why it is not run here; "": it is
    text: str

    @property
    def place(self) -> str:
        """Where it stands."""
        return f"{name_of(self.page)}:{self.line}"

    @property
    def file(self) -> str:
        """The file as which the reader keeps it; "" for none."""
        return next((word.removeprefix("file=") for word in self.words if word.startswith("file=")), "")

    @property
    def game(self) -> str:
        """The game of the table that it belongs to."""
        return next((word.removeprefix("game=") for word in self.words if word.startswith("game=")), "casino-war")


def name_of(page: Path) -> str:
    """The page as a person calls it."""
    return str(page.relative_to(ROOT))


def blocks(page: Path) -> list[Block]:
    """Every block of a page, in its order."""
    text = page.read_text(encoding="utf-8")
    fences = [_block(page, text, match) for match in _FENCE.finditer(text)]
    hidden = [
        Block(page, _line(text, match), "console", (), "", f"$ {match[1]}\n")
        for match in _BEFORE.finditer(_FENCE.sub(lambda fence: re.sub(r".", " ", fence[0]), text))
    ]
    return sorted([*fences, *hidden], key=lambda block: block.line)


def every_block() -> Iterator[Block]:
    """All blocks of all pages."""
    for page in PAGES:
        yield from blocks(page)


def code(page: Path) -> Iterator[str]:
    """What a page writes as code: the text of its blocks, and what is between backquotes."""
    text = page.read_text(encoding="utf-8")
    yield from (match["text"] for match in _FENCE.finditer(text))
    yield from re.findall(r"`([^`\n]+)`", prose(page))


def prose(page: Path) -> str:
    """What a page says outside of its blocks."""
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def _line(text: str, match: re.Match[str]) -> int:
    return text.count("\n", 0, match.start()) + 1


def _block(page: Path, text: str, match: re.Match[str]) -> Block:
    info, reason = match["info"], ""
    for mark in (NOT_RUN, TESTED_BY):
        if mark in info:
            info, _, reason = info.partition(mark)
            reason = f"{mark} {reason.strip()}"
            break
    kind, *words = info.split() or [""]
    inner = re.sub(rf"^{match['indent']}", "", match["text"], flags=re.MULTILINE)
    return Block(page, _line(text, match), kind, tuple(words), reason, inner)
