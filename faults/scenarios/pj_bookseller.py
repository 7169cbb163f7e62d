"""Faults of the bookseller: card and warehouse as one unit."""

from __future__ import annotations

from collections import Counter

from faults.kit.common import as_received, before_commit
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.transactions import SingleSend
from reference_provider.client.sessions import ReferenceSession
from tck.api import Message


@saboteur("pj-bookseller-1", "the second commit of a session sends its first message only")
def _(patch: Patch) -> None:
    commits = Counter[ReferenceSession]()

    def fault(session: ReferenceSession) -> None:
        commits[session] += 1
        if commits[session] == 2:
            del session.state.work.sends[1:]

    before_commit(patch, fault)


@saboteur("pj-bookseller-2", "JMSRedelivered is not set on a message that was received in a transaction before")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        if delivery.transaction is not None:
            message.jms_redelivered = False

    as_received(patch, fault)


@saboteur("pj-bookseller-3", "a session that closes with an open transaction sends its first message")
def _(patch: Patch) -> None:
    def drop(original: object, session: ReferenceSession) -> None:
        for physical, entry in session.state.work.sends[:1]:
            SingleSend(session.broker, physical, entry).perform()
        original(session)  # type: ignore[operator]

    patch.at(fault_points.SESSION_ENDED, drop)
