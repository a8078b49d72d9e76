"""The answer to a challenge: the same from the installation, from its copy and from the wheel, and from ten lines."""

from __future__ import annotations

import hmac
import zipfile
from pathlib import Path

import pytest

from controller.errors import FeltError
from controller.program.challenge import answered, key_of
from controller.program.installed import is_own, measured, sources, wheel_sources
from tests.program.installation import installed

SEED = "00112233445566778899aabbccddeeff"


def test_it_is_what_the_document_says(tmp_path: Path) -> None:
    """As an inspector may write it, by docs/program.md."""
    root, key = installed(tmp_path), bytes.fromhex(SEED)
    paths = [path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    own = {str(path.relative_to(root)): path.read_bytes() for path in paths if is_own(str(path.relative_to(root)))}
    own.pop("feltd-9.9.0.dist-info/direct_url.json")
    lines = [f"{hmac.new(key, own[path], 'sha256').hexdigest()}  {path}\n" for path in sorted(own)]
    answer = answered(key, measured(sources(root), key))
    assert answer.program == hmac.new(key, "".join(lines).encode(), "sha256").hexdigest()
    assert answer.program_files == len(lines) < answer.installation_files == len(answer.lines)


def test_the_wheel_gives_the_same_as_its_installation(tmp_path: Path) -> None:
    root, key, wheel = installed(tmp_path / "table"), key_of(SEED), tmp_path / "feltd-9.9.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for source in sources(root):
            if is_own(source.path):
                with source.open() as file:
                    archive.writestr(source.path, file.read())
        archive.writestr("feltd-9.9.0.dist-info/RECORD", "as the wheel has it")
    alone = answered(key, measured(wheel_sources([wheel]), key))
    assert alone.program == answered(key, measured(sources(root), key)).program
    assert alone.program == alone.installation
    again = installed(tmp_path / "laboratory")
    assert answered(key, measured(sources(again), key)) == answered(key, measured(sources(root), key))


@pytest.mark.parametrize("seed", ["", "0011", "x" * 32, "0" * 130, "001122334455667", "0011 2233 4455 6677"])
def test_a_seed_that_is_none(seed: str) -> None:
    with pytest.raises(FeltError) as caught:
        key_of(seed)
    assert caught.value.code == "program.seed"
