"""Interworking 2.5.6: the order of what a bridge carries."""

from __future__ import annotations

from tck.interworking import PRIORITY, Any_, Kind, event
from tck.suite.support import Case, asserts, expect
from tck.suite.support.interworking.crossing import (
    SEQUENCE,
    Crossing,
    names_of,
)


@asserts("iw-2.5.6-9", "iw-2.5.6-2", plain=True)
def test_within_each_priority_the_order_is_kept(case: Case) -> None:
    """Of events of two priorities in batches, those of each come out in order; which goes first is recorded."""
    crossing = Crossing(case)
    crossing.bridge(crossing.to_jms(SEQUENCE))
    supplier = crossing.supplier()
    for each in range(30):
        level = 2 if each % 2 else 7
        supplier.push_structured_event(event("d", "t", str(each), header={PRIORITY: Any_.of(Kind.SHORT, level)}))
    came = [int(name or -1) for name in names_of(crossing.received(30))]
    for rest in (0, 1):
        mine = [each for each in came if each % 2 == rest]
        expect.equal("those of one priority", mine, list(range(rest, 30, 2)))
