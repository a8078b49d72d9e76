"""The terms of a tournament: defaults, every kind of value, and every mistake at once with its number."""

from __future__ import annotations

import pytest

from controller.games import GAMES, find
from controller.table.documents import TournamentRules
from controller.table.values import Unwritable
from controller.tournament.items import BY_NAME, ITEMS, MARKERS, items_in_file
from controller.tournament.terms import TermsSheet, TournamentTerms, defaults, read, read_items, surprises
from controller.tournament.values import BLINDS, Length, Level, Portion, Span


def rules_of(game: str) -> TournamentRules:
    rules = find(game).document.tournaments
    assert rules is not None
    return rules


WAR = rules_of("casino-war")  # document 004
POKER = rules_of("holdem")  # 000
THREE = rules_of("three-card-poker")  # 001
MINOR = rules_of("caribbean-stud")  # 002
BONUS = rules_of("wsop-bonus-holdem")  # 003


def terms(rules: TournamentRules, without: tuple[str, ...] = (), /, **items: str) -> TournamentTerms:
    read = read_items(rules, {name.replace("_", "-"): text for name, text in items.items()}, without, now=1_000)
    assert isinstance(read, TournamentTerms), read
    return read


def problems(
    rules: TournamentRules,
    items: dict[str, str] | None = None,
    without: tuple[str, ...] = (),
    base: TermsSheet | None = None,
) -> list[tuple[str, str, str]]:
    read = read_items(rules, items or {}, without, base)
    assert not isinstance(read, TournamentTerms)
    return [(each.item, each.kind, each.rule) for each in read]


def test_every_game_of_ours_has_a_chapter_on_tournaments() -> None:
    documents = [find(name).document for name in GAMES]
    chapters = {document.number: document.tournaments for document in documents}
    assert {number: rules.chapter for number, rules in chapters.items() if rules is not None} == {
        "000": "12",
        "001": "10",
        "002": "14",
        "003": "13",
        "004": "10",
    }


def test_the_defaults_of_a_house_game() -> None:
    it = terms(WAR)
    assert (it.gates, it.when, it.fee, it.buy_in, it.players, it.tables, it.bank) == (
        "auto",
        1_000,
        10_00,
        100_00,
        Span(2, 100),
        None,
        1000_00,
    )
    assert (it.rebuy, it.rebuys, it.rebuy_until, it.add_on, it.add_ons, it.add_on_until) == (100_00, 0, 1, 100_00, 0, 1)
    assert (it.hands, it.sessions, it.progress, it.banks) == (Length(rounds=10), 1, None, "fresh")
    assert (it.levels, it.level_every) == ((Level(10_00, 500_00),), Length())
    assert (it.secret, it.all_in, it.passes, it.re_buys) == (0, 0, 0, 0)
    assert (it.chips, it.winners, it.eliminate, it.chips_after) == ("tournament", "bank", "below-min", "void")
    assert (it.pool, it.shares) == (Portion(part=1_000_000), (Portion(part=1_000_000),))
    assert (it.withdraw_until, it.refund, it.substitute) == (None, 0, "before-start")
    assert (it.penalties, it.absence, it.charity) == (("warning", "chips"), "forfeit", False)


def test_the_defaults_of_poker() -> None:
    it = terms(POKER)
    assert (it.hands, it.levels, it.eliminate) == (Length(), (Level(5_00, 10_00, (5_00, 10_00)),), "zero")


def test_a_level_has_one_blind_or_several() -> None:
    one, three = terms(POKER, levels="10/5,10,20").levels
    assert (one, three) == (Level(10_00, 10_00, (10_00,)), Level(5_00, 20_00, (5_00, 10_00, 20_00)))
    assert BLINDS.write((one, three, Level(1_00, 2_00))) == "10/5,10,20/1,2"
    with pytest.raises(Unwritable):
        BLINDS.read("20,10")


@pytest.mark.parametrize("rules", [WAR, POKER, THREE, MINOR, BONUS])
def test_every_statement_is_there_by_default(rules: TournamentRules) -> None:
    it = terms(rules)
    assert [item.name for item in ITEMS if item.statement and not getattr(it, item.attribute)] == []


def test_items_change_the_defaults() -> None:
    it = terms(
        WAR,
        gates="manual",
        when="1h",
        withdraw_until="30m",
        rebuy="50",
        add_on="buy-in",
        buy_in="20.50",
        hands="20m",
        tables="2",
        progress="2",
        sessions="2",
        levels="10-500/25-1000",
        level_every="8",
        shares="60%,500",
        pool="5000",
        refund="12.5%",
        penalties="none",
        charity="on",
        chips="grey",
    )
    assert (it.gates, it.when, it.withdraw_until) == ("manual", 3_601_000, 1_801_000)
    assert (it.rebuy, it.add_on, it.hands, it.tables) == (50_00, 20_50, Length(ms=1_200_000), 2)
    assert (it.levels[1], it.level_every) == (Level(25_00, 1000_00), Length(rounds=8))
    assert (it.shares, it.pool, it.refund) == (
        (Portion(part=600_000), Portion(amount=500_00)),
        Portion(amount=5000_00),
        125_000,
    )
    assert (it.penalties, it.charity, it.chips) == ((), True, "grey")


