"""Declared keys: forms, alternatives, and that each has something to do."""

from __future__ import annotations

import pytest

from controller.table.declare import AREA, CARD, HAND, NTH, SETTING, Argument, Key, handlers, many, optional, word

SHORT = Key("short", AREA, optional(NTH | word("all")), says="this place did not get that card")
NOTICE = Key("notice", many(SETTING | word("close-table", "close-jackpot")), says="the sign announces it")
TAKEN = Key("taken", AREA, optional(many(CARD)), says="the cards were taken by mistake")
ACT = Key("act", AREA, word("fold"), also=((AREA, word("raise"), NTH),), says="the player acts")


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (SHORT, "3"),
        (SHORT, "3.2 4"),
        (SHORT, "3 all"),
        (NOTICE, "min=5 max=100"),
        (NOTICE, "close-table"),
        (TAKEN, "1"),
        (TAKEN, "1 Kh 2d 2d"),
        (ACT, "1 fold"),
        (ACT, "1 raise 60"),
    ],
)
def test_words_that_fit(key: Key, words: str) -> None:
    assert key.misfit(tuple(words.split())) == ""


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (SHORT, ""),
        (SHORT, "all"),
        (SHORT, "3 0"),
        (SHORT, "3 1 2"),
        (NOTICE, ""),
        (NOTICE, "close-table min=5"),
        (NOTICE, "min=5 close-table"),
        (NOTICE, "close-table close-jackpot"),
        (NOTICE, "x=" + "9" * 300),
        (NOTICE, " ".join(["min=" + "9" * 190] * 20)),
        (TAKEN, "Kh"),
        (TAKEN, "1 Kh 2"),
        (ACT, "1 raise"),
        (ACT, "1 fold 60"),
    ],
)
def test_words_that_do_not(key: Key, words: str) -> None:
    assert key.misfit(tuple(words.split())).startswith(f"{key.name} does not come ")


def test_a_misfit_repeats_no_card() -> None:
    assert SHORT.misfit(("Kh", "10s")).startswith('short does not come with "?? ??": write short AREA ')


def test_how_people_write_a_key() -> None:
    assert SHORT.written == ("short AREA [N|all]",)
    assert ACT.written == ("act AREA fold", "act AREA raise N")
    assert TAKEN.written == ("taken AREA [CARD ...]",)


def test_which_keys_name_cards() -> None:
    assert TAKEN.names_cards and Key("reconstruct", many(HAND), says="").names_cards
    assert not SHORT.names_cards


def test_only_the_last_argument_may_be_left_out() -> None:
    with pytest.raises(ValueError, match="only the last argument"):
        Key("short", optional(AREA), NTH, says="")


@pytest.mark.parametrize("does", [{}, {"short": 1, "long": 2}])
def test_every_key_has_a_handler_and_every_handler_a_key(does: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="without"):
        handlers((SHORT,), does)


def test_two_keys_of_one_name_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="short"):
        handlers((SHORT, SHORT), {"short": 1})


def test_an_argument_of_two_kinds_takes_either() -> None:
    either: Argument = AREA | CARD
    assert either.kind_of("3") == AREA.kinds[0] and either.kind_of("Kh") == CARD.kinds[0]
    assert either.kind_of("x") is None


def test_a_key_is_shown_by_its_forms() -> None:
    assert repr(ACT) == "Key('act AREA fold or act AREA raise N')"
