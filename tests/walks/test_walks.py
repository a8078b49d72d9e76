"""Every walk ends where it ended when it was kept."""

from __future__ import annotations

import pytest

from tests.walks.keep import kept
from tests.walks.walks import Walk, digest, walks


@pytest.mark.parametrize("walk", list(walks()), ids=lambda walk: walk.name.replace(" ", "-"))
def test_a_walk_tells_and_shows_what_is_kept(walk: Walk) -> None:
    assert digest(walk) == kept()[walk.name], "if that is meant: python -m tests.walks.keep"
