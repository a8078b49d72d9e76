"""The parts of a package that are made from others: scripts, control file, manual pages, list of what it is made of."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from controller.cli.main import COMMANDS
from tools.deb import control, manpages, roots, sbom
from tools.deb.__main__ import targets as asked_for
from tools.deb.roots import lines_for
from tools.deb.target import MACHINES, RELEASES, Target, deb_version, own_release
from tools.deb.trouble import NotBuilt
from tools.deb.wheels import needed, pins

TARGETS = [Target(release, arch) for release in RELEASES for arch in MACHINES]
TODAY = 1_795_046_400  # 2026-11-19
MANDOC, SHELLCHECK = shutil.which("mandoc"), shutil.which("shellcheck")
targets = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)


def ran(*words: str, said: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, input=said, capture_output=True, text=True, timeout=60, check=False)


# ---- maintainer scripts


@pytest.mark.parametrize("name", control.SCRIPTS)
def test_a_script_is_one_that_a_shell_reads(name: str) -> None:
    text = control.script(name, TARGETS[0])
    assert text.startswith("#!/bin/sh\n") and "#INCLUDE" not in text and "@" not in text.replace("feltd-can@", "")
    assert ran("/bin/sh", "-n", said=text).returncode == 0


@pytest.mark.skipif(SHELLCHECK is None, reason="no shellcheck is on this machine")
@pytest.mark.parametrize("name", control.SCRIPTS)
def test_shellcheck_has_nothing_to_say(name: str) -> None:
    found = ran(str(SHELLCHECK), "--shell=sh", "-", said=control.script(name, TARGETS[0]))
    assert found.stdout == ""


# ---- control file


@targets
def test_the_control_file_says_for_whom_it_is(target: Target) -> None:
    lines = control.control("0.2.0", target, 1000).splitlines()
    assert f"Version: 0.2.0+deb{target.release.number}" in lines
    assert f"Architecture: {target.arch}" in lines
    (depends,) = [line for line in lines if line.startswith("Depends: ")]
    assert target.python in depends.removeprefix("Depends: ").split(", ")
    assert all(line.startswith(" ") or ": " in line for line in lines)


def test_a_package_for_the_next_release_is_the_newer_one() -> None:
    older, newer = (deb_version("0.2.0", Target(release, "amd64")) for release in RELEASES)
    compared = ["dpkg", "--compare-versions"]
    if shutil.which("dpkg") is None:
        pytest.skip("no dpkg is on this machine")
    for low, high in ((older, newer), (newer, deb_version("0.2.1", TARGETS[0]))):
        assert subprocess.run([*compared, low, "lt", high], timeout=30, check=False).returncode == 0


# ---- who is asked for


def test_without_a_word_it_is_the_package_of_this_machine(tmp_path: Path) -> None:
    file = tmp_path / "os-release"
    file.write_text('ID=debian\nVERSION_ID="13"\n')
    assert own_release(file) == RELEASES[1]
    file.write_text('ID=fedora\nVERSION_ID="12"\n')
    assert own_release(file) is None
    assert own_release(tmp_path / "none") is None
    assert [each.name for each in asked_for("13", "arm64")] == ["debian13-arm64"]
    assert len(asked_for("all", "all")) == len(TARGETS)


def test_apt_without_debian_says_what_to_do() -> None:
    with pytest.raises(NotBuilt, match="apt-get update"):
        lines_for("trixie", "Packages|Other|mirror/|stable|main\n")


@pytest.mark.parametrize(
    ("installed", "step"), [(True, "update-binfmts --enable qemu-"), (False, "apt-get install qemu-user-static")]
)
def test_a_machine_that_does_not_run_the_targets_programs_says_what_it_lacks(
    installed: bool, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a container the emulator may be installed, and the kernel not know it."""
    monkeypatch.setattr(roots, "BINFMT", tmp_path)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}" if installed else None)
    (foreign,) = {each for each in TARGETS if each.foreign and each.release.number == 13}
    with pytest.raises(NotBuilt) as why:
        roots.check_emulator(foreign)
    assert step in why.value.step
    (tmp_path / f"qemu-{foreign.machine}").touch()
    roots.check_emulator(foreign)


# ---- wheels


def test_a_line_without_a_hash_is_refused() -> None:
    with pytest.raises(NotBuilt, match="no hash"):
        list(pins("attrs==1.0\n"))


def test_a_marker_is_asked_about_the_target_and_not_about_this_machine() -> None:
    lock = "x==1 ; platform_machine == 'aarch64' and python_version < '3.13' --hash=sha256:00\n"
    assert [target.name for target in TARGETS if needed(lock, target)] == ["debian12-arm64"]


# ---- manual pages


def test_every_command_has_its_page() -> None:
    pages = manpages.pages("0.2.0", TODAY)
    assert set(pages) == {"felt.1", "feltd.8", *(f"felt-{word}.1" for word in COMMANDS)}
    assert '2026-11-19 "feltd 0.2.0"' in pages["felt.1"]
    assert "felt people add 'Floor Eight'" in pages["felt-people.1"]  # its example
    assert r"\-\-game" in pages["felt-config.1"]  # an option of a command below it


@pytest.mark.skipif(MANDOC is None, reason="no mandoc is on this machine")
def test_mandoc_has_nothing_to_say(tmp_path: Path) -> None:
    files = []
    for name, text in manpages.pages("0.2.0", TODAY).items():
        files.append(tmp_path / name)
        files[-1].write_text(text)
    found = ran(str(MANDOC), "-T", "lint", "-W", "warning", *map(str, files), said="")
    assert found.stdout == ""


# ---- what it is made of


def test_the_list_names_every_wheel_with_its_hash(tmp_path: Path) -> None:
    for name, version in (("feltd", "0.2.0"), ("Python.Can", "4.6")):
        about = tmp_path / f"{name.lower().replace('.', '_')}-{version}.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Name: {name}\nVersion: {version}\nLicense-Expression: MIT\n")
    wheel = tmp_path / "python_can-4.6-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    first = sbom.bill("0.2.0+deb12", TODAY, tmp_path, [wheel], ["python3.11"])
    listed = json.loads(first)
    assert listed["metadata"]["component"]["version"] == "0.2.0+deb12"
    assert listed["metadata"]["timestamp"] == "2026-11-19T00:00:00Z"
    parts = {part["name"]: part for part in listed["components"]}
    assert set(parts) == {"Python.Can", "python3.11"}
    assert parts["Python.Can"]["purl"] == "pkg:pypi/python-can@4.6"
    assert parts["Python.Can"]["hashes"] == [{"alg": "SHA-256", "content": hashlib.sha256(b"wheel").hexdigest()}]
    assert first == sbom.bill("0.2.0+deb12", TODAY, tmp_path, [wheel], ["python3.11"])
    assert listed["serialNumber"] != json.loads(sbom.bill("0.2.1", TODAY, tmp_path, [wheel], []))["serialNumber"]
