"""Faults of stock quotes in the five forms of a body."""

from faults.kit import *


@saboteur("pj-stock-quotes-1", "a text arrives without its minus signs", by=arriving)
def _(_, entry, ordinal):
    text = entry.snapshot.body
    return [changed(entry, body=text.replace("-", "")) if isinstance(text, str) else entry]


@saboteur("pj-stock-quotes-2", "a receive with a timeout gives up after half of it", at=fault_points.MESSAGE_AWAITED)
def _(original, consumer, timeout):
    return original(consumer, timeout and timeout // 2)


@saboteur(
    "pj-stock-quotes-3",
    "of two doubles in a map only the first is kept",
    collateral={"pj-stock-quotes-1": "the fields of the map are among those that must come back"},
)
def _(patch):
    known = dict[int, tuple[ReferenceMapMessage, float]]()

    def set_double(original, message, name, value):
        original(message, name, known.setdefault(id(message), (message, value))[1])

    patch.around(ReferenceMapMessage, "set_double", set_double)


@saboteur("pj-stock-quotes-4", "of two conditions with OR only the second counts", at=fault_points.SELECTOR_COMPILED)
def _(original, text, version):
    return original(text.rpartition(" OR ")[2], version)
