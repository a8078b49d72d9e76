"""Irregularities: dialogues are led to their ruling, and the ruling is carried out."""

from __future__ import annotations

from controller.table.deckcare import void_shoe
from controller.table.facts import AnyFact, Key
from controller.table.felt import Felt
from controller.table.roles import at_least
from controller.table.rulings import (
    Change,
    End,
    Flag,
    GiveBack,
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
from controller.table.scene import Refusal, Scene
from controller.table.state import Question, Talk, key
from controller.table.wagers import lose


def consider(s: Scene, f: Felt, fact: AnyFact) -> None:
    """Something that nobody waited for: ask the game."""
    _go_on(s, f, Talk(fact, s.seq, []))


def answer(s: Scene, talk: Talk, fact: Key) -> bool:
    """Does this key answer an open question?  All answers of one poll go to the dialogue together."""
    place = fact.args[0] if fact.args else ""
    question = next((q for q in talk.open if q.place in ("", place) and fact.key in q.words), None)
    if question is None:
        return False
    lowest = question.by or question.role
    if not at_least(s.t.role, lowest):
        raise Refusal(question.rule, f"this needs the {lowest.replace('-', ' ')}")
    talk.partial[question.place] = fact.key if question.place else " ".join((fact.key, *fact.args))
    if len(talk.partial) == len(talk.open):
        talk.answers.append(talk.partial)
        talk.partial, talk.open = {}, []
        f = s.look()
        assert f is not None
        _go_on(s, f, talk)
    return True


def _go_on(s: Scene, f: Felt, talk: Talk) -> None:
    outcome = _converse(f, talk)
    if isinstance(outcome, Ruling):
        s.t.talk = None
        if outcome.refused:
            raise Refusal(outcome.rule, outcome.text)
        _carry_out(s, outcome)
        return
    talk.open = list(outcome)
    s.t.talk = talk
    for q in outcome:
        s.prompt(q.role, q.text, q.rule, q.place, q.words)


def _converse(f: Felt, talk: Talk) -> tuple[Question, ...] | Ruling:
    dialogue = f.game.irregular(f, talk.about)
    try:
        asked = next(dialogue)
        for answers in talk.answers:
            asked = dialogue.send(answers)
    except StopIteration as stop:
        ruling: Ruling = stop.value
        return ruling
    return asked


def _carry_out(s: Scene, ruling: Ruling) -> None:
    if ruling.ruling:
        s.ruled(ruling.ruling, ruling.rule, ruling.text)
    for change in ruling.changes:
        _apply(s, change, ruling)


def _apply(s: Scene, change: Change, ruling: Ruling) -> None:
    r = s.t.round
    assert r is not None
    match change:
        case Tell():
            s.prompt(change.role, change.text, change.rule, change.place, change.offers)
        case GiveBack():
            lines = s.open_lines(change.rule, change.result, change.place, change.spots)
            s.seal(lines)
            if change.withdraw:
                for line in lines:
                    r.wagers.pop(key(line.place, line.spot), None)
        case MarkDeal(mark):
            r.marks.append(mark)
        case Unmark(deal, given):
            r.marks = [m for m in r.marks if m.deal != deal]
            r.given.update({f"{deal} {place}": cards for place, cards in given})
            s.reverse(ruling.rule, "reversed")
        case TakeOut():
            s.take_out(change.count, change.rule, change.burned)
        case Ordered(group):
            r.ordered.append(group)
        case Flag(name, rule):
            r.flags[name] = rule
        case Offer(places, rule):
            for place in places:
                r.offers[place] = rule
                text = "may take the wagers back"
                s.prompt("dealer", text, rule, place, ("keep", "retract"))
        case Warn(place):
            person = s.t.people.get(s.t.seats.get(place, ""))
            if person is not None:
                person.unable = True
        case Racked(place, back):
            r.rack = [p for p in r.rack if p != place] + ([] if back else [place])
        case Lose(place, rule):
            f = Felt(s.t, r, s.game)
            live = [spot for spot in s.game.spots if f.live(place, spot)]
            s.seal([lose(place, spot, s.game.stake(f, place, spot), rule) for spot in live])
        case ShoeVoid(rule):
            void_shoe(s, rule)
        case End():
            if change.reverse:
                s.reverse(change.rule, "void")
            s.seal(s.open_lines(change.rule, "void" if change.outcome == "void" else "returned"))
            s.end(change.outcome, ruling.rule)
