"""The limit sign: what is in force, what is announced, and when a change may happen; opening and closing."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from controller.table import causes
from controller.table.deck import fresh
from controller.table.documents import Policy
from controller.table.effects import HouseChoice
from controller.table.facts import Started
from controller.table.jackpot import system as jackpot_system
from controller.table.keys import CLOSE_JACKPOT, CLOSE_TABLE, CLOSINGS, announced
from controller.table.options import Chosen, OptionProblem, altered, demanded, fields, read_one, written
from controller.table.rules import Rules
from controller.table.state import Notice, Table, cards_lie
from controller.table.step import Refusal, Step
from controller.table.times import TWENTY_MINUTES
from controller.table.to_go import HANDS, hands_over, hands_to_go, minutes_to_go
from controller.table.values import NONE


def keyed(game: Rules, args: tuple[str, ...]) -> tuple[dict[str, str], list[OptionProblem]]:
    """Returns the options that somebody keys, each in its one way to be written, and what is wrong with the others."""
    document, known = game.document, fields(game.options)
    wanted, problems = {}, []
    for arg in args:
        option, _, value = arg.partition("=")
        setting = document.powers.settings.get(option)
        meant = read_one(game.options, option, value)
        if option in known and setting is None:
            problems.append(
                OptionProblem(option, f"{option} is not changed at an open table", document.citations.limits)
            )
        elif isinstance(meant, OptionProblem):
            problems.append(meant)
        else:
            wanted[option] = known[option].write(meant.value)
    return wanted, problems


def wanted_by(s: Step, args: tuple[str, ...]) -> dict[str, str]:
    """Returns the options that somebody keyed; refuses them with every mistake."""
    wanted, problems = keyed(s.game, args)
    if problems:
        raise Refusal(_rule_against(s, problems[0]), "; ".join(map(str, problems)))
    return wanted


def _rule_against(s: Step, problem: OptionProblem) -> str:
    """Returns the rule by which a value is refused; of one that cannot be read, that of the option; "" when none is."""
    setting = s.powers.settings.get(problem.option)
    return problem.rule or (setting.rule if setting is not None else "")


def set_options(s: Step, args: tuple[str, ...]) -> None:
    """Changes options of an open table; refuses the change where a rule is against it."""
    t = s.t
    wanted = wanted_by(s, args)
    raised = demanded(t.options.typed, wanted).min > t.options.typed.min
    nobody = s.policy.free_when_empty and not players_here(t, "min")
    if raised and not nobody and not _announced(s, wanted["min"]):
        left = minutes_to_go(t, announcing(t, "min", wanted["min"]), f"press notice min={wanted['min']}")
        raise Refusal(s.cites.higher_minimum, f"a higher minimum stands on the sign for twenty minutes first: {left}")
    _odds_announced(s, wanted)
    wanted = jackpot_system.change(s, wanted)
    after = demanded(t.options.typed, wanted)
    if after.min > after.max:
        raise Refusal(s.cites.limits, "the minimum would be above the maximum")
    against = after.forbidden({})
    if against is not None:
        raise Refusal(against.rule, against.text)
    for option in wanted:
        _not_too_late(s, option)
    if "method" in wanted and s.policy.house_method:
        _no_cards_lie(s)
    t.options = Chosen(after)
    for option in wanted:
        setting = s.powers.settings.get(option)
        if setting is not None and setting.when == "between rounds":
            s.prompt("dealer", f"tell the players: {option} is now {wanted[option]}", setting.rule)
    jackpot_system.changed(s, wanted)
    if "burn" in wanted:
        _burns_change(s, after.burn)
    t.notices = still_to_come(t.notices, wanted)
    if "method" in wanted and s.policy.house_method:
        s.effects.append(HouseChoice("method", wanted["method"]))


def players_here(t: Table, about: str) -> bool:
    """Tells whether players are here; or were when the table was set up anew, and this was announced to them.

    `about`: an option, or the key that closes the table.
    """
    to_players = [shown for shown in t.notices if shown.players]
    return bool(t.seats) or any(about in announced(shown) for shown in to_players)


def still_to_come(notices: list[Notice], done: Mapping[str, str]) -> list[Notice]:
    """Returns the notices without what is in force now."""
    out = []
    for shown in notices:
        left = {option: value for option, value in shown.changes.items() if done.get(option) != value}
        if shown.closing or left:
            out.append(shown if left == shown.changes else replace(shown, changes=left))
    return out


def still_announced(before: Table, t: Table, begin: Started) -> list[Notice]:
    """Returns what a table goes on to announce that was set up anew: its hands count anew; of another game nothing.

    Then what it has to announce before it is as the configuration says; what is announced already goes on as it is, and
    what only the former configuration has announced is taken down.
    """
    new, former = _written(t, begin.announced), _written(t, before.begun.announced if before.begun is not None else {})
    withdrawn = {option: value for option, value in former.items() if new.get(option) != value}
    outside = {jackpot_system.GROUP: NONE} if t.options.typed.terms is None else {}
    in_force = {**t.options, **outside}
    standing = still_to_come(still_to_come(before.notices, in_force), withdrawn) if before.game == t.game else []
    shown = [replace(each, round=t.number, players=each.players or begin.players) for each in standing]
    already = {item for each in shown for item in each.changes.items()}
    new = {option: value for option, value in new.items() if (option, value) not in already}
    return [*shown, Notice(new, t.now, t.number, players=begin.players)] if new else shown


def _written(t: Table, options: Mapping[str, str]) -> dict[str, str]:
    return {option: written(type(t.options.typed), option, value) for option, value in options.items()}


def _burns_change(s: Step, on: bool) -> None:
    """Keeps whether burn cards are read from the next card on."""
    if not on:
        s.t.deck.burn_due = False
    if s.round is not None:
        s.burns_change(on)


def _not_too_late(s: Step, option: str) -> None:
    """Refuses a change for which the round that is running has gone too far."""
    setting = s.powers.settings.get(option)
    if setting is None or s.round is None:
        return
    between = setting.when == "between rounds"
    closed = setting.when == "before the close" and s.round.closed
    if between or closed:
        raise Refusal(setting.rule, f"{option} is changed between rounds")


def _odds_announced(s: Step, wanted: dict[str, str]) -> None:
    """Refuses other pay tables of which the players were not notified before (001 8.2(b))."""
    for option, setting in s.powers.settings.items():
        if option not in wanted or not setting.announced:
            continue
        if s.t.seats and not announcing(s.t, option, wanted[option]):
            raise Refusal(setting.rule, f"players are here: press notice {option}={wanted[option]} first")


def _no_cards_lie(s: Step) -> None:
    """Refuses another method while cards of a round lie at a table of the floor.

    004 7.4.4: a round is dealt by one method from its first card.
    """
    elsewhere = [table for table, cards_are_out in s.t.house.dealt.items() if cards_are_out]
    if cards_lie(s.t) or elsewhere:
        where = f"table {elsewhere[0]}" if elsewhere else "this table"
        raise Refusal(s.cites.house_method, f"cards of a round lie on {where}: the method changes between rounds")


def needs_time(t: Table, policy: Policy, shown: Notice) -> bool:
    """Tells whether a notice hangs for twenty minutes before what it announces (s66(2), 002 7.5.2; 001 11.7)."""
    if shown.closing:
        return shown.closing == "jackpot" or policy.closing == "minutes"
    after = altered(t.options.typed, shown.changes)
    raised = not isinstance(after, list) and after.min > t.options.typed.min
    return raised or "jackpot-group" in shown.changes


def announcing(t: Table, option: str, value: str) -> list[Notice]:
    """Returns the notices that announce this option."""
    return [shown for shown in t.notices if shown.changes.get(option) == value]


def _announced(s: Step, least: str) -> bool:
    return any(s.t.now - shown.shown >= TWENTY_MINUTES for shown in announcing(s.t, "min", least))


def notice(s: Step, args: tuple[str, ...]) -> None:
    """Announces a change of options, or a closing, on the sign; what is announced already goes on as it is."""
    t = s.t
    if args == (CLOSE_JACKPOT,) and s.jackpot is None:
        raise Refusal(s.cites.limits, "no Jackpot is offered here")
    closing = CLOSINGS.get(args[0], "") if len(args) == 1 else ""
    changes = {} if closing else wanted_by(s, args)
    if _withdrawn(s, changes):
        return
    if not any((n.closing, n.changes) == (closing, changes) for n in t.notices):  # shown already: its time goes on
        t.notices.append(Notice(changes, t.now, t.number, closing))


def _withdrawn(s: Step, changes: Mapping[str, str]) -> bool:
    """Takes down what was announced of an option, when what is announced now is what is in force: it stays so."""
    stays = bool(changes) and all(s.t.options.get(option) == value for option, value in changes.items())
    if not stays or not any(changes.keys() & shown.changes.keys() for shown in s.t.notices):
        return False
    others = [(shown, {o: v for o, v in shown.changes.items() if o not in changes}) for shown in s.t.notices]
    s.t.notices = [replace(shown, changes=left) for shown, left in others if shown.closing or left]
    return True


def closing_over(t: Table, policy: Policy, now: int) -> bool:
    """Tells whether players have been told for as long as they must be that the table closes."""
    closings = [shown for shown in t.notices if shown.closing == "table"]
    if policy.closing == "minutes":
        return any(now - shown.shown >= TWENTY_MINUTES for shown in closings)
    return any(hands_over(t, shown) >= HANDS for shown in closings)


def close_table(s: Step, args: tuple[str, ...]) -> None:
    """Closes the table; refuses it in a round, and when players are here who were not told in time."""
    t, rule = s.t, s.cites.close
    if not t.open:
        raise Refusal(rule, "the table is closed already")
    if s.round is not None:
        raise Refusal(rule, "a round is running")
    if players_here(t, CLOSE_TABLE) and not closing_over(t, s.policy, t.now):
        raise Refusal(rule, f"players are here: {_closing_first(s)}")
    shut(s)


def closing_needs(policy: Policy) -> str:
    """Returns how long before a table is closed its players must be told."""
    return "three hands" if policy.closing == "hands" else "twenty minutes"


def _closing_first(s: Step) -> str:
    """Returns how the table can be closed, or how long the players must still have been told before."""
    needed, left = closing_needs(s.policy), hands_to_go if s.policy.closing == "hands" else minutes_to_go
    to_go = left(s.t, [shown for shown in s.t.notices if shown.closing == "table"], "")
    if not to_go:
        return f"press notice close-table, and close the table {needed} later"
    return f"the closing stands on the sign for {needed} first: {to_go}"


def shut(s: Step) -> None:
    """Closes the table, and takes down what announced it."""
    t = s.t
    for place in list(t.jackpot.carried):
        s.game.leaves(s, place)
    t.open = False
    t.notices = [n for n in t.notices if n.closing != "table"]
    t.deck.checked = False
    s.prompt("dealer", "count the cards", s.cites.count_end, offers=("count",), cause=causes.KeyDue())


def open_table(s: Step, args: tuple[str, ...]) -> None:
    """Opens the table with cards that are to be checked and shuffled first."""
    if s.t.open:
        raise Refusal(s.cites.close, "the table is open already")
    s.t.open = True
    fresh(s, "arrival")
