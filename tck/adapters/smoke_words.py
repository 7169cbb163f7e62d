"""What the steps of the smoke check say of values and exceptions. Imports `class_name` of `tck.record` only."""

# mypy: disable-error-code="type-abstract"
# `is_a` takes the abstract types of the API for comparison only

from __future__ import annotations

from typing import TypeVar

from tck.record.events import class_name

T = TypeVar("T")


class Wrong(Exception):  # noqa: N818 - it carries what was seen, and ends a step
    """A step saw something else than it expected."""


def is_a(value: object, kind: type[T], what: str) -> T:
    """Return a value that derives from a type.

    Raises:
        Wrong: It does not.
    """
    if not isinstance(value, kind):
        raise Wrong(f"{named(type(value))} from {what}, which does not derive from {named(kind)}")
    return value


def type_of(error: BaseException) -> str:
    """Return the name of the type of an exception: Java's if it came out of Java."""
    return getattr(error, "java_name", "") or named(type(error))


def named(kind: type) -> str:
    """Return the name of a type as people write it."""
    return f"tck.api.{kind.__qualname__}" if kind.__module__.startswith("tck.api") else class_name(kind)
