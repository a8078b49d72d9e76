"""The Angel Eye shoe: cards arrive once and in order, whatever the wire does; what is missing is said, not guessed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.shoe import ShoeDriver
from drivers.vendors import angel_eye as shoe
from drivers.vendors.angel_eye import AngelEye
from drivers.vendors.memory import MOST_KEPT
from firmware_bridge import messages as m
from firmware_bridge.link import LinkError
from firmware_bridge.messages import Eject
from firmware_bridge.vendors.angel_eye import Report, clear_error, place_byte
from hw_sim import loop
from hw_sim.models.shoe import Shoe
from hw_sim.table import SimDevice
from hw_sim.tcp import TcpWire
from hw_sim.vendors.angel_eye import AngelEyeEnd
from hw_sim.wire import MemoryWire, PtyWire, Wire
from tests.vendors.bench import Bench, on_the_bench

CARDS = ["Kh", "8s", "Ad", "Tc", "2h", "2h", "Qs", "9d", "3c", "4h", "5s", "6d"]


@asynccontextmanager
async def a_shoe(wire: Wire | None = None, setting: AngelEye = AngelEye(), **options: Any) -> AsyncIterator[Bench]:  # noqa: B008
    device = SimDevice("shoe", Shoe(), wire or MemoryWire(), make_end=AngelEyeEnd)
    async with on_the_bench(device, ShoeDriver(), "angel-eye", setting, **options) as bench:
        yield bench


def end(bench: Bench) -> AngelEyeEnd:
    assert isinstance(bench.device._end, AngelEyeEnd)
    return bench.device._end


async def draw(bench: Bench, *cards: str) -> None:
    for card in cards:
        bench.device.do("draw", card)
    await asyncio.sleep(0.2 + 0.1 * len(cards))


def test_cards_arrive_once_and_in_order_though_each_is_sent_three_times() -> None:
    async def main() -> None:
        async with a_shoe() as bench:
            await draw(bench, *CARDS, "cut")
            assert bench.cards == CARDS
            assert isinstance(bench.readings[-1], m.CuttingCardSeen)
            assert not bench.faults
            assert bench.supervisor.stats.duplicates == 2 * (len(CARDS) + 1)
            assert bench.supervisor.state.identity is not None
            assert bench.supervisor.state.identity.model == "angel-eye-ii-ex"
            assert "withheld" in bench.trace
            assert "cutting card" in bench.trace
        assert bench.phases[-1] == "stopped"

    loop.run(main())


@pytest.mark.parametrize("fault", [("split",), ("drop", 2), ("corrupt", 2), ("duplicate", 9), ("delay", "300ms")])
def test_a_bad_wire_costs_no_card(fault: tuple[Any, ...]) -> None:
    async def main() -> None:
        async with a_shoe() as bench:
            for card in CARDS:
                bench.device.fault(*fault)
                await draw(bench, card)
                bench.device.clear()
            await asyncio.sleep(1)
            assert bench.cards == CARDS
            assert not bench.faults
            assert bench.phases == ["opening", "identifying", "ready"]

    loop.run(main())


def test_a_report_that_never_came_is_a_fault_and_the_next_card_still_counts() -> None:
    async def main() -> None:
        async with a_shoe() as bench:
            await draw(bench, "Kh")
            bench.device.fault("drop", 3)
            await draw(bench, "8s", "Ad")
            assert bench.cards == ["Kh", "Ad"]
            assert bench.faults == ["shoe.gap"]
            assert bench.cleared == ["shoe.gap"]  # the shoe itself will never say that it is over

    loop.run(main())


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(CARDS), st.integers(0, 3)), max_size=9))
def test_what_arrives_is_in_order_and_what_does_not_is_told_with_the_next_card(drawn: list[tuple[str, int]]) -> None:
    async def main() -> None:
        async with a_shoe() as bench:
            await draw(bench, "Kh")
            for card, drops in drawn:
                if drops:
                    bench.device.fault("drop", drops)
                await draw(bench, card)
                bench.device.clear()
            await draw(bench, "Kh")
            assert bench.cards == ["Kh", *(card for card, drops in drawn if drops < 3), "Kh"]
            gaps = "".join("x" if drops == 3 else " " for _, drops in drawn).split()
            assert bench.faults == ["shoe.gap"] * len(gaps)

    loop.run(main())


def test_a_card_right_behind_a_restart_is_not_lost() -> None:
    async def main() -> None:
        async with a_shoe() as bench:
            await draw(bench, "Kh")
            started, card = Report(ord("0"), "S"), Report(ord("1"), "D", bytes([place_byte(0, 1), 0xB8]))
            bench.device._faults.send(started.to_wire() + card.to_wire())
            await bench.until(lambda: bench.cards == ["Kh", "8s"])
            assert bench.causes[0] == "device.restarted"

    loop.run(main())


def test_the_same_number_and_card_much_later_is_another_report() -> None:
    async def main() -> None:
        async with a_shoe() as bench:
            await draw(bench, "Kh")
            bench.device.fault("drop", 27)
            await draw(bench, *["2c"] * 9)
            await asyncio.sleep(10)
            await draw(bench, "Kh")
            assert bench.cards == ["Kh", "Kh"]
            assert bench.faults == ["shoe.gap"]

    loop.run(main())


def test_where_a_site_counts_otherwise_gaps_can_be_left_unnoticed() -> None:
    async def main() -> None:
        async with a_shoe(setting=AngelEye(sequence="any")) as bench:
            await draw(bench, "Kh")
            bench.device.fault("drop", 3)
            await draw(bench, "8s", "Ad")
            assert bench.cards == ["Kh", "Ad"]
            assert not bench.faults

    loop.run(main())


def test_sequence_numbers() -> None:
    assert AngelEye().missing(ord("9"), ord("0")) == 0
    assert AngelEye().missing(ord("3"), ord("6")) == 2
    assert AngelEye().missing(ord("3"), ord("x")) == 1
    assert AngelEye(sequence="1-9").missing(ord("9"), ord("1")) == 0
    for wrong in ({"sequence": "9-0"}, {"sequence": "0"}, {"look": 0}):
        with pytest.raises(ValueError, match="must be"):
            AngelEye(**wrong)


def test_errors_have_names_and_plain_words_and_an_end() -> None:
    async def main() -> None:
        async with a_shoe() as bench:
            for number in range(1, 8):
                end(bench).send_report("E", bytes([0xC0 | number]))
                end(bench).send_report("e", bytes([0x80 | number]))
                await asyncio.sleep(0.3)
            codes = [code for code, _ in shoe.ERRORS.values()]
            assert bench.faults == codes
            assert bench.cleared == codes
            assert bench.cards == [None]  # the unreadable card left the shoe all the same
            words = [reading.detail for reading in bench.readings if isinstance(reading, m.Fault)]
            assert all(":" in text for text in words)
            end(bench).send_report("E", bytes([0xC0 | 40]))
            await asyncio.sleep(0.2)
            assert bench.faults[-1] == "shoe.error-40"
            await draw(bench, "8s")  # it deals again: whatever it was is over
            assert bench.cleared[-1] == "shoe.error-40"

    loop.run(main())


def test_an_error_that_is_cleared_by_command_ends() -> None:
    async def main() -> None:
        async with a_shoe() as bench:
            await draw(bench, "??")
            bench.device.fault("jam")
            await bench.until(lambda: bench.faults == ["shoe.unreadable", "shoe.timeout"])
            for number in (1, 1, 7):
                end(bench).received(clear_error(number).to_wire())
            await bench.until(lambda: bench.cleared == ["shoe.unreadable", "shoe.timeout"])
            bench.device.clear()
            await asyncio.sleep(0.2)
            assert bench.cleared == ["shoe.unreadable", "shoe.timeout"]

    loop.run(main())


def test_an_impossible_card_is_unread_strange_reports_are_faults_and_burn_counts_are_no_cards() -> None:
    async def main() -> None:
        async with a_shoe() as bench:
            end(bench).send_report("D", bytes([place_byte(0, 1), 0x80]))
            end(bench).send_report("D", bytes([place_byte(5, 4), 0xB4]))
            end(bench).send_report("Z")
            end(bench).send_report("D", b"\x81")
            await asyncio.sleep(0.5)
            assert bench.faults == ["shoe.report", "shoe.report"]
            assert bench.cards == [None]  # a card left the shoe, whatever it is

    loop.run(main())


def test_a_card_sent_again_counts_once_and_a_late_one_is_told() -> None:
    async def main() -> None:
        async with a_shoe() as bench:
            await draw(bench, "8s")
            end(bench).send_report("R", bytes([place_byte(0, 1), 0xB8]))
            await asyncio.sleep(0.2)
            assert bench.cards == ["8s"]
            end(bench).send_report("R", bytes([place_byte(1, 1), 0xB9]))
            end(bench).send_report("d", bytes([place_byte(0, 1), 0xBA]))
            for kind, data in (("P", b""), ("G", b"\x90"), ("L", b"\x81"), ("M", b"0100FF")):
                end(bench).send_report(kind, data)
            await asyncio.sleep(0.8)
            assert bench.cards == ["8s", "9s", "Ts"]
            assert bench.faults == ["shoe.sent-again"]

    loop.run(main())


def test_it_is_locked_and_stays_so_through_a_power_cut() -> None:
    async def main() -> None:
        async with a_shoe() as bench:
            bench.driver.lock(True)
            await bench.until(lambda: bool(bench.device.model.view()["locked"]))
            bench.device.fault("power")
            assert not bench.device.model.view()["locked"]
            await bench.until(lambda: bench.device.model.view()["locked"] and bench.phases[-1] == "ready")
            assert bench.causes[0] == "device.restarted"
            await draw(bench, "Kh")
            assert bench.cards == ["Kh"]
            assert not bench.faults  # the shoe counts anew: that is no gap

    loop.run(main())


@pytest.mark.parametrize(
    ("refusals", "ok", "reason"),
    [
        ([0x21, 0x22], True, ""),
        ([0x01, 0x03], True, ""),
        ([0x13], False, "command"),
        ([0x21] * 3, False, "busy"),
        ([0x77], False, "refused"),
    ],
)
def test_refusals(refusals: list[int], ok: bool, reason: str) -> None:
    async def main() -> None:
        async with a_shoe() as bench:
            end(bench).refusals.extend(refusals)
            reply = await bench.driver.self_test()
            assert reply.ok == ok
            assert reply.detail.startswith(reason)

    loop.run(main())


def test_the_checksum_of_commands_is_a_setting() -> None:
    async def main() -> None:
        async with a_shoe(setting=AngelEye(bcc="without-stx"), plugged=False) as bench:
            end(bench).with_stx = False
            await bench.ready()
            assert (await bench.driver.self_test()).ok
            end(bench).with_stx = True
            reply = await bench.driver.self_test()
            assert not reply.ok
            assert "setting" in reply.detail

    loop.run(main())


def test_a_lost_answer_is_asked_for_again() -> None:
    async def main() -> None:
        async with a_shoe() as bench:
            bench.device.fault("drop", 1)
            assert (await bench.driver.self_test()).ok
            assert bench.supervisor.stats.retries == 1

    loop.run(main())


def test_a_command_it_has_not_is_refused() -> None:
    async def main() -> None:
        async with a_shoe() as bench:
            assert not (await bench.driver.ask(Eject())).ok

    loop.run(main())


def test_a_shoe_that_falls_silent_is_lost_and_found() -> None:
    async def main() -> None:
        async with a_shoe(setting=AngelEye(look=1)) as bench:
            bench.device.fault("hang")
            await bench.lost()
            assert bench.causes[0] == "link.silent"
            with pytest.raises(LinkError):
                await bench.driver.self_test()
            bench.device.clear()
            await bench.ready()
            await draw(bench, "Kh")
            assert bench.cards == ["Kh"]

    loop.run(main())


def test_a_journal_that_fails_loses_no_card_of_the_session() -> None:
    async def main() -> None:
        async with a_shoe() as bench:
            await draw(bench, "Kh")
            bench.stores = False
            await draw(bench, "8s", "Ad")
            bench.stores = True
            bench.supervisor.reconnect()
            await bench.until(lambda: bench.cards == ["Kh", "8s", "Ad"])
            await bench.ready()
            await draw(bench, "2c")
            assert bench.cards == ["Kh", "8s", "Ad", "2c"]

    loop.run(main())


def test_a_journal_that_fails_for_long_ends_the_session_before_the_memory_is_full() -> None:
    async def main() -> None:
        async with a_shoe() as bench:
            bench.stores = False
            end(bench).copies = 1
            for _ in range(MOST_KEPT + 1):
                end(bench).send_report("C")
            await bench.until(lambda: "vendor.unsaved" in bench.causes, within=300)

    loop.run(main())


@pytest.mark.parametrize("kind", ["pty", "tcp"])
async def test_on_real_wires_unplugged_and_plugged_in_again(kind: str, tmp_path: Path) -> None:
    wire: Wire = PtyWire(tmp_path / "shoe") if kind == "pty" else TcpWire()
    device = SimDevice("shoe", Shoe(), wire, make_end=AngelEyeEnd)
    device.start()  # a port is known when it is open
    async with on_the_bench(device, ShoeDriver(), "angel-eye", AngelEye()) as bench:
        device.do("draw", "Kh")
        device.do("draw", "8s")
        await bench.until(lambda: bench.cards == ["Kh", "8s"])
        await bench.until(lambda: device.quiet)
        device.fault("unplug")
        await bench.lost()
        device.do("draw", "Ad")  # nobody hears it, and it is never sent again
        await asyncio.sleep(0.1)
        device.clear()
        await bench.ready()
        device.do("draw", "2c")
        await bench.until(lambda: bench.cards == ["Kh", "8s", "2c"])
        assert bench.faults == ["shoe.gap"]
