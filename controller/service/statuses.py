"""The status with which a door answers an error, by its code; what is not here is 503: something cannot answer now."""

from __future__ import annotations

from typing import Final

STATUS: Final = {
    # what was sent makes no sense
    "sign-in.request": 400,
    "pair.unread": 400,
    "service.missing": 400,
    "service.long": 400,
    "service.time": 400,
    "image.form": 400,
    "image.digest": 400,
    "sign-in.too-large": 413,
    # who asks
    "sign-in.wrong": 401,
    "sign-in.needed": 401,
    "sign-in.role": 403,
    "tournament.not-director": 403,
    "sign-in.origin": 403,
    "image.signature": 403,
    "sign-in.account": 403,
    "sign-in.locked": 429,
    "sign-in.busy": 503,
    "sign-in.unchecked": 503,
    "sign-in.nobody": 503,
    # what is asked about
    "device.unknown": 404,
    "alert.unknown": 404,
    "protection.unknown": 404,
    "inspection.unknown": 404,
    "floor.none": 404,
    "tournament.unknown": 404,
    "api.read-only": 404,
    # as things stand it cannot be
    "key.refused": 409,
    "key.unknown": 409,
    "alert.refused": 409,
    "tournament.refused": 409,
    "tournament.exists": 409,
    "tournament.conflict": 409,
    "terms.invalid": 409,
    "terms.syntax": 409,
    "protection.refused": 409,
    "deck.refused": 409,
    "device.in-play": 409,
    "device.busy": 409,
    "device.no-fault": 409,
    "device.fault-lasts": 409,
    "device.not-tampered": 409,
    "pair.no-serial": 409,
    "pair.none": 409,
    "pair.not-begun": 409,
    "pair.not-native": 409,
    "pair.required": 409,
    "round.searching": 409,
    "protection.request": 400,
    "tournament.request": 400,
    "float.request": 400,
    "report.request": 400,
    "float.role": 403,
    "float.no-proposal": 404,
    "float.refused": 409,
    "float.witness": 409,
}
UNAUTHENTICATED: Final = {"WWW-Authenticate": "Bearer"}  # what an answer with 401 says besides
