"""The dealer's console as a picture: which keys make sense, what answers what, and no card in any of it."""

from __future__ import annotations

import random
import re

import msgspec
import pytest
from msgspec.structs import replace

from controller.cards import DECK, spoken
from controller.games import GAMES, find, step
from controller.rules import Role, at_least
from controller.table.facts import (
    AnyFact,
    CardOut,
    CardRead,
    DeviceLost,
    Hold,
    Key,
    TournamentSeat,
    TournamentTold,
)
from controller.table.keys import SIGN_OUT, keys_of
from controller.table.state import Table, clone
from controller.views.cards import seen
from controller.views.console import console, declared
from controller.views.keys import keys
from controller.views.keys_tried import keys_tried
from tests.searches import times
from tests.table.telling import Telling
from tests.views.any_round import AnyTable

ANN = TournamentSeat("1", "Ann", 100_000, left={"pass": 1})


def lit(table: Telling, role: Role = "dealer") -> set[str]:
    return {each.key for each in keys_tried(table.table, table.game) if each.lit and at_least(role, each.role)}


def due(table: Telling) -> set[str]:
    return {each.key for each in keys_tried(table.table, table.game) if each.due}


def war() -> Telling:
    table = Telling("casino-war")
    table.bet(1, war=10)
    table.bet(2, war=10)
    return table


def test_a_key_is_lit_while_the_table_would_take_it() -> None:
    table = war()
    assert "no-more-bets" in lit(table) and "settle" not in lit(table)
    assert due(table) == {"no-more-bets"}
    table.key("no-more-bets")
    assert "no-more-bets" not in lit(table)
    why = next(each.why for each in keys_tried(table.table, table.game) if each.key == "no-more-bets")
    assert why.text == "betting is closed already" and why.rule
    table.draw("Kh 9d 9c")
    assert {"surrender", "settle"} <= lit(table) and {"surrender", "settle"} <= due(table)
    (surrender,) = (each for each in keys_tried(table.table, table.game) if each.key == "surrender")
    assert surrender.places == ["2"]


def test_powers_are_those_of_the_role() -> None:
    table = war()
    assert "exclude" not in lit(table, "supervisor")
    assert "exclude" in lit(table, "assistant-casino-manager")
    assert lit(table, "inspector") == set()


def test_a_held_table_is_freed_by_a_supervisor() -> None:
    table = war()
    table.tell(Hold("journal.behind", "its memory is ahead", "shoe"))
    assert due(table) == {"resume", "void"}
    assert {"resume", "void"}.isdisjoint(lit(table))
    assert {"resume", "void"} <= lit(table, "supervisor")
    (held,) = console(table.table, table.game).matters
    assert [(each.key, each.args, each.whole) for each in held.answers] == [
        ("resume", ("journal.behind",), True),
        ("void", (), True),
    ]
    assert {each.role for each in held.answers} == {"supervisor"}
    assert len(held.steps) == 3


def test_a_question_has_its_answers_and_nothing_else_is_due() -> None:
    table = Telling("three-card-poker")
    table.bet(1, ante=10)
    table.key("no-more-bets")
    table.draw("5h 9d 6h 9c 7h 2d")
    table.key("excess 1")
    picture = console(table.table, table.game)
    (question,) = (each for each in picture.matters if each.severity == "question")
    assert {each.key for each in question.answers} == due(table) != set()
    assert question.rule and picture.decisions == []


def test_the_fault_of_a_device_is_told_with_steps() -> None:
    table = war()
    table.tell(DeviceLost("shoe", "link.silent", "secret"))
    (fault,) = console(table.table, table.game).matters
    assert fault.severity == "fault" and fault.text.startswith("The shoe cannot be reached")
    assert len(fault.steps) == 2 and "secret" not in str(fault)


def test_a_closed_table_waits_to_be_opened() -> None:
    table = Telling("casino-war")
    table.tell(Key("close-table", role="casino-manager", place="page", person="somebody"))
    assert due(table) == {"open-table"} <= lit(table)
    assert not console(table.table, table.game).open


def test_nothing_is_lit_while_nothing_can_be_recorded() -> None:
    table = war()
    picture = console(table.table, table.game, "Out of service: nothing can be recorded.")
    assert (picture.stopped, picture.keys, picture.decisions, picture.waiting) == (True, [], [], [])
    assert picture.matters[0].severity == "stopped"
    assert not any(gate.open for gate in picture.gates)


def test_cards_that_must_be_cared_for() -> None:
    table = Telling("casino-war", gates="manual")
    assert due(table) == {"checked"}
    table.key("checked")
    assert due(table) == {"shuffled"}
    table.key("shuffled")
    assert due(table) == {"cut"}


def test_an_answer_names_the_area_that_is_asked_about() -> None:
    table = Telling("caribbean-stud")
    table.bet(1, ante=10)
    table.bet(2, ante=10)
    table.do("no-more-bets", "draw 2c 3c Ac 2d 3d Kd 2h 3h 4h 5c 6c 9c 9h 8s", "looked", "short 2")
    (question,) = (each for each in console(table.table, table.game).matters if each.severity == "question")
    assert [(each.label, each.args) for each in question.answers] == [("Void 2", ("2",))]


