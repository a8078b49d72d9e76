"""An inspector checks an export with one file and Python alone, and finds whatever was done to it."""

from __future__ import annotations

import ast
import base64
import json
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha512
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cli.checkup import daemon
from controller.cli.journal import command
from controller.journal import Entry, Journal
from controller.journal.checkpoints import origin_of
from controller.journal.growth import GrowingTree
from controller.journal.key_file import make_key
from controller.journal.notes import COSIGNED, Note
from controller.journal.proofs import included
from controller.journal.records import pack
from controller.journal.signing import Signer, signed
from controller.journal.tree import leaf_hash
from controller.journal.verify_export import ed25519
from controller.service.inspection import BLOCK, how_shown, prove, shown_records
from controller.service.journal_encoding import journal_bytes
from controller.table import facts
from controller.table.facts import AnyFact, CardOut, Key
from tests.daemon.house import House
from tests.service.hidden_table import DEAL, play, round_of, veil_in

PROGRAM = Path(str(files("controller.journal") / "verify_export.py"))
TABLE = "T1"
SIGNER = Signer(origin_of(TABLE), Ed25519PrivateKey.from_private_bytes(bytes(32)))
KEY = SIGNER.verifier().to_text()

# RFC 8032, section 7.1: public key, message, signature.
VECTORS = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    (
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        sha512(b"abc").hexdigest(),
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
        "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
]


@pytest.mark.parametrize(("key", "message", "signature"), VECTORS)
def test_the_signatures_of_the_rfc_hold(key: str, message: str, signature: str) -> None:
    assert ed25519(bytes.fromhex(key), bytes.fromhex(message), bytes.fromhex(signature))
    assert not ed25519(bytes.fromhex(key), bytes.fromhex(message) + b"x", bytes.fromhex(signature))


