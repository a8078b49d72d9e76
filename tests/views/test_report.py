"""What rounds come to: every sum by hand, and as people and spreadsheets read it."""

from __future__ import annotations

from controller.views import report_text
from controller.views.moments import iso
from controller.views.record import (
    Correction,
    Meter,
    Moment,
    Paid,
    Pot,
    Prize,
    RoundRecord,
    Ruling,
    Shared,
    Trouble,
)
from controller.views.report import GameReport, plain, report

NOON = 1_700_000_000_000_000  # microseconds
MINUTE = 60_000_000


def a_round(number: int, minute: float, *paid: Paid, **more: object) -> RoundRecord:
    at = Moment(number * 10, iso(int(NOON + minute * MINUTE)))
    told: dict[str, object] = {"game": "casino-war", "title": "Casino War", "outcome": "settled", "lasted": 30_000}
    told["ended"] = at
    return RoundRecord(number=number, opened=at, settlement=paid, **told | more)  # type: ignore[arg-type]


def of(*rounds: RoundRecord) -> GameReport:
    (game,) = report(rounds)
    return game


def test_wagers_by_spot_and_by_place() -> None:
    game = of(
        a_round(1, 0, Paid("1", "war", "10.00", "lose", "-10.00"), Paid("2", "tie", "5.00", "win", "50.00")),
        a_round(2, 1, Paid("1", "war", "30.00", "win", "30.00"), Paid("2.1", "war", "2.50", "lose", "-2.50")),
    )
    assert (game.total.wagers, game.total.staked, game.total.house) == (4, "47.50", "-67.50")
    assert game.total.hold == -142.11
    assert {spot.name: (spot.wagers, spot.staked, spot.house) for spot in game.spots} == {
        "war": (3, "42.50", "-17.50"),
        "tie": (1, "5.00", "-50.00"),
    }
    assert {place.name: (place.staked, place.house) for place in game.places} == {
        "1": ("40.00", "-20.00"),
        "2": ("7.50", "-47.50"),  # both bettors of the area
    }


def test_pace_counts_no_pause() -> None:
    game = of(*(a_round(n, minute) for n, minute in enumerate((0, 1, 2, 3, 60, 61), 1)))
    assert game.rounds == 6
    assert game.played == round((3 * 60 + 30 + 60 + 30) / 3600, 2)
    assert game.pace == 72.0
    assert (game.median, game.longest) == (30_000, 30_000)


def test_a_long_round_is_no_pause() -> None:
    game = of(a_round(1, 0, lasted=900_000), a_round(2, 20, lasted=900_000))
    assert (game.played, game.median) == (round((20 + 15) / 60, 2), 900_000)


def test_it_lasts_until_the_last_round_has_ended() -> None:
    end = iso(NOON + 9 * MINUTE)
    game = of(a_round(1, 0), a_round(2, 1, ended=Moment(25, end)))
    assert (game.first, game.last) == (iso(NOON), end)


def test_no_pace_of_a_moment() -> None:
    assert of(a_round(1, 0)).pace is None


def test_a_round_that_runs_is_not_counted() -> None:
    running = RoundRecord(number=9, game="casino-war", title="Casino War", opened=Moment(1, iso(NOON)))
    assert report([running]) == ()
    assert of(a_round(1, 0), running).rounds == 1


def test_a_round_of_a_tournament_is_not_counted() -> None:
    assert report([a_round(1, 0, tournament="Cup")]) == ()


def test_what_was_not_plain() -> None:
    at = Moment(4, iso(NOON))
    game = of(
        a_round(1, 0, outcome="misdeal", irregular=("misdeal", "fault", "correction")),
        a_round(
            2,
            1,
            irregular=("fault", "correction", "ruling", "hold"),
            rulings=(Ruling(at, "exposed", "a card was seen"),),
            corrections=(Correction(at, 3, "queen of diamonds", "king of diamonds"), Correction(at, 4, "a key", "")),
            troubles=(Trouble("fault", "shoe.jam", "jam", at, "shoe"), Trouble("hold", "gap", "held", at)),
        ),
    )
    assert [(each.name, each.times) for each in game.outcomes] == [("misdeal", 1), ("settled", 1)]
    assert {each.name: each.times for each in game.irregular}["correction"] == 2
    assert [(each.name, each.times) for each in game.rulings] == [("exposed", 1)]
    assert [(each.device, each.code, each.times) for each in game.faults] == [("shoe", "shoe.jam", 1)]
    assert game.corrected == 2
    assert [each.text for each in game.corrections] == [
        "queen of diamonds -> king of diamonds",
        "a key -> struck out",
    ]


def test_a_prize_is_the_meters_and_not_the_houses() -> None:
    meter = Meter("5000.0000", "5001.0000", "1000.0000", (Prize("3", "royal flush", "5000.00"),))
    before = Meter("4999.0000", "5000.0000", "5000.0000")
    game = of(
        a_round(1, 0, meter=before),
        a_round(2, 1, Paid("3", "jackpot", "5.00", "win", "4995.00", prize="5000.00"), meter=meter),
    )
    assert (game.total.staked, game.total.house) == ("5.00", "5.00")
    assert (game.won, game.prizes_paid, game.meter) == (1, "5000.00", ("4999.0000", "1000.0000"))
    assert [each.text for each in game.prizes] == ["area 3: royal flush, 5000.00"]


