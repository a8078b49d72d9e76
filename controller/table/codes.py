"""The codes that the rules of a table give: readings that make no sense, reasons why it is held."""

from __future__ import annotations

from controller.errors import declare

declare(
    __name__,
    "what makes no sense at a table",
    {
        "device.no-code": (
            "The device reports a fault and does not say which.",
            "The device reports a fault without a code: look at it, and ask its maker.",
        ),
        "sensor.chips": (
            "The sensor read chips that cannot lie there, or on a spot that this table does not have.",
            "Take the chips off this spot and put them down again. If there is no such spot at this table, the sensor "
            "is of another game or its layout is wrong: set it right, or replace the sensor.",
        ),
        "shoe.cards": (
            "The shoe told of a number of cards that cannot leave at once.",
            "Switch the shoe off and on; if it comes back, replace it.",
        ),
        "reader.place": (
            "A reader told of cards at a place that this table does not have.",
            "Correct the area of this reader in table.toml.",
        ),
        "shuffler.count": (
            "The shuffler told of a number of cards that cannot be.",
            "Switch the shuffler off and on; if it comes back, replace it.",
        ),
        "lost": (
            "The device cannot be reached; beside it stands the code that says why.",
            "Explain that code; the daemon reconnects by itself.",
        ),
        "meter.value": (
            "The prize meter told an amount that cannot be.",
            "Look at the prize meter: `felt jackpot verify`.",
            "Call the technician.",
        ),
    },
)

declare(
    __name__,
    "what holds a table until a supervisor rules",
    {
        "journal.behind": (
            "A device knows more events than the journal: the journal is an old copy.",
            "Look for the newer journal before anybody plays: see docs/recovery.md; then a supervisor rules.",
        ),
        "witness.rollback": (
            "Somebody was shown more records of this journal, signed by its key, than it has: it is an older copy.",
            "Look for the newer journal before anybody plays: see docs/recovery.md; then a supervisor rules.",
        ),
        "witness.fork": (
            "Somebody was shown other records of this journal, signed by its key: it has two histories, or was "
            "changed.",
            "Keep this journal and what the witness knows; look for a second computer with a copy of this table, see "
            "docs/recovery.md; then a supervisor rules.",
        ),
        "journal.fact": (
            "A record of the journal has fields that its kind of fact cannot have: an earlier version wrote it for a "
            "device, and what it told is not known.",
            "Check what lies on the felt, and the device; then a supervisor presses resume, or void for the round.",
        ),
        "table.defect": (
            "The daemon's own code could not follow what happened.",
            "Check what lies on the felt; then a supervisor presses resume, or void for the round; keep the "
            "logs for the technician.",
        ),
    },
)
