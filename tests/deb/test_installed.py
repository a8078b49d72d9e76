"""What a package does to a computer: installed, updated, taken back, removed, purged.  FELT_DEB=1: each one in dist."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.deb.machine import PATIENCE, TABLE, Machine, repacked, target_of
from tools.deb.build import cache
from tools.deb.roots import Root, archive, check_emulator, unpacked
from tools.deb.tree import EXAMPLE
from tools.deb.trouble import NotBuilt

HOUSE = Path(__file__).parents[2]
WANTED = bool(os.environ.get("FELT_DEB"))
PACKAGES = sorted((HOUSE / "dist").glob("feltd_*.deb")) if WANTED else []
NATIVE = [package for package in PACKAGES if not target_of(package).foreign]
WHY = "set FELT_DEB=1, after make deb"
pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may change into the root of a release"),
    pytest.mark.timeout(1800),
]
every_package = pytest.mark.parametrize(
    "package", PACKAGES or [pytest.param(None, marks=pytest.mark.skip(WHY))], ids=str
)
every_native = pytest.mark.parametrize("package", NATIVE or [pytest.param(None, marks=pytest.mark.skip(WHY))], ids=str)
ROUND = """table casino-war min=5 max=500
bet 1 war=10
key no-more-bets
draw Kh 9s
key settle
expect 1 war win 10 by 5.7.1
"""
SCRIPT = "/root/war.felt"
ELF = {"x86_64": 62, "aarch64": 183}  # e_machine
LOADER = """
import importlib, sys
import psycopg  # before its compiled part, which refuses to be the first
for name in sorted(sys.argv[1:]):
    importlib.import_module(name)
    print(name)
"""


@pytest.fixture
def machine(package: Path) -> Iterator[Machine]:
    target = target_of(package)
    try:
        check_emulator(target)
    except NotBuilt as why:
        pytest.skip(str(why))
    with unpacked(archive(target, cache())) as root:
        here = Machine(root)
        try:
            yield here
        finally:
            here.close()


def elf_machine(library: Path) -> int:
    """Returns for which processor a library was compiled."""
    return int.from_bytes(library.read_bytes()[18:20], "little")


def module_of(library: Path) -> tuple[str, ...]:
    """Returns the name of a compiled module, in its parts.

    >>> module_of(Path("msgspec/_core.cpython-313-aarch64-linux-gnu.so"))
    ('msgspec', '_core')
    """
    return (*library.parts[:-1], library.name.partition(".")[0])


def journal(machine: Machine) -> str:
    return machine.type("felt", "journal", "verify", "/var/lib/feltd/journal.db")


@every_package
def test_it_is_installed_by_one_command_and_whole(machine: Machine, package: Path) -> None:
    said = machine.type("apt", "install", "-y", machine.put(package))
    assert '"felt config init" describes the table' in said
    assert machine.type("felt", "--version") == machine.type("feltd", "--version").replace("feltd", "felt", 1)
    assert machine.type("dpkg", "--verify", "feltd") == ""
    assert machine.type("sh", "-c", "cd / && sha256sum --quiet --check /usr/share/feltd/SHA256SUMS") == ""
    # users, groups and directories
    groups = machine.type("id", "-Gn", "feltd").split()
    assert {"feltd", "dialout", "gpio"} <= set(groups)
    assert {line.split(":")[0] for line in machine.type("getent", "group").splitlines()} >= {
        *("feltd-technicians", "feltd-supervisors", "feltd-managers")
    }
    kept = (machine.root / "/etc/feltd").stat()
    assert stat.S_IMODE(kept.st_mode) == 0o750
    # nothing starts: there is an example, and no table
    assert not (machine.root / TABLE).exists()
    assert machine.type("felt", "config", "check", f"/{EXAMPLE}")
    assert not list((machine.root / "/etc/systemd/system").rglob("feltd.service"))
    # what people type and read
    assert "_felt_completion" in machine.type("sh", "-c", "cat /usr/share/bash-completion/completions/felt")
    assert machine.type("sh", "-c", "zcat /usr/share/man/man1/felt-config.1.gz").startswith(".TH FELT-CONFIG 1")
    # a round is played, by the wheels of this architecture
    (machine.root / SCRIPT).write_text(ROUND)
    assert machine.type("felt", "run", SCRIPT).startswith("ok ")
    assert machine.type("find", "/usr/lib/feltd", "-newer", "/root/war.felt") == ""  # nothing is compiled there


@every_package
def test_every_compiled_part_is_of_its_machine_and_loads(machine: Machine, package: Path) -> None:
    """By the Python of the release: on another machine than the package's by an emulator."""
    machine.install(package)
    target = target_of(package)
    (place,) = (machine.root / "/usr/lib/feltd/lib").glob("python3.*/site-packages")
    libraries = [path for path in place.rglob("*.so*") if path.is_file() and not path.is_symlink()]
    assert libraries
    assert {path.name: elf_machine(path) for path in libraries} == dict.fromkeys(
        (path.name for path in libraries), ELF[target.machine]
    )
    modules = [".".join(module_of(path.relative_to(place))) for path in libraries if ".libs" not in path.parts[-2]]
    assert {"_cffi_backend", "msgspec._core", "pydantic_core._pydantic_core", "gpiod._ext"} <= set(modules)
    loaded = machine.type("/usr/lib/feltd/bin/python3", "-I", "-c", LOADER, *modules)
    assert loaded.split() == sorted(modules)
    if target.release.modules:  # in place of wheels that pip does not have: nothing, until the system's are installed
        assert not (place / "lgpio.py").exists() and (place / "lgpio.py").is_symlink()


