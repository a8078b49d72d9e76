"""What becomes of a table when its package is updated, taken back and removed, by Debian's own apt and systemd."""

from __future__ import annotations

from typing import Final

from tests.vm import table
from tests.vm.bench import CONFIG, EMPTIED, SOON, Bench
from tests.vm.cases.c_serial import laid
from tests.vm.cases.c_trouble import back, main_pid
from tests.vm.checks import check

OURS: Final = "/vm/feltd_*.deb"
FOLDER: Final = "/var/cache/newer"  # the second version is put together here
NEWER: Final = f"{FOLDER}/newer.deb"
JOURNAL: Final = "/var/lib/feltd/journal.db"
CARDS_KEY: Final = "/etc/feltd/cards.key"
PATIENCE: Final = 400.0  # seconds for apt, in which it also writes the index of manual pages anew
WAITS: Final = "waiting for the end of the round"


def version(bench: Bench) -> str:
    """Returns the version that is installed; "" when none is."""
    said = bench.said("dpkg-query --show --showformat='${db:Status-Status} ${Version}' feltd").split()
    return said[1] if said[:1] == ["installed"] else ""


def newer(bench: Bench) -> str:
    """Puts together the same package as a newer version, if it is not there yet, and returns that version."""
    bench.sh(
        f"test -e {NEWER} && exit; rm -rf {FOLDER}; mkdir -p {FOLDER}; dpkg-deb --raw-extract {OURS} {FOLDER}/tree && "
        f"sed -i 's/^Version: .*/&.1/' {FOLDER}/tree/DEBIAN/control && "
        f"dpkg-deb --root-owner-group -Znone --build {FOLDER}/tree {NEWER} && rm -r {FOLDER}/tree",
        PATIENCE,
    )
    return bench.sh(f"dpkg-deb --field {NEWER} Version").strip()


def ours(bench: Bench) -> str:
    """Returns the version of the package that is tried."""
    return bench.sh(f"dpkg-deb --field {OURS} Version").strip()


def apt(bench: Bench, words: str, before: str = "") -> str:
    """Lets apt do something that must succeed, and returns what it said."""
    return bench.sh(f"{before} apt-get -y -q {words} </dev/null", PATIENCE)


def left(bench: Bench) -> set[str]:
    """Returns what there is of a table on the disk: its journal, its keys, its description."""
    return set(bench.said(f"ls -d {EMPTIED} {CONFIG} 2>/dev/null").split())


def went_on(bench: Bench) -> None:
    """Checks that the table has all its devices, all its rounds on record, and plays one more."""
    bench.ready()
    bench.settled()
    bench.play()
    bench.settled()


@check(
    "package: an update in mid-round is refused; FELTD_UPGRADE=wait goes through after the round",
    bound=1100,
    early=True,
)
def updated(bench: Bench) -> str:
    laid(bench)
    after = newer(bench)
    if version(bench) != ours(bench):
        apt(bench, f"install --allow-downgrades {OURS}")
        bench.ready()
    before, process = version(bench), main_pid(bench)
    bench.play(to=table.MIDDLE)

    refused = bench.machine.guest.run(f"apt-get -y -q install {NEWER} </dev/null", PATIENCE)
    assert refused.status != 0 and "Nothing was changed" in refused.text, refused
    assert (version(bench), main_pid(bench)) == (before, process), "a refused update has changed something"
    assert not bench.said("dpkg --audit").strip(), bench.said("dpkg --audit")

    bench.sh(
        "systemd-run --quiet --unit=update --setenv=FELTD_UPGRADE=wait --setenv=DEBIAN_FRONTEND=noninteractive "
        f"--property=RemainAfterExit=yes apt-get -y -q install {NEWER}"
    )
    bench.wait("the update waits", lambda: WAITS in bench.said("journalctl -u update -o cat --no-pager"))
    bench.play(table.MIDDLE, len(table.ROUND) - 1)
    now = version(bench)  # none, while dpkg is at work
    assert now != after and main_pid(bench) == process, f"the update has not waited: {now}, {main_pid(bench)}"
    bench.do(*table.ROUND[-1])
    bench.rounds += 1
    bench.wait("the update is done", lambda: version(bench) == after, PATIENCE)
    back(bench, process)
    bench.wait("apt has ended", lambda: "exited" in bench.said("systemctl show --property SubState update"), PATIENCE)
    assert bench.sh("systemctl show --property ExecMainStatus --value update").strip() == "0"
    bench.sh("systemctl stop update; systemctl reset-failed")
    went_on(bench)
    return f"{before}, then {after}"


