"""One reader for each form of `expect`: from its words to its struct."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from controller.rules import TOKENS, Role, Token
from controller.script import model as m
from controller.script import words
from controller.script.catalogue import GATES, OUTCOMES, RESULTS, ROLES, Game, every_lamp
from controller.script.cups import STAGES, STATES
from controller.script.errors import Malformed, unknown, unknown_here
from controller.script.options import settings
from controller.script.shapes import Words, arguments, keys_at
from controller.script.verbs import At
from controller.table.keys import CLOSINGS
from controller.tournament.keys import SECRET

Rules = tuple[str, ...]


class ExpectForm(msgspec.Struct, frozen=True):
    """A form: how it is written, how read, and whether `by RULE` may end it."""

    usage: str
    read: Callable[[At, Words, Game, Rules], m.ExpectLine]
    by: bool = False


def expect(at: At, tokens: Sequence[str], game: Game) -> m.ExpectLine:
    """Reads what follows `expect`."""
    known = _known(game)
    if not tokens:
        raise Malformed("nothing is expected", f"AREA SPOT RESULT, {', '.join(known)}")
    first = tokens[0]
    wager = first[0].isdigit()
    if not wager and first not in known:
        raise unknown_here("expectation", first, game.where, ["AREA SPOT RESULT", *known], FORMS)
    form = _WAGER if wager else FORMS[first]
    rest = list(tokens if wager else tokens[1:])
    rest, by = _split_by(rest) if form.by else (rest, ())
    left = Words(rest, f"expect {form.usage}{' [by RULE]' if form.by else ''}")
    line = form.read(at, left, game, by)
    left.end()
    return line


def _known(game: Game) -> list[str]:
    """Returns the forms of a table of this game, or of the desk of a tournament."""
    if game.desk:
        return [*AT_DESKS, *OF_TOURNAMENTS]
    return [*ANYWHERE, *game.engine.expects, *(OF_TOURNAMENTS if game.cup else ())]


def _split_by(tokens: list[str]) -> tuple[list[str], Rules]:
    if tokens and tokens[-1] == "by":
        raise Malformed("no rule after by", "by RULE, as in by 9.5")
    if len(tokens) > 1 and tokens[-2] == "by":
        return tokens[:-2], words.rules(tokens[-1])
    return tokens, ()


# ---- any table


def _accepted(at: At, _left: Words, _game: Game, _by: Rules) -> m.ExpectLine:
    return m.ExpectAccepted(*at)


def _refused(at: At, _left: Words, _game: Game, by: Rules) -> m.ExpectLine:
    return m.ExpectRefused(*at, by)


def _no(at: At, left: Words, game: Game, by: Rules) -> m.ExpectLine:
    left.take(words.choice("word after no", ("prompt",)))
    return _prompts(at, left, game, by, shown=False)


def _prompt(at: At, left: Words, game: Game, by: Rules) -> m.ExpectLine:
    return _prompts(at, left, game, by, shown=True)


def _prompts(at: At, left: Words, game: Game, by: Rules, shown: bool) -> m.ExpectLine:
    # `dealer` is a role and a place; the first one is the role, so `prompt dealer dealer` is about the dealer's hand.
    role: Role | Literal[""] = left.take(words.choice("role", ROLES)) if left.peek() in ROLES else ""
    place = left.take(words.place) if words.is_place(left.peek()) else None
    offers = ""
    if left.literal("offers"):
        offers = left.take(words.choice("key or act", (*keys_at(game), *game.engine.offers)))
    elif left.peek():
        known = ["offers", "by"] if role or place else [*ROLES, *words.PLACE_WORDS, "offers", "by"]
        raise unknown("role or place", left.peek(), known)
    return m.ExpectPrompt(*at, shown, role, place, offers, by)


def _wager(at: At, left: Words, game: Game, by: Rules) -> m.ExpectLine:
    place = left.take(words.area)
    spot = left.take(words.choice("spot", game.spots + game.lines))
    if game.cup and left.literal(SECRET):
        return m.ExpectSecret(*at, place, spot)
    result = left.take(words.choice("result", RESULTS))
    net = left.take(words.net) if left.peek() and "=" not in left.peek() else None
    money: dict[str, int] = {}
    token: Token | Literal[""] = ""
    while left.peek():
        name, value = left.take(_extra)
        if name in money or (name == "token" and token):
            raise Malformed(f'"{name}" is given twice', "each once")
        if name == "token":
            token = words.choice("token", TOKENS)(value)
        else:
            money[name] = words.chips(value)
    return m.ExpectWager(
        *at, place, spot, result, net, money.get("stake"), money.get("surplus"), money.get("prize"), token, by
    )


def _extra(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    known = ("stake", "surplus", "prize", "token")
    if name not in known or not equals:
        raise unknown("word", word, [f"{each}=" for each in known])
    return name, value


def _round(at: At, left: Words, _: Game, by: Rules) -> m.ExpectLine:
    number = left.take(words.positive) if left.peek()[:1].isdigit() else None
    return m.ExpectRound(*at, number, left.take(words.choice("outcome", OUTCOMES)), by)


def _dealer(at: At, left: Words, _: Game, by: Rules) -> m.ExpectLine:
    return m.ExpectDealer(*at, left.take(words.choice("word", ("qualifies", "no-hand"))), by)


def _cards(left: Words) -> tuple[str, ...]:
    return () if left.literal("none") else left.many(words.seen_card)


def _hand(at: At, left: Words, _: Game, _by: Rules) -> m.ExpectLine:
    return m.ExpectHand(*at, left.take(words.place), _cards(left))


def _community(at: At, left: Words, _: Game, _by: Rules) -> m.ExpectLine:
    return m.ExpectCommunity(*at, _cards(left))


def _burns(at: At, left: Words, _: Game, _by: Rules) -> m.ExpectLine:
    return m.ExpectBurns(*at, left.take(words.number), left.any(words.card))


def _held(at: At, left: Words, _: Game, _by: Rules) -> m.ExpectLine:
    return m.ExpectHeld(*at, left.take(words.number))


def _meter(at: At, left: Words, _: Game, _by: Rules) -> m.ExpectLine:
    return m.ExpectMeter(*at, left.take(words.ten_thousandths))


def _lamp(at: At, left: Words, game: Game, _by: Rules) -> m.ExpectLine:
    name = left.take(str)
    if name not in game.lamps:
        raise unknown_here("lamp", name, game.name, game.lamps, every_lamp())
    state = left.last(("on", "off"))
    given = arguments(game.lamps[name], left.any(str), game, f"expect lamp {name}")
    return m.ExpectLamp(*at, name, words.area(given[0]) if given else None, state != "off")


def _gate(at: At, left: Words, _: Game, by: Rules) -> m.ExpectLine:
    gate = left.take(words.choice("gate", GATES))
    place = left.take(words.place) if words.is_place(left.peek()) else None
    return m.ExpectGate(*at, gate, place, left.take(words.choice("word", ("open", "shut"))) == "open", by)


def _sign(at: At, left: Words, game: Game, _by: Rules) -> m.ExpectLine:
    return m.ExpectSign(*at, settings(left.many(str), game))


def _notice(at: At, left: Words, game: Game, _by: Rules) -> m.ExpectLine:
    if left.peek() in CLOSINGS:
        return m.ExpectNotice(*at, closing=CLOSINGS[left.take(str)])
    return m.ExpectNotice(*at, settings(left.many(str), game))


def _table(at: At, left: Words, _: Game, _by: Rules) -> m.ExpectLine:
    return m.ExpectTable(*at, left.take(words.choice("word", ("open", "closed"))) == "open")


# ---- Crown Poker


def _of_seat(
    make: Callable[[int, str, str, m.Place, int], m.ExpectLine], read: Callable[[str], int] = words.chips
) -> Callable[[At, Words, Game, Rules], m.ExpectLine]:
    return lambda at, left, _game, _by: make(*at, left.take(words.seat), left.take(read))


def _of_table(
    make: Callable[[int, str, str, int], m.ExpectLine],
) -> Callable[[At, Words, Game, Rules], m.ExpectLine]:
    return lambda at, left, _game, _by: make(*at, left.take(words.chips))


def _list(at: At, left: Words, _: Game, _by: Rules) -> m.ExpectLine:
    seat = left.take(words.seat) if left.peek()[:1].isdigit() else None
    return m.ExpectList(*at, left.many(words.name), seat)


# ---- tournaments


def _bank(at: At, left: Words, _: Game, _by: Rules) -> m.ExpectLine:
    return m.ExpectBank(*at, left.take(words.name), left.take(words.chips))


def _player(at: At, left: Words, _: Game, by: Rules) -> m.ExpectLine:
    person, state = left.take(words.name), left.take(words.choice("state", STATES))
    table = left.take(words.name) if left.peek() else ""
    seat = int(left.take(words.seat).name) if table else None
    return m.ExpectPlayer(*at, person, state, table, seat, by)


def _placing(at: At, left: Words, _: Game, _by: Rules) -> m.ExpectLine:
    person = left.take(words.name)
    return m.ExpectPlacing(*at, person, None if left.literal("none") else left.take(words.positive))


def _prize(at: At, left: Words, _: Game, _by: Rules) -> m.ExpectLine:
    return m.ExpectPrize(*at, left.take(words.name), left.take(words.chips))


def _refund(at: At, left: Words, _: Game, _by: Rules) -> m.ExpectLine:
    return m.ExpectPrize(*at, left.take(words.name), left.take(words.chips), refund=True)


def _level(at: At, left: Words, _: Game, _by: Rules) -> m.ExpectLine:
    return m.ExpectLevel(*at, left.take(words.positive))


def _tournament(at: At, left: Words, _: Game, _by: Rules) -> m.ExpectLine:
    return m.ExpectTournament(*at, left.take(words.choice("word", STAGES)))


_PROMPT = "prompt [ROLE] [PLACE] [offers WORD]"
_WAGER = ExpectForm(
    "AREA SPOT RESULT [NET] [stake=AMOUNT] [surplus=AMOUNT] [prize=AMOUNT] [token=kept|returned]", _wager, by=True
)

ANYWHERE: dict[str, ExpectForm] = {
    "accepted": ExpectForm("accepted", _accepted),
    "refused": ExpectForm("refused", _refused, by=True),
    "prompt": ExpectForm(_PROMPT, _prompt, by=True),
    "no": ExpectForm(f"no {_PROMPT}", _no, by=True),
    "round": ExpectForm("round [N] settled|misdeal|void|open", _round, by=True),
    "dealer": ExpectForm("dealer qualifies|no-hand", _dealer, by=True),
    "hand": ExpectForm("hand PLACE CARD ... or none", _hand),
    "community": ExpectForm("community CARD ... or none", _community),
    "burns": ExpectForm("burns N [CARD ...]", _burns),
    "held": ExpectForm("held N", _held),
    "meter": ExpectForm("meter AMOUNT", _meter),
    "lamp": ExpectForm("lamp NAME [PLACE] [on|off]", _lamp),
    "gate": ExpectForm("gate bets|deal|jackpot [PLACE] open|shut", _gate, by=True),
    "sign": ExpectForm("sign option=value ...", _sign),
    "notice": ExpectForm("notice option=value ..., close-table or close-jackpot", _notice),
    "table": ExpectForm("table open|closed", _table),
}
OF_ENGINES: dict[str, ExpectForm] = {  # which of them a table knows, its engine says
    "bet": ExpectForm("bet SEAT AMOUNT", _of_seat(m.ExpectBet)),
    "stack": ExpectForm("stack SEAT AMOUNT", _of_seat(m.ExpectStack)),
    "pot": ExpectForm("pot AMOUNT", _of_table(m.ExpectPot)),
    "won": ExpectForm("won SEAT AMOUNT", _of_seat(m.ExpectWon)),
    "net": ExpectForm("net SEAT AMOUNT", _of_seat(m.ExpectNet, words.net)),
    "rake": ExpectForm("rake AMOUNT", _of_table(m.ExpectRake)),
    "slide": ExpectForm("slide AMOUNT", _of_table(m.ExpectSlide)),
    "drop": ExpectForm("drop AMOUNT", _of_table(m.ExpectDrop)),
    "list": ExpectForm("list [SEAT] NAME ...", _list),
}
OF_TOURNAMENTS: dict[str, ExpectForm] = {  # where there is one in the run
    "bank": ExpectForm("bank PERSON AMOUNT", _bank),
    "player": ExpectForm("player PERSON in|out|retired|disqualified|withdrawn [TABLE PLACE]", _player, by=True),
    "place": ExpectForm("place PERSON N or none", _placing),
    "prize": ExpectForm("prize PERSON AMOUNT", _prize),
    "refund": ExpectForm("refund PERSON AMOUNT", _refund),
    "pool": ExpectForm("pool AMOUNT", _of_table(m.ExpectPool)),
    "level": ExpectForm("level N", _level),
    "tournament": ExpectForm("tournament open|running|break|over", _tournament),
}
AT_DESKS = ("accepted", "refused", "prompt", "no")
FORMS: dict[str, ExpectForm] = ANYWHERE | OF_ENGINES | OF_TOURNAMENTS
