"""Puts a tournament around the games of both engines: a table that the record has told something is in it."""

from __future__ import annotations

from controller.house.game import HouseGame
from controller.poker.game import Crown
from controller.table.facts import TournamentTold
from controller.table.modes import Mode, mode
from controller.table.rules import Rules
from controller.tournament.designating import is_asked_for
from controller.tournament.house_mode import HouseTournament
from controller.tournament.play import TournamentPlay
from controller.tournament.poker_mode import PokerTournament


@mode(TournamentPlay, begins_with=TournamentTold, asked_for=is_asked_for)
def tournament(game: Rules) -> Mode:
    """Returns a game in a tournament; the game alone where its document, or its engine, knows none."""
    if game.document.tournaments is None:
        return game
    if isinstance(game, Crown):
        return PokerTournament(game)
    return HouseTournament(game) if isinstance(game, HouseGame) else game
