"""The Merkle tree of RFC 6962 over the records of a journal, known by its frontier alone."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

import msgspec

HASH_BYTES: Final = 32
EMPTY_ROOT: Final = sha256(b"").digest()


def leaf_hash(body: bytes) -> bytes:
    """Returns the hash of a leaf: of the body of a record, as the chain hashes it.

    >>> leaf_hash(b"").hex()[:16]
    '6e340b9cffb37a98'
    """
    return sha256(b"\x00" + body).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Returns the hash of a node over two others; its first byte differs from a leaf's, so none passes for one."""
    return sha256(b"\x01" + left + right).digest()


class Frontier(msgspec.Struct, frozen=True):
    """The roots of the perfect trees that all leaves so far make up, the largest first.

    Their sizes are the binary digits of `size`.  It is all that a growing tree must remember: the frontier
    of a million leaves is seven hashes.

    >>> one, two = leaf_hash(b"one"), leaf_hash(b"two")
    >>> Frontier().plus([one, two]).root() == node_hash(one, two)
    True
    """

    size: int = 0
    hashes: tuple[bytes, ...] = ()

    def plus(self, leaves: Iterable[bytes]) -> Frontier:
        """Returns the frontier with more leaves, given by their hashes."""
        size, hashes = self.size, list(self.hashes)
        for leaf in leaves:
            node, complete = leaf, size
            while complete & 1:
                node = node_hash(hashes.pop(), node)
                complete >>= 1
            hashes.append(node)
            size += 1
        return Frontier(size, tuple(hashes))

    def root(self) -> bytes:
        """Returns the hash that stands for all leaves and their order."""
        if not self.hashes:
            return EMPTY_ROOT
        *larger, root = self.hashes
        for left in reversed(larger):
            root = node_hash(left, root)
        return root

    def to_bytes(self) -> bytes:
        """Returns the hashes one after the other, as they are stored beside the size."""
        return b"".join(self.hashes)

    @classmethod
    def of(cls, size: int, stored: bytes) -> Frontier:
        """Returns the frontier from what is stored; raises ValueError when a tree of this size has no such one."""
        if size < 0 or len(stored) != size.bit_count() * HASH_BYTES:
            raise ValueError(f"not the frontier of {size} leaves: {len(stored)} bytes")
        return cls(size, tuple(stored[at : at + HASH_BYTES] for at in range(0, len(stored), HASH_BYTES)))
