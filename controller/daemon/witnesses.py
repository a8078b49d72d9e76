"""From the configuration to the witnesses: who is shown the checkpoints of this table, and whose it cosigns itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Final

from controller.config import TableConfig
from controller.config.begin import offers_jackpot
from controller.errors import Coded
from controller.journal.errors import JournalError
from controller.journal.key_file import WITNESS_CREDENTIAL, key_path, read_key
from controller.journal.notes import Verifier
from controller.journal.signing import Signer
from controller.journal.witness_memory import FOLDER, WitnessMemory
from controller.journal.witnessing import witness_name
from controller.service import meter_store
from controller.service.device_witness import DeviceWitness
from controller.service.witness_client import NeighbourWitness, StoreWitness, Witness
from controller.service.witness_door import Cosigning, ShutDoor, WitnessDoor
from drivers.supervisor import Supervisor

WITNESS: Final = "witness"


def witnesses_of(config: TableConfig, signer: Signer | None, devices: Mapping[str, Supervisor]) -> list[Witness]:
    """Returns who is shown the checkpoints of this table; devices only what `signer` has signed.

    In test mode nobody but the table's own store: a test has the name of the live table and may have its key, so who
    remembers the live journal must not be shown another one.
    """
    witnesses: list[Witness] = []
    shared = config.jackpot.store == "postgres"
    if config.witness.store and (shared or offers_jackpot(config)):
        witnesses.append(StoreWitness(lambda: meter_store.open_checkpoints(config), meter_store.allowed_by(config)))
    if config.table.test:
        return witnesses
    for name, neighbour in config.witness.neighbours.items():
        witnesses.append(NeighbourWitness(name, neighbour.at, Verifier.from_text(neighbour.key)))
    if config.witness.devices and signer is not None:
        key, native = signer.verifier(), {name: each for name, each in devices.items() if each.native}
        witnesses += [DeviceWitness(name, device.driver, key) for name, device in native.items()]
    return witnesses


def witness_door(config: TableConfig, report: Callable[[Coded | None], None]) -> Cosigning | None:
    """Returns what cosigns for others; None where nobody is listed, or without a key, which stops no table.

    A test does not know what the live table was shown, so it cosigns nothing.
    """
    if not config.witness.journals:
        return None
    if config.table.test:
        return ShutDoor()
    try:
        path = key_path(config.witness.key, config.table.state, os.environ, WITNESS_CREDENTIAL)
        if path is None:
            raise JournalError("witness.no-key", "journals are listed, and there is no key to cosign them with")
        signer = read_key(path, config.table.name, witness_name)
    except JournalError as error:
        report(error)
        return None
    journals = [Verifier.from_text(each) for each in config.witness.journals]
    return WitnessDoor(WitnessMemory(config.table.state / FOLDER, signer, journals), report)
