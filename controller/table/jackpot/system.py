"""The prize meter system behind a table: which one it is in, and how one is closed."""

from __future__ import annotations

from fractions import Fraction

from controller.jackpot import linking
from controller.jackpot.rules import DOLLAR, Terms, surplus
from controller.places import JACKPOT
from controller.table.documents import JackpotCitations
from controller.table.effects import HouseChoice, MeterMoved, SystemClosed
from controller.table.floor import News, SystemIs
from controller.table.jackpot import outbox
from controller.table.keys import announced
from controller.table.options import Chosen, altered, demanded, jackpot_options, texts
from controller.table.state import Notice, Table, cards_lie
from controller.table.step import Refusal, Step
from controller.table.times import TWENTY_MINUTES
from controller.table.to_go import minutes_to_go, to_go

RATE = "jackpot-rate"
GROUP = "jackpot-group"
FLOOR_WIDE = ("jackpot-option", "jackpot-reset", RATE)  # the same for all systems
ANNOUNCED = frozenset({GROUP, *FLOOR_WIDE} - {RATE})  # on the sign before; the rate follows from the others


def offered(s: Step) -> Terms:
    """Returns the system of this table; refuses when no Jackpot is offered."""
    if s.jackpot is None or s.t.jackpot.closed:
        rule = s.cites.placed if s.document.jackpot is None else s.document.jackpot.offer
        raise Refusal(rule, "no Jackpot is offered here")
    return s.jackpot


def cited(s: Step) -> JackpotCitations:
    """Returns where the document of a table that offers a Jackpot speaks of it."""
    assert s.document.jackpot is not None
    return s.document.jackpot


def _in_play(s: Step) -> str:
    """Returns why the system must stay as it is: players have wagered on its terms; "" when nobody has."""
    if s.t.jackpot.registered or s.t.jackpot.pending:
        return "a jackpot game is running"
    if s.round is not None and any(spot == JACKPOT for _, spot in s.round.wagers):
        return "Jackpot wagers lie there: this waits until the round is over"
    return ""


def announced_of_jackpot(t: Table, notice: Notice) -> list[str]:
    """Returns what a notice announces about the Jackpot: options, or the key that closes it."""
    if notice.closing == "table":
        return []
    own = jackpot_options(type(t.options.typed))
    return [what for what in announced(notice) if notice.closing or what in own]


def house_is(s: Step, news: News) -> None:
    """Keeps what the floor says of its other tables and their systems."""
    s.t.house = s.t.house.after(news)
    if news == SystemIs(s.t.options.typed.group, linking.CLOSED):
        _closed(s)


def house_sets(s: Step, option: str, value: str) -> None:
    """Changes an option that the whole floor shares; what no table can play by is told, and changes nothing."""
    against = _house_against(s, option, value)
    if against:
        s.prompt("supervisor", f"the house says {option} {value[:40]}: {against}; it is not followed", s.cites.limits)
        return
    if option == "method" and s.policy.house_method and cards_lie(s.t):  # 004 7.4.4: a round is dealt by one method
        s.t.house_next[option] = value
        s.prompt("supervisor", f"the house plays by method {value}: here from the next round on", s.cites.house_method)
        return
    s.t.house_next.pop(option, None)
    s.t.options = Chosen(demanded(s.t.options.typed, {option: value}))
    filled_up(s)


def _house_against(s: Step, option: str, value: str) -> str:
    """Returns why this table cannot follow what the house says; "" when it can."""
    if option not in s.t.options:
        return f"there is no option {option} at this table"
    after = altered(s.t.options.typed, {option: value})
    if isinstance(after, list):
        return after[0].text
    against = after.forbidden({})
    if against is not None:
        return against.text
    if option in jackpot_options(s.game.options) and s.jackpot is not None:
        return after.misprinted()
    return ""


def change(s: Step, wanted: dict[str, str]) -> dict[str, str]:
    """Returns what a change of the Jackpot's options comes to; refuses it when the rules do."""
    own = jackpot_options(s.game.options)
    of_jackpot = {option: value for option, value in wanted.items() if option in own}
    cites = s.document.jackpot
    if cites is None:
        return wanted
    if of_jackpot:
        for option, value in of_jackpot.items():
            _announced(s, cites, option, value)
        if in_play := _in_play(s):
            raise Refusal(cites.link, in_play)
        if s.t.jackpot.outbox:
            raise Refusal(cites.link, "the prize meter system has not been told everything yet")
        cost = linking.cost_of(s.t.house.running, of_jackpot.get("jackpot-group", ""), cites.kind)
        if cites.kind == "vic" and cost:  # 9.1.1(e): each system has its own cost: a transferred table takes it over
            wanted.setdefault("jackpot-cost", cost)
        if wanted.keys() & {"jackpot-option", "jackpot-reset"}:
            wanted = _with_rate(s, wanted)
    if of_jackpot or "method" in wanted:
        everywhere = all(option in FLOOR_WIDE for option in wanted)
        after = demanded(s.t.options.typed, wanted)
        problem = after.jackpot_forbidden(s.t.game, {} if everywhere else s.t.house.running)
        if problem is not None:
            raise Refusal(problem.rule, problem.text)
    return wanted