def test_pots_give_the_house_its_commission() -> None:
    shared = Shared((Pot("100.00", ("1", "2"), {"1": "95.00"}),), "5.00", {}, {"1": "45.00", "2": "-50.00"})
    game = of(a_round(1, 0, game="holdem", title="Holdem", shared=shared))
    assert (game.total.staked, game.total.house, game.commission) == ("100.00", "5.00", "5.00")
    assert game.total.hold == 5.0


def test_games_apart_in_order() -> None:
    games = report([a_round(1, 0), a_round(2, 1, game="a-game", title="A")])
    assert [each.game for each in games] == ["a-game", "casino-war"]
    assert [each["rounds"] for each in plain(games)] == [1, 1]


def test_people_read_it_in_80_columns() -> None:
    long = Paid("1", "a spot with a name that nobody can say in one breath", "123456789.00", "lose", "-123456789.00")
    correction = Correction(Moment(1, iso(NOON)), 3, "word " * 30, "other " * 30)
    trouble = Trouble("fault", "sensor.unknown-chip", "x", Moment(1, iso(NOON)), "sensor.1")
    lines = list(report_text.lines(of(a_round(1, 0, long, corrections=(correction,), troubles=(trouble,)))))
    assert all(len(line) <= 80 for line in lines), lines
    assert lines[0] == "Casino War: 1 round, 1 settled"
    assert "sensor.1 failed once: sensor.unknown-chip" in "\n".join(lines)
    assert any(line.endswith("+123456789  100.00 %") for line in lines), lines


def test_rows_for_a_spreadsheet() -> None:
    heading, *rows = report_text.rows([of(a_round(1, 0, Paid("1", "war", "10.00", "lose", "-10.00")))])
    assert heading == report_text.CSV_HEADING
    assert ("casino-war", "outcome", "settled", "1", "", "", "") in rows
    assert ("casino-war", "spot", "war", "1", "10.00", "10.00", "100.00") in rows
    assert all(len(row) == len(heading) for row in rows)
    assert [row for row in rows if row[1] in ("correction", "prize")] == [
        ("casino-war", "correction", "all", "0", "", "", ""),
        ("casino-war", "prize", "all", "0", "", "", ""),
    ]


def test_every_count_is_a_row_of_a_spreadsheet() -> None:
    at, trouble = Moment(4, iso(NOON)), Trouble("fault", "sensor.dark", "x", Moment(1, iso(NOON)), "sensor.1")
    meter = Meter("5000.0000", "5001.0000", "1000.0000", (Prize("3", "royal flush", "5000.00"),))
    paid = Paid("3", "jackpot", "5.00", "win", "4995.00", prize="5000.00")
    rows = list(
        report_text.rows(
            [
                of(
                    a_round(
                        *(1, 0, paid),
                        outcome="misdeal",
                        irregular=("misdeal",),
                        rulings=(Ruling(at, "exposed", "a card was seen"),),
                        corrections=(Correction(at, 3, "queen of diamonds", "king of diamonds"),),
                        troubles=(trouble,),
                        meter=meter,
                    )
                )
            ]
        )
    )
    assert rows[1:7] == [
        ("casino-war", "outcome", "misdeal", "1", "", "", ""),
        ("casino-war", "irregular", "misdeal", "1", "", "", ""),
        ("casino-war", "ruling", "exposed", "1", "", "", ""),
        ("casino-war", "fault", "sensor.1 sensor.dark", "1", "", "", ""),
        ("casino-war", "correction", "all", "1", "", "", ""),
        ("casino-war", "prize", "all", "1", "", "5000.00", ""),
    ]


def test_what_was_not_plain_in_words() -> None:
    at = Moment(4, iso(NOON))
    meter = Meter("5000.0000", "5001.0000", "1000.0000", (Prize("3", "royal flush", "5000.00"),))
    shared = Shared((), "4.00", {}, {})
    game = of(
        a_round(
            1,
            0,
            Paid("3", "jackpot", "5.00", "win", "4995.00", prize="5000.00"),
            outcome="misdeal",
            irregular=("misdeal", "ruling"),
            rulings=(Ruling(at, "exposed", "a card was seen"),),
            corrections=(Correction(at, 3, "queen of diamonds", "king of diamonds"),),
            meter=meter,
            shared=shared,
        )
    )
    assert [spot.name for spot in game.spots] == ["jackpot"]  # nobody contested a pot
    lines = list(report_text.lines(game))
    assert lines[lines.index("  the house's commission: 4") :] == [
        "  the house's commission: 4",
        "  irregular rounds, by kind: 1 misdeal, 1 ruling",
        "  rulings: 1 exposed",
        "  1 correction:",
        "    round 1: queen of diamonds -> king of diamonds",
        "  meter: 5000.0000 before, 1000.0000 after",
        "  1 prize, 5000 together, paid by the meter:",
        "    round 1: area 3: royal flush, 5000.00",
    ]


def test_where_all_was_plain_nothing_else_is_told() -> None:
    lines = list(report_text.lines(of(a_round(1, 0, Paid("1", "war", "10.00", "lose", "-10.00")))))
    assert [line.split()[0] for line in lines[4:]] == ["all", "war", "area"]
