"""A game whose declarations are wrong cannot be loaded, and its author hears of every mistake; ours have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.games import GAMES, find
from controller.house.game import HouseGame
from controller.house.unyielded import unyielded
from controller.table.mistakes import mistakes
from firmware_bridge.extensions import ExtensionError
from tests.daemon.house import table_toml
from tests.examples.installing import EXAMPLES, felt, made_up, seen

SOURCE = EXAMPLES / "high_card"
MATCH = 'match: Annotated[str, one_of(MATCH), "what a Match wager is paid by"] = "A"'
KEYS = "keys: ClassVar = HOUSE_KEYS"
KEY = 'keys: ClassVar = (*HOUSE_KEYS, __import__("controller.table.declare").table.declare.Key("{}", says=""))'
WRONG = [
    (MATCH, MATCH.removesuffix(' = "A"'), "options: HighCardOptions.match has no default"),
    (MATCH, 'match: str = "A"', "options: HighCardOptions.match does not say what kind of value it has"),
    (MATCH, MATCH.replace('= "A"', '= "Z"'), "match cannot have its default 'Z': \"Z\" must be one of A, B"),
    (MATCH, MATCH.replace("[str,", "[float,"), "match cannot have its default 'A': Expected `float`, got `str`"),
    ('in play"] = 6', 'in play"] = 9', "decks cannot have its default 9: one to eight decks are used"),
    ('in play"] = 6', 'in play"] = 0', 'decks cannot have its default 0: "0" must be a whole number, 1 or more'),
    (MATCH, MATCH.replace("match:", "match2:"), "match2 has a name that is not of small letters and underscores"),
    ("ClassVar = HighCardOptions", "ClassVar = House", 'document: settings: "match" is not in options (seats, '),
    ('name = "high-card"', 'name = "High Card"', 'name: "High Card" is no word'),
    ('    spots = ("high", "match")', '    spots = ("high", "Match It")', 'spots: "Match It" is no word'),
    ('    spots = ("high", "match")', '    spots = ("high", "match", "high")', 'spots: "high" is there twice'),
    ('    spots = ("high", "match")', '    spots = ("high",)', 'opening: "match" is not in spots (high)'),
    ('required = ("high",)', 'required = ("hihg",)', 'required: "hihg" is not in opening: did you mean "high"?'),
    ('required = ("high",)', 'required = ("high")', "required is no tuple: a single one is written with a comma"),
    (KEYS, KEY.format("Burn It"), 'keys: "Burn It" is no word'),
    (KEYS, KEY.format("peek").replace('says=""', 'says="", role="boss"'), 'keys: peek: "boss" is none of dealer, '),
    (KEYS, KEY.format("void"), 'keys: "void" is there twice'),
    (KEYS, KEY.format("settle"), 'keys: every table has "settle" already'),
    ('void=Power("supervisor"', 'void=Power("superviser"', 'document: powers: void: "superviser" is none of dealer, '),
    ('"match": Setting(', '"macth": Setting(', 'settings: "macth" is not in options: did you mean "match"?'),
    ('"match": Setting("area-manager"', '"match": Setting("boss"', 'settings: match: "boss" is none of dealer, '),
    ('"between rounds"', '"at night"', 'settings: match: "at night" is none of any time, '),
    ('"match": Edge', '"macth": Edge', 'odds: "macth" is not in opening: did you mean "match"?'),
    ("high_card:match_edge", "high_card.match_edge", "odds: match: Edge("),
    ('Edge("high_card:match_edge", "by itself")', '"high_card:match_edge"', "'high_card:match_edge' is no Edge("),
    ("    def play(", "    def played(", "HighCard does not declare play"),
    ("        yield from deal(", "        deal(", " is called, and nobody waits for it: write `yield from`"),
    ("        yield from deal(", "        yield deal(", " is yielded as it is: write `yield from`"),
    (
        "    def play(",
        "    def play(self, f: Layout) -> Script: ...\n    def old(",
        "play yields nothing, so no ",
    ),
]


def edited(site: Path, *edits: tuple[str, str]) -> Path:
    """Puts High Card into a folder, with these edits of its two modules; returns the folder."""
    code, document = (SOURCE / "high_card.py").read_text(), (SOURCE / "high_card_document.py").read_text()
    for old, new in edits:
        assert old in code + document, old
        code, document = code.replace(old, new), document.replace(old, new)
    made_up(site, "high_card", code, "[feltd.games]\nhigh-card = high_card\n")
    (site / "high_card_document.py").write_text(document)
    return site


@pytest.mark.parametrize("name", GAMES)
def test_ours_have_no_mistakes(name: str) -> None:
    rules = GAMES[name]
    assert mistakes(rules) == []
    assert not isinstance(rules, HouseGame) or unyielded(rules) == []


@pytest.mark.parametrize(("old", "new", "why"), WRONG, ids=[why[:40] for _, _, why in WRONG])
def test_a_mistake_is_named_with_its_place(tmp_path: Path, old: str, new: str, why: str) -> None:
    with seen(edited(tmp_path, (old, new))), pytest.raises(ExtensionError) as caught:
        find("high-card")
    line = (tmp_path / "high_card.py").read_text().splitlines().index("@game") + 1
    assert caught.value.code == "extension.broken"
    assert "cannot be loaded: DeclarationError: HighCard" in caught.value.cause
    assert why in caught.value.cause
    assert caught.value.cause.endswith(f" (high_card.py:{line})")
    assert "If it is yours: the cause names the place." in caught.value.next_step


def test_all_mistakes_are_named_at_once_by_every_command(tmp_path: Path) -> None:
    wrong = [case for case in WRONG if "hihg" in case[1] or "superviser" in case[1] or '= "Z"' in case[1]]
    site = edited(tmp_path / "site", *(case[:2] for case in wrong))
    table = table_toml(tmp_path, game="high-card")
    for command in (("config", "check", str(table)), ("odds", "high-card"), ("sim", "--config", str(table))):
        told = felt(site, *command)
        assert told.returncode != 0
        assert [why for _, _, why in wrong if why not in told.stdout + told.stderr] == []


@pytest.mark.parametrize("at", ["        yield from deal(", "        judged = {"])
def test_odds_of_a_game_that_raises_name_the_place(tmp_path: Path, at: str) -> None:
    site = edited(tmp_path, (at, f'        raise KeyError("oops")\n{at}'))
    line = (site / "high_card.py").read_text().splitlines().index('        raise KeyError("oops")') + 1
    told = felt(site, "odds", "high-card")
    assert told.returncode == 1
    cause = f"the odds of high at high-card cannot be computed: KeyError: 'oops', at high_card.py:{line}"
    assert told.stderr.startswith(f"odds.failed: {cause}\n")
