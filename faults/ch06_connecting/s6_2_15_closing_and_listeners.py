"""Faults in 6.2.15: closing a session while its listeners run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around, connection_of, session_of
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from faults.kit.pauses import pause
from faults.kit.sessions import alone, called_once_more
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.client.context import ReferenceContext
from reference_provider.client.session_state import SessionState
from reference_provider.client.sessions import ReferenceSession
from tck.api import IllegalStateException, Session


@saboteur("6.2.15-2", "a listener is called with its last message once more after the close of its session")
def _(patch: Patch) -> None:
    called_once_more(patch, 1, wait=20, when=alone)


@saboteur(
    "6.2.15-5",
    "close() of a session does not wait for its listener",
    collateral={"6.2.15-7": "a listener runs when its session is closed"},
)
def _(patch: Patch) -> None:
    def wait_until_idle(original: Callable[..., None], session: ReferenceSession) -> None:
        if not alone(session):
            original(session)

    patch.at(fault_points.CALLS_AWAITED, wait_until_idle)


@nearly_right(
    "dups-ok-close-does-not-wait-for-its-listener",
    "close() of a session does not wait for its listener in DUPS_OK_ACKNOWLEDGE",
    "6.2.15-5",
)
def _(patch: Patch) -> None:
    def wait_until_idle(original: Callable[..., None], session: ReferenceSession) -> None:
        if not (alone(session) and session.mode == Session.DUPS_OK_ACKNOWLEDGE):
            original(session)

    patch.at(fault_points.CALLS_AWAITED, wait_until_idle)


@saboteur("6.2.15-7", "a listener cannot send once the close of its session has been called")
def _(patch: Patch) -> None:
    def submit(original: Callable[..., None], session: ReferenceSession, *arguments: Any) -> None:
        if alone(session) and session.in_listener():
            raise IllegalStateException("the session is being closed")
        original(session, *arguments)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@saboteur(
    "6.2.15-8",
    "close() of a session in its listener hangs",
    collateral={"6.2.15-10": "its listener closes the session"},
)
def _(patch: Patch) -> None:
    def close(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        if session.in_listener():
            pause(connection_of(session))
        original(session)

    around(patch, ReferenceSession, "close", close)


@nearly_right(
    "client-acknowledge-listener-hangs-in-close-of-its-session",
    "close() of a session in its listener hangs in CLIENT_ACKNOWLEDGE",
    "6.2.15-8",
)
def _(patch: Patch) -> None:
    def close(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        if session.in_listener() and session.mode == Session.CLIENT_ACKNOWLEDGE:
            pause(connection_of(session))
        original(session)

    around(patch, ReferenceSession, "close", close)


@saboteur("6.2.15-9", "close() of a context with siblings in its listener hangs")
def _(patch: Patch) -> None:
    def close(original: Callable[[ReferenceContext], None], context: ReferenceContext) -> None:
        session = context.session
        if session.in_listener() and len(connection_of(session).sessions) > 1:
            pause(connection_of(session))
        original(context)

    around(patch, ReferenceContext, "close", close)


@nearly_right(
    "client-acknowledge-listener-hangs-in-close-of-its-context",
    "close() of a context with siblings in its listener hangs in CLIENT_ACKNOWLEDGE",
    "6.2.15-9",
)
def _(patch: Patch) -> None:
    def close(original: Callable[[ReferenceContext], None], context: ReferenceContext) -> None:
        session = context.session
        siblings = len(connection_of(session).sessions) > 1
        if session.in_listener() and siblings and session.mode == Session.CLIENT_ACKNOWLEDGE:
            pause(connection_of(session))
        original(context)

    around(patch, ReferenceContext, "close", close)


@saboteur("6.2.15-10", "a message whose listener called close() of its session is not acknowledged")
def _(patch: Patch) -> None:
    callers, dropped = set[ReferenceSession](), dict[ReferenceSession, Delivery]()

    def close(original: Callable[[Any], None], closeable: Any) -> None:
        session = closeable.session if isinstance(closeable, ReferenceContext) else closeable
        if session.in_listener():
            callers.add(session)
        original(closeable)

    def settle(original: Callable[..., None], state: SessionState, delivery: Delivery) -> None:
        consumer: Any = delivery.consumer
        session = session_of(consumer)
        if session in callers and session.mode == Session.AUTO_ACKNOWLEDGE:
            dropped[session] = delivery
        else:
            original(state, delivery)

    def drop_unfinished(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        original(session)
        if session in dropped:
            session.broker.redelivery.redeliver([dropped[session]])

    around(patch, ReferenceSession, "close", close)
    around(patch, ReferenceContext, "close", close)
    patch.at(fault_points.SETTLED, settle)
    patch.at(fault_points.SESSION_ENDED, drop_unfinished)
