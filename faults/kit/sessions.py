"""Helpers of faults in sessions that end with unfinished work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from faults.kit.common import connection_of, session_of
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalQueue
from reference_provider.broker.transactions import Work
from reference_provider.client.dispatch import Dispatcher
from reference_provider.client.sessions import ReferenceSession
from tck.api import MessageListener


def alone(session: ReferenceSession) -> bool:
    """Return whether a session is being closed, or was, and its connection is not."""
    connection = connection_of(session)
    return session.closing and not (connection.closing or connection.closed)


def before_end(patch: Patch, fault: Callable[[ReferenceSession], None]) -> None:
    """Run `fault` before the unfinished work of a closed session is undone; not where its link was lost."""

    def drop_unfinished(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        if connection_of(session).lost is None:
            fault(session)
        original(session)

    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


def send_open(session: ReferenceSession, many: int = 1) -> None:
    """Send what the open transaction has sent, if that is at least so many messages."""
    if len(session.state.work.sends) < many:
        return
    work = Work(session.broker)
    work.sends, session.state.work.sends = session.state.work.sends, []
    work.perform()


def acknowledged_at_end(
    patch: Patch,
    *,
    transacted: bool,
    queue: bool,
    many: int = 1,
    when: Callable[[ReferenceSession], bool] = lambda _: True,
) -> None:
    """Acknowledge the unsettled messages of a queue or a durable subscription when their session is closed.

    Args:
        patch: Where the fault is put.
        transacted: Those of its open transaction, or else those of CLIENT_ACKNOWLEDGE.
        queue: Those of a queue, or else those of a durable subscription.
        many: How many of them there have to be.
        when: Which sessions it concerns.
    """

    def fault(session: ReferenceSession) -> None:
        state = session.state
        unsettled = state.work.acks if transacted else state.unacknowledged
        chosen = [
            one
            for one in unsettled
            if isinstance(one.source.physical, PhysicalQueue) is queue and (queue or one.source.in_file)
        ]
        if len(chosen) >= many and when(session):
            for delivery in chosen:
                unsettled.remove(delivery)
            state.acknowledge(chosen, durable=True)

    before_end(patch, fault)


def called_once_more(
    patch: Patch, many: int, *, wait: int, when: Callable[[ReferenceSession], bool] = lambda _: True
) -> None:
    """Call the listener of a closed session once more, `wait` ms after its end, if it had at least `many` messages."""
    calls = Counter[ReferenceSession]()
    last: dict[ReferenceSession, Callable[[], None]] = {}

    def call_listener(
        original: Callable[..., bool], dispatcher: Dispatcher, listener: MessageListener, delivery: Delivery
    ) -> bool:
        session = session_of(dispatcher)
        calls[session] += 1
        last[session] = lambda: listener.on_message(session.message_of(delivery))
        return original(dispatcher, listener, delivery)

    def later(session: ReferenceSession) -> None:
        session.broker.clock.event().wait(wait)
        last[session]()

    def drop_unfinished(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        original(session)
        if calls[session] >= many and when(session):
            session.broker.clock.spawn(lambda: later(session), "reference-provider-late")

    patch.at(fault_points.LISTENER_CALLED, call_listener)
    patch.at(fault_points.SESSION_ENDED, drop_unfinished)
