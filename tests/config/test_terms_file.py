"""terms.toml: whole files can be used, and every mistake is told at once with its line; docs/tournaments.md."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.cli.tournament import command
from controller.config.errors import TermsError
from controller.config.terms import load_terms, open_terms
from controller.errors import meaning
from controller.tournament.terms import TournamentTerms, read_items
from controller.tournament.values import Length, Level, Portion, Span

EXAMPLES = sorted((Path(__file__).parents[2] / "examples/tournaments").glob("*.toml"))
CUP = next(path for path in EXAMPLES if path.stem == "spring-cup")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "terms.toml"


def written(file: Path, **changed: str | None) -> Path:
    """The example with some keys changed; None: left out."""
    lines = []
    for line in CUP.read_text().splitlines():
        key = line.partition(" ")[0].replace("-", "_")
        value = changed.pop(key, line)
        if value is not None:
            lines.append(line if value is line else f"{line.partition(' ')[0]} = {value}")
    lines += [f"{key.replace('_', '-')} = {value}" for key, value in changed.items()]
    file.write_text("\n".join(lines) + "\n")
    return file


def told(file: Path) -> list[str]:
    with pytest.raises(TermsError) as error:
        load_terms(file)
    assert error.value.code == "terms.invalid"
    return [f"{problem.key}: {problem.message}" for problem in error.value.problems]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_can_be_used_and_nothing_in_them_surprises(path: Path) -> None:
    found, terms = load_terms(path)
    assert found.hints(terms) == []
    assert found.text == path.read_text()
    assert len(found.digest) == 64


def test_what_an_example_means() -> None:
    found, terms = load_terms(CUP)
    assert (found.name, found.game) == ("Spring Cup", "casino-war")
    assert (terms.when, terms.withdraw_until) == (1_796_457_600_000, 1_796_432_400_000)
    assert (terms.players, terms.hands, terms.tables, terms.progress) == (Span(2, 60), Length(rounds=20), 2, 2)
    assert terms.levels == (Level(10_00, 500_00), Level(25_00, 500_00), Level(50_00, 1000_00))
    assert terms.shares == tuple(Portion(part=part) for part in (600_000, 300_000, 100_000))
    assert (terms.penalties, terms.gates, terms.passes) == (("warning", "chips"), "manual", 1)


def test_in_a_script_its_dates_count_as_the_defaults() -> None:
    found = open_terms(CUP)
    assert found.rules is not None
    terms = read_items(found.rules, {"bank": "500"}, (), found.sheet, now=42)
    assert isinstance(terms, TournamentTerms)
    assert (terms.when, terms.withdraw_until, terms.bank, terms.sessions, terms.gates) == (42, None, 500_00, 2, "auto")


def test_every_mistake_is_told_with_its_line(file: Path) -> None:
    written(
        file,
        when='"tomorrow"',
        withdraw_until="2026-12-05T12:00:00",
        bank="5.5",
        secret="true",
        players="[60, 2]",
        chips='"cash"',
        fee="2026-12-05T12:00:00Z",
        location="{ pit = 4 }",
        name='""',
        dispute=None,
        levles='["10-500"]',
        gates='"auto"',
    )
    assert told(file) == [
        "dispute: is missing: who decides disputes (rule 10.4.8(h))",
        'name: must be a name (letters, digits, spaces and \'_.-, at most 60, a letter first): add name = "Spring Cup"',
        "when: must be a date, a time and its offset without quotes: 2026-12-05T19:00:00+11:00",
        'fee: must be an amount of dollars, such as "10" or "2.50"',
        'players: "60-2" must be two whole numbers, the least and the most, such as "2-60" (rule 10.4.1(a)(iii))',
        "location: must be a sentence",
        "withdraw-until: needs its offset from universal time: 2026-12-05T12:00:00+11:00",
        'bank: must not be a floating-point number: write it in quotes, "5.5"',
        "chips: a tournament is not played with cash chips (rule 10.4.4(a))",
        "secret: must be a whole number, 0 or more",
        'levles: unknown key: did you mean "levels"?',
        "gates: is for scripts alone: remove it",
    ]


@pytest.mark.parametrize("name", ["A/B", "7 Cup", "x" * 61, "a\\tb"])
def test_a_name_can_stand_in_an_address(file: Path, name: str) -> None:
    assert [each.partition(":")[0] for each in told(written(file, name=f'"{name}"'))] == ["name"]


def test_a_wrong_date_says_what_may_stand_there(file: Path) -> None:
    assert told(written(file, withdraw_until='"2h"')) == [
        'withdraw-until: must be a date, a time and its offset without quotes: 2026-12-05T19:00:00+11:00, or "start"'
    ]
    assert load_terms(written(file, withdraw_until='"start"'))[1].withdraw_until is None


def test_switches_lists_and_numbers(file: Path) -> None:
    _, terms = load_terms(
        written(file, charity="true", employees='"They play for charity."', penalties="[]", shares="[500, 200]")
    )
    assert (terms.charity, terms.penalties) == (True, ())
    assert terms.shares == (Portion(amount=500_00), Portion(amount=200_00))
    assert load_terms(written(file, charity="false"))[1].charity is False


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (None, 'is missing: add game = "casino-war"'),
        ('"casino-wra"', 'unknown game "casino-wra": did you mean "casino-war"?'),
    ],
)
def test_without_a_game_nobody_knows_the_numbers(file: Path, game: str | None, why: str) -> None:
    assert told(written(file, game=game)) == [f"game: {why}"]


@pytest.mark.parametrize(
    ("text", "code"), [("x = [", "terms.syntax"), (None, "terms.missing"), ("#" * (1 << 20) + "#", "terms.too-large")]
)
def test_what_is_no_file_of_terms(file: Path, text: str | None, code: str) -> None:
    if text is not None:
        file.write_text(text)
    with pytest.raises(TermsError) as error:
        open_terms(file)
    assert error.value.code == code
    assert meaning(code) is not None
    assert f"felt tournament check {file}" in error.value.next_step


def test_the_command_tells_and_exits(file: Path) -> None:
    run = CliRunner().invoke
    good = run(command, ["check", str(CUP)])
    assert (good.exit_code, good.output) == (
        0,
        f"{CUP} can be used: Spring Cup, casino-war, 2 to 60 players, $100 and a fee of $10, "
        "not before 2026-12-05 08:00 UTC\n",
    )
    assert json.loads(run(command, ["check", str(CUP), "--json"]).output)["sha256"] == open_terms(CUP).digest
    bad = run(command, ["check", str(written(file, dispute=None))])
    assert (bad.exit_code, bad.output) == (1, f"{file}: dispute: is missing: who decides disputes (rule 10.4.8(h))\n")
    whole = json.loads(run(command, ["check", str(file), "--json"]).output)
    assert (whole["ok"], whole["problems"][0]["key"]) == (False, "dispute")


def test_what_surprises_is_told_and_can_be_used(file: Path) -> None:
    said = CliRunner().invoke(command, ["check", str(written(file, shares='["60%"]', bank="5"))])
    assert said.exit_code == 0
    assert "but look at this:" in said.output
    assert "shares: come to less than 100%" in said.output
    assert "bank: is below the least wager" in said.output
