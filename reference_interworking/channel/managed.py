"""What admins and proxies have in common: quality of service that is inherited, filters, and an end.

Imports `tck.interworking` only.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

from reference_interworking.channel.core import Core
from reference_interworking.channel.settings import Level, Settings
from tck.interworking import StructuredEvent
from tck.interworking.channel import Filter, FilterAdmin, FilterOperator, QoSAdmin
from tck.interworking.qos import FilterNotFound, ObjectNotExist, Properties

_LOG: Final = logging.getLogger(__name__)


class Managed(QoSAdmin, FilterAdmin):
    """An admin or a proxy.

    Args:
        core: Of the channel; its lock guards everything here.
        level: Where in the inheritance the object stands.
        parent: The quality of service that it inherits.
    """

    def __init__(self, core: Core, level: Level, parent: Settings) -> None:
        self.core = core
        self.qos = parent.below(level)
        self.filters: dict[int, Filter] = {}
        self.gone = False
        self.made_filters = 0

    def check(self) -> None:
        """Raise if the object does not answer. Needs the lock."""
        self.core.check()
        if self.gone:
            raise ObjectNotExist(f"{self} is destroyed")

    def get_qos(self) -> Properties:
        """Return what holds here now."""
        with self.core.lock:
            self.check()
            return self.qos.all()

    def set_qos(self, qos: Properties) -> None:
        """Set properties; they hold for events that wait already, but for their priorities and lives."""
        with self.core.lock:
            self.check()
            self.qos.set(qos)
            self.core.dispatcher.wake()

    def add_filter(self, new_filter: Filter) -> int:
        """Add a filter; it is asked under the lock of the channel."""
        with self.core.lock:
            self.check()
            self.made_filters += 1
            self.filters[self.made_filters] = new_filter
            return self.made_filters

    def remove_filter(self, filter_id: int) -> None:
        """Remove a filter."""
        with self.core.lock:
            self.check()
            if self.filters.pop(filter_id, None) is None:
                raise FilterNotFound(f"{self} has no filter {filter_id}; it has {sorted(self.filters)}")

    def get_all_filters(self) -> tuple[int, ...]:
        """Return the ids of the filters."""
        with self.core.lock:
            self.check()
            return tuple(self.filters)


def passes(
    event: StructuredEvent, admin: Mapping[int, Filter], proxy: Mapping[int, Filter], op: FilterOperator
) -> bool:
    """Return whether an event passes the filters of an admin and of its proxy.

    An object without filters lets all pass with AND; with OR the other one decides alone.
    """
    verdicts = [any(_matches(each, event) for each in side.values()) for side in (admin, proxy) if side]
    if op == FilterOperator.OR_OP:
        return any(verdicts) or not verdicts
    return all(verdicts)


def _matches(asked: Filter, event: StructuredEvent) -> bool:
    try:
        return asked.matches(event)
    except Exception as error:  # noqa: BLE001 - a filter of a client may raise anything
        _LOG.warning("a filter raised %s: %s", type(error).__name__, error)
        return False
