"""The safe encoding of the body of an object message: built-in values and registered types only.

The form is JSON, readable in any tool. Values that JSON has are plain: null, booleans, numbers, strings, lists, and
dictionaries whose keys are strings. Every other value is an object with the only key `$`, a list of a tag and its
parts. A value is encoded by its exact type; an instance of a subclass, or of a type that is not registered, is refused
by name. Nothing is ever unpickled.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import uuid
from base64 import b64decode, b64encode
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, TypeAlias

from reference_provider.messages.registry import TypeRegistry
from reference_provider.messages.values import type_name
from tck.api import Byte, Char, Double, Float, Int, Long, MessageFormatException, Short

TAG: Final = "$"

Form: TypeAlias = Any
"""What JSON can say."""
_JSON_INTEGER: Final = 1 << 63  # larger ones get a tag: other JSON tools, SQLite's too, keep 64 bits

_encoder = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"), check_circular=False)


def encode(value: object, types: TypeRegistry, depth: int) -> bytes:
    """Encode a value into its stored form, which is also its copy (3.12-8).

    Args:
        value: the client's value; never None, which is no body.
        types: the types that may be sent beside the built-in values.
        depth: the largest nesting depth.

    Raises:
        MessageFormatException: a type that cannot be sent, by name; a value that contains itself or nests too deep.
    """
    writer = _Writer(types, depth)
    try:
        return _encoder.encode(writer.form(value)).encode("ascii")
    except MessageFormatException:
        raise
    except Exception as error:
        raise MessageFormatException(f"{type_name(value)} cannot be taken apart: {error!r}", None, error) from error


def decode(data: bytes, types: TypeRegistry) -> object:
    """Build the value again, a new one each time (3.12-16).

    Raises:
        MessageFormatException: a type that is not registered here, or an instance that cannot be built (3.11-38).
    """
    try:
        return _Reader(types).value(json.loads(data))
    except MessageFormatException:
        raise
    except Exception as error:
        raise MessageFormatException(f"the object cannot be built: {error!r}", None, error) from error


class _Writer:
    """Encodes one value; it counts the nesting depth."""

    def __init__(self, types: TypeRegistry, depth: int) -> None:
        self._types = types
        self._left = depth

    def form(self, value: object) -> Form:
        """Return the JSON form of a value."""
        simple = SIMPLE_FORMS.get(type(value))
        if simple is not None:
            return simple(value)
        return self._nested(value)

    def _nested(self, value: object) -> Form:
        if self._left == 0:
            raise MessageFormatException("the object contains itself or nests too deep to be sent")
        self._left -= 1
        try:
            return self._compound(value)
        finally:
            self._left += 1

    def _compound(self, value: object) -> Form:
        match value:
            case list() if type(value) is list:
                return [self.form(each) for each in value]
            case dict() if type(value) is dict:
                return self._dictionary(value)
            case tuple() | set() | frozenset() if type(value) in COLLECTIONS:
                return _tagged(type(value).__name__, [self.form(each) for each in value])
            case _:
                return self._registered(value)

    def _dictionary(self, value: dict[Any, Any]) -> Form:
        if TAG not in value and all(type(key) is str for key in value):
            return {key: self.form(each) for key, each in value.items()}
        return _tagged("dict", [[self.form(key), self.form(each)] for key, each in value.items()])

    def _registered(self, value: object) -> Form:
        registration = self._types.of_type(type(value))
        if registration is None:
            raise MessageFormatException(
                f"an object message cannot carry {type_name(value)}: neither a built-in value nor a registered type"
            )
        return _tagged("type", registration.name, self.form(registration.to_state(value)))


class _Reader:
    """Builds values from their JSON forms."""

    def __init__(self, types: TypeRegistry) -> None:
        self._types = types

    def value(self, form: Form) -> Form:
        """Build the value of a JSON form."""
        if type(form) is list:
            return [self.value(each) for each in form]
        if type(form) is dict:
            if TAG in form:
                return self._tagged(*form[TAG])
            return {key: self.value(each) for key, each in form.items()}
        return form

    def _tagged(self, tag: str, *parts: Form) -> Form:
        if tag == "type":
            return self._registered(*parts)
        if tag == "dict":
            return {self.value(key): self.value(each) for key, each in parts[0]}
        if tag in COLLECTION_TAGS:
            return COLLECTION_TAGS[tag](self.value(each) for each in parts[0])
        return SIMPLE_TAGS[tag](*parts)

    def _registered(self, name: str, state: Form) -> Form:
        registration = self._types.named(name)
        if registration is None:
            raise MessageFormatException(f"the object is of type {name!r}, which is not registered here")
        return registration.from_state(self.value(state))


def _tagged(tag: str, *parts: Form) -> Form:
    return {TAG: [tag, *parts]}


def _same(value: Form) -> Form:
    return value


def _integer(value: int) -> Form:
    return value if -_JSON_INTEGER <= value < _JSON_INTEGER else _tagged("int", hex(value))


def _real(value: float) -> Form:
    return value if math.isfinite(value) else _tagged("float", repr(value))


def _boxed(box: Form) -> Form:
    value = box.value
    return _tagged(type(box).__name__, value if not isinstance(value, float) or math.isfinite(value) else repr(value))


def _delta_parts(value: dt.timedelta) -> Form:
    return _tagged("timedelta", value.days, value.seconds, value.microseconds)


COLLECTIONS: Final = frozenset({tuple, set, frozenset})
COLLECTION_TAGS: Final[dict[str, Callable[[Any], Any]]] = {each.__name__: each for each in COLLECTIONS}

SIMPLE_FORMS: Final[dict[type, Callable[[Any], Any]]] = {
    type(None): _same,
    bool: _same,
    int: _integer,
    float: _real,
    str: _same,
    bytes: lambda value: _tagged("bytes", b64encode(value).decode("ascii")),
    bytearray: lambda value: _tagged("bytearray", b64encode(value).decode("ascii")),
    complex: lambda value: _tagged("complex", repr(value.real), repr(value.imag)),
    Decimal: lambda value: _tagged("Decimal", str(value)),
    Fraction: lambda value: _tagged("Fraction", hex(value.numerator), hex(value.denominator)),
    uuid.UUID: lambda value: _tagged("UUID", str(value)),
    dt.datetime: lambda value: _tagged("datetime", value.isoformat()),
    dt.time: lambda value: _tagged("time", value.isoformat()),
    dt.date: lambda value: _tagged("date", value.isoformat()),
    dt.timedelta: _delta_parts,
    Byte: _boxed,
    Short: _boxed,
    Int: _boxed,
    Long: _boxed,
    Float: _boxed,
    Double: _boxed,
    Char: _boxed,
}
"""Built-in values without parts, each with its JSON form."""

SIMPLE_TAGS: Final[dict[str, Callable[..., Any]]] = {
    "int": lambda text: int(text, 16),
    "float": float,
    "bytes": b64decode,
    "bytearray": lambda text: bytearray(b64decode(text)),
    "complex": lambda real, imaginary: complex(float(real), float(imaginary)),
    "Decimal": Decimal,
    "Fraction": lambda numerator, denominator: Fraction(int(numerator, 16), int(denominator, 16)),
    "UUID": uuid.UUID,
    "datetime": dt.datetime.fromisoformat,
    "time": dt.time.fromisoformat,
    "date": dt.date.fromisoformat,
    "timedelta": dt.timedelta,
    "Byte": Byte,
    "Short": Short,
    "Int": Int,
    "Long": Long,
    "Float": lambda value: Float(float(value)),
    "Double": lambda value: Double(float(value)),
    "Char": Char,
}
"""What builds the value behind each tag."""
