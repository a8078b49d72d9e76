"""How the result of a journal's check is written, by the daemon and by `felt` on a file: the same words."""

from __future__ import annotations

from controller.api.shapes import Verified
from controller.journal.verify import Report


def report_json(report: Report) -> Verified:
    """Returns a report as plain data; the anchor is the last sound record."""
    return {
        "ok": report.ok,
        "checked": report.checked,
        "anchor": report.head.to_text(),
        "first_bad": report.first_bad,
        "code": report.code,
        "cause": report.cause,
        "next_step": report.next_step,
        "notes": list(report.notes),
    }
