"""Evidence that an endpoint was empty: fences that came out of it, and receives that timed out.

A fence is a message sent later on the same stream: earlier messages had to come first. Neither proves anything while another
consumer of the same endpoint may hold messages it has not shown. May import the bookkeeping modules; must not judge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from tck.check.columns import ALWAYS, FENCES, NONE, Kind, Table
from tck.check.from_events.endpoints import Consumer, EndpointRegistry
from tck.check.from_events.timeline import Timeline
from tck.check.from_events.walk import Delivery, Row
from tck.check.results import Margins


def drain(timeline: Timeline, margins: Margins) -> None:
    """Record for each endpoint until when it was shown to be empty."""
    clients, registry = timeline.clients, timeline.registry
    patience = margins.patience * 1_000_000
    for receive in timeline.result.timed_out:
        consumer, endpoint = receive.consumer, receive.consumer.endpoint
        if receive.t1 - receive.t0 < patience or consumer.gone0 < receive.t1 or consumer.session == NONE:
            continue
        if endpoint.kind == Kind.QUEUE and consumer.selector != NONE:
            continue
        if endpoint.gone0 < receive.t1:
            continue  # the empty one may be another of the same name
        conn = clients.sessions[consumer.session].conn
        alone = all(each.gone1 < receive.t0 or each.open0 > receive.t1 for each in registry.others(consumer))
        if alone and clients.was_running(conn, receive.t0, receive.t1):
            endpoint.drained = max(endpoint.drained, receive.t0)
            endpoint.waited = max(endpoint.waited, receive.t1)


def fences_of(timeline: Timeline, sent_rows: Mapping[int, Row]) -> Table:
    """Find the last fence of each endpoint, stream, mode, delay and priority."""
    priorities: defaultdict[int, set[int]] = defaultdict(set)
    for msg, row in sent_rows.items():
        priorities[msg >> 32].add(row["prio"])
    seen: set[tuple[int, int]] = set()
    found: dict[tuple[int, ...], Row] = {}
    for delivery in sorted(timeline.result.deliveries, key=lambda each: each.row["t0"]):
        row = delivery.row
        copy = (row["msg"], row["end"])
        if delivery.browsed or row["red"] or copy in seen or row["msg"] not in sent_rows:
            continue
        seen.add(copy)
        if delivery.consumer is None or row["end"] == NONE or delivery.consumer.endpoint.gone0 < row["t0"]:
            continue
        since = _alone_since(timeline.registry, delivery.consumer, row["t0"])
        if since is None:
            continue
        stream = row["msg"] >> 32
        for priority in priorities[stream]:
            if priority >= row["prio"]:
                fence = {
                    "end": row["end"],
                    "stream": stream,
                    "mode": row["mode"],
                    "delay": row["delay"],
                    "prio": priority,
                    "pos": row["msg"] & 0xFFFFFFFF,
                    "since": since,
                    "selector": _selector(delivery),
                }
                key = tuple(fence[name] for name in ("end", "stream", "mode", "delay", "prio"))
                if key not in found or found[key]["pos"] < fence["pos"]:
                    found[key] = fence
    return Table.from_rows(FENCES, found.values())


def _selector(delivery: Delivery) -> int:
    """Return the selector that a message on a queue had to pass to precede the fence; that of a subscription is judged anyway."""
    consumer = delivery.consumer
    return consumer.selector if consumer is not None and consumer.endpoint.kind == Kind.QUEUE else NONE


def _alone_since(registry: EndpointRegistry, consumer: Consumer, time: int) -> int | None:
    """Return the time since which a consumer had its endpoint to itself; None if it had not."""
    since = ALWAYS
    for other in registry.others(consumer):
        if other.open0 >= time:
            continue
        if other.gone1 > time:
            return None
        since = max(since, other.gone1)
    return since
