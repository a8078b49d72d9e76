"""One frame around the pages to work on: head, title, who is signed in, and the sheet for the PIN.

The file of such a page begins with its title, as a comment, and has only what stands below the head.  Its style sheet
and its script have the same name as it.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final

FRAME: Final = "frame.html"
TITLE: Final = ("<!-- ", " -->\n")  # around the title, in the first line


def framed(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Returns these files with every page whole; one that is whole already stays as it is."""
    frame = files[FRAME].decode()
    return {name: _whole(frame, name, content) for name, content in files.items() if name != FRAME}


def _whole(frame: str, name: str, content: bytes) -> bytes:
    begins, ends = TITLE
    stem, _, kind = name.rpartition(".")
    if kind != "html" or not content.startswith(begins.encode()):
        return content
    title, _, page = content.decode().removeprefix(begins).partition(ends)
    return frame.format(title=escape(title), name=stem, page=page.rstrip("\n")).encode()
