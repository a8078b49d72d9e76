"""The device that docs/firmware.md builds keeps the promises that only a hand at it would try."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.frame import encode
from firmware_bridge.messages import Hello
from tests.docs.blocks import ROOT


@pytest.fixture
def page() -> dict[str, Any]:
    """All that the page's program defines; it is not started."""
    text = (ROOT / "docs/firmware.md").read_text(encoding="utf-8")
    program = "\n".join(re.findall(r"^```python file=lamps.py\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    assert program.endswith("\nmain(sys.argv[1])\n")
    defined: dict[str, Any] = {}
    exec(program.removesuffix("main(sys.argv[1])\n"), defined)
    return defined


def test_an_event_is_sent_once_and_not_again_before_its_time(
    page: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, sent = 100.0, list[bytes]()
    monkeypatch.setattr(page["time"], "monotonic", lambda: now)
    device = page["Device"](sent.append, page["Memory"](str(tmp_path / "memory")))
    device.greet(7, encode(Hello(1)))
    now, sent[:] = 105.0, []
    device.happened([12, True])
    device.tick()
    assert len(sent) == 1
    now = 105.19
    device.tick()
    assert len(sent) == 1
    now = 105.21
    device.tick()
    assert len(sent) == 2 and sent[0] == sent[1]
