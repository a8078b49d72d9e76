"""People over the socket of a running daemon: signed in under accounts that really differ."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.rules import Role
from controller.sim.people import PIN, badge_of
from tests.cli.conftest import felt
from tests.daemon.house import House
from tests.daemon.others import ask, needs_accounts
from tests.daemon.test_accounts import KING, MARIA, PETER, code, deal, facts, opened


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    needs_accounts()
    house = opened(tmp_path, people=True)
    yield house
    house.close()


@pytest.fixture
def meters(tmp_path: Path) -> Iterator[House]:
    needs_accounts()
    house = opened(tmp_path, game="caribbean-stud", options='jackpot = "nsw"\n', people=True)
    house.wait(lambda: house.client.get("/status")["journal"]["seq"] > 1)
    yield house
    house.close()


def signed_in(house: House, uid: int, role: Role, roles: tuple[str, ...] = ()) -> str:
    status, answer = ask(house.socket, uid, "/sign-in", {"badge": badge_of(role), "pin": PIN}, roles)
    assert (status, answer["role"], answer["place"]) == (200, role, "socket")
    return str(answer["token"])


def test_a_correction_is_a_signed_in_supervisors(house: House) -> None:
    card = deal(house)
    wish = {"seq": card, "to": KING, "by": "me"}
    for uid, roles in ((MARIA, ("supervisors", "managers")), (0, ())):  # no account has the power any more
        assert code(ask(house.socket, uid, "/correct", wish, roles)) == (401, "sign-in.needed")
    dealer = signed_in(house, MARIA, "dealer")
    for more in ({}, {"preview": True}):
        assert code(ask(house.socket, MARIA, "/correct", wish | more, token=dealer)) == (403, "person.not-supervisor")
    token = signed_in(house, MARIA, "supervisor")
    assert code(ask(house.socket, PETER, "/correct", wish, token=token)) == (401, "sign-in.needed")  # another account
    status, answer = ask(house.socket, MARIA, "/correct", wish, token=token)
    assert (status, answer["changes"]["hands"]["after"]["dealer"]) == (200, ["Kd"])
    amend: dict[str, Any] = facts(house)[-1]["fact"]
    assert (amend["person"], amend["role"], amend["place"], amend["account"]) == (
        "simulated supervisor",
        "supervisor",
        "socket",
        MARIA,
    )
    told = ask(house.socket, MARIA, "/me", token=token)
    assert (told[0], told[1]["person"]) == (200, "simulated supervisor")
    assert ask(house.socket, MARIA, "/sign-out", {}, token=token)[0] == 200
    assert code(ask(house.socket, MARIA, "/correct", wish, token=token)) == (401, "sign-in.needed")


def test_nobody_takes_anothers_place_by_a_correction(house: House) -> None:
    deal(house)
    token = signed_in(house, MARIA, "supervisor")
    keys = [fact for fact in facts(house) if fact["fact"]["fact"] == "key"]
    to = {"fact": "key", "key": "no-more-bets", "person": "Eve", "role": "casino-manager", "place": "console"}
    wish = {"seq": keys[-1]["seq"], "to": to, "by": "me"}
    status, _ = ask(house.socket, MARIA, "/correct", wish, token=token)
    assert status == 200
    assert facts(house)[-1]["fact"]["to"] == {"fact": "key", "key": "no-more-bets"}


def test_a_broken_people_toml_gives_nobody_powers(house: House) -> None:
    card = deal(house)
    (house.directory / "people.toml").write_text("[[person]]\n")
    wish = {"seq": card, "to": KING, "by": "me"}
    assert code(ask(house.socket, MARIA, "/correct", wish, ("supervisors",))) == (401, "sign-in.needed")
    assert [each["code"] for each in house.status()["trouble"]] == ["people.invalid"]


def test_two_people_are_two_people_and_two_accounts(meters: House) -> None:
    adjust = {"amount": "1.5", "by": "me", "reason": "the end of the season"}
    group = ("technicians",)
    assert code(ask(meters.socket, MARIA, "/jackpot/adjust", adjust, group)) == (401, "sign-in.needed")
    inspector = signed_in(meters, MARIA, "inspector")
    assert code(ask(meters.socket, MARIA, "/jackpot/adjust", adjust, group, token=inspector))[0] == 403
    manager = signed_in(meters, MARIA, "area-manager")
    assert code(ask(meters.socket, MARIA, "/jackpot/adjust", adjust, token=manager)) == (403, "person.not-technician")
    status, proposed = ask(meters.socket, MARIA, "/jackpot/adjust", adjust, group, token=manager)
    assert status == 200
    confirm = {"code": proposed["confirm"], "by": "somebody else"}
    same_person = signed_in(meters, PETER, "area-manager")
    told = ask(meters.socket, PETER, "/jackpot/confirm", confirm, group, token=same_person)
    assert code(told) == (422, "jackpot.people") and "two people are signed in" in told[1]["error"]["cause"]
    same_account = signed_in(meters, MARIA, "technician")
    told = ask(meters.socket, MARIA, "/jackpot/confirm", confirm, group, token=same_account)
    assert code(told) == (422, "jackpot.people") and "two people are two accounts" in told[1]["error"]["cause"]
    second = signed_in(meters, PETER, "technician")
    status, done = ask(meters.socket, PETER, "/jackpot/confirm", confirm, group, token=second)
    assert (status, done["meter"]["adjustments"]) == (200, "1.5000")
    noted = next(fact["text"] for fact in facts(meters) if "adjusted" in fact["text"])
    both = f"simulated area manager (account {MARIA}) and simulated technician (account {PETER})"
    assert f"(by {both})" in noted


def test_the_command_signs_in_presses_and_signs_out(tmp_path: Path) -> None:
    house = House(tmp_path)
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    try:
        house.start()
        env = {"FELT_SOCKET": str(house.socket), "XDG_RUNTIME_DIR": str(runtime)}
        assert "sign-in.needed" in felt("key", "seat", "1", **env).stderr
        code_ = "import sys; from controller.cli.main import main; sys.exit(main())"
        done = subprocess.run(
            [sys.executable, "-c", code_, "sign-in", "--badge", badge_of("supervisor")],
            input=PIN + "\n",
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, **env},
        )
        assert done.stdout == "signed in: supervisor simulated supervisor\n", done.stderr
        (kept,) = [path for path in runtime.rglob("*") if path.is_file()]
        assert kept.stat().st_mode & 0o777 == 0o600
        pressed = felt("key", "seat", "1", **env)
        assert (pressed.returncode, pressed.stdout) == (0, "fact 3: seat 1\n"), pressed.stderr
        refused = felt("key", "settle", "--json", **env)
        assert refused.returncode == 1 and json.loads(refused.stdout)["error"]["code"] == "key.refused"
        assert felt("sign-out", **env).stdout == "signed out: simulated supervisor\n"
        assert not [path for path in runtime.rglob("*") if path.is_file()]
        texts = [fact["text"] for fact in facts(house)]
        assert f"signed in at the socket: supervisor simulated supervisor (account {os.getuid()})" in texts
    finally:
        house.close()
