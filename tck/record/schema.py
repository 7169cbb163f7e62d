"""The JSON Schemas of a bundle, for other tools and for `validate`.

The reader does not use them, since digests show that a file was written by this kit; tests and other writers of
bundles use them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # its stubs are a package of their own

from tck.record import lines
from tck.record.reader import AGAIN, table
from tck.record.rows import CASES, RESULTS
from tck.record.short_events import restore
from tck.record.writer import EVENTS

KINDS = ("run", "case", "result", "end", "event")


@dataclass(frozen=True, slots=True)
class Problem:
    """A place where a row does not fit its schema."""

    file: str
    line: int
    key: str
    text: str


@cache
def schema(kind: str) -> Mapping[str, Any]:
    """Return the JSON Schema (draft 2020-12) of "run", "case", "result", "end" or "event"."""
    if kind not in KINDS:
        raise ValueError(f"expected one of {', '.join(KINDS)}, saw {kind!r}")
    text = resources.files("tck.record").joinpath("schemas", f"{kind}.schema.json").read_text("utf-8")
    content: dict[str, Any] = json.loads(text)
    return content


@cache
def _validator(kind: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema(kind))


def problems(kind: str, row: object, *, file: str = "", line: int = 1) -> Iterator[Problem]:
    """Yield the places where a row does not fit the schema of its kind."""
    for error in _validator(kind).iter_errors(row):
        yield Problem(file, line, ".".join(str(part) for part in error.absolute_path), error.message)


def validate(folder: Path) -> list[Problem]:
    """Validate every line of a finished bundle; yield the places that do not fit.

    Raises:
        BundleError: A file is missing, or no JSON.
    """
    found: list[Problem] = []
    for name in ("run", "end"):
        path = folder / f"{name}.json"
        found += problems(name, lines.read_object(path, todo=AGAIN), file=path.name)
    for kind, path in (("case", table(folder, CASES)), ("result", table(folder, RESULTS))):
        for number, row in lines.read_lines(path, todo=AGAIN):
            found += problems(kind, row, file=path.name, line=number)
    for path in sorted((folder / EVENTS).glob("*.ndjson*")):
        rows = (row for _, row in lines.read_lines(path, todo=AGAIN))
        for number, event in enumerate(restore(rows), start=1):
            found += problems("event", event, file=path.relative_to(folder).as_posix(), line=number)
    return found
