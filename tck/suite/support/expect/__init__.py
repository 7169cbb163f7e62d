"""The judgements that a test ends with. Each demands something, leaves a witness, and decides.

A helper raises `Broken` when the claim is refuted and `Undecided` when something it needs for judging is missing; otherwise
it leaves a witness in the case. A case that ends without a witness is a fault of the kit, so a provider that does nothing
passes nothing. Where a witness fails, a second look over another path decides between broken and undecided.
"""

from tck.suite.support.expect.arrivals import arrival, arrives, delivers, nothing_before, only, polls
from tck.suite.support.expect.calls import all_raise, raises, returns, waits, works, works_or
from tck.suite.support.expect.collected import all_of, for_row
from tck.suite.support.expect.tracing import trace
from tck.suite.support.expect.values import (
    becomes,
    between,
    differs,
    distinct,
    equal,
    one_of,
    present,
    record,
    true,
)

__all__ = [
    "all_of",
    "all_raise",
    "arrival",
    "arrives",
    "becomes",
    "between",
    "delivers",
    "differs",
    "distinct",
    "equal",
    "for_row",
    "nothing_before",
    "one_of",
    "only",
    "polls",
    "present",
    "raises",
    "record",
    "returns",
    "trace",
    "true",
    "waits",
    "works",
    "works_or",
]
