"""The wording of expectations and observations: long lists around their first difference, keys of tables in quotes."""

from __future__ import annotations

from collections.abc import Sequence

_LONG = 12
"""A list of this length or more is shown around its first difference only."""
_AROUND = 3


def differing(seen: object, wanted: object) -> tuple[str, str]:
    """Return the texts for a seen and a wanted value; long lists are cut to the items around their first difference."""
    if not (_is_list(seen) and _is_list(wanted)):
        return _alone(seen), _alone(wanted)
    if max(len(seen), len(wanted)) < _LONG:  # type: ignore[arg-type]  # lists
        return repr(seen), repr(wanted)
    at = _first_difference(seen, wanted)  # type: ignore[arg-type]  # likewise
    return _around(seen, at), _around(wanted, at)  # type: ignore[arg-type]  # likewise


def key(name: object) -> str:
    """Return the text for the key of a table; one of several words, such as a selector, is in backquotes."""
    text = str(name)
    return f"`{text}`" if " " in text else text


def _alone(value: object) -> str:
    if isinstance(value, (list, tuple)) and len(value) >= _LONG:
        return _around(value, 0)
    return repr(value)


def _is_list(value: object) -> bool:
    return isinstance(value, (list, tuple))


def _first_difference(seen: Sequence[object], wanted: Sequence[object]) -> int:
    pairs = zip(seen, wanted, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(seen), len(wanted)))


def _around(items: Sequence[object], at: int) -> str:
    first, last = max(0, at - _AROUND), at + _AROUND + 1
    shown = ", ".join(map(repr, items[first:last]))
    before = "... " if first else ""
    after = ", ..." if last < len(items) else ""
    if not (before or after):
        return f"[{shown}]"
    return f"[{before}{shown}{after}] ({len(items)} in all, from number {first + 1} on)"
