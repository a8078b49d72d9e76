"""How every wager of a round stands: settled, or still at stake."""

from __future__ import annotations

from controller.house.layout import Layout, Stake
from controller.house.wagers import from_the_right
from controller.table.state import Line, key, order


def standing(felt: Layout) -> list[Line]:
    """How every wager of a round stands, in the order in which the dealer settles; "open" where it is at stake."""
    r = felt.round
    out: dict[str, Line] = {}
    for line in r.lines:
        out.pop(key(line.place, line.spot), None)
        if line.result != "reversed":
            out[key(line.place, line.spot)] = line
    still = [at for at in r.wagers if at not in out]
    for place in from_the_right(sorted({at.split(" ")[0] for at in still}, key=order)):
        for spot in (*felt.game.spots, "jackpot"):
            if key(place, spot) in still:
                at = felt.game.stake(felt, place, spot) if spot != "jackpot" else Stake(r.wagers[key(place, spot)])
                out[key(place, spot)] = Line(place, spot, at.counts, "open", 0, "", at.surplus)
    return list(out.values())
