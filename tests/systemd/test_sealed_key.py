"""The key of a journal as an encrypted credential: nothing on the disk signs without the computer that sealed it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from controller.journal.key_file import CREDENTIAL, key_path, make_key, read_key


def creds(secret: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("systemd-creds")
    if program is None:
        pytest.skip("no systemd-creds is on this machine")
    environ = {**os.environ, "SYSTEMD_CREDENTIAL_SECRET": str(secret)}  # not that of the machine
    return subprocess.run([program, *words], env=environ, capture_output=True, timeout=30, check=False)


def test_a_key_that_was_sealed_to_a_computer_signs_there_and_nowhere_else(tmp_path: Path) -> None:
    signer = make_key(tmp_path / "plain.key", "T1")
    here, elsewhere = tmp_path / "here" / "secret", tmp_path / "elsewhere" / "secret"
    for each in (here, elsewhere):
        each.parent.mkdir()
    plain, sealed, state = tmp_path / "plain.key", tmp_path / "journal-key.cred", tmp_path / "state"
    done = creds(here, "encrypt", "--with-key=host", f"--name={CREDENTIAL}", str(plain), str(sealed))
    if done.returncode:
        pytest.skip("systemd-creds cannot encrypt on this machine")
    secret = plain.read_text().strip().rpartition("+")[2].encode()
    assert secret not in sealed.read_bytes()
    creds(elsewhere, "encrypt", "--with-key=host", "--name=other", str(plain), str(tmp_path / "other.cred"))
    assert creds(elsewhere, "decrypt", f"--name={CREDENTIAL}", str(sealed), "-").returncode != 0
    assert creds(here, "decrypt", "--name=witness-key", str(sealed), "-").returncode != 0  # nor under another name
    plain.unlink()
    handed_over = tmp_path / "credentials" / CREDENTIAL
    handed_over.parent.mkdir()
    handed_over.write_bytes(creds(here, "decrypt", f"--name={CREDENTIAL}", str(sealed), "-").stdout)
    handed_over.chmod(0o400)
    path = key_path(None, state, {"CREDENTIALS_DIRECTORY": str(handed_over.parent)})
    assert path == handed_over
    assert read_key(path, "T1").verifier() == signer.verifier()
