"""felt firmware: make a signing key, sign firmware into an image, and look at one; all of it without the daemon."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.cli.client import Json, explained, with_json
from controller.errors import FeltError
from drivers.families import FAMILIES

if TYPE_CHECKING:  # ciphers take long to load
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from firmware_bridge.image import Image

SECRET = 0o600
KEY_BYTES = 32
with_path = click.Path(path_type=Path)


@click.group(name="firmware")
def command() -> None:
    """Sign firmware for devices, and check what is signed."""


@command.command()
@click.argument("file", type=with_path)
@click.option("--passphrase", is_flag=True, help="Ask for a passphrase, and keep the key encrypted with it.")
@with_json
@explained
def keygen(file: Path, passphrase: bool, as_json: bool) -> None:
    """Make a new signing key in FILE, and print its public key for [firmware] keys in table.toml.

    FILE is a private key (PEM, Ed25519) that only you may read: whoever has it can change every device.
    """
    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    lock: s.KeySerializationEncryption = s.NoEncryption()
    if passphrase:
        lock = s.BestAvailableEncryption(
            click.prompt("Passphrase", hide_input=True, confirmation_prompt=True, err=True).encode()
        )
    key = Ed25519PrivateKey.generate()
    write_new(file, key.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, lock), SECRET)
    public = _public(key)
    text = f'{file}: keep it secret.  Devices and tables trust its images by its public key:\n\nkeys = ["{public}"]'
    print(json.dumps({"file": str(file), "public_key": public}) if as_json else text)


@command.command()
@click.argument("firmware", type=with_path)
@click.option("--key", "key_file", type=with_path, required=True, help="The private key, as `keygen` made it.")
@click.option("--family", type=click.Choice(FAMILIES.names()), required=True, help="The devices that it is for.")
@click.option("--model", required=True, help="Their model, as `felt devices --json` shows it.")
@click.option("--version", required=True, help="The version that it is, such as 1.3.0.")
@click.option("-o", "--output", type=with_path, required=True, help="The image to make.")
@with_json
@explained
def sign(firmware: Path, key_file: Path, family: str, model: str, version: str, output: Path, as_json: bool) -> None:
    """Sign FIRMWARE into an image that `felt device NAME flash` takes."""
    from firmware_bridge.image import ImageError, make_image, read_image

    data = _read(firmware)
    key = private_key(key_file)
    try:
        made = make_image(key.private_bytes_raw(), family, model, version, data).to_bytes()
        image = read_image(made)
    except ImageError as error:
        step = "Give a version such as 1.3.0, a model, and firmware of 1 byte to 16 MiB."
        raise FeltError(error.code, error.cause, step) from None
    write_new(output, made, 0o666)
    _show(output, image, _public(key), as_json)


@command.command()
@click.argument("image", type=with_path)
@click.option("--key", "keys", multiple=True, help="A public key that is trusted, 64 hexadecimal digits; repeatable.")
@click.option("--config", type=with_path, help="Trust the [firmware] keys of this table.toml.")
@with_json
@explained
def verify(image: Path, keys: tuple[str, ...], config: Path | None, as_json: bool) -> None:
    """Check that IMAGE is whole and signed by a key that is trusted, and show what it is for."""
    from firmware_bridge.image import ImageError, check_firmware, check_signature, read_image

    trusted = _trusted(keys, config)
    try:
        contents = read_image(_read(image))
        signer = check_signature(contents.signed, contents.signature, trusted)
        check_firmware(contents.manifest, contents.firmware)
    except ImageError as error:
        step = "Do not use it: get the image again from whoever signed it, and check which key is theirs."
        raise FeltError(error.code, f"{image}: {error.cause}", step) from None
    _show(image, contents, signer.hex(), as_json)


def _show(file: Path, image: Image, public: str, as_json: bool) -> None:
    manifest = image.manifest
    summary: Json = {
        "file": str(file),
        "family": manifest.family,
        "model": manifest.model,
        "version": manifest.version,
        "size": manifest.size,
        "sha256": manifest.sha256.hex(),
        "signed_by": public,
    }
    print(
        json.dumps(summary)
        if as_json
        else "\n".join(f"{name.replace('_', ' '):<9}  {it}" for name, it in summary.items())
    )


# ---- keys and files


def _public(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


def private_key(file: Path) -> Ed25519PrivateKey:
    """Returns the private key in this file; asks for its passphrase where it has one."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    pem = _read(file)
    if (mode := stat.S_IMODE(file.stat().st_mode)) & 0o077:
        cause = f"{file} has mode {mode:04o}: others may read it"
        raise FeltError("firmware.key-permissions", cause, f"Run `chmod 600 {file}`, or better: make a new key.")
    passphrase = None
    if b"ENCRYPTED" in pem:
        passphrase = click.prompt("Passphrase", hide_input=True, err=True).encode()
    try:
        key = load_pem_private_key(pem, passphrase)
    except (ValueError, TypeError, UnsupportedAlgorithm):  # its text says nothing to people
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        cause = f"{file} is no Ed25519 private key" + (", or the passphrase is wrong" if passphrase else "")
        raise FeltError("firmware.key", cause)
    return key


def _trusted(keys: Sequence[str], config: Path | None) -> list[bytes]:
    trusted = []
    for text in keys:
        try:
            trusted.append(bytes.fromhex(text))
        except ValueError:
            trusted.append(b"")
        if len(trusted[-1]) != KEY_BYTES:
            raise FeltError("firmware.public-key", f"{text!r} is no public key")
    if config is not None:
        from controller.config import ConfigError
        from controller.config.load import load_config

        try:
            trusted += load_config(config).firmware.public_keys
        except ConfigError as error:
            raise FeltError(error.code, error.cause, error.next_step) from None
    if not trusted:
        raise FeltError("firmware.no-key", "nobody is trusted")
    return trusted


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise FeltError("firmware.file", f"{file}: {error.strerror or error}") from None


def write_new(file: Path, data: bytes, mode: int) -> None:
    """Writes a file, never over one that exists: it may be a key that devices trust."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as made:
            made.write(data)
    except FileExistsError:
        raise FeltError("firmware.exists", f"{file} is there already") from None
    except OSError as error:
        raise FeltError("firmware.file", f"{file}: {error.strerror or error}") from None
