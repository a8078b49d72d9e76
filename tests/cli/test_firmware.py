"""felt firmware: what is signed can be flashed, and nothing else passes for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives import serialization as s
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from controller.cli.firmware import command
from firmware_bridge.image import check_firmware, check_signature, read_image
from tests.daemon.house import table_toml

FIRMWARE = b"firmware of a shoe" * 100


def felt(*words: object, typed: str = "") -> Result:
    return CliRunner().invoke(command, [str(word) for word in words], input=typed)


def refused(*words: object, typed: str = "") -> str:
    """The code."""
    result = felt(*words, typed=typed)
    assert result.exit_code == 1, result.output
    code, _, cause = result.stderr.splitlines()[-2].partition(": ")
    assert cause and result.stderr.splitlines()[-1].startswith("  -> ")
    return code


class Shop:
    """A directory with a key and firmware."""

    def __init__(self, at: Path) -> None:
        self.key, self.firmware, self.image = at / "signer.pem", at / "shoe.bin", at / "shoe.img"
        self.firmware.write_bytes(FIRMWARE)
        made = felt("keygen", self.key, "--json")
        assert made.exit_code == 0, made.output
        self.public: str = json.loads(made.output)["public_key"]

    def sign(self, **changed: object) -> list[object]:
        words = {"key": self.key, "family": "shoe", "model": "S1", "version": "1.3.0", "output": self.image, **changed}
        return ["sign", self.firmware, *(part for name, value in words.items() for part in (f"--{name}", value))]


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def test_what_is_signed_is_what_devices_take(shop: Shop) -> None:
    assert shop.key.stat().st_mode & 0o777 == 0o600
    made = felt(*shop.sign())
    assert made.exit_code == 0, made.output
    image = read_image(shop.image.read_bytes())
    assert check_signature(image.signed, image.signature, [bytes(32), bytes.fromhex(shop.public)]).hex() == shop.public
    check_firmware(image.manifest, image.firmware)
    assert image.firmware == FIRMWARE
    told = json.loads(felt("verify", shop.image, "--key", "00" * 32, "--key", shop.public, "--json").output)
    assert (told["family"], told["model"], told["version"], told["size"]) == ("shoe", "S1", "1.3.0", len(FIRMWARE))
    assert told["signed_by"] == shop.public and told["sha256"] == image.manifest.sha256.hex()
    assert "signed by  " + shop.public in felt("verify", shop.image, "--key", shop.public).output


def test_a_table_s_own_keys_are_trusted(shop: Shop, tmp_path: Path) -> None:
    assert felt(*shop.sign()).exit_code == 0
    config = table_toml(tmp_path)
    assert refused("verify", shop.image, "--config", config) == "firmware.no-key"
    config.write_text(config.read_text() + f'[firmware]\nkeys = ["{shop.public}"]\n')
    assert felt("verify", shop.image, "--config", config).exit_code == 0
    assert refused("verify", shop.image, "--config", tmp_path / "none.toml") == "config.missing"


def test_an_image_that_was_touched_is_refused(shop: Shop, tmp_path: Path) -> None:
    felt(*shop.sign())
    good = shop.image.read_bytes()
    for data, code in (
        (good[:-1], "image.digest"),
        (good[:-1] + b"!", "image.digest"),
        (good.replace(b"1.3.0", b"9.3.0"), "image.signature"),
        (good[:20], "image.form"),
        (FIRMWARE, "image.form"),
    ):
        bad = tmp_path / "bad.img"
        bad.write_bytes(data)
        assert refused("verify", bad, "--key", shop.public) == code
    assert refused("verify", shop.image, "--key", "00" * 32) == "image.signature"


def test_a_key_with_a_passphrase(shop: Shop, tmp_path: Path) -> None:
    locked = tmp_path / "locked.pem"
    made = felt("keygen", locked, "--passphrase", typed="chips\nchips\n")
    assert made.exit_code == 0 and 'keys = ["' in made.output
    assert b"ENCRYPTED" in locked.read_bytes()
    assert refused(*shop.sign(key=locked), typed="cards\n") == "firmware.key"
    assert felt(*shop.sign(key=locked), typed="chips\n").exit_code == 0


def test_what_is_there_is_never_overwritten(shop: Shop) -> None:
    before = shop.key.read_bytes()
    assert refused("keygen", shop.key) == "firmware.exists"
    felt(*shop.sign())
    assert refused(*shop.sign(version="1.4.0")) == "firmware.exists"
    assert shop.key.read_bytes() == before and read_image(shop.image.read_bytes()).manifest.version == "1.3.0"


def test_keys_and_files_that_cannot_be_used(shop: Shop, tmp_path: Path) -> None:
    other = tmp_path / "other.pem"
    pem = (s.Encoding.PEM, s.PrivateFormat.PKCS8, s.NoEncryption())
    for data in (b"no key at all", X25519PrivateKey.generate().private_bytes(*pem)):
        other.write_bytes(data)
        other.chmod(0o600)
        assert refused(*shop.sign(key=other)) == "firmware.key"
    shop.key.chmod(0o640)
    assert refused(*shop.sign()) == "firmware.key-permissions"
    shop.key.chmod(0o600)
    assert refused(*shop.sign(version="new")) == "image.form"
    assert refused(*shop.sign(output=tmp_path / "none" / "x.img")) == "firmware.file"
    assert refused("verify", tmp_path / "none.img", "--key", shop.public) == "firmware.file"
    for text in ("xyz", "00"):
        assert refused("verify", shop.image, "--key", text) == "firmware.public-key"
    shop.firmware.write_bytes(b"")
    assert refused(*shop.sign()) == "image.form"
    assert not shop.image.exists()
