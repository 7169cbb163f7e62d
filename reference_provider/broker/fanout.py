"""Fan-out of a topic: which subscriptions want a message; from ten selectors on, without testing each.

Guarded by the broker lock.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_provider.broker.stored_message import StoredMessage
    from reference_provider.selector import Selector
    from reference_provider.selector.table import SelectorTable

_WORTHWHILE: Final = 10


class SelectorPredicate:
    """The selector of a subscription or consumer as a predicate of stored messages."""

    __slots__ = ("selector",)

    def __init__(self, selector: Selector) -> None:
        self.selector = selector

    def __call__(self, entry: StoredMessage) -> bool:
        """Return whether the selector matches."""
        return self.selector.matches(entry.selection())


class Subscriber(Hashable, Protocol):
    """The interface that the fan-out needs from a subscription."""

    matches: Callable[[StoredMessage], bool] | None

    def wants(self, entry: StoredMessage) -> bool:
        """Return whether the subscription gets `entry`."""
        ...

    def is_foreign(self, entry: StoredMessage) -> bool:
        """Return whether noLocal lets `entry` through."""
        ...


_S = TypeVar("_S", bound=Subscriber)


class Fanout(Generic[_S]):
    """The selectors of the subscriptions of one topic in a table, built when first needed after a change."""

    __slots__ = ("_current", "_table")

    def __init__(self) -> None:
        self._current = False
        self._table: SelectorTable[_S] | None = None

    def change(self) -> None:
        """Note that a subscription was added or removed."""
        self._current = False

    def wanting(self, subscriptions: list[_S], entry: StoredMessage) -> list[_S]:
        """Return those of the topic's `subscriptions` that want `entry`."""
        if not self._current:
            self._table = _filed(subscriptions)
            self._current = True
        if self._table is None:
            return [one for one in subscriptions if one.wants(entry)]
        return [one for one in self._table.matching(entry.selection()) if one.is_foreign(entry)]


def _filed(subscriptions: list[_S]) -> SelectorTable[_S] | None:
    """Build the selector table of these subscriptions; None if too few have a selector."""
    selective = [one for one in subscriptions if one.matches is not None]
    if len(selective) < _WORTHWHILE or not all(isinstance(one.matches, SelectorPredicate) for one in selective):
        return None
    from reference_provider.selector.table import SelectorTable  # noqa: PLC0415 # brings the compiler along

    table: SelectorTable[_S] = SelectorTable()
    for one in subscriptions:
        table.add(one, one.matches.selector if isinstance(one.matches, SelectorPredicate) else None)
    return table
