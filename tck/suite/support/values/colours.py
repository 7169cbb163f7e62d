"""Red and blue messages, which the selectors of the tests tell apart by the property `colour`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

RED = "colour = 'red'"
"""Selects the red messages."""

BLUE = "colour = 'blue'"
"""Selects the blue messages."""

_SELECTED: Mapping[str, str] = {RED: "red", BLUE: "blue"}


def matches(selector: str, facts: Mapping[str, Any]) -> bool | None:
    """Return whether a selector lets a message through, by its recorded facts; None for a selector that is not here.

    The answer is open, too, for a message with properties that are neither texts nor truth values: no red or blue one has any.
    """
    properties = facts.get("properties") or {}
    if selector not in _SELECTED or not all(
        isinstance(value, (str, bool, type(None))) for value in properties.values()
    ):
        return None
    return properties.get("colour") == _SELECTED[selector]
