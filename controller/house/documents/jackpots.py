"""Where the two documents with a Jackpot rule on it, and who decides."""

from __future__ import annotations

from typing import Final

from controller.table.documents import JackpotCitations, Judged, Power, Setting


def nsw(judged: Judged) -> JackpotCitations:
    """Returns what 002 says of Jackpots, for a game that judges them so."""
    return JackpotCitations(
        kind="nsw",
        offer="11.3",
        equipment="11.3.1",
        hand="11.3.2",
        cost="11.3.3",
        dealer="12.2.2",
        start="13.10",
        retract="13.2.2(b)(i)",
        carry="13.9",
        carry_leave="13.9.1",
        carry_join="13.9.2",
        display="11.2.1(i)",
        link="11.2.1(f)",
        close="11.2.1(g)",
        transfer="11.2.1(h)",
        change="11.2.1(e)(i)",
        judged=judged,
    )


NSW_CONFIRM: Final = Power("area-manager", "12.2.1")
NSW_CANCEL: Final = Power("supervisor", "13.10")
NSW_CLOSE: Final = Power("area-manager", "11.2.1(g)")
NSW_SETTINGS: Final = {
    "jackpot-group": Setting("area-manager", "11.2.1(f)"),
    "jackpot-option": Setting("area-manager", "11.2.1(e)(i)"),
    "jackpot-reset": Setting("area-manager", "11.2.1(e)(i)"),
    "jackpot-rate": Setting("area-manager", "11.2.1(e)(i)"),
    "jackpot-cost": Setting("area-manager", "11.2.1(b)(i)"),
}


def victoria(judged: Judged) -> JackpotCitations:
    """Returns what 003 says of Jackpots, for a game that judges them so."""
    return JackpotCitations(
        kind="vic",
        offer="9.2",
        equipment="9.2.1",
        hand="9.2.2",
        cost="9.2.3",
        dealer="10.1.2",
        start="11.14",
        retract="11.6.1",
        carry="11.13",
        carry_leave="11.13.1",
        carry_join="11.13.2",
        display="9.1.1(k)",
        link="9.1.1(h)",
        close="9.1.1(i)",
        transfer="9.1.1(j)",
        change="9.1.1(g)",
        judged=judged,
    )


VICTORIA_CONFIRM: Final = Power("assistant-casino-manager", "10.1.1")
VICTORIA_CANCEL: Final = Power("supervisor", "11.14")
VICTORIA_CLOSE: Final = Power("area-manager", "9.1.1(i)")
VICTORIA_SETTINGS: Final = {
    "jackpot-group": Setting("area-manager", "9.1.1(h)"),
    "jackpot-option": Setting("area-manager", "9.1.1(g)"),
    "jackpot-reset": Setting("area-manager", "9.1.1(g)"),
    "jackpot-rate": Setting("area-manager", "9.1.1(g)"),
    "jackpot-cost": Setting("area-manager", "9.1.1(d)"),
}
