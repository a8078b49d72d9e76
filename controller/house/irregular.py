"""Irregularities: dialogues are led to their ruling, and the ruling is carried out."""

from __future__ import annotations

from controller.house.changes import carry_out
from controller.house.common import spoken_place
from controller.house.layout import Layout
from controller.house.rulings import Asked, Covers, Ruling, Tell
from controller.house.step import HouseStep
from controller.places import DEALER, Place, is_place
from controller.rules import at_least, spoken_role
from controller.table import causes
from controller.table.facts import Key
from controller.table.keys import WRONG_NUMBER, find_key
from controller.table.state import Answer, Question, Talk
from controller.table.step import Refusal


def consider(s: HouseStep, f: Layout, fact: Key) -> None:
    """Asks the game about something that nobody waited for."""
    _go_on(s, f, Talk(fact, s.seq, []))


def answer(s: HouseStep, talk: Talk, fact: Key) -> bool:
    """Takes a key as the answer to an open question; False when it answers none.

    All answers of one poll go to the dialogue together.
    """
    place = _named(s, fact)
    question = _question(talk, fact, place)
    if question is None:
        return False
    lowest = question.by or question.role
    if not at_least(s.role, lowest):
        raise Refusal(question.rule, f"this needs the {spoken_role(lowest)}")
    talk.partial[question.place] = _answer(question, fact, place)
    if len(talk.partial) == len(talk.open):
        talk.answers.append(talk.partial)
        talk.partial, talk.open = {}, []
        f = s.look()
        assert f is not None
        _go_on(s, f, talk)
    return True


def _question(talk: Talk, fact: Key, place: str) -> Question | None:
    """Returns the open question that this key answers; None when there is none."""
    answerable = [question for question in talk.open if fact.key in question.words]
    if _unmistakable(talk, place):
        return next(iter(answerable), None)
    return next((question for question in answerable if question.place in ("", place)), None)


def _unmistakable(talk: Talk, place: str) -> bool:
    """Tells whether nothing but the one open question can be meant: the key names no area, nor the dealer."""
    return len(talk.open) == 1 and not is_place(place)


def _answer(question: Question, fact: Key, place: Place) -> Answer:
    """Returns an answer as the dialogue gets it: without the place, when it only repeats the question's."""
    repeated = place and question.place == place
    return Answer(fact.key, fact.args[1:] if repeated else fact.args)


def joins(s: HouseStep, f: Layout, talk: Talk, fact: Key) -> bool:
    """Tells whether the count that is due rules on this wrong number too (001 9.5, 9.6); then people are told."""
    if not s.policy.joint_count or talk.open[0].words != ("count",):
        return False
    if fact.key not in WRONG_NUMBER:
        return False
    place = fact.args[0]
    if place not in (*f.areas(*s.game.opening), DEALER):
        return False
    rule = s.cites.joint_count_dealer if place == DEALER else s.cites.joint_count
    text = f"a wrong number of cards at {spoken_place(place)}"
    s.prompt("supervisor", f"{text}: one count rules on all of it", rule, place, ("count",), cause=causes.Dialogue())
    s.prompt("area-manager", text, rule, place)
    return True


def _go_on(s: HouseStep, f: Layout, talk: Talk) -> None:
    """Leads a dialogue on with the answers that it has: to its ruling, or to its next questions."""
    outcome = _converse(f, talk)
    if isinstance(outcome, Ruling):
        _end(s, talk, outcome)
        return
    talk.open = [one for one in outcome if isinstance(one, Question)]
    talk.asked, s.t.talk = s.seq, talk
    for one in outcome:
        if isinstance(one, Question):
            s.prompt(one.role, one.text, one.rule, one.place, one.words, causes.Asked())
        else:
            carry_out(one, s, one.rule if isinstance(one, Tell) else talk.open[0].rule)


def _end(s: HouseStep, talk: Talk, ruling: Ruling) -> None:
    """Ends a dialogue with its ruling; what was reported meanwhile is looked at next."""
    s.t.talk = None
    if ruling.refused:
        raise Refusal(ruling.rule, ruling.text)
    _carry_out(s, ruling, talk.about)
    covered = [fact for change in ruling.changes if isinstance(change, Covers) for fact in change.facts]
    later = [fact for fact in talk.later if fact not in covered]
    after = s.look() if later else None
    if after is not None:
        first, *rest = later
        _go_on(s, after, Talk(first, s.seq, [], later=rest))


def _converse(f: Layout, talk: Talk) -> Asked | Ruling:
    """Runs a dialogue from its start over all answers: returns its next questions, or its ruling."""
    dialogue = f.game.irregular(f, talk.about)
    try:
        asked = next(dialogue)
        for answers in talk.answers:
            asked = dialogue.send(answers)
    except StopIteration as stop:
        ruling: Ruling = stop.value
        return ruling
    return asked


def _carry_out(s: HouseStep, ruling: Ruling, about: Key) -> None:
    """Records a ruling, tells the dealer, and does what it says."""
    before = _lying(s)
    if ruling.ruling:
        place = _named(s, about)
        s.ruled(ruling.ruling, ruling.rule, ruling.text)
        s.prompt("dealer", ruling.text, ruling.rule, place if is_place(place) else "")
    for change in ruling.changes:
        match change:
            case Tell(role="dealer", offers=()) if not ruling.ruling:
                s.prompt(change.role, change.text, change.rule, change.place, cause=causes.Noted())
            case _:
                carry_out(change, s, ruling.rule)
    if ruling.ruling == "reconstructed" and _lying(s) == before:
        s.nothing_to_do()


def _lying(s: HouseStep) -> dict[Place, list[str]]:
    """Returns the hands as they lie now; none when no round is running."""
    f = s.look()
    return {} if f is None else {place: list(hand) for place, hand in f.hands.items()}


def _named(s: HouseStep, about: Key) -> Place:
    """Returns the place that a report or an answer is about, also a part of the board; "" when it names none."""
    key = find_key(s.game, about.key)
    return key.about(about.args) if key is not None else ""
