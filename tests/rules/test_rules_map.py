"""docs/rules.md says what is so: a rule's code or script that disappears is noticed here."""

from __future__ import annotations

import csv
import doctest
import io
import json
from difflib import unified_diff
from functools import cache
from pathlib import Path

import pytest
from msgspec import to_builtins

from controller.games import GAMES
from controller.table.documents import Power
from tests.citing import cited_by, is_known
from tools import citations, rules_map, tournament_terms
from tools.rules_map import (
    COLUMNS,
    MAP,
    MATRIX,
    ROOT,
    Document,
    build,
    lost,
    matrix,
    planted,
    proven_in,
    render,
    sampled,
)

REASONED = ("procedure", "not offered")
LIST = """
[[code]]
files = "controller/house/games/war.py"
documents = { 004 = [] }

[[code]]
files = "controller/house/documents/war.py"
documents = { 004 = [] }

[[code]]
files = "controller/house/games/both.py"
documents = { 002 = ["10"], 003 = ["12"] }
short_for = { 002 = "10", 003 = "12" }

[names]
nsw = "002"
vic = "003"

[games]
casino-war = "004"
caribbean-stud = "002"

[[document]]
number = "002"
title = "Minors"
rows = [{ rules = ["10.4.2", "Table 5"], what = "a win" }]

[[document]]
number = "003"
title = "Victoria"
rows = [{ rules = ["12.4.2", "12.5"], what = "a win" }]

[[document]]
number = "004"
title = "War"
rows = [
  { rules = ["9.1", "9.10", "11.9", "5.7"], what = "a rule" },
  { rules = ["11.1"], what = "conduct", status = "procedure", why = "staff on site" },
]
"""

WAR = '''
class War:
    closing = "hands"  # 9.10

    # ---- 5.7: a heading

    def play(self):
        """Rule 9.1.2(a), and the number 5.75 which is none."""
'''

DOCUMENT = """
CASINO_WAR = HouseDocument(
    "004",
    HouseCitations(
        idle="11.9",
    ),
)
"""

BOTH = """
NSW = ("10.4.2(a)",)
VIC = ("12.5.1",)


def win(doc):
    return doc.at("4.2(b)")
"""