@pytest.mark.parametrize("rules", [WAR, POKER, THREE, MINOR, BONUS])
def test_every_item_that_is_left_out_is_told_by_its_number(rules: TournamentRules) -> None:
    every = tuple(item.name for item in items_in_file())
    told = problems(rules, without=every)
    asked = [item for item in ITEMS if item.required and item.number(rules)]
    assert told == [(item.name, "missing", item.number(rules)) for item in asked]
    assert {rule.partition(".")[0] for _, _, rule in told} == {rules.chapter}


def test_the_numbers_of_document_002_are_its_own() -> None:
    assert problems(MINOR, without=("when", "location", "complaint", "liability")) == [
        ("when", "missing", "14.4.1(b)"),
        ("location", "missing", "14.4.1(b)(iii)"),
        ("liability", "missing", "14.4.8(h)"),
        ("complaint", "missing", "14.4.8(g)"),
    ]
    assert terms(MINOR, ("changes-notified", "signed", "conducted", "employees"), charity="on").conducted == ""


def test_what_is_not_offered_may_be_left_out() -> None:
    it = terms(WAR, ("fee", "buy-in", "rebuy", "levels", "secret", "repechage", "banks", "gates"))
    assert (it.gates, it.fee, it.buy_in, it.rebuy, it.secret, it.repechage) == ("manual", 0, 0, 0, 0, "")
    assert (it.levels, it.banks) == ((Level(10_00, 500_00),), "fresh")
    assert terms(POKER, ("levels",)).levels == (Level(5_00, 10_00, (5_00, 10_00)),)


@pytest.mark.parametrize(
    ("items", "without", "told"),
    [
        ({"rebuys": "1"}, ("rebuy",), ("rebuy", "missing", "10.4.1(a)(ii)")),
        ({"add-ons": "1"}, ("add-on",), ("add-on", "missing", "10.4.1(a)(ii)")),
        ({"sessions": "2"}, (), ("progress", "missing", "10.4.3(a)(iii)")),
        ({"charity": "on"}, ("employees",), ("employees", "missing", "10.4.2(a)(v)")),
        ({"chips": "Cash"}, (), ("chips", "refused", "10.4.4(a)")),
        ({"fees": "10"}, (), ("fees", "unknown", "")),
        ({}, ("xyzzy",), ("xyzzy", "unknown", "")),
        ({"players": "9-2"}, (), ("players", "unreadable", "10.4.1(a)(iii)")),
        ({"players": "2"}, (), ("players", "unreadable", "10.4.1(a)(iii)")),
        ({"bank": "0"}, (), ("bank", "unreadable", "10.4.3(b)")),
        ({"hands": "0"}, (), ("hands", "unreadable", "10.4.3(a)(i)")),
        ({"hands": "0s"}, (), ("hands", "unreadable", "10.4.3(a)(i)")),
        ({"levels": "500-10"}, (), ("levels", "unreadable", "10.4.4(b)")),
        ({"levels": "5,10"}, (), ("levels", "unreadable", "10.4.4(b)")),
        ({"shares": "60%,50%"}, (), ("shares", "unreadable", "10.4.7(b)")),
        ({"refund": "101%"}, (), ("refund", "unreadable", "10.4.8(a)(iv)")),
        ({"location": " "}, (), ("location", "unreadable", "10.4.1(a)(iv)")),
        ({"sessions": "x", "progress": "y"}, (), ("sessions", "unreadable", "10.4.3(a)(i)")),
    ],
)
def test_what_cannot_be_used_is_told(
    items: dict[str, str], without: tuple[str, ...], told: tuple[str, str, str]
) -> None:
    assert problems(WAR, items, without)[0] == told


def test_what_cannot_be_read_is_told_once() -> None:
    assert problems(WAR, {"sessions": "2", "progress": "x"}) == [("progress", "unreadable", "10.4.3(a)(iii)")]


def test_everything_is_told_at_once() -> None:
    told = read_items(WAR, {"levles": "10-500", "bank": "much", "chips": "cash"}, ("dispute",))
    assert isinstance(told, tuple)
    assert [str(each) for each in told] == [
        'levles: terms have no such item: did you mean "levels"?',
        'bank: "much" must be an amount of dollars above nothing, such as "1000" (rule 10.4.3(b))',
        "chips: a tournament is not played with cash chips (rule 10.4.4(a))",
        "dispute: is missing: who decides disputes (rule 10.4.8(h))",
    ]


