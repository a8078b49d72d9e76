"""Every option of `table`, in the games that know it, and what its value means."""

from __future__ import annotations

import pytest

from controller.games import GAMES, find
from controller.poker.options import Bonus, Rake
from controller.script import ScriptError, parse
from controller.script import model as m
from controller.table.options import fields

ALL = set(GAMES)
CROWN = {"holdem", "pineapple", "crazy-pineapple", "crazy-pineapple-hi-lo", "holdem-hi-lo", "omaha", "omaha-hi-lo"}
HOUSE = ALL - CROWN
NSW = {"caribbean-stud", "mississippi-stud", "ultimate-texas-holdem-nsw"}
VIC = {"wsop-bonus-holdem", "ultimate-texas-holdem-vic"}
ULTIMATE = {"ultimate-texas-holdem-nsw", "ultimate-texas-holdem-vic"}
WAR = {"casino-war"}
TCP = {"three-card-poker"}
WSOP = {"wsop-bonus-holdem"}

OPTIONS: list[tuple[set[str], str, object]] = [
    (ALL, "seats=7", 7),
    (ALL, "min=5", 500),
    (ALL, "max=500", 50_000),
    (ALL, "chip=0.50", 50),
    (HOUSE, "max-payout=100000", 10_000_000),
    (HOUSE, "max-payout=none", None),
    *((HOUSE, f"shoe={word}", word) for word in ("hand", "shuffler", "csm", "batch")),
    *((ALL, f"gates={word}", word) for word in ("auto", "manual")),
    *((HOUSE, f"announce={word}", word) for word in ("last-card", "key")),
    (HOUSE, "backs=red,blue", ("red", "blue")),
    *((VIC | WAR, f"burn={word}", word == "on") for word in ("on", "off")),
    *((TCP, f"tray={word}", word == "on") for word in ("on", "off")),
    (NSW, "approved-min=10", 1000),
    (WAR, "decks=6", 6),
    (WAR, "decks=9", 9),  # the table itself refuses this, with the rule
    (WAR, "players-per-area=3", 3),
    *((NSW | WAR, f"method={word}", word) for word in "AB"),
    *((TCP, f"ante-bonus={word}", word) for word in "ABC"),
    *((TCP, f"pair-plus={word}", word) for word in "ABCDEF"),
    (ULTIMATE, "preflop=3,4", (3, 4)),
    (ULTIMATE, "flop=2", (2,)),
    (ULTIMATE, "river=1", (1,)),
    *((WSOP, f"ante-pays={word}", word) for word in ("flush", "straight")),
    (WSOP, "action-button=3", 3),
    *((NSW | VIC, f"jackpot={word}", word) for word in ("nsw", "vic")),
    (NSW | VIC, "jackpot=none", None),
    (NSW | VIC, "jackpot-option=2", 2),
    (NSW | VIC, "jackpot-reset=20000", 2_000_000),
    (NSW | VIC, "jackpot-cost=5", 500),
    (NSW | VIC, "jackpot-rate=57.22%", 572_200),
    (NSW | VIC, "jackpot-group=North", "North"),
    (NSW | VIC, "jackpot-group=none", None),
    *((CROWN, f"limit={word}", word) for word in ("no-limit", "pot", "half-pot", "fixed", "spread")),
    (CROWN, "bets=10,20", (1000, 2000)),
    (CROWN, "blinds=5", (500,)),
    (CROWN, "blinds=5,10,20", (500, 1000, 2000)),
    (CROWN, "button=9", 9),
    *((CROWN, f"straddle={word}", word == "on") for word in ("on", "off")),
    *((CROWN, f"over-blinds={word}", word == "on") for word in ("on", "off")),
    (CROWN, "buy-in=200", 20_000),
    *((CROWN, f"rake-method={word}", word) for word in ("percent", "per-hand", "per-person", "time")),
    (CROWN, "rake=5%", Rake(50_000)),
    (CROWN, "rake=3", Rake(steps=((0, 300),))),
    (CROWN, "rake=2:3,5:5", Rake(steps=((2, 300), (5, 500)))),
    (CROWN, "cap=10", 1000),
    (CROWN, "cap=none", None),
    (CROWN, "act-time=30s", 30_000),
    (CROWN, "extra-time=1m", 60_000),
    (CROWN, "extra-times=2", 2),
    (CROWN, "extra-fee=5", 500),
    (CROWN, "bonus=royal-flush:500,four-of-a-kind:50", Bonus((("royal-flush", 50_000), ("four-of-a-kind", 5000)))),
]


