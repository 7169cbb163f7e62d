"""Read and write Parquet files; a missing or damaged file raises a `PartError` that names it.

Imports pyarrow on first use. Does not know the layout of a store.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

from tck.check.columns import OPERATIONS, Array, Schema, Table
from tck.reports.pipeline.errors import NoSparkError, PartError, disk_errors

STORED: Final[Schema] = {name: kind for name, kind in OPERATIONS.items() if name not in ("run", "bucket")}
"""The columns of an operation in a file; run and bucket follow from the path."""

_ROW_GROUP: Final = 131_072
AGAIN: Final = "Ingest the run again with --again"
"""The remedy for a damaged file that was written when its run was ingested."""


def arrow() -> ModuleType:
    """Import pyarrow.

    Raises:
        NoSparkError: it is not installed.
    """
    try:
        for name in ("pyarrow", "pyarrow.ipc", "pyarrow.parquet"):
            importlib.import_module(name)
    except ImportError as error:
        todo = "Install the extra: pip install 'jms-tck[spark]'"
        raise NoSparkError(
            "the pipeline keeps its store in Parquet and needs pyarrow, which is not here", todo=todo
        ) from error
    return sys.modules["pyarrow"]


def to_arrow(table: Table, schema: Schema) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return columns as an Arrow table."""
    pa = arrow()
    return pa.table({name: arrow_column(table.columns[name]) for name in schema})


def from_arrow(table: Any, schema: Schema) -> Table:  # noqa: ANN401 - a table or a record batch of pyarrow
    """Return an Arrow table as columns."""
    return Table({name: numpy_column(table.column(name)).astype(kind, copy=False) for name, kind in schema.items()})


def arrow_column(values: Array) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return numbers or booleans as an Arrow array. pyarrow's own conversion would load pandas first, if it is installed."""
    pa = arrow()
    if values.dtype == bool:
        kind, data = pa.bool_(), np.packbits(values, bitorder="little")
    else:
        kind, data = pa.from_numpy_dtype(values.dtype), np.ascontiguousarray(values)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(data)])


def numpy_column(column: Any) -> Array:  # noqa: ANN401 - a column of pyarrow
    """Return a column of numbers or booleans without missing values as an array; see `arrow_column`."""
    chunks = [_view(chunk) for chunk in (getattr(column, "chunks", None) or [column]) if len(chunk)]
    if not chunks:
        return np.empty(0, _numpy_kind(column.type))  # `to_pandas_dtype` of older versions loads pandas
    return chunks[0] if len(chunks) == 1 else np.concatenate(chunks)


def _numpy_kind(kind: Any) -> str | None:  # noqa: ANN401 - pyarrow has no types
    """Return numpy's name of a pyarrow type; None if it is neither numeric nor boolean."""
    types = arrow().types
    if types.is_boolean(kind) or types.is_integer(kind) or types.is_floating(kind):
        return {"halffloat": "float16", "float": "float32", "double": "float64"}.get(str(kind), str(kind))
    return None


