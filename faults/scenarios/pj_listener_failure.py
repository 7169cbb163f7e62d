"""Faults with a listener that raises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from faults.kit.common import as_received, session_of
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.client.dispatch import Dispatcher
from tck.api import Message, MessageListener, Session

Call = Callable[[], bool]


def _at_first_failure(patch: Patch, mode: int, fault: Callable[[Call, Dispatcher, Delivery], bool]) -> None:
    """Run `fault` after the first exception of a session's listener in a mode; it returns whether the listener failed."""
    failures = Counter[Dispatcher]()

    def call_listener(
        original: Callable[..., bool], dispatcher: Dispatcher, listener: MessageListener, delivery: Delivery
    ) -> bool:
        failed = original(dispatcher, listener, delivery)
        failures[dispatcher] += failed
        if not failed or failures[dispatcher] > 1 or session_of(dispatcher).mode != mode:
            return failed
        return fault(lambda: original(dispatcher, listener, delivery), dispatcher, delivery)

    patch.at(fault_points.LISTENER_CALLED, call_listener)


@saboteur("pj-listener-failure-1", "in AUTO_ACKNOWLEDGE the first message that a listener fails at is acknowledged")
def _(patch: Patch) -> None:
    _at_first_failure(patch, Session.AUTO_ACKNOWLEDGE, lambda *_: False)


@saboteur("pj-listener-failure-2", "in DUPS_OK_ACKNOWLEDGE the first message that a listener fails at is acknowledged")
def _(patch: Patch) -> None:
    _at_first_failure(patch, Session.DUPS_OK_ACKNOWLEDGE, lambda *_: False)


@saboteur(
    "pj-listener-failure-3", "a message whose listener failed in DUPS_OK_ACKNOWLEDGE comes without JMSRedelivered"
)
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        consumer: Any = delivery.consumer
        if consumer is not None and consumer.session.mode == Session.DUPS_OK_ACKNOWLEDGE:
            message.jms_redelivered = False

    as_received(patch, fault)


@saboteur("pj-listener-failure-4", "a message whose listener failed comes with a count of 3")
def _(patch: Patch) -> None:
    def message_of(original: Callable[..., Message], session: Any, delivery: Delivery) -> Message:
        if session.mode != Session.AUTO_ACKNOWLEDGE or delivery.count != 2:
            return original(session, delivery)
        delivery.count = 3
        try:
            return original(session, delivery)
        finally:
            delivery.count = 2

    patch.at(fault_points.MESSAGE_MADE, message_of)


@saboteur(
    "pj-listener-failure-5", "in CLIENT_ACKNOWLEDGE the first message that a listener fails at comes again by itself"
)
def _(patch: Patch) -> None:
    _at_first_failure(patch, Session.CLIENT_ACKNOWLEDGE, lambda call, *_: call())


@saboteur("pj-listener-failure-6", "in CLIENT_ACKNOWLEDGE the first message that a listener fails at is acknowledged")
def _(patch: Patch) -> None:
    def fault(_: Call, dispatcher: Dispatcher, delivery: Delivery) -> bool:
        state = session_of(dispatcher).state
        state.unacknowledged.remove(delivery)
        state.acknowledge([delivery], durable=True)
        return True

    _at_first_failure(patch, Session.CLIENT_ACKNOWLEDGE, fault)
