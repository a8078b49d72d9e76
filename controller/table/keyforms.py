"""What each key comes with: a console that sends anything else is refused, not guessed at."""

from __future__ import annotations

import re
from typing import Final

_AREA: Final = r"\d{1,3}(\.[1-9])?"
_PLACE: Final = rf"({_AREA}|dealer|flop|turn|river|community)"
_CARD: Final = r"[2-9TJQKA][cdhs]"
_N: Final = r"\d{1,4}"
_NAME: Final = r"[^\W\d_][\w-]*"
_SEAT: Final = r"[1-9]\d{0,2}"
_AMOUNT: Final = r"\d+(\.\d{1,2})?"
_SILENT: Final = "fold|check|call|all-in|take-back|muck"  # acts without an amount
_WITH_AMOUNT: Final = "bet|raise|post|straddle"
_SETTING: Final = r"[a-z-]+=\S+"
_PLACES: Final = r"\d{1,3}(-\d{1,3})?(,\d{1,3}(-\d{1,3})?)*"
_CODE: Final = r"[a-z][a-z0-9-]*(\.[a-z0-9-]+)*"
_NOTHING: Final = ""

_FORMS: Final = {
    **dict.fromkeys(
        ("no-more-bets", "settle", "announced", "looked", "misdeal", "show-burn", "confirm-jackpot", "boxed"), _NOTHING
    ),
    **dict.fromkeys(("checked", "shuffled", "replaced", "open-table", "close-table"), _NOTHING),
    **dict.fromkeys(("start-jackpot", "cancel-jackpot", "collect", "confirm-charge", "drop"), _NOTHING),
    **dict.fromkeys(("check", "surrender", "unable", "stray", "keep", "retract", "exclude", "refuse-cut"), _AREA),
    "fold": rf"{_AREA}( ante)?",
    "owner": rf"{_AREA} {_AREA}",
    "refuse": rf"{_AREA} [a-z-]+",
    "exposed": rf"{_PLACE}( {_N})?",
    "short": rf"{_PLACE}( ({_N}|all))?",
    "excess": rf"{_PLACE}( shown)?",
    "taken": rf"{_AREA}( {_CARD})*",
    "viewed": rf"{_AREA}( {_AREA})*",
    "count": _N,
    "cut": rf"({_N})?",
    "cutting-card": _N,
    "order": "known|unknown",
    "burn": rf"({_AREA}|{_CARD})?",
    "void": rf"({_AREA})?",
    "resume": rf"({_CODE})?",
    "reconstruct": rf"({_PLACE}={_CARD}(,{_CARD})*)?( {_PLACE}={_CARD}(,{_CARD})*)*",
    "invalidate": "fraud|disturbance",
    "marker": rf"{_AREA}( (min|max)=\d+(\.\d+)?)+",
    "set": rf"{_SETTING}( {_SETTING})*",
    "notice": rf"close-table|close-jackpot|{_SETTING}( {_SETTING})*",
    "agree": "majority|all",
    "close-jackpot": r"\S+( \S+)*",
    "seat": rf"{_PLACES}( (player={_NAME}|(stack|add|take)=\d+(\.\d+)?))*",
    "leave": _PLACE,
    # Crown Poker: what players do and say, keyed by the dealer, and the dealer's own keys
    "act": rf"{_SEAT} (({_SILENT})|({_WITH_AMOUNT}) {_AMOUNT})",
    "said": rf"{_SEAT} ({_SILENT}|{_WITH_AMOUNT})",  # the word that goes with the chips that come next
    "discard": rf"{_SEAT} {_CARD}",
    **dict.fromkeys(("dead", "extra-time", "bonus", "confirm-bonus", "moved", "pick-up"), _SEAT),
    **dict.fromkeys(("ask", "move"), rf"{_SEAT} {_SEAT}"),
    **dict.fromkeys(("absent", "missed-blind", "dealt-out", "walking", "reserved"), rf"{_SEAT}( off)?"),
    "list": rf"{_NAME}( {_SEAT})?",
    "back": _NAME,
}
_COMPILED: Final = {key: re.compile(form) for key, form in _FORMS.items()}


def misfit(key: str, args: tuple[str, ...]) -> str:
    """What is wrong with a key as it came; "" when nothing is.

    >>> misfit("count", ("52",)), misfit("count", ("abc",)), misfit("jump", ())
    ('', 'count does not come with "abc"', 'there is no key "jump"')
    """
    if key not in _COMPILED:
        return f'there is no key "{key}"'
    text = " ".join(args)
    return "" if _COMPILED[key].fullmatch(text) else f'{key} does not come with "{text}"'
