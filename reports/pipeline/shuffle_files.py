"""Shuffle files, which session tasks write for message tasks: one for each session task, with a block for each bucket.

The number of blocks is session tasks times buckets, the square of a run's size, so a block must cost very little: it is one
compressed piece, column after column, found through an index at the beginning of the file. The files are deleted after the check.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from tck.check.columns import Array, Schema, Table
from tck.reports.pipeline.errors import PartError, disk_errors
from tck.reports.pipeline.parquet import arrow

_ENTRY: Final = np.dtype([("at", "<u8"), ("size", "<u8"), ("rows", "<u8")])
_CODEC: Final = "lz4"


def write_blocks(path: Path, rows: Table, starts: Array, schema: Schema) -> None:
    """Write rows that are sorted by bucket, atomically; `starts` holds the first row of each bucket and the end of the last.

    Raises:
        NoRoomError: the disk is full.
    """
    compress = arrow().Codec(_CODEC).compress
    layout, _ = _laid_out(tuple(schema.items()))
    columns = [np.ascontiguousarray(rows.columns[name], kind) for name, kind, _ in layout]
    index = np.zeros(len(starts) - 1, _ENTRY)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with disk_errors(path):
        try:
            with beside.open("wb") as file:
                file.write(index.tobytes())
                for number, (first, last) in enumerate(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)):
                    if first < last:
                        block = compress(b"".join([column[first:last].data for column in columns]), asbytes=True)
                        index[number] = file.tell(), len(block), last - first
                        file.write(block)
                file.seek(0)
                file.write(index.tobytes())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)


def read_block(path: Path, bucket: int, schema: Schema) -> Table:
    """Read the rows of one bucket; empty if there is no such file.

    Raises:
        PartError: the file is damaged.
    """
    layout, width = _laid_out(tuple(schema.items()))
    try:
        with path.open("rb", buffering=0) as file:
            file.seek(bucket * _ENTRY.itemsize)
            [(at, size, rows)] = np.frombuffer(file.read(_ENTRY.itemsize), _ENTRY, 1).tolist()
            if not rows:
                return Table.empty(schema)
            file.seek(at)
            data = arrow().Codec(_CODEC).decompress(file.read(size), rows * width)
    except FileNotFoundError:
        return Table.empty(schema)
    except (ValueError, OSError, OverflowError, MemoryError) as error:
        todo = "Run the check again"
        raise PartError(f"expected a file of this check, saw a damaged one ({error})", path=path, todo=todo) from error
    return Table({name: np.frombuffer(data, kind, rows, before * rows) for name, kind, before in layout})


@lru_cache
def _laid_out(schema: tuple[tuple[str, str], ...]) -> tuple[list[tuple[str, np.dtype[Any], int]], int]:
    """Return the columns with their offsets in a row, and the bytes of a row; wide columns first, for alignment."""
    layout, width = [], 0
    for name, kind in sorted(schema, key=lambda item: -np.dtype(item[1]).itemsize):
        layout.append((name, np.dtype(kind), width))
        width += np.dtype(kind).itemsize
    return layout, width
