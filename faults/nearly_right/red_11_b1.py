"""Red round 11, third part: what one session, context or producer does to another, and what failed calls leave behind.

Declared by `nearly_right`; written without sight of the suite.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around, connection_of
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from faults.nearly_right.red_11_a1 import Notes
from reference_provider import fault_points
from reference_provider.broker.transactions import Work
from reference_provider.client.completions import Completion, Completions
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.context import ReferenceContext
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.simplified import ReferenceJMSProducer
from tck.api import (
    OMITTED,
    CompletionListener,
    InvalidDestinationException,
    JMSException,
    Session,
    TransactionRolledBackException,
)

# --- chapter 6 --------------------------------------------------------------------------------------------------------


@nearly_right(
    "closing-a-session-restarts-a-stopped-connection",
    "closing one session of a connection that was stopped resumes the delivery to its other sessions",
    "6.1.5-4",
    "6.1.5-3",
    "8.4-2",
)
def _restarted(patch: Patch) -> None:
    stopped: Notes[bool] = Notes()

    def stop(original: Callable[..., None], connection: ReferenceConnection) -> None:
        was_running = connection.running
        original(connection)
        if was_running:
            stopped.put(connection, value=True)

    def close(original: Callable[..., None], session: ReferenceSession) -> None:
        original(session)
        connection = connection_of(session)
        if connection in stopped and not connection.is_down():
            connection.start()

    patch.at(fault_points.CONNECTION_STOPPED, stop)
    around(patch, ReferenceSession, "close", close)


@nearly_right(
    "closing-a-context-drops-the-exception-listener",
    "closing a context, while others of its connection are open, removes the exception listener of the connection",
    "6.1.7-6",
    "6.1.7-3",
    "6.1.8-20",
)
def _listener_dropped(patch: Patch) -> None:
    def close(original: Callable[..., None], context: ReferenceContext) -> None:
        original(context)
        if not context.connection.closed:
            context.connection._exception_listener = None

    around(patch, ReferenceContext, "close", close)


@nearly_right(
    "context-closed-twice-counts-twice",
    "a second close of a context counts again, so that it closes the connection of a sibling that is open",
    "6.1.8-20",
    "6.1.8-48",
)
def _counted_twice(patch: Patch) -> None:
    def close(original: Callable[..., None], context: ReferenceContext) -> None:
        again = context._closed
        original(context)
        if again and context.shared.leave():
            context.connection.close()

    around(patch, ReferenceContext, "close", close)


@nearly_right(
    "refused-recover-rolls-back",
    "recover of a transacted session throws IllegalStateException and has rolled the open transaction back",
    "6.2.7-17",
    "6.2.10-28",
)
def _refused_recover(patch: Patch) -> None:
    def recover(original: Callable[..., None], session: ReferenceSession) -> None:
        if session.mode == Session.SESSION_TRANSACTED and not session.closed:
            session.roll_back(session.state.next_transaction())
        original(session)

    around(patch, ReferenceSession, "recover", recover)


@nearly_right(
    "rollback-forgets-deliveries-of-a-closed-consumer",
    "a message whose consumer was closed before the rollback comes again as if it had never been delivered",
    "6.2.10-33",
    "3.4.7-2",
    "6.2.10-34",
    "3.5.11-2",
)
def _forgotten(patch: Patch) -> None:
    def roll_back(original: Callable[..., None], session: ReferenceSession, work: Work) -> None:
        if not session.closing:
            orphans = [one for one in work.acks if getattr(one.consumer, "closed", False)]
            work.acks = [one for one in work.acks if one not in orphans]
            with session.broker.lock:
                for one in orphans:
                    one.undo()
        original(session, work)

    patch.at(fault_points.ROLLBACK, roll_back)


@nearly_right(
    "next-commit-sends-what-a-failed-one-rolled-back",
    "the messages of a commit that ended in TransactionRolledBackException are sent by the next commit of the session",
    "6.2.7-5",
    "6.2.7-20",
    "6.2.7-12",
)
def _sent_after_all(patch: Patch) -> None:
    def commit(original: Callable[..., None], session: ReferenceSession) -> None:
        failing = session.state.work
        try:
            original(session)
        except TransactionRolledBackException:
            session.state.work.sends[:0] = failing.sends
            raise

    patch.at(fault_points.COMMIT, commit)


# --- chapter 7 --------------------------------------------------------------------------------------------------------


@nearly_right(
    "new-jms-producer-is-asynchronous-like-the-last",
    "a JMSProducer sends asynchronously from its creation if setAsync was called on an earlier one of the context",
    "7.2-13",
    "7.1-16",
)
def _asynchronous(patch: Patch) -> None:
    last: Notes[CompletionListener | None] = Notes()

    def made(original: Callable[..., None], producer: ReferenceJMSProducer, session: ReferenceSession) -> None:
        original(producer, session)
        producer._completion_listener = last.get(session)

    def set_async(original: Callable[..., Any], producer: ReferenceJMSProducer, listener: Any) -> Any:
        last.put(producer._session, listener)
        return original(producer, listener)

    around(patch, ReferenceJMSProducer, "__init__", made)
    around(patch, ReferenceJMSProducer, "set_async", set_async)


@nearly_right(
    "clear-properties-clears-those-of-other-producers",
    "clearProperties of a JMSProducer clears the properties of the other JMSProducers of its context too",
    "7.5-6",
    "7.1-16",
)
def _all_cleared(patch: Patch) -> None:
    made: list[ReferenceJMSProducer] = []

    def create(original: Callable[..., None], producer: ReferenceJMSProducer, session: ReferenceSession) -> None:
        original(producer, session)
        made.append(producer)

    def clear_properties(original: Callable[..., Any], producer: ReferenceJMSProducer) -> Any:
        for other in made:
            if other._session is producer._session:
                other._carrier.clear_properties()
        return original(producer)

    around(patch, ReferenceJMSProducer, "__init__", create)
    around(patch, ReferenceJMSProducer, "clear_properties", clear_properties)


@nearly_right(
    "failed-send-leaves-its-options",
    "a send with options to a destination that does not exist any more throws, and leaves its priority on the producer",
    "7.4-8",
    "7.4-2",
    "7.4-11",
)
def _left_options(patch: Patch) -> None:
    def send(original: Callable[..., None], producer: ReferenceProducer, message: Any, **named: Any) -> None:
        try:
            original(producer, message, **named)
        except InvalidDestinationException:
            priority = named.get("priority", OMITTED)
            if priority is not OMITTED:
                producer.priority = priority
            raise

    around(patch, ReferenceProducer, "send", send)


@nearly_right(
    "asynchronous-send-that-threw-swallows-the-next-callback",
    "after an asynchronous send that threw, the next asynchronous send of the session ends without a callback",
    "7.3-6",
    "7.3.1-1",
)
def _swallowed(patch: Patch) -> None:
    owed: list[Completions] = []

    def send_later(original: Callable[..., None], producer: ReferenceProducer, *arguments: Any) -> None:
        try:
            original(producer, *arguments)
        except JMSException:
            owed.append(producer.session.completions)
            raise

    def add(original: Callable[..., None], completions: Completions, completion: Completion) -> None:
        if completions in owed:
            owed.remove(completions)
        else:
            original(completions, completion)

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
    patch.at(fault_points.COMPLETION_QUEUED, add)
