"""Irregularities: dialogues are led to their ruling, and the ruling is carried out."""

from __future__ import annotations

from controller.house import jackpot
from controller.house.layout import Layout
from controller.house.rulings import (
    AlsoRuled,
    Asked,
    Change,
    CountDue,
    Decide,
    End,
    Flag,
    GiveBack,
    Given,
    Heard,
    Kept,
    Lose,
    MarkDeal,
    Offer,
    Ordered,
    Racked,
    Ruling,
    ShoeVoid,
    TakeOut,
    Tell,
    Unmark,
    Warn,
)
from controller.house.step import HouseStep
from controller.house.wagers import lose
from controller.places import DEALER, is_place
from controller.rules import Unsettled, at_least, spoken_role
from controller.table.deck import void_shoe
from controller.table.facts import AnyFact, Key
from controller.table.prompts import NOTE, QUESTION, TALK
from controller.table.requests import decision
from controller.table.state import Question, Round, Talk, key
from controller.table.step import Refusal


def consider(s: HouseStep, f: Layout, fact: AnyFact) -> None:
    """Something that nobody waited for: ask the game."""
    _go_on(s, f, Talk(fact, s.seq, []))


def answer(s: HouseStep, talk: Talk, fact: Key) -> bool:
    """Does this key answer an open question?  All answers of one poll go to the dialogue together."""
    place = fact.args[0] if fact.args else ""
    alone = len(talk.open) == 1 and (fact.key == "count" or not is_place(place))  # nothing else can be meant
    question = next((q for q in talk.open if (alone or q.place in ("", place)) and fact.key in q.words), None)
    if question is None:
        return False
    lowest = question.by or question.role
    if not at_least(s.t.role, lowest):
        raise Refusal(question.rule, f"this needs the {spoken_role(lowest)}")
    words = (fact.key, *fact.args)
    named = question.place == place != "" and fact.key != "count"
    talk.partial[question.place] = fact.key if named else " ".join(words)
    if len(talk.partial) == len(talk.open):
        talk.answers.append(talk.partial)
        talk.partial, talk.open = {}, []
        f = s.look()
        assert f is not None
        _go_on(s, f, talk)
    return True


def joins(s: HouseStep, f: Layout, talk: Talk, fact: Key) -> bool:
    """Whether the count that is due rules on this wrong number of cards too (001 9.5, 9.6); then somebody is told."""
    if fact.key not in ("short", "excess") or not s.policy.joint_count or talk.open[0].words != ("count",):
        return False
    place = fact.args[0]
    if place not in (*f.areas(*s.game.opening), DEALER):
        return False
    rule = s.cites.joint_count_dealer if place == DEALER else s.cites.joint_count
    text = f"a wrong number of cards at {'the dealer' if place == DEALER else f'area {place}'}"
    s.prompt("supervisor", f"{text}: one count rules on all of it", rule, place, ("count",), cause=(TALK,))
    s.prompt("area-manager", text, rule, place)
    return True


def _go_on(s: HouseStep, f: Layout, talk: Talk) -> None:
    outcome = _converse(f, talk)
    if isinstance(outcome, Ruling):
        s.t.talk = None
        if outcome.refused:
            raise Refusal(outcome.rule, outcome.text)
        _carry_out(s, outcome, talk.about)
        heard = [fact for change in outcome.changes if isinstance(change, Heard) for fact in change.facts]
        talk.later = [fact for fact in talk.later if fact not in heard]
        after = s.look() if talk.later else None
        if after is not None:
            first, *rest = talk.later
            _go_on(s, after, Talk(first, s.seq, [], later=rest))
        return
    talk.open = [q for q in outcome if isinstance(q, Question)]
    s.t.talk = talk
    for q in outcome:
        if isinstance(q, Question):
            s.prompt(q.role, q.text, q.rule, q.place, q.words, (QUESTION,))
        else:
            _apply(s, q, q.rule if isinstance(q, Tell) else talk.open[0].rule)


