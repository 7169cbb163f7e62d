"""What the body of a bytes message was written with, and which of it differs."""

from __future__ import annotations

import re
from typing import Any, Final

from tck.programs.comparing.differences import Difference
from tck.programs.program import Step

_NUMBERS: Final = frozenset({"short", "int", "long", "float", "double", "char"})
_BYTES: Final = re.compile(r"'bytes', '([0-9a-f]*)")
_WIDTHS: Final = {"boolean": 1, "byte": 1, "short": 2, "char": 2, "int": 4, "float": 4, "long": 8, "double": 8}


def differing_item(found: Difference, made: Step) -> set[str]:
    """Return what the first byte that differs in the body of a bytes message was written with: ``item_number`` for a number, boolean or char."""
    if found.what not in {"body", "again", "value body"} or made.args.get("kind") != "bytes":
        return set()
    if not made.args.get("body"):
        return {"item_empty"}
    ours, theirs = (_BYTES.search(text) for text in (found.expected, found.seen))
    if ours is None or theirs is None or (found.what == "again" and not theirs[1].strip("0")):  # overwritten with zeros
        return set()
    if "... " in found.expected:  # cut short, so that which byte differs is not known
        numbers = any(each[0] in _NUMBERS for each in made.args["body"])
        return {"item_number" if numbers else "item_utf"}
    pairs = zip(ours[1], theirs[1], strict=False)
    first = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(ours[1]), len(theirs[1]))) // 2
    for kind, content, *how in made.args["body"]:
        first -= _WIDTHS.get(kind) or _length(kind, content, how)
        if first < 0:
            return {
                "item_number"
                if kind in _WIDTHS
                else "item_utf"
                if kind == "utf"
                else "item_part"
                if "part" in how
                else "item_bytes"
            }
    return set()


def _length(kind: str, content: Any, how: list[Any]) -> int:
    """Return how many bytes `writeBytes` or `writeUTF` writes."""
    if kind == "utf":
        return 2 + sum(
            1 if 0 < ord(each) < 0x80 else 2 if ord(each) < 0x800 else 3 if ord(each) < 0x10000 else 6
            for each in content
        )
    return int(how[2]) if "part" in how else len(content or "") // 2
