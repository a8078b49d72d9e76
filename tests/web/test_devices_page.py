"""The technician's page: everybody sees what works and what to do; wires, causes and frames only a technician does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, CookieJar
from playwright.async_api import Page, expect

from controller.cli.demo import dealt_table, demo_config
from controller.config.load import load_config
from controller.daemon.compose import Daemon
from controller.rules import Role
from controller.sim.people import PIN, badge_of
from controller.table.facts import Noted, decode
from hw_sim.table import SimTable
from tests.daemon.house import table_toml
from tests.service.clocks import until
from tests.web.browser import DESK, TABLET, WALL, check_accessible, no_motion, scene, size
from tests.web.conftest import House

SECRET = ("sim://", "SIM-", "adapter", "serial.", "frames_in", "PING")


@asynccontextmanager
async def table(tmp_path: Path) -> AsyncIterator[tuple[Daemon, SimTable]]:
    async with dealt_table(demo_config(tmp_path)) as (daemon, sim, _):
        yield daemon, sim


async def look(session: ClientSession, at: str, device: str = "shoe", pictures: int = 1) -> dict[str, Any]:
    """The newest of so many pictures."""
    seen: list[dict[str, Any]] = []
    async with session.get(f"{at}/devices/events?device={device}") as answer:
        assert answer.status == 200
        async for line in answer.content:
            if line.startswith(b"data: {"):
                seen.append(json.loads(line[6:]))
                if len(seen) == pictures:
                    break
    return seen[-1]


async def sign_in(session: ClientSession, at: str, role: Role) -> str:
    body = {"badge": badge_of(role), "pin": PIN}
    async with session.post(f"{at}/sign-in", json=body, headers={"Origin": at}) as answer:
        assert answer.status == 200
        told = await answer.json()
    return str(told["csrf"])


async def lost(sim: SimTable, daemon: Daemon) -> None:
    sim.device("shoe").fault("unplug")
    async with asyncio.timeout(20):
        while "shoe" not in daemon.service.engine.table.faults:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_everybody_sees_what_works_and_what_to_do_and_no_more(tmp_path: Path) -> None:
    async with table(tmp_path) as (daemon, sim), ClientSession() as session:
        shown = await look(session, daemon.pages)
        assert [device["called"] for device in shown["devices"]][:2] == ["Dealer's console", "Lamps"]
        assert all(device["ready"] for device in shown["devices"])
        await lost(sim, daemon)
        shown = await look(session, daemon.pages)
        (shoe,) = [device for device in shown["devices"] if not device["ready"]]
        assert shoe["troubles"][0]["text"] == "The shoe cannot be reached."
        assert "cable" in shoe["troubles"][0]["step"]
        assert (shown["technician"], shown["frames"], shown["buses"]) == ("", [], [])
        assert not any(word in json.dumps(shown) for word in SECRET)


async def test_a_technician_sees_wires_causes_and_frames_without_cards(tmp_path: Path) -> None:
    async with table(tmp_path) as (daemon, sim), ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        csrf = await sign_in(session, daemon.pages, "technician")
        sim.device("shoe").do("draw", "Kh")
        await daemon.service.all_ready()
        shown = await look(session, daemon.pages, pictures=2)
        assert shown["technician"] == "simulated technician"
        shoe = next(device for device in shown["devices"] if device["name"] == "shoe")
        assert shoe["wire"]["address"] == "sim://shoe"
        assert shoe["wire"]["stats"]["frames_in"] > 0
        assert any("CardDrawn(withheld)" in frame["text"] for frame in shown["frames"])
        assert "Kh" not in json.dumps(shown)
        assert (await look(session, daemon.pages, device="nobody"))["frames"] == []
        await lost(sim, daemon)
        shown = await look(session, daemon.pages)
        shoe = next(device for device in shown["devices"] if device["name"] == "shoe")
        assert shoe["wire"]["first"]["code"] == "serial.lost"
        assert shoe["wire"]["cause"]["next_step"]
        headers = {"Origin": daemon.pages, "X-Felt-Csrf": csrf}
        async with session.post(f"{daemon.pages}/sign-out", json={}, headers=headers) as answer:
            assert answer.status == 200
        shown = await look(session, daemon.pages)
        assert not any(word in json.dumps(shown) for word in SECRET)


async def test_a_stream_that_is_open_when_a_technician_signs_out_tells_no_more(tmp_path: Path) -> None:
    async with table(tmp_path) as (daemon, _), ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        csrf = await sign_in(session, daemon.pages, "technician")
        async with session.get(f"{daemon.pages}/devices/events") as answer:
            technicians: list[str] = []
            async for line in answer.content:
                if not line.startswith(b"data: {"):
                    continue
                technicians.append(json.loads(line[6:])["technician"])
                if len(technicians) == 1:
                    headers = {"Origin": daemon.pages, "X-Felt-Csrf": csrf}
                    await session.post(f"{daemon.pages}/sign-out", json={}, headers=headers)
                if len(technicians) == 3:
                    break
        assert (technicians[0], technicians[2]) == ("simulated technician", "")


@pytest.mark.parametrize("role", ["dealer", "casino-manager", "inspector"])
async def test_nobody_else_is_a_technician(role: Role, tmp_path: Path) -> None:
    async with table(tmp_path) as (daemon, _), ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        await sign_in(session, daemon.pages, role)
        shown = await look(session, daemon.pages)
        assert shown["technician"] == ""
        assert not any(word in json.dumps(shown) for word in SECRET)


async def test_a_name_that_somebody_made_to_lead_here(tmp_path: Path) -> None:
    async with table(tmp_path) as (daemon, _), ClientSession() as session:
        named = {"Host": "here.example"}
        async with session.get(f"{daemon.pages}/devices/events", headers=named) as answer:
            assert answer.status == 403


async def test_without_a_daemon_behind_it_there_is_no_stream(house: House) -> None:
    async with ClientSession() as session, session.get(f"{house.at}/devices/events") as answer:
        assert answer.status == 404


async def signs_in(page: Page, role: Role) -> None:
    """Somebody signs in on the sheet, by keyboard."""
    await page.get_by_role("button", name="Sign in", exact=True).click()
    await page.get_by_label("Number of the badge").fill(badge_of(role))
    await page.keyboard.press("Enter")
    await page.get_by_label("PIN of badge").fill(PIN)
    await check_accessible(page)
    await page.keyboard.press("Enter")


async def test_the_page(tmp_path: Path, page: Page) -> None:
    async with table(tmp_path) as (daemon, sim):
        await no_motion(page)
        await size(page, DESK)
        await page.goto(f"{daemon.pages}/devices")
        await scene(page, "well")
        await expect(page.locator("#summary")).to_have_text("all 8 are ready")
        await expect(page.locator("#device")).to_contain_text("sign in above")
        await check_accessible(page)
        await signs_in(page, "technician")
        await expect(page.locator("#person")).to_contain_text("simulated technician")
        await page.get_by_role("button", name="Shoe").click()
        await expect(page.locator("#device")).to_contain_text("sim://shoe")
        await expect(page.locator(".frames li").first).to_be_visible()
        await resets_the_shoe(page, sim, daemon)
        await lost(sim, daemon)
        await scene(page, "trouble")
        await expect(page.locator("#device")).to_contain_text("First cause")
        for screen in (DESK, TABLET, WALL):
            await size(page, screen)
            await check_accessible(page)
        await page.get_by_role("button", name="Sign out").click()
        await expect(page.locator("#device")).not_to_contain_text("sim://shoe")
        await expect(page.get_by_role("button", name="Reset")).to_have_count(0)


async def signed_in_elsewhere(page: Page, at: str, role: Role) -> None:
    """Somebody is signed in on another page of the same browser."""
    body = {"badge": badge_of(role), "pin": PIN}
    answer = await page.request.post(f"{at}/sign-in", data=body, headers={"Origin": at})
    assert answer.ok


@pytest.mark.parametrize(("role", "resets"), [("supervisor", True), ("dealer", False)])
async def test_who_is_signed_in_as_something_else_reads_so(
    tmp_path: Path, page: Page, role: Role, resets: bool
) -> None:
    async with table(tmp_path) as (daemon, sim):
        await signed_in_elsewhere(page, daemon.pages, role)
        sim.device("shoe").fault("jam")
        await page.goto(f"{daemon.pages}/devices")
        await scene(page, "trouble")
        device = page.locator("#device")
        await expect(device).to_contain_text(f"simulated {role} is signed in as {role}.")
        await expect(device).to_contain_text("for technicians: sign out above, then a technician signs in")
        await expect(device).not_to_contain_text("sign in above")
        await expect(device.get_by_role("button", name="Reset")).to_have_count(1 if resets else 0)
        needs = expect(device.get_by_text("A technician or a supervisor can reset the device."))
        await needs.to_have_count(0 if resets else 1)
        await check_accessible(page)


@pytest.mark.parametrize(("role", "resets"), [("supervisor", True), ("dealer", False)])
async def test_who_is_no_technician_signs_in_there_as_what_they_are(
    tmp_path: Path, page: Page, role: Role, resets: bool
) -> None:
    async with table(tmp_path) as (daemon, sim):
        await no_motion(page)
        sim.device("shoe").fault("jam")
        await page.goto(f"{daemon.pages}/devices")
        await scene(page, "trouble")
        await signs_in(page, role)
        await expect(page.locator("#person")).to_contain_text(f"simulated {role}")
        device = page.locator("#device")
        await expect(device).to_contain_text(f"simulated {role} is signed in as {role}.")
        await expect(device.get_by_role("button", name="Reset")).to_have_count(1 if resets else 0)


async def resets_the_shoe(page: Page, sim: SimTable, daemon: Daemon) -> None:
    """The shoe is jammed: who wants to reset it is asked once more, and reads that the jam is still there."""
    sim.device("shoe").fault("jam")
    button = page.get_by_role("button", name="Reset", exact=True)
    await button.click()
    sheet = page.locator("#sheet")
    await expect(sheet).to_contain_text("First put right what is wrong")
    await check_accessible(page)
    await sheet.get_by_role("button", name="No, go back").click()
    await expect(page.locator(".reset")).not_to_contain_text("does not leave")
    await button.click()
    await sheet.get_by_role("button", name="Yes: Reset shoe").click()
    await expect(page.locator(".reset")).to_contain_text("shoe does not leave shoe.jam")
    await check_accessible(page)
    sim.device("shoe").clear()
    await scene(page, "well")


async def test_who_may_reset_a_device(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    vendor = 'family = "shoe"\nprotocol = "angel-eye"\n'  # a shoe that leaves its error when it is told to
    path.write_text(path.read_text().replace('family = "shoe"\n', vendor) + '[web]\nlisten = "127.0.0.1:0"\n')
    without_a_fault: dict[Role, int] = {"dealer": 403, "inspector": 403, "supervisor": 409, "technician": 409}
    async with dealt_table(load_config(path)) as (daemon, sim, _):
        for role, status in without_a_fault.items():
            async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
                assert await reset(session, daemon, "") == 401
                csrf = await sign_in(session, daemon.pages, role)
                assert await reset(session, daemon, "") == 403  # another page may have asked for it
                assert await reset(session, daemon, csrf) == status
        sim.device("shoe").fault("jam")
        await until(lambda: bool(daemon.service.engine.table.faults.get("shoe")))
        async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
            assert await reset(session, daemon, await sign_in(session, daemon.pages, "technician")) == 200
        await until(lambda: not daemon.service.engine.table.faults.get("shoe"))
        notes = [fact for each in daemon.journal if isinstance(fact := decode(each.payload), Noted)]
        assert ["reset from" in note.what and "(simulated technician)" in note.what for note in notes] == [True]


async def reset(session: ClientSession, daemon: Daemon, csrf: str) -> int:
    headers = {"Origin": daemon.pages, "X-Felt-Csrf": csrf}
    async with session.post(f"{daemon.pages}/devices/shoe/reset", json={}, headers=headers) as answer:
        return answer.status