TABLE = """
# 002, Table 5
PRIZES = 1


def ask(s):
    return s.cites.idle
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository of a few lines."""
    files = {
        "docs/rules.toml": LIST,
        "controller/house/games/war.py": WAR,
        "controller/house/documents/war.py": DOCUMENT,
        "controller/house/games/both.py": BOTH,
        "controller/table/table.py": TABLE,
        "tests/rules/004/09_irregularities/9.1_shown.felt": "table casino-war\nexpect prompt dealer by 9.1\n",
        "tests/rules/004/09_irregularities/9.10_empty.felt": "table casino-war\nkey settle\n",
        "tests/rules/004/09_irregularities/9_titles.felt": "case 9.10.2: empty\ntable casino-war\n",
        "tests/rules/004/across_chapters/two.felt": (
            "table casino-war as W\ntable caribbean-stud as C\ncase one\nW: wait 1s\n# by 9.1\n"
            "expect refused by 11.9|5.7\ncase two\nexpect refused by table-5\n"
        ),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@cache
def ours() -> list[Document]:
    """The rules of this repository, as they are now."""
    return build()


def places(documents: list[Document]) -> dict[str, tuple[str, ...]]:
    return {f"{d.number} {r.number}": r.code for d in documents for r in d.rules}


def scripts(documents: list[Document]) -> dict[str, list[str]]:
    return {f"{d.number} {r.number}": [Path(p).stem for p in r.scripts] for d in documents for r in d.rules}


def test_docs_rules_md_is_what_is_there() -> None:
    written, now = (ROOT / MAP).read_text(encoding="utf-8"), render(ours(), sampled(ROOT, ours()))
    if written != now:
        diff = list(unified_diff(written.splitlines(), now.splitlines(), MAP, "now", n=0, lineterm=""))
        rest = [f"... {len(diff) - 20} more lines"] if len(diff) > 20 else []
        shown = [line[:200] for line in diff[:20]]
        pytest.fail("\n".join([f"{MAP} is out of date: run make rules", *shown, *rest]), pytrace=False)


def test_docs_rules_csv_says_the_same() -> None:
    assert (ROOT / MATRIX).read_text(encoding="utf-8") == matrix(ours(), planted(ROOT)), "run make rules"


def test_whoever_is_no_software_has_a_reason() -> None:
    without = [f"{d.number} {r.number}" for d in ours() for r in d.rules if r.status in REASONED and not r.why]
    assert without == []


def test_no_proven_rule_became_a_gap() -> None:
    gone = lost((ROOT / MAP).read_text(encoding="utf-8"), ours())
    assert not gone, "\n".join(gone)


def test_something_is_proven() -> None:
    assert {("004", "9.12"), ("002", "13.2.2"), ("003", "11.3")} <= proven_in((ROOT / MAP).read_text(encoding="utf-8"))


def test_code_is_named_by_symbol(tree: Path) -> None:
    found = places(build(tree))
    assert found["004 9.1"] == ("house/games/war.py: War.play",)
    assert found["004 9.10"] == ("house/games/war.py: War.closing",)
    assert found["004 11.9"] == ("house/documents/war.py: CASINO_WAR.idle → table/table.py: ask",)
    assert found["004 5.7"] == ()  # a heading, and a longer number


def test_one_file_speaks_of_two_documents(tree: Path) -> None:
    found = places(build(tree))
    assert found["002 10.4.2"] == ("house/games/both.py: NSW", "house/games/both.py: win")
    assert found["003 12.4.2"] == ("house/games/both.py: win",)
    assert found["003 12.5"] == ("house/games/both.py: VIC",)
    assert found["002 Table 5"] == ("table/table.py: PRIZES",)


def test_scripts_are_found_by_name_and_by_what_they_expect(tree: Path) -> None:
    found = scripts(build(tree))
    assert found["004 9.1"] == ["9.1_shown"]
    assert found["004 9.10"] == ["9.10_empty", "9_titles"]  # named after it: the script, a case
    assert found["004 11.9"] == found["004 5.7"] == ["two"]
    assert found["002 Table 5"] == ["two"]  # each case begins where the tables were set up


def test_the_matrix_has_a_line_for_each_rule_with_the_faults_planted_into_its_code(tree: Path) -> None:
    faults = [
        ["controller/house/games/war.py", 8, "War.play", "number", "1", "2", "found"],
        ["controller/house/games/war.py", 8, "War.play", "number", "1", "0", "missed"],
        ["controller/table/table.py", 7, "ask", "call", "f()", "None", "hangs"],
    ]
    (tree / "docs/mutants.json").write_text(json.dumps({"seed": 1, "faults": faults}), encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(matrix(build(tree), planted(tree)))))
    assert tuple(rows[0]) == COLUMNS
    by_rule = {f"{row['document']} {row['rule']}": row for row in rows}
    assert [by_rule["004 9.1"][column] for column in COLUMNS[-2:]] == ["2", "1"]
    assert [by_rule["004 11.9"][column] for column in COLUMNS[-2:]] == ["1", "1"]  # of the code that looks it up
    assert [by_rule["004 5.7"][column] for column in COLUMNS[-2:]] == ["", ""]
    assert by_rule["004 11.1"]["reason"] == "staff on site"
    assert planted(tree / "elsewhere") == {}
    assert sampled(tree / "elsewhere", []) == ""


def test_faults_that_were_drawn_for_rules_are_kept_apart_from_the_sample(tree: Path) -> None:
    row = ["controller/house/games/war.py", 8, "War.play", "number", "1", "2"]
    kept = {"seed": 1, "date": "2026-01-02", "commit": "abc", "faults": [[*row, "found"]]}
    apart = {"each rule": {"faults": [["controller/table/table.py", 7, "ask", "call", "f()", "None", "survived"]]}}
    (tree / "docs/mutants.json").write_text(json.dumps(kept | apart), encoding="utf-8")
    rows = csv.DictReader(io.StringIO(matrix(build(tree), planted(tree))))
    score = {row["rule"]: (row["faults planted"], row["faults found"]) for row in rows}
    assert (score["9.1"], score["11.9"], score["5.7"]) == (("1", "1"), ("1", "0"), ("", ""))
    said = " ".join(sampled(tree, build(tree)).split())
    assert "Of 1 faults" in said and "the tests found 1: 100.0 %" in said
    assert planted(tree, ("faults",)).keys() == {("controller/house/games/war.py", "War.play")}


