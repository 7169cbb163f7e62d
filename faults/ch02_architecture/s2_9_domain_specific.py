"""Faults in 2.9: the interfaces of queues and of topics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from faults.kit.common import unsupported
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.domain_specific import (
    ReferencePublisher,
    ReferenceQueueSession,
    ReferenceSender,
    ReferenceTopicSession,
)
from reference_provider.client.sessions import ReferenceSession
from tck.api import OMITTED, Message


def _third_is_lost(patch: Patch, owner: type, name: str) -> None:
    original = getattr(owner, name)
    sent: Counter[object] = Counter()

    def send(self: object, message: Message, **options: Any) -> None:
        sent[self] += 1
        if sent[self] != 3:
            original(self, message, **options)

    patch.replace(owner, name, send)


@saboteur("2.9-1", "a QueueSender loses its third message")
def _(patch: Patch) -> None:
    _third_is_lost(patch, ReferenceSender, "send")


@saboteur("2.9-2", "a TopicPublisher loses its third message")
def _(patch: Patch) -> None:
    _third_is_lost(patch, ReferencePublisher, "publish")


@saboteur("2.9-5", "publish(topic, message) publishes the message twice")
def _(patch: Patch) -> None:
    original = ReferencePublisher.publish

    def publish(self: ReferencePublisher, message: Message, **options: Any) -> None:
        original(self, message, **options)
        if options.get("topic", OMITTED) is not OMITTED:
            original(self, message, **options)

    patch.replace(ReferencePublisher, "publish", publish)


@saboteur("2.9-6", "QueueSession.createTemporaryQueue is not supported")
def _(patch: Patch) -> None:
    unsupported(patch, ReferenceQueueSession, "create_temporary_queue", "a queue session makes no temporary queues")


@saboteur("2.9-7", "TopicSession.unsubscribe does nothing")
def _(patch: Patch) -> None:
    patch.replace(ReferenceTopicSession, "unsubscribe", lambda self, name: None)


def _end_acknowledges(patch: Patch, kind: type[ReferenceSession]) -> None:
    def drop_unfinished(original: Callable[..., None], session: ReferenceSession) -> None:
        if isinstance(session, kind):
            session.state.acknowledge_all(lambda: None)
        original(session)

    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


@saboteur("2.9-8", "closing a QueueSession acknowledges the messages it has received")
def _(patch: Patch) -> None:
    _end_acknowledges(patch, ReferenceQueueSession)


@saboteur("2.9-9", "closing a TopicSession acknowledges the messages it has received")
def _(patch: Patch) -> None:
    _end_acknowledges(patch, ReferenceTopicSession)
