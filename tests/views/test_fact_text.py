"""Every kind of fact has words for people."""

from __future__ import annotations

from typing import get_args

from controller.table.facts import AnyFact
from controller.views.fact_text import TEXTS


def test_no_fact_is_told_by_the_name_of_its_class() -> None:
    assert set(TEXTS) == set(get_args(AnyFact))
