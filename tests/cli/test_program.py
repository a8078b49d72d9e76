"""felt program without a daemon: manifests are made, signed and verified, challenges are answered."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from click.testing import CliRunner, Result

from controller.cli.firmware import command as firmware
from controller.cli.program import command
from controller.program.installed import sources
from tests.program.installation import installed

SEED = "00112233445566778899aabbccddeeff"


def felt(*words: str | Path) -> Result:
    return CliRunner().invoke(command, [str(word) for word in words])


def key(path: Path) -> str:
    made = CliRunner().invoke(firmware, ["keygen", str(path), "--json"])
    return str(json.loads(made.stdout)["public_key"])


def test_from_the_maker_over_the_laboratory_to_the_table(tmp_path: Path) -> None:
    root, manifest, signed = installed(tmp_path), tmp_path / "manifest", tmp_path / "signed"
    maker, laboratory = key(tmp_path / "maker.pem"), key(tmp_path / "laboratory.pem")
    said = felt("manifest", "--files", root, "-o", manifest)
    assert said.exit_code == 0 and "UNSIGNED" in said.stdout
    said = felt("sign", manifest, "--key", tmp_path / "maker.pem", "-o", signed)
    assert said.exit_code == 0 and maker in said.stdout
    said = felt("sign", signed, "--key", tmp_path / "laboratory.pem", "-o", tmp_path / "both", "--json")
    assert json.loads(said.stdout)["signed_by"] == [maker, laboratory]
    for trusted in (maker, laboratory):
        said = felt("verify", tmp_path / "both", "--key", trusted, "--files", root)
        assert said.exit_code == 0 and said.stdout.startswith("sound: "), said.output
    said = felt("verify", signed, "--key", laboratory, "--files", root)
    assert said.exit_code == 1 and "program.untrusted" in said.stdout
    (root / "controller/money.py").write_text("")
    said = felt("verify", tmp_path / "both", "--key", maker, "--files", root)
    assert said.exit_code == 1 and "controller/money.py: is altered" in said.stdout
    assert felt("manifest", "--files", root, "-o", manifest).exit_code == 1  # never over one that is there


def test_a_challenge_from_a_folder_and_from_a_wheel(tmp_path: Path) -> None:
    root, wheel = installed(tmp_path), tmp_path / "feltd.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for source in sources(root):
            if not source.path.startswith(("..", "acme")):
                with source.open() as file:
                    archive.writestr(source.path, file.read())
    told = [json.loads(felt("challenge", SEED, "--files", at, "--json").stdout) for at in (root, wheel)]
    assert told[0]["program"] == told[1]["program"]
    assert told[0]["installation"] != told[1]["installation"] == told[1]["program"]
    lines = felt("challenge", SEED, "--files", wheel, "--lines").stdout.splitlines()
    assert told[1]["lines"] == lines[:-3]
    assert felt("challenge", SEED, "--files", tmp_path / "nothing.whl").exit_code == 1
    assert felt("challenge", SEED, "--files", root, "--files", wheel).exit_code == 1


def test_what_is_no_installation(tmp_path: Path) -> None:
    said = felt("manifest", "--files", tmp_path, "-o", tmp_path / "manifest")
    assert said.exit_code == 1 and "program.files" in said.stderr
    said = felt("verify", "--config", tmp_path / "table.toml")
    assert said.exit_code == 1 and "config.missing" in said.stderr


def test_what_does_not_fit_says_what_to_do(tmp_path: Path) -> None:
    root, manifest = installed(tmp_path), tmp_path / "manifest"
    public = key(tmp_path / "maker.pem")
    felt("manifest", "--files", root, "--key", tmp_path / "maker.pem", "-o", manifest)
    said = felt("verify", tmp_path / "nothing", "--key", public, "--files", root)
    assert said.exit_code == 1 and "program.manifest: " in said.stdout and "\n  -> " in said.stdout
    (root / "acme/__init__.py").write_text("")
    said = felt("verify", manifest, "--key", public, "--files", root)
    assert said.stdout.splitlines()[1:2] == ["  acme/__init__.py: is altered"] and "\n  -> " in said.stdout


def test_a_key_that_is_none(tmp_path: Path) -> None:
    root, manifest = installed(tmp_path), tmp_path / "manifest"
    felt("manifest", "--files", root, "-o", manifest)
    for wrong in ("ABC", "xy" * 32, "00" * 31, " " + "00" * 32):
        said = felt("verify", manifest, "--key", wrong, "--files", root)
        assert said.exit_code == 2 and "64 hexadecimal digits" in said.stderr, said.output