@settings(max_examples=15, deadline=None)
@given(seed=st.binary(min_size=32, max_size=32), message=st.binary(max_size=50), bit=st.integers(0, 511))
def test_it_agrees_with_the_library(seed: bytes, message: bytes, bit: int) -> None:
    key = Ed25519PrivateKey.from_private_bytes(seed)
    public, signature = key.public_key().public_bytes_raw(), key.sign(message)
    assert ed25519(public, message, signature)
    broken = bytearray(signature)
    broken[bit // 8] ^= 1 << bit % 8
    assert not ed25519(public, message, bytes(broken))


def test_what_is_no_key_and_no_signature_is_refused() -> None:
    public, order = SIGNER.verifier().key, 2**252 + 27742317777372353535851937790883648493
    good = Ed25519PrivateKey.from_private_bytes(bytes(32)).sign(b"")
    again = good[:32] + (int.from_bytes(good[32:], "little") + order).to_bytes(32, "little")
    assert ed25519(public, b"", good)
    assert not ed25519(public, b"", again)  # the same once more around: no second signature of one text
    assert not ed25519(public, b"", good[:63])
    assert not ed25519(b"\xff" * 32, b"", good)
    assert not ed25519((2).to_bytes(32, "little"), b"", good)  # no point of the curve


def test_the_program_is_written_for_python_3_8() -> None:
    text = PROGRAM.read_text(encoding="utf-8")
    assert "controller" not in text
    ast.parse(text, feature_version=(3, 8))


# ---- exports

KEYS = [Key("no-more-bets"), Key("settle")]
CARD = CardOut("Kh")


def fill(journal: Journal, said: list[AnyFact], *, salt: bool = True) -> None:
    for fact in said:
        plain = facts.encode(fact)
        journal.append([Entry(journal.head.seq + 1, journal_bytes(fact, plain) if salt else plain)])


def keep(journal: Journal) -> str:
    kept = signed(TABLE, GrowingTree(journal).grow(), SIGNER)
    journal.keep_checkpoint(kept)
    return kept.note


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A journal with open and hidden records, a checkpoint at 30 and one at its end, at 42."""
    path = tmp_path / "journal.db"
    journal = Journal.open(path, table=TABLE)
    fill(journal, [*KEYS, CARD, *KEYS] * 6)
    (tmp_path / "kept.txt").write_text(keep(journal), encoding="utf-8")
    fill(journal, [CARD, CARD, *KEYS * 5])
    keep(journal)
    journal.close()
    return path


def felt(*words: object, house: House | None = None) -> Result:
    socket = {} if house is None else {"FELT_SOCKET": str(house.socket)}
    return CliRunner().invoke(command, [str(word) for word in words], env=socket)


def exported(file: Path) -> Path:
    folder = file.parent / "for-inspector"
    ran = felt("export", file, "--inspector", folder)
    assert ran.exit_code == 0, ran.output
    return folder


def check(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Runs the program as an inspector does: without site packages, without anything of ours on the path."""
    program, export = folder / "verify_export.py", folder / "records.jsonl"
    args = [sys.executable, "-I", "-S", str(program), str(export), *map(str, words)]
    return subprocess.run(args, capture_output=True, text=True, check=False, cwd=folder)


def test_a_sound_export_is_proved_and_says_what_it_did_not_see(file: Path, tmp_path: Path) -> None:
    ran = check(exported(file), "--key", KEY, "--checkpoint", tmp_path / "kept.txt")
    assert (ran.returncode, ran.stderr) == (0, "")
    first, *words = ran.stdout.splitlines()
    assert first == "SOUND"
    assert words[:2] == [
        "proved: the first 30 records are those of the checkpoint that you kept",
        "proved: feltd.journal/T1 signed 3 of 3 checkpoints, the newest over 42 records",
    ]
    assert words[2].startswith("proved: 42 records in one unbroken order; tree root ")
    assert words[3:] == [
        "proved: every checkpoint that could be compared fits them (3)",
        "NOT SEEN: what 8 records hold: they have cards, and only their hashes are here",
        "NOT SEEN: whether more was recorded after record 42, and whether what was recorded is true",
    ]


def test_without_key_and_checkpoint_it_says_what_is_not_proved(file: Path) -> None:
    ran = check(exported(file))
    assert ran.returncode == 0
    assert "NOT SEEN: who made this" in ran.stdout
    assert "NOT SEEN: whether it was written anew as a whole" in ran.stdout


def lines_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "records.jsonl").read_text().splitlines()]


def rewrite(folder: Path, change: Callable[[list[dict[str, Any]]], object]) -> None:
    lines = lines_of(folder)
    change(lines)
    (folder / "records.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def body(line: dict[str, Any]) -> None:
    raw = bytearray(base64.b64decode(line["body"]))
    raw[-1] ^= 1
    line["body"] = base64.b64encode(raw).decode()


FIRST = 3  # the line of record 1, behind header and checkpoints


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: body(lines[FIRST]), "record 1 does not follow from the one before, or was changed"),
        (lambda lines: lines.pop(FIRST + 4), "record 5 is missing: the next one is 6"),
        (lambda lines: lines.pop(), "the export is cut off behind record 42"),
        (lambda lines: lines.pop(-2), "the export says that it ends at record 42, and it ends at 41"),
        (lambda lines: lines.append(lines[FIRST]), "the export goes on behind its end"),
        (lambda lines: lines[FIRST + 2].update(leaf="00" * 32), "the first 30 records are not those"),
        (lambda lines: lines[FIRST + 2].update(hash="00" * 32), "record 4 does not follow"),
        (lambda lines: lines[0].update(table="T2"), "a checkpoint is of feltd.journal/T1"),
        (
            lambda lines: lines[FIRST + 1].update(body=lines[FIRST]["body"]),
            "record 2 was written at another place",
        ),
        (
            lambda lines: lines[2].update(checkpoint=lines[2]["checkpoint"].replace("\n42\n", "\n41\n")),
            "the first 41 records are not those",
        ),
    ],
)
def test_whatever_is_done_to_an_export_is_found(
    file: Path, change: Callable[[list[dict[str, Any]]], object], words: str
) -> None:
    folder = exported(file)
    rewrite(folder, change)
    ran = check(folder, "--key", KEY)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert words in ran.stdout and ran.stdout.startswith("NOT SOUND: ")


