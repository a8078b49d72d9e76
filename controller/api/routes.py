"""What can be asked on the sockets of a table; `felt` asks by these declarations too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from controller.api import ledger_shapes, shapes, wishes
from controller.service.door_routes import DeviceReset
from controller.service.routes import Answer, Media, Query, Route
from controller.views.promotions import PromotionsShown
from controller.views.record import RoundRecord

TECHNICIANS: Final = "a technician's account"
EITHER: Final = "the account of a technician or a supervisor"
SUPERVISORS: Final = "a supervisor or somebody above"
TWO_PEOPLE: Final = "a technician's account, with somebody signed in; two of them for one deed"

SERVICE_LOG: Final = (
    Query("name", "who works on it"),
    Query("licence", "the number of the licence"),
    Query("time", "when, in ISO 8601 with the difference from UTC"),
    Query("reason", "why"),
    Query("asset", "the number of the asset"),
)
OPENED: Final = Query("opened", "the fact that opened it, where several have its number", "integer")


def _on_device(
    deed: str,
    says: str,
    answer: type[Answer],
    media: Media = "application/json",
    *,
    takes: Any = None,
    query: Sequence[Query] = (),
    who: str = TECHNICIANS,
) -> Route[Answer]:
    """Returns a deed on a device, which cannot be done as every device and table stands."""
    return Route("POST", f"/devices/{{name}}/{deed}", says, answer, media, takes, query, who, refuses=(409,))


def _on_meter(deed: str, says: str, answer: type[Answer], takes: Any, who: str = TWO_PEOPLE) -> Route[Answer]:
    """Returns a deed on the prize meter, which somebody who is signed in answers for."""
    return Route("POST", f"/jackpot/{deed}", says, answer, takes=takes, who=who, refuses=(401, 409, 422))


# ---- the table

STATUS: Final = Route("GET", "/status", "Tells how the table stands: its round, people, trouble.", shapes.StatusShown)
DISPLAYS: Final = Route("GET", "/displays", "Tells what stands on the limit sign and the meter.", shapes.DisplaysShown)
KEYS: Final = Route("GET", "/keys", "Lists the keys of this table, and who may press them.", shapes.Keys)
METRICS: Final = Route("GET", "/metrics", "Gives numbers for Prometheus.", str, "text/plain")
EVENTS: Final = Route(
    "GET",
    "/events",
    "Streams every fact as it happens; Last-Event-ID resumes.",
    shapes.FactShown,
    "text/event-stream",
    query=[Query("after", "the fact after which it begins", "integer")],
)

# ---- devices

DEVICES: Final = Route("GET", "/devices", "Lists every device and bus, and how their links do.", shapes.Devices)
TRACE: Final = Route(
    "GET",
    "/devices/{name}/trace",
    "Gives the latest frames of a device; with `follow` it streams those to come.",
    shapes.TraceShown,
    query=[Query("follow", "stream server-sent events, one a frame", "switch")],
)
OPEN_DOOR: Final = _on_device(
    "open",
    "Proposes that the door of the device may be opened for some minutes.",
    shapes.Proposed,
    takes=wishes.OpenDoor,
    who=TWO_PEOPLE,
)
CONFIRM_DOOR: Final = _on_device(
    "confirm",
    "Confirms as the second person that the door may be opened: from now on it may.",
    shapes.DoorOpened,
    takes=wishes.Confirm,
    who=TWO_PEOPLE,
)
TEST: Final = _on_device("test", "Lets the device check itself.", shapes.Checked)
IDENTIFY: Final = _on_device("identify", "Lets the device show which one it is.", shapes.DeviceIdentified)
RESET: Final = _on_device(
    "reset",
    "Leads the device out of its error mode.",
    DeviceReset,
    query=[Query("code", "out of this fault only")],
    who=EITHER,
)
CLEAR_CABLE: Final = _on_device(
    "clear",
    "Records that somebody has looked at the cable after tampering.",
    shapes.DeviceDone,
    query=SERVICE_LOG,
)
PAIR: Final = _on_device(
    "pair",
    "Agrees with the device on a new key, which is stored and never told.",
    shapes.WorkLine,
    "application/x-ndjson",
    query=SERVICE_LOG,
)
PAIR_CODE: Final = _on_device(
    "pair/code",
    "Hands on the code that a person has read from the device.",
    shapes.DeviceDone,
    takes=wishes.CodeGiven,
)
UNPAIR: Final = _on_device(
    "unpair",
    "Forgets the key of the device: its link is plain again.",
    shapes.DeviceDone,
    query=SERVICE_LOG,
)
FLASH: Final = _on_device(
    "flash",
    "Brings a signed firmware image to the device.",
    shapes.WorkLine,
    "application/x-ndjson",
    takes=bytes,
    query=[*SERVICE_LOG, Query("downgrade", "allow an older version", "switch")],
)

PROMOTIONS: Final = Route(
    "GET", "/promotions", "Tells of promotions, prizes, refused claims and vouchers.", PromotionsShown
)

# ---- rounds and the journal

ROUNDS: Final = Route(
    "GET",
    "/rounds",
    "Lists rounds on record, the newest first.",
    shapes.RoundList,
    query=[
        Query("game", "of this game"),
        Query("area", "in which this area or seat played"),
        Query("outcome", "that ended so"),
        Query("irregular", "in which something was not plain, by its kind"),
        Query("since", "opened at this time or later"),
        Query("until", "opened before this time"),
        Query("n", "how many", "integer"),
        Query("before", "opened before this fact: the next page", "integer"),
    ],
)
REPORT: Final = Route(
    "GET",
    "/report",
    "Tells what the rounds of a time span come to.",
    shapes.Report,
    query=[
        Query("game", "of this game"),
        Query("since", "opened at this time or later"),
        Query("until", "opened before this time"),
    ],
)
NUMBERS: Final = Route(
    "GET",
    "/numbers",
    "Adds rounds up: handle, win, theoretical win, hold, pace.",
    shapes.NumbersShown,
    query=[
        Query("by", "shift, day, dealer, game, wager, spot or round"),
        Query("day", "of this gaming day; today unless another time is asked for"),
        Query("game", "of this game"),
        Query("since", "opened at this time or later"),
        Query("until", "opened before this time"),
    ],
)
FLOAT: Final = Route(
    "GET",
    "/float",
    "Tells the shifts of the float: win as the count room counts it, beside the rounds.",
    shapes.FloatShown,
    query=[
        Query("day", "opened on this gaming day; today unless another time is asked for"),
        Query("since", "opened at this time or later"),
        Query("until", "opened before this time"),
    ],
)
RECORDS: Final = Route(
    "GET",
    "/records",
    "Streams rounds that are over, whole, the oldest first.",
    RoundRecord,
    "application/x-ndjson",
    query=[
        Query("game", "of this game"),
        Query("since", "opened at this time or later"),
        Query("until", "opened before this time"),
    ],
)
ROUND: Final = Route("GET", "/rounds/{number}", "Gives one round, whole.", shapes.RoundFound, query=[OPENED])
RECEIPT: Final = Route(
    "GET", "/rounds/{number}/receipt", "Gives the receipt of a round as a page.", str, "text/html", query=[OPENED]
)
RECEIPT_TEXT: Final = Route(
    "GET", "/rounds/{number}/receipt.txt", "Gives the receipt of a round as text.", str, "text/plain", query=[OPENED]
)
SEARCH: Final = Route(
    "GET",
    "/rounds/{number}/search",
    "Looks for an older round in the journal itself, which takes long.",
    shapes.SearchLine,
    "application/x-ndjson",
    query=[OPENED],
    refuses=(409,),
)
TAIL: Final = Route(
    "GET",
    "/journal/tail",
    "Gives the latest facts of the journal.",
    shapes.Tail,
    query=[
        Query("n", "how many, at most 1000", "integer"),
        Query("after", "those behind this fact", "integer"),
        Query("since", "those from this time on"),
        Query("upto", "those up to this fact", "integer"),
        Query("device", "those of this device"),
        Query("hash", "with the hash of each record", "switch"),
    ],
)
VERIFY: Final = Route(
    "GET",
    "/journal/verify",
    "Checks every record of the journal.",
    shapes.Verified,
    query=[
        Query("anchor", "an anchor that was exported earlier"),
        Query("checkpoint", "a checkpoint that was kept elsewhere"),
        Query("key", "the verifier key that must have signed it"),
        Query("replay", "tell everything again from record 1", "switch"),
    ],
)
ANCHOR: Final = Route("GET", "/journal/anchor", "Gives the newest record as an anchor.", shapes.AnchorShown)
CHECKPOINTS: Final = Route(
    "GET",
    "/journal/checkpoints",
    "Gives the newest checkpoints that the journal keeps.",
    shapes.CheckpointsShown,
    query=[Query("n", "how many, at most 1000", "integer")],
)
JOURNAL_RECORDS: Final = Route(
    "GET",
    "/journal/records",
    "Gives records to compute the journal again from, without hidden cards.",
    shapes.RecordsShown,
    query=[Query("after", "those behind this one; what `next` said", "integer")],
)
PROOF: Final = Route(
    "GET",
    "/journal/proof",
    "Proves that a record is in the tree of the journal.",
    shapes.ProofShown,
    query=[Query("seq", "which record", "integer")],
    refuses=(404, 409),
)

# ---- the prize meter

JACKPOT: Final = Route("GET", "/jackpot", "Tells what the prize meter keeps.", shapes.Jackpot, refuses=(422,))
HISTORY: Final = Route(
    "GET",
    "/jackpot/history",
    "Lists the latest prizes, the newest first.",
    shapes.HistoryShown,
    query=[Query("n", "how many, at most 1000", "integer")],
    refuses=(422,),
)
VERIFY_METER: Final = Route(
    "GET",
    "/jackpot/verify",
    "Adds up all movements of the meter, and follows the chain of its ledger.",
    shapes.MeterVerified,
    query=[Query("checkpoint", "a checkpoint of the ledger that was kept elsewhere")],
    refuses=(422,),
)
RECONCILE: Final = Route(
    "GET",
    "/jackpot/reconcile",
    "Compares the ledger of the meter with this table's journal.",
    ledger_shapes.Reconciliation,
    refuses=(422,),
)
CLAIM_TABLE: Final = Route(
    "POST",
    "/jackpot/claim",
    "Records that this is the real table, of two that run with its identity.",
    ledger_shapes.TableClaimed,
    takes=wishes.ClaimTable,
    who=TECHNICIANS,
    refuses=(422,),
)
NOTICES: Final = Route(
    "GET", "/jackpot/notices", "Tells what the sign announces about the Jackpot.", shapes.Notices, refuses=(422,)
)
METERS: Final = Route(
    "GET", "/jackpot/meters", "Lists all meters of the store with their tables.", shapes.MetersShown, refuses=(422,)
)
ADJUST: Final = _on_meter("adjust", "Proposes to adjust the meter by an amount.", shapes.Proposed, wishes.Adjust)
CLOSE: Final = _on_meter(
    "close", "Proposes to close the prize meter system and to hand on what it holds.", shapes.Proposed, wishes.Close
)
CONFIRM: Final = _on_meter(
    "confirm", "Confirms a proposal as the second person: now it is done.", shapes.Confirmed, wishes.Confirm
)
PRESS_JACKPOT: Final = _on_meter(
    "press",
    "Chooses another system for this table, or puts a notice on its sign.",
    shapes.JackpotPressed,
    wishes.JackpotPress,
    SUPERVISORS,
)
CLEAR_AUDIT: Final = Route(
    "POST",
    "/jackpot/clear",
    "Records that somebody has looked into a failed audit of the meter.",
    shapes.AuditCleared,
    takes=wishes.Clear,
    who=TECHNICIANS,
    refuses=(422,),
)
