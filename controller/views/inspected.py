"""The form in which a record of the journal leaves the table for an inspector."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class RecordShown(TypedDict):
    """One record, or a block of them: its body, or a hash in its place, and the hash of the chain behind it."""

    seq: int
    hash: str
    body: NotRequired[str]  # base64
    leaf: NotRequired[str]  # of a record that is hidden: its leaf in the tree
    tree: NotRequired[str]  # of a block that is hidden: the root over its leaves
    count: NotRequired[int]  # how many records that block has
