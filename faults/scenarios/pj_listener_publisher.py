"""Faults with a listener that publishes in transactions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.transactions import SingleSend, Work
from reference_provider.client.sessions import ReferenceSession
from tck.api import Session


@saboteur("pj-listener-publisher-1", "a rollback by a listener sends the third message of the transaction")
def _(patch: Patch) -> None:
    def roll_back(original: Callable[..., None], session: ReferenceSession, work: Work) -> None:
        for physical, entry in work.sends[2:3] if session.in_listener() else ():
            SingleSend(session.broker, physical, entry).perform()
        original(session, work)

    patch.at(fault_points.ROLLBACK, roll_back)


@saboteur("pj-listener-publisher-2", "a rollback by a listener loses the third message received")
def _(patch: Patch) -> None:
    def roll_back(original: Callable[..., None], session: ReferenceSession, work: Work) -> None:
        if session.in_listener():
            lost = work.acks[2:3]
            del work.acks[2:3]
            session.state.acknowledge(lost, durable=True)
        original(session, work)

    patch.at(fault_points.ROLLBACK, roll_back)


@saboteur(
    "pj-listener-publisher-3", "the first message that a listener sends in a transaction does not wait for the commit"
)
def _(patch: Patch) -> None:
    seen = set[ReferenceSession]()

    def submit(original: Callable[..., None], session: ReferenceSession, physical: Any, entry: Any) -> None:
        if session.mode == Session.SESSION_TRANSACTED and session.in_listener() and session not in seen:
            seen.add(session)
            SingleSend(session.broker, physical, entry).perform()
        else:
            original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)
