"""The classes of selectors: which parts of the language a selector uses. Imports nothing of ours."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

_TOKENS: Final = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("arithmetic", r"[\w)]\s+[-+*/]\s+[\w(]|[-+]\s*[a-z]"),
        ("between", r"\bBETWEEN\b"),
        ("boolean", r"\b(TRUE|FALSE)\b"),
        ("connective", r"\b(AND|OR|NOT)\b"),
        ("header", r"\bJMS"),
        ("identifier", r"\b(JMSMessageID|JMSCorrelationID)\b"),
        ("in", r"\bIN\s*\("),
        ("like", r"\bLIKE\b"),
        ("null", r"\bNULL\b"),
        ("number", r"(=|<|>)\s*[-+]?[\d.]"),
        ("text", r"(=|<>)\s*''?[^']*'"),
    )
)


@cache
def classes_of(selector: str) -> frozenset[str]:
    """Return the classes of a selector; none of an empty one."""
    return frozenset(name for name, pattern in _TOKENS if pattern.search(selector))
