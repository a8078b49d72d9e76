"""felt program: the installed program, its signed manifest, its answer to a challenge, and its latest changes."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.cli.client import TROUBLE, Client, Json, Noun, columns, dumped, explained, with_json, with_socket
from controller.cli.reach import DEFAULT_CONFIG
from controller.counts import many
from controller.program.refusals import no_files, no_manifest, not_on_record

if TYPE_CHECKING:
    from controller.api.program import ChallengeAnswered, ChangeShown
    from controller.program.installed import FileSource
    from controller.program.manifest import ProgramManifest

with_path = click.Path(path_type=Path)
PATIENCE = 330.0  # seconds: every file is read and compiled
SHORT = 16  # digits of a digest, for people
_PUBLIC = re.compile(r"[0-9a-fA-F]{64}")  # a public key
FILES = click.option(
    "--files", "files", type=with_path, multiple=True, help="A folder site-packages, or a wheel; repeatable."
)
KEY_FILE = click.option(
    "--key", "key_file", type=with_path, help="Sign with this private key (`felt firmware keygen`)."
)


@click.group(name="program", cls=Noun)
def command() -> None:
    """The installed program: which files it is, and whether they are those that were approved."""


@command.command()
@with_socket
@with_json
@explained
def show(path: str, as_json: bool) -> None:
    """How the running program fits its signed manifest.

    Exit status 0: nothing is wrong; 1: something is.
    """
    from controller.api.program import PROGRAM

    shown = Client(path).get(PROGRAM)
    if as_json:
        print(dumped(shown))
    else:
        print(f"feltd {shown['version']}: {shown['words']}")
        rows = {"files": shown["digest"], "manifest": shown["manifest"], "signed by": shown["key"]}
        print("\n".join(f"  {name:<10} {value}" for name, value in rows.items() if value))
        for each in shown["differs"]:
            print(f"  {each}")
        if shown["trouble"] is not None:
            print(f"TROUBLE {shown['trouble']['code']}\n  -> {shown['trouble']['next_step']}")
    sys.exit(TROUBLE if shown["trouble"] is not None else 0)


@command.command()
@with_socket
@click.option("-n", "count", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many.")
@with_json
@explained
def changes(count: int, path: str, as_json: bool) -> None:
    """The latest changes of program and configuration, as the journal has them, the newest first."""
    from controller.api.program import CHANGES

    answer = Client(path).get(CHANGES, n=count)
    if as_json:
        print(dumped(answer))
        return
    if not answer["changes"]:
        raise not_on_record()
    heads = ("fact", "when", "version", "configuration", "files", "manifest", "signature", "new")
    print("\n".join(columns([heads, *map(_change, answer["changes"])], right=(0,))))


def _change(change: ChangeShown) -> tuple[str, ...]:
    when = change["at"].partition(".")[0].replace("T", " ")
    digests = (each[:SHORT] or "-" for each in (change["config"], change["files"], change["manifest"]))
    new = ", ".join(change["changed"])
    return (str(change["seq"]), when, change["version"], *digests, change["signature"] or "-", new)


# ---- a challenge


@command.command()
@click.argument("seed")
@FILES
@click.option("--lines", is_flag=True, help="Also print the keyed digest of each file, to find the one that differs.")
@with_socket
@with_json
@explained
def challenge(seed: str, files: tuple[Path, ...], lines: bool, path: str, as_json: bool) -> None:
    """Let the running program answer SEED, 16 to 128 hexadecimal digits, with keyed digests of its installed files.

    With --files the same is computed here, without the daemon: from the approved wheels, or from an installation on any
    disk.  Equal answers mean equal files.
    """
    reply: Json = _alone(seed, files) if files else dict(_asked(seed, path))
    if as_json:
        print(dumped(reply))
        return
    if lines:
        print("\n".join(reply["lines"]))
    print(f"seed          {reply['seed']}")
    print(f"program       {reply['program']}  {many(reply['program_files'], 'file')} of feltd")
    print(f"installation  {reply['installation']}  {many(reply['installation_files'], 'file')}")
    if "seq" in reply:
        print(f"table {reply['table']}, feltd {reply['version']}, on record as fact {reply['seq']}; {reply['words']}")
        sys.exit(TROUBLE if reply["trouble"] is not None else 0)


def _asked(seed: str, path: str) -> ChallengeAnswered:
    from controller.api.program import CHALLENGE
    from controller.program.challenge import key_of

    key_of(seed)
    return Client(path, PATIENCE).post(CHALLENGE, {"seed": seed})


def _alone(seed: str, files: Sequence[Path]) -> Json:
    from controller.program.challenge import answered, key_of
    from controller.program.installed import measured

    key = key_of(seed)
    reply = answered(key, measured(_sources(files), key))
    return {
        "seed": seed.lower(),
        "program": reply.program,
        "program_files": reply.program_files,
        "installation": reply.installation,
        "installation_files": reply.installation_files,
        "lines": list(reply.lines),
    }


def _sources(files: Sequence[Path]) -> list[FileSource]:
    """Returns the files to look at: those of a folder, or of wheels; without any, of this installation."""
    from controller.program.installed import own_root, sources, wheel_sources

    if files and not any(each.is_dir() for each in files):
        return wheel_sources(files)
    if len(files) > 1:
        raise no_files("one folder, or wheels, but not both")
    root = files[0] if files else own_root()
    if root is None:
        raise no_files("felt runs from a checkout: there is no installation here")
    return sources(root)


# ---- manifests


def _public_keys(context: click.Context, option: click.Parameter, keys: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the keys that were given, as manifests have them."""
    for key in keys:
        if not _PUBLIC.fullmatch(key):
            raise click.BadParameter("this is no public key: it has 64 hexadecimal digits", context, option)
    return tuple(key.lower() for key in keys)


