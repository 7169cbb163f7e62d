"""Requestors: send a request with a temporary destination for the reply and wait for it. Uses the session and `tck.api` only."""

from __future__ import annotations

from typing import TypeVar

from reference_provider.client.sessions import ReferenceSession
from tck.api import (
    IllegalStateException,
    InvalidDestinationException,
    Message,
    Queue,
    QueueRequestor,
    QueueSession,
    Session,
    Topic,
    TopicRequestor,
    TopicSession,
)

_S = TypeVar("_S", bound=Session)


class ReferenceQueueRequestor(QueueRequestor):
    """A requestor over a queue session, which it closes when it is closed."""

    __slots__ = ("_receiver", "_reply_queue", "_sender", "_session")

    def __init__(self, session: QueueSession | None, queue: Queue | None) -> None:
        session = usable(session)
        check_destination(queue)
        self._session = session
        self._reply_queue = session.create_temporary_queue()
        self._sender = session.create_sender(queue)
        self._receiver = session.create_receiver(self._reply_queue)

    def request(self, message: Message) -> Message:
        """Send a request and wait for one reply, without a timeout."""
        message.jms_reply_to = self._reply_queue
        self._sender.send(message)
        return answered(self._receiver.receive())

    def close(self) -> None:
        """Close the requestor with its parts, its temporary queue and its session."""
        self._sender.close()
        self._receiver.close()
        self._reply_queue.delete()
        self._session.close()


class ReferenceTopicRequestor(TopicRequestor):
    """A requestor over a topic session, which it closes when it is closed."""

    __slots__ = ("_publisher", "_reply_topic", "_session", "_subscriber")

    def __init__(self, session: TopicSession | None, topic: Topic | None) -> None:
        session = usable(session)
        check_destination(topic)
        self._session = session
        self._reply_topic = session.create_temporary_topic()
        self._publisher = session.create_publisher(topic)
        self._subscriber = session.create_subscriber(self._reply_topic)

    def request(self, message: Message) -> Message:
        """Publish a request and wait for the first reply; later replies are dropped by the next request."""
        while self._subscriber.receive_no_wait() is not None:
            pass
        message.jms_reply_to = self._reply_topic
        self._publisher.publish(message)
        return answered(self._subscriber.receive())

    def close(self) -> None:
        """Close the requestor with its parts, its temporary topic and its session."""
        self._publisher.close()
        self._subscriber.close()
        self._reply_topic.delete()
        self._session.close()


def usable(session: _S | None) -> _S:
    """Check the session of a requestor: open, without transactions, in AUTO or DUPS_OK mode."""
    if session is None:
        raise IllegalStateException("a requestor needs a session", "NO_SESSION")
    if _mode_of(session) not in {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE}:
        raise IllegalStateException(
            "a requestor needs a session in AUTO_ACKNOWLEDGE or DUPS_OK_ACKNOWLEDGE mode", "WRONG_MODE"
        )
    return session


def _mode_of(session: Session) -> int:
    """Return the mode of an open session; versions before 1.1 have no `acknowledge_mode` to ask for."""
    if not isinstance(session, ReferenceSession):
        return session.acknowledge_mode
    session.check_open()
    return session.mode


def check_destination(destination: Queue | Topic | None) -> None:
    """Raise InvalidDestinationException for null."""
    if destination is None:
        raise InvalidDestinationException("the destination of a requestor is null")


def answered(reply: Message | None) -> Message:
    """Return the reply; IllegalStateException if a close ended the wait."""
    if reply is None:
        raise IllegalStateException("the requestor was closed while it waited for the reply", "CLOSED")
    return reply
