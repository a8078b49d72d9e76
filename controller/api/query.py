"""What a request asks for behind its `?`: a wrong value is answered the same way everywhere, with 400."""

from __future__ import annotations

from aiohttp import web

from controller.errors import FeltError

_DIGITS = 18  # more would not fit into a record's number


class BadRequest(FeltError):
    """The error of a client that asked for something that does not exist or makes no sense."""


class NotFound(FeltError):
    """The error of a client that asked for something of a right kind that is not there."""


def bad_request(cause: str) -> BadRequest:
    """Returns the error with the code that all of them have."""
    return BadRequest("api.request", cause)


def number(request: web.Request, name: str, default: int, least: int = 0, most: int = 10**_DIGITS) -> int:
    """Returns a whole number of the query, or its default; raises BadRequest for anything else."""
    text = request.query.get(name)
    if text is None:
        return default
    if not is_number(text):
        raise bad_request(f"{name} must be a whole number, not {text[:40]!r}")
    if not least <= int(text) <= most:
        raise bad_request(f"{name} must be {least} to {most}, not {text}")
    return int(text)


def is_number(text: str) -> bool:
    """Tells whether the text is a whole number of a size that we count to."""
    return text.isascii() and text.isdigit() and len(text) <= _DIGITS


def switch(request: web.Request, name: str) -> bool:
    """Tells whether the query has this switched on: 1 is on, 0 and nothing are off; raises BadRequest else."""
    text = request.query.get(name, "0")
    if text not in ("0", "1"):
        raise bad_request(f"{name} must be 1 or 0, not {text[:40]!r}")
    return text == "1"
