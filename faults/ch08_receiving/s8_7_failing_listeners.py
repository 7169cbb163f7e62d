"""Faults in 8.7: message listeners that fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from faults.kit.common import as_received, session_of
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.client.dispatch import Dispatcher
from reference_provider.client.session_state import SessionState
from tck.api import DeliveryMode, Message, MessageListener, Session

Original = Callable[[Dispatcher, MessageListener, Delivery], bool]
Failed = Callable[[Original, Dispatcher, MessageListener, Delivery], bool]


def _state_of(dispatcher: Dispatcher) -> SessionState:
    return session_of(dispatcher).state


def _after_failure(patch: Patch, mode: int, failed: Failed) -> None:
    """Run `failed` after a listener of a session of the mode has raised; it returns whether it has, for the dispatcher."""

    def call_listener(
        original: Original, dispatcher: Dispatcher, listener: MessageListener, delivery: Delivery
    ) -> bool:
        if not original(dispatcher, listener, delivery):
            return False
        if _state_of(dispatcher).mode != mode:
            return True
        return failed(original, dispatcher, listener, delivery)

    patch.at(fault_points.LISTENER_CALLED, call_listener)


def _settled_at_the_fourth(patch: Patch, mode: int) -> None:
    failures: Counter[Dispatcher] = Counter()

    def failed(original: Original, dispatcher: Dispatcher, listener: MessageListener, delivery: Delivery) -> bool:
        del original, listener, delivery
        failures[dispatcher] += 1
        return failures[dispatcher] != 4

    _after_failure(patch, mode, failed)


@saboteur("8.7-2", "in AUTO_ACKNOWLEDGE a message that a listener fails at is acknowledged")
def _(patch: Patch) -> None:
    _after_failure(patch, Session.AUTO_ACKNOWLEDGE, lambda *_: False)


@nearly_right(
    "automatic-listener-settles-its-fourth-failure",
    "in AUTO_ACKNOWLEDGE the fourth message that a listener fails at is acknowledged",
    "8.7-2",
)
def _(patch: Patch) -> None:
    _settled_at_the_fourth(patch, Session.AUTO_ACKNOWLEDGE)


@saboteur("8.7-3", "in DUPS_OK_ACKNOWLEDGE a message that a listener fails at is acknowledged")
def _(patch: Patch) -> None:
    _after_failure(patch, Session.DUPS_OK_ACKNOWLEDGE, lambda *_: False)


@nearly_right(
    "dups-ok-listener-settles-its-fourth-failure",
    "in DUPS_OK_ACKNOWLEDGE the fourth message that a listener fails at is acknowledged",
    "8.7-3",
)
def _(patch: Patch) -> None:
    _settled_at_the_fourth(patch, Session.DUPS_OK_ACKNOWLEDGE)


def _third(delivery: Delivery) -> bool:
    """Return whether a listener that has failed twice gets the message again."""
    return getattr(delivery.consumer, "listener", None) is not None and delivery.count == 3


@saboteur("8.7-4", "after two failures of a listener its message comes without JMSRedelivered")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        if _third(delivery) and delivery.transaction is None:
            message.jms_redelivered = False

    as_received(patch, fault)


@saboteur("8.7-5", "after two failures of a listener its message comes with a count of 2")
def _(patch: Patch) -> None:
    def message_of(original: Callable[..., Message], session: Any, delivery: Delivery) -> Message:
        if not _third(delivery):
            return original(session, delivery)
        delivery.count = 2
        try:
            return original(session, delivery)
        finally:
            delivery.count = 3

    patch.at(fault_points.MESSAGE_MADE, message_of)


def _repeated(original: Original, dispatcher: Dispatcher, listener: MessageListener, delivery: Delivery) -> bool:
    """Call the listener again with the message that it failed at."""
    return original(dispatcher, listener, delivery)


@saboteur(
    "8.7-7",
    "in CLIENT_ACKNOWLEDGE a listener that failed at a message gets it again at once",
    collateral={"8.7-8": "a case of it meets the fault under a condition that varies"},
)
def _(patch: Patch) -> None:
    _after_failure(patch, Session.CLIENT_ACKNOWLEDGE, _repeated)


@saboteur(
    "8.7-9",
    "in a transaction a listener that failed at a message gets it again at once",
    collateral=dict.fromkeys(
        (
            "8.7-10",
            "8.7-11",
        ),
        "its listener fails in a transaction",
    ),
)
def _(patch: Patch) -> None:
    _after_failure(patch, Session.SESSION_TRANSACTED, _repeated)


@saboteur("8.7-8", "in CLIENT_ACKNOWLEDGE a message that a listener fails at is acknowledged")
def _(patch: Patch) -> None:
    def failed(original: Original, dispatcher: Dispatcher, listener: MessageListener, delivery: Delivery) -> bool:
        del original, listener
        state = _state_of(dispatcher)
        if delivery in state.unacknowledged:
            state.unacknowledged.remove(delivery)
            state.acknowledge([delivery], durable=True)
        return True

    _after_failure(patch, Session.CLIENT_ACKNOWLEDGE, failed)


@nearly_right(
    "client-listener-settles-its-fifth-failure",
    "in CLIENT_ACKNOWLEDGE the fifth message that a listener fails at is acknowledged",
    "8.7-8",
)
def _(patch: Patch) -> None:
    failures: Counter[Dispatcher] = Counter()

    def failed(original: Original, dispatcher: Dispatcher, listener: MessageListener, delivery: Delivery) -> bool:
        del original, listener
        failures[dispatcher] += 1
        state = _state_of(dispatcher)
        if failures[dispatcher] == 5 and delivery in state.unacknowledged:
            state.unacknowledged.remove(delivery)
            state.acknowledge([delivery], durable=True)
        return True

    _after_failure(patch, Session.CLIENT_ACKNOWLEDGE, failed)


@saboteur(
    "8.7-10",
    "a listener that fails after it has sent rolls its session back",
    collateral={"8.7-11": "its listener fails in a transaction that sends"},
)
def _(patch: Patch) -> None:
    def failed(original: Original, dispatcher: Dispatcher, listener: MessageListener, delivery: Delivery) -> bool:
        del original, listener, delivery
        if _state_of(dispatcher).work.sends:
            session_of(dispatcher).rollback()
        return True

    _after_failure(patch, Session.SESSION_TRANSACTED, failed)


@nearly_right(
    "failing-listener-rolls-non-persistent-sends-back",
    "a listener that fails at a message that is not persistent after it has sent rolls its session back",
    "8.7-10",
)
def _(patch: Patch) -> None:
    def failed(original: Original, dispatcher: Dispatcher, listener: MessageListener, delivery: Delivery) -> bool:
        del original, listener
        if _state_of(dispatcher).work.sends and delivery.entry.delivery_mode == DeliveryMode.NON_PERSISTENT:
            session_of(dispatcher).rollback()
        return True

    _after_failure(patch, Session.SESSION_TRANSACTED, failed)


@saboteur("8.7-11", "in a transaction what a listener fails at is consumed at once")
def _(patch: Patch) -> None:
    def failed(original: Original, dispatcher: Dispatcher, listener: MessageListener, delivery: Delivery) -> bool:
        del original, listener
        state = _state_of(dispatcher)
        if delivery in state.work.acks:
            state.work.acks.remove(delivery)
            state.acknowledge([delivery], durable=True)
        return True

    _after_failure(patch, Session.SESSION_TRANSACTED, failed)
