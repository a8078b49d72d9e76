"""Texts that people write, or keep and bring back: each is read, or refused with every mistake and where it stands."""

from __future__ import annotations

import base64
import io
import json
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from datetime import date, time
from pathlib import Path
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from controller.api import round_filter
from controller.config.cards_key import read as read_cards_key
from controller.config.errors import ConfigError
from controller.config.key_file import KeyFile
from controller.config.load import load_config
from controller.config.show import digest, in_force
from controller.config.show import written as written_toml
from controller.config.terms import load_terms
from controller.errors import FeltError
from controller.games import GAMES, every_key
from controller.journal import verify_export
from controller.journal.checkpoints import Checkpoint
from controller.journal.errors import JournalError
from controller.journal.head_file import HeadFile
from controller.journal.key_file import make_key, read_key
from controller.journal.notes import Note, Verifier
from controller.journal.records import Anchor
from controller.money import MoneyError, cents, dollars
from controller.people.pins import PinHash
from controller.people.roster import written
from controller.people.roster_file import RosterFile
from controller.script import ScriptError, parse
from controller.script.expects import FORMS
from controller.script.verbs import VERBS
from controller.service.day_key_file import DayKeyFile
from controller.sim.people import simulated_people
from controller.views.gaming_day import Calendar
from firmware_bridge import address
from firmware_bridge.errors import Coded
from hw_sim.errors import SimError
from hw_sim.replay import capture
from tests.fuzz.target import Target, expect

ROOT = Path(__file__).parents[2]
TABLE = """\
[table]
name = "T1"
game = "casino-war"
state = "/var/lib/feltd/T1"
[options]
min = "5"
max = 500
shoe = "csm"
[people]
idle = "10m"
[report]
time-zone = "Australia/Sydney"
day-starts = "06:00"
shifts = ["06:00", "14:00", "22:00"]
[device.shoe]
family = "shoe"
address = "serial:///dev/ttyUSB0?baud=115200"
[device."sensor.1"]
family = "bet-sensor"
area = 1
address = "can://can0/5"
[web]
listen = "127.0.0.1:8080"
[api]
socket = "/run/feltd/T1.sock"
"""


def texts(pattern: str, most: int) -> list[bytes]:
    """Returns the first files of the repository that have such a name."""
    return [path.read_bytes() for path in sorted(ROOT.glob(pattern))[:most]]


class Reader(Target):
    """Something that reads a text: it returns a value or raises one of `errors`."""

    errors: ClassVar[tuple[type[Exception], ...]] = (Coded,)

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="felt-fuzz-")
        self.file = Path(self._folder.name) / "input"
        self._seeds = self.good()

    def good(self) -> list[bytes]:
        """Returns texts that can be read."""
        raise NotImplementedError

    def seeds(self) -> list[bytes]:
        return self._seeds

    def read(self, data: bytes) -> object:
        """Reads a text."""
        raise NotImplementedError

    def written_to(self, data: bytes) -> Path:
        """Returns the file, which only its owner may read, with this text."""
        self.file.write_bytes(data)
        self.file.chmod(0o600)
        return self.file

    def run(self, data: bytes) -> object:
        try:
            return self.read(data)
        except self.errors as error:
            expect(len(str(error)) < 20_000 + 40 * len(data), "a message is too long", size=len(str(error)))
            if isinstance(error, Coded):
                expect(error.code and error.cause and error.next_step, "an error does not say all", error=error)
            if isinstance(error, ConfigError):
                expect(error.problems, "a refusal without a reason", error=error)
            return None

    def close(self) -> None:
        self._folder.cleanup()


class TableToml(Reader):
    """table.toml"""

    name = "text.table"
    daily = 60

    def good(self) -> list[bytes]:
        from controller.config.model import TableConfig

        self.words = tuple(
            name.encode() for name in (*TableConfig.model_fields, *GAMES, "angel-eye", "alpha", "cia401", "native")
        )
        return [TABLE.encode(), *texts("examples/tables/*.toml", 20)]

    def read(self, data: bytes) -> object:
        config = load_config(self.written_to(data))
        again = "\n".join(written_toml(in_force(config, self.file)))
        expect(digest(load_config(self.written_to(again.encode()))) == digest(config), "what is shown is another table")
        return config


class PeopleToml(Reader):
    """people.toml"""

    name = "text.people"
    daily = 60

    def good(self) -> list[bytes]:
        return [written(simulated_people().roster).encode()]

    def read(self, data: bytes) -> object:
        roster = RosterFile(self.written_to(data)).read()
        expect(
            RosterFile(self.written_to(written(roster).encode())).read() == roster,
            "a roster is another one",
            roster=roster,
        )
        return roster


