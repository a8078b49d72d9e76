"""The codes of the daemon's start, end and log."""

from __future__ import annotations

from controller.errors import declare

declare(
    __name__,
    "the daemon's log",
    {
        "witness.no-key": (
            "Journals are listed that this table shall witness, and it has no key to cosign them with.",
            "Make one with `felt journal key --new --witness`, name it in `[witness] key`, and restart the daemon.",
        ),
        "table.ready": (
            "The table is ready.",
            "Nothing is to be done.",
        ),
        "table.stopped": (
            "The table was stopped in order.",
            "Nothing is to be done.",
        ),
        "table.refused": (
            "The rules refuse the table's configuration.",
            "Run `felt config check` on table.toml.",
        ),
        "pages.ready": (
            "The pages for the public are offered; the line says where.",
            "Nothing is to be done.",
        ),
        "journal.replaying": (
            "The table is being told again from its journal.",
            "Wait: it takes longer when the journal is long.",
        ),
        "journal.note": (
            "Something about the journal is worth knowing and no trouble.",
            "Read the line; nothing has to be done.",
        ),
        "journal.unreadable": (
            "The journal has a kind of fact that this version does not know: a newer version wrote it.",
            "Install the version of feltd that wrote it, or a later one; do not delete the journal.",
        ),
        "library.complaint": (
            "A library that the daemon uses complained.",
            "Nothing, if the table goes on; else keep the log for the technician.",
        ),
        "loop.exception": (
            "The daemon's own code failed outside of every request.",
            "Keep the daemon's log and call the technician.",
        ),
    },
)
