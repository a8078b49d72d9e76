"""The pairing switch of a simulated device: one exchange each time it is put on, and a code for the person at it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_bridge.encryption import KEY_BYTES, NONCE_BYTES, Exchange, agreed_key, half, is_keep_proof
from firmware_bridge.messages import Command, Pair, PairKeep, PairReveal, Reply


@dataclass(slots=True)
class _Attempt:
    """One exchange of keys."""

    exchange: Exchange
    key: bytes = field(repr=False)
    nonce: bytes = field(repr=False)
    code: str = ""  # shown from the moment at which both nonces are known
    agreed: bool = False  # the controller said that the codes are the same


class Pairing:
    """The pairing of a device, from its switch being put on to its being put off again.

    There is one exchange in between, whatever happens to the power and the wire: who sits in the cable can guess the
    code once.  The person who puts the switch off decides; cutting the power before forgets the new key.
    """

    def __init__(self, serial: str, chance: Callable[[int], bytes]) -> None:
        self._serial = serial
        self._chance = chance
        self._begun = False
        self._attempt: _Attempt | None = None

    @property
    def code(self) -> str:
        """What the device shows now; empty when nothing is to be compared."""
        return self._attempt.code if self._attempt is not None else ""

    def restart(self) -> None:
        """Forgets the exchange under way: power is cut and comes back; the switch stands as it stood."""
        self._attempt = None

    def operated(self) -> bytes | None:
        """Ends what was under way, as the switch was put on or off.  Returns the new key; None: the old one holds."""
        attempt, self._attempt, self._begun = self._attempt, None, False
        return attempt.key if attempt is not None and attempt.agreed else None

    def execute(self, command: Command) -> Reply:
        """Carries out a command about pairing and refuses all others, while the switch is on."""
        match command:
            case Pair(theirs):
                return self._begin(theirs)
            case PairReveal(nonce):
                return self._reveal(nonce)
            case PairKeep(proof):
                return self._keep(proof)
        return Reply(False, "pairing-switch-on")

    def _begin(self, theirs: bytes) -> Reply:
        if self._begun:
            return Reply(False, "pairing-used")
        secret, nonce = self._chance(KEY_BYTES), self._chance(NONCE_BYTES)
        ours = half(secret)
        try:
            key = agreed_key(secret, theirs, theirs, ours)
        except ValueError:
            return Reply(False, "bad-half")
        exchange = Exchange(self._serial, theirs, ours)
        self._begun, self._attempt = True, _Attempt(exchange, key, nonce)
        return Reply(True, (ours + exchange.commitment(nonce)).hex())

    def _reveal(self, nonce: bytes) -> Reply:
        attempt = self._attempt
        if attempt is None or attempt.code:  # who may choose a second nonce may choose the code
            return Reply(False, "not-begun")
        if len(nonce) != NONCE_BYTES:
            return Reply(False, "bad-nonce")
        attempt.code = attempt.exchange.code(nonce, attempt.nonce)
        return Reply(True, attempt.nonce.hex())

    def _keep(self, proof: bytes) -> Reply:
        attempt = self._attempt
        if attempt is None or not attempt.code:
            return Reply(False, "not-begun")
        if not is_keep_proof(attempt.key, proof):
            self._attempt = None
            return Reply(False, "bad-proof")
        attempt.agreed = True
        return Reply(True)
