"""The values that messages carry: what Java tells apart by type and Python would not.

Java's overloads and its primitive types matter in a messaging API: a property set as ``byte`` converts otherwise than
one set as ``long``, and a null argument is not an argument left out. This module holds the marks that keep the
difference:

* `OMITTED`, an argument that was not given (``None`` is Java's null);
* the boxes `Byte`, `Short`, `Int`, `Long`, `Float`, `Double`, `Char`, each exactly one Java type and nothing else;
* `BodyMarker` and its members, the body types that Python has no class for.

It imports nothing of ours and knows nothing of messages.
"""

from __future__ import annotations

import math
import struct
from enum import Enum
from typing import Any, ClassVar, Final, TypeAlias, final

__all__ = [
    "CHAR_SEQUENCE",
    "COMPARABLE",
    "NUMBER",
    "OBJECT",
    "OMITTED",
    "SERIALIZABLE",
    "BodyMarker",
    "BodyType",
    "Box",
    "Byte",
    "Char",
    "Double",
    "Float",
    "Int",
    "Long",
    "Omitted",
    "Short",
]


@final
class Omitted(Enum):
    """Be the type of `OMITTED`; an enum, so that the one member stays the same through copies and pickles."""

    OMITTED = "OMITTED"

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "OMITTED"

    __str__ = __repr__


OMITTED: Final = Omitted.OMITTED
"""Mark an argument that was not given, where ``None`` already means null.

It is false, is only ever compared with ``is``, and never reaches a wire or a message.
"""


class Box:
    """Hold one value of one Java type, exactly; the common base of the seven boxes.

    A box equals only a box of its own type with the same value: ``Int(5) != Long(5)`` and ``Int(5) != 5``. It is
    immutable and hashable; `value` is the plain Python value. A value of the wrong Python type raises TypeError, one
    out of range ValueError.
    """

    __slots__ = ("_value",)

    _value: Any
    java_name: ClassVar[str] = ""

    @property
    def value(self) -> int | float | str:
        """Give the plain Python value."""
        plain: int | float | str = self._value
        return plain

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; cannot set {name!r} to {value!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; cannot delete {name!r}")

    def _key(self) -> object:
        return self._value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Box):
            return NotImplemented
        return type(other) is type(self) and other._key() == self._key()

    def __hash__(self) -> int:
        return hash((type(self), self._key()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._value!r})"

    def __reduce__(self) -> tuple[type[Box], tuple[object]]:
        return type(self), (self._value,)


class _IntegerBox(Box):
    __slots__ = ()

    MIN_VALUE: ClassVar[int]
    MAX_VALUE: ClassVar[int]

    def __init__(self, value: int) -> None:
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{type(self).__name__} takes an int, not {type(value).__name__} {value!r}")
        if not self.MIN_VALUE <= value <= self.MAX_VALUE:
            raise ValueError(f"{value} is out of range for {type(self).__name__}: {self.MIN_VALUE} to {self.MAX_VALUE}")
        object.__setattr__(self, "_value", int(value))

    @property
    def value(self) -> int:
        """Give the number as a plain ``int``."""
        return int(self._value)


@final
class Byte(_IntegerBox):
    """Hold a Java byte: a whole number from -128 to 127."""

    __slots__ = ()
    java_name = "java.lang.Byte"
    MIN_VALUE, MAX_VALUE = -(2**7), 2**7 - 1


@final
class Short(_IntegerBox):
    """Hold a Java short: a whole number of 16 bits with sign."""

    __slots__ = ()
    java_name = "java.lang.Short"
    MIN_VALUE, MAX_VALUE = -(2**15), 2**15 - 1


@final
class Int(_IntegerBox):
    """Hold a Java int: a whole number of 32 bits with sign."""

    __slots__ = ()
    java_name = "java.lang.Integer"
    MIN_VALUE, MAX_VALUE = -(2**31), 2**31 - 1


@final
class Long(_IntegerBox):
    """Hold a Java long: a whole number of 64 bits with sign; in an Object position a plain ``int`` says the same."""

    __slots__ = ()
    java_name = "java.lang.Long"
    MIN_VALUE, MAX_VALUE = -(2**63), 2**63 - 1


class _RealBox(Box):
    __slots__ = ()

    def __init__(self, value: float) -> None:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TypeError(f"{type(self).__name__} takes a float, not {type(value).__name__} {value!r}")
        object.__setattr__(self, "_value", self._rounded(float(value)))

    @staticmethod
    def _rounded(value: float) -> float:
        return value

    def _key(self) -> object:
        # As Java's equals: NaN equals NaN, and 0.0 is not -0.0.
        return "nan" if math.isnan(self._value) else struct.pack(">d", self._value)

    @property
    def value(self) -> float:
        """Give the number as a plain ``float``."""
        return float(self._value)


@final
class Float(_RealBox):
    """Hold a Java float: the nearest number of 32 bits, beyond the largest one an infinity, as a Java cast does."""

    __slots__ = ()
    java_name = "java.lang.Float"

    @staticmethod
    def _rounded(value: float) -> float:
        try:
            (rounded,) = struct.unpack(">f", struct.pack(">f", value))
        except OverflowError:
            return math.copysign(math.inf, value)
        return float(rounded)


@final
class Double(_RealBox):
    """Hold a Java double: 64 bits; in an Object position a plain ``float`` says the same."""

    __slots__ = ()
    java_name = "java.lang.Double"


@final
class Char(Box):
    """Hold a Java char: one UTF-16 unit, so a ``str`` of length 1 up to U+FFFF; half a surrogate pair is allowed."""

    __slots__ = ()
    java_name = "java.lang.Character"

    def __init__(self, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError(f"Char takes a str of length 1, not {type(value).__name__} {value!r}")
        if len(value) != 1 or ord(value) > 0xFFFF:
            raise ValueError(f"Char takes exactly one UTF-16 unit, not {value!r}")
        object.__setattr__(self, "_value", str(value))

    @property
    def value(self) -> str:
        """Give the character as a plain ``str`` of length 1."""
        return str(self._value)


@final
class BodyMarker(Enum):
    """Name a Java type that may be asked for as a body and has no Python class of its own."""

    OBJECT = "java.lang.Object"
    SERIALIZABLE = "java.io.Serializable"
    CHAR_SEQUENCE = "java.lang.CharSequence"
    COMPARABLE = "java.lang.Comparable"
    NUMBER = "java.lang.Number"

    def __repr__(self) -> str:
        return self.name


OBJECT: Final = BodyMarker.OBJECT
SERIALIZABLE: Final = BodyMarker.SERIALIZABLE
CHAR_SEQUENCE: Final = BodyMarker.CHAR_SEQUENCE
COMPARABLE: Final = BodyMarker.COMPARABLE
NUMBER: Final = BodyMarker.NUMBER

BodyType: TypeAlias = type[Any] | BodyMarker
"""What stands for Java's ``Class`` argument: ``str``, ``bytes`` (byte[]), ``dict`` (Map), ``bool``, ``int`` or `Long`,
``float`` or `Double`, another box class, a `BodyMarker`, or a type registered for object messages."""
