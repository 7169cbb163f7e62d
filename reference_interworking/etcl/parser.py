"""The parser: text to tree, by the grammar in `grammar.lark`.

Importing lark and building the parser take a while, so both happen with the first constraint.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast

from reference_interworking.etcl.errors import InvalidConstraint, Misplaced
from reference_interworking.etcl.nodes import RESERVED, Node, depth

if TYPE_CHECKING:
    from lark import Lark, Token
    from lark.exceptions import UnexpectedInput

DEEPEST: Final = 100
"""How deep a constraint may nest: a level was seen to take four frames of Python, of which there are 1,000."""

_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "$END": "the end",
        "ADDING": "'+' or '-'",
        "COMPARISON": "a comparison",
        "DIGITS": "digits",
        "DOLLAR": "'$'",
        "DOT": "'.'",
        "ENDING": "_length, _d, _type_id or _repos_id",
        "IDENTIFIER": "a name",
        "LPAR": "'('",
        "LSQB": "'['",
        "NUMBER": "a number",
        "RPAR": "')'",
        "RSQB": "']'",
        "SCALING": "'*' or '/'",
        "STRING": "a string",
        "TILDE": "'~'",
    }
)
"""How an error names the terminals that are no words of the language."""

_building = threading.Lock()  # guards building the parser once; no other lock is taken under it


def parse(text: str) -> Node | None:
    """Parse a constraint; None for an empty one.

    Raises:
        InvalidConstraint: The text is none, with the place and what could be there.
    """
    from lark.exceptions import UnexpectedInput  # noqa: PLC0415 - see the module's docstring

    with _building:
        parser = _parser()
    try:
        tree = cast("Node | None", parser.parse(text))
    except Misplaced as error:
        raise InvalidConstraint(text, error.position, error.reason) from None
    except UnexpectedInput as error:
        raise _explained(text, error) from None
    if tree is not None and depth(tree) > DEEPEST:
        raise InvalidConstraint(text, 0, f"the constraint nests deeper than {DEEPEST} levels")
    return tree


@lru_cache(maxsize=1)
def _parser() -> Lark:
    from lark import Lark  # noqa: PLC0415 - see the module's docstring

    from reference_interworking.etcl.tree_builder import TreeBuilder  # noqa: PLC0415 - it imports lark

    grammar = files("reference_interworking.etcl").joinpath("grammar.lark").read_text("utf-8")
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        transformer=TreeBuilder(),
        lexer_callbacks={"IDENTIFIER": _not_reserved},
    )


def _not_reserved(token: Token) -> Token:
    """Refuse a reserved word where the grammar has a name and no such word.

    Raises:
        Misplaced: It has no backslash before it.
    """
    if token in RESERVED:
        raise Misplaced(f"{str(token)!r} is a reserved word; as a name it is written \\{token}", token.start_pos or 0)
    return token


def _explained(text: str, error: UnexpectedInput) -> InvalidConstraint:
    from lark.exceptions import UnexpectedToken  # noqa: PLC0415 - see the module's docstring

    if isinstance(error, UnexpectedToken):
        expected = _expected(error.accepts or ())
        if error.token.type == "$END":
            return InvalidConstraint(text, len(text), "the constraint ends too early", expected)
        word = "the reserved word " if str(error.token) in RESERVED else ""
        return InvalidConstraint(
            text, error.token.start_pos or 0, f"{word}{str(error.token)!r} is out of place", expected
        )
    position: int = vars(error)["pos_in_stream"]
    if text[position] == "'":
        return InvalidConstraint(text, position, "the string that begins here is not closed", ("another '",))
    accepted = vars(error)["interactive_parser"].accepts()
    return InvalidConstraint(text, position, f"{text[position]!r} is out of place", _expected(accepted))


def _expected(terminals: Iterable[str]) -> tuple[str, ...]:
    words = {"TRUE": "TRUE", "FALSE": "FALSE"}
    return tuple(sorted(_WORDS.get(each, words.get(each, each.lower())) for each in terminals))
