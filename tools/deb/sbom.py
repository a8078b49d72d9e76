"""The list of what a package is made of (CycloneDX): each wheel with version, licence and hash, and what of Debian."""

from __future__ import annotations

import datetime
import email
import email.message
import hashlib
import json
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

FORM: Final = "1.5"
_SPACE: Final = uuid.UUID("7d3b6c2e-5b0e-5c57-9d0f-6f5f3f1a7c11")  # of our serial numbers


def bill(version: str, epoch: int, site: Path, wheels: Iterable[Path], depends: Iterable[str]) -> str:
    """Returns the list as JSON: the same for the same contents."""
    hashes = {_word(wheel.name.split("-")[0]): _sha256(wheel) for wheel in wheels}
    parts = sorted(_installed(site, hashes), key=lambda part: str(part["bom-ref"]))
    (own,) = [part for part in parts if part["name"] == "feltd"]
    others = [part for part in parts if part is not own] + [_of_debian(name) for name in depends]
    made = datetime.datetime.fromtimestamp(epoch, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": FORM,
        "version": 1,
        "metadata": {"timestamp": made, "component": {**own, "type": "application", "version": version}},
        "components": others,
        "dependencies": [{"ref": own["bom-ref"], "dependsOn": [part["bom-ref"] for part in others]}],
    }
    number = uuid.uuid5(_SPACE, json.dumps(content, sort_keys=True))
    return json.dumps({"serialNumber": f"urn:uuid:{number}", **content}, indent=1, sort_keys=True) + "\n"


def licences(site: Path) -> Iterator[tuple[str, str, str]]:
    """Yields name, version and licence of each package that is installed in a folder, by name."""
    for about in sorted(_metadata(site), key=lambda about: _word(str(about["Name"]))):
        yield str(about["Name"]), str(about["Version"]), licence(about)


def licence(about: email.message.Message) -> str:
    """Returns in some words which licence a package says that it has.

    >>> licence(email.message_from_string("Classifier: License :: OSI Approved :: MIT License"))
    'MIT License'
    """
    if expression := about["License-Expression"]:
        return str(expression)
    classified = [str(each).rpartition(" :: ")[2] for each in about.get_all("Classifier", []) if "License ::" in each]
    lines = str(about["License"] or "").strip().splitlines()
    return ", ".join(classified) or (lines[0] if lines else "not said")


def _installed(site: Path, hashes: dict[str, str]) -> Iterator[dict[str, Any]]:
    for about in _metadata(site):
        name, version = str(about["Name"]), str(about["Version"])
        reference = f"pkg:pypi/{_word(name).replace('_', '-')}@{version}"  # the form of a package URL, no address
        part: dict[str, Any] = {"type": "library", "bom-ref": reference, "name": name, "version": version}
        part["purl"] = reference
        part["licenses"] = [{"license": {"name": licence(about)}}]
        if digest := hashes.get(_word(name)):
            part["hashes"] = [{"alg": "SHA-256", "content": digest}]
        yield part


def _of_debian(name: str) -> dict[str, Any]:
    reference = f"pkg:deb/debian/{name}"
    return {"type": "library", "bom-ref": reference, "name": name, "purl": reference}


def _metadata(site: Path) -> Iterator[email.message.Message]:
    for file in sorted(site.glob("*.dist-info/METADATA")):
        yield email.message_from_bytes(file.read_bytes())


def _word(name: str) -> str:
    """Returns a name as wheels write it: `python-can` and `Python_CAN` are one."""
    return name.lower().replace("-", "_").replace(".", "_")


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
