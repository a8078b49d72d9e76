"""Proofs over the Merkle tree: that a record is in it, and that a later tree only added to an earlier one.

They follow RFC 9162, section 2.1.  Making one takes all leaves; checking one takes a few hashes and trusts nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from controller.journal.tree import EMPTY_ROOT, Frontier, node_hash

NOTHING: Final = Frontier()


def inclusion_proof(leaves: Sequence[bytes], index: int, before: Frontier = NOTHING) -> list[bytes]:
    """Returns the hashes that lead from the leaf at `index` (from 0) to the root over all, the nearest first.

    `leaves` are those behind the tree `before`, and the leaf is one of them.
    """
    known, size = before.size, before.size + len(leaves)
    if not known <= index < size:
        raise ValueError(f"no leaf {index} in a tree of {size} that is known from {known} on")
    first, end, proof = 0, size, []
    perfect = list(before.hashes)  # what is left of the tree before, from `first` on
    while end - first > 1:
        middle = first + _left_part(end - first)
        if index < middle:
            proof.append(_root(leaves[middle - known : end - known]))
            end = middle
            continue
        if middle <= known:
            proof.append(perfect.pop(0))
        elif first < known:
            proof.append(Frontier(known - first, tuple(perfect)).plus(leaves[: middle - known]).root())
        else:
            proof.append(_root(leaves[first - known : middle - known]))
        first = middle
    return proof[::-1]


def included(leaf: bytes, index: int, size: int, root: bytes, proof: Sequence[bytes]) -> bool:
    """Tells whether `proof` leads from the leaf at `index` to the root of a tree of `size` leaves."""
    if not 0 <= index < size:
        return False
    node, place, last = leaf, index, size - 1
    for sibling in proof:
        if last == 0:
            return False
        if place & 1 or place == last:
            node = node_hash(sibling, node)
            while not place & 1 and place:  # the last node of its level has no sibling: it rises as it is
                place, last = place >> 1, last >> 1
        else:
            node = node_hash(node, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and node == root


def consistency_proof(leaves: Sequence[bytes], before: int) -> list[bytes]:
    """Returns the hashes by which the tree of the first `before` leaves and the one over all can both be computed."""
    if not 0 <= before <= len(leaves):
        raise ValueError(f"no tree of {before} leaves in one of {len(leaves)}")
    if before in (0, len(leaves)):
        return []
    first, end, proof, known = 0, len(leaves), [], True
    while before != end:
        middle = first + _left_part(end - first)
        if before <= middle:
            proof.append(_root(leaves[middle:end]))
            end = middle
        else:
            proof.append(_root(leaves[first:middle]))
            first, known = middle, False
    if not known:  # else it is the whole earlier tree, whose root the checker has
        proof.append(_root(leaves[first:end]))
    return proof[::-1]


def later_proof(before: Frontier, leaves: Sequence[bytes]) -> list[bytes]:
    """Returns the same proof from the frontier of the earlier tree and the leaves that came since.

    So who keeps the frontier need not read what is older.
    """
    if not before.size or not leaves:
        return []
    first, end, proof, known = 0, before.size + len(leaves), [], True
    perfect = list(before.hashes)  # what is left of the earlier tree from `first` on
    while before.size != end:
        middle = first + _left_part(end - first)
        if before.size <= middle:
            proof.append(_root(leaves[middle - before.size : end - before.size]))
            end = middle
        else:
            proof.append(perfect.pop(0))
            first, known = middle, False
    if not known:
        proof.append(Frontier(before.size - first, tuple(perfect)).root())
    return proof[::-1]


def consistent(before: int, earlier: bytes, size: int, later: bytes, proof: Sequence[bytes]) -> bool:
    """Tells whether `proof` shows that the tree of `size` leaves begins with the one of `before` leaves."""
    if before == 0 or before == size:
        empty_is_empty = before > 0 or earlier == EMPTY_ROOT
        return not proof and empty_is_empty and (before != size or earlier == later)
    if not 0 < before < size:
        return False
    hashes = list(proof)
    if before & (before - 1) == 0:  # a perfect tree is a node of every later one
        hashes.insert(0, earlier)
    return bool(hashes) and _both_roots(hashes, before, size) == (earlier, later)


def _both_roots(hashes: list[bytes], before: int, size: int) -> tuple[bytes, bytes] | None:
    """Returns the roots of the earlier and the later tree that a proof comes to; None when it has another length."""
    place, last = before - 1, size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    old = new = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return None
        if place & 1 or place == last:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            new = node_hash(new, sibling)
        place, last = place >> 1, last >> 1
    return (old, new) if last == 0 else None


def _left_part(size: int) -> int:
    """Returns how many of `size` leaves are left of the root: the largest power of two below it.

    >>> _left_part(2), _left_part(5), _left_part(8)
    (1, 4, 4)
    """
    return 1 << (size - 1).bit_length() - 1


def _root(leaves: Sequence[bytes]) -> bytes:
    return Frontier().plus(leaves).root()
