"""Frozen dataclasses to JSON values and back, driven by their type hints.

Any is right here: the values are any JSON. The module supports the types of a bundle's rows: scalars, StrEnum, `X |
None`, `tuple[X, ...]`, `Mapping[str, X]`, nested dataclasses and `object` (any JSON value). A key that a row does
not have takes the field's default; a key that the class does not know is refused, since rows of one schema number
never differ in their keys.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Hashable, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any, TypeVar, cast

T = TypeVar("T")
Convert = Callable[[Any], Any]


class RowError(ValueError):
    """A row does not fit its type: the key, the expected and the seen value."""


_PLAIN = frozenset({str, int, float, bool, type(None)})


def encode(value: object) -> Any:  # noqa: ANN401 - any JSON value
    """Turn a dataclass, with its contents, into JSON values."""
    if type(value) in _PLAIN:
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: encode(getattr(value, name)) for name in _names(type(value))}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return [encode(item) for item in value]
    return value


def decode(cls: type[T], row: object) -> T:
    """Build a `cls` from a JSON object.

    Raises:
        RowError: The row is not an object, lacks a key, has an unknown one, or a value of another type.
    """
    if not isinstance(row, Mapping):
        raise RowError(f"{cls.__name__}: expected an object, saw {type(row).__name__}")
    fields = _decoders(cast("Hashable", cls))
    strange = row.keys() - fields.keys()
    if strange:
        raise RowError(f"{cls.__name__}: unknown key {min(strange)!r}")
    given = {}
    for name, (convert, required) in fields.items():
        if name in row:
            try:
                given[name] = convert(row[name])
            except (TypeError, ValueError) as error:
                raise RowError(f"{cls.__name__}.{name}: {error}") from None
        elif required:
            raise RowError(f"{cls.__name__}: key {name!r} is missing")
    return cls(**given)


@cache
def _names(cls: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cls))


@cache
def _decoders(cls: Any) -> Mapping[str, tuple[Convert, bool]]:  # noqa: ANN401 - a dataclass type
    hints = typing.get_type_hints(cls)
    missing = dataclasses.MISSING
    return {
        field.name: (_converter(hints[field.name]), field.default is missing and field.default_factory is missing)
        for field in dataclasses.fields(cls)
    }


def _converter(hint: Any) -> Convert:  # noqa: ANN401 - any type hint
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _optional([argument for argument in arguments if argument is not type(None)])
    if origin is tuple:
        return _many(_converter(arguments[0]))
    if origin is not None and issubclass(origin, Mapping):
        return _table(_converter(arguments[1]))
    if dataclasses.is_dataclass(hint):
        return lambda value: decode(cast("type[object]", hint), value)
    if hint in (object, Any):
        return lambda value: value
    if issubclass(hint, Enum):
        return cast("Convert", hint)
    return _exactly(hint)


def _optional(others: list[Any]) -> Convert:
    (only,) = others
    inner = _converter(only)
    return lambda value: None if value is None else inner(value)


def _many(inner: Convert) -> Convert:
    def convert(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise TypeError(f"expected an array, saw {type(value).__name__}")
        return tuple(inner(item) for item in value)

    return convert


def _table(inner: Convert) -> Convert:
    def convert(value: object) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise TypeError(f"expected an object, saw {type(value).__name__}")
        return {key: inner(item) for key, item in value.items()}

    return convert


def _exactly(kind: type) -> Convert:
    accepted = (int, float) if kind is float else (kind,)

    def convert(value: object) -> object:
        if type(value) not in accepted:
            raise TypeError(f"expected {kind.__name__}, saw {type(value).__name__}")
        return value

    return convert
