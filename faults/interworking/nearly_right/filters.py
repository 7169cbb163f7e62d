"""Narrow faults of the filters of a channel."""

from dataclasses import replace

from faults.interworking.kit import *
from reference_interworking.etcl.filters import _Compiled


class _OneStar(Filter):
    def match_structured(self, event):
        held, now = self._store.held, self._clock()
        return not held or any(_matches(info.constraint_expression, event, now) for info, _ in held.values())


def _matches(given, event, now):
    types = tuple(each for each in given.event_types if "*" not in each.type_name.replace("*", "", 1))
    return (bool(types) or not given.event_types) and _Compiled(replace(given, event_types=types)).matches(event, now)


@round_12(
    "bridge-filter-one-star",
    "matches no event by a type of a constraint that has two stars in its type name, such as *Alarm*",
    "iw-4.1-1",
    "iw-4.1-6",
    by=filtering,
)
class _(EtclFilters):
    def create_filter(self, constraint_grammar):
        super().create_filter(constraint_grammar)
        return _OneStar(self._clock.now)


@round_12(
    "bridge-filter-never-lowers-priority",
    "lets a priority filter raise the priority that an event has of its own, and not lower it",
    "iw-4.1-1",
    by=into(Supplying),
)
class _:
    def offer(self, event, number, now, most):
        if not self.connected or not self.passes(event):
            return
        priority, own = mapped(self._priorities, event, PRIORITY), event.field(PRIORITY)
        if priority is not None and own is not None and type(own.value) is int:
            priority = max(priority, own.value)
        self.queue.put(event, number, now, most, Given(priority, mapped(self._lives, event, TIMEOUT)))
        self.arrived()


class _ZeroIsNothing(MappingFilter):
    def match_structured(self, event):
        found, value = super().match_structured(event)
        return (found, value) if value.value else (False, self.default_value)


@round_13(
    "bridge-filter-value-zero-is-none",
    "A mapping filter whose constraint matches with the value 0 answers as if it had not matched.",
    "iw-4.1-1",
    "iw-4.1-6",
    by=filtering,
)
class _(EtclFilters):
    def create_mapping_filter(self, constraint_grammar, default_value):
        super().create_mapping_filter(constraint_grammar, default_value)
        return _ZeroIsNothing(default_value, self._clock.now)
