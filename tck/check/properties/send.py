"""Properties of single sends: the header fields that a send computes.

The three fields depend on the provider's clock, so each may be off by the clock's granularity. A provider may read its
clock for each of them anew.
"""

from __future__ import annotations

import numpy as np

from tck.check.columns import NONE, Array, Out
from tck.check.properties.views import MS, Sends
from tck.check.registry import Grain, Judged, on

_LATEST = 1 << 62
"""Times after this one are not distinguished, ms."""


@on(
    Grain.SEND,
    "timestamp-within-send",
    "3.4.4-2",
    story="{Sent}. Its JMSTimestamp is {row.stamp}, but the send was called at {row.t0:time} and returned at {row.t1:time}.",
)
def timestamp_within_send(s: Sends) -> Judged:
    """JMSTimestamp lies between the call and the return of the send."""
    owed = (s.out == Out.OK) & ~s.auto & (s.stamp > 0)
    return Judged(owed, owed & ~_during(s, s.stamp))


@on(
    Grain.SEND,
    "expiration-computed",
    "3.4.9-1 3.4.9-5 7.8-1",
    story="{Sent} with a time-to-live of {row.ttl} ms. Its JMSTimestamp is {row.stamp} and its JMSExpiration {row.expires}.",
)
def expiration_computed(s: Sends) -> Judged:
    """JMSExpiration is the time of the send plus the time-to-live, and 0 for a time-to-live of 0."""
    owed = (s.out == Out.OK) & (s.expires != NONE) & (s.ttl != NONE) & (~s.auto | (s.stamp > 0))
    return Judged(owed, owed & np.where(s.ttl == 0, s.expires != 0, ~_sum_fits(s, s.expires, s.ttl)))


@on(
    Grain.SEND,
    "delivery-time-computed",
    "3.4.13-1 3.4.13-2 7.9-1",
    story="{Sent} with a delivery delay of {row.delay} ms. Its JMSTimestamp is {row.stamp} and its JMSDeliveryTime {row.due}.",
)
def delivery_time_computed(s: Sends) -> Judged:
    """JMSDeliveryTime is the time of the send plus the delivery delay."""
    owed = (s.out == Out.OK) & (s.due != NONE) & (s.delay != NONE) & (~s.auto | (s.stamp > 0))
    return Judged(owed, owed & ~_sum_fits(s, s.due, s.delay))


def _sum_fits(s: Sends, value: Array, offset: Array) -> Array:
    start = value - offset
    fits: Array = (s.stamp > 0) & (start == s.stamp) | _during(s, start, stamped=True)
    return fits


def _during(s: Sends, epoch_ms: Array, *, stamped: bool = False) -> Array:
    """Return which times lie within their sends.

    Args:
        s: The sends.
        epoch_ms: The times, ms since the epoch.
        stamped: An asynchronous send, which may continue after its call has returned, lasts at least to its JMSTimestamp.
    """
    tolerance = s.ns(s.margins.tolerance)
    # In milliseconds: a time far off would overflow in nanoseconds.
    begin = (s.t0 - tolerance + s.tables.origin - MS) // MS
    end = (s.t1 + tolerance + s.tables.origin) // MS
    if stamped:
        until = np.minimum(s.stamp, _LATEST) + round(s.margins.tolerance)
        end = np.where(s.auto, np.maximum(end, until), end)
    inside: Array = (epoch_ms > begin) & (epoch_ms <= end)
    return inside


PROPERTIES = (timestamp_within_send, expiration_computed, delivery_time_computed)
