"""What can be asked about the decks of a table, at the socket and on the pages' port."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypedDict

import msgspec

from controller.service.door_routes import SIGNED_IN, KeyPrompt
from controller.service.routes import Answer, Json, Route
from controller.views.deck_receipt import InspectionFound
from controller.views.decks import DecksShown

MAY_HANDLE: Final = "who is signed in, with the power that the rule document gives"


class DeckWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The request to do something with a deck; what comes with it depends on the deed."""

    deed: str  # bring, name, check, order, unfit, change, seal, witness
    deck: int = 0  # 0: all that are in play
    colour: str = ""
    serial: str = ""
    count: int = -1  # cards; -1: none is told
    fault: str = ""
    cards: tuple[str, ...] = ()
    note: str = ""
    slip: str = ""
    seal: str = ""
    witness: str = ""


class DeckDone(TypedDict):
    """What became of it."""

    deed: str
    deck: int
    inspection: int | None  # that was made, if one was
    person: str
    seq: int  # the fact that says so
    prompts: list[KeyPrompt]


DECKS: Final = Route("GET", "/decks", "Tells the decks, inspections and the story of the cards.", DecksShown)
DEED: Final = Route(
    "POST",
    "/decks",
    "Does something with a deck; that is on record, and the table's rules may refuse it.",
    DeckDone,
    takes=DeckWish,
    who=MAY_HANDLE,
    refuses=(401, 409),
)
INSPECTION: Final = Route(
    "GET",
    "/decks/inspections/{number}",
    "Gives one inspection with its decks, and what proves it.",
    InspectionFound,
)
RECEIPT: Final = Route(
    "GET",
    "/decks/inspections/{number}/receipt",
    "Gives the receipt of an inspection as a page.",
    str,
    "text/html",
)
RECEIPT_TEXT: Final = Route(
    "GET",
    "/decks/inspections/{number}/receipt.txt",
    "Gives the receipt of an inspection as text.",
    str,
    "text/plain",
)


def to_the_signed_in(route: Route[Answer]) -> Route[Answer]:
    """Returns the same, told only to who is signed in: there are names in it."""
    return replace(route, who=SIGNED_IN, refuses=(401,))


PAGE: Final = Route("GET", "/cards", "Gives the page of the decks.", str, "text/html")
EVENTS: Final = Route(
    "GET", "/cards/events", "Streams what that page shows; names only to who is signed in.", Json, "text/event-stream"
)