def test_a_false_signature_and_a_foreign_key_are_found(file: Path) -> None:
    folder = exported(file)
    other = Signer(SIGNER.name, Ed25519PrivateKey.generate())
    foreign = check(folder, "--key", other.verifier().to_text())
    assert (foreign.returncode, "no checkpoint here is signed" in foreign.stdout) == (1, True)

    def forge(lines: list[dict[str, Any]]) -> None:
        note = Note.from_text(lines[2]["checkpoint"])
        line = note.signatures[0]
        forged = Note(note.text, (type(line)(line.name, line.id, bytes([line.signed[0] ^ 1]) + line.signed[1:]),))
        lines[2]["checkpoint"] = forged.to_text()

    rewrite(folder, forge)
    ran = check(folder, "--key", KEY)
    assert (ran.returncode, "is false" in ran.stdout) == (1, True)


def test_a_journal_that_was_written_anew_does_not_fit_what_was_kept(file: Path, tmp_path: Path) -> None:
    forged = tmp_path / "forged" / "journal.db"
    journal = Journal.open(forged, table=TABLE)
    fill(journal, [*KEYS] * 25)
    journal.close()
    ran = check(exported(forged), "--checkpoint", tmp_path / "kept.txt")
    assert (ran.returncode, ran.stdout) == (
        1,
        "NOT SOUND: the first 30 records are not those that a checkpoint names\n",
    )
    short = tmp_path / "short" / "journal.db"
    journal = Journal.open(short, table=TABLE)
    fill(journal, [*KEYS])
    journal.close()
    ran = check(exported(short), "--checkpoint", tmp_path / "kept.txt")
    assert ran.stdout == "NOT SOUND: the checkpoint names 30 records, and the journal has 2\n"


def test_the_word_of_a_witness_is_checked_too(file: Path, tmp_path: Path) -> None:
    witness = Signer("floor/witness", Ed25519PrivateKey.generate())
    note = Note.from_text((tmp_path / "kept.txt").read_text())
    cosigned = tmp_path / "cosigned.txt"
    cosigned.write_text(note.plus(witness.cosign(note.text, 1_700_000_000)).to_text(), encoding="utf-8")
    (tmp_path / "witness.key").write_text(witness.verifier(COSIGNED).to_text() + "\n")
    ran = check(exported(file), "--checkpoint", cosigned, "--key", tmp_path / "witness.key")
    assert "proved: floor/witness signed 1 of 3 checkpoints, the newest over 30 records" in ran.stdout


@pytest.mark.parametrize(
    "words", [("--key", "nonsense"), ("--checkpoint", "records.jsonl"), ("--checkpoint", "no-such-file")]
)
def test_what_cannot_be_read_is_no_verdict(file: Path, words: tuple[str, str]) -> None:
    ran = check(exported(file), *words)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("this cannot be checked: ")


def test_a_private_key_in_the_wrong_place_is_not_quoted(file: Path, tmp_path: Path) -> None:
    private = tmp_path / "journal.key"
    make_key(private, TABLE)
    secret, folder = private.read_text().strip(), exported(file)
    for option, text in (("--key", secret), ("--key", private), ("--checkpoint", private)):
        ran = check(folder, option, text)
        assert ran.returncode == 2 and secret[-20:] not in ran.stdout + ran.stderr, ran.stderr


@pytest.mark.parametrize("text", ["", "{}\n", "no json\n", "[]\n", '{"form": "feltd-journal-export-9"}\n'])
def test_what_is_no_export_is_no_verdict(file: Path, text: str) -> None:
    folder = exported(file)
    (folder / "records.jsonl").write_text(text)
    assert check(folder).returncode == 2


# ---- what is hidden


