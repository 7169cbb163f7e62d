"""The wording of expectations and observations: long lists and texts around their first difference, keys of tables in quotes."""

from __future__ import annotations

from collections.abc import Sequence

_LONG = 12
"""A list of this length or more is shown around its first difference only."""
_AROUND = 3
_LONG_TEXT = 400
"""A text of more characters is shown around its first difference only; a sight of a case is cut there."""
_TEXT_AROUND = 60
_WHOLE = 4000
"""Characters that the sights of a case take together."""


def differing(seen: object, wanted: object) -> tuple[str, str]:
    """Return the texts for a seen and a wanted value; of long lists and texts they hold the part around the first difference."""
    if isinstance(seen, str) and isinstance(wanted, str) and max(len(seen), len(wanted)) > _LONG_TEXT:
        at = _first_difference(seen, wanted)
        return _part(seen, at), _part(wanted, at)
    if not (_is_list(seen) and _is_list(wanted)):
        return _alone(seen), _alone(wanted)
    if max(len(seen), len(wanted)) < _LONG:  # type: ignore[arg-type]  # lists
        return repr(seen), repr(wanted)
    at = _first_difference(seen, wanted)  # type: ignore[arg-type]  # likewise
    return _around(seen, at), _around(wanted, at)  # type: ignore[arg-type]  # likewise


def clipped(sight: str) -> str:
    """Return a sight of a case; a long one without its end, which the events of the case hold."""
    left = len(sight) - _LONG_TEXT
    return f"{sight[:_LONG_TEXT]}... ({left:,} more characters)" if left > 0 else sight


def joined(sights: Sequence[str]) -> str:
    """Return the sights of a case, each once, in one text; of very many the first ones and the number of the others."""
    parts = list(dict.fromkeys(map(clipped, sights)))
    length = 0
    for at, part in enumerate(parts):
        length += len(part)
        if length > _WHOLE and at:
            return f"{'; '.join(parts[:at])}; and {len(parts) - at:,} more"
    return "; ".join(parts)


def key(name: object) -> str:
    """Return the text for the key of a table; one of several words, such as a selector, is in backquotes."""
    text = str(name)
    return f"`{text}`" if " " in text else text


def _alone(value: object) -> str:
    if isinstance(value, (list, tuple)) and len(value) >= _LONG:
        return _around(value, 0)
    if isinstance(value, str) and len(value) > _LONG_TEXT:
        return _part(value, 0)
    return repr(value)


def _part(text: str, at: int) -> str:
    first, last = max(0, at - _TEXT_AROUND), at + _TEXT_AROUND
    shown = f"{'... ' if first else ''}{text[first:last]!r}{' ...' if last < len(text) else ''}"
    return f"{shown} ({len(text):,} characters in all, from number {first + 1:,} on)"


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
