"""Tables as Parquet files, by pyarrow: it is imported only when somebody asks for such a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from controller.errors import FeltError
from controller.views.ledger import Cell, Column, Kind


def write_parquet(file: Path, columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> int:
    """Writes a table into a file, which must be new, and returns how many rows it has.

    Money is a decimal number of dollars with two places, a time a moment in UTC.  Raises FeltError without pyarrow.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise FeltError("export.parquet", "this takes pyarrow, which is not installed") from None
    kinds: dict[Kind, Any] = {
        "text": pyarrow.string(),
        "number": pyarrow.int64(),
        "money": pyarrow.decimal128(18, 2),
        "share": pyarrow.float64(),
        "time": pyarrow.timestamp("ms", tz="UTC"),
    }
    schema = pyarrow.schema([(column.name, kinds[column.kind]) for column in columns])
    cells = [[_value(column.kind, cell) for column, cell in zip(columns, row, strict=True)] for row in rows]
    arrays = [pyarrow.array([row[n] for row in cells], kinds[column.kind]) for n, column in enumerate(columns)]
    table = pyarrow.Table.from_arrays(arrays, schema=schema)
    try:
        with file.open("xb") as into:
            parquet.write_table(table, into)
    except OSError as error:
        raise FeltError("receipt.unwritable", f"{file}: {error.strerror}") from None
    return len(cells)


def _value(kind: Kind, cell: Cell) -> object:
    if cell is None:
        return None
    if kind == "money":
        return Decimal(str(cell))
    return datetime.fromisoformat(str(cell)) if kind == "time" else cell
