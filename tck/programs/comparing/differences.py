"""What two providers showed differently, and what the specification says to it. Imports nothing of ours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

_NUMBER: Final = re.compile(r"\d+")
_WORD: Final = re.compile(r"\b(?:NOT|AND|OR|BETWEEN|LIKE|ESCAPE|IN|IS|NULL|TRUE|FALSE|JMS\w+)\b|[-+*/]|[<>=]+")
"""The words and signs of a selector that say which kind of selector it is."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference.

    Attributes:
        step: Number of the step, from 0.
        do: What the step does.
        what: What differs: ``refused``, ``accepted``, ``exception``, ``hung``, ``missing``, ``extra``, ``order``,
            ``kind``, ``body``, ``header NAME``, ``property``, ``value``, ``trace NAME``.
        expected: What the reference provider showed, in words.
        seen: What the provider showed, in words.
        flags: Conditions that say which rows it is about, such as ``durable``, ``after recover``, ``sender``.
        consumer: The consumer that a message came to, or should have come to.
        message: The message, as it was shown.
        rows: Ids of the catalogue rows that it breaks, once it has been judged; empty where no row is named.
        rule: The entry of the owners that names them.
    """

    step: int
    do: str
    what: str
    expected: str
    seen: str
    flags: frozenset[str] = field(default_factory=frozenset)
    consumer: str | None = None
    message: Mapping[str, Any] | None = None
    rows: tuple[str, ...] = ()
    rule: str = ""

    @property
    def selector(self) -> str:
        """The selector that a difference of ``select`` is about."""
        return self.expected.rpartition(": ")[0] if self.do == "select" else ""

    @property
    def kind(self) -> str:
        """Name the fault, so that the same one in another program has the same name."""
        rows = " ".join(self.rows)
        if self.what.startswith(("header", "property", "body", "again", "kind")):
            side = "sender" if "sender" in self.flags else "receiver"
            return f"{self.what} ({side}): {rows}"
        if self.do == "select":
            words = _WORD.findall(re.sub(r"'(?:[^']|'')*'", "", self.selector.upper()))
            return f"select: {'refused' if 'raises' in self.seen else ''} {' '.join(sorted(set(words)))}"
        reason = self.seen if self.what in {"exception", "refused"} else ""
        return f"{self.do}: {self.what}: {rows}: {_NUMBER.sub('#', reason)[:60]}".rstrip(": ")


@dataclass(frozen=True, slots=True)
class Allowed:
    """A difference that the specification leaves open, with the rule that says so."""

    step: int
    what: str
    rule: str
