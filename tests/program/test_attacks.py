"""What somebody who can write to the disk may do to an installed program, and that each of it is found and named."""

from __future__ import annotations

import importlib.util
import marshal
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from controller.program.check import CheckResult, CheckWish, check
from controller.program.installed import foreign_modules, foreign_paths
from tests.program.installation import OTHER, PUBLIC, installed, manifest_of

SEEDS = ("00112233445566778899aabbccddeeff", "ffeeddccbbaa99887766554433221100")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return installed(tmp_path)


def looked(root: Path, manifest: Path, seed: str = "") -> CheckResult:
    return check(CheckWish(str(root), str(manifest), (PUBLIC,), seed=seed))


def one_byte(root: Path) -> str:
    path = root / "controller/money.py"
    data = bytearray(path.read_bytes())
    data[100] ^= 1
    path.write_bytes(data)
    return "controller/money.py: is altered"


def same_size_and_time(root: Path) -> str:
    path = root / "controller/web/static/felt.svg"
    stat = path.stat()
    path.write_bytes(path.read_bytes()[::-1])
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    return "controller/web/static/felt.svg: is altered"


def dependency(root: Path) -> str:
    (root / "acme/__init__.py").write_text("def price() -> int:\n    return 6\n")
    return "acme/__init__.py: is altered"


def dependency_with_a_record(root: Path) -> str:
    """A dependency that was swapped together with what pip noted of it."""
    dependency(root)
    (root / "acme-1.0.dist-info/RECORD").write_text("acme/__init__.py,sha256=of-the-new-one,33\n")
    return "acme/__init__.py: is altered"


def module(root: Path) -> str:
    (root / "controller/extra.py").write_text("")
    return "controller/extra.py: is not in the manifest"


def pth(root: Path) -> str:
    (root / "aaa.pth").write_text("import os; os.environ['X'] = '1'\n")
    return "aaa.pth: is not in the manifest"


def sitecustomize(root: Path) -> str:
    (root / "sitecustomize.py").write_text("")
    return "sitecustomize.py: is not in the manifest"


def beside_the_command(root: Path) -> str:
    """The folder of the command is the first where Python looks: this would stand in for the module of that name."""
    (root / "../../../bin/json.py").write_text("")
    return "../../../bin/json.py: is not in the manifest"


def package_beside_the_command(root: Path) -> str:
    (root / "../../../bin/json").mkdir()
    (root / "../../../bin/json/decoder.py").write_text("")
    return "../../../bin/json/decoder.py: is not in the manifest"


def command(root: Path) -> str:
    path = (root / "../../../bin/feltd").resolve()
    path.write_text(path.read_text() + "print('more')\n")
    return "../../../bin/feltd: is altered"


def interpreter_with_code(root: Path) -> str:
    """The first line names the interpreter of the environment; here it also has code to run in place of the rest."""
    path = (root / "../../../bin/feltd").resolve()
    first, _, rest = path.read_text().partition("\n")
    path.write_text(f"{first} -cprint('evil')\n{rest}")
    return "../../../bin/feltd: is altered"


def pipe(root: Path) -> str:
    """Whoever reads it waits until somebody writes."""
    os.mkfifo(root / "acme/late.py")
    return "acme/late.py: is not in the manifest"


def pipe_in_place_of_a_command(root: Path) -> str:
    path = (root / "../../../bin/feltd").resolve()
    path.unlink()
    os.mkfifo(path)
    return "../../../bin/feltd: is altered"


def folder_linked_beside_the_command(root: Path) -> str:
    (root / "../../../bin/all").resolve().symlink_to("/")
    return "../../../bin/all: is not in the manifest"


def gone(root: Path) -> str:
    (root / "controller/money.py").unlink()
    return "controller/money.py: is missing"


def without_source(root: Path) -> str:
    (root / "late.pyc").write_bytes(b"")
    return "late.pyc: is not in the manifest"


def linked_folder(root: Path) -> str:
    (root / "evil").symlink_to("/tmp")
    return "evil: is not in the manifest"


def odd_name(root: Path) -> str:
    (root / "two\nlines.py").write_text("")
    return "'two\\nlines.py': is not in the manifest"


def compiled(root: Path) -> str:
    """Other code under the header of the right one: Python would run it, and the source stays as it was."""
    path = Path(importlib.util.cache_from_source(str(root / "acme/__init__.py")))
    other = compile("def price() -> int:\n    return 6\n", "acme/__init__.py", "exec")
    path.write_bytes(path.read_bytes()[:16] + marshal.dumps(other))
    return f"acme/__pycache__/{path.name}: is not what its source compiles to"


def compiled_that_is_never_compared(root: Path) -> str:
    """The same with a header that says: do not look at the source at all."""
    path = Path(importlib.util.cache_from_source(str(root / "acme/__init__.py")))
    other = compile("def price() -> int:\n    return 6\n", "acme/__init__.py", "exec")
    path.write_bytes(importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + b"\0" * 8 + marshal.dumps(other))
    return f"acme/__pycache__/{path.name}: is not what its source compiles to"


def compiled_that_is_a_pipe(root: Path) -> str:
    path = Path(importlib.util.cache_from_source(str(root / "acme/__init__.py")))
    path.unlink()
    os.mkfifo(path)
    return f"acme/__pycache__/{path.name}: is not in the manifest"


