"""A card that lies face down is known to nobody: not to the API, the log, a report, a prompt or the journal's tail."""

from __future__ import annotations

import json
import re

import pytest
import structlog
from structlog.testing import capture_logs

from controller.api import views
from controller.api.frames import frame_json
from controller.cards import spoken
from controller.games import GAMES, find
from controller.script import parse
from controller.script.play import Player
from controller.script.report import to_json, to_text
from controller.service.disclosure import disclosed as past
from controller.views.cards import public_hands
from firmware_bridge.frame import Frame
from hw_sim.loop import run

CARDS = "Kh 9d Qs 5d 9c 3d 2c 2h 7s Ah 4c Jd 8h 6s Tc Ks"
BETS = {
    "three-card-poker": ("ante=10 pair-plus=10", 9),
    "caribbean-stud": ("ante=10", 15),
    "mississippi-stud": ("ante=10", 7),
    "ultimate-texas-holdem-nsw": ("ante=10 blind=10", 6),
    "ultimate-texas-holdem-vic": ("ante=10 blind=10", 6),
    "wsop-bonus-holdem": ("ante=10", 4),
}


POKER = dict.fromkeys(("holdem", "holdem-hi-lo"), 4)
POKER |= dict.fromkeys(("pineapple", "crazy-pineapple", "crazy-pineapple-hi-lo"), 6)
POKER |= dict.fromkeys(("omaha", "omaha-hi-lo"), 8)
SPOKEN = ("draw ", "discard ")  # lines of the script itself


def story(game: str) -> tuple[list[str], str]:
    """Cards that are dealt, and how it came to that."""
    if game in BETS:
        bets, count = BETS[game]
        cards = CARDS.split()[:count]
        return cards, f"bet 1 {bets}\nbet 2 {bets}\nkey no-more-bets\ndraw {' '.join(cards)}\nkey taken 1\n"
    cards = CARDS.split()[: POKER[game]]
    deal = f"seat 1-2 stack=500\nact 1 post 5\nact 2 post 10\ndraw {' '.join(cards)}\nact 1 call\nact 2 check\n"
    return cards, deal + (f"discard 1 {cards[0]}\n" if game == "pineapple" else "")


def test_every_game_with_hidden_cards_is_here() -> None:
    assert set(BETS) | set(POKER) | {"casino-war"} >= set(GAMES)


@pytest.mark.parametrize("game", sorted((BETS.keys() | POKER.keys()) & GAMES.keys()))
def test_nobody_hears_of_a_face_down_card(game: str) -> None:
    cards, lines = story(game)
    script = parse(f"table {game}\n{lines}")
    structlog.reset_defaults()
    told: list[str] = []

    async def listen() -> None:
        player = Player("secret.felt", script.runs[0])
        close, player.floor.close = player.floor.close, nothing  # type: ignore[method-assign]
        played = await player.play()
        try:
            table = player.floor.tables[""]
            seen = {card for hand in public_hands(table.state, find(table.state.game)).values() for card in hand}
            hidden = [card for card in cards if card not in seen]
            assert hidden, "most cards lie face down now"
            told.append(to_json(played).split('"refused"')[0].split('"rounds"')[1])
            told.extend(line for line in to_text(played) if not any(word in line for word in SPOKEN))
            told.append(json.dumps(views.status("T1", table.service, table.journal.head, 1.0)))
            shown = table.service.engine.disclosure.shown(table.state)
            told.extend(json.dumps(views.record(*each)) for each in past(table.journal, list(table.journal), shown))
            for device in table.service.fleet.devices.values():
                told.extend(entry.text() for entry in device.trace)
                told.extend(json.dumps(frame_json(n, entry, 0.0)) for n, entry in device.trace.after(0))
                blanks = [blank for entry in device.trace if (blank := entry.blank()) is not None]
                assert not any(b"\xa2" + card.encode() in blank for card in hidden for blank in blanks), device.name
                # What a capture has of cards would be texts of two letters; random numbers may look like bare letters.
                bodies = [entry.item.body for entry in device.trace if entry.raw() and isinstance(entry.item, Frame)]
                assert not any(b"\xa2" + card.encode() in body for card in hidden for body in bodies), device.name
            for text in told:
                for card in hidden:
                    assert not names(text, card), f"{card} is told: {text}"
        finally:
            await close()

    with capture_logs() as logs:
        run(listen())
    assert not any(names(json.dumps(logs, default=str), card) for card in cards)


def names(text: str, card: str) -> bool:
    return re.search(rf"\b{card}\b|{spoken(card)}", text) is not None


async def nothing() -> None:
    """The tables stay open until everything was looked at."""
