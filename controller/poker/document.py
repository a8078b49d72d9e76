"""Crown Poker (document 000): where it says it, what it does in its own way, and who may do what."""

from __future__ import annotations

from typing import Final

from controller.table.documents import Citations, Document, Policy, Power, Powers, Setting, TournamentRules


class CrownPowers(Powers, frozen=True, kw_only=True):
    """The roles that may press the keys that only a poker table has."""

    pick_up: Power
    moved: Power
    confirm_charge: Power
    dead: Power
    ask: Power
    bonus: Power
    confirm_bonus: Power


class CrownDocument(Document, frozen=True):
    """The typed form of document 000."""

    powers: CrownPowers


_LIMITS: Final = Setting("area-manager", "6.10", hands=True)
_COMMISSION: Final = Setting("area-manager", "7.3")

CROWN_POKER: Final = CrownDocument(
    "000",
    Citations(
        roles="1.2",
        empty="1.1",
        one_deck="3.1",
        count_end="3.4",
        unverified="3.4",
        places="4.1",
        first_shuffle="5.1",
        missed_shuffle="5.1",
        cutting_card="5.1",
        abnormal="5.1",
        cutter="5.2",
        by_hand="5.2",
        machine="5.2",
        unfit="5.3.1",
        checked="5.3.2",
        sign="6.1.1",
        chips_only="6.2",
        limits="6.10",
        higher_minimum="s66(2)",
        announce="8.9.2",
        placed="8.15.1",
        lock="8.15.2",
        oral="8.15.2",
        finished="8.20.4",
        bad_deck="9.1.1(h)",
        exclude="13.2",
        exclude_void="13.2.1",
        excluded="13.2.2",
        close="13.3",
        refund="13.6",
        too_late="13.10",
    ),
    Policy(
        each_round=True,  # 5.1
        cards="laid",  # 5.2: the deck stays in the dealer's hand
        cut_after=("hand", "batch", "shuffler", "csm"),  # 5.2
        unshown="secret",  # 8.20.5
        closing="hands",  # 13.3
    ),
    CrownPowers(
        shuffled=Power("dealer", "5.1"),
        cut=Power("dealer", "5.2"),
        order_count=Power("supervisor", "3.4"),
        replaced=Power("dealer", "5.3.1"),
        unfit=Power("dealer", "5.3.1"),
        confirm_charge=Power("supervisor", "7.2.2(e)"),
        moved=Power("supervisor", "8.10"),
        pick_up=Power("area-manager", "8.11"),
        misdeal=Power("dealer", "9.1.1"),
        reconstruct=Power("dealer", "9.1.1(c)"),
        ask=Power("dealer", "9.5"),
        bonus=Power("dealer", "11.3"),
        confirm_bonus=Power("supervisor", "11.3"),
        exclude=Power("assistant-casino-manager", "13.2"),
        close_table=Power("area-manager", "13.3"),
        invalidate_disturbance=Power("supervisor", "13.5.1"),
        invalidate_fraud=Power("supervisor", "13.5.2"),
        dispute=Power("area-manager", "13.10"),
        dead=Power("dealer", "13.14"),
        settings={
            "limit": _LIMITS,
            "bets": _LIMITS,
            "blinds": _LIMITS,
            "straddle": _LIMITS,
            "over-blinds": _LIMITS,
            "buy-in": _LIMITS,
            "min": _LIMITS,
            "max": _LIMITS,
            "chip": _LIMITS,
            "bonus": _LIMITS,
            "act-time": _LIMITS,
            "extra-time": _LIMITS,
            "extra-times": _LIMITS,
            "extra-fee": _LIMITS,
            "rake": _COMMISSION,
            "rake-method": _COMMISSION,
            "cap": _COMMISSION,
        },
    ),
    tournaments=TournamentRules(chapter="12", numbered="vic", blinds=True),
)
