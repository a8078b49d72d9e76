"""Where the two documents with a Jackpot rule on it, and who decides."""

from __future__ import annotations

from typing import Final

NSW_BOOK: Final = {
    "jackpot-kind": "nsw",
    "jackpot-offer": "11.3",
    "jackpot-equipment": "11.3.1",
    "jackpot-hand": "11.3.2",
    "jackpot-cost": "11.3.3",
    "jackpot-dealer": "12.2.2",
    "jackpot-start": "13.10",
    "carry": "13.9",
    "carry-leave": "13.9.1",
    "carry-join": "13.9.2",
    "jackpot-retract": "13.2.2(b)(i)",
    "jackpot-display": "11.2.1(i)",
    "jackpot-link": "11.2.1(f)",
    "jackpot-close": "11.2.1(g)",
    "jackpot-transfer": "11.2.1(h)",
    "jackpot-change": "11.2.1(e)(i)",
}
NSW_POWERS: Final = {
    "confirm-jackpot": ("area-manager", "12.2.1"),
    "cancel-jackpot": ("supervisor", "13.10"),
    "close-jackpot": ("area-manager", "11.2.1(g)"),
    "set jackpot-group": ("area-manager", "11.2.1(f)"),
    "set jackpot-option": ("area-manager", "11.2.1(e)(i)"),
    "set jackpot-reset": ("area-manager", "11.2.1(e)(i)"),
    "set jackpot-rate": ("area-manager", "11.2.1(e)(i)"),
    "set jackpot-cost": ("area-manager", "11.2.1(b)(i)"),
}
VIC_BOOK: Final = {
    "jackpot-kind": "vic",
    "jackpot-offer": "9.2",
    "jackpot-equipment": "9.2.1",
    "jackpot-hand": "9.2.2",
    "jackpot-cost": "9.2.3",
    "jackpot-dealer": "10.1.2",
    "jackpot-start": "11.14",
    "carry": "11.13",
    "carry-leave": "11.13.1",
    "carry-join": "11.13.2",
    "jackpot-retract": "11.6.1",
    "jackpot-stays": "11.4.2",
    "jackpot-display": "9.1.1(k)",
    "jackpot-link": "9.1.1(h)",
    "jackpot-close": "9.1.1(i)",
    "jackpot-transfer": "9.1.1(j)",
    "jackpot-change": "9.1.1(g)",
}
VIC_POWERS: Final = {
    "confirm-jackpot": ("assistant-casino-manager", "10.1.1"),
    "cancel-jackpot": ("supervisor", "11.14"),
    "close-jackpot": ("area-manager", "9.1.1(i)"),
    "set jackpot-group": ("area-manager", "9.1.1(h)"),
    "set jackpot-option": ("area-manager", "9.1.1(g)"),
    "set jackpot-reset": ("area-manager", "9.1.1(g)"),
    "set jackpot-rate": ("area-manager", "9.1.1(g)"),
    "set jackpot-cost": ("area-manager", "9.1.1(d)"),
}


def judged(win_a: str, win_b: str, lose_a: str, lose_b: str, fold: str) -> dict[str, str]:
    """The rules by which a game's Jackpot wager wins and loses, under method A and B."""
    return {
        "jackpot-win": win_a,
        "jackpot-win-B": win_b,
        "jackpot-lose": lose_a,
        "jackpot-lose-B": lose_b,
        "jackpot-fold": fold,
    }


CARIBBEAN: Final = judged("8.4.3(a)", "8.4.3(b)", "8.4.3(c)(ii)", "8.4.3(c)(ii)", "8.4.3(c)(i)")
MISSISSIPPI: Final = judged("9.4.5(a)", "9.4.5(b)", "9.4.5(c)", "9.4.5(d)", "9.4.5(c)")
ULTIMATE_NSW: Final = judged("10.4.5(a)", "10.4.5(b)", "10.4.5(c)", "10.4.5(d)", "10.4.5(c)")
WSOP: Final = judged("5.11.1", "5.11.1", "5.11.2", "5.11.2", "5.11.2")
ULTIMATE_VIC: Final = judged("12.4.5(a)", "12.4.5(a)", "12.4.5(b)", "12.4.5(b)", "12.4.5(b)")
