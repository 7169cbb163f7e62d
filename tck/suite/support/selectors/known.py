"""Selectors whose trees the suite has: what the oracle says of a recorded message.

A trace has the text of a selector and the facts of messages. The text is looked up, not parsed: for one that is not here the
answer is open, and so it is for a message with properties that are neither texts nor truth values: none of these needs more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tck.suite.support.marking import BLUE, RED
from tck.suite.support.selectors.expressions import Compared, Condition, Name, Text

TREES: Mapping[str, Condition] = {
    RED: Compared(Name("colour"), "=", Text("red")),
    BLUE: Compared(Name("colour"), "=", Text("blue")),
}
"""Conditions by the text under which tests present them."""


def matches(selector: str, facts: Mapping[str, Any]) -> bool | None:
    """Tell whether a selector lets a message through, by its recorded facts; None where that is not known."""
    tree = TREES.get(selector)
    properties = facts.get("properties") or {}
    if tree is None or not all(isinstance(value, (str, bool, type(None))) for value in properties.values()):
        return None
    return tree.truth(properties) is True
