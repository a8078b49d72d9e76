"""Where an unexpected error was raised, for the log.

Its text stays out: it may quote a card that lies face down.
"""

from __future__ import annotations

from pathlib import Path


def error_place(error: BaseException) -> str:
    """Returns the kind of an error and the line that raised it, never its text.

    >>> error_place(KeyError("Kh"))
    'KeyError'
    """
    trace, place = error.__traceback__, ""
    while trace is not None:
        place = f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return type(error).__name__ + place
