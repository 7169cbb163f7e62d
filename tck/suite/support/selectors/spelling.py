"""Ways to write the same selector: keywords in any case, more or fewer blanks and parentheses, other literals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

_KEYWORDS = frozenset({"AND", "OR", "NOT", "BETWEEN", "LIKE", "ESCAPE", "IN", "IS", "NULL", "TRUE", "FALSE"})
_TIGHT = frozenset("()=<>+*/,") | {"<>", "<=", ">="}


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a tree is written.

    Attributes:
        keyword: gives the spelling of a keyword, from its upper case.
        gap: stands between two tokens.
        tight: leaves the gap out where no token would run into the next.
        grouped: puts every condition and operand that may stand in parentheses into them.
        exact: writes an exact literal.
    """

    keyword: Callable[[str], str] = str
    gap: str = " "
    tight: bool = False
    grouped: bool = False
    exact: Callable[[int], str] = str

    def join(self, tokens: Sequence[str]) -> str:
        """Write tokens."""
        written = ""
        last = ""
        for token in tokens:
            if written and not (self.tight and (last in _TIGHT or token in _TIGHT)):
                written += self.gap
            written += self.keyword(token) if token in _KEYWORDS else token
            last = token
        return written


def _mixed_case(word: str) -> str:
    """Write a word in changing case."""
    return "".join(sign.lower() if at % 2 else sign for at, sign in enumerate(word))


PLAIN = Spelling()
SPELLINGS: tuple[Spelling, ...] = (
    PLAIN,
    Spelling(keyword=str.lower, tight=True),
    Spelling(keyword=_mixed_case, gap="\n\t ", grouped=True),
    Spelling(grouped=True, exact=lambda number: f"0x{number:X}"),
    Spelling(keyword=str.title, gap="  ", exact=lambda number: f"{number}L"),
)
"""The spellings that generated conditions take in turn."""
