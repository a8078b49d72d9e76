"""Whether two answers have the same shape: the same keys, each with the same kind of value."""

from __future__ import annotations

from typing import Any


def differs(shown: Any, answered: Any, at: str = "") -> str:
    """What the document shows and the table does not answer so; "" when it is the same shape.

    The document may leave keys out; a value that is null may be anything.

    >>> differs({"a": 1}, {"a": 2, "b": ""})
    ''
    >>> differs({"a": [{"b": ""}]}, {"a": [{"b": 3}]})
    'a.0.b is shown as str and is int'
    """
    if shown is None or answered is None:
        return ""
    if type(shown) is not type(answered):
        return f"{at.strip('.')} is shown as {type(shown).__name__} and is {type(answered).__name__}"
    if isinstance(shown, dict):
        missing = shown.keys() - answered.keys()
        if missing:
            return f"{at.strip('.')} has no {', '.join(sorted(missing))}"
        return next((said for key in shown if (said := differs(shown[key], answered[key], f"{at}.{key}"))), "")
    if isinstance(shown, list) and shown and answered:
        return differs(shown[0], answered[0], f"{at}.0")
    return ""
