"""Registers: ours by name, those of installed packages by entry point, and what is wrong with a package by its code."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from drivers.families import FAMILIES as DRIVERS
from firmware_bridge import extensions
from firmware_bridge.extensions import ExtensionError, Register
from firmware_bridge.link import LinkError
from firmware_bridge.messages import FAMILIES, SelfTest
from hw_sim.models.register import MODELS
from tests.firmware_bridge.owner import setup

Install = Callable[..., None]


@pytest.fixture
def register() -> Register[str]:
    return Register("feltd.tries", "try", "drivers", ["shoe", "not-there"])


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Put a package on the path as pip would: a module, and beside it who it is and what it brings."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)

    def put(package: str, code: str, *points: str) -> None:
        (tmp_path / f"{package}.py").write_text(code)
        about = tmp_path / f"{package}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text("[feltd.tries]\n" + "\n".join(points))
        importlib.invalidate_caches()

    yield put
    for name in set(sys.modules) - before:
        del sys.modules[name]


def code_of(register: Register[str], name: str) -> tuple[str, str]:
    with pytest.raises(ExtensionError) as caught:
        register.find(name)
    assert caught.value.next_step
    return caught.value.code, caught.value.cause


def bring(register: Register[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Packages find the register here."""
    module = type(sys)("tried_register")
    module.REGISTER = register  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tried_register", module)


def test_a_package_brings_what_it_names(
    register: Register[str], install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(register, monkeypatch)
    install("acme_try", 'from tried_register import REGISTER\nREGISTER.add("acme", "it")\n', "acme = acme_try")
    assert register.names() == ("acme",)
    assert "acme_try" not in sys.modules  # until it is asked for
    assert register.find("acme") == "it"


def test_what_is_not_there_is_told_with_what_is(register: Register[str], install: Install) -> None:
    install("acme_try", "", "acme = acme_try")
    assert code_of(register, "acmee") == ("extension.unknown", 'there is no try "acmee"; known are acme')
    assert code_of(register, "not-there")[0] == "extension.unknown"


def test_a_package_that_cannot_be_loaded_is_named(register: Register[str], install: Install) -> None:
    install("broken_try", "raise OSError('no library')", "acme = broken_try")
    assert code_of(register, "acme") == (
        "extension.broken",
        'broken_try, which brings the try "acme", cannot be loaded: OSError: no library (broken_try.py:1)',
    )


def test_a_package_that_declares_nothing_is_named(register: Register[str], install: Install) -> None:
    install("empty_try", "x = 1", "acme = empty_try:x")
    code, cause = code_of(register, "acme")
    assert code == "extension.nothing"
    assert "empty_try:x declares none" in cause


def test_two_packages_with_one_name_are_both_named(register: Register[str], install: Install) -> None:
    install("one_try", "", "acme = one_try")
    install("two_try", "", "acme = two_try")
    assert code_of(register, "acme") == ("extension.twice", 'the try "acme" is brought by one_try and two_try')


def test_nobody_takes_the_place_of_one_of_ours(install: Install) -> None:
    register: Register[str] = Register("feltd.tries", "try", "drivers", ["shoe"])
    install("thief_try", "raise AssertionError", "shoe = thief_try")
    register.add("shoe", "ours")
    assert register.find("shoe") == "ours"
    assert register.names() == ("shoe",)
    (unusable,) = register.unusable()
    assert (unusable.code, unusable.cause) == (
        "extension.ours",
        'thief_try brings the try "shoe", which is ours: it is not used',
    )
    assert "Uninstall the package" in unusable.next_step


def test_all_that_cannot_be_used_is_named_at_once(register: Register[str], install: Install) -> None:
    install("broken_try", "raise RuntimeError", "acme = broken_try")
    install("empty_try", "", "lucky = empty_try")
    assert sorted(error.code for error in register.unusable()) == ["extension.broken", "extension.nothing"]


THIEF = """
from tried_register import REGISTER
class Thing: ...
REGISTER.add("lucky", "lucky", Thing)
REGISTER.add("{name}", "stolen", Thing)
"""


@pytest.mark.parametrize("name", ["shoe", "acme"])
def test_a_package_declares_no_name_of_others(
    register: Register[str], install: Install, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    bring(register, monkeypatch)
    install("acme_try", "from tried_register import REGISTER; REGISTER.add('acme', 'theirs')", "acme = acme_try")
    install("lucky_try", THIEF.format(name=name), "lucky = lucky_try")
    cause = f'lucky_try declares the try "{name}", which is not its own'
    assert code_of(register, "lucky") == ("extension.taken", cause)
    assert name not in register.loaded
    assert register.find("acme") == "theirs"


def test_every_family_has_its_driver_and_its_model() -> None:
    assert DRIVERS.names() == FAMILIES
    assert MODELS.names() == FAMILIES
    for name in FAMILIES:
        driver, model = DRIVERS.find(name), MODELS.find(name)
        assert (driver.about.name, model.family) == (name, name)
        assert driver.about.called == model.prefix
        assert driver.at_table(7).family == name


def test_it_reads_like_a_dictionary(register: Register[str], install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(register, monkeypatch)
    install("acme_try", 'from tried_register import REGISTER\nREGISTER.add("acme", "it")\n', "acme = acme_try")
    install("broken_try", "raise OSError('no library')", "broken = broken_try")
    assert register.loaded == {}
    assert register["acme"] == "it"
    assert ("acme" in register, "broken" in register, "unheard-of" in register, 3 in register) == (
        True,
        False,
        False,
        False,
    )
    assert list(register.usable()) == ["it"]  # the broken one hides no other
    assert register.loaded == {"acme": "it"}
    with pytest.raises(ExtensionError, match=r"extension\.broken"):
        register["broken"]


@pytest.mark.parametrize("code", ["raise SystemExit(3)", "import sys\nsys.exit()", "def f(): f()\nf()"])
def test_a_package_that_ends_or_exhausts_the_program_is_only_broken(
    register: Register[str], install: Install, code: str
) -> None:
    install("broken_try", code, "acme = broken_try")
    with pytest.raises(ExtensionError) as caught:
        register.find("acme")
    assert caught.value.code == "extension.broken" and "broken_try" in caught.value.next_step


def test_what_a_broken_package_says_is_one_line_that_can_be_printed(register: Register[str], install: Install) -> None:
    install("broken_try", "raise RuntimeError('boom \\x1b[31m\\n second')", "acme = broken_try")
    assert code_of(register, "acme")[1].endswith("cannot be loaded: RuntimeError: boom [31m second (broken_try.py:1)")


def test_ctrl_c_while_a_package_is_loaded_is_a_persons(register: Register[str], install: Install) -> None:
    install("broken_try", "raise KeyboardInterrupt", "acme = broken_try")
    with pytest.raises(KeyboardInterrupt):
        register.find("acme")


async def test_a_wire_of_a_package_that_fails_at_writing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    _, wire, owner = setup()
    await owner.link.open()

    def fails(data: bytes) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(wire, "write", fails)
    monkeypatch.setitem(extensions._BROUGHT, "tests", "acme-devices")
    with pytest.raises(LinkError) as caught:
        await owner.link.request(SelfTest())
    assert caught.value.code == "link.lost"
    assert owner.codes == ["extension.failed"] and "acme-devices" in owner.losses[0].cause
    await owner.link.close()
