"""The shape of names that a provider takes for destinations, subscriptions and clients. Imports nothing of ours."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final

_DIGEST: Final = 12
"""Digits that keep a name unique where something of it had to go."""


@dataclass(frozen=True, slots=True)
class Names:
    """What a name may be made of.

    Attributes:
        dots: Whether it may hold dots.
        characters: The other permitted characters, as in brackets of a regular expression; empty for any.
        longest: Greatest number of characters; 0 for any.
    """

    dots: bool = True
    characters: str = ""
    longest: int = 0

    def problem(self) -> str:
        """Return why no unique name can be made so; empty if one can."""
        if not self.characters:
            return ""
        try:
            found = re.compile(f"[{self.characters}]")
        except re.error as error:
            return f"[{self.characters}] is no set of characters: {error}"
        if all(map(found.match, "0123456789")) and (all(map(found.match, "abcdef")) or all(map(found.match, "ABCDEF"))):
            return ""
        return f"[{self.characters}] lacks digits, or both a to f and A to F, which every name is told apart by"

    def shape(self, text: str) -> str:
        """Return a name for the one that the suite would choose; different ones for texts of one prefix, as ``e1.`` is one.

        A permitted text stays as it is. Of the others, a name ends with a digest where another text could have come to the same:
        where something is cut or left out, and where the text has capitals or underscores that could be small letters or dots.
        """
        capital = bool(self.characters) and not re.match(f"[{self.characters}]", "a")
        made = text if self.dots else text.replace(".", "_")
        made = made.upper() if capital else made
        kept = made
        if self.characters:
            kept = "".join(each for each in made if each == "." or re.match(f"[{self.characters}]", each))
        usual = made if self.dots else made.replace("_", ".")
        usual = usual.lower() if capital else usual
        if kept == made and text in {made, usual} and (not self.longest or len(made) <= self.longest):
            return made
        digest = hashlib.sha256(text.encode()).hexdigest()[:_DIGEST]
        digest = digest.upper() if capital else digest
        return kept[: (self.longest or len(kept) + _DIGEST) - _DIGEST] + digest