def plain(game: str, name: str, text: str) -> str:
    """The value in the one way to write it, whether the rules allow it or not."""
    field = fields(find(game).options)[name]
    return field.write(field.read(text))


@pytest.mark.parametrize(("games", "written", "value"), OPTIONS, ids=[option[1] for option in OPTIONS])
def test_an_option_is_known_to_its_games_only(games: set[str], written: str, value: object) -> None:
    name, _, text = written.partition("=")
    for game in GAMES:
        script = f"table {game} {written}"
        if game in games:
            line = parse(script).runs[0].lines[0]
            assert line == m.TableLine(1, "", script, game, (m.Setting(name, text, plain(game, name, text)),))
            assert fields(find(game).options)[name].read(text) == value
        else:
            with pytest.raises(ScriptError, match=f'option "{name}" is not for {game}'):
                parse(script)


@pytest.mark.parametrize("verb", ["key set", "key notice", "expect sign", "expect notice"])
@pytest.mark.parametrize(("games", "written", "value"), OPTIONS, ids=[option[1] for option in OPTIONS])
def test_wherever_an_option_stands_it_is_checked_alike(verb: str, games: set[str], written: str, value: object) -> None:
    name, _, text = written.partition("=")
    for game in GAMES:
        script = f"table {game}\n{verb} {written}"
        if game not in games:
            with pytest.raises(ScriptError, match=f'option "{name}" is not for {game}'):
                parse(script)
            continue
        line = parse(script).runs[0].lines[1]
        if isinstance(line, m.KeyLine):
            assert line.args == (written,)
        else:
            assert isinstance(line, m.ExpectSign | m.ExpectNotice)
            assert line.settings == (m.Setting(name, text, plain(game, name, text)),)


@pytest.mark.parametrize(
    "written",
    [
        "seats=0", "seats=x", "seats=-1", "seats=", "seats", "min=5.001", "min=5,5", "min=$5", "method=C", "method=a",
        "shoe=foo", "gates=maybe", "backs=red", "backs=red,Blue", "backs=red,,blue", "announce=on", "decks=six",
        "decks=4..8", "burn=yes", "players-per-area=0", "max-payout=lots", "min==5",
    ],
)  # fmt: skip
def test_a_value_of_the_wrong_kind_is_malformed(written: str) -> None:
    with pytest.raises(ScriptError, match=written.partition("=")[0]):
        parse(f"table casino-war {written}")


@pytest.mark.parametrize(
    "written",
    [
        "bets=10", "bets=10,20,30", "blinds=", "blinds=5,", "rake=5%%", "rake=2:3,5", "rake=0:3", "rake=x", "limit=nl",
        "act-time=30", "bonus=royal-flush", "bonus=5:5", "button=3.2", "button=0", "straddle=1",
    ],
)  # fmt: skip
def test_a_crown_poker_value_of_the_wrong_kind_is_malformed(written: str) -> None:
    with pytest.raises(ScriptError, match=written.partition("=")[0]):
        parse(f"table holdem {written}")


@pytest.mark.parametrize("where", ["table casino-war min=5 min=10", "table casino-war\nkey set min=5 min=5"])
def test_an_option_comes_once(where: str) -> None:
    with pytest.raises(ScriptError, match='"min" is given twice'):
        parse(where)
