"""Properties of single deliveries: sent at all, to this destination, unchanged, in time, to a permitted consumer."""

from __future__ import annotations

import numpy as np

from tck.check.columns import ALWAYS, HEAD, HEAD_BITS, NEVER, End, Kind
from tck.check.properties.message_views import Deliveries
from tck.check.properties.views import MS
from tck.check.registry import Grain, Judged, on


@on(
    Grain.DELIVERY,
    "no-invention",
    "6.2.12-1 6.2.12-2",
    story="{This}, but no send of such a message is on record.",
)
def no_invention(d: Deliveries) -> Judged:
    """Every message delivered was sent."""
    return Judged(np.ones(len(d), bool), ~d.sent)


@on(
    Grain.DELIVERY,
    "right-destination",
    "3.4.1-3 4.2.1-3",
    story="{Sent}, but {this}, with JMSDestination {destination}.",
)
def right_destination(d: Deliveries) -> Judged:
    """A message comes out of the destination it was sent to, and its JMSDestination says so."""
    owed = d.sent & d.placed & (d.m_dest >= 0)
    return Judged(owed, owed & ((d.e_dest != d.m_dest) | (d.dest >= 0) & (d.dest != d.m_dest)))


@on(
    Grain.DELIVERY,
    "no-corruption",
    "3.4-1 3.5.3-1 3.11-5 3.11-7 3.11.4-1 3.11.4-2",
    story="{Sent}, and {this} with another content.{difference}",
)
def no_corruption(d: Deliveries) -> Judged:
    """Body, properties and the headers a client sets arrive as they were sent."""
    owed = d.sent & (d.digest != 0) & (d.m_digest != 0)
    return Judged(owed, owed & (d.digest != d.m_digest))


@on(
    Grain.DELIVERY,
    "headers-as-sent",
    "3.4.2-3 3.4.3-7 3.4.4-4 3.4.9-4 3.4.13-5",
    story="{Sent}, and {this} with other header fields than the sender read after the send.{difference}",
)
def headers_as_sent(d: Deliveries) -> Judged:
    """The header fields a send sets reach the receiver as the sender read them."""
    owed = d.sent & (d.head != 0) & (d.m_head != 0)
    rows = dict(zip(HEAD, ("3.4.2-3", "3.4.3-7", "3.4.4-4", "3.4.9-4", "3.4.13-5"), strict=True))
    each = (1 << HEAD_BITS) - 1
    return Judged(
        owed,
        owed & (d.head != d.m_head),
        blames=lambda: {
            row: ((d.head ^ d.m_head) >> place * HEAD_BITS & each) != 0 for place, row in enumerate(rows.values())
        },
    )


@on(
    Grain.DELIVERY,
    "not-after-expiry",
    "7.8-1 7.8-4 7.8-5",
    story="{Sent} with a time-to-live of {send.ttl} ms; the send had returned by {send.t1:time}. Yet {this}, {late} ms after"
    " its expiration.",
)
def not_after_expiry(d: Deliveries) -> Judged:
    """A message is not delivered long after its expiration."""
    return _expired(d, d.margins.expiry)


@on(
    Grain.DELIVERY,
    "expired-not-received",
    "3.4.9-7 7.8-6 7.8-7",
    story="{Sent} with a time-to-live of {send.ttl} ms; the send had returned by {send.t1:time}. Yet {this}, {late} ms after"
    " its expiration.",
)
def expired_not_received(d: Deliveries) -> Judged:
    """A message is not delivered after its expiration."""
    return _expired(d, d.margins.expiry_narrow)


def _expired(d: Deliveries, margin: float) -> Judged:
    owed = d.sent & (d.m_ttl > 0) & (d.m_t1 < NEVER) & ~d.again
    return Judged(owed, owed & (d.t0 > d.m_t1 + d.m_ttl.astype(np.int64) * MS + d.ns(margin)))


@on(
    Grain.DELIVERY,
    "not-before-delivery-time",
    "3.4.13-6 7.9-3 7.9-4",
    story="{Sent} with a delivery delay of {send.delay} ms, the call at {send.t0:time}. Yet {this}, {early} ms before its"
    " delivery time.",
)
def not_before_delivery_time(d: Deliveries) -> Judged:
    """A message is not delivered before its delivery time."""
    owed = d.sent & (d.m_delay > 0)
    tolerance = MS + d.ns(d.margins.tolerance)  # the provider counts whole milliseconds
    return Judged(owed, owed & (d.t0 < d.m_t0 + d.m_delay.astype(np.int64) * MS - tolerance))


