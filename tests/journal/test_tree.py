"""The tree and its proofs are those of RFC 6962, and no proof shows what is not so."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.journal.proofs import consistency_proof, consistent, included, inclusion_proof
from controller.journal.tree import EMPTY_ROOT, Frontier, leaf_hash, node_hash

# The leaves and roots that the certificate transparency project published for RFC 6962.
LEAVES = [
    leaf_hash(bytes.fromhex(each))
    for each in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def root(leaves: list[bytes]) -> bytes:
    """The definition of the RFC, as it stands there."""
    if not leaves:
        return EMPTY_ROOT
    if len(leaves) == 1:
        return leaves[0]
    left = 1
    while left * 2 < len(leaves):
        left *= 2
    return node_hash(root(leaves[:left]), root(leaves[left:]))


@pytest.mark.parametrize("size", range(9))
def test_the_roots_are_the_published_ones(size: int) -> None:
    assert Frontier().plus(LEAVES[:size]).root().hex() == ROOTS[size]


@pytest.mark.parametrize(
    ("index", "size", "proof"),
    [
        (0, 1, []),
        (
            0,
            8,
            [
                "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
            ],
        ),
        (
            5,
            8,
            [
                "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            ],
        ),
        (2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
    ],
)
def test_the_inclusion_proofs_are_the_published_ones(index: int, size: int, proof: list[str]) -> None:
    made = inclusion_proof(LEAVES[:size], index)
    assert [each.hex() for each in made] == proof
    assert included(LEAVES[index], index, size, bytes.fromhex(ROOTS[size]), made)


@pytest.mark.parametrize(
    ("before", "size", "proof"),
    [
        (1, 1, []),
        (
            1,
            8,
            [
                "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
            ],
        ),
        (
            6,
            8,
            [
                "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            ],
        ),
        (
            2,
            5,
            [
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            ],
        ),
    ],
)
def test_the_consistency_proofs_are_the_published_ones(before: int, size: int, proof: list[str]) -> None:
    made = consistency_proof(LEAVES[:size], before)
    assert [each.hex() for each in made] == proof
    assert consistent(before, bytes.fromhex(ROOTS[before]), size, bytes.fromhex(ROOTS[size]), made)


leaves_of = st.lists(st.binary(max_size=3).map(leaf_hash), min_size=1, max_size=70)


@settings(max_examples=60)
@given(leaves=leaves_of, data=st.data())
def test_a_frontier_grows_to_the_same_root_whatever_the_steps(leaves: list[bytes], data: st.DataObject) -> None:
    middle = data.draw(st.integers(0, len(leaves)))
    frontier = Frontier().plus(leaves[:middle])
    stored = Frontier.of(frontier.size, frontier.to_bytes())
    assert stored == frontier
    assert stored.plus(leaves[middle:]).root() == root(leaves)


@settings(max_examples=60)
@given(leaves=leaves_of, data=st.data())
def test_every_record_is_proven_and_no_other(leaves: list[bytes], data: st.DataObject) -> None:
    size, index = len(leaves), data.draw(st.integers(0, len(leaves) - 1))
    top, proof = root(leaves), inclusion_proof(leaves, index)
    assert included(leaves[index], index, size, top, proof)
    assert not included(leaf_hash(b"another"), index, size, top, proof)
    assert not included(leaves[index], index, size, leaf_hash(b"another"), proof)
    assert not included(leaves[index], index, size, top, [*proof, top])
    assert not included(leaves[index], size, size, top, proof)
    if proof:
        at = data.draw(st.integers(0, len(proof) - 1))
        assert not included(leaves[index], index, size, top, [*proof[:at], leaf_hash(b"x"), *proof[at + 1 :]])
        assert not included(leaves[index], index, size, top, proof[:-1])


@settings(max_examples=60)
@given(leaves=leaves_of, data=st.data())
def test_growth_is_proven_and_rewriting_is_not(leaves: list[bytes], data: st.DataObject) -> None:
    size, before = len(leaves), data.draw(st.integers(0, len(leaves)))
    earlier, later, proof = root(leaves[:before]), root(leaves), consistency_proof(leaves, before)
    assert consistent(before, earlier, size, later, proof)
    assert not consistent(before, leaf_hash(b"another"), size, later, proof)
    if before:
        assert not consistent(before, earlier, size, leaf_hash(b"another"), proof)
    assert not consistent(before, earlier, size, later, [*proof, later])
    if proof:
        assert not consistent(before, earlier, size, later, proof[:-1])
        at = data.draw(st.integers(0, len(proof) - 1))
        assert not consistent(before, earlier, size, later, [*proof[:at], leaf_hash(b"x"), *proof[at + 1 :]])


def test_what_is_not_there_has_no_proof() -> None:
    with pytest.raises(ValueError, match="no leaf 8 in a tree of 8"):
        inclusion_proof(LEAVES, 8)
    with pytest.raises(ValueError, match="no tree of 9 leaves in one of 8"):
        consistency_proof(LEAVES, 9)
    assert not consistent(9, bytes(32), 8, bytes(32), [])


@pytest.mark.parametrize(("size", "stored"), [(3, bytes(32)), (-1, b""), (2, bytes(33)), (0, bytes(32))])
def test_a_frontier_that_no_tree_of_its_size_has_is_refused(size: int, stored: bytes) -> None:
    with pytest.raises(ValueError, match="not the frontier"):
        Frontier.of(size, stored)
