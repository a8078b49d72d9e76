"""One frame around the pages to work on."""

from __future__ import annotations

from importlib.resources import files

from controller.web.frame import FRAME, framed

STATIC = {entry.name: entry.read_bytes() for entry in (files("controller.web") / "static").iterdir()}


def test_a_page_that_begins_with_its_title_stands_in_the_frame() -> None:
    frame = b"<h1>{title}</h1>{name}.js\n{page}\n"
    given = {FRAME: frame, "a.html": b"<!-- Ann's <b> -->\n<p>{x}</p>\n", "b.html": b"<!doctype>", "c.js": b"<!-- "}
    made = framed(given)
    assert made["a.html"] == b"<h1>Ann&#x27;s &lt;b&gt;</h1>a.js\n<p>{x}</p>\n"
    assert {name: made[name] for name in made if name != "a.html"} == {"b.html": b"<!doctype>", "c.js": b"<!-- "}


def test_pages_to_work_on_share_it_and_have_their_own_style_and_script() -> None:
    made = framed(STATIC)
    shared = {name for name in STATIC if name.endswith(".html") and made.get(name, STATIC[name]) != STATIC[name]}
    assert {"decks.html", "desk.html", "devices.html", "floor.html", "report.html"} <= shared
    for name in shared:
        stem = name.removesuffix(".html")
        assert {f"{stem}.css", f"{stem}.js"} <= set(STATIC)
        assert made[name].count(b"<header>") == made[name].count(b'id="sheet"') == 1
