"""Faults in 6.2.11: what was acknowledged comes again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from faults.kit.common import Marked, as_received
from faults.kit.copies import put_copy
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.messages import provider_property
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalQueue
from reference_provider.broker.transactions import Work
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.dispatch import Dispatcher
from reference_provider.client.session_state import SessionState
from reference_provider.client.sessions import ReferenceSession
from reference_provider.store import Unit
from tck.api import Int, Session

_MANY = 7
"""Acknowledged messages of one session from which on the faults that count them show."""


def _of_queue(delivery: Delivery) -> bool:
    return isinstance(delivery.source.physical, PhysicalQueue)


def _of_subscription(delivery: Delivery) -> bool:
    return not _of_queue(delivery)


class _Removed:
    """The messages that were acknowledged, by the session of their consumers."""

    def __init__(self, patch: Patch) -> None:
        self._of: defaultdict[object, list[Delivery]] = defaultdict(list)

        def remove_from_queue(original: Callable[..., None], delivery: Delivery) -> None:
            original(delivery)
            self._of[getattr(delivery.consumer, "session", None)].append(delivery)

        patch.at(fault_points.REMOVED, remove_from_queue)

    def bring_back(self, session: ReferenceSession, wanted: Callable[[Delivery], bool], many: int) -> None:
        """Put a copy of the last acknowledged message of a session back, if it has acknowledged so many."""
        removed = [one for one in self._of.pop(session, []) if wanted(one) and not one.source.gone]
        if len(removed) >= many:
            with session.broker.lock:
                put_copy(session.broker, removed[-1].source, removed[-1].entry)


def _comes_back_at_close(patch: Patch, wanted: Callable[[Delivery], bool], many: int = 1) -> None:
    """Let the close of a session bring the last message back that it has acknowledged, if there are so many."""
    removed = _Removed(patch)

    def drop_unfinished(original: Callable[..., None], session: ReferenceSession) -> None:
        original(session)
        if not session.connection.is_down() or session.connection.usable:
            removed.bring_back(session, wanted, many)

    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


@saboteur("6.2.11-1", "the close of a session brings back the last message of a queue that it has acknowledged")
def _(patch: Patch) -> None:
    _comes_back_at_close(patch, _of_queue)


@nearly_right(
    "close-brings-back-the-last-of-many-queue-messages",
    "the close of a session that acknowledged many queue messages brings the last one back",
    "6.2.11-1",
)
def _(patch: Patch) -> None:
    _comes_back_at_close(patch, _of_queue, _MANY)


@saboteur("6.2.11-2", "the close of a session brings back the last message of a subscription that it has acknowledged")
def _(patch: Patch) -> None:
    _comes_back_at_close(patch, _of_subscription)


@nearly_right(
    "close-brings-back-the-last-of-many-messages-of-a-subscription",
    "the close of a session that acknowledged many messages of a subscription brings the last one back",
    "6.2.11-2",
)
def _(patch: Patch) -> None:
    _comes_back_at_close(patch, _of_subscription, _MANY)


@saboteur("6.2.11-3", "the loss of a link brings back the last message that the client acknowledged or committed")
def _(patch: Patch) -> None:
    _comes_back_at_loss(patch, lambda _: True)


def _comes_back_at_loss(patch: Patch, wanted: Callable[[Delivery], bool], many: int = 1) -> None:
    """Let the loss of a link bring the last message back that each session's client has acknowledged, if there are so many."""
    removed = _Removed(patch)

    def sever(original: Callable[..., None], connection: ReferenceConnection, why: str) -> None:
        sessions = list(connection.sessions)
        original(connection, why)
        for session in sessions:
            if session.mode in {Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED}:
                removed.bring_back(session, wanted, many)

    patch.at(fault_points.LINK_LOST, sever)


@nearly_right(
    "lost-link-brings-back-the-last-of-many-queue-messages",
    "the loss of a link brings back the last of many messages of a queue that the client had acknowledged",
    "6.2.11-3",
)
def _(patch: Patch) -> None:
    _comes_back_at_loss(patch, _of_queue, _MANY)


@saboteur("6.2.11-4", "acknowledgements are not written to the disk, but for those of a transaction that sends")
def _(patch: Patch) -> None:
    _not_written(patch, lambda work: bool(work.acks))


def _not_written(patch: Patch, applies: Callable[[Work], bool]) -> None:
    """Do not write some acknowledgements to the disk."""

    def commit(original: Callable[..., None], broker: Broker, unit: Unit) -> None:
        if isinstance(unit, Work) and applies(unit) and not unit.sends:
            with broker.lock:
                unit.after()
        else:
            original(broker, unit)

    patch.at(fault_points.FILE_WRITTEN, commit)


@nearly_right(
    "four-acknowledgements-are-not-written",
    "an acknowledgement of four messages together is not written to the disk",
    "6.2.11-4",
)
def _(patch: Patch) -> None:
    _not_written(patch, lambda work: len(work.acks) == 4)


@saboteur("6.2.11-5", "a session in AUTO_ACKNOWLEDGE acknowledges only when it is closed")
def _(patch: Patch) -> None:
    _acknowledges_late(patch, 1)


@nearly_right(
    "auto-acknowledges-late-from-the-fourth-message-on",
    "a session in AUTO_ACKNOWLEDGE acknowledges from its fourth message on only when it is closed",
    "6.2.11-5",
)
def _(patch: Patch) -> None:
    _acknowledges_late(patch, 4)


def _acknowledges_late(patch: Patch, from_: int) -> None:
    """Let sessions in AUTO_ACKNOWLEDGE acknowledge their messages from this one on when they are closed."""
    settled: Counter[SessionState] = Counter()

    def settle(original: Callable[..., None], state: SessionState, delivery: Delivery) -> None:
        settled[state] += 1
        if state.mode == Session.AUTO_ACKNOWLEDGE and settled[state] >= from_:
            state.work.acks.append(delivery)
        else:
            original(state, delivery)

    def drop_unfinished(original: Callable[..., None], session: ReferenceSession) -> None:
        if session.mode == Session.AUTO_ACKNOWLEDGE and session.connection.usable:
            session.state.next_transaction().perform()
        original(session)

    patch.at(fault_points.SETTLED, settle)
    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


def _in_hand_at_loss(patch: Patch) -> Marked:
    """Remember the messages that listeners had when the link of their session broke."""
    marked = Marked()

    def abandon(original: Callable[..., list[Delivery]], dispatcher: Dispatcher) -> list[Delivery]:
        running = original(dispatcher)
        for delivery in running:
            marked.add(delivery.entry)
        return running

    patch.at(fault_points.LISTENER_ABANDONED, abandon)
    return marked


@saboteur("6.2.11-6", "what a listener had when the link broke comes again without JMSRedelivered")
def _(patch: Patch) -> None:
    marked = _in_hand_at_loss(patch)

    def unset(message: Any, delivery: Delivery) -> None:
        if delivery.entry in marked:
            message.jms_redelivered = False

    as_received(patch, unset)


@saboteur("6.2.11-7", "what a listener had when the link broke comes again with a JMSXDeliveryCount of 1")
def _(patch: Patch) -> None:
    marked = _in_hand_at_loss(patch)

    def counted(delivery: Delivery) -> Int:
        return Int(1 if delivery.entry in marked else delivery.count)

    provider_property(patch, "JMSXDeliveryCount", counted)
