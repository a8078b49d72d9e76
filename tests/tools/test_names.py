"""Names say what a thing is: words that only say how we came by it name nothing."""

from __future__ import annotations

import pytest

from tools.names import ACCEPTED, check, main, twice


@pytest.mark.parametrize(
    "source",
    ["told = 1", "x.heard = 1", "def said(): ...", "class Mine: ...", "def f(there): ...", "for _found in (): ..."],
)
def test_a_name_that_says_nothing_is_listed(source: str) -> None:
    assert len(check(source)) == 1


@pytest.mark.parametrize("source", ["identity = x.told", "f(found=1)", "def meter_told(): ...", "'said'"])
def test_what_others_named_and_longer_names_are_left_alone(source: str) -> None:
    assert check(source) == []


def test_one_name_for_two_classes_is_listed_unless_it_is_private() -> None:
    assert twice({"a": "class Card: ...\nclass _Own: ...", "b": "class Card: ...\nclass _Own: ..."}) == [
        ("Card", ["a", "b"])
    ]


def test_a_name_that_is_accepted_for_nothing_is_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(ACCEPTED, "Once", "no reason")
    assert main() == 1
    assert capsys.readouterr().out == "ACCEPTED: Once stands once\n"  # and nothing of ours is called so