def test_a_test_in_python_proves_what_no_script_can_see(tree: Path) -> None:
    page = '{ rules = ["9.1"], what = "a page", tests = ["tests/test_page.py"] },'
    listed = LIST.replace('"9.1", "9.10"', '"9.10"').replace('what = "a rule" },', f'what = "a rule" }},\n  {page}')
    (tree / "docs/rules.toml").write_text(listed, encoding="utf-8")
    (tree / "tests/test_page.py").write_text('"""004 9.1: the page shows it."""', encoding="utf-8")
    (rule,) = [rule for d in build(tree) for rule in d.rules if (d.number, rule.number) == ("004", "9.1")]
    assert rule.scripts[-1] == "tests/test_page.py"
    (tree / "tests/test_page.py").write_text('"""004 9.2."""', encoding="utf-8")
    with pytest.raises(ValueError, match=r"tests/test_page.py does not name 004 9.1"):
        build(tree)


def test_definitions_that_have_one_number_have_places_of_their_own(tree: Path) -> None:
    rows = """rows = [
  { rules = ["9.10 one"], what = "a", among = ["War.closing", "9.10_empty"] },
  { rules = ["9.10 two"], what = "b", among = ["9_titles"] },"""
    listed = LIST.replace('"9.10", ', "")
    (tree / "docs/rules.toml").write_text(rows.join(listed.rsplit("rows = [", 1)), encoding="utf-8")
    found, proofs = places(build(tree)), scripts(build(tree))
    assert (found["004 9.10 one"], proofs["004 9.10 one"]) == (("house/games/war.py: War.closing",), ["9.10_empty"])
    assert (found["004 9.10 two"], proofs["004 9.10 two"]) == ((), ["9_titles"])
    (tree / "tests/rules/004/09_irregularities/9_titles.felt").unlink()
    with pytest.raises(ValueError, match=r"004 9.10 two: nothing that names it is 9_titles"):
        build(tree)


CHAPTER = """
[[chapter]]
of = { 002 = "14", 004 = "10" }
rows = [
  { rules = [".4.2(c)"], what = "method of entry" },
  { rules = [".4.8(h)"], what = "final", only = ["004"] },
  { rules = [".4.8(g)"], what = "final", only = ["002"] },
]
"""
TOURNAMENT = {
    "controller/house/documents/war.py": """
WAR = HouseDocument(
    tournaments=TournamentRules(chapter="10", numbered="vic"),
)
""",
    "controller/house/documents/minors.py": """
MINORS = TournamentRules(
    chapter="14",
    numbered="nsw",
    final=".4.8(g)",
)
""",
    "controller/table/documents.py": """
class TournamentRules:
    final: str = ".4.8(h)"
""",
    "controller/tournament/items.py": """
ITEMS = (
    _statement("method", ".2(c)", ".2(c)", "At the desk.", "how one enters"),
    _statement("dispute", ".8(h)", ".8(g)", "Final.", "who decides"),
)
""",
    "controller/tournament/entries.py": """
def enter(cup):
    raise Refusal(cup.item("method"))


def award(cup):
    raise Refusal(cup.rule(cup.rules.final))
""",
    "tests/rules/004/10_tournaments/cup.felt": "tournament CUP casino-war\nexpect refused by 10.4.2(c)\n",
}


def test_a_chapter_that_documents_number_alike_is_listed_once(tree: Path) -> None:
    for name, text in TOURNAMENT.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text, encoding="utf-8")
    minors = '[[code]]\nfiles = "controller/house/documents/minors.py"\ndocuments = { 002 = [] }\n'
    (tree / "docs/rules.toml").write_text(minors + LIST + CHAPTER, encoding="utf-8")
    found, proofs = places(build(tree)), scripts(build(tree))
    missed = "tournament/terms.py: _missing"
    asked = "tournament/entries.py: enter"
    assert (
        found["004 10.4.2(c)"] == found["002 14.4.2(c)"] == (asked, f'tournament/items.py: ITEMS["method"] → {missed}')
    )
    award = ("tournament/entries.py: award", f'tournament/items.py: ITEMS["dispute"] → {missed}')
    assert found["004 10.4.8(h)"] == found["002 14.4.8(g)"] == award
    assert not found.keys() & {"004 10.4.8(g)", "002 14.4.8(h)"}
    assert proofs["004 10.4.2(c)"] == ["cup"]  # the desk of a tournament speaks for its game