@every_package
def test_a_round_is_played_at_the_daemon(machine: Machine, package: Path) -> None:
    """Installed, described, started; simulated devices at the real daemon; on record, and sound afterwards."""
    machine.install(package)
    machine.with_systemd()
    machine.describe()
    machine.start()
    for deed in ("sensor.1 bet war=10", "console press no-more-bets", "shoe draw Kh 9s", "console press settle"):
        machine.do(deed)
    assert "settled" in machine.type("felt", "round", "show", "1")
    machine.type("felt", "backup", "/root/T1")
    machine.type("systemctl", "stop", "feltd.service")
    assert "sound" in journal(machine)
    machine.type("mv", "/var/lib/feltd", "/root/replaced")
    machine.type("felt", "restore", "/root/T1")
    machine.start()
    assert "settled" in machine.type("felt", "round", "show", "1")


@pytest.mark.skipif(shutil.which("lintian") is None, reason="no lintian is on this machine")
@every_package
def test_lintian_has_nothing_to_say(package: Path) -> None:
    words = ["lintian", "--allow-root", "--fail-on", "error,warning", str(package)]
    said = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert said.returncode == 0, said.stdout


@every_native
def test_the_manifest_in_the_package_is_that_of_its_files(machine: Machine, package: Path, tmp_path: Path) -> None:
    """Whoever approves signs it; from then on a byte that was changed is found."""
    machine.install(package)
    made = machine.type("felt", "firmware", "keygen", "/root/approver.pem", "--json")
    key = json.loads(made)["public_key"] if "public_key" in made else made.split()[-1]
    sign = ["felt", "program", "sign", "/usr/share/feltd/program.manifest", "--key", "/root/approver.pem"]
    machine.type(*sign, "-o", "/etc/feltd/program.manifest")
    verify = ["felt", "program", "verify", "/etc/feltd/program.manifest", "--key", key]
    machine.type(*verify)
    (site,) = (machine.root / "/usr/lib/feltd/lib").glob("python3.*/site-packages")
    with (site / "controller/money.py").open("a") as file:
        file.write("# changed\n")
    said = machine.type(*verify, status=None)
    assert "controller/money.py" in said
    assert "controller/money.py" in machine.type("dpkg", "--verify", "feltd", status=None)


