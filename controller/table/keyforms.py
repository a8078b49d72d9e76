"""What each key comes with: a console that sends anything else is refused, not guessed at."""

from __future__ import annotations

import re
from typing import Final

from controller.cards import veiled

_AREA: Final = r"[1-9][0-9]{0,2}(\.[1-9])?"
_PLACE: Final = rf"({_AREA}|dealer|flop|turn|river|community)"
_CARD: Final = r"[2-9TJQKA][cdhs]"
_COUNT: Final = r"[0-9]{1,4}"
_N: Final = r"[1-9][0-9]{0,3}"
_NAME: Final = r"[^\W\d_][\w-]{0,99}"
_SEAT: Final = r"[1-9][0-9]{0,2}"
_AMOUNT: Final = r"[0-9]{1,9}(\.[0-9]{1,2})?"
_TICKS: Final = r"[0-9]{1,12}(\.[0-9]{1,4})?"
_SILENT: Final = "fold|check|call|all-in|take-back|muck"  # acts without an amount
_WITH_AMOUNT: Final = "bet|raise|post|straddle"
_SETTING: Final = r"[a-z-]+=\S{1,200}"
_PLACES: Final = rf"{_SEAT}(-{_SEAT})?(,{_SEAT}(-{_SEAT})?)*"
_SHARE: Final = rf"{_NAME}(={_TICKS})?"
_CODE: Final = r"[a-z][a-z0-9-]*(\.[a-z0-9-]+)*"
_NOTHING: Final = ""
_LONGEST: Final = 2000  # characters of everything that comes with a key
_TOLD: Final = 80

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
    "count": _COUNT,
    "cut": rf"({_COUNT})?",
    "cutting-card": _COUNT,
    "order": "known|unknown",
    "burn": rf"({_AREA}|{_CARD})?",
    "void": rf"({_AREA})?",
    "resume": rf"({_CODE})?",
    "reconstruct": rf"({_PLACE}={_CARD}(,{_CARD})*)?( {_PLACE}={_CARD}(,{_CARD})*)*",
    "invalidate": "fraud|disturbance",
    "marker": rf"{_AREA}( (min|max)={_AMOUNT})+",
    "set": rf"{_SETTING}( {_SETTING})*",
    "notice": rf"close-table|close-jackpot|{_SETTING}( {_SETTING})*",
    "agree": "majority|all",
    "close-jackpot": rf"{_SHARE}( {_SHARE})*",
    "seat": rf"{_PLACES}( (player={_NAME}|(stack|add|take)={_AMOUNT}))*",
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
KEYS: Final = tuple(_FORMS)


def misfit(key: str, args: tuple[str, ...]) -> str:
    """What is wrong with a key as it came; "" when nothing is.  Cards in it are not said again: anybody hears this.

    >>> misfit("count", ("52",)), misfit("count", ("abc",)), misfit("jump", ())
    ('', 'count does not come with "abc"', 'there is no key "jump"')
    """
    if key not in _COMPILED:
        return f'there is no key "{veiled(key)}"'
    text = " ".join(args)
    if len(text) <= _LONGEST and _COMPILED[key].fullmatch(text) and all(arg and " " not in arg for arg in args):
        return ""
    return f'{key} does not come with "{veiled(text)[:_TOLD]}"'
