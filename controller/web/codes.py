"""The codes of the pages for the public."""

from __future__ import annotations

from controller.errors import declare

declare(
    __name__,
    "the pages for the public",
    {
        "web.defect": (
            "The daemon's own code for a page failed.",
            "Keep the daemon's log and call the technician.",
        ),
        "web.request": (
            "There is nothing at this path that can be asked so.",
            "Look at `/`, which lists what there is.",
        ),
        "report.request": (
            "The page asked for numbers that there are not.",
            "Open `/report` again, and choose a day.",
        ),
        "web.listen": (
            "The pages cannot be offered at this address.",
            "Choose another address or port for [web] listen in table.toml, or stop what uses it.",
        ),
    },
)
