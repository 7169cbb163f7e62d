"""Selectors of red and blue messages, by the property `colour`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

RED = "colour = 'red'"
"""Selects the red messages."""

BLUE = "colour = 'blue'"
"""Selects the blue messages."""

_SELECTED: Mapping[str, str] = {RED: "red", BLUE: "blue"}


def matches(selector: str, facts: Mapping[str, Any]) -> bool | None:
    """Return whether a selector chooses a message, by its recorded facts; None for any selector but `RED` and `BLUE`.

    None, too, for a message with properties that are neither texts nor truth values: red and blue ones have no others.
    """
    properties = facts.get("properties") or {}
    if selector not in _SELECTED or not all(
        isinstance(value, (str, bool, type(None))) for value in properties.values()
    ):
        return None
    return properties.get("colour") == _SELECTED[selector]
