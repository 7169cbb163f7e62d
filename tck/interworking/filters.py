"""Filters of a channel and the factory that makes them, named after the IDL of CosNotifyFilter.

Abstract types and values; of the operations only those that the suite calls are asked for. Imports this package's values only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tck.interworking.anys import Any_
from tck.interworking.events import EventType, StructuredEvent
from tck.interworking.qos import ChannelError

EXTENDED_TCL: Final = "EXTENDED_TCL"
"""The grammar that every channel has, the extended trader constraint language."""


class InvalidGrammar(ChannelError):  # noqa: N818 - the IDL's name
    """A factory makes no filters of a grammar."""


@dataclass(frozen=True, slots=True)
class ConstraintExp:
    """A constraint for events of some types.

    Attributes:
        event_types: The types; none means all. `*` stands for any characters in a domain or a type; an empty name, and the type
            `%ALL`, stand for all.
        constraint_expr: The text of the constraint; an empty one is for all events of the types.
    """

    event_types: tuple[EventType, ...] = ()
    constraint_expr: str = ""


@dataclass(frozen=True, slots=True)
class ConstraintInfo:
    """A constraint of a filter with its id."""

    constraint_expression: ConstraintExp
    constraint_id: int


@dataclass(frozen=True, slots=True)
class MappingConstraintPair:
    """A constraint with the value for the events it matches."""

    constraint_expression: ConstraintExp
    result_to_set: Any_


@dataclass(frozen=True, slots=True)
class MappingConstraintInfo:
    """A constraint of a mapping filter with its id and value."""

    constraint_expression: ConstraintExp
    constraint_id: int
    value: Any_


class ConstraintFilter(ABC):
    """Chooses events by constraints: `Filter` of the IDL. It can be added to admins and proxies."""

    @abstractmethod
    def add_constraints(self, constraints: Sequence[ConstraintExp]) -> Sequence[ConstraintInfo]:
        """Add constraints, all or none; return each with its id. A text that is no constraint raises an exception."""

    @abstractmethod
    def match_structured(self, event: StructuredEvent) -> bool:
        """Return whether an event satisfies one of the constraints."""

    def matches(self, event: StructuredEvent) -> bool:
        """As `match_structured`: what a channel asks."""
        return self.match_structured(event)


class ValueFilter(ABC):
    """Gives values to events by constraints: `MappingFilter` of the IDL."""

    @abstractmethod
    def add_mapping_constraints(self, pairs: Sequence[MappingConstraintPair]) -> Sequence[MappingConstraintInfo]:
        """Add constraints with their values, all or none; return each with its id."""

    @abstractmethod
    def match_structured(self, event: StructuredEvent) -> tuple[bool, Any_]:
        """Return whether an event satisfies a constraint, and the value of that one; else the default value."""


class FilterFactory(ABC):
    """Makes filters."""

    @abstractmethod
    def create_filter(self, constraint_grammar: str) -> ConstraintFilter:
        """Make a filter without constraints, or raise InvalidGrammar."""

    @abstractmethod
    def create_mapping_filter(self, constraint_grammar: str, default_value: Any_) -> ValueFilter:
        """Make a mapping filter without constraints, or raise InvalidGrammar."""
