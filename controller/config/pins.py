"""One pin of the computer in table.toml: its number, or a table with the number and what is different about it."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict

from drivers.vendors.gpio import DEBOUNCE, Input, Level, Output, Pull


def _number_alone(value: object) -> object:
    """`bets = 17` says the same as `bets = { pin = 17 }`."""
    if isinstance(value, dict):
        return value
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError("must be a whole number without quotes, or a table such as { pin = 17 }")
    return {"pin": value}


class _Pin(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    pin: int


class OutputPin(_Pin):
    active: Level = "high"

    def settings(self) -> Output:
        return Output(self.pin, self.active)


class InputPin(_Pin):
    pull: Pull = "up"
    active: Level | None = None
    debounce: int = DEBOUNCE

    def settings(self) -> Input:
        return Input(self.pin, self.pull, self.active, self.debounce)


Outputs: TypeAlias = dict[str, Annotated[OutputPin, BeforeValidator(_number_alone)]]
Inputs: TypeAlias = dict[str, Annotated[InputPin, BeforeValidator(_number_alone)]]
PINS: dict[str, type[Any]] = {"outputs": OutputPin, "inputs": InputPin}
