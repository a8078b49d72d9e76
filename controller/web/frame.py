"""One frame around the pages to work on: head, title, who is signed in, and the sheet for the PIN.

The file of such a page begins with its title, as a comment, and has only what stands below the head.  Its style sheet
and its script have the same name as it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

FRAME: Final = "frame.html"
TITLE: Final = ("<!-- ", " -->\n")  # around the title, in the first line


def framed(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Returns these files with every page whole; one that is whole already stays as it is."""
    frame = files[FRAME].decode()
    return {name: _whole(frame, name, content) for name, content in files.items() if name != FRAME}


def marked(files: Mapping[str, bytes], words: str) -> dict[str, bytes]:
    """Returns these files with large words on every page; they stand in front of everything and stop no finger."""
    link = '<link rel="stylesheet" href="/display/static/mark.css">\n</head>'
    mark = f'<p class="mark" role="note">{escape(words)}</p>\n</body>'
    both = ((b"</head>", link.encode()), (b"</body>", mark.encode()))
    return {name: _replaced(content, both) if name.endswith(".html") else content for name, content in files.items()}


def _replaced(page: bytes, pairs: Sequence[tuple[bytes, bytes]]) -> bytes:
    for old, new in pairs:
        page = page.replace(old, new, 1)
    return page


def _whole(frame: str, name: str, content: bytes) -> bytes:
    begins, ends = TITLE
    stem, _, kind = name.rpartition(".")
    if kind != "html" or not content.startswith(begins.encode()):
        return content
    title, _, page = content.decode().removeprefix(begins).partition(ends)
    return frame.format(title=escape(title), name=stem, page=page.rstrip("\n")).encode()
