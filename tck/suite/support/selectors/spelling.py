"""Ways to write the same selector: keywords in any case, more or fewer blanks and parentheses, other literals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

_KEYWORDS = frozenset({"AND", "OR", "NOT", "BETWEEN", "LIKE", "ESCAPE", "IN", "IS", "NULL", "TRUE", "FALSE"})
_TIGHT = frozenset("()=<>+*/,") | {"<>", "<=", ">="}


@dataclass(frozen=True, slots=True)
class Spelling:
    """A way to write a tree.

    Attributes:
        keyword: returns the spelling of a keyword, from its upper case.
        gap: the text between two tokens.
        tight: no gap where tokens are separate without it.
        grouped: parentheses around every condition and operand that may have them.
        exact: writes an exact literal.
    """

    keyword: Callable[[str], str] = str
    gap: str = " "
    tight: bool = False
    grouped: bool = False
    exact: Callable[[int], str] = str

    def join(self, tokens: Sequence[str]) -> str:
        """Join tokens to a text."""
        written = ""
        last = ""
        for token in tokens:
            if written and not (self.tight and (last in _TIGHT or token in _TIGHT)):
                written += self.gap
            written += self.keyword(token) if token in _KEYWORDS else token
            last = token
        return written


def _mixed_case(word: str) -> str:
    """Write a word in alternating case."""
    return "".join(sign.lower() if at % 2 else sign for at, sign in enumerate(word))


PLAIN = Spelling()
"""One blank between tokens, keywords in upper case."""
SPELLINGS: tuple[Spelling, ...] = (
    PLAIN,
    Spelling(keyword=str.lower, tight=True),
    Spelling(keyword=_mixed_case, gap="\n\t ", grouped=True),
    Spelling(grouped=True, exact=lambda number: f"0x{number:X}"),
    Spelling(keyword=str.title, gap="  ", exact=lambda number: f"{number}L"),
)
"""The spellings of generated conditions, used in turn."""
