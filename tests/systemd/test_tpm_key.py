"""The key of a journal sealed to a TPM: swtpm computes what such a chip computes, systemd-creds talks to it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.journal.key_file import CREDENTIAL, key_path, make_key, read_key

PATIENCE = 60.0  # seconds; a busy machine makes nothing fail
LACKS = b"not installed"  # how systemd-creds names a library of the TPM that is missing

Tpm = Callable[[str], str]


@pytest.fixture
def tpm() -> Iterator[Tpm]:
    """Starts a TPM with a memory of this name, or the one that has it; returns its address."""
    program = shutil.which("swtpm")
    if program is None:
        pytest.skip(
            "no swtpm is on this machine (Debian: swtpm, libtss2-tcti-swtpm0, libtss2-esys-3.0.2-0, libtss2-rc0)"
        )
    started: dict[str, subprocess.Popen[bytes]] = {}
    with tempfile.TemporaryDirectory(prefix="felt-tpm-") as folder:  # the path of a socket must be short

        def start(name: str) -> str:
            socket = Path(folder) / f"{name}.sock"
            if name not in started:
                (Path(folder) / name).mkdir()
                command = [program, "socket", "--tpm2", "--tpmstate", f"dir={folder}/{name}"]
                command += ["--server", f"type=unixio,path={socket}", "--ctrl", f"type=unixio,path={socket}.ctrl"]
                started[name] = subprocess.Popen([*command, "--flags", "not-need-init,startup-clear"])
                deadline = time.monotonic() + PATIENCE
                while not socket.exists():
                    assert started[name].poll() is None and time.monotonic() < deadline, "swtpm does not start"
                    time.sleep(0.01)
            return f"swtpm:path={socket}"

        yield start
        for each in started.values():
            each.terminate()
            each.wait(PATIENCE)


def creds(secret: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("systemd-creds")
    if program is None:
        pytest.skip("no systemd-creds is on this machine")
    environ = {**os.environ, "SYSTEMD_CREDENTIAL_SECRET": str(secret)}  # not that of the machine
    return subprocess.run([program, *words], env=environ, capture_output=True, timeout=PATIENCE, check=False)


@pytest.mark.parametrize("key", ["tpm2", "host+tpm2"])
def test_a_key_that_was_sealed_to_a_tpm_is_opened_by_that_tpm_alone(tmp_path: Path, tpm: Tpm, key: str) -> None:
    signer = make_key(tmp_path / "plain.key", "T1")
    plain, sealed, secret = tmp_path / "plain.key", tmp_path / "journal-key.cred", tmp_path / "host" / "secret"
    secret.parent.mkdir()
    at = f"--tpm2-device={tpm('here')}"
    done = creds(secret, "encrypt", f"--with-key={key}", at, f"--name={CREDENTIAL}", str(plain), str(sealed))
    if LACKS in done.stderr:
        pytest.skip("systemd-creds has no library for a TPM on this machine")
    assert done.returncode == 0, done.stderr
    assert plain.read_text().strip().rpartition("+")[2].encode() not in sealed.read_bytes()
    # Who copies the whole disk has the sealed file and the computer's secret, and another TPM.
    elsewhere = f"--tpm2-device={tpm('elsewhere')}"
    assert creds(secret, "decrypt", elsewhere, f"--name={CREDENTIAL}", str(sealed), "-").returncode != 0
    assert creds(secret, "decrypt", at, "--name=witness-key", str(sealed), "-").returncode != 0  # nor by another name
    plain.unlink()
    handed_over = tmp_path / "credentials" / CREDENTIAL
    handed_over.parent.mkdir()
    opened = creds(secret, "decrypt", at, f"--name={CREDENTIAL}", str(sealed), "-")
    assert opened.returncode == 0, opened.stderr
    handed_over.write_bytes(opened.stdout)
    handed_over.chmod(0o400)
    path = key_path(None, tmp_path / "state", {"CREDENTIALS_DIRECTORY": str(handed_over.parent)})
    assert path == handed_over
    assert read_key(path, "T1").verifier() == signer.verifier()
