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
    """Return whether a selector chooses a message, by its recorded facts.

    None for any selector but `RED` and `BLUE`, and for a colour that is no text. Other properties play no part: a provider
    may set some, such as JMSXDeliveryCount.
    """
    colour = (facts.get("properties") or {}).get("colour")
    if selector not in _SELECTED or not isinstance(colour, (str, type(None))):
        return None
    return colour == _SELECTED[selector]
