"""The filters of a channel and the factory that makes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import CosNotification
import CosNotifyFilter as Stubs

from tck.adapters.corba.errors import ours
from tck.adapters.corba.values import our_any, their_any, their_event
from tck.interworking import Any_, StructuredEvent, filters


def _constraint(given: filters.ConstraintExp) -> Any:
    kinds = [CosNotification.EventType(each.domain_name, each.type_name) for each in given.event_types]
    return Stubs.ConstraintExp(kinds, given.constraint_expr)


class ForeignFilter(filters.ConstraintFilter):
    """A filter that the channel's factory has made."""

    def __init__(self, remote: Any) -> None:
        self.remote = remote

    def add_constraints(self, constraints: Sequence[filters.ConstraintExp]) -> Sequence[filters.ConstraintInfo]:
        """Add constraints."""
        with ours():
            found = self.remote.add_constraints([_constraint(each) for each in constraints])
        return [filters.ConstraintInfo(each, info.constraint_id) for each, info in zip(constraints, found, strict=True)]

    def match_structured(self, event: StructuredEvent) -> bool:
        """Return whether an event satisfies one."""
        with ours():
            return bool(self.remote.match_structured(their_event(event)))


class ForeignValueFilter(filters.ValueFilter):
    """A mapping filter that the channel's factory has made."""

    def __init__(self, remote: Any) -> None:
        self.remote = remote

    def add_mapping_constraints(
        self, pairs: Sequence[filters.MappingConstraintPair]
    ) -> Sequence[filters.MappingConstraintInfo]:
        """Add constraints with their values."""
        made = [
            Stubs.MappingConstraintPair(_constraint(each.constraint_expression), their_any(each.result_to_set))
            for each in pairs
        ]
        with ours():
            found = self.remote.add_mapping_constraints(made)
        return [
            filters.MappingConstraintInfo(each.constraint_expression, info.constraint_id, each.result_to_set)
            for each, info in zip(pairs, found, strict=True)
        ]

    def match_structured(self, event: StructuredEvent) -> tuple[bool, Any_]:
        """Return whether an event satisfies one, and the value."""
        with ours():
            satisfied, value = self.remote.match_structured(their_event(event))
        return bool(satisfied), our_any(value)


class ForeignFilters(filters.FilterFactory):
    """The filter factory of a channel."""

    def __init__(self, remote: Any) -> None:
        self.remote = remote

    def create_filter(self, constraint_grammar: str) -> filters.ConstraintFilter:
        """Make a filter."""
        with ours():
            return ForeignFilter(self.remote.create_filter(constraint_grammar))

    def create_mapping_filter(self, constraint_grammar: str, default_value: Any_) -> filters.ValueFilter:
        """Make a mapping filter."""
        with ours():
            return ForeignValueFilter(self.remote.create_mapping_filter(constraint_grammar, their_any(default_value)))
