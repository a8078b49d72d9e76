"""PrizeList: shares by place, equal places divide theirs, and never a cent is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.tournament.prizes import Payments, Prizewinner, divided, pool, prizes, refund, split
from controller.tournament.values import WHOLE, Portion

THREE = tuple(Portion(part=part) for part in (600_000, 300_000, 100_000))


def winner(name: str, place: int, entered: int = 0, *, employee: bool = False, bank: int = 0) -> Prizewinner:
    return Prizewinner(name, place, entered, employee, bank)


@st.composite
def whole(draw: st.DrawFn) -> tuple[Portion, ...]:
    """Draws percentages that come to 100%."""
    cuts = sorted(draw(st.lists(st.integers(1, WHOLE - 1), max_size=7, unique=True)))
    return tuple(Portion(part=high - low) for low, high in zip([0, *cuts], [*cuts, WHOLE], strict=True))


@st.composite
def placed(draw: st.DrawFn, least: int = 0) -> list[Prizewinner]:
    """Draws people with places as a ranking gives them."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=max(least, 1), max_size=8))
    order = draw(st.permutations(range(sum(sizes))))
    people: list[Prizewinner] = []
    place = 1
    for size in sizes:
        people += [winner(f"p{nth}", place, order[nth]) for nth in range(len(people), len(people) + size)]
        place += size
    return people


def test_shares_by_place() -> None:
    result = prizes(200_00, THREE, [winner("Ann", 2), winner("Bob", 1), winner("Cem", 3), winner("Dee", 4)])
    assert result.won == {"Ann": 60_00, "Bob": 120_00, "Cem": 20_00, "Dee": 0}
    assert result.left == 0


def test_equal_places_divide_theirs_and_the_first_to_enter_has_the_odd_cent() -> None:
    result = prizes(101, (Portion(part=WHOLE),), [winner("Ann", 1, 2), winner("Bob", 1, 1)])
    assert result.won == {"Ann": 50, "Bob": 51}
    result = prizes(100_00, THREE, [winner("Ann", 1), winner("Bob", 2, 1), winner("Cem", 2, 2)])
    assert result.won == {"Ann": 60_00, "Bob": 20_00, "Cem": 20_00}


def test_the_next_in_place_stands_in_for_an_employee() -> None:
    people = [winner("Ann", 1, employee=True, bank=900), winner("Bob", 2, bank=5), winner("Cem", 2, employee=True)]
    assert prizes(100, THREE[:2], people).won == {"Ann": 0, "Bob": 60, "Cem": 0}
    assert prizes(100, THREE[:2], people, cash=True).won == {"Ann": 0, "Bob": 65, "Cem": 0}
    assert prizes(100, THREE[:2], people).left == 40


def test_amounts_never_come_to_more_than_the_pool() -> None:
    shares = (Portion(amount=150), Portion(amount=100), Portion(part=500_000))
    assert divided(200, shares) == [150, 50, 0]
    assert divided(1000, shares) == [150, 100, 500]


def test_a_cent_that_percentages_lose_goes_to_the_first_of_them() -> None:
    thirds = tuple(Portion(part=part) for part in (333_334, 333_333, 333_333))
    assert divided(101, thirds) == [34, 34, 33]
    assert divided(100, (Portion(amount=1), *thirds)) == [1, 33, 33, 33]
    assert divided(2, (Portion(part=500_000),)) == [1]


def test_the_pool_is_what_was_paid_for_banks() -> None:
    paid = [Payments(100_00, rebuys=50_00, add_ons=20_00), Payments(100_00, refunded=40_00)]
    assert pool(Portion(part=WHOLE), paid) == 230_00
    assert pool(Portion(part=800_000), paid) == 184_00
    assert pool(Portion(amount=500_00), paid) == 500_00


def test_a_refund_is_a_part_of_what_was_paid() -> None:
    assert (refund(0, 110_00), refund(500_000, 110_01), refund(WHOLE, 110_01)) == (0, 55_00, 110_01)


@given(st.integers(0, 10**9), st.integers(1, 50))
def test_equal_parts_differ_by_a_cent_at_most(amount: int, number: int) -> None:
    parts = split(amount, number)
    assert sum(parts) == amount
    assert max(parts) - min(parts) <= 1
    assert parts == sorted(parts, reverse=True)


@given(st.integers(0, 10**9), whole())
def test_percentages_of_the_whole_come_to_the_pool(amount: int, shares: tuple[Portion, ...]) -> None:
    assert sum(divided(amount, shares)) == amount


@given(st.integers(0, 10**9), whole(), placed(least=8))
def test_with_a_place_for_each_share_the_prizes_come_to_the_pool(
    amount: int, shares: tuple[Portion, ...], people: list[Prizewinner]
) -> None:
    result = prizes(amount, shares, people)
    assert (sum(result.won.values()), result.left) == (amount, 0)


@given(
    st.integers(0, 10**6),
    st.lists(
        st.one_of(st.builds(Portion, amount=st.integers(1, 10**6)), st.just(Portion(part=WHOLE // 9))), max_size=9
    ),
    placed(),
    st.sets(st.integers(0, 23)),
)
def test_no_cent_is_lost_whoever_is_passed_over(
    amount: int, shares: list[Portion], people: list[Prizewinner], employees: set[int]
) -> None:
    mixed = [Prizewinner(each.name, each.place, each.entered, nth in employees) for nth, each in enumerate(people)]
    result = prizes(amount, shares, mixed)
    assert sum(result.won.values()) + result.left == amount
    assert result.left >= 0
    assert all(result.won[each.name] == 0 for each in mixed if each.passed_over)
