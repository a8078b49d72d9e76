"""PINs: Argon2id strings that are read strictly, and never more memory than a table can spare."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from controller.errors import FeltError
from controller.people.checks import MOST_WAITING, ThreadedChecks
from controller.people.pin_result import PinResult
from controller.people.pins import MOST_MEMORY, PinHash, hashed

CHEAP = hashed("2580", 8, 1)
SALT, END = "A" * 22, "B" * 43


def test_a_pin_matches_its_hash_and_no_other() -> None:
    again = PinHash.parse(str(CHEAP))
    assert again == CHEAP
    assert again.matches("2580") and not again.matches("2581") and not again.matches("")
    assert "2580" not in str(CHEAP) and str(CHEAP).startswith("$argon2id$v=19$m=8,t=1,p=1$")
    assert "salt" not in repr(CHEAP) and "digest" not in repr(CHEAP)


def test_a_known_answer() -> None:
    """As the reference implementation of Argon2 has it."""
    answer = "9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe"
    kept = PinHash(256, 2, 1, b"somesalt", bytes.fromhex(answer))
    assert kept.matches("password")


def test_nobodys_hash_takes_as_long_and_fits_nobody() -> None:
    dummy = CHEAP.dummy()
    assert (dummy.memory, dummy.passes, dummy.lanes) == (CHEAP.memory, CHEAP.passes, CHEAP.lanes)
    assert not dummy.matches("2580")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"$argon2id$v=19$m={MOST_MEMORY + 1},t=2,p=1${SALT}${END}", "at most 19456"),
        (f"$argon2id$v=19$m=7,t=2,p=1${SALT}${END}", "cannot be used"),
        (f"$argon2id$v=19$m=64,t=99,p=1${SALT}${END}", "cannot be used"),
        (f"$argon2id$v=19$m=64,t=2,p=99${SALT}${END}", "cannot be used"),
        (f"$argon2i$v=19$m=64,t=2,p=1${SALT}${END}", "no Argon2id hash"),
        (f"$argon2id$v=16$m=64,t=2,p=1${SALT}${END}", "no Argon2id hash"),
        ("2580", "no Argon2id hash"),
        ("", "no Argon2id hash"),
    ],
)
def test_a_hash_that_cannot_be_used_is_named_and_not_quoted(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as caught:
        PinHash.parse(text)
    assert "AAAA" not in str(caught.value) and "2580" not in str(caught.value)


def test_the_dearest_hash_stays_under_20_mib() -> None:
    code = """
import re
from pathlib import Path
from controller.people.pins import MOST_MEMORY, hashed
def most():
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
hashed("2580", 8, 1)
before = most()
hashed("2580", MOST_MEMORY, 1)
print(most() - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert MOST_MEMORY * 0.8 < int(done.stdout) < 20 * 1024


async def test_the_loop_goes_on_while_a_pin_is_checked() -> None:
    checks, kept = ThreadedChecks(), hashed("2580", 16 * 1024, 2)
    done = asyncio.ensure_future(checks.check(kept, "2580"))
    turns = 0
    while not done.done():
        await asyncio.sleep(0.001)
        turns += 1
    assert done.result() is PinResult.RIGHT and turns > 5
    checks.close()


async def test_only_some_wait() -> None:
    checks, kept = ThreadedChecks(), hashed("2580", 8 * 1024, 1)
    answers = await asyncio.gather(
        *(checks.check(kept, "2580") for _ in range(MOST_WAITING + 3)), return_exceptions=True
    )
    assert answers.count(PinResult.RIGHT) == MOST_WAITING
    assert [a.code for a in answers if isinstance(a, FeltError)] == ["sign-in.busy"] * 3
    checks.close()
