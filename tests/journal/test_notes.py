"""Notes and checkpoints are those of C2SP: what others signed holds here, and what is false does not."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from controller.journal.checkpoints import Checkpoint, checkpoint_of, origin_of
from controller.journal.notes import COSIGNED, Note, Verifier
from controller.journal.signing import Signer, cosigned_at, signed_by
from controller.journal.tree import Frontier, leaf_hash

# The example of the Go implementation that the form comes from.
NEUMANN = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
SIGNED = """If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
"""
# The example of the specification of checkpoints, with a witness.
SOFA = (
    "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "— example.com/behind-the-sofa "
    "Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
    "— witness.example.com/w1 "
    "jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"
)


@pytest.fixture
def signer() -> Signer:
    return Signer(origin_of("T1"), Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


def test_a_note_that_another_program_signed_holds() -> None:
    note, verifier = Note.from_text(SIGNED), Verifier.from_text(NEUMANN)
    assert signed_by(note, verifier)
    assert note.to_text() == SIGNED
    assert verifier.to_text() == NEUMANN
    assert not signed_by(Note(note.text.replace("answer", "question"), note.signatures), verifier)


def test_the_example_of_the_specification_is_read() -> None:
    note = Note.from_text(SOFA)
    checkpoint = Checkpoint.from_text(note.text)
    assert (checkpoint.origin, checkpoint.size, checkpoint.table) == ("example.com/behind-the-sofa", 20852163, "")
    assert checkpoint.to_text() == note.text
    assert note.to_text() == SOFA
    assert [line.name for line in note.signatures] == ["example.com/behind-the-sofa", "witness.example.com/w1"]
    assert int.from_bytes(note.signatures[1].signed[:8], "big") == 1679315147  # as the specification says


def test_what_we_sign_holds_for_our_key_alone(signer: Signer) -> None:
    text = checkpoint_of("T1", Frontier().plus([leaf_hash(b"a")])).to_text()
    note = Note.from_text(Note(text).plus(signer.sign(text)).to_text())
    assert signed_by(note, Verifier.from_text(signer.verifier().to_text()))
    other = Signer(signer.name, Ed25519PrivateKey.generate())
    assert not signed_by(note, other.verifier())
    assert not signed_by(Note(text), signer.verifier())
    both = note.plus(other.sign(text))
    assert signed_by(both, signer.verifier()) and signed_by(both, other.verifier())


def test_a_false_line_of_a_known_key_spoils_the_note(signer: Signer) -> None:
    text = checkpoint_of("T1", Frontier()).to_text()
    note = Note(text).plus(signer.sign(text)).plus(signer.sign("something else\n"))
    assert not signed_by(note, signer.verifier())


def test_a_witness_signs_with_its_time(signer: Signer) -> None:
    witness = Signer("floor/witness", Ed25519PrivateKey.generate())
    text = checkpoint_of("T1", Frontier()).to_text()
    note = Note.from_text(Note(text).plus(signer.sign(text)).plus(witness.cosign(text, 1_700_000_000)).to_text())
    seen = cosigned_at(note, [witness.verifier(COSIGNED), signer.verifier(), signer.verifier(COSIGNED)])
    assert seen == {"floor/witness": 1_700_000_000}
    line = note.signatures[1]
    later = type(line)(line.name, line.id, (1_800_000_000).to_bytes(8, "big") + line.signed[8:])
    assert cosigned_at(Note(text, (later,)), [witness.verifier(COSIGNED)]) == {}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no newline",
        "tab\there\n",
        "text\n\n",
        "text\n\nno signature\n",
        "text\n\n— name not-base64!\n",
        "text\n\n— name AAAA\n",
        "text\n\n— na+me AAAAAAAAAA==\n",
        "x" * 70_000 + "\n",
        "text\n\n" + "— name AAAAAAAAAA==\n" * 65,
    ],
)
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="note"):
        Note.from_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\n1\n",
        "\n1\n" + "A" * 43 + "=\n",
        "a\n01\n" + "A" * 43 + "=\n",
        "a\n-1\n" + "A" * 43 + "=\n",
        "a\n1\nAAAA\n",
        "a\n1\n!\n",
        "a\n1\n" + "A" * 43 + "=",
        "a\n1\n" + "A" * 43 + "=\n\nb\n",
    ],
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="this is no checkpoint"):
        Checkpoint.from_text(text)


@pytest.mark.parametrize(
    "text", ["", "name", "name+00000000+AAAA", NEUMANN.replace("c74f20a3", "c74f20a4"), NEUMANN.replace("+AR", "+BR")]
)
def test_what_is_no_verifier_key_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="verifier key"):
        Verifier.from_text(text)


def test_extension_lines_are_kept() -> None:
    text = "log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\nmore\neven more\n"
    assert Checkpoint.from_text(text).extensions == ("more", "even more")
    assert Checkpoint.from_text(text).to_text() == text


def test_a_key_with_an_impossible_name_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be named"):
        Signer("two words", Ed25519PrivateKey.generate())


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=20))
def test_any_table_has_an_origin(table: str) -> None:
    assert Signer(origin_of(table), Ed25519PrivateKey.generate()).name == origin_of(table)
    assert checkpoint_of(table, Frontier()).table == table


@pytest.mark.parametrize(("at", "holds"), [(253_402_300_799, True), (253_402_300_800, False), (2**64 - 1, False)])
def test_a_witness_that_signs_a_time_of_no_calendar_is_not_believed(at: int, holds: bool) -> None:
    witness = Signer("feltd.witness/T2", Ed25519PrivateKey.generate())
    note = Note(SIGNED).plus(witness.cosign(SIGNED, at))
    assert signed_by(note, witness.verifier(COSIGNED)) is holds
    assert bool(cosigned_at(note, [witness.verifier(COSIGNED)])) is holds
