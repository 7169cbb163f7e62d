"""Scenarios for a person at a terminal: chat, phone and stock quotes, each a program on the messaging API alone.

Each module has the roles of its application and a function `play`, which takes a provider, a function that shapes names for it, the
lines that the person types, and a function that shows a line. Imports `tck.api` only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from tck import api
from tck.play import chat, phone, stock_quotes

Play: TypeAlias = Callable[[api.Provider, Callable[[str], str], Iterable[str], Callable[[str], None]], None]

PLAYS: Final[Mapping[str, Play]] = MappingProxyType(
    {"pj-chat": chat.play, "pj-phone": phone.play, "pj-stock-quotes": stock_quotes.play}
)
"""The scenarios that a person can take part in."""
