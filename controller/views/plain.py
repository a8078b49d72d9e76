"""Words of devices and people as plain text: characters that steer a terminal are shown, not obeyed."""

from __future__ import annotations

from typing import Final

_STEERING: Final = (*range(0x20), *range(0x7F, 0xA0), 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))
ESCAPED: Final = {code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" for code in _STEERING}
ESCAPED_IN_LINES: Final = {code: shown for code, shown in ESCAPED.items() if chr(code) not in "\n\t"}


def one_line(text: str) -> str:
    """Returns a text that is one line, whatever words are in it.

    >>> one_line("signed in: A\\nround 7 is void\\x1b[0m")
    'signed in: A\\\\x0around 7 is void\\\\x1b[0m'
    """
    return text.translate(ESCAPED)
