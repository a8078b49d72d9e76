"""Cards in the journal's files: hidden from who has no key, open for good when they were turned, and provable."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.cards import DECK, UNREAD
from controller.errors import FeltError
from controller.journal.records import Record
from controller.journal.veil import NO_VEIL
from controller.service.audit import verify
from controller.service.card_cipher import card_secret
from controller.service.card_veil import SEALED, CardVeil, hidden_in
from controller.service.closed_cards import CardsClosed
from controller.service.day_keys import DayKeys, in_memory
from controller.service.disclosure import disclosed
from controller.service.hidden_facts import opened as opened_with
from controller.service.journal_encoding import journal_bytes
from controller.service.retelling import rounds
from controller.table import facts
from controller.table.facts import Amend, AnyFact, CardOut, CardRead, CardsOut, Chips, Hidden, Key, Spot, Turned
from controller.views.cards import ALL
from tests.service.hidden_table import DEAL, forge, journal_in, play, round_of, stored, veil_in, words

CARDS = st.sampled_from([*DECK, UNREAD])
TOLD = st.one_of(
    CARDS.map(CardOut),
    st.text(min_size=0, max_size=80).map(CardOut),  # what a broken device may tell
    st.lists(CARDS, min_size=1, max_size=7).map(lambda cards: CardsOut(tuple(cards))),
    st.tuples(CARDS, st.lists(CARDS, max_size=3)).map(lambda each: CardRead("1", each[0], together=tuple(each[1]))),
    st.sampled_from(DECK).map(lambda card: Key("card", (f"1={card}",))),  # people name cards that they see
    CARDS.map(lambda card: Amend(3, CardOut(card), "Ann")),
    st.integers(1, 10**9).map(lambda amount: Chips(1, (Spot("war", 1, amount),), covered=True)),
)


def nothing(_seq: int) -> bytes:
    raise AssertionError("no other record was asked for")


@given(TOLD)
def test_what_is_hidden_is_read_as_it_was_written(fact: AnyFact) -> None:
    veil = CardVeil(DayKeys(in_memory))
    payload = journal_bytes(fact, facts.encode(fact))
    kept = veil.hide(payload, 0, nothing)
    assert isinstance(facts.decode(kept), Hidden) and veil.open(kept) == payload
    assert not set(words(kept)) & set(DECK)
    assert CardVeil(DayKeys(in_memory)).open(kept) == kept  # with other keys


def test_nothing_shows_which_card_it_is() -> None:
    veil = CardVeil(DayKeys(in_memory))
    kept = [veil.hide(journal_bytes(CardOut(card), b""), 0, nothing) for card in (*DECK, UNREAD, "??")]
    assert len({len(each) for each in kept}) == 1  # not even whether it could be read
    assert len(set(kept)) == len(kept)  # nor that two are the same


# ---- the files


def plain_forms(cards: tuple[str, ...]) -> Iterator[bytes]:
    """How cards stand in facts and tables that are stored in plain; longer than chance would make by itself."""
    for card in cards:
        yield facts.encode(CardOut(card))[-8:]
    for one, other in permutations(cards, 2):
        yield msgspec.msgpack.encode([one, other])[1:]


def files(directory: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file())


@settings(max_examples=8, deadline=None)
@given(st.permutations(DECK))
def test_no_file_has_a_card_in_plain(deck: list[str]) -> None:
    rounds_dealt = [tuple(deck[n : n + 9]) for n in (0, 9)] + [tuple(deck[18:25])]
    told = [fact for cards in rounds_dealt for fact in round_of(cards, over=len(cards) == 9)]
    with TemporaryDirectory() as folder:
        directory = Path(folder)
        play(directory, veil_in(directory), *told, snapshot=True)
        everything = files(directory)
        assert [form for cards in rounds_dealt for form in plain_forms(cards) if form in everything] == []
        assert not set(DECK) & {word for payload in stored(directory) for word in words(payload)}
        assert SEALED in everything


def test_without_a_veil_they_would_be_found(tmp_path: Path) -> None:
    play(tmp_path, NO_VEIL, *round_of(DEAL), snapshot=True)
    everything = files(tmp_path)
    assert all(form in everything for form in (facts.encode(CardOut(card))[-8:] for card in DEAL))
    assert any(form in everything for form in plain_forms(DEAL[:2]))


# ---- turned cards


def shown(directory: Path) -> list[str]:
    """The cards that somebody reads who has the files, and no key."""
    journal = journal_in(directory)
    try:
        told = [fact for _, fact in disclosed(journal, journal.read(1), {})]
    finally:
        journal.close()
    return [fact.card for fact in told if isinstance(fact, CardOut)]


def test_what_was_turned_is_read_without_a_key_and_nothing_else(tmp_path: Path) -> None:
    play(tmp_path, veil_in(tmp_path), *round_of(DEAL))
    assert shown(tmp_path) == [UNREAD if n % 3 == 0 else card for n, card in enumerate(DEAL)]


def test_of_a_round_that_runs_nothing_is_read_without_a_key(tmp_path: Path) -> None:
    play(tmp_path, veil_in(tmp_path), *round_of(DEAL, over=False))
    assert shown(tmp_path) == [UNREAD] * 9


def test_turned_has_the_secrets_of_the_turned_cards_alone(tmp_path: Path) -> None:
    play(tmp_path, veil_in(tmp_path), *round_of(DEAL))
    (turned,) = [fact for each in stored(tmp_path) if isinstance(fact := facts.decode(each), Turned)]
    assert {seq for seq, _, _ in turned.secrets} == {seq for seq, _ in turned.cards}
    assert len({secret for _, _, secret in turned.secrets}) == 6
    folded = [hidden_in(each) for each in stored(tmp_path)]
    keys = {secret for _, _, secret in turned.secrets}
    for hidden in [each for each in folded if each is not None]:  # no secret opens two cards
        assert sum(opened_with(hidden, {1: key}) is not None for key in keys) <= 1


# ---- verify


def test_with_keys_everything_is_checked_and_told_again(tmp_path: Path) -> None:
    veil = veil_in(tmp_path)
    play(tmp_path, veil, *round_of(DEAL), snapshot=True)
    report = verify(tmp_path / "state" / "journal.db", replay=True, veil=veil)
    assert (report.ok, report.notes) == (True, ("there is no index of rounds to compare the settlements with",))


def test_without_keys_it_says_what_it_could_not_open(tmp_path: Path) -> None:
    play(tmp_path, veil_in(tmp_path), *round_of(DEAL), snapshot=True)
    report = verify(tmp_path / "state" / "journal.db", replay=True)
    assert report.ok
    assert "3 cards could not be opened" in report.notes[0] and "6 turned cards" in report.notes[0]
    assert any("compared with its digest alone" in note for note in report.notes)
    assert any("no fact was told again" in note for note in report.notes)


@pytest.mark.parametrize("turned", [True, False])
def test_another_card_in_the_place_of_one_is_found(tmp_path: Path, turned: bool) -> None:
    veil = veil_in(tmp_path)
    play(tmp_path, veil, *round_of(DEAL))
    payloads = stored(tmp_path)
    places = [seq for seq, each in enumerate(payloads, 1) if hidden_in(each) is not None]
    seq, other = (places[1], places[2]) if turned else (places[0], places[3])
    mine, theirs = hidden_in(payloads[seq - 1]), hidden_in(payloads[other - 1])
    assert mine is not None and theirs is not None
    forge(tmp_path, seq, facts.encode(replace(mine, cards=theirs.cards)))
    path = tmp_path / "state" / "journal.db"
    with_keys, without = verify(path, veil=veil), verify(path)
    assert (with_keys.ok, with_keys.code, with_keys.first_bad) == (False, "card.altered", seq)
    assert without.ok is not turned  # a card that was never turned proves nothing to who has no key


# ---- keys that are not there


def test_a_start_without_the_keys_is_refused_by_name(tmp_path: Path) -> None:
    play(tmp_path, veil_in(tmp_path), *round_of(DEAL, over=False), snapshot=True)
    before = stored(tmp_path)
    for veil in (NO_VEIL, CardVeil(DayKeys(in_memory))):
        with pytest.raises(CardsClosed) as refused:
            play(tmp_path, veil)
        assert refused.value.code == "cards.closed" and "record" in refused.value.cause
    assert stored(tmp_path) == before
    play(tmp_path, veil_in(tmp_path))  # and with them it goes on


def test_with_a_destroyed_day_the_table_goes_on_and_its_hidden_cards_are_gone(tmp_path: Path) -> None:
    veil = veil_in(tmp_path)
    play(tmp_path, veil, *round_of(DEAL))
    (day,) = veil.keys.all()
    later = day.began + 3 * 86_400_000_000
    play(tmp_path, veil, *round_of(DEAL[::-1]), at=later, snapshot=True)
    veil.keys.destroy([day.name])
    again = veil_in(tmp_path)
    assert [bool(each.secret) for each in again.keys.all()] == [False, True]
    play(tmp_path, again, *round_of(DEAL), at=later)
    assert shown(tmp_path)[:9] == [UNREAD if n % 3 == 0 else card for n, card in enumerate(DEAL)]  # turned for good
    report = verify(tmp_path / "state" / "journal.db", replay=True, veil=again)
    assert report.ok and "3 cards could not be opened" in report.notes[0]
    journal = journal_in(tmp_path, again)
    with pytest.raises(CardsClosed):
        list(rounds(journal))
    journal.close()


def test_an_old_journal_goes_on_hidden(tmp_path: Path) -> None:
    play(tmp_path, NO_VEIL, *round_of(DEAL))
    veil = veil_in(tmp_path)
    play(tmp_path, veil, *round_of(DEAL))
    journal = journal_in(tmp_path, veil)
    cards = [fact.card for each in journal if isinstance(fact := facts.decode(each.payload), CardOut)]
    assert cards == [*DEAL, *DEAL]
    assert len(list(rounds(journal))) == 2
    journal.close()
    hidden = [isinstance(facts.decode(each), Hidden) for each in stored(tmp_path)]
    assert hidden.count(True) == 9
    assert shown(tmp_path) == [UNREAD if n % 3 == 0 else card for n, card in enumerate((*DEAL, *DEAL))]


def test_a_record_keeps_what_it_had(tmp_path: Path) -> None:
    veil = veil_in(tmp_path)
    play(tmp_path, veil, *round_of(DEAL), at=5)
    plain, kept = journal_in(tmp_path, veil), journal_in(tmp_path)
    opened: list[Record] = plain.read(1)
    plain.close()
    raw = kept.read(1)
    kept.close()
    assert [(each.seq, each.at_us, each.device) for each in opened] == [(e.seq, e.at_us, e.device) for e in raw]


@pytest.mark.parametrize("change", ["one more", "none", "whole"])
def test_a_hidden_fact_that_nobody_of_ours_made_is_found_and_stops_the_start_by_name(
    tmp_path: Path, change: str
) -> None:
    """Its chain is perfect; what it hides is not of the form that a card has."""
    veil = veil_in(tmp_path)
    play(tmp_path, veil, *round_of(DEAL))
    payloads = stored(tmp_path)
    seq = next(n for n, each in enumerate(payloads, 1) if hidden_in(each) is not None)
    hidden = hidden_in(payloads[seq - 1])
    assert hidden is not None
    forged = {
        "one more": replace(hidden, cards=hidden.cards * 2),
        "none": replace(hidden, cards=()),
        "whole": replace(hidden, cards=hidden.cards * 2, whole=True),
    }
    forge(tmp_path, seq, facts.encode(forged[change]))
    report = verify(tmp_path / "state" / "journal.db", veil=veil)
    assert (report.ok, report.code, report.first_bad) == (False, "card.altered", seq)
    assert verify(tmp_path / "state" / "journal.db").checked  # and without the keys nothing raises
    with pytest.raises(FeltError) as refused:
        play(tmp_path, veil)
    assert refused.value.code == "cards.closed"


@pytest.mark.parametrize("number", [ALL, 1, 416])
def test_the_secret_of_a_card_is_what_hkdf_derives(number: int) -> None:
    day, salt = bytes(range(32)), bytes(range(16))
    info = b"feltd card 1\0" + number.to_bytes(2) + salt
    assert card_secret(day, salt, number) == HKDFExpand(SHA256(), 32, info).derive(day)
