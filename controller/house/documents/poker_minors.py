"""Poker Minors (document 002): what it says to each of its three games, and who may do what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.house.documents import HouseCitations, HouseDocument, HousePolicy, jackpots
from controller.table.documents import Judged, Power, Powers, Setting, TournamentRules


class MinorCitations(HouseCitations, frozen=True, kw_only=True):
    """The rule numbers that only this document has."""

    dealt_to: str  # who is
    decide: str
    fold: str = ""  # nothing is to be decided there now; "": as decide
    check: str = ""


class MinorDocument(HouseDocument, frozen=True):
    """Document 002, as far as it speaks of one game."""

    citations: MinorCitations


def _citations(
    *,
    offer: str,
    announce: str,
    dealt_to: str,
    decide: str,
    settled_first: str,
    finished: str,
    stands: str = "",
    stands_river: str = "",
    fold: str = "",
    check: str = "",
    early: str = "",
) -> MinorCitations:
    """Returns what all three games have, with what each says for itself."""
    return MinorCitations(
        roles="1.2",
        burn="1.1",
        places="2.1",
        backs="3.1",
        two_decks="3.1.1",
        checked="3.2",
        count_end="3.3",
        unfit="3.4",
        bad_deck="3.4",
        first_shuffle="4.1.1(a)",
        cutting_card="4.1.1(a)",
        missed_shuffle="4.1.1(a)",
        abnormal="4.1.1(b)",
        cutter="4.2.1",
        no_cut="4.2.1(a)",
        never_cut="4.2.2",
        chips_only="6.1",
        placed="6.1",
        oral="6.1.1",
        lock="6.2",
        extra="6.3",
        one_hand="6.3",
        per_area="6.4",
        advise_under="7.2.1",
        under="7.2.2",
        found_under="7.2.3",
        advise_over="7.2.4",
        found_over="7.2.5",
        advise_odd="7.3",
        limits="7.5",
        sign="7.5",
        higher_minimum="7.5.2",
        offer=offer,
        announce=announce,
        dealt_to=dealt_to,
        decide=decide,
        settled_first=settled_first,
        stands=stands,
        stands_river=stands_river,
        fold=fold,
        check=check,
        finished=finished,
        no_wagers="13.2.1",
        bad_after="13.2.3(b)",
        box="13.2.3(b)",
        together="13.3",
        early=early,
        count="13.6",
        empty="13.6",
        machine="13.11",
        jam="13.11",
        unverified="13.12",
        bad_machine="13.12",
        exclude="16.2",
        exclude_void="16.2.1",
        excluded="16.2.2",
        refund="16.4",
        close="16.5",
        idle="16.10",
        too_late="16.12",
    )


def _policy(*, ultimate: bool = False) -> HousePolicy:
    return HousePolicy(
        one_colour=True,  # 3.1
        each_round=True,  # 4.1.1(a)
        cut_after=("hand", "batch"),  # 4.2.1(a)
        tokens=True,  # 6.1
        late_chips=False,  # 6.1.1
        one_hand=True,  # 6.3
        tops_up=True,  # 7.2.1, 7.2.3, 7.2.5
        free_when_empty=True,  # 7.5.1
        early_cards=ultimate,  # 13.5
        closing="hands",  # 16.5
        idle_rounds=3,  # 16.10
    )


def _powers(settings: Mapping[str, Setting] | None = None, *, forfeit: Power | None = None) -> Powers:
    """Returns who may do what in all three games, with the options of one."""
    return Powers(
        order_count=Power("supervisor", "3.3"),
        replaced=Power("supervisor", "3.4"),
        unfit=Power("supervisor", "3.4"),
        shuffled_early=Power("supervisor", "4.1.1(b)"),
        marker=Power("supervisor", "7.4"),
        forfeit=forfeit,
        close_jackpot=jackpots.NSW_CLOSE,
        confirm_jackpot=jackpots.NSW_CONFIRM,
        misdeal=Power("supervisor", "13.2.1"),
        void=Power("supervisor", "13.2.2"),
        order=Power("supervisor", "13.3"),
        cancel_jackpot=jackpots.NSW_CANCEL,
        exclude=Power("casino-manager", "16.2"),
        invalidate_disturbance=Power("casino-manager", "16.3.1"),
        invalidate_fraud=Power("casino-manager", "16.3.2"),
        close_table=Power("supervisor", "16.5"),
        refuse=Power("supervisor", "16.11"),
        reconstruct=Power("supervisor", "16.12"),
        dispute=Power("area-manager", "16.12"),
        promotions=Power("area-manager", "15.1"),
        settings={
            "method": Setting("casino-manager", "1.1", "between rounds"),
            "min": Setting("area-manager", "7.5"),
            "max": Setting("area-manager", "7.5"),
            "chip": Setting("area-manager", "7.5"),
            "unit": Setting("area-manager", "7.5"),
            "max-payout": Setting("area-manager", "7.5"),
            **jackpots.NSW_SETTINGS,
            **(settings or {}),
        },
    )


_TOURNAMENTS: Final = TournamentRules(
    chapter="14",
    numbered="nsw",
    available=".2.2",
    advised=False,
    markers=True,  # 14.4.4(d), (e)
    employees_win=True,
    final=".4.8(g)",
)

CARIBBEAN_STUD: Final = MinorDocument(
    "002",
    _citations(
        offer="8.4.1(b)",
        announce="8.5.2",
        dealt_to="8.5.3",
        decide="8.5.5",
        settled_first="8.5.5",
        finished="8.6.1",
    ),
    _policy(),
    _powers(forfeit=Power("supervisor", "8.5.5(a)(i)")),
    jackpots.nsw(Judged("8.4.3(a)", "8.4.3(b)", "8.4.3(c)(ii)", "8.4.3(c)(ii)", "8.4.3(c)(i)")),
    tournaments=_TOURNAMENTS,
)
MISSISSIPPI_STUD: Final = MinorDocument(
    "002",
    _citations(
        offer="9.4.2",
        announce="9.5.2",
        dealt_to="9.6",
        decide="9.6.1",
        settled_first="9.6.1",
        finished="9.7.1",
    ),
    _policy(),
    _powers(forfeit=Power("supervisor", "9.6.1(a)(i)")),
    jackpots.nsw(Judged("9.4.5(a)", "9.4.5(b)", "9.4.5(c)", "9.4.5(d)", "9.4.5(c)")),
    tournaments=_TOURNAMENTS,
)
ULTIMATE: Final = MinorDocument(
    "002",
    _citations(
        announce="10.5.2",
        dealt_to="10.5.3",
        decide="10.5.4",
        offer="10.5.4",
        settled_first="10.5.5",
        stands="10.5.6",
        stands_river="10.5.8",
        check="10.5.8",
        fold="10.5.8",
        finished="10.6",
        early="13.5",
    ),
    _policy(ultimate=True),
    _powers({window: Setting("area-manager", "7.5", "between rounds") for window in ("preflop", "flop", "river")}),
    jackpots.nsw(Judged("10.4.5(a)", "10.4.5(b)", "10.4.5(c)", "10.4.5(d)", "10.4.5(c)")),
    tournaments=_TOURNAMENTS,
)
