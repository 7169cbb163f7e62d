"""The filters that a channel makes: constraints in the extended trader constraint language, on the channel's clock.

Imports `reference_interworking.etcl`, `tck.api` and `tck.interworking` only.
"""

from __future__ import annotations

import logging
from typing import Final

from reference_interworking.etcl import Filter, MappingFilter
from tck.api import Clock
from tck.interworking import Any_, StructuredEvent
from tck.interworking.filters import EXTENDED_TCL, FilterFactory, InvalidGrammar, ValueFilter

_LOG: Final = logging.getLogger(__name__)


class EtclFilters(FilterFactory):
    """Makes filters of the one grammar."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def create_filter(self, constraint_grammar: str) -> Filter:
        """Make a filter."""
        _check(constraint_grammar)
        return Filter(self._clock.now)

    def create_mapping_filter(self, constraint_grammar: str, default_value: Any_) -> MappingFilter:
        """Make a mapping filter."""
        _check(constraint_grammar)
        return MappingFilter(default_value, self._clock.now)


def _check(grammar: str) -> None:
    if grammar != EXTENDED_TCL:
        raise InvalidGrammar(f"there are no filters of the grammar {grammar!r}; there are those of {EXTENDED_TCL}")


def mapped(asked: ValueFilter | None, event: StructuredEvent, name: str) -> int | None:
    """Return the number that stands for an item of an event's header, or None for what it would be without the filter.

    The value of a constraint that matches comes before the event's own item, the default value behind it. A filter that raises, or
    gives anything but a whole number, is as none.
    """
    if asked is None:
        return None
    try:
        found, value = asked.match_structured(event)
    except Exception as error:  # noqa: BLE001 - a filter of a client may raise anything
        _LOG.warning("a mapping filter raised %s: %s", type(error).__name__, error)
        return None
    if type(value.value) is not int or (not found and event.field(name) is not None):
        return None
    return value.value
