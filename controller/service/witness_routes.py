"""What a table is asked as a witness of other tables' journals, in the open form of C2SP (tlog-witness)."""

from __future__ import annotations

from typing import Final

from controller.service.routes import Query, Route

SIZE_MEDIA: Final = "text/x.tlog.size"  # of the answer 409: how far the witness knows the journal
ADD: Final = Route(
    "POST",
    "/witness/add-checkpoint",
    "Takes a checkpoint of a journal that is witnessed here, with the proof that it follows, and cosigns it.",
    str,
    "text/plain",
    takes=bytes,
    who="a table whose journal's key is listed here",
    refuses=(404, 409, 422),
)
NEWEST: Final = Route(
    "GET",
    "/witness/checkpoint",
    "Gives the newest checkpoint that is known here of a journal, as its key signed it.",
    str,
    "text/plain",
    query=[Query("origin", "the name of the journal"), Query("key", "the id of its key, in hexadecimal digits")],
    refuses=(404,),
)