@every_native
def test_an_update_waits_for_nobody_and_stops_no_round(machine: Machine, package: Path, tmp_path: Path) -> None:
    machine.install(package)
    machine.with_systemd()
    machine.describe()
    machine.start()
    newer = repacked(package, tmp_path, "9.0+test")
    machine.do("sensor.1 bet war=10")
    before = machine.pid

    said = machine.install(newer, status=1)
    assert "Nothing was changed" in said and "FELTD_UPGRADE=wait" in said
    assert machine.pid == before and machine.running()
    assert "Version: 9.0" not in machine.type("dpkg", "--status", "feltd")
    assert machine.type("dpkg", "--audit") == ""
    assert "stop feltd.service" not in machine.systemctl()

    words = ["chroot", str(machine.root.path), "env", "FELTD_UPGRADE=wait", "PATH=/usr/local/sbin:/usr/sbin:/usr/bin"]
    with subprocess.Popen(
        [*words, "dpkg", "--install", machine.put(newer)], stdout=subprocess.PIPE, text=True
    ) as waits:
        with pytest.raises(subprocess.TimeoutExpired):
            waits.wait(timeout=5)
        for deed in ("console press no-more-bets", "shoe draw Kh 9s", "console press settle"):
            machine.do(deed)
        assert waits.wait(timeout=PATIENCE) == 0
    assert machine.pid != before and machine.running()
    assert "Version: 9.0+test" in machine.type("dpkg", "--status", "feltd")
    assert "settled" in machine.type("felt", "round", "show", "1")

    machine.do("sensor.1 bet war=5")  # and in the middle of a round, when it is said so
    said = machine.install(package, FELTD_UPGRADE="now")
    assert "stopped now" in said
    assert json.loads(machine.type("felt", "status", "--json", status=None))["round"]["phase"] == "betting"
    machine.type("systemctl", "stop", "feltd.service")
    assert "sound" in journal(machine)


@every_native
def test_a_table_that_was_stopped_stays_stopped(machine: Machine, package: Path, tmp_path: Path) -> None:
    machine.with_systemd()
    machine.install(package)
    machine.describe()
    machine.install(repacked(package, tmp_path, "9.0+test"))
    assert not any(line.startswith("start") for line in machine.systemctl())
    (machine.root / "/run/feltd.fails").write_text("ActiveState=activating\nSubState=auto-restart\n")
    machine.install(repacked(package, tmp_path, "9.1+test"))  # one that does not come up has no round to lose
    assert [line for line in machine.systemctl() if "feltd.service" in line] == [
        *("stop feltd.service", "start feltd.service")
    ]
    assert machine.running()


@every_native
def test_an_older_version_takes_no_newer_journal(machine: Machine, package: Path, tmp_path: Path) -> None:
    machine.with_systemd()
    newer = repacked(package, tmp_path, "9.0+test")
    machine.install(newer)
    machine.describe()
    machine.start()
    assert "downgrading" in machine.install(package)  # the same form: the older version goes on with it
    assert machine.running()
    machine.type("systemctl", "stop", "feltd.service")
    machine.install(newer)
    file = machine.root / "/var/lib/feltd/journal.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 9")
    said = machine.install(package, status=1)
    assert "has form 9" in said and "Nothing was changed" in said
    assert "Version: 9.0+test" in machine.type("dpkg", "--status", "feltd")


