"""WSOP Bonus Texas Holdem and Ultimate Texas Holdem in Victoria (document 003): what it says, and who may do what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.house.documents import HouseCitations, HouseDocument, HousePolicy, jackpots
from controller.table.documents import Judged, Power, Powers, Setting, TournamentRules


def _citations(
    *,
    offer: str,
    finished: str,
    offer_on: Mapping[str, str] | None = None,
    stands: str = "",
    stands_river: str = "",
) -> HouseCitations:
    """Returns what both games have, with what each says for itself."""
    return HouseCitations(
        roles="1.2",
        places="2.1",
        per_area="2.1",
        backs="3.1",
        two_decks="3.1.1(b)",
        no_cutting_card="3.1.1(a)",
        checked="3.2",
        count_end="3.2",
        unfit="3.4",
        first_shuffle="4.1.1(a)",
        cutting_card="4.1.1(a)",
        missed_shuffle="4.1.1(a)",
        abnormal="4.1.1(c)",
        cutter="4.2.1",
        last_cutter="4.2.1",
        never_cut="4.2.2",
        chips_only="5.1",
        placed="5.2",
        oral="5.3",
        offer=offer,
        offer_on=offer_on or {},
        lock="5.6",
        extra="5.12",
        extra_seat="5.12.1",
        limits="6.1",
        sign="6.1",
        higher_minimum="s66(2)",
        under="6.2.1",
        advise_under="6.2.1",
        advise_over="6.2.2",
        advise_odd="6.2.3",
        announce="7.2",
        burn="7.4.4(a)",
        finished=finished,
        together="11.3",
        together_in={"hands": "11.2", "turn": "11.4", "river": "11.4", "dealers": "11.4"},
        bad_after="11.2.2(b)",
        box="11.2.2(b)",
        no_wagers="11.5",
        early="11.8",
        empty="11.9",
        count="11.9",
        bad_deck="11.9",
        machine="11.15",
        jam="11.15",
        unverified="11.16",
        bad_machine="11.16",
        stands=stands,
        stands_river=stands_river,
        exclude="14.2",
        exclude_void="14.2.1",
        excluded="14.2.2",
        invalid_disturbance="14.3.1",
        invalid_fraud="14.3.2",
        refund="14.4",
        close="14.7",
        idle="14.8",
        too_late="14.10",
    )


def _policy() -> HousePolicy:
    return HousePolicy(
        one_colour=True,  # 3.1
        cutting_card_with_machine=False,  # 3.1.1(a)
        each_round=True,  # 4.1.1(a)
        cut_after=("hand", "batch", "shuffler", "csm"),  # 4.2.1 knows no exception
        late_chips=True,  # 5.2: until the first card
        unseen_extras=True,  # 5.12.1, 5.12.2
        odd_amounts="paid up",  # 6.2.3
        early_cards=True,  # 11.8
        closing="hands",  # 14.7
        idle_rounds=3,  # 14.8
    )


def _powers(settings: Mapping[str, Setting], *, forfeit: Power | None = None) -> Powers:
    """Returns who may do what in both games, with the options of one."""
    return Powers(
        order_count=Power("supervisor", "3.3"),
        replaced=Power("supervisor", "3.4"),
        unfit=Power("supervisor", "3.4"),
        shuffled_early=Power("supervisor", "4.1.1(c)"),
        marker=Power("supervisor", "6.3"),
        forfeit=forfeit,
        confirm_jackpot=jackpots.VICTORIA_CONFIRM,
        order=Power("supervisor", "11.3"),
        misdeal=Power("supervisor", "11.5"),
        burn=Power("supervisor", "11.6"),
        void=Power("supervisor", "11.12"),
        cancel_jackpot=jackpots.VICTORIA_CANCEL,
        close_jackpot=jackpots.VICTORIA_CLOSE,
        exclude=Power("assistant-casino-manager", "14.2"),
        invalidate_fraud=Power("supervisor", "14.3"),
        invalidate_disturbance=Power("supervisor", "14.3"),
        close_table=Power("supervisor", "14.7"),
        reconstruct=Power("supervisor", "14.10"),
        dispute=Power("area-manager", "14.10"),
        settings={
            "min": Setting("area-manager", "6.1", "before the close"),
            "max": Setting("area-manager", "6.1", "before the close"),
            "chip": Setting("area-manager", "6.1", "before the close"),
            "unit": Setting("area-manager", "6.1", "before the close"),
            "burn": Setting("assistant-casino-manager", "7.4.4(a)"),
            **jackpots.VICTORIA_SETTINGS,
            **settings,
        },
    )


_TOURNAMENTS: Final = TournamentRules(chapter="13", numbered="vic", deputies_stand_in=True)  # 13.2.3(a)

WSOP_BONUS: Final = HouseDocument(
    "003",
    _citations(
        offer="5.5",
        offer_on={"turn": "7.4.5", "river": "7.4.7"},
        finished="8.1",
    ),
    _policy(),
    _powers(
        {"ante-pays": Setting("area-manager", "8.2", "between rounds")},
        forfeit=Power("supervisor", "7.4.1(a)"),
    ),
    jackpots.victoria(Judged("5.11.1", "5.11.1", "5.11.2", "5.11.2", "5.11.2")),
    tournaments=_TOURNAMENTS,
)
ULTIMATE: Final = HouseDocument(
    "003",
    _citations(
        offer="12.5.2",
        stands="12.5.4",
        stands_river="12.5.6",
        finished="12.6",
    ),
    _policy(),
    _powers(
        {
            "preflop": Setting("area-manager", "12.5.2(a)", "between rounds"),
            "flop": Setting("area-manager", "12.5.4(a)", "between rounds"),
            "river": Setting("area-manager", "12.5.6(a)", "between rounds"),
            "max-payout": Setting("area-manager", "12.6.4", "between rounds"),
        }
    ),
    jackpots.victoria(Judged("12.4.5(a)", "12.4.5(a)", "12.4.5(b)", "12.4.5(b)", "12.4.5(b)")),
    tournaments=_TOURNAMENTS,
)
