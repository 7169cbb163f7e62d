"""Lines of JSON: how bundle files are written, read, measured and digested.

Lines are UTF-8; a row with a lone surrogate, which a JMS string may hold, is ASCII with escapes. An integer beyond
64 bits, which no JMS value is, becomes a rendered value. NaN and the infinities are rendered as text (events.py).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from tck.record import compressed
from tck.record.codec import encode
from tck.record.errors import MissingBundle, TamperedBundle

_exact = json.JSONEncoder(ensure_ascii=True, allow_nan=False, check_circular=False, separators=(",", ":")).encode
_LONG = 1 << 63
_FRAME = 500


def line(row: object) -> bytes:
    """Render one row, as JSON values or as a dataclass of the bundle, as a line."""
    try:
        return orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # a lone surrogate, an integer beyond 64 bits, a mapping that is no dict
        return _exact(_narrow(encode(row))).encode("ascii") + b"\n"


def _narrow(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Replace integers that readers of JSON may turn into floats."""
    if isinstance(value, int) and not -_LONG <= value < 2 * _LONG:
        return {"type": "int", "value": str(value)}
    if isinstance(value, Mapping):
        return {key: _narrow(item) for key, item in value.items()}
    return [_narrow(item) for item in value] if isinstance(value, list | tuple) else value


def packed_lines(rows: Iterable[object]) -> bytes:
    """Render rows as compressed lines, in frames of a few hundred: a file that is cut keeps those before."""
    every = list(rows)
    frames = (every[first : first + _FRAME] for first in range(0, len(every), _FRAME))
    return b"".join(compressed.pack(lines(frame), compressed.SMALL) for frame in frames)


def lines(rows: Iterable[object]) -> bytes:
    """Render rows as one block of lines."""
    return b"".join(map(line, rows))


def ascii_line(row: object) -> str:
    """Render one row as a line of ASCII, for people to read."""
    content = line(row)
    return content.decode("ascii") if content.isascii() else _exact(_narrow(encode(row))) + "\n"


def decode(text: bytes) -> Any:  # noqa: ANN401 - any JSON
    """Read a line that `line` wrote.

    Raises:
        ValueError: it is no JSON.
    """
    try:
        return orjson.loads(text)
    except ValueError:  # a lone surrogate, or no JSON at all
        return json.loads(text)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")  # workers may write the same file at the same time
    beside.write_bytes(content)
    beside.replace(path)


def pretty(row: object) -> bytes:
    """Render a JSON file for people."""
    return (json.dumps(row, indent=1, ensure_ascii=True, allow_nan=False) + "\n").encode("ascii")


def read_object(path: Path, *, todo: str) -> dict[str, Any]:
    """Read a JSON file that holds one object.

    Raises:
        MissingBundle: The file is not there.
        TamperedBundle: It is no JSON object.
    """
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise MissingBundle("expected this file of the bundle, saw none", path=path, todo=todo) from None
    except ValueError as error:
        raise TamperedBundle(f"expected JSON, saw {error}", path=path, todo=todo) from None
    if not isinstance(content, dict):
        raise TamperedBundle(f"expected a JSON object, saw {type(content).__name__}", path=path, todo=todo)
    return content


def read_lines(path: Path, *, todo: str, torn: bool = False) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read the rows of a file with their line numbers, from 1.

    Args:
        path: The file; one that is not there has no rows.
        todo: The advice to the user if the file is broken.
        torn: Skip a last line without an end, as a killed writer leaves it.

    Raises:
        TamperedBundle: A line is no JSON object, or the file is damaged.
    """
    content = path.read_bytes() if path.exists() else b""
    if path.suffix == compressed.SUFFIX:
        try:
            content = compressed.unpack(content, torn=torn)
        except ValueError as error:
            raise TamperedBundle(f"expected compressed lines, saw {error}", path=path, todo=todo) from None
    for number, text in enumerate(content.splitlines(keepends=True), start=1):
        if torn and not text.endswith(b"\n"):
            return
        try:
            row = decode(text)
        except ValueError as error:
            raise TamperedBundle(f"expected JSON, saw {error}", path=path, line=number, todo=todo) from None
        if not isinstance(row, dict):
            raise TamperedBundle("expected a JSON object", path=path, line=number, todo=todo)
        yield number, row


def digest(path: Path) -> str:
    """Return the SHA-256 of a file as `sha256:<hex>`."""
    with path.open("rb") as file:
        return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()


def cut_torn_tail(path: Path) -> int:
    """Cut a last line without an end off a file; return the remaining size in bytes."""
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        end = size
        while end:
            start = max(0, end - 65536)
            file.seek(start)
            newline = file.read(end - start).rfind(b"\n")
            end = start + newline + 1 if newline >= 0 else start
            if newline >= 0:
                break
        if end != size:
            file.truncate(end)
        return end
