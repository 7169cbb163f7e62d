"""Faults in 3.6: acknowledgment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.transactions import Work
from reference_provider.client.sessions import ReferenceSession
from reference_provider.messages.stream_message import ReferenceStreamMessage
from tck.api import IllegalStateException, Session


@saboteur("3.6-1", "acknowledge() of a stream message does nothing")
def _(patch: Patch) -> None:
    patch.replace(ReferenceStreamMessage, "acknowledge", lambda self: None)


def _acknowledge(patch: Patch, mode: int, fault: Any) -> None:
    """Replace `Message.acknowledge` in sessions of one mode."""

    def acknowledge_from_message(original: Callable[..., None], session: ReferenceSession) -> None:
        if session.mode == mode:
            fault(session)
        else:
            original(session)

    patch.at(fault_points.MESSAGE_ACKNOWLEDGED, acknowledge_from_message)


def _refuse(session: ReferenceSession) -> None:
    raise IllegalStateException("there is nothing to acknowledge")


@saboteur("3.6-2", "acknowledge() in DUPS_OK_ACKNOWLEDGE raises IllegalStateException")
def _(patch: Patch) -> None:
    _acknowledge(patch, Session.DUPS_OK_ACKNOWLEDGE, _refuse)


def _settle(session: ReferenceSession) -> None:
    consumed = Work(session.broker)
    consumed.acks, session.state.work.acks = session.state.work.acks, []
    consumed.perform()


@saboteur("3.6-3", "acknowledge() in a transaction consumes the message for good")
def _(patch: Patch) -> None:
    _acknowledge(patch, Session.SESSION_TRANSACTED, _settle)