def _converse(f: Layout, talk: Talk) -> Asked | Ruling:
    dialogue = f.game.irregular(f, talk.about)
    try:
        asked = next(dialogue)
        for answers in talk.answers:
            asked = dialogue.send(answers)
    except StopIteration as stop:
        ruling: Ruling = stop.value
        return ruling
    return asked


def _carry_out(s: HouseStep, ruling: Ruling, about: AnyFact) -> None:
    """The ruling is recorded, told to the dealer, and done."""
    if ruling.ruling:
        place = _about(about)
        s.ruled(ruling.ruling, ruling.rule, ruling.text)
        s.prompt("dealer", ruling.text, ruling.rule, place)
    for change in ruling.changes:
        if isinstance(change, Tell) and not ruling.ruling and not change.offers and change.role == "dealer":
            s.prompt(change.role, change.text, change.rule, change.place, cause=(NOTE,))
        else:
            _apply(s, change, ruling.rule)


def _about(fact: AnyFact) -> str:
    """The place that a report was about."""
    first = fact.args[0] if isinstance(fact, Key) and fact.args and fact.key != "count" else ""
    return first if is_place(first) else ""


def _apply(s: HouseStep, change: Change, by: str) -> None:
    r = s.t.round
    assert r is not None
    match change:
        case AlsoRuled(rule, text):
            s.ruled("continue", rule, text)
            s.prompt("dealer", text, rule)
        case Tell():
            s.prompt(change.role, change.text, change.rule, change.place, change.offers)
        case GiveBack():
            carry = change.result == "void"
            lines = s.open_lines(change.rule, change.result, change.place, change.spots, carry)
            s.seal(lines)
            if not change.spots:
                r.offers.pop(change.place, None)
            if change.withdraw:
                for line in lines:
                    r.wagers.pop(key(line.place, line.spot), None)
        case MarkDeal(mark):
            r.marks.append(mark)
        case Unmark(deal, given):
            r.marks = [m for m in r.marks if m.deal != deal]
            r.given.update({f"{deal} {place}": cards for place, cards in given})
            s.reverse(by, "reversed")
        case TakeOut():
            s.take_out(change.count, change.rule, change.burned)
        case Kept(count, rule):
            for drawn in [d for d in r.tape if not d.out][-count:] if count else ():
                drawn.kept = rule
        case Given(deal, given):
            r.given.update({f"{deal} {place}": cards for place, cards in given})
        case CountDue(rule):
            s.t.deck.must_be_counted(rule, after_misdeal=True)
            s.prompt("dealer", "count all the cards", rule, offers=("count",))
        case Ordered(group):
            r.ordered.append(group)
        case Flag(name, rule):
            r.flags[name] = rule
        case Offer(places, rule):
            for place in places:
                r.offers[place] = rule
                text = "may take the wagers back"
                s.prompt("dealer", text, rule, place, ("keep", "retract"))
        case Decide(window, place, word):
            r.choices[decision(window, place)] = word
        case Warn(place):
            person = s.t.people.get(s.t.seats.get(place, ""))
            if person is not None:
                person.unable = True
        case Racked(place, back):
            r.rack = [p for p in r.rack if p != place] + ([] if back else [place])
        case Lose(place, rule, spots):
            _forfeit(s, r, place, rule, spots)
        case ShoeVoid(rule):
            void_shoe(s, rule)
        case End():
            if change.reverse:
                s.reverse(change.rule, "void")
            if change.jackpot_stays:
                jackpot.claims_stay(s)
            result: Unsettled = "void" if change.outcome == "void" else "returned"
            s.seal(s.open_lines(change.rule, result, carry=not change.reverse))
            s.end(change.outcome, by)


def _forfeit(s: HouseStep, r: Round, place: str, rule: str, spots: tuple[str, ...]) -> None:
    f = Layout(s.t, r, s.game)
    live = [spot for spot in s.game.spots if f.live(place, spot) and (not spots or spot in spots)]
    s.seal([lose(place, spot, s.game.stake(f, place, spot), rule) for spot in live])
