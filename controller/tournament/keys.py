"""The keys of a tournament: those of the director's desk, which work at its tables too, and those of its tables."""

from __future__ import annotations

from typing import Final

from controller.table.declare import AMOUNT, AREA, NAME, NTH, SEAT, Key, kind, optional, word
from controller.table.keys import OFF

DIRECTOR: Final = "tournament-director"
DEPUTY: Final = "deputy"
DIRECTORS: Final = (DIRECTOR, DEPUTY)

DURATION: Final = kind("DURATION", r"([0-9]{1,9}(ms|s|m|h))+")
_PERSON: Final = NAME
_TABLE: Final = NAME
WARNING: Final = "warning"
ALL_IN: Final = "all-in"
PASS: Final = "pass"
RE_BUY: Final = "re-buy"
SECRET: Final = "secret"

POSTPONE: Final = Key("postpone", DURATION, says="the start is put off; the inspectorate is to be advised again")
MOVE: Final = Key("move", _PERSON, _TABLE, optional(SEAT), says="that player goes to the table, with the bank")
DESK_KEYS: Final = (
    Key("publish", says="the terms are available to patrons"),
    Key("advise", says="the inspectorate was advised of the tournament, or of a change"),
    Key("briefed", says="the players were briefed on the terms"),
    Key("deputy", _PERSON, says="the director appoints a deputy"),
    Key("present", optional(_PERSON), report=True, says="the director, or that deputy, is present"),
    Key("away", optional(_PERSON), report=True, says="the director, or that deputy, is not present"),
    POSTPONE,
    Key("practice", NTH, says="each table plays N practice rounds"),
    Key("start", says="the tournament, or its next session, begins"),
    Key("level", NTH, says="the level changes: at once, or after the rounds that run"),
    Key("rebuy", _PERSON, says="that player buys back"),
    Key("add-on", _PERSON, says="that player adds to the bank"),
    Key("disqualify", _PERSON, final=True, says="that player is disqualified"),
    Key("retire", _PERSON, final=True, says="that player retires"),
    Key("penalty", _PERSON, word(WARNING) | AMOUNT, says="that player is warned, or loses chips"),
    MOVE,
    Key("break", _TABLE, final=True, says="the players of that table go to the others"),
    Key("end-table", _TABLE, optional(word("agreed")), final=True, says="play at that table ends early"),
    Key("award", final=True, says="all is final"),
)
ABSENT: Final = Key("absent", AREA, optional(OFF), says="the player there need not wager")
MARKER: Final = Key("marker", AREA, word(ALL_IN, PASS, RE_BUY), says="the player there uses a marker")
TABLE_KEYS: Final = (ABSENT, MARKER)
