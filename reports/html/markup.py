"""Markup without a template engine, for the events of thousands of cases, where an engine would take most of the time.

As in the templates, every value is made visible and escaped, unless it is `Safe`.
"""

from __future__ import annotations

import functools
import html
from collections.abc import Iterable

from tck.reports.show import visible


class Safe(str):
    """Markup from `fill` or `join`; Jinja does not escape it again."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


def escape(value: object) -> str:
    """Return a value as text that is safe anywhere in a page, including attributes."""
    kind = type(value)
    if kind is Safe:
        return value  # type: ignore[return-value]  # which is a str
    if kind is int:
        return str(value)
    text = str(value)
    return _escape_known(text) if len(text) < _SHORT else _escape(text)


def _escape(text: str) -> str:
    return html.escape(visible(text))


_SHORT = 60
_escape_known = functools.lru_cache(maxsize=4096)(_escape)
"""Labels, operations and phases recur in every case; without the cache they take half of a page's time."""


def plain(text: str) -> Safe:
    """Escape ASCII text without control characters, such as JSON, for use between tags; an attribute needs `fill`."""
    return Safe(html.escape(text, quote=False))


def fill(template: str, *values: object) -> Safe:
    """Fill the `%s` of a template, which must be a literal of this package, with escaped values."""
    return Safe(template % tuple(map(escape, values)))


def join(parts: Iterable[Safe], between: str = "") -> Safe:
    """Concatenate markup."""
    return Safe(between.join(parts))