def _with_rate(s: Step, wanted: dict[str, str]) -> dict[str, str]:
    """Adds the increment that another option brings, unless one is named: then it must be that one."""
    after = demanded(s.t.options.typed, wanted)
    if after.terms is None or after.misprinted():
        return wanted
    return {RATE: texts(after.reprinted())[RATE]} | wanted


def _announced(s: Step, cites: JackpotCitations, option: str, value: str) -> None:
    """Refuses a change that was not announced long enough.

    Another system needs twenty minutes on the sign, another option "a reasonable period".
    """
    notices = [n for n in s.t.notices if n.changes.get(option) == value]
    shown = [s.t.now - n.shown for n in notices]
    if option == GROUP and not any(since >= TWENTY_MINUTES for since in shown):
        left = minutes_to_go(s.t, notices, f"press notice {option}={value}")
        raise Refusal(cites.link, f"another system stands on the sign for twenty minutes first: {left}")
    if option in ANNOUNCED and not any(shown):
        raise Refusal(cites.change, f"a change of {option} must be on the sign for a while before")


def changed(s: Step, wanted: dict[str, str]) -> None:
    """Follows a change of options that is in force: all systems take it over, another system brings its own meter."""
    if jackpot_options(s.game.options).isdisjoint(wanted):
        return
    game, system = s.t.jackpot, s.jackpot
    if RATE not in s.t.options:
        s.t.options = Chosen(s.t.options.typed.reprinted())
    game.joined = False  # until the system has taken it over
    if "jackpot-group" in wanted:
        game.closed = False
        game.numbered = game.recorded = 0  # every system counts for itself
        game.ledger = (0, "")
        game.meter = system.seed if system is not None else 0  # until the system says what it holds
    else:
        filled_up(s)
    s.effects += [HouseChoice(option, wanted[option]) for option in wanted if option in FLOOR_WIDE]


def filled_up(s: Step) -> None:
    """Fills the meter up to its seed: whatever the seed is now, the meter holds no less (003 9.3)."""
    system = s.jackpot
    if system is not None and system.kind == "vic" and (lacking := system.seed - s.t.jackpot.meter) > 0:
        s.change_meter(outbox.refill(s.t, lacking))


def close(s: Step, args: tuple[str, ...]) -> None:
    """Ends the system; what it holds above its seed goes to others, to the last ten-thousandth."""
    system, game, cites = offered(s), s.t.jackpot, cited(s)
    if game.keeper:
        raise Refusal(cites.close, "two people close a prize meter system: felt jackpot close")
    if in_play := _in_play(s):
        raise Refusal(cites.close, in_play)
    since = _closing_since(s)
    if since is None or s.t.now - since < TWENTY_MINUTES:
        left = "" if since is None else f": {to_go(since + TWENTY_MINUTES - s.t.now)}"
        raise Refusal(cites.close, f"a closing needs a sign at every table for twenty minutes before{left}")
    over, group = surplus(system, game.meter), s.t.options.typed.group
    for name, amount in _shares(cites, args, over):
        if name not in linking.others(s.t.house.running, system.kind, group):
            raise Refusal(cites.transfer, f"there is no other prize meter system {name}")
        s.effects.append(MeterMoved(name, amount))
    s.change_meter(-over)
    _closed(s)
    if group:
        s.effects.append(SystemClosed(group))


def _closing_since(s: Step) -> int | None:
    """Returns since when every table of the system says that it will be closed; None when one does not."""
    group = s.t.options.typed.group
    if group and group in s.t.house.closings:
        return s.t.house.closings[group]
    return min((n.shown for n in s.t.notices if n.closing == "jackpot"), default=None)


def _shares(cites: JackpotCitations, args: tuple[str, ...], over: int) -> list[tuple[str, int]]:
    named = [arg.partition("=") for arg in args]
    if len(named) == 1 and not named[0][2]:
        return [(named[0][0], over)]
    shares = [(name, int(Fraction(amount or "0") * DOLLAR)) for name, _, amount in named]
    if sum(amount for _, amount in shares) != over or any(not amount for _, _, amount in named):
        text = f"{over // DOLLAR}.{over % DOLLAR:04} is to be handed on, no more and no less"
        raise Refusal(cites.transfer, text)
    return shares


def _closed(s: Step) -> None:
    s.t.jackpot.closed = True
    s.t.notices = [n for n in s.t.notices if n.closing != "jackpot"]
