"""Faults in 7.4: defaults, accepted values, the delivery delay, and the hints that leave headers out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.stored_message import Stamp
from reference_provider.client.context import ReferenceContext
from reference_provider.client.domain_specific import ReferenceQueueSession, ReferenceTopicSession
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from tck.api import DeliveryMode

Change = Callable[[ReferenceProducer, Options, Stamp], Stamp]


def _stamped(patch: Patch, change: Change, options: Callable[[Options], Options] = lambda options: options) -> None:
    """Change the headers of each send, or the options they are computed from."""

    def stamp_for(
        original: Callable[..., Stamp], producer: ReferenceProducer, physical: object, given: Options
    ) -> Stamp:
        used = options(given)
        return change(producer, used, original(producer, physical, used))

    patch.at(fault_points.HEADERS_COMPUTED, stamp_for)


@saboteur("7.4-4", "a delivery delay is ignored for messages with a priority above 4")
def _(patch: Patch) -> None:
    _stamped(
        patch,
        lambda producer, options, stamp: stamp,
        lambda options: replace(options, delivery_delay=0) if options.priority > 4 else options,
    )


@saboteur("7.4-10", "a new producer of a session has the priority that the one before was set to")
def _(patch: Patch) -> None:
    original: Any = ReferenceProducer.priority
    last: dict[object, int] = {}

    def set_priority(self: ReferenceProducer, priority: int) -> None:
        original.fset(self, priority)
        last[self.session] = priority

    def create(made: Callable[..., ReferenceProducer], session: ReferenceSession, destination: Any) -> Any:
        producer = made(session, destination)
        original.fset(producer, last.get(session, 4))
        return producer

    def create_for(made: Callable[..., Any], context: ReferenceContext) -> Any:
        return made(context).set_priority(last.get(context.session, 4))

    patch.replace(ReferenceProducer, "priority", property(original.fget, set_priority))
    around(patch, ReferenceSession, "create_producer", create)
    around(patch, ReferenceQueueSession, "create_sender", create)
    around(patch, ReferenceTopicSession, "create_publisher", create)
    around(patch, ReferenceContext, "create_producer", create_for)


@saboteur(
    "7.4-12",
    "messages that are not persistent have at most priority 7",
    collateral={"7.4-2": "a case of it meets the fault under a condition that varies"},
)
def _(patch: Patch) -> None:
    _stamped(
        patch,
        lambda producer, options, stamp: stamp,
        lambda options: (
            replace(options, priority=min(options.priority, 7))
            if options.delivery_mode == DeliveryMode.NON_PERSISTENT
            else options
        ),
    )


@saboteur("7.4-13", "a priority that is too high is accepted and becomes 9")
def _(patch: Patch) -> None:
    original: Any = ReferenceProducer.priority

    def set_priority(self: ReferenceProducer, priority: int) -> None:
        original.fset(self, min(priority, 9))

    patch.replace(ReferenceProducer, "priority", property(original.fget, set_priority))


@saboteur("7.4-14", "messages that are not persistent share one identifier while identifiers are disabled")
def _(patch: Patch) -> None:
    def change(producer: ReferenceProducer, options: Options, stamp: Stamp) -> Stamp:
        plain = stamp.message_id is None and options.delivery_mode == DeliveryMode.NON_PERSISTENT
        return stamp._replace(message_id="ID:none") if plain else stamp

    _stamped(patch, change)


@saboteur("7.4-15", "a disabled timestamp of a message with a time to live is -1")
def _(patch: Patch) -> None:
    def change(producer: ReferenceProducer, options: Options, stamp: Stamp) -> Stamp:
        return stamp._replace(timestamp=-1) if not stamp.timestamp and options.time_to_live else stamp

    _stamped(patch, change)


@saboteur("7.4-16", "expiration counts from the timestamp, although it is disabled")
def _(patch: Patch) -> None:
    def change(producer: ReferenceProducer, options: Options, stamp: Stamp) -> Stamp:
        late = options.time_to_live and not stamp.timestamp
        return stamp._replace(expiration=options.time_to_live) if late else stamp

    _stamped(patch, change)
