"""A witness takes what follows from what it knows, remembers it before it signs, and nothing makes it forget."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from controller.journal.checkpoints import origin_of
from controller.journal.notes import COSIGNED, Note
from controller.journal.proofs import consistency_proof, later_proof
from controller.journal.signing import Signer, cosigned_at
from controller.journal.tree import Frontier
from controller.journal.witness_memory import WitnessMemory
from controller.journal.witnessing import Submission, WitnessError, cosigner_key, journal_key, witness_name
from tests.journal.shown import FORGED, KEY, SIGNER, TRUE, submission

AT = 1_800_000_000


class Dead(BaseException):
    """The power went."""


class DyingSigner(Signer):
    """Dies before it answers."""

    def cosign(self, text: str, at: int) -> None:  # type: ignore[override]
        raise Dead


def witness(folder: Path, kind: type[Signer] = Signer) -> WitnessMemory:
    key = Ed25519PrivateKey.from_private_bytes(b"w" * 32)
    return WitnessMemory(folder, kind(witness_name("T2"), key), [KEY])


def refused(memory: WitnessMemory, shown: Submission) -> tuple[str, int]:
    with pytest.raises(WitnessError) as caught:
        memory.add(shown, AT)
    assert caught.value.cause and caught.value.next_step
    return caught.value.code, caught.value.known


@pytest.mark.parametrize("size", range(18))
def test_a_proof_from_the_frontier_is_the_one_from_all_leaves(size: int) -> None:
    for before in range(size + 1):
        frontier = Frontier().plus(TRUE[:before])
        assert later_proof(frontier, TRUE[before:size]) == consistency_proof(TRUE[:size], before)


def test_a_request_is_read_as_it_was_written() -> None:
    shown = submission(5, 12)
    assert Submission.from_text(shown.to_text()) == shown
    assert shown.to_text().startswith("old 5\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "old 5\n",
        "old -1\n\n" + submission(0, 3).note.to_text(),
        "old 05\n\n" + submission(0, 3).note.to_text(),
        "old 4\n\n" + submission(0, 3).note.to_text(),  # behind the checkpoint
        "old 1\nAAAA\n\n" + submission(0, 3).note.to_text(),
        "old 1\nnot base64\n\n" + submission(0, 3).note.to_text(),
        "old 1\n" + "A" * 43 + "=\n" * 1 + ("A" * 43 + "=\n") * 63 + "\n" + submission(0, 3).note.to_text(),
        "old 0\n\nno checkpoint\n",
    ],
)
def test_what_is_no_request_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        Submission.from_text(text)


def test_a_journal_that_only_grows_is_cosigned(tmp_path: Path) -> None:
    memory = witness(tmp_path / "w")
    for old, size in ((0, 5), (5, 5), (5, 12), (12, 40)):
        note = memory.add(submission(old, size), AT)
        key = Signer(witness_name("T2"), Ed25519PrivateKey.from_private_bytes(b"w" * 32)).verifier(COSIGNED)
        assert cosigned_at(note, [key]) == {"feltd.witness/T2": AT}
        known = witness(tmp_path / "w").newest(KEY.name, KEY.id.hex())
        assert known == submission(0, size).note
    assert memory.forks() == []


@pytest.mark.parametrize(
    ("shown", "code"),
    [
        (submission(5, 9), "witness.rollback"),  # cut
        (submission(12, 12, FORGED), "witness.fork"),  # rewritten, as long as before
        (submission(12, 20, FORGED), "witness.fork"),  # rewritten, and longer
        (replace(submission(12, 20), proof=submission(12, 21).proof), "witness.fork"),
        (replace(submission(12, 20), proof=()), "witness.fork"),
        (submission(0, 20), "witness.stale"),
        (submission(5, 20), "witness.stale"),
    ],
)
def test_what_does_not_follow_is_refused_and_changes_nothing(tmp_path: Path, shown: Submission, code: str) -> None:
    memory = witness(tmp_path / "w")
    memory.add(submission(0, 12), AT)
    assert refused(memory, shown) == (code, 12)
    assert memory.newest(KEY.name, KEY.id.hex()) == submission(0, 12).note
    memory.add(submission(12, 20), AT)


def test_a_clone_that_signs_its_own_history_leaves_the_proof_with_either_witness(tmp_path: Path) -> None:
    one, two = witness(tmp_path / "one"), witness(tmp_path / "two")
    one.add(submission(0, 12), AT)
    two.add(submission(0, 12, FORGED), AT)
    assert refused(one, submission(12, 12, FORGED))[0] == "witness.fork"
    assert refused(two, submission(12, 12))[0] == "witness.fork"
    for memory, folder in ((one, "one"), (two, "two")):
        assert [each.code for each in memory.forks()] == ["witness.fork"]
        texts = [Note.from_text(file.read_text()) for file in sorted((tmp_path / folder).iterdir())]
        assert {note.text for note in texts} == {submission(0, 12).note.text, submission(0, 12, FORGED).note.text}


def test_only_listed_journals_are_cosigned_and_only_by_their_key(tmp_path: Path) -> None:
    stranger = Signer(origin_of("T9"), Ed25519PrivateKey.generate())
    forger = Signer(origin_of("T1"), Ed25519PrivateKey.generate())
    memory = witness(tmp_path / "w")
    text = submission(0, 3).note.text.replace("/T1\n", "/T9\n")
    assert refused(memory, Submission(0, (), Note(text).plus(stranger.sign(text))))[0] == "witness.unknown"
    assert refused(memory, submission(0, 3, signer=forger))[0] == "witness.signature"
    assert refused(memory, replace(submission(0, 3), note=Note(submission(0, 3).note.text)))[0] == "witness.signature"
    assert not (tmp_path / "w").exists()
    with pytest.raises(WitnessError):
        memory.newest(KEY.name, "00000000")


def test_a_witness_that_dies_before_its_answer_knows_what_it_was_shown(tmp_path: Path) -> None:
    with pytest.raises(Dead):
        witness(tmp_path / "w", DyingSigner).add(submission(0, 12), AT)
    again = witness(tmp_path / "w")
    assert refused(again, submission(0, 12)) == ("witness.stale", 12)  # so the table proves it from there
    assert refused(again, submission(12, 12, FORGED))[0] == "witness.fork"
    again.add(submission(12, 12), AT)


def test_what_is_remembered_is_on_the_disk_before_it_is_signed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    sync, sign = os.fsync, Signer.cosign

    def synced(descriptor: int) -> None:
        order.append("fsync")
        sync(descriptor)

    def cosign(self: Signer, text: str, at: int) -> object:
        order.append("sign")
        return sign(self, text, at)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Signer, "cosign", cosign)
    witness(tmp_path / "w").add(submission(0, 12), AT)
    assert order == ["fsync", "fsync", "sign"]  # the file, then its name


@pytest.mark.parametrize("damage", ["", "nonsense\n", submission(0, 12).note.text, "\x00" * 100])
def test_a_damaged_memory_is_named_and_nothing_is_cosigned(tmp_path: Path, damage: str) -> None:
    memory = witness(tmp_path / "w")
    memory.add(submission(0, 12), AT)
    (file,) = (tmp_path / "w").iterdir()
    file.write_text(damage)
    assert refused(memory, submission(12, 20))[0] == "witness.memory"
    assert file.read_text() == damage


def test_a_full_disk_gives_no_cosignature(tmp_path: Path) -> None:
    (tmp_path / "w").write_text("a file stands where the folder would be")
    assert refused(witness(tmp_path / "w"), submission(0, 12))[0] == "witness.memory"


def test_a_journal_and_a_witness_have_different_keys() -> None:
    line = SIGNER.verifier().to_text()
    assert journal_key(line) == KEY
    with pytest.raises(ValueError, match="not of a witness"):
        cosigner_key(line)
    other = SIGNER.verifier(COSIGNED).to_text()
    assert cosigner_key(other).type == COSIGNED
    with pytest.raises(ValueError, match="not of a journal"):
        journal_key(other)
