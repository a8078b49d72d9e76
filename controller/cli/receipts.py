"""Hands a receipt over: printed, or written into a file of its own."""

from __future__ import annotations

from pathlib import Path

from controller.errors import FeltError


def hand_over(text: str, output: Path | None, what: str) -> None:
    """Prints a text, or writes it into a new file and says so."""
    if output is None:
        print(text, end="")
    else:
        write_new(output, text)
        print(f"{output}: {what}")


def write_new(output: Path, text: str) -> None:
    """Writes a text into a file, which must be new; raises FeltError when it cannot be."""
    try:
        with output.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise FeltError("receipt.unwritable", f"{output}: {error.strerror}") from None
