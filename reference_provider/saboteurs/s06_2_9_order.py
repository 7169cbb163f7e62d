"""Faults in 6.2.9.1: the order in which a session's consumers get messages."""

from __future__ import annotations

from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import OwnedStream, TopicPlace
from reference_provider.broker.stored_message import Entry
from reference_provider.client.consumer_factory import Subscribing
from reference_provider.client.receivers import Receiver
from reference_provider.client.session_state import Ledger
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import Session


@saboteur("6.2.9.1-1", "acknowledge() covers what the message's own consumer got, not what others of the session did")
def _(patch: Patch) -> None:
    original = Ledger.open_delivery

    def open_delivery(self: Ledger, consumer: object, stream: OwnedStream, entry: Entry) -> Delivery:
        delivery = original(self, consumer, stream, entry)

        def acknowledge() -> None:
            mine = [one for one in self.owed if one.consumer is consumer]
            self.owed = [one for one in self.owed if one not in mine]
            self.acknowledge(mine, durable=True)

        if self.mode == Session.CLIENT_ACKNOWLEDGE:
            delivery.acknowledge = acknowledge
        return delivery

    patch.replace(Ledger, "open_delivery", open_delivery)


class _HeldBack:
    """Has the first of a stream's free messages come third, once."""

    def __init__(self, patch: Patch) -> None:
        self._original = Receiver.take
        self._due: list[OwnedStream] = []
        self._late: dict[Receiver, list[Entry]] = {}

        def take(receiver: Receiver) -> Delivery | None:
            return self._take(receiver)

        patch.replace(Receiver, "take", take)

    def order(self, stream: OwnedStream) -> None:
        """Have it done to a stream at the next take."""
        self._due.append(stream)

    def _take(self, receiver: Receiver) -> Delivery | None:
        stream = receiver.stream
        if stream in self._due and len(list(stream.free_entries())) > 3:
            self._due.remove(stream)
            first, second, third = (stream.take(receiver) for _ in range(3))
            self._late[receiver] = [entry for entry in (second, third, first) if entry is not None]
        if late := self._late.get(receiver):
            return receiver.deliver(stream, late.pop(0))
        return self._original(receiver)


@saboteur("6.2.9.1-3", "of the subscribers of a topic all but the first get the first of twelve messages third")
def _(patch: Patch) -> None:
    held_back = _HeldBack(patch)
    original = TopicPlace.streams_for
    counted: dict[int, int] = {}

    def streams_for(self: TopicPlace, entry: Entry) -> list[OwnedStream]:
        streams = original(self, entry)
        for stream in streams[1:]:
            counted[id(stream)] = counted.get(id(stream), 0) + 1
            if counted[id(stream)] == 12 and not stream.in_file:
                held_back.order(stream)
        return streams

    patch.replace(TopicPlace, "streams_for", streams_for)


@saboteur("6.2.9.1-4", "a durable subscription that is resumed gives the first of what waits third")
def _(patch: Patch) -> None:
    held_back = _HeldBack(patch)
    original = Subscribing.open_durable

    def open_durable(self: Subscribing, *arguments: object) -> Receiver:
        receiver: Receiver = original(self, *arguments)  # type: ignore[arg-type]
        if len(list(receiver.stream.free_entries())) > 3:
            held_back.order(receiver.stream)
        return receiver

    patch.replace(Subscribing, "open_durable", open_durable)