def test_a_report_while_a_question_is_open_is_said_to_be_on_record() -> None:
    table = Telling("caribbean-stud")
    table.bet(1, ante=10)
    table.bet(2, ante=10)
    table.do("no-more-bets", "draw 2c 3c Ac 2d 3d Kd 2h 3h 4h 5c 6c 9c 9h 8s", "looked", "short 2")
    table.do("exposed 1", "taken 1 Kh")
    words = {each.text for each in console(table.table, table.game).matters}
    waits = "Answer the open question first: {} is on record, and is looked at then."
    assert words >= {waits.format("exposed 1"), waits.format("taken 1")}  # and no card
    table.do("role supervisor", "void 2")
    assert table.table.round is not None
    assert [ruled.rule for ruled in table.table.round.rulings][:2] == ["13.2.2", "13.1"]
    assert not any("on record" in each.text for each in console(table.table, table.game).matters)


def test_a_report_is_said_to_wait_until_its_turn_has_come() -> None:
    table = Telling("caribbean-stud")
    table.bet(1, ante=10)
    table.bet(2, ante=10)
    table.do("no-more-bets", "draw 5h 9d Ks 6h 9c Kd 7h 2d Qs 8h 3c Jc 9h 4c 2s", "looked")
    table.do("short 2", "exposed 1", "excess dealer", "viewed 1")

    def waiting() -> list[tuple[str, str]]:
        return [
            (each.title, each.text) for each in console(table.table, table.game).matters if "on record" in each.text
        ]

    assert [(title, text.split(": ")[1]) for title, text in waiting()] == [
        ("Note", "viewed 1 is on record, and is looked at then."),
        ("Note", "excess dealer is on record, and is looked at then."),
        ("Note", "exposed 1 is on record, and is looked at then."),
    ]
    table.do("role supervisor", "void 2")  # exposed 1 is ruled on, and now it is asked about excess dealer
    (question, *_) = console(table.table, table.game).matters
    assert [each.key for each in question.answers] == ["order", "count", "misdeal"]
    assert [text for _, text in waiting()] == [
        "Answer the open question first: viewed 1 is on record, and is looked at then."
    ]
    table.do("excess dealer")  # once more, while it is asked about
    assert len(waiting()) == 2


def test_the_blind_that_begins_a_hand() -> None:
    table = Telling("holdem")
    assert console(table.table, table.game).decisions == []
    table.key("seat 1-3 stack=500")
    (first,) = console(table.table, table.game).decisions
    assert (first.place, [each.label for each in first.answers]) == ("1", ["Post $5"])
    closed = clone(table.table)
    closed.open = False
    assert console(closed, table.game).decisions == []
    table.key("act 1 post 5")
    (second,) = console(table.table, table.game).decisions
    assert (second.place, [each.label for each in second.answers]) == ("2", ["Post $10"])


def test_the_turn_of_a_poker_player_with_bounds() -> None:
    table = Telling("holdem")
    for words in ("seat 1-3 stack=500", "act 1 post 5", "act 2 post 10"):
        table.key(words)
    for seat, card in zip("123123", ("Kh", "9c", "As", "7d", "9d", "Ad"), strict=True):
        table.tell(CardRead(seat, card))
    (turn,) = console(table.table, table.game).decisions
    assert turn.label == "Seat 3"
    answers = {each.args[1]: each for each in turn.answers}
    assert answers["call"].label == "Call $10" and answers["call"].whole
    assert (answers["raise"].least, answers["raise"].most, answers["raise"].whole) == ("20", "500", False)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_key_is_declared_once_with_its_forms(game: str) -> None:
    rules = find(game)
    shown = {key.key: key for key in declared(Telling(game).table, rules).keys}
    jackpot = {key.name for key in keys_of(rules) if key.wager}
    assert set(shown) == {key.name for key in keys_of(rules)} - {SIGN_OUT.name, *rules.unused, *jackpot}
    for key in keys_of(rules):
        if key.name in shown:
            if key.name != "fold":
                assert [len(form) for form in shown[key.name].forms] == [len(form) for form in key.forms]
            assert shown[key.name].final == key.final
            assert "`" not in shown[key.name].says


ABOUT_JACKPOTS = {"start-jackpot", "cancel-jackpot", "close-jackpot", "confirm-jackpot"}


@pytest.mark.parametrize("game", sorted(GAMES))
def test_nothing_is_said_of_a_jackpot_where_none_is_offered(game: str) -> None:
    table = Telling(game)
    shown = declared(table.table, table.game)
    assert "jackpot" not in msgspec.json.encode([shown, console(table.table, table.game)]).decode().lower()


