"""The codes of `felt odds`."""

from __future__ import annotations

from controller.errors import declare

declare(
    __name__,
    "felt odds",
    {
        "odds.computation": (
            "A game declares how its odds are computed, and that cannot be loaded.",
            "Ask the maker of the package that brings the game.",
        ),
        "odds.failed": (
            "The game, or what computes its odds, raised an error.",
            "Ask the maker of the package that brings the game. If it is yours: the cause names the place.",
        ),
        "odds.game": (
            "No odds are computed for this game.",
            "Choose one of the games that the message names.",
        ),
        "odds.numpy": (
            "Computing this takes numpy, which is not installed.",
            "Install it: `pip install 'feltd[odds]'`.",
        ),
        "odds.option": (
            "An option is not one of this game, or cannot have this value.",
            "Write it as decks=8; see the options of this game in docs/configuration.md.",
        ),
        "odds.rules": (
            "The computation came to a round that the rules do not allow.",
            "The odds of this game have to follow its rules: please report this.",
        ),
        "odds.stake": (
            "The stake is no amount that can be wagered.",
            "Write dollars, such as --stake 25.",
        ),
        "odds.wager": (
            "This is no wager that opens a round of the game.",
            "Choose one of the wagers that the message names.",
        ),
    },
)
