"""Faults in 6.2.15: what a closed session, its parts and its messages still do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around, as_received, session_of
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.sessions import alone
from reference_provider.broker.delivery import Delivery
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.messages.map_message import ReferenceMapMessage
from tck.api import IllegalStateException, Message


def _cached(patch: Patch, owner: Any, name: str, read: Callable[[Any], tuple[bool, object]]) -> None:
    """Let a property answer without a check where `read` returns True and a value."""
    original = getattr(owner, name)

    def getter(part: Any) -> object:
        cached, value = read(part)
        return value if cached else original.fget(part)

    patch.replace(owner, name, property(getter, original.fset))


@saboteur("6.2.15-19", "getAcknowledgeMode() of a closed session answers")
def _(patch: Patch) -> None:
    _cached(
        patch, ReferenceSession, "acknowledge_mode", lambda session: (session.closed and alone(session), session.mode)
    )


@saboteur("6.2.15-20", "getMessageSelector() of a consumer answers after its session is closed")
def _(patch: Patch) -> None:
    def read(consumer: ReferenceConsumer) -> tuple[bool, str | None]:
        session = session_of(consumer)
        return session.closed and alone(session), consumer.receiver.selector or None

    _cached(patch, ReferenceConsumer, "message_selector", read)


@saboteur("6.2.15-22", "a map message that was not read before cannot be read after its session is closed")
def _(patch: Patch) -> None:
    unread: dict[int, tuple[Message, ReferenceSession]] = {}

    def keep(message: Message, delivery: Delivery) -> None:
        consumer = delivery.consumer
        if isinstance(message, ReferenceMapMessage) and isinstance(consumer, ReferenceConsumer):
            unread[id(message)] = (message, session_of(consumer))

    def get_string(original: Callable[..., object], message: ReferenceMapMessage, name: str) -> object:
        kept = unread.pop(id(message), None)
        if kept is not None and kept[1].closed and alone(kept[1]):
            raise IllegalStateException("the session is closed")
        return original(message, name)

    as_received(patch, keep)
    around(patch, ReferenceMapMessage, "get_string", get_string)
