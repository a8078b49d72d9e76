"""What card readers and bet sensors of Crown Poker say becomes a fact; nothing of it is lost."""

from __future__ import annotations

import pytest

from controller.service.translate import to_fact
from controller.table import facts as f
from drivers import readings as r


@pytest.mark.parametrize(
    ("device", "reading", "fact"),
    [
        ("reader.3", r.CardsLaid(("Kh",)), f.CardRead("3", "Kh")),
        ("reader.3", r.CardsLaid((None,)), f.CardRead("3", "??")),
        ("reader.3", r.CardsLaid(("5c",), True), f.CardRead("3", "5c", True)),
        ("reader.board", r.CardsLaid(("7d", "7c")), f.CardRead("board", "7d", together=("7d", "7c"))),
        ("reader.board", r.CardsLaid((None, "7c")), f.CardRead("board", "??", together=("??", "7c"))),
        ("reader.board", r.Fault("reader.card-code"), f.CardRead("board", "??")),
        ("reader.3", r.Fault("reader.dark"), f.DeviceFault("reader.3", "reader.dark")),
        ("reader.3", r.CardsLifted(1), f.Noted("reader.3", "CardsLifted")),
        ("sensor.3", r.ChipsPushed((1000, 500)), f.Pushed(3, (1000, 500))),
    ],
)
def test_every_reading_is_one_fact(device: str, reading: r.Reading, fact: f.AnyFact) -> None:
    assert to_fact(device, 3, reading) == fact
    assert f.decode(f.encode(fact)) == fact
