"""The syntax of selectors (3.8.1.1), so that a plan with a wrong one is refused before it runs. Imports nothing of ours.

Selects nothing: what a selector lets through is for the provider to say. Where the specification leaves room this takes
what any provider may take.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

RESERVED: Final = frozenset({"NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE"})
"""Words, in upper case, that are no identifiers."""
HEADERS: Final = frozenset(
    {"JMSDeliveryMode", "JMSPriority", "JMSMessageID", "JMSTimestamp", "JMSCorrelationID", "JMSType"}
)
"""Header fields that selectors may name."""
DEEPEST: Final = 50
"""So many parentheses may be open at a time."""

_BLANK: Final = " \t\f\n\r"
_WORD: Final = re.compile(r"(?:[A-Za-z_$]|[^\x00-\x7f])(?:[\w$]|[^\x00-\x7f])*")
_TOKEN: Final = re.compile(
    r"""[ \t\f\n\r]*(?:
    (?P<text>'(?:[^']|'')*')
    | (?P<number>(?:0[xX][0-9a-fA-F]+[lL]?|\d+[lL]|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?)(?![\w$.]))
    | (?P<name>(?:[A-Za-z_$]|[^\x00-\x7f])(?:[\w$]|[^\x00-\x7f])*)
    | (?P<sign><>|<=|>=|[=<>+*/(),]|-(?!-))
    )""",
    re.VERBOSE,
)
_CONDITION: Final = frozenset({"condition", "flag", "name", "value"})
_NUMBER: Final = frozenset({"number", "name", "value"})
_OPERAND: Final = frozenset({"flag", "number", "text", "name", "value"})
_NAME: Final = frozenset({"name"})
_MEANT: Final = {_CONDITION: "a condition", _NUMBER: "a number", _OPERAND: "a value", _NAME: "an identifier"}


class SelectorError(ValueError):
    """A text that is no selector; says what is wrong with it."""


def check_selector(text: str) -> None:
    """Check that a text is a selector.

    Raises:
        SelectorError: It is none.
    """
    parser = _Parser(text)
    parser.demand(_CONDITION, parser.either(), "in all")
    if parser.next[0] != "end":
        raise SelectorError(f"expected an operator or the end; saw {parser.next[1]}")


def is_identifier(name: str) -> bool:
    """Whether a name can be one of a property: letters, digits, _ and $, no digit first, and no reserved word."""
    return _WORD.fullmatch(name) is not None and name.upper() not in RESERVED


class _Parser:
    """Goes down the grammar. Each level tells what it found: condition, flag, number, text, name, or a value of any sort."""

    def __init__(self, text: str) -> None:
        self._tokens: list[tuple[str, str]] = []
        self._at = self._depth = start = 0
        text = text.rstrip(_BLANK)
        while start < len(text):
            found = _TOKEN.match(text, start)
            if found is None:
                raise SelectorError(f"what is no part of a selector begins with {text[start:].lstrip(_BLANK)[:20]}")
            kind = str(found.lastgroup)
            token = found[kind]
            reserved = kind == "name" and token.upper() in RESERVED
            self._tokens.append(("sign", token.upper()) if reserved else (kind, token))
            start = found.end()

    @property
    def next(self) -> tuple[str, str]:
        """Sort and text of the next token."""
        return self._tokens[self._at] if self._at < len(self._tokens) else ("end", "the end")

    def _took(self, *signs: str) -> str:
        """Go past the next token if it is one of these signs; give it, or nothing."""
        kind, token = self.next
        if kind != "sign" or token not in signs:
            return ""
        self._at += 1
        return token

    def _pass(self, sign: str) -> None:
        if not self._took(sign):
            raise SelectorError(f"expected {sign}; saw {self.next[1]}")

    def _text(self) -> None:
        if self.next[0] != "text":
            raise SelectorError(f"expected a text in quotes; saw {self.next[1]}")
        self._at += 1

    def demand(self, wanted: frozenset[str], kind: str, where: str) -> None:
        """Refuse what is not of a wanted sort."""
        if kind not in wanted:
            raise SelectorError(f"expected {_MEANT[wanted]} {where}; saw a {kind}")

    def either(self) -> str:
        """Read what OR divides."""
        return self._chain(_CONDITION, "condition", self._both, "OR")

    def _both(self) -> str:
        return self._chain(_CONDITION, "condition", self._negation, "AND")

    def _sum(self) -> str:
        return self._chain(_NUMBER, "number", self._product, "+", "-")

    def _product(self) -> str:
        return self._chain(_NUMBER, "number", self._signed, "*", "/")

    def _chain(self, wanted: frozenset[str], made: str, part: Callable[[], str], *signs: str) -> str:
        kind = part()
        while sign := self._took(*signs):
            self.demand(wanted, kind, f"before {sign}")
            self.demand(wanted, part(), f"after {sign}")
            kind = made
        return kind

    def _negation(self) -> str:
        negated = False
        while self._took("NOT"):
            negated = True
        kind = self._test()
        if negated:
            self.demand(_CONDITION, kind, "after NOT")
        return "condition" if negated else kind

    def _test(self) -> str:
        kind = self._sum()
        if sign := self._took("=", "<>", "<", "<=", ">", ">="):
            wanted = _OPERAND if sign in ("=", "<>") else _NUMBER
            self.demand(wanted, kind, f"before {sign}")
            self.demand(wanted, self._sum(), f"after {sign}")
            return "condition"
        if self._took("IS"):
            self.demand(_NAME, kind, "before IS")
            self._took("NOT")
            self._pass("NULL")
            return "condition"
        negated = self._took("NOT")
        word = self._took("BETWEEN", "LIKE", "IN")
        if negated and not word:
            raise SelectorError(f"expected BETWEEN, LIKE or IN after NOT; saw {self.next[1]}")
        if word:
            self.demand(_NUMBER if word == "BETWEEN" else _NAME, kind, f"before {word}")
            self._rest_of(word)
        return "condition" if word else kind

    def _rest_of(self, word: str) -> None:
        if word == "BETWEEN":
            self.demand(_NUMBER, self._sum(), "after BETWEEN")
            self._pass("AND")
            self.demand(_NUMBER, self._sum(), "after AND")
        elif word == "LIKE":
            self._text()
            if self._took("ESCAPE"):
                self._text()
        else:
            self._pass("(")
            self._text()
            while self._took(","):
                self._text()
            self._pass(")")

    def _signed(self) -> str:
        signed = ""
        while sign := self._took("+", "-"):
            signed = sign
        kind = self._atom()
        if signed:
            self.demand(_NUMBER, kind, f"after {signed}")
        return "number" if signed else kind

    def _atom(self) -> str:
        if self._took("("):
            self._depth += 1
            if self._depth > DEEPEST:
                raise SelectorError(f"more than {DEEPEST} parentheses are open at a time")
            kind = self.either()
            self._pass(")")
            self._depth -= 1
            return "value" if kind == "name" else kind
        if self._took("TRUE", "FALSE"):
            return "flag"
        kind, token = self.next
        if kind not in _OPERAND:
            raise SelectorError(f"expected a value; saw {token}")
        if token.startswith("JMS") and not token.startswith(("JMSX", "JMS_")) and token not in HEADERS:
            raise SelectorError(f"{token} cannot be selected by; the header fields are {', '.join(sorted(HEADERS))}")
        self._at += 1
        return kind
