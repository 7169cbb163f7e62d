"""Destinations as clients hold them: names without resources, equal by kind and name. Imports `tck.api` only."""

from __future__ import annotations

from collections.abc import Callable

from tck.api import Destination, Queue, TemporaryQueue, TemporaryTopic, Topic


class ReferenceDestination(Destination):
    """The base of this provider's destinations: a kind (`queue`, `topic`, `temporary-...`) and a name."""

    __slots__ = ("name",)

    kind = ""

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ReferenceDestination):
            return NotImplemented
        return self.kind == other.kind and self.name == other.name

    def __hash__(self) -> int:
        return hash((self.kind, self.name))

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class ReferenceQueue(ReferenceDestination, Queue):
    """A queue."""

    __slots__ = ()

    kind = "queue"

    @property
    def queue_name(self) -> str:
        """Return the name."""
        return self.name

    def __str__(self) -> str:
        return ReferenceDestination.__str__(self)


class ReferenceTopic(ReferenceDestination, Topic):
    """A topic."""

    __slots__ = ()

    kind = "topic"

    @property
    def topic_name(self) -> str:
        """Return the name."""
        return self.name

    def __str__(self) -> str:
        return ReferenceDestination.__str__(self)


def _cannot_delete(destination: ReferenceDestination) -> None:
    del destination  # only its own connection can delete a temporary destination; see `TemporaryDestinations`


class ReferenceTemporaryQueue(ReferenceQueue, TemporaryQueue):
    """A temporary queue; its own connection sets `deleter`."""

    __slots__ = ("__weakref__", "deleter")

    kind = "temporary-queue"

    def __init__(self, name: str, deleter: Callable[[ReferenceDestination], None] = _cannot_delete) -> None:
        super().__init__(name)
        self.deleter = deleter

    def delete(self) -> None:
        """Remove the queue; JMSException while a consumer is open on it."""
        self.deleter(self)


class ReferenceTemporaryTopic(ReferenceTopic, TemporaryTopic):
    """A temporary topic; its own connection sets `deleter`."""

    __slots__ = ("__weakref__", "deleter")

    kind = "temporary-topic"

    def __init__(self, name: str, deleter: Callable[[ReferenceDestination], None] = _cannot_delete) -> None:
        super().__init__(name)
        self.deleter = deleter

    def delete(self) -> None:
        """Remove the topic; JMSException while a consumer is open on it."""
        self.deleter(self)


_TYPES: dict[str, type[ReferenceDestination]] = {
    one.kind: one for one in (ReferenceQueue, ReferenceTopic, ReferenceTemporaryQueue, ReferenceTemporaryTopic)
}


def destination_of(kind: str, name: str) -> ReferenceDestination:
    """Create the destination of this kind and name, as stored messages name it."""
    return _TYPES[kind](name)


def own(destination: Destination) -> ReferenceDestination | None:
    """Return this provider's destination of the same kind and name; None for any other foreign object.

    The provider may choose what a foreign JMSReplyTo becomes (3.12-4): this one keeps the name, not the foreign object.
    """
    match destination:
        case ReferenceDestination():
            return destination
        case TemporaryQueue():
            return ReferenceTemporaryQueue(destination.queue_name)
        case Queue():
            return ReferenceQueue(destination.queue_name)
        case TemporaryTopic():
            return ReferenceTemporaryTopic(destination.topic_name)
        case Topic():
            return ReferenceTopic(destination.topic_name)
        case _:
            return None
