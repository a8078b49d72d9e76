"""Makes a release: checks, wheel, notes, tag.  Everything stays on this machine; the end says what to send where.

`make release DRY=1` does all of it but the tag.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
DIST: Final = ROOT / "dist"
BRANCH: Final = "main"
CHECKS: Final = ("lint", "test", "coverage")
PACKAGES: Final = ("controller", "drivers", "firmware_bridge", "hw_sim", "pytest_felt")
NEEDS: Final = ROOT / "requirements/base.txt"  # what a wheel needs; a checkout needs run.txt, to be built
TRIES: Final = (  # what is asked of the wheel where nothing else is installed
    ("--version",),
    ("run", str(ROOT / "examples/testers_suite/casino_war.felt")),
    ("explain", "table.defect"),
)
COMMANDS: Final = ("felt = controller.cli.main:main", "feltd = controller.daemon.main:main")
_HEADING: Final = re.compile(r"^## \[(?P<name>[^]]+)\](?: - (?P<date>\d{4}-\d{2}-\d{2}))?$", re.MULTILINE)


class NotReady(Exception):
    """What stands in the way of a release, one line each."""


def version_of(pyproject: str) -> str:
    """Returns the number of the version, from the one place where it stands.

    >>> version_of('[project]\\nversion = "1.2.3"')
    '1.2.3'
    """
    return str(tomllib.loads(pyproject)["project"]["version"])


def sections(changelog: str) -> list[tuple[str, str | None, str]]:
    """Returns name, date and text of every section of the changelog, the newest first.

    >>> sections("# Changelog\\n\\n## [Unreleased]\\n\\n## [0.2.0] - 2026-11-17\\n\\n- a line\\n")
    [('Unreleased', None, ''), ('0.2.0', '2026-11-17', '- a line')]
    """
    headings = list(_HEADING.finditer(changelog))
    ends = [*(match.start() for match in headings[1:]), len(changelog)]
    return [
        (match["name"], match["date"], changelog[match.end() : end].strip())
        for match, end in zip(headings, ends, strict=False)
    ]


def disagreements(version: str, changelog: str, kept: Iterable[str]) -> list[str]:
    """Returns where the number, the changelog and the kept journals do not agree."""
    known, problems = sections(changelog), []
    if not known or known[0][0] != "Unreleased":
        return ["CHANGELOG.md: the first section must be [Unreleased]"]
    if known[0][2]:
        problems.append(f"CHANGELOG.md: move what stands under [Unreleased] below [{version}]")
    newest = known[1] if len(known) > 1 else ("nothing", None, "")
    if newest[0] != version:
        problems.append(f"CHANGELOG.md: its newest version is {newest[0]}, that of pyproject.toml {version}")
    elif newest[1] is None:
        problems.append(f"CHANGELOG.md: [{version}] has no date")
    elif not newest[2]:
        problems.append(f"CHANGELOG.md: [{version}] says nothing")
    if version not in kept:
        problems.append(f"tests/kept/{version}: keep what this version writes (python -m tests.kept.keep)")
    return problems


def notes(version: str, changelog: str) -> str:
    """Returns what people read of a version: its section of the changelog."""
    (text,) = [text for name, _, text in sections(changelog) if name == version]
    return f"feltd {version}\n\n{text}\n"


def wheel_problems(inside: Iterable[str], tracked: Iterable[str], version: str) -> list[str]:
    """Returns what is in the wheel but should not be, and what should be in it but is not."""
    about = f"feltd-{version}.dist-info/"
    files = {name for name in inside if not name.startswith(about)}
    wanted = {name for name in tracked if name.split("/")[0] in PACKAGES}
    problems = [f"{name} does not belong into the wheel" for name in sorted(files - wanted)]
    return problems + [f"{name} is missing in the wheel" for name in sorted(wanted - files)]


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def _state_of_the_tree(version: str) -> list[str]:
    problems = []
    if _git("status", "--porcelain"):
        problems.append("the tree has changes that are not committed")
    if (branch := _git("branch", "--show-current")) != BRANCH:
        problems.append(f"this is {branch or 'no branch'}, not {BRANCH}")
    if _git("tag", "--list", f"v{version}"):
        problems.append(f"the tag v{version} exists: choose another number")
    return problems


def _build(version: str) -> Path:
    """Builds the wheel from what is committed, and looks into it."""
    DIST.mkdir(exist_ok=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    words = ["wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(DIST), str(ROOT)]
    subprocess.run([*pip, *words], check=True)
    wheel = DIST / f"feltd-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        commands = archive.read(f"feltd-{version}.dist-info/entry_points.txt").decode()
    problems = wheel_problems(names, _git("ls-files").splitlines(), version)
    problems += [f"the wheel has no command {command}" for command in COMMANDS if command not in commands]
    if problems:
        raise NotReady("\n".join(problems))
    print(f"    {wheel.relative_to(ROOT)}: {len(names)} files of {', '.join(PACKAGES)}")
    return wheel


def _try(wheel: Path, version: str) -> None:
    """Installs the wheel into an environment of its own, and lets it work there."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        pip = [f"{place}/bin/python", "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        subprocess.run([*pip, "--require-hashes", "-r", str(NEEDS)], check=True)
        subprocess.run([*pip, "--no-deps", str(wheel)], check=True)
        for words in TRIES:
            result = subprocess.run(
                [f"{place}/bin/felt", *words], cwd=place, check=False, capture_output=True, text=True
            )
            if result.returncode or (words == ("--version",) and version not in result.stdout):
                raise NotReady(
                    f"installed from the wheel, felt {' '.join(words)} fails:\n{result.stdout}{result.stderr}"
                )
            print(f"    felt {words[0]} works where only the wheel is installed")
        manifest = DIST / f"feltd-{version}-{sysconfig.get_platform()}.manifest"
        manifest.unlink(missing_ok=True)
        subprocess.run([f"{place}/bin/felt", "program", "manifest", "-o", str(manifest)], check=True)
        print(f"    {manifest.relative_to(ROOT)}: every installed file, to be signed by whoever approves it")


def release(dry: bool) -> None:
    """Goes through all steps in order; raises NotReady at the first that does not hold."""
    version = version_of((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    print(f"==> Release {version}{' (dry: no tag)' if dry else ''}", flush=True)
    kept = [path.parent.name for path in (ROOT / "tests/kept").glob("*/said.json")]
    if problems := _state_of_the_tree(version) + disagreements(version, changelog, kept):
        raise NotReady("\n".join(problems))
    for check in CHECKS:
        if subprocess.run(["make", check], cwd=ROOT, check=False).returncode:
            raise NotReady(f"make {check} failed")
    print("==> Wheel", flush=True)
    wheel = _build(version)
    _try(wheel, version)
    text = DIST / f"notes-{version}.md"
    text.write_text(notes(version, changelog), encoding="utf-8")
    print(f"==> Notes\n    {text.relative_to(ROOT)}")
    if dry:
        print(f"==> Ready: make release sets the tag v{version}")
        return
    _git("tag", "--annotate", f"v{version}", "--cleanup=verbatim", "--file", str(text))
    print(f"==> Tagged v{version}, on this machine only. Next:")
    print(f"    git push origin {BRANCH} v{version}")
    print(f"    hand out {wheel.relative_to(ROOT)} with {NEEDS.relative_to(ROOT)} and {text.relative_to(ROOT)}")


def main() -> int:
    """Makes the release that pyproject.toml names; returns 1, and says why, when something stands in the way."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--dry", action="store_true", help="all but the tag")
    try:
        release(parser.parse_args().dry)
    except NotReady as why:
        print(f"Not released:\n{why}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
