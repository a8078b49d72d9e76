"""The codes of prize meters and their stores."""

from __future__ import annotations

from controller.errors import declare

declare(
    __name__,
    "the prize meter",
    {
        "jackpot.unreachable": (
            "The server of the prize meters does not answer, or nobody knows whether it did what was asked.",
            "Check the network and the server of the prize meters; the table tells it again by itself.",
        ),
        "jackpot.closed": (
            "The prize meter system is closed.",
            "Take the table out of this prize meter system, or join it to another.",
        ),
        "jackpot.differs": (
            "The table has other Jackpot options than its group.",
            "Give every table of the group the same Jackpot options.",
        ),
        "jackpot.unknown": (
            "There is no such prize meter system, or the table takes no part in it.",
            "Correct the name of the group; a table joins its group when it starts.",
        ),
        "jackpot.corrupt": (
            "What the store of the prize meters holds cannot be right.",
            "Keep the file, and restore the store from a copy: `felt jackpot verify` says what is wrong.",
            "Call the technician; no Jackpot wagers are taken until it is right.",
        ),
        "jackpot.behind": (
            "The store knows less than the table was told: it is an old copy.",
            "The store is an old copy: bring the newest; or rename the table and adjust what is missing.",
        ),
        "jackpot.gap": (
            "A movement between two that were told is missing.",
            "The table's journal misses a movement: restore the journal.",
        ),
        "jackpot.conflict": (
            "Another table or another journal told the store under this table's name.",
            "Restore the table's journal, or give the table a new name.",
        ),
        "jackpot.excess": (
            "An increment is larger than this meter can rise at once.",
            "Compare the table's Jackpot options with those of the group.",
        ),
        "jackpot.refused": (
            "The rules of the prize meter do not allow what was asked.",
            "Correct what was asked: the message says what is not allowed.",
        ),
        "jackpot.people": (
            "A correction needs two different people, with their names and a reason.",
            "Say who you are and why; a second person, with another account, confirms it.",
        ),
        "jackpot.rewritten": (
            "The ledger of the prize meter is not the one that this table was told of: it was changed, or replaced.",
            "Keep the store as it is, and restore it from a copy: `felt jackpot verify` says what is wrong.",
            "Call the technician; no Jackpot wagers are taken until it is right.",
        ),
        "jackpot.chained": (
            "The store is of an older version: the entries of its ledgers were chained, once.",
            "Nothing is to be done; `felt jackpot verify` says how many entries were there before.",
            "Nothing is to be done.",
        ),
        "jackpot.lease": (
            "The daemon that spoke for this table before may still run elsewhere; this is known in a moment.",
            "Wait half a minute; if the table was moved to other hardware, switch the former one off.",
        ),
        "jackpot.newer": (
            "The store was written by a newer version.",
            "Install the version of feltd that the other tables have.",
        ),
        "jackpot.*": (
            "Something else about the prize meter.",
            "Look at the prize meter: `felt jackpot verify`; new Jackpot wagers are refused until it is right.",
            "Call the technician; no Jackpot wagers are taken until it is right.",
        ),
    },
)

declare(
    __name__,
    "a logbook in the store of the prize meters",
    {
        "logbook.conflict": (
            "There is another logbook of this name in the store.",
            "Choose another name.",
        ),
        "logbook.unknown": (
            "There is no logbook of this name in the store.",
            "Correct the name; check that the tables use one store.",
        ),
    },
)

declare(
    __name__,
    "two tables with one identity",
    {
        "table.cloned": (
            "Two daemons run with the identity of this table: its card or its state directory was copied.",
            "Find the other one and switch it off; at the real table say so: `felt jackpot claim`.",
            "Call the technician; there are two tables with the identity of this one.",
        ),
    },
)