def test_the_keys_and_options_of_a_jackpot_that_is_offered() -> None:
    table = Telling("caribbean-stud", jackpot="nsw")
    shown = declared(table.table, table.game)
    assert {key.key for key in shown.keys} >= ABOUT_JACKPOTS
    (notice,) = (key for key in shown.keys if key.key == "notice")
    assert "close-jackpot" in {kind.name for kind in notice.forms[0][0].kinds}
    assert {each.key for each in console(table.table, table.game).keys} >= ABOUT_JACKPOTS
    assert "jackpot-group" in {option.name for option in console(table.table, table.game).options}
    assert "Jackpot wagers" in next(key.says for key in shown.keys if key.key == "no-more-bets")


def test_what_a_fold_says_of_pair_plus_is_said_where_there_is_one() -> None:
    for game in ("three-card-poker", "caribbean-stud", "mississippi-stud"):
        table = Telling(game)
        (fold,) = (key for key in declared(table.table, table.game).keys if key.key == "fold")
        assert ("Pair Plus" in fold.says) == (game == "three-card-poker")
        assert len(fold.forms[0]) == (2 if game == "three-card-poker" else 1)  # the area, and `ante`


@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_card_is_told_before_it_is_turned(game: str) -> None:
    table = AnyTable(game, seed=sum(map(ord, game)))
    for n, (_, now, rules, _) in enumerate(table.rounds(times(2))):
        if n % 3:
            continue
        lying = rules.cards(now)
        up = {card for cards in seen(lying).values() for card in cards}
        down = {card for cards in lying.hands.values() for card in cards} | {*lying.aside, *now.held}
        text = msgspec.json.encode(console(now, rules)).decode()
        for card in (down - up) & set(DECK):
            assert not re.search(rf"(?<![\w=,]){card}\b", text)  # "1=Kh" is an example of how one writes
            assert spoken(card) not in text


@pytest.mark.parametrize("seed", [3, 7])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_other_cards_face_down_make_no_difference(game: str, seed: int) -> None:
    """Which keys are lit, and what is said, must be the same whatever lies face down."""
    table = AnyTable(game, seed)
    chance, compared = random.Random(1), 0
    for n, (_, now, rules, _) in enumerate(table.rounds(1)):
        lying = rules.cards(now)
        up = {card for cards in seen(lying).values() for card in cards}
        down = {card for cards in lying.hands.values() for card in cards} - up
        named = {arg for _, _, fact in table.facts if isinstance(fact, Key) for arg in fact.args}
        if n % 4 or not down or now.round is None or now.round.outcome or named & set(DECK):
            continue
        free = [card for card in DECK if card not in up]
        others = dict(zip(free, chance.sample(free, len(free)), strict=True))
        elsewhere = Table()
        for seq, at, fact in table.facts:
            elsewhere, _ = step(elsewhere, seq, at, exchanged(fact, others))
        if {card for cards in seen(rules.cards(elsewhere)).values() for card in cards} != up:
            continue  # the cards made the round go another way, for all to see
        compared += 1
        assert console(elsewhere, rules) == console(now, rules)
    assert compared > 1 or find(game).document.policy.face_up


def exchanged(fact: AnyFact, others: dict[str, str]) -> AnyFact:
    match fact:
        case CardOut(card) | CardRead(_, card):
            return replace(fact, card=others.get(card, card))
    return fact


def test_a_hold_between_rounds_offers_resume_and_no_void() -> None:
    table = Telling("casino-war")
    table.tell(Hold("device.gap", "events are missing", "shoe"))
    (matter,) = console(table.table, table.game).matters
    assert [answer.key for answer in matter.answers] == ["resume"]
    running = war()
    running.tell(Hold("device.gap", "events are missing", "shoe"))
    (matter,) = console(running.table, running.game).matters
    assert [answer.key for answer in matter.answers] == ["resume", "void"]


@pytest.mark.parametrize(
    ("game", "markers"), [("casino-war", True), ("caribbean-stud", True), ("three-card-poker", False)]
)
def test_the_keys_of_a_dealer_in_a_tournament(game: str, markers: bool) -> None:
    table = Telling(game)
    assert "absent" not in {key.key for key in declared(table.table, table.game).keys}
    table.tell(TournamentTold("CUP", 1, 1, 1000, 50_000, seats=(ANN,)))
    shown = declared(table.table, table.game)
    (marker,) = (key for key in shown.keys if key.key == "marker")
    words = {kind.name for form in marker.forms for argument in form for kind in argument.kinds}
    assert ("pass" in words, "LIMIT" in words) == (markers, True)
    now = {each.key: each for each in console(table.table, table.game).keys}
    assert now["absent"].places == ["1"]
    assert (now["marker"].role == "dealer") is markers  # limits are a supervisor's
    assert {key["key"] for key in keys(table.game, table.table)} >= {key.key for key in shown.keys}


def test_poker_has_no_other_keys_in_a_tournament() -> None:
    table = Telling("holdem")
    before = declared(table.table, table.game)
    table.tell(TournamentTold("CUP", 1, 1, 500, 1000, seats=(ANN,)))
    assert declared(table.table, table.game) == before