class Terms(Reader):
    """terms.toml of a tournament"""

    name = "text.terms"
    daily = 60

    def good(self) -> list[bytes]:
        from controller.tournament.items import items_in_file

        self.words = tuple(item.name.encode() for item in items_in_file())
        return texts("examples/tournaments/*.toml", 5)

    def read(self, data: bytes) -> object:
        file, terms = load_terms(self.written_to(data))
        return file.digest, file.hints(terms)


class Scripts(Reader):
    """Scripts of testers"""

    name = "text.script"
    daily = 100
    errors: ClassVar = (ScriptError,)

    def good(self) -> list[bytes]:
        keys = (key.name for key in every_key())
        self.words = tuple(word.encode() for word in (*VERBS, *FORMS, *GAMES, *keys, "as", "case", "T1:", "Kh", "??"))
        return [data for data in texts("tests/rules/*/*/*.felt", 900)[::12] if len(data) < 3000]

    def read(self, data: bytes) -> object:
        return parse(data.decode(errors="replace"), "any")


class Addresses(Reader):
    """Addresses of devices"""

    name = "text.address"
    daily = 150
    words = tuple(b"serial:// usb:// can:// gpio:// tcp:// slcan:// sim:// udp:// ?baud= &id= # @ : %2F [::1]".split())

    def good(self) -> list[bytes]:
        known = (
            "serial:///dev/ttyUSB0?baud=9600 can://can0/5?bitrate=500000 usb://1209:0001?serial=A1 tcp://10.0.0.5:4001"
        )
        return [
            *map(str.encode, known.split()),
            b"gpio://17,27",
            b"sim://shoe",
            b"can:slcan:///dev/ttyACM0/5",
            b"tcp://[::1]:5",
        ]

    def read(self, data: bytes) -> object:
        text = data.decode(errors="replace")
        found = address.parse(text)
        expect(address.parse(str(found)) == found, "an address is another one after it was written", address=found)
        address.can_be_tapped(found)
        return found


class Captures(Reader):
    """Captures of a device's wire, and the noise that stands for errors"""

    name = "text.capture"
    daily = 100
    errors: ClassVar = (SimError,)

    def good(self) -> list[bytes]:
        from firmware_bridge import messages as m
        from firmware_bridge.frame import Frame, Kind
        from tests.hw_sim.test_sim_replay import blank, greeting, line

        lines = [
            *greeting(),
            blank(6, 1, m.CardDrawn("")),
            line(7, "in", Frame(Kind.PONG, 1)),
            line(8, "in", error="frame.crc"),
        ]
        return ["\n".join(lines).encode(), "\n".join(greeting()).encode()]

    def read(self, data: bytes) -> object:
        return capture.read(self.written_to(data), ["Kh"])


class Texts(Reader):
    """Short texts of every kind: anchors, notes, verifier keys, checkpoints, amounts, PIN hashes."""

    name = "text.short"
    daily = 200
    errors: ClassVar = (ValueError,)
    words = (b"\xe2\x80\x94 ", b"felt-journal-anchor", b"$argon2id$", b"m=", b"=", b"\n\n", b"closed")

    def good(self) -> list[bytes]:
        signer = make_key(self.file.with_name("key"), "T1")
        checkpoint = Checkpoint("feltd.journal/T1", 5, bytes(32)).to_text()
        note = Note(checkpoint, (signer.sign(checkpoint),)).to_text()
        pin = written(simulated_people().roster).split('"')
        hashes = [text for text in pin if text.startswith("$argon2id")]
        anchor = Anchor("T1", 5, bytes(32)).to_text()
        return [text.encode() for text in (anchor, checkpoint, note, signer.verifier().to_text(), hashes[0], "12.50")]

    def read(self, data: bytes) -> object:
        text = data.decode(errors="replace")
        for kind in (Anchor, Note, Verifier, Checkpoint):
            value: Any = self._read(kind.from_text, text)
            if value is not None:
                expect(kind.from_text(value.to_text()) == value, "it is another one after it was written", value=value)
        self._read(PinHash.parse, text)
        amount = self._read(cents, text)
        if isinstance(amount, int):
            expect(cents(dollars(amount)) == amount, "an amount is another one", amount=amount)
        return None

    @staticmethod
    def _read(read: Callable[[str], object], text: str) -> object:
        try:
            return read(text)
        except (ValueError, MoneyError):
            return None


