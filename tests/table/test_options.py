"""What a struct of options declares of each of them."""

from __future__ import annotations

from typing import Annotated

import pytest

from controller.table.options import OfJackpot as JACKPOT
from controller.table.options import Options, fields, jackpot_options
from controller.table.values import one_of


class Odd(Options, frozen=True, kw_only=True):
    bare: Annotated[str, one_of(("a", "b"))] = "a"
    told: Annotated[str, one_of(("c", "d")), "which of them", JACKPOT] = "c"


class Closer(Odd, frozen=True, kw_only=True):
    told: Annotated[str, one_of(("d",))] = "d"


def test_an_option_that_is_not_explained_has_no_meaning() -> None:
    assert fields(Odd)["bare"].meaning == ""
    assert fields(Odd)["told"].meaning == "which of them"


def test_what_is_bound_more_closely_is_explained_by_what_stands_above() -> None:
    closer = fields(Closer)["told"]
    assert (closer.meaning, closer.of_jackpot, closer.default) == ("which of them", True, "d")
    assert jackpot_options(Closer) == {"told"}


def test_an_option_says_what_kind_of_value_it_has() -> None:
    class Unsaid(Options, frozen=True, kw_only=True):
        bare: str = ""

    with pytest.raises(TypeError, match="what kind of value"):
        fields(Unsaid)