@pytest.mark.parametrize("rules", [POKER, THREE, BONUS])
@pytest.mark.parametrize("marker", MARKERS)
def test_markers_are_refused_where_the_document_knows_none(rules: TournamentRules, marker: str) -> None:
    assert problems(rules, {marker: "1"}) == [(marker, "refused", f"{rules.chapter}.4.4")]
    assert read_items(rules, {marker: "0"}) == read_items(rules, {})


def test_markers_where_the_document_knows_them() -> None:
    for rules in (WAR, MINOR):
        it = terms(rules, all_in="1", re_buy="2", **{"pass": "3"})
        assert (it.all_in, it.re_buys, it.passes) == (1, 2, 3)
    assert [BY_NAME[marker].number(WAR) for marker in MARKERS] == ["10.4.4(d)", "10.4.4(e)", "10.4.4(f)"]
    assert [BY_NAME[marker].number(MINOR) for marker in MARKERS] == ["14.4.4(e)", "14.4.4(d)", "14.4.4(e)"]


def test_dates_of_a_file_count_as_the_defaults_in_a_script() -> None:
    texts = {
        name: text for name, text in defaults(WAR).texts.items() if name not in ("gates", "when", "withdraw-until")
    }
    base = TermsSheet({**texts, "bank": "500"}, {"when": 9_000_000, "withdraw-until": 8_000_000})
    it = read_items(WAR, {}, (), base, now=7)
    assert isinstance(it, TournamentTerms)
    assert (it.gates, it.when, it.withdraw_until, it.bank) == ("auto", 7, None, 500_00)
    itself = read(WAR, base)
    assert isinstance(itself, TournamentTerms)
    assert (itself.gates, itself.when, itself.withdraw_until) == ("manual", 9_000_000, 8_000_000)
    undated = TermsSheet(texts)
    assert problems(WAR, base=undated) == [
        ("when", "missing", "10.4.1(a)(i)"),
        ("withdraw-until", "missing", "10.4.2(d)"),
    ]


def test_a_date_that_no_item_has_is_unknown() -> None:
    assert problems(WAR, base=None, items={"wehn": "1h"})[0][:2] == ("wehn", "unknown")
    told = read(WAR, TermsSheet(defaults(WAR).texts, {"ends": 5}))
    assert isinstance(told, tuple)
    assert told[0].item == "ends"


@pytest.mark.parametrize("item", [each for each in ITEMS if each.default], ids=lambda item: item.name)
def test_what_is_written_is_read_again(item: object) -> None:
    each = BY_NAME[getattr(item, "name", "")]
    for rules in (WAR, POKER):
        form = each.form_in(rules)
        value = form.read(each.default_in(rules))
        assert form.read(form.write(value)) == value


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("hands", ("7", "1h30m", "until-one")),
        ("level-every", ("none", "15m")),
        ("tables", ("all", "3")),
        ("progress", ("none", "2")),
        ("pool", ("buy-ins", "80%", "5000", "0%")),
        ("shares", ("500,250", "60%,40%")),
        ("penalties", ("none", "warning")),
        ("rebuy", ("buy-in", "50")),
        ("withdraw-until", ("start", "2h")),
    ],
)
def test_each_way_to_write_a_value(name: str, texts: tuple[str, ...]) -> None:
    form = BY_NAME[name].form
    assert tuple(form.write(form.read(text)) for text in texts) == texts


@pytest.mark.parametrize(
    ("rules", "items", "item"),
    [
        (WAR, {"bank": "5"}, "bank"),
        (WAR, {"rebuy-until": "3"}, "rebuy-until"),
        (WAR, {"add-on-until": "2"}, "add-on-until"),
        (WAR, {"when": "1h", "withdraw-until": "2h"}, "withdraw-until"),
        (WAR, {"shares": "50%,30%"}, "shares"),
        (WAR, {"pool": "0"}, "pool"),
        (POKER, {"secret": "1"}, "secret"),
        (WAR, {"levels": "10-500/20-500"}, "level-every"),
        (WAR, {"players": "2-2", "shares": "50%,30%,20%"}, "shares"),
    ],
)
def test_what_surprises(rules: TournamentRules, items: dict[str, str], item: str) -> None:
    it = read_items(rules, items)
    assert isinstance(it, TournamentTerms)
    assert [each.item for each in surprises(rules, it)] == [item]


def test_nothing_of_the_defaults_surprises() -> None:
    for rules in (WAR, POKER, MINOR):
        assert list(surprises(rules, terms(rules))) == []
    assert list(surprises(WAR, terms(WAR, shares="500,20%"))) == []
