"""The rule of polkit, in the engine of a browser: what technicians may do with systemd, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Page

RULE = Path(__file__).parents[2] / "systemd/feltd.polkit.rules"
UNITS = "org.freedesktop.systemd1.manage-units"
ASKED = """([rule, id, details, group]) => {
    let asked;
    const polkit = { addRule: (each) => { asked = each; }, Result: { YES: "yes", NOT_HANDLED: "not handled" } };
    new Function("polkit", rule)(polkit);
    return asked({ id, lookup: (name) => details[name] }, { isInGroup: (name) => name === group });
}"""


@pytest.mark.parametrize(
    ("action", "unit", "verb", "group", "answer"),
    [
        *((UNITS, "feltd.service", verb, "feltd-technicians", "yes") for verb in ("start", "stop", "restart")),
        (UNITS, "feltd.service", "restart", "feltd", "not handled"),
        (UNITS, "ssh.service", "restart", "feltd-technicians", "not handled"),
        (UNITS, "feltd.service", "kill", "feltd-technicians", "not handled"),
        (UNITS, "feltd.service", "set-property", "feltd-technicians", "not handled"),
        ("org.freedesktop.systemd1.manage-unit-files", "feltd.service", "start", "feltd-technicians", "not handled"),
        ("org.freedesktop.login1.reboot", "feltd.service", "start", "feltd-technicians", "not handled"),
    ],
)
async def test_technicians_start_and_stop_the_table_and_nothing_else(
    page: Page, action: str, unit: str, verb: str, group: str, answer: str
) -> None:
    details = {"unit": unit, "verb": verb}
    assert await page.evaluate(ASKED, [RULE.read_text(), action, details, group]) == answer
