"""The command `felt` with any arguments and any files: it ends by itself, with 0, 1 or 2, without a traceback."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import click
import msgspec
from click.testing import CliRunner

from controller.cli.group import cli
from controller.cli.main import STOPPED
from tests.fuzz import changes
from tests.fuzz.stored import small_journal
from tests.fuzz.target import Target, expect
from tests.fuzz.text import TABLE, texts

RUNS_ON: Final = ("sim", "monitor", "service")  # they go on until somebody ends them, or ask the service manager
WATCHES: Final = ("--watch", "--follow", "-f", "-w")
STATUSES: Final = (0, 1, 2, STOPPED)  # stopped: nobody answers what it asks
WORDS: Final = (
    *(
        "",
        "-",
        "--",
        "-h",
        "--json",
        "--socket",
        "--journal",
        "--output",
        "--key",
        "--anchor",
        "-1",
        "0",
        "1",
        "9" * 30,
    ),
    *(
        "T1",
        "shoe",
        "nonsense",
        "casino-war",
        "three-card-poker",
        "2026-11-18",
        "é",
        "\udcff",
        "a b",
        "Kh",
        "x=y",
        "*",
        "[",
        "%s",
    ),
    *("serial:///dev/null", "sim://shoe", "feltd-anchor-1 5 00 T1", "shoe.jam", "day", "bash", "1h", "tie"),
)


class Commands(Target):
    """Every command of `felt` but those that run on."""

    name = "commands"
    daily = 60

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="felt-fuzz-")
        self._at = Path(self._folder.name)
        self._files = self._made()
        self._tree = [words for words in _leaves(cli, ()) if words[0] not in RUNS_ON]
        self._options = {words: _options(words) for words in self._tree}

    def _made(self) -> tuple[str, ...]:
        """Makes files of every kind; returns their names, which begin with @ in inputs."""
        at = self._at
        (at / "binary").write_bytes(bytes(range(256)) * 40)
        (at / "empty").touch()
        (at / "line.felt").write_bytes(b"table casino-war " + b"x" * 2_000_000)
        (at / "deep.json").write_bytes(b"[" * 100_000)
        (at / "table.toml").write_text(TABLE)
        (at / "good.felt").write_bytes(texts("tests/rules/004/*/*.felt", 1)[0])
        (at / "folder" / "inner.felt").mkdir(parents=True)
        os.mkfifo(at / "folder" / "pipe.felt")
        (at / "gone").symlink_to(at / "nowhere")
        (at / "loop").symlink_to(at / "loop")
        small_journal(at)
        return tuple(path.name for path in sorted(at.iterdir()))

    def seeds(self) -> list[bytes]:
        return [msgspec.json.encode([*words, f"@{file}"]) for words in self._tree for file in ("table.toml", "binary")]

    def generate(self, rng: Random) -> bytes:
        words = rng.choice(self._tree)
        more = [self._word(rng, words) for _ in range(rng.randint(0, 5))]
        return msgspec.json.encode([*words, *more])

    def mutate(self, rng: Random, data: bytes) -> bytes:
        words = list(msgspec.json.decode(data, type=list[str]))
        at = rng.randint(0, len(words))
        match rng.randrange(4):
            case 0:
                words[at : at + 1] = []
            case 1:
                words.insert(at, self._word(rng, tuple(words[:2])))
            case 2:
                words[at : at + 1] = [self._word(rng, tuple(words[:2]))]
            case _:
                text = changes.changed(rng, " ".join(words[1:]).encode(errors="replace"), (), [b"--json"])
                words = [*words[:1], *text.decode(errors="replace").replace("\0", "").split(" ")]
        return msgspec.json.encode([word.encode(errors="replace").decode() for word in words[:12]])

    def _word(self, rng: Random, words: tuple[str, ...]) -> str:
        options = self._options.get(words, ())
        kinds: tuple[tuple[str, ...], ...] = (WORDS, tuple(f"@{file}" for file in self._files), options or WORDS)
        return rng.choice(rng.choice(kinds)).encode(errors="replace").decode()

    def run(self, data: bytes) -> None:
        try:
            words = msgspec.json.decode(data, type=list[str])
        except (msgspec.DecodeError, UnicodeDecodeError):
            return
        if not words or words[0] in RUNS_ON or set(WATCHES) & set(words) or any("\0" in word for word in words):
            return
        typed = [str(self._at / word[1:]) if word.startswith("@") else word for word in words]
        before = Path.cwd()
        os.chdir(self._at)
        try:
            self._typed(typed)
        finally:
            os.chdir(before)

    def _typed(self, words: list[str]) -> None:
        nowhere = str(self._at / "feltd.sock")
        env = {"FELT_SOCKET": nowhere, "HOME": str(self._at), "COLUMNS": "120", "XDG_RUNTIME_DIR": str(self._at)}
        result = CliRunner().invoke(cli, words, env=env, prog_name="felt", input="")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        expect(
            result.exit_code in STATUSES, "an exit status that no document names", words=words, code=result.exit_code
        )
        expect("Traceback (most" not in result.output, "a traceback was told", words=words, output=result.output)
        ours = re.search("a defect of the (parser|simulator)", result.output)
        expect(ours is None, "a defect was told", words=words, output=result.output[-800:])

    def smaller(self, data: bytes) -> list[bytes]:
        words = msgspec.json.decode(data, type=list[str])
        return [msgspec.json.encode(words[:at] + words[at + 1 :]) for at in range(len(words))]

    def close(self) -> None:
        self._folder.cleanup()


def _leaves(command: click.Command, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yields every command, by its words."""
    if not isinstance(command, click.Group):
        yield words
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        if inner is not None:
            yield from _leaves(inner, (*words, name))


def _options(words: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the options of a command."""
    command: click.Command = cli
    for word in words:
        assert isinstance(command, click.Group)
        inner = command.get_command(click.Context(command), word)
        assert inner is not None
        command = inner
    return tuple(option for each in command.params for option in each.opts if option.startswith("-"))


TARGETS: tuple[type[Target], ...] = (Commands,)
