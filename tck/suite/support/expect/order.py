"""The order of messages: which may overtake which."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from tck import api
from tck.suite.support.harness.current import current_case
from tck.suite.support.values.seen import tried

_RECOVERS = frozenset({"Session.recover", "JMSContext.recover"})


def in_order(messages: Sequence[api.Message], seen: Sequence[object], wanted: Sequence[object]) -> bool:
    """Whether what was seen of messages is what was wanted, in an order that is permitted.

    That is the wanted order, but a NON_PERSISTENT message may come before PERSISTENT ones (6.2.9.2-7), and what recover()
    brings again may come in any order among itself (6.2.10-30).
    """
    if list(seen) == list(wanted):
        return True
    if sorted(map(str, seen)) != sorted(map(str, wanted)):
        return False
    recovered = current_case().evidence.called(_RECOVERS)
    rest = list(enumerate(map(str, wanted)))
    places = []
    for one in map(str, seen):
        found = next(each for each in rest if each[1] == one)
        rest.remove(found)
        places.append(found[0])
    return all(
        before < behind or _may_overtake(first, second, recovered=recovered)
        for (before, first), (behind, second) in combinations(zip(places, messages, strict=True), 2)
    )


def _may_overtake(first: api.Message, second: api.Message, *, recovered: bool) -> bool:
    """Whether a message may come before another that should come first."""
    modes = [tried(lambda: one.jms_delivery_mode) for one in (first, second)]  # noqa: B023 - called at once
    if modes == [api.DeliveryMode.NON_PERSISTENT, api.DeliveryMode.PERSISTENT]:
        return True
    return recovered and all(tried(lambda: one.jms_redelivered) is True for one in (first, second))  # noqa: B023 - likewise
