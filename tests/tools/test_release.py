"""A release is refused when its number, its changelog, its kept journals or its wheel do not agree."""

from __future__ import annotations

import pytest

from tools.release import disagreements, notes, sections, wheel_problems

GOOD = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-17\n\n### Added\n\n- A door.\n\n## [0.1.0]\n\n- All.\n"


def test_what_agrees_is_released() -> None:
    assert disagreements("0.2.0", GOOD, ["0.1.0", "0.2.0"]) == []


@pytest.mark.parametrize(
    ("version", "changelog", "kept", "says"),
    [
        ("0.3.0", GOOD, ["0.3.0"], "its newest version is 0.2.0, that of pyproject.toml 0.3.0"),
        ("0.2.0", GOOD.replace(" - 2026-11-17", ""), ["0.2.0"], "has no date"),
        ("0.2.0", GOOD.replace("[Unreleased]\n", "[Unreleased]\n\n- new\n"), ["0.2.0"], "move what stands under"),
        ("0.2.0", GOOD.replace("\n### Added\n\n- A door.\n", ""), ["0.2.0"], "says nothing"),
        ("0.2.0", GOOD.replace("## [Unreleased]\n\n", ""), ["0.2.0"], "the first section must be"),
        ("0.2.0", "", ["0.2.0"], "the first section must be"),
        ("0.2.0", "## [Unreleased]\n", ["0.2.0"], "its newest version is nothing"),
        ("0.2.0", GOOD, ["0.1.0"], "keep what this version writes"),
    ],
)
def test_what_does_not_agree_is_named(version: str, changelog: str, kept: list[str], says: str) -> None:
    (problem,) = disagreements(version, changelog, kept)
    assert says in problem


def test_the_notes_are_the_section_of_the_version() -> None:
    assert notes("0.2.0", GOOD) == "feltd 0.2.0\n\n### Added\n\n- A door.\n"
    assert [name for name, _, _ in sections(GOOD)] == ["Unreleased", "0.2.0", "0.1.0"]


def test_the_wheel_has_the_four_packages_and_nothing_else() -> None:
    tracked = ["controller/cards.py", "controller/web/page.html", "hw_sim/__init__.py", "tests/poker/playout.py"]
    about = "feltd-0.2.0.dist-info/METADATA"
    assert wheel_problems([*tracked[:3], about], tracked, "0.2.0") == []
    assert wheel_problems([*tracked[1:], about], tracked, "0.2.0") == [
        "tests/poker/playout.py does not belong into the wheel",
        "controller/cards.py is missing in the wheel",
    ]
