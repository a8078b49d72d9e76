"""Who speaks for a table: a clone is found, and nothing that happens to one table alone passes for one."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from controller.jackpot.lease import EXPIRES, Holder, Lease, LeaseClaim, Verdict, contended, judge, taken

SECOND = 1_000_000
HERE = Holder("aa", "serial-1", "boot-1", 100, 5)
THERE = Holder("bb", "serial-2", "boot-2", 200, 5)
HELD = Lease(HERE.to_text(), 50 * SECOND)


def now(seconds: int) -> int:
    return HELD.renewed + seconds * SECOND


@pytest.mark.parametrize(
    ("wish", "seconds", "verdict"),
    [
        (LeaseClaim(HERE), 1, "held"),  # itself again
        (LeaseClaim(HERE), 3600, "held"),  # after an hour without the store
        (
            LeaseClaim(replace(HERE, name="cc", process=101), lambda other: False),
            1,
            "held",
        ),  # started again after kill -9
        (
            LeaseClaim(replace(HERE, name="cc", process=101), lambda other: True),
            1,
            "cloned",
        ),  # a copied directory beside it
        (LeaseClaim(replace(HERE, name="cc", boot="boot-9")), 1, "held"),  # the same hardware after a power cut
        (LeaseClaim(replace(HERE, name="cc", boot="boot-9", machine="")), 1, "waiting"),  # hardware without a number
        (LeaseClaim(THERE), 1, "waiting"),  # a clone, or the card in other hardware: known in a moment
        (LeaseClaim(THERE), EXPIRES // SECOND + 1, "held"),  # the former one has ended
        (LeaseClaim(THERE, held=True), 1, "cloned"),  # it had the lease, and another one has it now
        (LeaseClaim(THERE, accused=True), 10**6, "cloned"),  # until a technician has spoken
        (LeaseClaim(THERE, forced=True), 1, "held"),
    ],
)
def test_a_claim(wish: LeaseClaim, seconds: int, verdict: Verdict) -> None:
    assert judge(HELD, wish, now(seconds)) == verdict


def test_a_holder_that_lives_makes_the_second_one_a_clone() -> None:
    wish = LeaseClaim(THERE)
    lease = contended(HELD, wish, now(1))
    assert judge(lease, wish, now(2)) == "waiting"
    assert lease.rival(now(2)) == THERE
    renewed = replace(lease, renewed=now(3))
    assert judge(contended(renewed, wish, now(4)), wish, now(4)) == "cloned"


def test_a_holder_that_has_ended_makes_room() -> None:
    wish = LeaseClaim(THERE)
    lease = HELD
    for second in range(1, 20):
        assert judge(lease, wish, now(second)) == "waiting"
        lease = contended(lease, wish, now(second))
    lease = taken(lease, wish, now(21))
    assert lease == Lease(THERE.to_text(), now(21))
    assert lease.rival(now(22)) is None


def test_a_restart_of_the_holder_forgets_no_rival() -> None:
    lease = contended(HELD, LeaseClaim(THERE), now(1))
    again = LeaseClaim(replace(HERE, name="cc", process=101), lambda other: False)
    assert taken(lease, again, now(2)).rival(now(3)) == THERE
    assert taken(lease, replace(again, forced=True), now(2)).rival(now(3)) is None  # a technician has decided


def test_a_holder_that_nobody_can_read_is_waited_for() -> None:
    assert judge(Lease("garbage", now(0)), LeaseClaim(THERE), now(1)) == "waiting"
    assert judge(Lease("garbage", now(0)), LeaseClaim(THERE), now(60)) == "held"
