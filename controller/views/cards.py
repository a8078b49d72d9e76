"""Decides which cards are public: those on the table, and those that facts of the journal name.

The only place that does: every output (status, pages, events, journal, demo, scripts) asks here, so that all of them
tell the same.  A game says what its rules have turned (`Rules.cards`); folded hands never are.

In the journal a card is written hidden.  When its round is over a fact `Turned` says which cards the rules had turned
or compared; these are public for good, and nothing else makes a card public afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from controller.cards import UNREAD, veiled
from controller.games import keys_named
from controller.table.facts import Amend, AnyFact, CardOut, CardRead, CardsOut, Chips, Hidden, Key
from controller.table.rules import Rules
from controller.table.state import Burn, Table
from controller.table.telling import BURN, Hands, Lying

BOARD = "board"  # the reader of the community cards, which lie face up
ALL = 0  # in place of a card's number: every card of the fact


# ---- cards on the table


def public_hands(table: Table, rules: Rules) -> Hands:
    """Returns the cards by place as anybody may see them, of the round that runs or the last one; "??" is hidden."""
    return seen(rules.cards(table))


def seen(lying: Lying) -> Hands:
    """Returns the cards by place as anybody may see them; "??" is hidden.

    >>> seen(Lying({"1": ["Kh", "Qs"]}, hidden=frozenset({("1", 2)})))
    {'1': ['Kh', '??']}
    """
    return {
        place: [UNREAD if (place, n) in lying.hidden else card for n, card in enumerate(cards, 1)]
        for place, cards in lying.hands.items()
    }


def testers_hands(table: Table, rules: Rules, lying: Lying) -> Hands:
    """Returns the cards by place as a script's record shows them.

    While a round runs these are the public ones.  When it is over every hand is told whole, where no rule keeps a hand
    secret that was not shown: whoever wrote the script laid the cards there.
    """
    over = table.round is not None and bool(table.round.outcome)
    hands = lying.hands if over and rules.document.policy.unshown == "told" else seen(lying)
    return {place: cards for place, cards in hands.items() if place != BURN}


# ---- cards that facts name


def has_cards(fact: AnyFact) -> bool:
    """Tells whether a fact names cards that may be hidden, or a secret wager."""
    match fact:
        case Chips(covered=True):
            return True
        case CardOut(_, face_up):
            return not face_up
        case CardsOut():
            return True
        case CardRead(reader, _, face_up):
            return reader != BOARD and not face_up
        case Key(key, args):
            return _names_cards(key, args)
        case Amend(to=inner) if inner is not None:
            return has_cards(inner)
        case Hidden():
            return True
    return False


def _names_cards(name: str, args: tuple[str, ...]) -> bool:
    """Tells whether cards came with a key, as declared or by a slip of the hand."""
    keys = keys_named(name)
    if any(key.names_cards for key in keys):
        return bool(args)
    slip = all(key.misfit(args) for key in keys)
    return slip and any(veiled(word) != word for word in (name, *args))


def public(fact: AnyFact, shown: Collection[int] = ()) -> AnyFact:
    """Returns the fact with every card withheld that is not among `shown`, by its number in the fact.

    >>> public(CardsOut(("Kh", "Qs")), (2,))
    CardsOut(cards=('??', 'Qs'))
    """
    if isinstance(fact, Hidden):
        return fact.shown
    if not has_cards(fact) or ALL in shown:
        return fact
    match fact:
        case Chips():
            return replace(fact, spots=())
        case CardOut(card):
            return replace(fact, card=_public_card(card, 1, shown))
        case CardsOut(cards):
            return replace(fact, cards=tuple(_public_card(card, n, shown) for n, card in enumerate(cards, 1)))
        case CardRead(_, card, _, together):
            cards = tuple(_public_card(each, n, shown) for n, each in enumerate(together, 1))
            return replace(fact, card=cards[0] if cards else _public_card(card, 1, shown), together=cards)
        case Key(key, args):
            return replace(fact, key=veiled(key), args=tuple(map(_withheld, args)))
        case Amend(to=inner) if inner is not None:
            return replace(fact, to=public(inner, shown))
        case _:  # pragma: no cover - no other fact has cards
            return fact


def _withheld(word: str) -> str:
    """Returns a word of a key without its cards.

    >>> _withheld("1=Kh,2d"), _withheld("Kh"), _withheld("2")
    ('1=??', '??', '2')
    """
    place, equals, _ = word.partition("=")
    return f"{veiled(place)}={UNREAD}" if equals else veiled(word)


def _public_card(card: str, number: int, shown: Collection[int]) -> str:
    return card if number in shown else UNREAD


class PublicCard(NamedTuple):
    """A card of a fact that everybody may see: the fact, which of its cards (`ALL`: each), and by which rule."""

    seq: int
    number: int
    rule: str = ""


def judged(facts: Iterable[tuple[int, AnyFact]], table: Table, rules: Rules) -> tuple[tuple[int, int], ...]:
    """Returns seq and number of every card that is public as the round of these facts lies there now."""
    return tuple((each.seq, each.number) for each in judged_by_rule(facts, table, rules))


def judged_by_rule(facts: Iterable[tuple[int, AnyFact]], table: Table, rules: Rules) -> tuple[PublicCard, ...]:
    """Returns every card that is public as the round of these facts lies there now, and by which rule.

    With several decks it goes by the order in which the cards left the shoe, where that is known: of two kings of
    hearts one may lie face down, and to withhold the other would tell which card that is.  Otherwise it goes by the
    card's name.
    """
    facts, lying = list(facts), rules.cards(table)
    burned_by = rules.document.citations.burn
    in_order = _open_by_order([card for _, fact in facts for card in card_names(fact)], lying, burned_by)
    up, down = _faces(table, lying)
    rule_of = _rules_by_name(table, lying, rules)
    anything = rules.document.policy.face_up and not table.options.typed.burn
    out: list[PublicCard] = []
    closed = table.round is not None and bool(table.round.closed)  # secret wagers are seen by everybody
    out += [PublicCard(seq, ALL) for seq, fact in facts if isinstance(fact, Chips) and closed]
    for seq, fact in [(seq, fact) for seq, fact in facts if not isinstance(fact, Chips)]:
        names = card_names(fact)
        if in_order is not None:
            places = [(n, next(in_order)) for n, _ in enumerate(names, 1)]
            open_ = [(n, rule) for n, (lies_open, rule) in places if lies_open]
        else:
            seen_ = [(n, card) for n, card in enumerate(names, 1) if card not in down and (anything or card in up)]
            open_ = [(n, rule_of.get(card, "")) for n, card in seen_]
        one_rule = len({rule for _, rule in open_}) == 1
        if names and len(open_) == len(names) and one_rule:
            out.append(PublicCard(seq, ALL, open_[0][1]))
        elif not names and anything and not down:
            out.append(PublicCard(seq, ALL))  # a key: no card lies hidden that somebody could have named
        else:
            out += [PublicCard(seq, n, rule) for n, rule in open_]
    return tuple(out)


def _rules_by_name(table: Table, lying: Lying, rules: Rules) -> dict[str, str]:
    """Returns by which rule the cards of these names lie open; of two with one name the first that lies there."""
    burns = _burned((*table.deck.burns, *lying.burns), shown=True)
    out = dict.fromkeys(sorted(burns), rules.document.citations.burn)
    for (place, n), rule in lying.open_by.items():
        cards = lying.hands.get(place, ())
        if n <= len(cards):
            out.setdefault(cards[n - 1], rule)
    return out


def _open_by_order(cards: Sequence[str], lying: Lying, burned_by: str) -> Iterator[tuple[bool, str]] | None:
    """Returns whether each of these cards lies open, and by which rule; None where their order does not tell it.

    They are those that were burned before the round, then those of the round.
    """
    burned = lying.burns[: max(0, len(cards) - len(lying.left))]
    left = (*((burn.card, burn.shown) for burn in burned), *lying.left)
    if not lying.left or [card for card, _ in left] != cards:
        return None
    rules = [*(burned_by if burn.shown else "" for burn in burned), *lying.left_by, *("" for _ in left)]
    return iter([(lies_open, rule) for (_, lies_open), rule in zip(left, rules, strict=False)])


def waiting(facts: Iterable[tuple[int, AnyFact]], table: Table) -> dict[int, AnyFact]:
    """Returns the facts of cards that are kept for the next round: they are judged there once more."""
    return {seq: fact for seq, fact in facts if any(card in table.held for card in card_names(fact))}


def card_names(fact: AnyFact) -> tuple[str, ...]:
    """Returns the cards in the order in which `public` counts them; none of a key, whose words are told all or none."""
    match fact:
        case CardOut(card):
            return (card,)
        case CardsOut(cards):
            return cards
        case CardRead(_, card, _, together):
            return together or (card,)
        case Amend(to=inner) if inner is not None:
            return card_names(inner)
    return ()


def with_cards(fact: AnyFact, cards: tuple[str, ...]) -> AnyFact:
    """Returns the fact with these cards in the places of those that `card_names` returns.

    >>> with_cards(CardsOut(("??", "??")), ("Kh", "??"))
    CardsOut(cards=('Kh', '??'))
    """
    match fact:
        case CardOut():
            return replace(fact, card=cards[0])
        case CardsOut():
            return replace(fact, cards=cards)
        case CardRead(together=together):
            return replace(fact, card=cards[0], together=cards if together else ())
        case Amend(to=inner) if inner is not None:
            return replace(fact, to=with_cards(inner, cards))
    return fact


def _faces(table: Table, lying: Lying) -> tuple[set[str], set[str]]:
    """Returns the names of the cards that everybody may see, and of those that lie there unseen."""
    burns = (*table.deck.burns, *lying.burns)
    up = {card for cards in seen(lying).values() for card in cards if card != UNREAD}
    down = {*table.held, *lying.aside, *(lying.hands[place][n - 1] for place, n in lying.hidden)}
    return up | _burned(burns, shown=True), down | (_burned(burns, shown=False) - _burned(burns, shown=True))


def _burned(burns: Iterable[Burn], *, shown: bool) -> set[str]:
    return {burn.card for burn in burns if burn.shown == shown}
