"""Tournaments: terms, places, prizes and the draw of seats, as pure rules over plain data."""