def _view(array: Any) -> Array:  # noqa: ANN401 - pyarrow has no types
    assert not array.null_count  # noqa: S101 - no column of the store has missing values
    data, first, size = array.buffers()[1], array.offset, len(array)
    if array.type.bit_width == 1:
        bits = np.frombuffer(data, np.uint8)[first // 8 : -(-(first + size) // 8)]
        return np.unpackbits(bits, count=first % 8 + size, bitorder="little")[first % 8 :].astype(bool)
    kind = np.dtype(array.type.to_pandas_dtype())
    return np.frombuffer(data, kind, size, first * kind.itemsize)


def write_parquet(path: Path, table: Any) -> dict[str, int]:  # noqa: ANN401 - pyarrow has no types
    """Write a file and sync it to disk; return its rows and its size in bytes.

    Raises:
        NoRoomError: the disk is full.
    """
    pa = arrow()
    with disk_errors(path), path.open("wb") as file:
        pa.parquet.write_table(
            table,
            file,
            compression="zstd",
            row_group_size=_ROW_GROUP,
            write_page_checksum=True,
        )
        file.flush()
        os.fsync(file.fileno())
    return {"rows": table.num_rows, "bytes": path.stat().st_size}


def read_parquet(path: Path, expected: Mapping[str, int] | None = None, *, todo: str = AGAIN) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Read a file as an Arrow table, page checksums and all.

    Args:
        path: The file.
        expected: Its rows and bytes when it was written, if known.
        todo: The remedy if it is damaged.

    Raises:
        PartError: the file is missing, cut short or damaged.
    """
    pa = arrow()
    try:
        size = path.stat().st_size
    except (FileNotFoundError, NotADirectoryError):
        raise PartError("expected this file of the store, saw none", path=path, todo=todo) from None
    except OSError as error:
        raise _unreadable(error, path) from error
    if expected is not None and size != expected["bytes"]:
        raise PartError(f"expected {expected['bytes']} bytes, saw {size}", path=path, todo=todo)
    try:
        table = pa.parquet.ParquetFile(path, page_checksum_verification=True).read()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
        if isinstance(error, OSError) and error.errno:
            raise _unreadable(error, path) from error
        first = str(error).split("\n", maxsplit=1)[0]
        raise PartError(f"expected Parquet, saw a damaged file ({first})", path=path, todo=todo) from error
    if expected is not None and table.num_rows != expected["rows"]:
        raise PartError(f"expected {expected['rows']} rows, saw {table.num_rows}", path=path, todo=todo)
    return table


def rows_in(folder: Path) -> int:
    """Count the rows of the files of a folder, from the files' metadata."""
    pa = arrow()
    return sum(pa.parquet.read_metadata(path).num_rows for path in folder.glob("*.parquet"))


def read_table(path: Path, schema: Schema, expected: Mapping[str, int] | None = None) -> Table:
    """Read a file as columns of a schema.

    Raises:
        PartError: as `read_parquet`, or it has other columns.
    """
    table = read_parquet(path, expected)
    _check_columns(table, schema, path, AGAIN)
    for name, kind in schema.items():
        if _numpy_kind(table.field(name).type) != kind:
            what = f"expected {kind} in the column {name}, saw {table.field(name).type}"
            raise PartError(what, path=path, todo=AGAIN)
    return from_arrow(table, schema)


def read_rows(
    path: Path, kinds: Mapping[str, str], expected: Mapping[str, int] | None = None, *, todo: str = AGAIN
) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Read a file of rows written with `rows_to_arrow`, as an Arrow table.

    Raises:
        PartError: as `read_parquet`, or it has other columns.
    """
    table = read_parquet(path, expected, todo=todo)
    _check_columns(table, kinds, path, todo)
    for name, kind in _types(tuple(kinds.items())).items():
        if table.field(name).type != kind:
            what = f"expected {kind} in the column {name}, saw {table.field(name).type}"
            raise PartError(what, path=path, todo=todo)
    return table.select(list(kinds))


@cache
def _types(kinds: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    return {field.name: field.type for field in rows_to_arrow(dict(kinds), []).schema}


def _check_columns(table: Any, names: Iterable[str], path: Path, todo: str) -> None:  # noqa: ANN401 - pyarrow has no types
    missing = [name for name in names if name not in table.column_names]
    if missing:
        raise PartError(f"expected the columns {', '.join(missing)}, saw none", path=path, todo=todo)
    holes = [name for name in names if table.column(name).null_count]
    if holes:
        raise PartError(f"expected a value in every row, saw none in some of {', '.join(holes)}", path=path, todo=todo)


def _unreadable(error: OSError, path: Path) -> PartError:
    todo = "Check the file and its permissions"
    return PartError(f"expected a file that can be read, saw: {error.strerror}", path=path, todo=todo)


def rows_to_arrow(kinds: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return rows as an Arrow table; `kinds` maps each column to "string", "int64", "float64", "bool" or "list<int64>"."""
    return arrow().table({name: _listed([row[name] for row in rows], kind) for name, kind in kinds.items()})


def arrow_texts(values: Sequence[str]) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return texts as an Arrow array; see `arrow_column`."""
    pa = arrow()
    encoded = [value.encode() for value in values]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    return pa.StringArray.from_buffers(len(values), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded)))


def _listed(values: Sequence[Any], kind: str) -> Any:  # noqa: ANN401 - pyarrow has no types
    if kind == "string":
        return arrow_texts(values)
    if kind == "list<int64>":
        ends = np.cumsum([0, *map(len, values)], dtype=np.int32)
        inner = np.array([each for some in values for each in some], np.int64)
        return arrow().ListArray.from_arrays(arrow_column(ends), arrow_column(inner))
    return arrow_column(np.array(values, kind))


def write_json(path: Path, content: object) -> None:
    """Write a JSON file atomically.

    Raises:
        NoRoomError: the disk is full.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with disk_errors(path):
        try:
            with beside.open("w", encoding="utf-8") as file:
                json.dump(content, file, indent=1)
                file.write("\n")
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)


def concat(schema: Schema, tables: Sequence[Table]) -> Table:
    """Concatenate tables, with the column types of a schema."""
    if len(tables) == 1:
        return tables[0]
    return Table(
        {name: np.concatenate([table.columns[name] for table in tables]) for name in schema}
        if tables
        else {name: np.empty(0, kind) for name, kind in schema.items()}
    )
