"""Faults of acknowledgment in one mode, by a table."""

import threading

from faults.kit import *
from faults.nearly_right.shared import *

_HERE = threading.local()
"""`listens`: whether this thread calls listeners."""


NORMAL = 4
"""The priority of a message that nobody gave one."""


def _never_settled(condition, *, listener):
    """In AUTO_ACKNOWLEDGE the return of receive, or of the listener, acknowledges nothing."""

    def install(patch):
        def settle(original, state, delivery):
            listens = getattr(_HERE, "listens", False)
            if state.mode == Session.AUTO_ACKNOWLEDGE and condition(delivery) and listens is listener:
                state.unacknowledged.append(delivery)
            else:
                original(state, delivery)

        def call_listener(original, *arguments):
            _HERE.listens = True  # a thread of listeners does nothing else
            return original(*arguments)

        patch.at(fault_points.SETTLED, settle)
        patch.at(fault_points.LISTENER_CALLED, call_listener)

    return install


def _never_acknowledged(condition):
    """In CLIENT_ACKNOWLEDGE acknowledge() leaves some messages out."""

    def install(patch):
        def acknowledge(original, session):
            state = session.state
            kept = [one for one in state.unacknowledged if condition(one)]
            state.unacknowledged = [one for one in state.unacknowledged if not condition(one)]
            original(session)
            state.unacknowledged += kept

        patch.at(fault_points.ACKNOWLEDGED, acknowledge)

    return install


def _not_recovered(condition):
    """recover() in CLIENT_ACKNOWLEDGE brings some messages not back."""

    def install(patch):
        def redeliver(original, redelivery, deliveries):
            original(redelivery, [one for one in deliveries if not condition(one)])

        patch.at(fault_points.REDELIVERED, redeliver)

    return install


def _failure_settles(patch):
    """What a listener failed at is acknowledged."""
    patch.at(fault_points.LISTENER_CALLED, lambda original, *arguments: original(*arguments) and False)


def _overtaker_not_counted(patch):
    """A failed delivery of a message that overtook others by its priority is not counted."""

    def call(original, *arguments):
        failed = original(*arguments)
        for delivery in arguments:
            if failed and isinstance(delivery, Delivery) and delivery.entry.priority > NORMAL:
                delivery.count -= 1
        return failed

    patch.at(fault_points.LISTENER_CALLED, call)


_FAULTS = (
    (
        "auto-receive-on-queue",
        "what receive returns from a queue in AUTO_ACKNOWLEDGE is never acknowledged",
        "6.2.10-1",
        _never_settled(from_queue, listener=False),
    ),
    (
        "auto-receive-on-durable",
        "what receive returns from a durable subscription in AUTO_ACKNOWLEDGE is never acknowledged",
        "6.2.10-2",
        _never_settled(of_durable, listener=False),
    ),
    (
        "auto-listener-on-queue",
        "what a listener of a queue has handled in AUTO_ACKNOWLEDGE is never acknowledged",
        "6.2.10-3",
        _never_settled(from_queue, listener=True),
    ),
    (
        "auto-listener-on-durable",
        "what a listener of a durable subscription has handled in AUTO_ACKNOWLEDGE is never acknowledged",
        "6.2.10-4",
        _never_settled(of_durable, listener=True),
    ),
    (
        "acknowledge-leaves-queues",
        "acknowledge() leaves out the messages of queues",
        "6.2.10-7",
        _never_acknowledged(from_queue),
    ),
    (
        "acknowledge-leaves-durables",
        "acknowledge() leaves out the messages of durable subscriptions",
        "6.2.10-8",
        _never_acknowledged(of_durable),
    ),
    (
        "recover-loses-queues",
        "recover() does not bring the messages of queues again",
        "6.2.10-20",
        _not_recovered(from_queue),
    ),
    (
        "recover-loses-durables",
        "recover() does not bring the messages of durable subscriptions again",
        "6.2.10-21",
        _not_recovered(of_durable),
    ),
    (
        "failed-overtaker-comes-as-new",
        "a message of high priority at which a listener failed comes again as new",
        "3.4.7-1",
        _overtaker_not_counted,
    ),
    ("failed-listener-settles", "a message at which a listener failed is acknowledged", "8.7-2", _failure_settles),
)


for _name, _title, _row, _fault in _FAULTS:
    nearly_right(_name, _title, _row)(_fault)