class KeyFiles(Reader):
    """Files of keys: of devices, of the journal, of cards, of days; and the head file."""

    name = "text.keys"
    daily = 100

    def good(self) -> list[bytes]:
        make_key(self.file.with_name("key"), "T1")
        days = DayKeyFile(self.file.with_name("days"), "T1", bytes(32))
        days.keys().now(1_000_000)
        kept = [path.read_bytes() for path in Path(self._folder.name).iterdir()]
        device = b'"A1" = "' + b"ab" * 32 + b'"\n"B 2" = "' + b"cd" * 32 + b'"\n'
        form = (
            b'{"form":1,"table":"T1","days":[{"name":"AAAA","began":5,"wrapped":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}]}'
        )
        return [*kept, device, b"ab" * 32, form, Anchor("T1", 5, bytes(32)).to_text().encode()]

    def read(self, data: bytes) -> object:
        path = self.written_to(data)
        secret = "ab" * 8
        readers: tuple[Callable[[], object], ...] = (
            lambda: KeyFile.at(path).all(),
            lambda: read_cards_key(path),
            lambda: read_key(path, "T1"),
            lambda: DayKeyFile(path, "T1", bytes(32)).keys(),
        )
        for read in readers:
            try:
                read()
            except (FeltError, JournalError) as error:
                expect(secret not in error.cause, "an error quotes a key", error=error)
        return HeadFile(path, "T1").read()


class Filters(Reader):
    """Times, days and filters of reports"""

    name = "text.filters"
    daily = 150
    errors: ClassVar = (FeltError,)
    words = tuple(b"since= until= day= by= n= area= game= outcome= irregular= before= today T Z +10:00 -".split())

    def good(self) -> list[bytes]:
        asked = ("since=2026-11-17T20:15&until=2026-11-18", "by=shift&day=today", "n=5&area=3", "day=2026-02-28&by=day")
        return [text.encode() for text in (*asked, "since=0001-01-01", "until=9999-12-31T23:59:59", "day=9999-12-31")]

    def read(self, data: bytes) -> object:
        asked = dict(pair.partition("=")[::2] for pair in data.decode(errors="replace").split("&"))
        calendar = Calendar(ZoneInfo("Australia/Sydney"), time(6), (time(6), time(14), time(22)))
        for read in (
            lambda: round_filter.wanted(asked),
            lambda: round_filter.span(asked),
            lambda: round_filter.counted(asked, calendar, lambda: date(2026, 11, 18)),
        ):
            try:
                read()
            except FeltError:
                continue
        return None


class Export(Reader):
    """An export for an inspector, read by the program that comes with it: what was altered is never SOUND."""

    name = "text.export"
    daily = 100
    words = (b'"count": ', b'"tree": ', b'"leaf": ', b'"seq": ', b'"end": ', b'"checkpoint": ', b"-1", b"0")

    def good(self) -> list[bytes]:
        from tests.cli.test_inspector import exported
        from tests.fuzz.stored import small_journal

        folder = Path(self._folder.name)
        export = (exported(small_journal(folder)) / "records.jsonl").read_bytes()
        notes = [line["checkpoint"] for line in _lines(export) if "checkpoint" in line]
        self.note = folder / "note"
        self.note.write_text(notes[-1], encoding="utf-8")
        return [export]

    def run(self, data: bytes) -> int:
        words = ["verify_export", str(self.written_to(data)), "--checkpoint", str(self.note)]
        before, sys.argv = sys.argv, words
        told = io.StringIO()
        try:
            with redirect_stdout(told), redirect_stderr(told):
                return verify_export.main()
        finally:
            sys.argv = before

    def judge(self, data: bytes, outcome: int) -> None:
        if outcome == 0:
            expect(_records(_lines(data)) == _records(_lines(self._seeds[0])), "an altered export is called sound")


def _lines(data: bytes) -> list[Any]:
    return [json.loads(line) for line in data.decode().splitlines() if line.strip()]


def _records(lines: list[Any]) -> list[Any]:
    """Returns what the records say, whatever else stands beside them; the chain goes past hidden ones."""
    records = [line for line in lines if "seq" in line and "checkpoint" not in line and "end" not in line]
    return [(line["seq"], base64.b64decode(line.get("body", "")), line.get("leaf", "").lower()) for line in records]


TARGETS: tuple[type[Target], ...] = (
    TableToml,
    PeopleToml,
    Terms,
    Scripts,
    Addresses,
    Captures,
    Texts,
    KeyFiles,
    Filters,
    Export,
)
