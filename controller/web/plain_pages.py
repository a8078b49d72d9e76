"""Pages that tell and do nothing: what there is at this port, and why a request cannot be answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from http import HTTPStatus
from typing import Final

from aiohttp import web

from controller.errors import FeltError
from controller.service import floor_routes
from controller.service.door import failure
from controller.service.routes import AnyRoute
from controller.service.tournament_routes import DESK_PAGE, OPEN_PAGE, ROOM_PAGE

HTML: Final = "text/html"
STEPS: Final = {
    403: "Open the table by its own address.",
    503: "Ask again later.",
}
ABSENT: Final = {  # what only some tables have
    floor_routes.PAGE.path: "This table watches no others: open the page at the one whose table.toml has [floor].",
}
PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark">
<title>{title}</title>
<link rel="icon" href="/display/static/felt.svg">
<link rel="stylesheet" href="/display/static/plain.css">
</head>
<body>
<main>
<h1>{title}</h1>
{body}
</main>
</body>
</html>
"""


def wants_page(request: web.BaseRequest) -> bool:
    """Tells whether a browser asks for something to be read by a person; everybody else gets JSON."""
    return HTML in request.headers.get("Accept", "")


def page(title: str, body: str, status: int = 200) -> web.Response:
    """Returns a page with this heading."""
    return web.Response(text=PAGE.format(title=escape(title), body=body), status=status, content_type=HTML)


LISTED: Final = {"number", "name"}  # what a page that is reached from a list has in its path


def index_page(title: str, routes: Iterable[AnyRoute], names: Mapping[str, str]) -> web.Response:
    """Returns the list of all pages; `names` has those that a path with a name stands for, and what each gives."""
    links = "\n".join(
        f'<li><a href="{escape(path)}">{escape(path)}</a> <span>{escape(says)}</span></li>'
        for path, says in _pages(routes, names)
    )
    programs = '<p>For programs: <a href="/openapi.json">/openapi.json</a>, and this list as JSON.</p>'
    return page(title, f"<ul>\n{links}\n</ul>\n{programs}")


def _pages(routes: Iterable[AnyRoute], names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yields the path of each page with what it says, but those that are reached from one that lists them."""
    for route in routes:
        if route.media == HTML and LISTED.isdisjoint(route.names):
            if route.names:
                yield from ((route.at(name), says) for name, says in names.items())
            else:
                yield route.path, route.says


def cups_page(names: Iterable[tuple[str, str]]) -> web.Response:
    """Returns the list of tournaments, each with its game and its two pages."""
    links = "\n".join(
        f'<li><a href="{escape(ROOM_PAGE.at(name))}">{escape(name)}</a> <span>{escape(game)};</span> '
        f'<a href="{escape(DESK_PAGE.at(name))}">desk</a></li>'
        for name, game in names
    )
    new = f'<p><a href="{OPEN_PAGE.path}">Open a tournament</a></p>'
    return page("Tournaments", f"<ul>\n{links}\n</ul>\n{new}" if links else f"<p>There are no tournaments.</p>\n{new}")


def refusal(request: web.BaseRequest, status: int, reason: str) -> web.Response:
    """Returns why something cannot be answered: a page for people, code, cause and next step for programs."""
    elsewhere = ABSENT.get(request.path, "") if status == HTTPStatus.NOT_FOUND else ""
    if wants_page(request):
        why = f"<p>{escape(elsewhere)}</p>\n" if elsewhere else ""
        return page(f"{status} {reason}", f'{why}<p><a href="/">What there is at this table</a></p>', status)
    step = elsewhere or STEPS.get(status, "See docs/pages.md, or `/` for what there is here.")
    response = failure(FeltError("web.request", f"{request.method} {request.path}: {reason}", step))
    response.set_status(status)
    return response
