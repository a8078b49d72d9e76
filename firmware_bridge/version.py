"""The comparison of firmware versions."""

from __future__ import annotations

import re


def version_key(text: str) -> tuple[int, ...] | None:
    """Returns a value by which versions can be compared; None when the text is no version.

    >>> version_key("1.10.0") > version_key("1.9")
    True
    """
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9}){0,3}", text, re.ASCII):
        return None
    parts = [int(part) for part in text.split(".")]
    return tuple(parts + [0] * (4 - len(parts)))
