"""The receipt of a round: all that a dispute is about, as a page and as text, and what ties it to the journal."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from msgspec.structs import replace

from controller.table.facts import (
    SYNCHRONISED,
    UNSYNCHRONISED,
    Amend,
    Badge,
    CardOut,
    ClockChecked,
    ClockReading,
    ClockStepped,
    DeviceCleared,
    DeviceFault,
    Hold,
)
from controller.views import receipt, record_text, report_text
from controller.views.record import RoundRecord
from controller.views.report import report
from drivers import codes as codes  # what a device's code means is in the receipt
from tests.views.following import Following

HASH = "ab" * 32
HOUR = 3600 * 1_000_000


def text(record: RoundRecord) -> str:
    return "\n".join(receipt.lines(record))


def part(record: RoundRecord, title: str) -> list[str]:
    """The lines of one part; what was too long for one line is one again."""
    _, _, rest = text(record).partition(f"\n{title}:\n")
    return rest.partition("\n\n")[0].replace("\n    ", " ").replace("\n  ", "\n").strip().splitlines()


def three_cards() -> Following:
    """Area 1 folds, area 2 plays against a dealer who qualifies."""
    t = Following("three-card-poker")
    t.bet(1, ante=10)
    t.bet(2, ante=10, pair_plus=5)
    t.key("no-more-bets")
    t.draw("2c Kh 4s 3d Qh 5s 4h Jh Qd")
    t.key("fold 1")
    t.bet(2, play=10)
    return t


class Words(HTMLParser):
    """What a person reads on a page, and which elements it has."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.read, self.tags, self._style = "", list[str](), False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._style = tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self._style = False

    def handle_data(self, data: str) -> None:
        self.read += "" if self._style else f"{data}\n"


def test_what_was_wagered_dealt_decided_and_paid() -> None:
    t = three_cards()
    t.key("settle")
    record = t.last
    assert text(record).splitlines()[:5] == [
        "Round 1 at table T1: Three Card Poker",
        "=====================================",
        "Outcome: settled",
        "Opened 1970-01-01 00:00:01 UTC",
        "Ended 1970-01-01 00:00:15 UTC, after 14 s",
    ]
    assert part(record, "Wagers")[:2] == [
        "Area    Wager      Amount  Placed (UTC)",
        "area 1  ante        10.00  00:00:01.000",
    ]
    assert part(record, "Cards")[1:] == [
        "dealer  4s 5s Qd  00:00:06.000 to 00:00:12.000  00:00:14.000",
        "area 1  ?? ?? ??  00:00:04.000 to 00:00:10.000  never",
        "area 2  Kh Qh Jh  00:00:05.000 to 00:00:11.000  00:00:15.000",
    ]
    assert part(record, "Hands") == [
        "dealer: queen high, five kicker; qualifies (5.10.2)",
        "area 2: straight flush to the king",
    ]
    assert part(record, "Decisions") == ["00:00:13.000  area 1 folds", "00:00:14.000  area 2 plays"]
    paid = part(record, "Settlement")
    assert paid[1].split() == ["area", "1", "ante", "10.00", "lose", "-10.00", "rule", "5.6.2(a)"]
    pair_plus = next(line for line in paid if "pair-plus" in line)
    assert pair_plus.split()[:6] == ["area", "2", "pair-plus", "5.00", "win", "+200.00"]
    assert "straight flush pays 40 to 1, table A" in pair_plus
    assert receipt.UNTURNED in text(record)
    for absent in ("Pots:", "Rulings:", "Corrections:", "Trouble:", "Prize meter"):
        assert absent not in text(record)


def test_a_dealer_who_does_not_qualify() -> None:
    t = Following("three-card-poker")
    t.bet(1, ante=10)
    t.key("no-more-bets")
    t.draw("Kh 4s Qh 5s Jh 9d")
    t.bet(1, play=10)
    t.key("settle")
    assert part(t.last, "Hands")[0] == "dealer: nine high, five kicker; does not qualify (5.10.1)"
    assert receipt.UNTURNED not in text(t.last)


def test_a_round_that_runs_says_so_and_shows_no_result() -> None:
    running = three_cards().recorder.running()
    assert running is not None
    assert "Outcome: still running\n" in text(running)
    assert "Ended" not in text(running)
    assert [line.split()[-1] for line in part(running, "Settlement")[1:]] == ["open"] * 4


def test_times_that_nobody_confirms_are_told_so() -> None:
    t = three_cards()
    t.tell(ClockChecked(ClockReading("a start", 1, SYNCHRONISED)))
    t.key("settle")
    assert "not confirmed" not in text(t.last)
    t = three_cards()
    t.tell(ClockChecked(ClockReading("a start", 1, UNSYNCHRONISED)))
    t.key("settle")
    assert "The times are not confirmed: no time server kept the clock right" in text(t.last)
    assert "  times not confirmed: 1 round, see docs/time.md" in report_text.lines(report([t.last])[0])
    assert "  its times are not confirmed: no time server kept the clock right" in record_text.lines(t.last)


