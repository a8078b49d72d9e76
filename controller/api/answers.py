"""How the API answers with data."""

from __future__ import annotations

import msgspec
from aiohttp import web


def answer(data: object, status: int = 200) -> web.Response:
    """Returns data as a response in JSON."""
    return web.Response(body=msgspec.json.encode(data), status=status, content_type="application/json")
