"""What the pages are told: only what may stand on a wall."""

from __future__ import annotations

from typing import Any

from controller.places import area_of
from controller.table.rules import Rules
from controller.table.state import Table
from controller.views.meter_face import MeterFace, MeterStyle, announced
from controller.views.presenter import presenter

Json = dict[str, Any]
CENT = 100  # ten-thousandths of a dollar


def jackpot(face: MeterFace, now: int, style: MeterStyle) -> Json:
    """Returns amount, hits and fault for the Jackpot page: a promotional display (002 11.2.1(j); 003 9.1.1(l)).

    It rolls and takes turns by itself.
    """
    hits = announced(face, now)
    wins = [
        {"table": hit.table, "area": area_of(prize.place), "hand": prize.hand, "cents": prize.cents}
        for hit in hits
        for prize in hit.prizes
    ]
    return {
        "offer": face.offer,
        "cents": face.amount // CENT if face.offer == "running" else None,
        "wins": wins,
        "confirmed": not any(hit.pending for hit in hits),
        "fault": face.fault,
        "roll": style.roll,
        "turn": style.turn,
    }


def limits(t: Table, game: Rules | None, now: int) -> Json:
    """Returns the limit sign: what is in force, large and small, and what is announced with the time that is left."""
    if game is None:
        return {"game": "", "open": t.open, "large": [], "small": [], "notices": []}
    return presenter(game).sign(t, game, now)


def out_of_service(sign: Json) -> Json:
    """Returns the limit sign while nothing can be recorded: nobody may bet."""
    return {**sign, "open": False, "large": [], "small": [], "notices": [{"text": "Out of service", "seconds": 0}]}
