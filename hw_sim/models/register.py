"""The register of simulated families: the model that stands behind a device of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from firmware_bridge.extensions import Register
from firmware_bridge.messages import FAMILIES
from hw_sim.models.base import Model

M = TypeVar("M", bound=type[Model])
MODELS: Final[Register[type[Model]]] = Register("feltd.models", "simulated family", "hw_sim.models", FAMILIES)


def simulates(family: str) -> Callable[[M], M]:
    """Returns a decorator that declares the family of a model and adds it to the register."""

    def declare(model: M) -> M:
        model.family = family
        MODELS.add(family, model, model)
        return model

    return declare
