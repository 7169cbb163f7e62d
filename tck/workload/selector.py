"""Checks the syntax of selectors (3.8.1.1), so that a plan with a wrong one is refused before it runs. Imports nothing of ours.

Evaluates nothing: that is for the provider. Where the specification leaves room, everything is accepted that a provider
may accept. `selector.lark` is the grammar; lark is loaded with the first selector.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lark import Lark, Token
    from lark.exceptions import UnexpectedInput

RESERVED: Final = frozenset({"NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE"})
"""Words, in upper case, that are no identifiers."""
HEADERS: Final = frozenset(
    {"JMSDeliveryMode", "JMSPriority", "JMSMessageID", "JMSTimestamp", "JMSCorrelationID", "JMSType"}
)
"""Header fields that selectors may name."""
_WORDS: Final = {"LPAR": "(", "RPAR": ")", "COMMA": ",", "STRING": "a text in quotes"}
"""Names of terminals in error messages; a reserved word has its own name."""


class SelectorError(ValueError):
    """A text that is not a selector; the message gives the reason."""


def check_selector(text: str) -> None:
    """Check that a text is a selector.

    Raises:
        SelectorError: It is not.
    """
    from lark.exceptions import UnexpectedInput  # noqa: PLC0415 - see the module's docstring

    try:
        _parser().parse(text)
    except UnexpectedInput as error:
        raise SelectorError(_reason(text, error)) from None


def is_identifier(name: str) -> bool:
    """Whether a property may have this name: letters, digits, _ and $, no digit first, and no reserved word."""
    from lark.exceptions import UnexpectedCharacters  # noqa: PLC0415 - see the module's docstring

    try:
        tokens = [(token.type, str(token)) for token in _parser().lex(name)]
    except UnexpectedCharacters:
        return False
    return tokens == [("IDENTIFIER", name)]


@cache
def _parser() -> Lark:
    from lark import Lark  # noqa: PLC0415 - see the module's docstring

    grammar = files("tck.workload").joinpath("selector.lark").read_text("utf-8")
    return Lark(
        grammar,
        parser="earley",
        lexer="basic",
        ambiguity="forest",  # whether there is a parse, not which
        lexer_callbacks={"IDENTIFIER": _reserved_or_identifier},
    )


def _reserved_or_identifier(token: Token) -> Token:
    """Give a reserved word, in any case, its own terminal.

    Raises:
        SelectorError: the name is a header field that selectors cannot use.
    """
    if token.upper() in RESERVED:
        return token.update(type=token.upper())
    if token.startswith("JMS") and not token.startswith(("JMSX", "JMS_")) and token not in HEADERS:
        raise SelectorError(f"{token} cannot be selected by; the header fields are {', '.join(sorted(HEADERS))}")
    return token


def _reason(text: str, error: UnexpectedInput) -> str:
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken  # noqa: PLC0415 - see the module's docstring

    if isinstance(error, UnexpectedCharacters):
        return f"no part of a selector begins with {text[error.pos_in_stream :][:20]}"
    seen = str(error.token) if isinstance(error, UnexpectedToken) else "the end"
    return f"expected {_expectation(vars(error)['expected'])}; saw {seen}"


def _expectation(terminals: Collection[str]) -> str:
    """Describe the terminals that could have followed."""
    if "IDENTIFIER" in terminals:
        return "a condition or a value" if "NOT" in terminals else "a value" if "STRING" in terminals else "a number"
    if {"EQUALITY", "ORDER", "SIGN"}.intersection(terminals):
        rest = [_WORDS.get(each, each) for each in ("AND", "RPAR") if each in terminals]
        return " or ".join(["an operator", *rest])
    return " or ".join(sorted({_WORDS.get(each, each) for each in terminals}))
