"""Filters: several constraints, each for some types of events; mapping filters give a value with each constraint.

An event passes a filter if any constraint of it matches. Without constraints all pass: implementations differ there, and a filter
that was just made should not silence its channel.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from types import MappingProxyType
from typing import Generic, TypeAlias, TypeVar

from reference_interworking.etcl.constraint import Constraint
from reference_interworking.etcl.errors import InvalidValue
from tck.interworking import Any_, StructuredEvent, TypeCode
from tck.interworking.filters import (
    ConstraintExp,
    ConstraintFilter,
    ConstraintInfo,
    MappingConstraintInfo,
    MappingConstraintPair,
    ValueFilter,
)

Clock: TypeAlias = Callable[[], int]
"""Gives the time in ms since 1970."""

_Info = TypeVar("_Info")


class _Compiled:
    """A constraint for some types, ready to be asked."""

    __slots__ = ("_constraint", "_types")

    def __init__(self, given: ConstraintExp) -> None:
        self._constraint = Constraint(given.constraint_expr)
        self._types = [(_pattern(each.domain_name), _pattern(each.type_name)) for each in given.event_types]

    def matches(self, event: StructuredEvent, now: int) -> bool:
        type_ = event.header.fixed_header.event_type
        if self._types and not any(
            domain.fullmatch(type_.domain_name) and name.fullmatch(type_.type_name) for domain, name in self._types
        ):
            return False
        return self._constraint.matches(event, now)


def _pattern(wanted: str) -> re.Pattern[str]:
    text = "*" if wanted in ("", "%ALL") else wanted
    return re.compile(".*".join(map(re.escape, text.split("*"))), re.DOTALL)


class _Store(Generic[_Info]):
    """The constraints of a filter by id, in the order of their ids."""

    def __init__(self) -> None:
        self._ids = count(1)
        self._changing = threading.Lock()  # guards replacing `held`, which itself never changes; no other lock under it
        self.held: Mapping[int, tuple[_Info, _Compiled]] = MappingProxyType({})

    def add(self, added: Sequence[tuple[Callable[[int], _Info], _Compiled]]) -> list[_Info]:
        """Hold constraints under new ids; each is made from its id."""
        with self._changing:
            fresh = {id_: (make(id_), compiled) for (make, compiled), id_ in zip(added, self._ids, strict=False)}
            self.held = MappingProxyType({**self.held, **fresh})
        return [info for info, _ in fresh.values()]

    def all(self) -> list[_Info]:
        """Return all constraints."""
        return [info for info, _ in self.held.values()]


class Filter(ConstraintFilter):
    """Hold constraints, and say which events pass.

    Args:
        clock: Gives what `$curtime` stands for, in ms since 1970.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._store = _Store[ConstraintInfo]()

    def add_constraints(self, constraints: Sequence[ConstraintExp]) -> list[ConstraintInfo]:
        """Add constraints, all or none; return each with its new id, in the order given.

        Raises:
            InvalidConstraint: One of them is none.
        """
        return self._store.add([(partial(ConstraintInfo, each), _Compiled(each)) for each in constraints])

    def get_all_constraints(self) -> list[ConstraintInfo]:
        """Return all constraints in the order of their ids."""
        return self._store.all()

    def match_structured(self, event: StructuredEvent) -> bool:
        """Return whether an event passes: any constraint matches it, or there is none."""
        held, now = self._store.held, self._clock()
        return not held or any(compiled.matches(event, now) for _, compiled in held.values())


class MappingFilter(ValueFilter):
    """Hold constraints with values, and say which value an event gets.

    Args:
        default: The value of an event that no constraint matches; all values are of its type.
        clock: Gives what `$curtime` stands for, in ms since 1970.
    """

    def __init__(self, default: Any_, clock: Clock) -> None:
        self._default = default
        self._clock = clock
        self._store = _Store[MappingConstraintInfo]()

    @property
    def value_type(self) -> TypeCode:
        """The type of all values."""
        return self._default.type

    @property
    def default_value(self) -> Any_:
        """The value of an event that no constraint matches."""
        return self._default

    def add_mapping_constraints(self, pairs: Sequence[MappingConstraintPair]) -> list[MappingConstraintInfo]:
        """Add constraints, all or none; return each with its new id, in the order given.

        Raises:
            InvalidConstraint: One of them is none.
            InvalidValue: A value is of another type than the default.
        """
        added = [
            (
                partial(MappingConstraintInfo, each.constraint_expression, value=each.result_to_set),
                self._compiled(each.constraint_expression, each.result_to_set),
            )
            for each in pairs
        ]
        return self._store.add(added)

    def get_all_mapping_constraints(self) -> list[MappingConstraintInfo]:
        """Return all constraints in the order of their ids."""
        return self._store.all()

    def match_structured(self, event: StructuredEvent) -> tuple[bool, Any_]:
        """Return whether a constraint matches, and the value of the first that does, by id; else the default."""
        held, now = self._store.held, self._clock()
        found = next((info.value for info, compiled in held.values() if compiled.matches(event, now)), None)
        return (False, self._default) if found is None else (True, found)

    def _compiled(self, given: ConstraintExp, value: Any_) -> _Compiled:
        if value.type.plain != self._default.type.plain:
            raise InvalidValue(f"the value of the constraint is a {value.type}; the filter gives a {self.value_type}")
        return _Compiled(given)
