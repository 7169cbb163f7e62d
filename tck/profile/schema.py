"""Validate a document against the subset of JSON Schema that this package's schema uses.

The full validator costs 120 ms to import, twice what the catalogue costs, at every start of every process of a run,
and its messages are written for programmers. A test checks that both accept and refuse the same documents. Imports
nothing of ours.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

KEYWORDS = frozenset(
    {
        "$ref",
        "additionalProperties",
        "allOf",
        "anyOf",
        "const",
        "enum",
        "exclusiveMinimum",
        "if",
        "items",
        "maximum",
        "minItems",
        "minimum",
        "pattern",
        "properties",
        "propertyNames",
        "required",
        "type",
        "uniqueItems",
    }
)
"""The supported keywords; ``then`` and ``else`` belong to ``if``; of annotations only ``expected`` is used."""

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}
_NAMES = {
    "object": "a table",
    "array": "a list",
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
}
_BOUNDS: tuple[tuple[str, str, Callable[[float, float], bool]], ...] = (
    ("minimum", "at least", operator.ge),
    ("exclusiveMinimum", "more than", operator.gt),
    ("maximum", "at most", operator.le),
)
Schema = Mapping[str, Any] | bool


@dataclass(frozen=True, slots=True)
class Problem:
    """One place where a document breaks its schema.

    Attributes:
        path: The path to the place; for a missing key, to the table that lacks it.
        message: What was expected, and what was seen.
        unknown: The known keys where the place is an unknown key; otherwise empty.
    """

    path: tuple[str | int, ...]
    message: str
    unknown: tuple[str, ...] = ()


def problems(document: object, schema: Schema) -> Iterator[Problem]:
    """Yield the violations of the schema."""
    yield from _Check(schema).value(document, schema, ())


class _Check:
    def __init__(self, root: Schema) -> None:
        self._root = root

    def value(self, value: object, schema: Schema, path: tuple[str | int, ...]) -> Iterator[Problem]:
        if isinstance(schema, bool):
            if not schema:
                yield Problem(path, "this key is not allowed here")
            return
        if "$ref" in schema:
            yield from self.value(value, self._resolve(schema["$ref"]), path)
        expected = schema.get("expected")
        kind = schema.get("type")
        if kind is not None and not _is(value, kind):
            yield Problem(path, f"expected {_NAMES[kind]}; saw {_show(value)}")
            return
        yield from self._scalar(value, schema, path)
        if isinstance(value, dict):
            yield from self._table(value, schema, path)
        if isinstance(value, list):
            yield from self._list(value, schema, path)
        for part in schema.get("allOf", ()):
            yield from self.value(value, part, path)
        if "anyOf" in schema and not any(self._keeps(value, part) for part in schema["anyOf"]):
            yield Problem(path, f"expected {expected or 'one of several forms'}; found none")
        if "if" in schema:
            branch = schema.get("then" if self._keeps(value, schema["if"]) else "else", True)
            yield from self.value(value, branch, path)

    def _scalar(self, value: object, schema: Mapping[str, Any], path: tuple[str | int, ...]) -> Iterator[Problem]:
        expected = schema.get("expected")
        if "const" in schema and value != schema["const"]:
            yield Problem(path, f"expected {_show(schema['const'])}; saw {_show(value)}")
        if "enum" in schema and value not in schema["enum"]:
            yield Problem(path, f"expected one of {', '.join(map(_show, schema['enum']))}; saw {_show(value)}")
        if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
            yield Problem(path, f"expected {expected or schema['pattern']}; saw {_show(value)}")
        if isinstance(value, int | float) and not isinstance(value, bool):
            for keyword, word, within in _BOUNDS:
                if keyword in schema and not within(value, schema[keyword]):
                    yield Problem(path, f"expected {word} {schema[keyword]}; saw {value}")

    def _table(
        self, value: dict[str, object], schema: Mapping[str, Any], path: tuple[str | int, ...]
    ) -> Iterator[Problem]:
        known = schema.get("properties", {})
        expected = schema.get("expected")
        more = schema.get("additionalProperties", True)
        for key, element in value.items():
            if "propertyNames" in schema:
                yield from self.value(key, schema["propertyNames"], (*path, key))
            if known.get(key) is False:
                yield Problem((*path, key), f"expected {expected}" if expected else "this key is not allowed here")
            elif key in known:
                yield from self.value(element, known[key], (*path, key))
            elif more is False:
                yield Problem((*path, key), "unknown key", tuple(known))
            else:
                yield from self.value(element, more, (*path, key))
        for key in schema.get("required", ()):
            if key not in value:
                yield Problem(path, f'the key "{key}" is missing' + (f"; expected {expected}" if expected else ""))

    def _list(
        self, value: Sequence[object], schema: Mapping[str, Any], path: tuple[str | int, ...]
    ) -> Iterator[Problem]:
        for number, element in enumerate(value):
            if "items" in schema:
                yield from self.value(element, schema["items"], (*path, number))
            if schema.get("uniqueItems") and element in value[:number]:
                yield Problem((*path, number), f"{_show(element)} comes twice; keep one of them")
        if len(value) < schema.get("minItems", 0):
            yield Problem(path, f"expected {schema.get('expected', 'more elements')}; the list is empty")

    def _keeps(self, value: object, schema: Schema) -> bool:
        return next(self.value(value, schema, ()), None) is None

    def _resolve(self, reference: str) -> Schema:
        found: Any = self._root
        for part in reference.removeprefix("#/").split("/"):
            found = found[part]
        return found  # type: ignore[no-any-return]  # a schema is data


def _is(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[kind])


def _show(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(value).lower()
    return "a table" if isinstance(value, dict) else str(value)
