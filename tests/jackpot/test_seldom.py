"""Moments of a prize meter that seldom come."""

from __future__ import annotations

import msgspec

from controller.jackpot.audit import Audit
from controller.jackpot.ledger import opened
from controller.jackpot.linking import unlike
from controller.jackpot.rules import ROYAL, Award, Prize, Terms, given_back, resets

NSW, VIC = Terms("nsw", 1, 20000, 500), Terms("vic", 1, 10000, 500)


def test_systems_of_two_documents_need_not_be_alike() -> None:
    assert unlike(NSW, VIC) is None


def test_a_royal_flush_begins_the_meter_anew() -> None:
    assert resets("nsw", Award(10, 1, (Prize("1", ROYAL, 100, "12.5"),), 0, 10))


def test_a_meter_below_its_seed_gives_back_by_its_document() -> None:
    assert given_back(NSW, NSW.seed - 1, 5) == 5
    assert given_back(VIC, VIC.seed - 1, 5) == 0
    for terms in (NSW, VIC):
        assert [given_back(terms, terms.seed + above, 5) for above in (0, 3, 5, 9)] == [0, 3, 5, 5]


def test_an_audit_says_that_a_meter_does_not_add_up() -> None:
    meter = opened("G", NSW, None, 0)
    assert Audit(meter, NSW).done() == []
    wrong = msgspec.structs.replace(meter, value=meter.value + 1)
    assert any(wrong.wrong() in problem for problem in Audit(wrong, NSW).done())
