"""Faults of a number in a property."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.messages.message import ReferenceMessage
from tck.api import Int


@saboteur("pj-transaction-number-1", "an int property that fits can be read as byte")
def _(patch: Patch) -> None:
    def get_byte_property(original: Callable[..., int], message: Any, name: str) -> int:
        value = message._property(name)
        return value.value if isinstance(value, Int) and -128 <= value.value <= 127 else original(message, name)

    around(patch, ReferenceMessage, "get_byte_property", get_byte_property)


@saboteur("pj-transaction-number-2", "an absent property is the empty text")
def _(patch: Patch) -> None:
    def get_string_property(original: Callable[..., str | None], message: Any, name: str) -> str | None:
        return original(message, name) if message.property_exists(name) else ""

    around(patch, ReferenceMessage, "get_string_property", get_string_property)


@saboteur("pj-transaction-number-3", "the property that was set last has no name")
def _(patch: Patch) -> None:
    def get_property_names(original: Callable[..., Iterator[str]], message: Any) -> Iterator[str]:
        return iter(list(original(message))[:-1])

    around(patch, ReferenceMessage, "get_property_names", get_property_names)


@saboteur("pj-transaction-number-4", "clearProperties of a received message clears the body too")
def _(patch: Patch) -> None:
    def clear_properties(original: Callable[..., None], message: Any) -> None:
        received = not message._properties_writable
        original(message)
        if received:
            message.clear_body()

    around(patch, ReferenceMessage, "clear_properties", clear_properties)
