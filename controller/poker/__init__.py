"""Poker between players: betting, pots, seats and stakes, as pure rules of document 000 (Crown Poker)."""
