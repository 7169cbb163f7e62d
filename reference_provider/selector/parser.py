"""The parser: text to typed tree, by the grammar in `grammar.lark`, with errors in plain words.

Importing lark and building the parser take some 60-100 ms, so both happen when the first selector is compiled.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, cast

from reference_provider.java.identifiers import reserved_word
from reference_provider.java.numbers import shown
from reference_provider.selector.errors import SelectorError, invalid
from reference_provider.selector.nodes import Condition, Flag, Identifier, parts

if TYPE_CHECKING:
    from lark import Lark, Token
    from lark.exceptions import UnexpectedInput

GRAMMAR: Final = "grammar.lark"

KEYWORDS: Final = {
    "OR": "_OR",
    "AND": "_AND",
    "NOT": "NOT",
    "BETWEEN": "_BETWEEN",
    "LIKE": "_LIKE",
    "ESCAPE": "ESCAPE",
    "IN": "_IN",
    "IS": "_IS",
    "NULL": "_NULL",
    "TRUE": "TRUE",
    "FALSE": "FALSE",
}
"""The reserved words in upper case, each with its terminal in the grammar."""

EXPECTED: Final = {"STRING": "a string", "LPAR": "'('", "COMMA": "','", "RPAR": "')'", "_AND": "AND", "_NULL": "NULL"}
"""How an error message calls the terminals that stand alone somewhere."""

_building = threading.Lock()  # guards building the parser once; no other lock is taken under it


def parse(text: str, version: str = "3.1") -> Condition:
    """Parse a selector into its typed tree.

    Raises:
        InvalidSelectorException: with reason and position.
    """
    from lark.exceptions import UnexpectedInput  # noqa: PLC0415 - see the module's docstring

    with _building:
        parser = _parser()
    try:
        tree = cast("Condition", parser.parse(text))
        _check_escape(tree, version)
    except SelectorError as error:
        raise invalid(text, error.reason, error.position) from None
    except UnexpectedInput as error:
        raise invalid(text, *_explained(text, error)) from None
    except RecursionError:
        raise invalid(text, "conditions and arithmetic nest too deep") from None
    return tree


@lru_cache(maxsize=1)
def _parser() -> Lark:
    return build_parser()


def build_parser(*, debug: bool = False) -> Lark:
    """Build the parser; with `debug` lark logs each conflict of the grammar that it resolves itself."""
    from lark import Lark  # noqa: PLC0415 - see the module's docstring

    from reference_provider.selector.tree_builder import TreeBuilder  # noqa: PLC0415 - it imports lark

    return Lark(
        grammar_text(),
        parser="lalr",
        lexer="basic",  # the contextual one would read reserved words as identifiers where no keyword is allowed
        transformer=TreeBuilder(),
        lexer_callbacks={"IDENTIFIER": keyword_or_identifier},
        debug=debug,
    )


def grammar_text() -> str:
    """Return the grammar."""
    return files("reference_provider.selector").joinpath(GRAMMAR).read_text("utf-8")


def forget_parser() -> None:
    """Forget the parser, so that the next selector builds a new one."""
    _parser.cache_clear()


def keyword_or_identifier(token: Token) -> Token:
    """Turn an identifier that is a reserved word, in any case of letters, into its keyword (3.8.1.1-8, -9)."""
    word = str(token)
    terminal = KEYWORDS.get(word.upper()) if word.isascii() else None
    return token if terminal is None else token.update(type=terminal)


def _check_escape(tree: Condition, version: str) -> None:
    """Refuse ESCAPE as an identifier, which only version 1.0 allows (3.8.1.1-108)."""
    if version == "1.0":
        return
    waiting: list[Any] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (Identifier, Flag)) and reserved_word(node.name) == "ESCAPE":
            raise SelectorError("ESCAPE is a reserved word and no identifier", node.position)
        waiting.extend(parts(node))


def _explained(text: str, error: UnexpectedInput) -> tuple[str, int]:
    """Return the reason and position of a syntax error, in plain words."""
    from lark.exceptions import UnexpectedToken  # noqa: PLC0415 - see the module's docstring

    if not isinstance(error, UnexpectedToken):
        position: int = vars(error)["pos_in_stream"]
        return _bad_character(text, position), position
    wanted = _wanted(error.accepts or error.expected)
    if error.token.type == "$END":
        return f"the selector ends where {wanted} is expected", len(text)
    word = "the reserved word " if error.token.type in KEYWORDS.values() else ""
    return f"{word}{shown(str(error.token))} stands where {wanted} is expected", error.token.start_pos or 0


def _wanted(terminals: Iterable[str]) -> str:
    """Return what could have been there instead."""
    possible = set(terminals)
    if "IDENTIFIER" in possible:
        return "a condition or a value" if "NOT" in possible else "a value"
    if "COMPARISON" in possible or "PLUS_MINUS" in possible:
        ends = [
            name for terminal, name in (("RPAR", "')'"), ("_AND", "AND"), ("$END", "the end")) if terminal in possible
        ]
        return " or ".join(["an operator", *ends])
    return " or ".join(sorted(EXPECTED.get(each, each.strip("_$")) for each in possible))


def _bad_character(text: str, position: int) -> str:
    if text[position] == "'":
        return "the string that begins here is not closed"
    if text[position : position + 2] in ("--", "/*"):
        return f"{text[position : position + 2]!r} begins a comment, which selectors do not have (put a blank between two signs)"
    return f"{text[position]!r} does not belong into a selector"