def test_no_card_leaves_the_table(file: Path) -> None:
    text = (exported(file) / "records.jsonl").read_text()
    bodies = [base64.b64decode(line["body"]) for line in map(json.loads, text.splitlines()) if "body" in line]
    assert len(bodies) == 34
    assert not any(b"Kh" in each for each in bodies)


def test_with_keys_for_its_cards_every_record_is_there_and_no_card(tmp_path: Path) -> None:
    path = tmp_path / "state" / "journal.db"
    play(tmp_path, veil_in(tmp_path), *round_of(DEAL))
    journal = Journal.open(path, table=TABLE, veil=veil_in(tmp_path))
    assert any(isinstance(facts.decode(record.payload), CardOut) for record in journal)
    keep(journal)
    proof = prove(journal, 5, journal.head.seq)
    assert included(proof.leaf, 4, proof.size, proof.root, proof.path)
    journal.close()
    folder = exported(path)
    ran = check(folder, "--key", KEY)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "only their hashes are here" not in ran.stdout
    bodies = [base64.b64decode(line["body"]) for line in lines_of(folder) if "body" in line]
    assert not any(card.encode() in each for each in bodies for card in DEAL[::3])  # those that nobody turned


@pytest.mark.parametrize(("before", "after"), [(0, 40), (5, 60), (15, 33), (16, 48), (20, 500)])
def test_a_card_without_salt_is_hidden_among_others_and_the_tree_still_fits(
    tmp_path: Path, before: int, after: int
) -> None:
    path = tmp_path / "old" / "journal.db"
    journal = Journal.open(path, table=TABLE)
    fill(journal, [KEYS[0]] * before)
    fill(journal, [CARD], salt=False)
    fill(journal, [KEYS[0]] * after)
    keep(journal)
    for line in shown_records(journal, 0).records:
        if "tree" not in line:
            assert not before + 1 <= line["seq"] <= before + BLOCK  # so many unknown times follow the card
    journal.close()
    ran = check(exported(path), "--key", KEY)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "NOT SEEN: what 32 records hold" in ran.stdout


@pytest.mark.parametrize("after", [0, 10, 20])
def test_a_card_without_salt_near_the_end_is_left_out(tmp_path: Path, after: int) -> None:
    path = tmp_path / "old" / "journal.db"
    journal = Journal.open(path, table=TABLE)
    fill(journal, [KEYS[0]] * 20)
    fill(journal, [CARD], salt=False)
    fill(journal, [KEYS[0]] * after)
    journal.close()
    ran = check(exported(path))
    assert ran.returncode == 0
    assert f"NOT SEEN: the last {21 + after - (16 if after < 11 else 32)} records" in ran.stdout


def test_a_fact_of_another_version_is_not_told() -> None:
    journal = Journal.open(None, table=TABLE)
    journal.append([Entry(1, b"\x81\xa4fact\xa7unheard")])
    journal.append([Entry(2, msgspec.msgpack.encode({"fact": "card", "card": "Kh", "face_up": "no"}))])
    assert [how_shown(record) for record in journal] == ["block", "block"]


# ---- felt


def test_a_record_is_proved(file: Path, tmp_path: Path) -> None:
    ran = felt("prove", 7, file, "--json")
    proof = json.loads(ran.stdout)
    journal = Journal.inspect(file)
    record = journal.read(7, 1)[0]
    journal.close()
    path = [bytes.fromhex(each) for each in proof["path"]]
    assert proof["leaf"] == leaf_hash(pack(7, record)).hex()
    assert included(bytes.fromhex(proof["leaf"]), 6, proof["size"], bytes.fromhex(proof["root"]), path)
    assert (proof["size"], proof["checkpoint"].splitlines()[1]) == (42, "42")
    shown = felt("prove", 7, file).stdout.splitlines()
    assert shown[:2] == ["record 7 of 42", f"leaf {proof['leaf']}"]
    assert "proof.unknown" in felt("prove", 43, file).output


