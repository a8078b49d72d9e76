"""Three Card Poker (document 001): where it says it, what it does in its own way, and who may do what."""

from __future__ import annotations

from typing import Final

from controller.house.documents import HouseCitations, HouseDocument, HousePolicy
from controller.table.documents import Power, Powers, Setting, TournamentRules

THREE_CARD: Final = HouseDocument(
    "001",
    HouseCitations(
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
        no_cut="4.2.1(a)",
        never_cut="4.2.2",
        chips_only="5.1",
        placed="5.2",
        oral="5.3",
        lock="5.4",
        lock_machine="5.4.1",
        offer="5.5",
        offer_on={"play": "5.5.3"},
        amount_on={"play": "7.5.2(c)(i)"},
        extra="5.9",
        extra_seat="5.9.1",
        finished="5.10",
        limits="6.1",
        sign="6.1",
        higher_minimum="s66(2)",
        under="6.2.1",
        advise_under="6.2.1",
        advise_over="6.2.2",
        advise_odd="6.2.3",
        announce="7.2",
        settled_first="7.5.2",
        together="9.4",
        joint_count="9.5",
        joint_count_dealer="9.6",
        no_wagers="9.7",
        burn="9.8",
        empty="9.10",
        count="9.10",
        bad_deck="9.10",
        machine="9.13",
        jam="9.13",
        unverified="9.14",
        exclude="11.2",
        exclude_void="11.2.1",
        excluded="11.2.2",
        invalid_disturbance="11.3.1",
        invalid_fraud="11.3.2",
        refund="11.4",
        close="11.7",
        idle="11.8",
        too_late="11.10",
    ),
    HousePolicy(
        one_colour=True,  # 3.1
        cutting_card_with_machine=False,  # 3.1.1(a)
        each_round=True,  # 4.1.1(a)
        cut_after=("hand",),  # 4.2.1(a)
        late_chips=True,  # 5.2: until the first card
        unseen_extras=True,  # 5.9.1, 5.9.2
        odd_amounts="paid up",  # 6.2.3
        joint_count=True,  # 9.5, 9.6
        claims_bind=True,  # 9.9.2
        closing="minutes",  # 11.7
        idle_rounds=3,  # 11.8
    ),
    Powers(
        order_count=Power("supervisor", "3.3"),
        replaced=Power("supervisor", "3.4"),
        unfit=Power("supervisor", "3.4"),
        shuffled_early=Power("supervisor", "4.1.1(c)"),
        marker=Power("supervisor", "6.3"),
        forfeit=Power("supervisor", "7.5.1(a)"),
        misdeal=Power("supervisor", "9.4"),
        exclude=Power("area-manager", "11.2"),
        invalidate_fraud=Power("area-manager", "11.3"),
        invalidate_disturbance=Power("area-manager", "11.3"),
        close_table=Power("area-manager", "11.7"),
        reconstruct=Power("supervisor", "11.10"),
        dispute=Power("area-manager", "11.10"),
        settings={
            "min": Setting("area-manager", "6.1", "before the close"),
            "max": Setting("area-manager", "6.1", "before the close"),
            "chip": Setting("area-manager", "6.1", "before the close"),
            "unit": Setting("area-manager", "6.1", "before the close"),
            "tray": Setting("supervisor", "7.4.2(a)", "between rounds"),
            "ante-bonus": Setting("area-manager", "8.2(b)", "between rounds", announced=True),
            "pair-plus": Setting("area-manager", "8.2(b)", "between rounds", announced=True),
        },
    ),
    tournaments=TournamentRules(chapter="10", numbered="vic", deputies=".4.8(g)"),
)
