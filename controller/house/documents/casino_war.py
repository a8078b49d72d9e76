"""Casino War (document 004): where it says it, what it does in its own way, and who may do what."""

from __future__ import annotations

from typing import Final

from controller.house.documents import HouseCitations, HouseDocument, HousePolicy
from controller.table.documents import Power, Powers, Setting, TournamentRules

CASINO_WAR: Final = HouseDocument(
    "004",
    HouseCitations(
        roles="1.2",
        places="2.1",
        one_deck="3.1",
        no_cutting_card="3.1.1",
        checked="3.2",
        count_end="3.2",
        first_shuffle="4.1.1(a)",
        cutting_card="4.1.1(b)",
        abnormal="4.1.1(d)",
        machine_shuffles="4.1.1(e)",
        cutter="4.2.1",
        last_cutter="4.2.2",
        cut_depth="4.2.3",
        cutting_card_back="4.2.4",
        burn="4.3.1",
        call_bets="4.3.2",
        taken_off="4.4.1",
        unfit="4.4.2",
        chips_only="5.1",
        placed="5.2",
        oral="5.3",
        lock="5.4",
        offer="5.6",
        per_area="5.10",
        extra="5.13",
        payable="5.14",
        under="6.2.1",
        advise_under="6.2.1",
        advise_over="6.2.2",
        advise_odd="6.2.3",
        limits="6.4",
        sign="6.4",
        higher_minimum="6.4",
        announce="7.3.1(a)",
        house_method="7.4.4(a)",
        settled_first="7.5.1",
        finished="7.6.1",
        face_up="9.1",
        together="9.2",
        no_wagers="9.3",
        early="9.8",
        too_late="9.8.1",
        missed_shuffle="9.9",
        empty="9.10",
        machine="9.11",
        together_machine="9.11",
        unverified="9.12",
        count="9.12",
        bad_deck="9.12.3",
        exclude="11.2",
        exclude_void="11.2.1",
        excluded="11.2.2",
        refund="11.5",
        close="11.8",
        idle="11.9",
    ),
    HousePolicy(
        cutting_card_with_machine=False,  # 3.1.1
        each_round=False,  # 4.1.1
        players_cut=True,  # 4.2.1
        cut_after=("hand",),  # 4.2.1
        burn_first=True,  # 4.3.1
        bets_after_burn=True,  # 4.3.2
        late_chips=True,  # 5.2: until the first card
        odd_amounts="refused",  # 5.14
        face_up=True,  # 7.1
        house_method=True,  # 7.4.4(a)
        discards_face_up=True,  # 9.1
        no_wagers="void",  # 9.3
        leaves_the_deal=True,  # 9.4
        early_cards=True,  # 9.8
        closing="hands",  # 11.8
        idle_rounds=3,  # 11.9
    ),
    Powers(
        order_count=Power("supervisor", "3.2"),
        replaced=Power("supervisor", "4.4.1"),
        unfit=Power("area-manager", "4.4.2"),
        marker=Power("supervisor", "6.3"),
        void=Power("supervisor", "9.3"),
        reconstruct=Power("supervisor", "9.4"),
        void_machine=Power("dealer", "9.11"),
        exclude=Power("assistant-casino-manager", "11.2"),
        invalidate_fraud=Power("assistant-casino-manager", "11.3"),
        invalidate_disturbance=Power("supervisor", "11.4"),
        close_table=Power("supervisor", "11.8"),
        dispute=Power("area-manager", "11.10"),
        settings={
            "burn": Setting("dealer", "4.3.1"),
            "players-per-area": Setting("supervisor", "5.10"),
            "min": Setting("area-manager", "6.4"),
            "max": Setting("area-manager", "6.4"),
            "chip": Setting("area-manager", "6.4"),
            "unit": Setting("area-manager", "6.5"),
            "limits-per": Setting("area-manager", "6.5", "between rounds"),
            "method": Setting("casino-manager", "7.4.4(a)"),
        },
    ),
    tournaments=TournamentRules(
        chapter="10", numbered="vic", deputies_stand_in=True, markers=True
    ),  # 10.2.3(a), 10.4.4
)
