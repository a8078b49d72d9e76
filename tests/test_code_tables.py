"""Codes are explained in docs/errors.md alone: other pages link there, and the tables that they keep are the code's."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from controller.api import serving
from controller.errors import meaning
from controller.service.statuses import STATUS
from firmware_bridge import frame
from tools.errors_page import PAGE, ROOT

DOCS = ROOT / "docs"
BY_SYMPTOM = DOCS / "troubleshooting.md"  # leads from what somebody sees, which may be a code, to what is to be done
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if page not in (ROOT / PAGE, BY_SYMPTOM)]
WIRE = "What is not a frame"  # what firmware authors build by: the order of these checks is a part of the protocol
HTTP = {404, 405, 413, 415, 500}  # said by the server itself


def rows(page: Path) -> list[tuple[str, str]]:
    """Returns the heading and the first cell of every row of a table."""
    heading, found = "", []
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif line.startswith("| "):
            found.append((heading, line.split("|")[1].strip()))
    return found


def codes(cell: str) -> list[str]:
    """Returns the codes that a cell consists of; none when it has anything else."""
    words = [word.strip("`") for word in re.split(r"[ ,;]+", cell)]
    return words if all("." in word and meaning(word) for word in words) else []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_no_other_page_explains_codes(page: Path) -> None:
    repeated = [cell for heading, cell in rows(page) if codes(cell) and heading != WIRE]
    assert repeated == [], f"{PAGE} has them: link to it"


def test_damaged_frames_are_told_in_the_order_in_which_they_are_checked() -> None:
    table = [code for heading, cell in rows(DOCS / "protocol.md") if heading == WIRE for code in codes(cell)]
    checked = re.findall(r'FrameError\("(frame\.\w+)"', inspect.getsource(frame))
    assert table == list(dict.fromkeys(checked))


def test_every_status_of_the_api_is_listed() -> None:
    listed = [cell for heading, cell in rows(DOCS / "api.md") if heading == "Errors" and cell[0].isdigit()]
    statuses = [int(status) for cell in listed for status in cell.split(", ")]
    assert sorted(statuses) == sorted(HTTP | set(serving.KINDS.values()) | set(STATUS.values()))


def test_what_holds_a_table_is_ruled_on_by_a_supervisor() -> None:
    text = (DOCS / "recovery.md").read_text(encoding="utf-8")
    [held] = re.findall(r"^\| is held until a supervisor rules \| (.*) \|$", text, re.MULTILINE)
    holding = [code for word in re.findall(r"`([^`]+)`", held) if (code := meaning(word)) is not None]
    assert len(holding) >= 5
    assert [code.code for code in holding if "supervisor" not in code.step] == []
