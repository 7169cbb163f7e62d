"""Markup built by hand where a template engine would cost most of a report's time: the events of thousands of cases.

The rule of the templates holds here too: whatever is filled in is made visible and escaped, unless it is `Safe`.
"""

from __future__ import annotations

import functools
import html
from collections.abc import Iterable

from tck.reports.show import visible


class Safe(str):
    """Markup that was built by `fill` or `join`; Jinja takes it as it is."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


def escape(value: object) -> str:
    """Return a value as text that can stand anywhere in a page, attributes included."""
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
"""Labels, operations and phases come again in every case: half of a page's time otherwise."""


def plain(text: str) -> Safe:
    """Escape text that is ASCII without controls, such as JSON, for a place between tags; an attribute needs `fill`."""
    return Safe(html.escape(text, quote=False))


def fill(template: str, *values: object) -> Safe:
    """Fill the places `%s` of a template, which is literal text of this package, with escaped values."""
    return Safe(template % tuple(map(escape, values)))


def join(parts: Iterable[Safe], between: str = "") -> Safe:
    """Put pieces of markup behind each other."""
    return Safe(between.join(parts))