def test_no_proof_tells_the_hash_of_a_card_without_salt(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = Journal.open(path, table=TABLE)
    fill(journal, [CARD], salt=False)
    fill(journal, [KEYS[0]] * 40)
    journal.close()
    assert "proof.hidden" in felt("prove", 16, path).output
    assert felt("prove", 17, path).exit_code == 0


def test_the_newest_checkpoint_is_printed_and_holds(file: Path, tmp_path: Path) -> None:
    printed = felt("checkpoint", file).stdout
    assert Note.from_text(printed).signatures[0].name == SIGNER.name
    (tmp_path / "newest.txt").write_text(printed, encoding="utf-8")
    ran = felt("verify", file, "--checkpoint", tmp_path / "newest.txt", "--key", KEY)
    assert "it contains exactly what the checkpoint says and the key signed it" in ran.stdout


def test_what_is_no_checkpoint_or_key_is_said(file: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello\n")
    (tmp_path / "bytes").write_bytes(b"\xff")
    assert "checkpoint.invalid" in felt("verify", file, "--checkpoint", tmp_path / "text").output
    assert "checkpoint.unreadable" in felt("verify", file, "--checkpoint", tmp_path / "bytes").output
    assert "checkpoint.unreadable" in felt("verify", file, "--checkpoint", tmp_path / "gone").output
    assert "checkpoint.key" in felt("verify", file, "--key", tmp_path / "text").output
    empty = tmp_path / "empty" / "journal.db"
    Journal.open(empty, table=TABLE).close()
    assert "checkpoint.none" in felt("checkpoint", empty).output


def test_only_the_whole_is_exported_into_a_new_folder(file: Path, tmp_path: Path) -> None:
    assert "journal.whole" in felt("export", file, "--inspector", tmp_path / "a", "--round", "1").output
    assert "journal.unwritable" in felt("export", file, "--inspector", tmp_path).output


def test_the_running_daemon_exports_proves_and_verifies_the_same(house: House, tmp_path: Path) -> None:
    house.wait(lambda: felt("checkpoint", house=house).exit_code == 0)
    (tmp_path / "note.txt").write_text(felt("checkpoint", house=house).stdout, encoding="utf-8")
    ran = felt("verify", "--checkpoint", tmp_path / "note.txt", house=house)
    assert (ran.exit_code, "exactly what the checkpoint says" in ran.stdout) == (0, True)
    assert felt("prove", 1, house=house).stdout.startswith("record 1 of ")
    assert "proof.unknown" in felt("prove", 9999, house=house).output
    assert "checkpoint.invalid" in felt("verify", "--checkpoint", house.config, house=house).output
    assert felt("export", "--inspector", tmp_path / "out", house=house).exit_code == 0
    checked = check(tmp_path / "out", "--checkpoint", tmp_path / "note.txt")
    assert (checked.returncode, checked.stderr) == (0, "")


def test_a_key_is_made_and_its_public_part_is_printed(house: House, tmp_path: Path) -> None:
    new = felt("key", tmp_path / "journal.key", "--new", "--config", house.config)
    assert new.stdout.startswith("feltd.journal/T1+"), new.output
    assert felt("key", tmp_path / "journal.key", "--config", house.config).stdout == new.stdout
    assert "journal-key.exists" in felt("key", tmp_path / "journal.key", "--new", "--config", house.config).output
    assert "journal-key.nowhere" in felt("key", "--config", house.config).output


def test_the_doctor_says_whether_the_journal_is_signed(
    house: House, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.wait(lambda: felt("checkpoint", house=house).exit_code == 0)
    (unsigned,) = daemon.signing(str(house.socket))
    assert (unsigned.state, unsigned.code) == ("warn", "journal.unsigned")
    assert unsigned.next_step
    note = felt("checkpoint", file).stdout
    monkeypatch.setattr(daemon, "Client", lambda *_: SimpleNamespace(get=lambda *_: {"checkpoints": [note]}))
    (good,) = daemon.signing("")
    assert (good.state, good.text) == ("ok", "42 records signed by feltd.journal/T1")
