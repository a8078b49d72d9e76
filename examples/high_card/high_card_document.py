"""What the rule document HC1 says of High Card: where it says it, what it does in its own way, and who may do what.

RULES.md beside this file has the text.
"""

from __future__ import annotations

from typing import Final

from controller.house.documents import HouseCitations, HouseDocument, HousePolicy
from controller.table.documents import Power, Powers, Setting

HIGH_CARD: Final = HouseDocument(
    "HC1",
    HouseCitations(
        # people and the table
        roles="1.1",
        places="2.1",
        per_area="5.5",
        # the cards
        checked="3.2",
        count_end="3.2",
        unfit="3.3",
        first_shuffle="4.1",
        cutting_card="4.1",
        missed_shuffle="4.1",
        abnormal="4.2",
        cutter="4.3",
        # wagers
        chips_only="5.1",
        placed="5.2",
        oral="5.2",
        offer="5.2",
        lock="5.3",
        limits="6.1",
        sign="6.1",
        higher_minimum="6.1",
        under="6.2",
        advise_under="6.2",
        advise_over="6.3",
        # the round
        announce="7.1",
        finished="7.5",
        # when something goes wrong
        no_wagers="8.1",
        together="8.4",
        count="8.5",
        bad_deck="8.5",
        unverified="8.5",
        empty="8.6",
        machine="8.6",
        too_late="8.7",
        # in general
        exclude="9.1",
        exclude_void="9.1",
        excluded="9.1",
        refund="9.2",
        close="9.3",
    ),
    HousePolicy(
        each_round=False,  # 4.1
        cut_after=("hand",),  # 4.3
        face_up=True,  # 7.2
        late_chips=True,  # 5.3: until the first card
        no_wagers="void",  # 8.1
        closing="hands",  # 9.3
    ),
    Powers(
        replaced=Power("supervisor", "3.3"),
        shuffled_early=Power("area-manager", "4.2"),
        void=Power("supervisor", "8.2"),
        reconstruct=Power("supervisor", "8.3"),
        exclude=Power("assistant-casino-manager", "9.1"),
        invalidate_fraud=Power("supervisor", "9.2"),
        invalidate_disturbance=Power("supervisor", "9.2"),
        close_table=Power("supervisor", "9.3"),
        settings={
            "min": Setting("area-manager", "6.1"),
            "max": Setting("area-manager", "6.1"),
            "match": Setting("area-manager", "7.4", "between rounds"),
        },
    ),
)
