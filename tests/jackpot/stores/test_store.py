"""What every store does, whatever it keeps its meters in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

import pytest
from msgspec.structs import replace

from controller.jackpot.ledger import Meter, Movement
from controller.jackpot.rules import Terms
from controller.jackpot.stores.store import MeterStore, Recorded, StoreError
from tests.jackpot.stores.telling import NSW, PEOPLE, VIC, WHY, WORDS, Teller

INCREMENT = NSW.increment
Make = Callable[[], MeterStore]


async def refused(code: str, call: object) -> StoreError:
    """The error of a call that fails with this code."""
    with pytest.raises(StoreError) as caught:
        await call  # type: ignore[misc]
    assert caught.value.code == code and caught.value.next_step
    return caught.value


async def sound(store: MeterStore, *groups: str) -> None:
    for group in groups or ("G",):
        assert await store.verify(group) == await store.glance(group) == []


async def test_a_new_meter_holds_its_seed(store: MeterStore) -> None:
    joined = await Teller(store).join()
    assert joined.meter.value == joined.meter.startup == joined.meter.seed == NSW.seed
    assert (joined.last, joined.awards, joined.repeats) == (0, {}, ())
    assert await store.meters() == [joined.meter]
    await sound(store)


async def test_wagers_lift_it_and_a_store_that_is_opened_again_knows_everything(make: Make, store: MeterStore) -> None:
    table = Teller(store)
    await table.join()
    told = await table.tell(*table.bets(1, "123"))
    assert told.meter.value == NSW.seed + 3 * INCREMENT and told.last == 3
    told = await table.tell(*table.bets(2, "12"))
    assert (told.meter.wagers, told.meter.contributions, told.meter.recorded) == (5, 5 * INCREMENT, 5)
    await store.close()
    other = make()
    await other.open()
    assert await other.meter("G") == told.meter
    assert (await other.join("G", "T1", NSW, WORDS, known_to_table=5)).last == 5
    await sound(other)
    await other.close()


async def test_telling_it_twice_is_harmless(store: MeterStore) -> None:
    table = Teller(store)
    await table.join()
    batch = table.bets(1, "12")
    first = await table.tell(*batch)
    again = await table.tell(*batch, *table.bets(1, "3"))
    assert again.repeats == (1, 2) and again.last == 3
    assert again.meter.value == first.meter.value + INCREMENT
    assert (await table.tell(*batch)).repeats == (1, 2)
    assert (await table.tell()).meter == again.meter
    await sound(store)


async def test_a_wager_counts_once_under_whatever_number(store: MeterStore) -> None:
    table = Teller(store)
    await table.join()
    await table.tell(*table.bets(7, "1"))
    told = await table.tell(*table.bets(7, "1"))
    assert told.meter.value == NSW.seed + INCREMENT and told.meter.wagers == 1 and told.last == 2
    told = await table.tell(table.say("reversal", 7, "1"), table.say("reversal", 7, "1"))
    assert told.meter.value == NSW.seed and told.meter.wagers == 0
    told = await table.tell(*table.bets(7, "1"))
    assert told.meter.value == NSW.seed + INCREMENT  # cancelled, then registered again
    await sound(store)


async def test_one_number_says_one_thing(store: MeterStore) -> None:
    table = Teller(store)
    await table.join()
    await table.tell(*table.bets(1, "1"))
    await refused("jackpot.conflict", table.tell(Movement(1, 1, "contribution", "2", INCREMENT)))
    await refused("jackpot.gap", table.tell(Movement(3, 1, "contribution", "2", INCREMENT)))
    assert (await store.meter("G")).recorded == 1


async def test_a_batch_is_recorded_as_a_whole_or_not_at_all(store: MeterStore) -> None:
    table = Teller(store)
    await table.join()
    await refused("jackpot.refused", table.tell(*table.bets(1, "12"), table.say("outcome", 1)))
    assert (await store.meter("G")).value == NSW.seed
    table.last = 0
    await table.tell(*table.bets(1, "12"))
    await sound(store)


@pytest.mark.parametrize("ticks", [INCREMENT + 1, 0, -INCREMENT])
async def test_an_excessive_increment_is_a_fault(store: MeterStore, ticks: int) -> None:
    table = Teller(store)
    await table.join()
    await table.tell(*table.bets(1, "1"))
    await refused("jackpot.excess", table.tell(table.say("contribution", 2, "1", ticks)))
    assert (await store.meter("G")).recorded == 1


@pytest.mark.parametrize("kind", ["adjustment", "transfer", "closing", "terms", "nonsense"])
async def test_a_table_does_nothing_that_people_do(store: MeterStore, kind: str) -> None:
    table = Teller(store)
    await table.join()
    await refused("jackpot.refused", table.tell(table.say(kind, 1, ticks=-5)))


@pytest.mark.parametrize("flushes", ["", "1R 2R 3R 4R 5R 6R 7R 8R"])
async def test_an_impossible_outcome_is_refused(store: MeterStore, flushes: str) -> None:
    table = Teller(store)
    await table.join()
    await refused("jackpot.refused", table.tell(table.say("outcome", 1, flushes=flushes)))


async def test_a_royal_resets_the_meter_and_its_answer_can_be_asked_for_again(store: MeterStore) -> None:
    table = Teller(store)
    await table.join()
    await table.tell(*table.bets(1, "123"))
    outcome = table.say("outcome", 1, flushes="2R")
    told = await table.tell(outcome)
    award = told.awards[4]
    assert award.at == NSW.seed + 3 * INCREMENT and award.after == told.meter.value == NSW.seed
    assert [(p.place, p.cents) for p in award.prizes] == [("2", 100_009 * 100)]
    assert (told.meter.hits, told.meter.wins) == (1, 100_009 * 10_000)
    again = await table.tell(outcome)
    assert again.awards == told.awards and again.repeats == (4,)
    hit = (await store.hits("G"))[0]
    assert (hit.table, hit.round, hit.place, hit.hand, hit.cents) == ("T1", 1, "2", "royal flush", 100_009 * 100)
    assert (hit.before, hit.after, hit.undone) == (award.at, award.after, False)
    await sound(store)


async def test_an_invalid_outcome_is_taken_back_even_after_others(store: MeterStore) -> None:
    one, two = Teller(store, "T1"), Teller(store, "T2")
    await one.join()
    await two.join()
    await one.tell(*one.bets(1, "12"))
    await one.tell(one.say("outcome", 1, flushes="1S"))
    await refused("jackpot.refused", one.tell(replace(one.say("outcome", 1, flushes="1S"))))
    one.last -= 1
    await two.tell(*two.bets(1, "1"))
    told = await one.tell(one.say("undo", 1), one.say("reversal", 1, "1"), one.say("reversal", 1, "2"))
    assert told.meter.value == NSW.seed + INCREMENT
    assert (told.meter.hits, told.meter.wins, told.meter.house) == (0, 0, 0)
    assert [hit.undone for hit in await store.hits("G")] == [True]
    assert (await one.tell(one.say("undo", 1))).meter.value == told.meter.value
    await sound(store)


async def test_the_last_25_hits_are_kept_newest_first(store: MeterStore) -> None:
    table = Teller(store)
    await table.join()
    for round_ in range(1, 15):
        await table.tell(*table.bets(round_, "12"), table.say("outcome", round_, flushes="1S 2S"))
    hits = await store.hits("G")
    assert len(hits) == 25 and [h.round for h in hits[:3]] == [14, 14, 13]
    assert (await store.meter("G")).hits == 28
    assert len(await store.hits("G", last=3)) == 3
    await sound(store)


async def test_what_goes_over_the_ceiling_is_in_reserve(store: MeterStore) -> None:
    table = Teller(store)
    ceiling = NSW.seed + INCREMENT * 3 // 2
    await table.join(ceiling=ceiling, spare=7)
    await table.tell(*table.bets(1, "1"))
    told = await table.tell(*table.bets(1, "23"))
    assert told.meter.value == ceiling and told.meter.reserve == 7 + 3 * INCREMENT - INCREMENT * 3 // 2
    told = await table.tell(table.say("reversal", 1, "2"))  # exactly what that wager did
    assert told.meter.value == NSW.seed + INCREMENT and told.meter.reserve == 7 + INCREMENT
    await sound(store)
    await refused("jackpot.differs", store.join("G", "T2", NSW, WORDS, ceiling=ceiling + 1))


async def test_tables_of_a_group_have_the_same_terms(store: MeterStore) -> None:
    await Teller(store).join()
    for terms in (VIC, Terms("nsw", 2, 20_000, 500), Terms("nsw", 1, 40_000, 500), Terms("nsw", 1, 20_000, 1000)):
        await refused("jackpot.differs", store.join("G", "T2", terms, WORDS))
    assert await store.systems() == {"G": WORDS}


async def test_a_store_that_knows_less_than_it_told_has_lost_something(store: MeterStore) -> None:
    await Teller(store).join()
    await refused("jackpot.behind", store.join("G", "T1", NSW, WORDS, known_to_table=1))


async def test_only_members_record(store: MeterStore) -> None:
    table, stranger = Teller(store), Teller(store, "T9")
    await refused("jackpot.unknown", table.tell(*table.bets(1, "1")))
    table.last = 0
    await table.join()
    await refused("jackpot.unknown", stranger.tell(*stranger.bets(1, "1")))
    await refused("jackpot.unknown", store.meter("elsewhere"))
    await refused("jackpot.unknown", store.hits("elsewhere"))
    await refused("jackpot.refused", store.join("", "T1", NSW, WORDS))


async def test_a_table_that_left_may_come_back(store: MeterStore) -> None:
    table = Teller(store)
    await table.join()
    await table.tell(*table.bets(1, "1"))
    await table.tell(*table.bets(2, "1"))
    await store.leave("G", "T1")
    assert await store.systems() == {}
    lost = table.bets(3, "1")
    await refused("jackpot.unknown", table.tell(*lost))
    table.last = 0
    assert (await table.join()).last == 2
    assert (await table.tell(*table.bets(3, "1"))).meter.wagers == 3


async def test_systems_in_the_words_of_all_their_tables(store: MeterStore) -> None:
    await store.join("G", "T1", NSW, "nsw 1 20000 5 B caribbean-stud")
    await store.join("G", "T2", NSW, "nsw 1 20000 5 B mississippi-stud")
    await store.join("H", "T3", VIC, "vic 1 10000 5 A wsop-bonus-holdem")
    await store.join("I", "T4", NSW, "nsw 1 20000 5 A caribbean-stud")
    await store.close_group("I", {}, "no table is left", PEOPLE)
    assert await store.systems() == {
        "G": "nsw 1 20000 5 B caribbean-stud,mississippi-stud",
        "H": "vic 1 10000 5 A wsop-bonus-holdem",
        "I": "closed",
    }


@pytest.mark.parametrize(
    ("reason", "by"),
    [(WHY, ("Ann", "Ann")), (WHY, ("Ann", " ann ")), (WHY, ("Ann", "")), (WHY, ("", "Ben")), ("  ", PEOPLE)],
)
async def test_a_correction_needs_two_people_and_a_reason(store: MeterStore, reason: str, by: tuple[str, str]) -> None:
    await Teller(store).join()
    await refused("jackpot.people", store.adjust("G", 5, reason, by))
    await refused("jackpot.people", store.change_terms("G", NSW, reason, by))
    await refused("jackpot.people", store.close_group("G", {}, reason, by))
    assert (await store.meter("G")).recorded == 0


async def test_a_correction(store: MeterStore) -> None:
    await Teller(store).join()
    assert (await store.adjust("G", -5, WHY, PEOPLE)).value == NSW.seed - 5
    assert (await store.adjust("G", 7, WHY, PEOPLE)).adjustments == 2
    await refused("jackpot.refused", store.adjust("G", -NSW.seed - 3, WHY, PEOPLE))
    await refused("jackpot.unknown", store.adjust("X", 1, WHY, PEOPLE))
    await sound(store)


async def test_another_journal_under_the_name_of_a_table(store: MeterStore) -> None:
    def join(teller: str) -> Awaitable[Recorded]:
        return store.join("G", "T1", NSW, WORDS, teller=teller)

    await join("one")
    await refused("jackpot.conflict", join("other"))
    assert (await join("one")).last == 0
    await store.leave("G", "T1")
    await refused("jackpot.conflict", join("other"))


async def test_other_terms_for_a_group(store: MeterStore) -> None:
    table = Teller(store, terms=VIC)
    await table.join()
    await table.tell(*table.bets(1, "1"))
    larger = Terms("vic", 1, 20_000, 500)
    meter = await store.change_terms("G", larger, "announced", PEOPLE)
    assert meter.terms == larger and meter.value == larger.seed  # 003 9.3
    assert meter.house == larger.seed - VIC.seed - VIC.increment
    await table.tell(*table.bets(2, "1"))  # one that was on its way, with the increment of before
    await refused("jackpot.differs", table.join())
    await refused("jackpot.refused", store.change_terms("G", NSW, "announced", PEOPLE))
    table.terms = larger
    await table.join()
    told = await table.tell(*table.bets(3, "1"), table.say("refill", 3))
    assert told.meter.value == larger.seed + VIC.increment + larger.increment
    await sound(store)


async def test_closing_hands_everything_on(store: MeterStore) -> None:
    tables = [Teller(store, f"T{group}", group) for group in "ABC"]
    for table in tables:
        await table.join(spare=11)
        await table.tell(*table.bets(1, "1234"))
    over = 4 * INCREMENT + 11
    await refused("jackpot.refused", store.close_group("B", {"A": over - 1}, WHY, PEOPLE))
    await refused("jackpot.refused", store.close_group("B", {"A": over + 5, "C": -5}, WHY, PEOPLE))
    await refused("jackpot.refused", store.close_group("B", {"B": over}, WHY, PEOPLE))
    await refused("jackpot.unknown", store.close_group("B", {"A": 1, "D": over - 1}, WHY, PEOPLE))
    meters = {m.group: m for m in await store.close_group("B", {"C": over - 1, "A": 1}, WHY, PEOPLE)}
    assert meters["B"].closed and meters["B"].value == NSW.seed and meters["B"].reserve == 0
    assert meters["A"].transfers == 1 and meters["C"].transfers == over - 1 == -meters["B"].transfers - 1
    await sound(store, "A", "B", "C")
    await refused("jackpot.refused", store.close_group("B", {}, WHY, PEOPLE))
    await refused("jackpot.refused", store.transfer("A", "B", 1, WHY, PEOPLE))
    await refused("jackpot.closed", store.join("B", "T9", NSW, WORDS))
    assert (await tables[1].tell(tables[1].say("outcome", 1, flushes="1R"))).awards  # registered before: honoured
    late = await tables[1].tell(*tables[1].bets(2, "1"))  # registered before its table heard of the closing
    assert late.meter.closed and late.meter.value == NSW.seed + INCREMENT
    await store.transfer("B", "A", INCREMENT, WHY, PEOPLE)
    await sound(store, "A", "B", "C")


async def test_a_transfer_leaves_the_seed(store: MeterStore) -> None:
    for group, terms in (("A", NSW), ("B", NSW), ("V", VIC)):
        table = Teller(store, "T1", group, terms)
        await table.join()
        await table.tell(*table.bets(1, "1"))
    await refused("jackpot.refused", store.transfer("A", "B", INCREMENT + 1, WHY, PEOPLE))
    await refused("jackpot.refused", store.transfer("A", "V", 1, WHY, PEOPLE))
    await refused("jackpot.refused", store.transfer("A", "A", 1, WHY, PEOPLE))
    a, b = await store.transfer("A", "B", INCREMENT, WHY, PEOPLE)
    assert (a.value, b.value) == (NSW.seed, NSW.seed + 2 * INCREMENT)
    await sound(store, "A", "B")


async def test_a_listener_hears_the_newest(store: MeterStore) -> None:
    table = Teller(store)
    await table.join()
    changes: AsyncGenerator[Meter, None] = store.changes("G")
    async with asyncio.timeout(10):
        assert (await anext(changes)).value == NSW.seed
        for round_ in range(1, 6):
            await table.tell(*table.bets(round_, "1"))
        await until(changes, NSW.seed + 5 * INCREMENT)
        await store.adjust("G", 1, WHY, PEOPLE)
        await until(changes, NSW.seed + 5 * INCREMENT + 1)
    await changes.aclose()


async def test_a_listener_hears_what_another_client_records(make: Make, store: MeterStore) -> None:
    other = make()
    await other.open()
    table = Teller(other)
    await table.join()
    changes = store.changes("G")
    async with asyncio.timeout(10):
        await anext(changes)
        await table.tell(*table.bets(1, "12"))
        await until(changes, NSW.seed + 2 * INCREMENT)
    await changes.aclose()
    await other.close()


async def until(changes: AsyncGenerator[Meter, None], value: int) -> None:
    async for meter in changes:
        if meter.value == value:
            return


async def test_a_store_that_is_not_open_says_so(make: Make) -> None:
    shut = make()
    await refused("jackpot.unreachable", shut.meter("G"))
    await shut.close()
    await shut.open()
    await shut.close()
    await shut.close()
    await refused("jackpot.unreachable", shut.record("G", "T1", []))


async def test_two_clients_of_one_table_do_no_harm(make: Make, store: MeterStore) -> None:
    """A daemon that was started again while the old one was still ending."""
    table = Teller(store)
    await table.join()
    other = make()
    await other.open()
    await other.join("G", "T1", NSW, WORDS)
    batches = [table.bets(round_, "123") for round_ in range(1, 9)]

    async def tell_all(client: MeterStore) -> None:
        for batch in batches:
            await client.record("G", "T1", batch)

    await asyncio.gather(tell_all(store), tell_all(other))
    assert (await store.meter("G")).value == NSW.seed + 24 * INCREMENT
    await sound(store)
    await other.close()


async def test_two_royals_at_once_are_settled_one_after_the_other(make: Make, store: MeterStore) -> None:
    other = make()
    await other.open()
    tables = [Teller(store, "T1"), Teller(other, "T2")]
    for table in tables:
        await table.join()
        await table.tell(*table.bets(1, "123"))
    told = await asyncio.gather(*(table.tell(table.say("outcome", 1, flushes="1R")) for table in tables))
    awards = sorted((answer.awards[4] for answer in told), key=lambda award: -award.at)
    assert [award.at for award in awards] == [NSW.seed + 6 * INCREMENT, NSW.seed]
    assert [hit.before for hit in await store.hits("G")] == [NSW.seed, NSW.seed + 6 * INCREMENT]
    await sound(store)
    await other.close()
