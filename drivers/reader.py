"""The card reader of the layout: it reads the cards that come to lie on it, at a seat or on the board."""

from __future__ import annotations

from drivers.driver import Driver
from drivers.families import family
from firmware_bridge import messages as m


@family("reader", title="card reader", stands="area-or-board", reads="laid")
class ReaderDriver(Driver):
    """Reports cards that are laid down and lifted.  It has no outputs."""

    events = m.SENT_BY["reader"]