@command.command()
@FILES
@KEY_FILE
@click.option("-o", "--output", type=with_path, required=True, help="The manifest to make.")
@with_json
@explained
def manifest(files: tuple[Path, ...], key_file: Path | None, output: Path, as_json: bool) -> None:
    """Make the manifest of an installation, this one unless --files names another: each file, its size, its SHA-256."""
    from controller.cli.firmware import private_key, write_new
    from controller.program.installed import foreign_paths, measured, own_root
    from controller.program.manifest import make, signed_by

    result = measured(_sources(files))
    root = own_root()
    paths = foreign_paths(sys.path, root) if root is not None and not files else []
    made = make(_version([each.path for each in result]), result, paths)
    if key_file is not None:
        made = signed_by(made, private_key(key_file).private_bytes_raw())
    write_new(output, made.to_text().encode(), 0o666)
    _shown(output, made, as_json)


@command.command()
@click.argument("file", type=with_path)
@click.option(
    "--key", "key_file", type=with_path, required=True, help="The private key, as `felt firmware keygen` made it."
)
@click.option("-o", "--output", type=with_path, required=True, help="The manifest with one more signature.")
@with_json
@explained
def sign(file: Path, key_file: Path, output: Path, as_json: bool) -> None:
    """Add a signature to the manifest FILE: that of the laboratory, beside that of the maker."""
    from controller.cli.firmware import private_key, write_new
    from controller.program.check import read_file
    from controller.program.manifest import signed_by

    made = signed_by(read_file(file), private_key(key_file).private_bytes_raw())
    write_new(output, made.to_text().encode(), 0o666)
    _shown(output, made, as_json)


@command.command()
@click.argument("file", type=with_path, required=False)
@click.option(
    "--key",
    "keys",
    multiple=True,
    callback=_public_keys,
    help="A public key that is trusted, 64 hexadecimal digits; repeatable.",
)
@click.option("--config", type=with_path, default=DEFAULT_CONFIG, help="Take what is not said from this table.toml.")
@click.option(
    "--files", "root", type=with_path, help="The folder site-packages to compare; this one unless it is said."
)
@with_json
@explained
def verify(file: Path | None, keys: tuple[str, ...], config: Path, root: Path | None, as_json: bool) -> None:
    """Compare installed files with the signed manifest FILE, without the daemon.

    Exit status 0: every file fits; 1: not.
    """
    from controller.program.check import CheckWish, check
    from controller.program.installed import own_root

    if file is None or not keys:
        file, keys = _configured(file, keys, config)
    root = root or own_root()
    result = check(CheckWish(str(root or ""), str(file), keys))
    if as_json:
        print(dumped(result))
    elif (trouble := result.trouble) is not None:
        print(f"{trouble.code}: {many(len(result.differs), 'file') if result.differs else trouble.cause}")
        print("\n".join([*(f"  {each}" for each in result.differs), f"  -> {trouble.next_step}"]))
    else:
        print(f"sound: {many(result.files, 'file')} of feltd {result.approved} fit manifest {result.manifest[:SHORT]}")
        print(f"  signed by {result.key}")
    sys.exit(TROUBLE if result.code else 0)


def _configured(file: Path | None, keys: tuple[str, ...], config: Path) -> tuple[Path, tuple[str, ...]]:
    """Returns the manifest and the keys; what was not said comes from the table.toml."""
    from controller.config.load import load_config

    section = load_config(config).program
    path, trusted = file or section.manifest, keys or tuple(key.lower() for key in section.keys)
    if path is None or not trusted:
        raise no_manifest(f"{config} names no manifest in [program], and none was said")
    return path, trusted


def _shown(file: Path, made: ProgramManifest, as_json: bool) -> None:
    signers = [public for public, _ in made.signatures]
    if as_json:
        reply = {"file": str(file), "version": made.version, "files": len(made.files), "digest": made.digest}
        print(dumped({**reply, "signed_by": signers}))
        return
    print("\n".join(_lines(file, made, signers)))


def _lines(file: Path, made: ProgramManifest, signers: Sequence[str]) -> Iterator[str]:
    yield f"{file}: {many(len(made.files), 'file')} of feltd {made.version}"
    yield f"  digest     {made.digest}"
    yield from (f"  signed by  {public}" for public in signers)
    if not signers:
        yield "  UNSIGNED: `felt program sign` adds a signature"


def _version(paths: Sequence[str]) -> str:
    """Returns the version of feltd among these files."""
    for path in paths:
        first = path.partition("/")[0]
        if first.startswith("feltd-") and first.endswith(".dist-info"):
            return first.removeprefix("feltd-").removesuffix(".dist-info")
    raise no_files("feltd is not installed there")