def test_what_was_not_plain_is_told_with_who_did_it() -> None:
    t = three_cards()
    t.tell(DeviceFault("shoe", "shoe.jam", "card 3"))
    t.tell(DeviceCleared("shoe", "shoe.jam"))
    t.tell(Amend(8, CardOut("Ks"), "Ann", 1000, "ann"))
    t.at += HOUR
    t.tell(ClockStepped(t.at - HOUR, t.at))
    t.tell(Badge("supervisor", "Bo"))
    t.tell(Hold("device.gap", "events are missing", "shoe"))
    t.key("void")
    record = t.last
    assert "At 01:00:18.000 the machine's clock was set from 1970-01-01T00:00:18.000+00:00" in text(record)
    assert part(record, "Corrections")[0].startswith("00:00:17.000  fact 8 said: ")
    assert "[Ann, account 1000 ann]" in " ".join(part(record, "Corrections"))
    assert part(record, "Rulings")[0].startswith("01:00:21.000  void: ")
    assert part(record, "Rulings")[0].endswith("[supervisor Bo]")
    assert part(record, "Trouble") == [
        "00:00:15.000  a card is jammed in the shoe: card 3 (shoe.jam), until 00:00:16.000",
        "01:00:20.000  the table was held: shoe: events are missing (device.gap), until 01:00:21.000",
    ]


def test_a_correction_says_what_changed_in_words() -> None:
    t = Following("casino-war")
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.draw("Kh")
    t.tell(Amend(t.seq, CardOut("2d"), "Ann"))
    t.draw("9s")
    t.key("settle")
    assert part(t.last, "Corrections")[-1].endswith("hands: 1 Kh; now: 1 2d")


def test_what_goes_back_and_what_was_won_with_a_token() -> None:
    t = three_cards()
    t.key("settle")
    first, *others = t.last.settlement
    wager, *wagers = t.last.wagers
    odd = replace(first, result="win", net="10.00", surplus="2.50", token="kept")
    record = replace(t.last, settlement=(odd, *others), wagers=(replace(wager, token=True), *wagers))
    assert part(record, "Settlement")[1].endswith("+10.00  2.50 too much goes back, token kept, rule 5.6.2(a)")
    assert part(record, "Wagers")[1].startswith("area 1  ante (token)")


def test_pots_and_what_everybody_won_in_a_hand_between_players() -> None:
    t = Following("holdem", seats="3")
    t.do("seat 1 stack=500", "seat 2 stack=500", "seat 3 stack=20", "act 1 post 5", "act 2 post 10")
    t.do("read 1 Ah", "read 2 Kh", "read 3 2c", "read 1 Ad", "read 2 Kd", "read 3 7d")
    t.do("act 3 call", "act 1 raise 30", "act 2 call", "act 3 all-in", "burn", "read board 3s 4s 9c")
    t.do("act 1 check", "act 2 check", "burn", "read board Js", "act 1 check", "act 2 check", "burn", "read board 8d")
    t.do("act 1 bet 50", "act 2 fold", "settle")
    record = t.last
    assert text(record).startswith("Hand 1 at table T1: Holdem\n")
    assert part(record, "Pots") == [
        "Pot   Amount  Won",
        "main   60.00  seat 1 60.00",
        "side   20.00  seat 1 20.00",
        "net           seat 1 +50.00, seat 2 -30.00, seat 3 -20.00",
    ]
    assert part(record, "Prize meter and commission") == ["back     50.00 to seat 1"]
    assert "board" in part(record, "Cards")[1]
    assert record.shared is not None
    charged = replace(record, shared=replace(record.shared, commission="4.00", net={}))
    assert part(charged, "Prize meter and commission")[0] == "house    commission 4.00"
    assert part(charged, "Pots")[-1].startswith("side")


def test_a_prize_of_the_meter() -> None:
    t = Following("caribbean-stud", jackpot="nsw")
    t.bet(1, ante=10, jackpot=5)
    t.key("no-more-bets")
    t.draw("Ah 2c Kh 3d Qh 4s Jh 6c Th 9d")
    t.bet(1, bet=20)
    t.key("settle")
    t.role("area-manager")
    t.key("confirm-jackpot")
    assert part(t.last, "Prize meter and commission") == [
        "meter    100000.0000 before, 100000.0000 after",
        "area 1 wins 100003.00 with a royal flush (12.2.1)",
    ]


def test_the_anchor_is_one_line_whatever_the_width() -> None:
    t = three_cards()
    t.key("settle")
    assert t.last.anchor == "" and "anchor" not in text(t.last)
    record = replace(t.last, hash=HASH)
    assert f"\nfeltd-anchor-1 16 {HASH} T1\n" in text(record)
    assert "felt journal verify --anchor FILE" in text(record)
    others = [line for line in text(record).splitlines() if line != record.anchor]
    assert max(map(len, others)) < 80


def test_the_page_says_what_the_text_says_and_has_no_script() -> None:
    t = three_cards()
    t.tell(DeviceFault("shoe", "shoe.jam", "<script>alert(1)</script>"))
    t.key("settle")
    record = replace(t.last, hash=HASH)
    page = receipt.page(record)
    told = Words(page)
    assert not {"script", "link", "img", "iframe", "form", "a"} & set(told.tags)
    assert not re.search(r"https?:|url\(", page)
    assert "<script>alert(1)</script>" in told.read  # as words
    on_page = set(told.read.split())
    words = {word.rstrip(":") for word in text(record).partition("\nPlayer:")[0].replace("=", "").split()}
    assert words <= {word.rstrip(":") for word in on_page}
    assert (told.tags.count("table"), told.tags.count("section")) == (3, 6)
    numbers = re.findall(r'<td class="number">([^<]*)</td>', page)
    assert "+200.00" in numbers and "10.00" in numbers and "ante" not in numbers


def test_a_page_without_anything_hidden_or_proven() -> None:
    t = Following("casino-war")
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.draw("Kh 2d")
    t.key("settle")
    page = receipt.page(t.last)
    assert "stays hidden" not in page and 'class="proof"' not in page.partition("</style>")[2]
