"""The comparison of what was seen with what was sent, and how it is shown."""

from __future__ import annotations


def same(seen: object, wanted: object) -> bool:
    """Return whether two values are equal, and both or none of them a boolean."""
    return bool(seen == wanted) and isinstance(seen, bool) is isinstance(wanted, bool)


def unlike(seen: object, wanted: object) -> bool:
    """Return whether a value arrived in another type."""
    return seen is not None and wanted is not None and type(seen) is not type(wanted) and not _raised(seen)


def _raised(seen: object) -> bool:
    return isinstance(seen, str) and seen.startswith("raises ")


def short(value: object) -> str:
    """Return the text of a value, cut in its middle where it is long."""
    text = repr(value)
    return text if len(text) < 160 else f"{text[:100]} ... {text[-40:]}"
