"""Every form of `expect`, as written and as read; and what is no form."""

from __future__ import annotations

import pytest

from controller.script import ScriptError, parse
from controller.script import model as m

P = m.Place
WAR, TCP, CROWN, JACKPOT = "casino-war", "three-card-poker", "holdem", "caribbean-stud"


FORMS: list[tuple[str, str, m.Line]] = []


def form(game: str, written: str, kind: type[m.Line], *fields: object, **named: object) -> None:
    """One row of the table: the first three fields are the same for every line."""
    FORMS.append((game, written, kind(2, "", f"expect {written}", *fields, **named)))


form(WAR, "accepted", m.ExpectAccepted)
form(WAR, "refused", m.ExpectRefused)
form(WAR, "refused by 5.4.1", m.ExpectRefused, ("5.4.1",))
form(WAR, "refused by 4.1.1|9.9", m.ExpectRefused, ("4.1.1", "9.9"))
form(WAR, "refused by 9.1.1(f)(ii)|table-6|s66(2)", m.ExpectRefused, ("9.1.1(f)(ii)", "table-6", "s66(2)"))
form(WAR, "prompt", m.ExpectPrompt, True)
form(WAR, "no prompt", m.ExpectPrompt, False)
form(WAR, "prompt dealer", m.ExpectPrompt, True, "dealer")
form(WAR, "prompt dealer dealer", m.ExpectPrompt, True, "dealer", P("dealer"))
form(WAR, "prompt 3.2", m.ExpectPrompt, True, "", P("3", 2))
form(WAR, "prompt flop", m.ExpectPrompt, True, "", P("flop"))
form(WAR, "prompt offers keep", m.ExpectPrompt, True, "", None, "keep")
form(
    WAR,
    "no prompt supervisor 2 offers void by 9.3",
    m.ExpectPrompt,
    False,
    "supervisor",
    P("2"),
    "void",
    ("9.3",),
)
form(CROWN, "prompt 4 offers all-in by 6.16", m.ExpectPrompt, True, "", P("4"), "all-in", ("6.16",))
form(WAR, "1 war win", m.ExpectWager, P("1"), "war", "win")
form(WAR, "1.3 go-to-war lose -10", m.ExpectWager, P("1", 3), "go-to-war", "lose", -1000)
form(WAR, "1 tie win +100.50 by 8.2", m.ExpectWager, P("1"), "tie", "win", 10050, by=("8.2",))
form(TCP, "1 ante-bonus win 50", m.ExpectWager, P("1"), "ante-bonus", "win", 5000)
form(WAR, "1 war open stake=20", m.ExpectWager, P("1"), "war", "open", stake=2000)
form(
    JACKPOT,
    "2 jackpot win 995 prize=1000 stake=5 surplus=0 token=kept by 12.5|table-5",
    m.ExpectWager,
    P("2"),
    "jackpot",
    "win",
    99500,
    500,
    0,
    100000,
    "kept",
    ("12.5", "table-5"),
)
form(JACKPOT, "2 ante void 0 token=returned", m.ExpectWager, P("2"), "ante", "void", 0, token="returned")
for result in ["win", "lose", "stand-off", "surrender", "carried", "void", "returned", "open", "none"]:
    form(WAR, f"1 war {result}", m.ExpectWager, P("1"), "war", result)
form(CROWN, "5 red lose -5", m.ExpectWager, P("5"), "red", "lose", -500)
for outcome in ["settled", "misdeal", "void", "open"]:
    form(WAR, f"round {outcome}", m.ExpectRound, None, outcome)
    form(WAR, f"round 3 {outcome} by 9.5", m.ExpectRound, 3, outcome, ("9.5",))
form(TCP, "dealer qualifies", m.ExpectDealer, "qualifies")
form(TCP, "dealer no-hand by 9.2", m.ExpectDealer, "no-hand", ("9.2",))
form(WAR, "hand 1 Kh ??", m.ExpectHand, P("1"), ("Kh", "??"))
form(WAR, "hand dealer none", m.ExpectHand, P("dealer"), ())
form(CROWN, "community 2c 3c 4c", m.ExpectCommunity, ("2c", "3c", "4c"))
form(CROWN, "community none", m.ExpectCommunity, ())
form(WAR, "burns 0", m.ExpectBurns, 0)
form(WAR, "burns 2 9h", m.ExpectBurns, 2, ("9h",))
form(WAR, "held 1", m.ExpectHeld, 1)
form(JACKPOT, "meter 149995.722", m.ExpectMeter, 1_499_957_220)
form(WAR, "lamp bets", m.ExpectLamp, "bets")
form(WAR, "lamp bets off", m.ExpectLamp, "bets", None, False)
form(JACKPOT, "lamp jackpot on", m.ExpectLamp, "jackpot")
form(JACKPOT, "lamp jackpot 3 off", m.ExpectLamp, "jackpot", P("3"), False)
form(WAR, "lamp shuffle", m.ExpectLamp, "shuffle")
for lamp in ["decide", "cut", "marker", "blind"]:
    form(WAR, f"lamp {lamp} 3", m.ExpectLamp, lamp, P("3"))
for lamp in ["act", "button", "absent", "missed-blind", "dealt-out", "walking", "reserved"]:
    form(CROWN, f"lamp {lamp} 3 off", m.ExpectLamp, lamp, P("3"), False)
for gate in ["bets", "deal", "jackpot"]:
    form(WAR, f"gate {gate} open", m.ExpectGate, gate, None, True)
    form(WAR, f"gate {gate} 2 shut by 9.13", m.ExpectGate, gate, P("2"), False, ("9.13",))