def test_a_lost_script_or_line_is_told(tree: Path) -> None:
    before = render(build(tree))
    assert proven_in(before) == {("002", "Table 5"), ("004", "9.1"), ("004", "9.10"), ("004", "11.9")}
    assert lost(before, build(tree)) == []
    (tree / "tests/rules/004/09_irregularities/9.1_shown.felt").unlink()
    (tree / "controller/house/documents/war.py").write_text(DOCUMENT.replace("11.9", "11.8"), encoding="utf-8")
    assert lost(before, build(tree)) == [
        "004 9.1 (a rule) has no script any more",
        "004 11.9 (a rule) has no code any more",
    ]


def test_lines_may_move(tree: Path) -> None:
    before = render(build(tree))
    (tree / "controller/house/games/war.py").write_text("# news\n\n\n" + WAR, encoding="utf-8")
    assert render(build(tree)) == before


def test_gaps_stand_first_and_procedures_are_none(tree: Path) -> None:
    gaps, _, rest = render(build(tree)).partition("\n## 002 ")
    assert "- 5.7: a rule" in gaps
    assert "11.1" not in gaps
    assert "| 11.1 | conduct | *procedure: staff on site* |  |" in rest


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"procedure"', '"someday"', "004 11.1 has the status someday"),
        ('"9.10", ', '"9.1", ', "document 004 lists 9.1 twice"),
    ],
)
def test_a_wrong_list_is_refused(tree: Path, old: str, new: str, problem: str) -> None:
    (tree / "docs/rules.toml").write_text(LIST.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=problem):
        build(tree)


def test_losing_a_proof_must_be_meant(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rules_map, "ROOT", tree)
    monkeypatch.setattr("sys.argv", ["rules_map"])
    assert rules_map.main() == 0
    written = (tree / MAP).read_text(encoding="utf-8")
    (tree / "tests/rules/004/09_irregularities/9.1_shown.felt").unlink()
    assert rules_map.main() == 1
    assert (tree / MAP).read_text(encoding="utf-8") == written
    assert "004 9.1 (a rule) has no script any more" in capsys.readouterr().err
    monkeypatch.setattr("sys.argv", ["rules_map", "--anyway"])
    assert rules_map.main() == 0
    assert ("004", "9.1") not in proven_in((tree / MAP).read_text(encoding="utf-8"))


def test_the_examples_hold() -> None:
    assert [doctest.testmod(module).failed for module in (citations, rules_map, tournament_terms)] == [0, 0, 0]


def test_only_rules_that_a_document_has_are_known() -> None:
    told = {"refused": [{"rule": "9.4"}], "rounds": [{"wagers": [{"rule": "5.7.1"}, {"rule": None}]}]}
    assert list(cited_by(told)) == ["9.4", "5.7.1"]
    assert is_known("004", "9.4")
    assert is_known("002", "table-6")
    assert not is_known("004", "9.4x")
    assert not is_known("000", "13.2.1x")  # 13.2 is one of its rules
    assert not is_known("001", "99.1")


@pytest.mark.parametrize("game", GAMES)
def test_every_citation_of_a_document_is_a_rule_that_it_has(game: str) -> None:
    document = GAMES[game].document
    cited = {name: value for name, value in to_builtins(document.citations).items() if isinstance(value, str) and value}
    powers = [getattr(document.powers, name) for name in document.powers.__struct_fields__]
    rules = [*cited.values(), *(power.rule for power in powers if isinstance(power, Power))]
    unknown = [rule for rule in rules if rule and not rule.startswith("s") and not is_known(document.number, rule)]
    assert not unknown, [name for name, rule in cited.items() if rule in unknown]