@on(
    Grain.DELIVERY,
    "not-before-send",
    "6.2.12-1",
    story="{This} at {row.t0:time}, but its send was called only at {send.t0:time} {in_send}.",
)
def not_before_send(d: Deliveries) -> Judged:
    """A message is not delivered before its send is called."""
    early = d.sent & (d.t0 < d.m_t0)
    # On another host it shows only that the clocks differ by more than was measured.
    return Judged(d.sent, early, undecided=early & (d.host != d.m_host))


@on(
    Grain.DELIVERY,
    "selector-honoured",
    "8.1-2 4.1.2-5 4.2.2-4 4.2.2-5",
    story="{Sent}, and {this} through a selector that refuses it.{selector}",
)
def selector_honoured(d: Deliveries) -> Judged:
    """A consumer with a selector gets only messages that match it."""
    owed = d.sent & (d.selector >= 0)
    queue = d.e_kind == Kind.QUEUE
    return Judged(
        owed,
        owed & (d.matches == 0),
        undecided=owed & (d.matches < 0),
        blames=lambda: {"4.1.2-5": queue, "4.2.2-4": ~queue, "4.2.2-5": ~queue},
    )


@on(
    Grain.DELIVERY,
    "no-local-honoured",
    "8.3.1-13 8.3.1-14 8.3.3-34 8.3.3-35",
    story="{Sent}, and {this}, although that subscription keeps out messages of its own connection.",
)
def no_local_honoured(d: Deliveries) -> Judged:
    """A no-local subscription gets nothing that its own connection sent."""
    owed = d.sent & d.placed & (d.e_nolocal >= 0)
    return Judged(owed, owed & (d.e_nolocal == d.m_conn))


@on(
    Grain.DELIVERY,
    "not-before-subscription",
    "8.3.1-8 7.9-7 7.9-8",
    story="{Sent}; the send had returned by {send.t1:time}. {End} was created only at {endpoint.open0:time},"
    " yet {this}.",
)
def not_before_subscription(d: Deliveries) -> Judged:
    """A subscription gets nothing that was sent before it was created."""
    owed = d.sent & d.placed & (d.e_kind != Kind.QUEUE) & (d.e_open0 > ALWAYS)
    steady = d.ns(d.margins.steady)
    return Judged(owed, owed & (d.m_t1 < d.e_open0 - steady) & ((d.m_kind == End.FREE) | (d.m_s1 < d.e_open0 - steady)))


@on(
    Grain.DELIVERY,
    "not-after-unsubscribe",
    "8.3.1-9 8.3.2-12 8.3.2-13 8.3.3-18 8.3.4-17 4.2.2-15",
    story="{End} was gone by {endpoint.gone1:time}. {Sent} after that, and {this}.",
)
def not_after_unsubscribe(d: Deliveries) -> Judged:
    """A subscription gets nothing that is sent after its removal."""
    owed = d.sent & d.placed & (d.e_kind != Kind.QUEUE) & (d.e_gone1 < NEVER)
    return Judged(owed, owed & (d.m_t0 > d.e_gone1))


@on(
    Grain.DELIVERY,
    "temporary-owner-only",
    "4.1.5-5 4.2.7-4 6.2.2-3 6.2.2-4",
    story="{This}, a temporary destination of {owner}; the consumer belongs to {conn}.",
)
def temporary_owner_only(d: Deliveries) -> Judged:
    """Only the connection that created a temporary destination consumes from it."""
    owed = d.placed & (d.e_owner >= 0) & (d.conn >= 0)
    return Judged(owed, owed & (d.e_owner != d.conn))


@on(
    Grain.DELIVERY,
    "temporary-ends-with-connection",
    "4.1.5-4 4.2.7-3 6.2.2-8",
    story="The temporary destination {end} had ended with {owner} by {endpoint.gone1:time}. Later {this}.",
)
def temporary_ends_with_connection(d: Deliveries) -> Judged:
    """Nothing is delivered from a temporary destination once it has ended with its connection."""
    owed = d.placed & (d.e_owner >= 0) & (d.e_gone1 < NEVER)
    lag = np.where(d.t1 > d.t0, 0, d.ns(d.margins.lag))  # a receive may record its return late
    return Judged(owed, owed & (d.t0 > d.e_gone1 + lag))


PROPERTIES = (
    no_invention,
    right_destination,
    no_corruption,
    headers_as_sent,
    not_after_expiry,
    expired_not_received,
    not_before_delivery_time,
    not_before_send,
    selector_honoured,
    no_local_honoured,
    not_before_subscription,
    not_after_unsubscribe,
    temporary_owner_only,
    temporary_ends_with_connection,
)