@check("package: the former version is taken back, and the journal goes on", bound=900)
def taken_back(bench: Bench) -> None:
    laid(bench)
    after = newer(bench)
    if version(bench) != after:
        apt(bench, f"install {NEWER}")
        bench.ready()
    if not bench.rounds:
        bench.play()
    process = main_pid(bench)
    said = apt(bench, f"install --allow-downgrades {OURS}")
    assert version(bench) == ours(bench), said[-1500:]
    back(bench, process)
    went_on(bench)


@check("package: removed and purged, the journal and its keys stay, and go on when it is installed again", bound=1100)
def removed(bench: Bench) -> str:
    laid(bench)
    if not bench.rounds:
        bench.play()
    bench.sh(f"cp -a {CONFIG} /run/table.toml")
    bench.play(to=table.MIDDLE)
    refused = bench.machine.guest.run("apt-get -y -q remove feltd </dev/null", PATIENCE)
    assert refused.status != 0 and "Nothing was changed" in refused.text, refused
    bench.play(table.MIDDLE)
    bench.wait(
        "the round is settled", lambda: table.wrong_with(bench.daemon("/rounds")["rounds"], bench.rounds) or True
    )

    apt(bench, "remove feltd")
    assert not version(bench)
    gone = bench.machine.guest.run("pgrep -u feltd; test -e /usr/lib/feltd", SOON)
    assert gone.status != 0 and not gone.text.strip(), f"still there: {gone.text}"
    kept = left(bench)
    assert {JOURNAL, CONFIG, CARDS_KEY} <= kept, f"left by remove: {kept}"
    record = bench.sh(f"sha256sum {JOURNAL}")

    said = apt(bench, "purge feltd")
    assert "the journal of the table was not removed" in said, said[-1500:]
    assert left(bench) == kept - {CONFIG}, f"left by purge: {left(bench)}"
    assert bench.sh(f"sha256sum {JOURNAL}") == record

    apt(bench, f"install {OURS}")
    assert bench.said("systemctl is-active feltd").strip() != "active", "a table that nobody described was started"
    bench.sh(f"install -o root -g feltd -m 640 /run/table.toml {CONFIG}; systemctl start feltd", 300)
    went_on(bench)
    return f"left by purge: {', '.join(sorted(kept - {CONFIG}))}"


TECHNICIAN, STRANGER = "tess", "olga"
NOT_THEIRS: Final = (
    "systemctl enable feltd",
    "systemctl disable feltd",
    "systemctl mask feltd",
    "systemctl kill feltd",
    "systemctl set-property feltd CPUQuota=50%",
    "systemctl daemon-reload",
    "systemctl restart systemd-journald",
    "systemctl stop feltd-can@can0",
)


@check(
    "polkit: a technician who is not root starts, stops and restarts the service, and may nothing else",
    bound=600,
    early=True,
)
def technician(bench: Bench) -> str:
    laid(bench)
    bench.sh(f"id {TECHNICIAN} || useradd --create-home --groups feltd,feltd-technicians {TECHNICIAN}")
    bench.sh(f"id {STRANGER} || useradd --create-home {STRANGER}")
    before = main_pid(bench)
    for words in ("restart", "stop", "start"):
        bench.sh(f"runuser -u {TECHNICIAN} -- systemctl {words} feltd", 300)
    back(bench, before)
    bench.wait(
        "the technician sees the table", lambda: "table VM1" in bench.said(f"runuser -u {TECHNICIAN} -- felt status")
    )

    process, enabled = main_pid(bench), bench.said("systemctl is-enabled feltd")
    typed = [(TECHNICIAN, command) for command in NOT_THEIRS] + [(STRANGER, "systemctl restart feltd")]
    for person, command in typed:
        done = bench.machine.guest.run(f"runuser -u {person} -- {command}", SOON)
        assert done.status != 0, f"{person} was let do: {command}"
        assert "authentication" in done.text or "denied" in done.text.lower(), f"{command}: {done.text}"
    assert (main_pid(bench), bench.said("systemctl is-enabled feltd")) == (process, enabled)
    went_on(bench)
    return f"refused: {', '.join(command.removeprefix('systemctl ') for _, command in typed)}"
