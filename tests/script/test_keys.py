"""Every key of the console, at the tables that have it, with what may follow it."""

from __future__ import annotations

import pytest

from controller.script import ScriptError, parse
from controller.script import model as m

HOUSE = "three-card-poker"
CROWN = "holdem"

EVERYWHERE = """
settle | exposed 2 | exposed 2.2 1 | exposed flop | exposed turn | exposed river | exposed dealer 2 | exposed community
short 2 | short 2 3 | short 2 all | short dealer | excess 2 | excess dealer shown | stray 4
taken 2 | taken 2 Kh | taken 2 Kh 2d 2d | viewed 1 | viewed 1 2 3.2 | count 52 | count 0
order known | order unknown | keep 1 | retract 1.2 | misdeal
reconstruct | reconstruct 1=Kh,2d dealer=5c | reconstruct flop=2c,3c,4c
invalidate fraud | invalidate disturbance | exclude 3 | resume | resume journal.gap
checked | shuffled | cut | cut 30 | replaced
notice min=25 | notice min=25 max=1000 | notice close-table | notice close-jackpot
set min=25 | set max=50 min=5 | agree majority | agree all
marker 3 min=10 max=50 | marker 3 max=50 | close-table | open-table
start-jackpot | cancel-jackpot | close-jackpot North | close-jackpot North=100.1234 South
"""

AT_HOUSE_TABLES = """
no-more-bets | announced | looked | fold 1 | fold 1 ante | check 1 | surrender 1 | unable 1.2
confirm-jackpot | owner 2 1 | show-burn | burn 2 | void | void 2 | refuse 2 pair-plus | refuse-cut 1 | cutting-card 60
"""

AT_CROWN_POKER = """
boxed | void | dead 3 | burn | burn 5c | extra-time 3 | ask 3 4 | bonus 3 | confirm-bonus 3
collect | confirm-charge | drop | absent 3 | absent 3 off | missed-blind 3 | missed-blind 3 off
dealt-out 3 | dealt-out 3 off | walking 3 | walking 3 off | reserved 3 | reserved 3 off
move 3 4 | moved 3 | list W1 | list S2 5 | pick-up 3 | back W1
"""


def each(block: str) -> list[str]:
    return [key.strip() for line in block.strip().splitlines() for key in line.split("|")]


GOOD = [(game, key) for game in (HOUSE, CROWN) for key in each(EVERYWHERE)]
GOOD += [(HOUSE, key) for key in each(AT_HOUSE_TABLES)] + [(CROWN, key) for key in each(AT_CROWN_POKER)]
ELSEWHERE = [(CROWN, key) for key in each(AT_HOUSE_TABLES)] + [(HOUSE, key) for key in each(AT_CROWN_POKER)]
ELSEWHERE = [(game, key) for game, key in ELSEWHERE if not key.startswith(("burn", "void"))]  # both have them


@pytest.mark.parametrize(("game", "key"), GOOD)
def test_a_key_is_sent_as_written(game: str, key: str) -> None:
    name, *args = key.split()
    line = parse(f"table {game}\nkey {key}").runs[0].lines[1]
    assert line == m.KeyLine(2, "", f"key {key}", name, tuple(args))


@pytest.mark.parametrize(("game", "key"), ELSEWHERE)
def test_a_key_of_the_other_kind_of_table_is_malformed(game: str, key: str) -> None:
    with pytest.raises(ScriptError, match=f'key "{key.split()[0]}" is not for {game}'):
        parse(f"table {game}\nkey {key}")


@pytest.mark.parametrize(
    ("game", "key", "says"),
    [
        (HOUSE, "", "key NAME"),
        (HOUSE, "setle", 'did you mean "settle"'),
        (HOUSE, "settle 1", "too much"),
        (HOUSE, "fold", "key fold AREA [ante]"),
        (HOUSE, "fold dealer", "not an area"),
        (HOUSE, "fold 0", "not an area"),
        (HOUSE, "fold 1 blind", "ante"),
        (HOUSE, "short", "PLACE"),
        (HOUSE, "short 2 none", "or all"),
        (HOUSE, "short 2 0", "from 1"),
        (HOUSE, "short 2 1 1", "too much"),
        (HOUSE, "excess 2 hidden", "shown"),
        (HOUSE, "viewed", "AREA"),
        (HOUSE, "viewed 1 1", "given twice"),
        (HOUSE, "count", "key count N"),
        (HOUSE, "count all", "whole number"),
        (HOUSE, "order maybe", "known or unknown"),
        (HOUSE, "burn Kh", "not an area"),
        (CROWN, "burn 12", "not a card"),
        (HOUSE, "reconstruct 1", "1=Kh,2d"),
        (HOUSE, "reconstruct 1=", "not a card"),
        (HOUSE, "reconstruct 1=Kh,1x", "not a card"),
        (HOUSE, "reconstruct 1=Kh 1=2d", "given twice"),
        (HOUSE, "reconstruct board=Kh", "not a place"),
        (HOUSE, "invalidate", "fraud|disturbance"),
        (HOUSE, "invalidate theft", "fraud or disturbance"),
        (HOUSE, "refuse 1 tie", 'spot "tie" is not for three-card-poker'),
        (HOUSE, "refuse 1 ante-bonus", "not for three-card-poker"),
        (HOUSE, "cut deep", "whole number"),
        (HOUSE, "notice", "option=value"),
        (HOUSE, "notice close-table min=25", "stands alone"),
        (HOUSE, "notice close", "option"),
        (HOUSE, "set", "option=value"),
        (HOUSE, "set method=A", 'option "method" is not for three-card-poker'),
        (HOUSE, "set tray=open", "on or off"),
        (HOUSE, "agree some", "majority or all"),
        (HOUSE, "marker 1", "min=AMOUNT"),
        (HOUSE, "marker 1 chip=1", "not a limit"),
        (HOUSE, "marker 1 min=5 min=6", "given twice"),
        (HOUSE, "close-jackpot", "NAME[=AMOUNT]"),
        (HOUSE, "close-jackpot North=", "not an amount"),
        (HOUSE, "close-jackpot 7", "not a name"),
        (CROWN, "ask 3", "SEAT SEAT"),
        (CROWN, "move 3 4.2", "not a seat"),
        (CROWN, "absent 3 on", "off"),
        (CROWN, "list 3", "not a name"),
        (CROWN, "back", "NAME"),
    ],
)
def test_a_wrong_argument_is_malformed(game: str, key: str, says: str) -> None:
    with pytest.raises(ScriptError) as caught:
        parse(f"table {game}\nkey {key}")
    assert caught.value.line == 2
    assert says in str(caught.value)