form(WAR, "sign min=25 max=500", m.ExpectSign, (m.Setting("min", "25", "25"), m.Setting("max", "500", "500")))
form(WAR, "notice min=25", m.ExpectNotice, (m.Setting("min", "25", "25"),))
form(WAR, "notice close-table", m.ExpectNotice, (), "table")
form(WAR, "notice close-jackpot", m.ExpectNotice, (), "jackpot")
form(WAR, "table open", m.ExpectTable, True)
form(WAR, "table closed", m.ExpectTable, False)
form(CROWN, "bet 3 40", m.ExpectBet, P("3"), 4000)
form(CROWN, "stack 3 160", m.ExpectStack, P("3"), 16000)
form(CROWN, "pot 95.50", m.ExpectPot, 9550)
form(CROWN, "won 3 95", m.ExpectWon, P("3"), 9500)
form(CROWN, "net 3 -50", m.ExpectNet, P("3"), -5000)
form(CROWN, "rake 5", m.ExpectRake, 500)
form(CROWN, "slide 0", m.ExpectSlide, 0)
form(CROWN, "drop 6", m.ExpectDrop, 600)
form(CROWN, "list W1 S2", m.ExpectList, ("W1", "S2"))
form(CROWN, "list 4 W1", m.ExpectList, ("W1",), P("4"))


@pytest.mark.parametrize(("game", "written", "line"), FORMS, ids=[each[1] for each in FORMS])
def test_an_expectation_is_read(game: str, written: str, line: m.Line) -> None:
    assert parse(f"table {game}\nexpect {written}").runs[0].lines[1] == line


@pytest.mark.parametrize(
    ("game", "written", "says"),
    [
        (WAR, "", "nothing is expected"),
        (WAR, "acepted", 'did you mean "accepted"'),
        (WAR, "accepted by 5.4", "too much"),
        (WAR, "refused by", "by RULE"),
        (WAR, "refused by nine", "not a rule"),
        (WAR, "refused by 9.5|", "not a rule"),
        (WAR, "refused 9.5", "too much"),
        (WAR, "no", "missing"),
        (WAR, "no round", "prompt"),
        (WAR, "prompt superviser", 'did you mean "supervisor"'),
        (WAR, "prompt 2 dealer", "role or place"),
        (WAR, "prompt offers", "missing"),
        (WAR, "prompt offers tea", "key or act"),
        (WAR, "prompt offers all-in", "key or act"),
        (WAR, "1", "missing"),
        (WAR, "1 war", "missing"),
        (WAR, "1 ante win", "unknown spot"),
        (WAR, "1 war wins", 'did you mean "win"'),
        (WAR, "1 war win ten", "not an amount"),
        (WAR, "1 war win 10 20", "unknown word"),
        (WAR, "1 war win 10.001", "finer than a cent"),
        (WAR, "1 war win --10", "not an amount"),
        (WAR, "1 war win stake=1 stake=1", "given twice"),
        (WAR, "1 war win token=kept token=kept", "given twice"),
        (WAR, "1 war win token=lost", "kept or returned"),
        (WAR, "1 war win by 9.5 stake=1", "by"),
        (WAR, "0 war win", "not an area"),
        (WAR, "1x war win", "not an area"),
        (WAR, "round", "missing"),
        (WAR, "round 0 open", "from 1"),
        (WAR, "round ended", "settled, misdeal, void or open"),
        (WAR, "dealer busts", "qualifies or no-hand"),
        (WAR, "hand 1", "missing"),
        (WAR, "hand 1 none Kh", "too much"),
        (WAR, "hand 1 Kx", "not a card"),
        (WAR, "hand Kh", "not a place"),
        (WAR, "hand 1 Kh by 4.1", "not a card"),
        (WAR, "community", "missing"),
        (WAR, "burns", "missing"),
        (WAR, "burns -1", "whole number"),
        (WAR, "held one", "whole number"),
        (WAR, "meter 1.23456", "not an amount"),
        (WAR, "lamp", "missing"),
        (WAR, "lamp decid 1", 'did you mean "decide"'),
        (WAR, "lamp decide", "lamp decide AREA"),
        (WAR, "lamp decide dealer", "not an area"),
        (WAR, "lamp bets 1", "too much"),
        (WAR, "lamp act 1", 'lamp "act" is not for casino-war'),
        (WAR, "gate door open", "bets, deal or jackpot"),
        (WAR, "gate bets", "missing"),
        (WAR, "gate bets ajar", "open or shut"),
        (WAR, "sign", "missing"),
        (WAR, "sign close-table", "unknown option"),
        (WAR, "notice", "missing"),
        (WAR, "notice close-table min=5", "too much"),
        (WAR, "table shut", "open or closed"),
        *((WAR, f"{each} 1 1", f'expectation "{each}" is not for') for each in ["bet", "stack", "won", "net", "list"]),
        *((WAR, f"{each} 1", f'expectation "{each}" is not for') for each in ["pot", "rake", "slide", "drop"]),
        (CROWN, "bet 1", "missing"),
        (CROWN, "stack dealer 5", "not a seat"),
        (CROWN, "won 3 -5", "not an amount"),
        (CROWN, "pot 5 by 8.2", "too much"),
        (CROWN, "list", "missing"),
        (CROWN, "list 4", "missing"),
    ],
)
def test_what_is_no_expectation_is_malformed(game: str, written: str, says: str) -> None:
    with pytest.raises(ScriptError) as caught:
        parse(f"table {game}\nexpect {written}")
    assert caught.value.line == 2
    assert says in str(caught.value)