@every_native
def test_nothing_takes_the_journal_away(machine: Machine, package: Path) -> None:
    machine.with_systemd()
    machine.install(package)
    machine.describe()
    machine.start()
    machine.do("sensor.1 bet war=10")
    assert "Nothing was changed" in machine.type("dpkg", "--remove", "feltd", status=1)
    machine.do("sensor.1 bet war=0")
    machine.type("dpkg", "--remove", "feltd", FELTD_UPGRADE="now")
    assert not machine.running()
    assert not (machine.root / "/usr/lib/feltd").exists()
    kept = machine.root / "/var/lib/feltd/journal.db"
    record = kept.read_bytes()
    assert (machine.root / TABLE).exists()

    machine.install(package)  # and all is as it was
    assert "sound" in journal(machine)
    machine.start()
    assert machine.type("felt", "status", status=None).startswith("table T1")
    machine.type("systemctl", "stop", "feltd.service")

    (machine.root / "/etc/feltd/cards.key").write_text("secret")
    said = machine.type("dpkg", "--purge", "feltd")
    assert "the journal of the table was not removed" in said and "/var/lib/feltd" in said
    assert kept.read_bytes()[:100] and len(kept.read_bytes()) >= len(record)
    assert (machine.root / "/etc/feltd/cards.key").exists()  # without it nobody reads the cards of that journal
    assert not (machine.root / TABLE).exists() and not (machine.root / f"/{EXAMPLE}").exists()
    assert "feltd:" in machine.type("getent", "passwd", "feltd")
    assert machine.type("dpkg", "--list", "feltd", status=None).count("ii ") == 0


@every_native
def test_an_installation_by_hand_has_to_go_first(machine: Machine, package: Path) -> None:
    unit = machine.root / "/etc/systemd/system/feltd.service"
    unit.write_text("[Service]\nExecStart=/opt/feltd/bin/feltd --config /etc/feltd/table.toml\n")
    assert "From an installation by hand" in machine.install(package, status=1)
    unit.unlink()
    machine.install(package)


@every_native
def test_the_next_version_can_be_asked_before_it_is_installed(machine: Machine, package: Path) -> None:
    machine.type("dpkg-deb", "--extract", machine.put(package), "/root/new")
    program = "/root/new/usr/lib/feltd/bin"
    said = machine.type(f"{program}/python3", f"{program}/felt", "config", "check", f"/root/new/{EXAMPLE}")
    assert "table T1" in said
    assert not (machine.root / "/usr/lib/feltd").exists()


@every_native
def test_a_root_that_nobody_writes_to_and_a_second_disk(machine: Machine, package: Path, tmp_path: Path) -> None:
    """As docs/installing.md says: a read-only root, the state on a disk of its own, the copy on another one."""
    machine.with_systemd()
    machine.install(package)
    machine.describe('\n[journal]\nhead = "/media/journal/felt/T1.head"\ncopy = "/media/journal/felt/T1.journal"\n')
    disks = ("var/lib/feltd", "media/journal", "run", "tmp", "var/tmp", "var/log")
    for disk in disks:
        (machine.root / disk).mkdir(parents=True, exist_ok=True)
    shown = tmp_path / "root"
    shown.mkdir()
    mount(str(machine.root.path), shown, "--bind")
    try:
        mount("none", shown, "-o", "remount,bind,ro")
        mount("proc", shown / "proc", "-t", "proc")
        mount("devpts", shown / "dev/pts", "-t", "devpts")
        for disk in disks:
            mount("tmpfs", shown / disk, "-t", "tmpfs")
        table = Machine(Root(shown))
        (shown / "run/systemd/system").mkdir(parents=True)
        table.type("install", "-d", "-o", "feltd", "-g", "feltd", "-m", "0750", "/media/journal/felt")
        table.type("touch", "/etc/written", status=1)
        try:
            table.start()
            table.do("sensor.1 bet war=10")
            for deed in ("console press no-more-bets", "shoe draw Kh 9s", "console press settle"):
                table.do(deed)
            assert "settled" in table.type("felt", "round", "show", "1")
            assert (shown / "media/journal/felt/T1.head").is_file()
            table.type("systemctl", "stop", "feltd.service")
        finally:
            table.close()
        for file in ("/var/lib/feltd/journal.db", "/media/journal/felt/T1.journal"):
            assert "sound" in table.type("felt", "journal", "verify", file)
    finally:
        subprocess.run(["umount", "--recursive", "--lazy", str(shown)], check=True)


def mount(what: str, where: Path, *options: str) -> None:
    subprocess.run(["mount", *options, what, str(where)], check=True)