ATTACKS = [one_byte, same_size_and_time, dependency, dependency_with_a_record, module, pth, sitecustomize]
ATTACKS += [beside_the_command, package_beside_the_command, command, gone, without_source, linked_folder, odd_name]
ATTACKS += [interpreter_with_code, pipe, pipe_in_place_of_a_command, folder_linked_beside_the_command]
ATTACKS += [compiled, compiled_that_is_never_compared, compiled_that_is_a_pipe]
IN_CODE_ALONE = (compiled, compiled_that_is_never_compared)  # what the keyed digests do not cover; the check does


@pytest.mark.parametrize("attack", ATTACKS)
def test_it_is_found_and_named(attack: Callable[[Path], str], root: Path, tmp_path: Path) -> None:
    manifest = manifest_of(root, tmp_path / "manifest")
    before = looked(root, manifest, SEEDS[0])
    assert (before.signature, before.code, before.differs, before.key) == ("signed", "", (), PUBLIC)
    named = attack(root)
    after = looked(root, manifest, SEEDS[0])
    assert (after.signature, after.code, after.differs[0]) == ("signed", "program.altered", named)
    assert all("__pycache__" in more for more in after.differs[1:])  # code of a source that is another one now
    assert before.answer is not None and after.answer is not None
    assert (before.answer.installation == after.answer.installation) == (attack in IN_CODE_ALONE)


def test_an_old_answer_does_not_fit_another_seed(root: Path, tmp_path: Path) -> None:
    manifest = manifest_of(root, tmp_path / "manifest")
    answers = [looked(root, manifest, seed).answer for seed in SEEDS]
    assert answers[0] is not None and answers[1] is not None
    assert answers[0].program != answers[1].program and answers[0].installation != answers[1].installation
    assert not set(answers[0].lines) & set(answers[1].lines)


def test_a_manifest_that_another_key_signed(root: Path, tmp_path: Path) -> None:
    one_byte(root)
    found = looked(root, manifest_of(root, tmp_path / "manifest", OTHER))
    assert (found.signature, found.code) == ("untrusted", "program.untrusted")


def test_another_signature_under_our_key(root: Path, tmp_path: Path) -> None:
    path = manifest_of(root, tmp_path / "manifest", OTHER)
    path.write_text(path.read_text().replace(OTHER.public_key().public_bytes_raw().hex(), PUBLIC))
    assert looked(root, path).code == "program.untrusted"


def test_a_manifest_that_was_changed_after_it_was_signed(root: Path, tmp_path: Path) -> None:
    path = manifest_of(root, tmp_path / "manifest")
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if "controller/money.py" not in line))
    assert looked(root, path).code == "program.untrusted"


def test_a_manifest_that_is_gone_or_is_none(root: Path, tmp_path: Path) -> None:
    assert looked(root, tmp_path / "nowhere").code == "program.manifest"
    for junk in (b"", b"\xff\xfe", b"feltd program manifest 1\n\n", b"feltd program manifest 2\nversion 1\n\n"):
        (tmp_path / "junk").write_bytes(junk)
        assert looked(root, tmp_path / "junk").code == "program.manifest"


def test_a_manifest_that_nobody_can_read_to_its_end(root: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        found = looked(root, path)
        assert (found.signature, found.code, found.cause) == ("unreadable", "program.manifest", f"{path} is no file")


def test_where_python_looks_besides(root: Path, tmp_path: Path) -> None:
    manifest = manifest_of(root, tmp_path / "manifest")
    elsewhere = tuple(foreign_paths([*sys.path, str(root), "/opt/evil"], root))
    assert "/opt/evil" in elsewhere and str(root) not in elsewhere
    found = check(CheckWish(str(root), str(manifest), (PUBLIC,), ("/opt/evil",)))
    assert found.differs == ("/opt/evil: is on Python's path",)
    strange, ours = ModuleType("json2"), ModuleType("money")
    strange.__file__, ours.__file__ = "/opt/evil/json2.py", str(root / "controller/money.py")
    loaded = foreign_modules({"json2": strange, "money": ours, "os": os}, root)
    assert loaded == [("json2", "/opt/evil/json2.py")]
    found = check(CheckWish(str(root), str(manifest), (PUBLIC,), loaded=tuple(loaded)))
    assert found.differs == ("/opt/evil/json2.py: was loaded as json2",)


def test_what_pip_notes_and_compiles_does_not_count(root: Path, tmp_path: Path) -> None:
    manifest = manifest_of(root, tmp_path / "manifest")
    (root / "feltd-9.9.0.dist-info/direct_url.json").unlink()
    (root / "acme-1.0.dist-info/INSTALLER").write_text("pip\n")
    for path in root.rglob("*.pyc"):
        path.unlink()
    feltd = (root / "../../../bin/feltd").resolve()
    feltd.write_text(feltd.read_text().replace(str(tmp_path), "/opt/feltd"))  # the interpreter of another environment
    assert looked(root, manifest).code == ""


def test_code_of_an_older_source_is_not_run_and_not_named(root: Path, tmp_path: Path) -> None:
    (root / "acme/__init__.py").write_text("def price() -> int:\n    return 50\n")
    assert looked(root, manifest_of(root, tmp_path / "manifest")).code == ""


def test_without_a_manifest_it_is_unsigned_and_never_well(root: Path) -> None:
    found = check(CheckWish(str(root)))
    assert (found.signature, found.code, found.key) == ("unsigned", "", "") and found.digest
    assert check(CheckWish("")).signature == "checkout"
    assert check(CheckWish("", "/etc/feltd/manifest")).code == "program.unchecked"
