"""What the API says of the table, its devices and its journal."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from controller.errors import FeltError
from controller.table.state import Table
from tests.api.conftest import Floor, Open


async def waits(floor: Floor) -> list[tuple[str, str]]:
    return [(wait["text"], wait["rule"]) for wait in (await floor.get("/status"))["waiting"]]


async def phase(floor: Floor) -> str:
    return str((await floor.get("/status"))["round"]["phase"])


async def test_a_round_in_plain_words(floor: Floor) -> None:
    assert await waits(floor) == [("players place their bets: the first one opens a round", "")]
    await floor.bet(1, 1000)
    assert await phase(floor) == "betting"
    assert await waits(floor) == [("players bet on war, tie (5 to 500); then press no-more-bets", "5.2")]
    await floor.press("no-more-bets")
    assert await waits(floor) == [("deal a card to area 1, then to the dealer", "7.3.1")]
    assert (await floor.get("/status"))["gates"]["bets"] == {"open": False, "rule": "5.3"}
    await floor.draw("Kh", "Kd")
    assert await phase(floor) == "deciding"
    status = await floor.get("/status")
    assert status["running"] is True
    assert (await waits(floor))[0] == ("area 1 decides: 10 on go-to-war, or press surrender 1", "5.6")
    assert status["lamps"]["decide"] == ["1"]
    await floor.press("surrender", "1")
    assert await phase(floor) == "settling"
    assert await waits(floor) == [("settle 1 wager: take and pay, and press settle", "7.6.1")]
    await floor.press("settle")
    status = await floor.get("/status")
    assert status["round"] == {"number": 1, "phase": "between rounds"}
    assert status["running"] is False
    assert status["journal"]["seq"] == floor.engine.seq and status["journal"]["pending"] == 0
    assert status["uptime"] >= 0 and status["versions"]["protocol"] == "1"


async def test_an_unread_card_waits_for_the_supervisor(floor: Floor) -> None:
    await floor.bet(1, 1000)
    await floor.press("no-more-bets")
    await floor.draw("??", "Kd")
    assert await phase(floor) == "stopped"
    status = await floor.get("/status")
    assert [p["role"] for p in status["prompts"]] == ["dealer", "supervisor"]
    assert (await waits(floor))[0] == (
        "cards at area 1 could not be read, or came twice: the supervisor presses reconstruct",
        "9.4",
    )


async def test_cards_that_are_not_ready(opened: Open) -> None:
    floor = await opened('gates = "manual"\n')
    assert (await waits(floor))[0] == ("the cards were not checked: check them, and press checked", "3.2")


async def test_devices(floor: Floor) -> None:
    devices = {device["name"]: device for device in (await floor.get("/devices"))["devices"]}
    assert list(devices) == ["shoe", "console", "lamps", "sensor.1", "sensor.2"]
    shoe = devices["shoe"]
    assert (shoe["family"], shoe["address"], shoe["phase"], shoe["cause"]) == ("shoe", "sim://shoe", "ready", None)
    assert shoe["identity"]["serial"] == "SIM-shoe"
    assert devices["lamps"]["stats"]["frames_in"] > 0
    assert devices["lamps"]["stats"]["round_trip_p99_ms"] > 0
    assert shoe["stats"]["unacknowledged"] == 0


async def test_a_fault_that_a_device_reports(floor: Floor) -> None:
    floor.sim.device("shoe").fault("jam")
    await floor.press("seat", "1")
    status = await floor.get("/status")
    assert status["faults"] == {"shoe": {"shoe.jam": ""}}
    assert [trouble["code"] for trouble in status["trouble"]] == ["shoe.jam"]
    assert status["gates"]["deal"]["open"] is False


async def test_a_lost_device_is_told_with_what_to_do(floor: Floor) -> None:
    async def until(well: bool) -> dict[str, Any]:
        async with asyncio.timeout(20):
            while (not (status := await floor.get("/status"))["trouble"]) is not well:  # noqa: ASYNC110
                await asyncio.sleep(0.005)
        return status

    shoe = floor.sim.device("shoe")
    shoe.fault("unplug")
    [trouble] = (await until(False))["trouble"]
    assert trouble["cause"].startswith("shoe: ") and trouble["next_step"]
    devices = {device["name"]: device for device in (await floor.get("/devices"))["devices"]}
    assert devices["shoe"]["phase"] != "ready" and devices["shoe"]["cause"]["code"] == trouble["code"]
    shoe.clear()
    await until(True)
    await floor.rest()
    texts = [fact["text"] for fact in (await floor.get("/journal/tail"))["facts"]]
    assert texts[-2].startswith("shoe is lost: ") and texts[-1] == "shoe is back"


async def test_a_table_that_cannot_follow_a_fact_says_so(floor: Floor) -> None:
    floor.engine.defect = FeltError("table.defect", "fact 9 could not be followed", "call the technician")
    status = await floor.get("/status")
    assert status["defect"]["code"] == "table.defect" and status["trouble"][0] == status["defect"]


async def test_a_defect_in_an_answer_is_told_without_its_text(floor: Floor) -> None:
    floor.engine.table = Table(game="Kh")  # no such game
    with pytest.raises(FeltError) as caught:
        await floor.get("/status")
    assert caught.value.code == "api.defect"
    assert "ExtensionError at " in caught.value.cause and "Kh" not in caught.value.cause


async def test_the_journals_tail(floor: Floor) -> None:
    await floor.bet(1, 1000)
    await floor.press("no-more-bets")
    last = await floor.draw("Kh")
    tail = await floor.get("/journal/tail", n=2)
    assert tail["head"] == last
    assert [(fact["seq"], fact["text"]) for fact in tail["facts"]] == [
        (last - 1, "key no-more-bets"),
        (last, "king of hearts left the shoe"),
    ]
    assert tail["facts"][1]["fact"] == {"fact": "card", "card": "Kh"}
    assert tail["facts"][1]["device"] == "shoe" and tail["facts"][1]["at"].endswith("+00:00")
    after = await floor.get("/journal/tail", after=1, n=1)
    assert [fact["text"] for fact in after["facts"]] == ["area 1: 10 on war"]
    assert (await floor.get("/journal/tail", n=0))["facts"] == []


async def test_verify_and_anchor(floor: Floor) -> None:
    anchor = (await floor.get("/journal/anchor"))["anchor"]
    await floor.bet(1, 1000)
    report = await floor.get("/journal/verify", anchor=anchor)
    assert (report["ok"], report["checked"]) == (True, floor.engine.seq)
    word, seq, _, table = anchor.split(" ")
    report = await floor.get("/journal/verify", anchor=f"{word} {seq} {'0' * 64} {table}")
    assert (report["ok"], report["code"], report["first_bad"]) == (False, "anchor.mismatch", int(seq))
    assert report["next_step"]


@pytest.mark.parametrize(
    ("what", "query", "code"),
    [
        ("/nothing", {}, "api.request"),
        ("/correct", {}, "api.request"),
        ("/journal/tail", {"n": "many"}, "api.request"),
        ("/journal/tail", {"after": "-1"}, "api.request"),
        ("/journal/verify", {"anchor": "nonsense"}, "anchor.invalid"),
    ],
)
async def test_what_cannot_be_asked(floor: Floor, what: str, query: dict[str, Any], code: str) -> None:
    with pytest.raises(FeltError) as caught:
        await floor.get(what, **query)
    assert caught.value.code == code and caught.value.next_step


async def test_proper_http(floor: Floor) -> None:
    def status_line(request: bytes) -> bytes:
        with socket.socket(socket.AF_UNIX) as raw:
            raw.settimeout(20)
            raw.connect(floor.client.path)
            raw.sendall(request + b" HTTP/1.1\r\nHost: felt\r\nConnection: close\r\n\r\n")
            return raw.makefile("rb").readline()

    assert b" 404 " in await asyncio.to_thread(status_line, b"GET /nothing")
    assert b" 405 " in await asyncio.to_thread(status_line, b"GET /correct")
    for query in (
        "/journal/tail?n=x",
        "/journal/tail?n=1001",
        "/journal/verify?replay=please",
        "/events?after=x",
        "/devices/shoe/trace?follow=yes",
    ):
        assert b" 400 " in await asyncio.to_thread(status_line, f"GET {query}".encode()), query
