"""`Work`: messages sent and messages acknowledged that take effect together, or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_provider.stored import headers_of

if TYPE_CHECKING:
    from reference_provider.acks import Delivery
    from reference_provider.broker import Broker
    from reference_provider.entry import Entry
    from reference_provider.places import OwnedStream, Place
    from reference_provider.store import Statement

INSERT_MESSAGE = (
    "insert into message (id, destination, priority, expires, due, headers, body) values (?, ?, ?, ?, ?, ?, ?)"
)
INSERT_DELIVERIES = "insert into delivery (message, subscription) select ?, value from json_each(?)"
INSERT_DESTINATION = "insert or ignore into destination (id, kind, name) values (?, ?, ?)"


class Work:
    """Sends and acknowledgements of one transaction, or of one call outside of transactions; a unit of the store.

    `durable` false means: written without a sync of its own (lazy acknowledgement).
    """

    __slots__ = ("_broker", "_identifier", "acks", "durable", "plans", "sends")

    def __init__(self, broker: Broker, *, durable: bool = True) -> None:
        self._broker = broker
        self.sends: list[tuple[Place, Entry]] = []
        self.acks: list[Delivery] = []
        self.durable = durable
        self.plans: list[tuple[Place, Entry, list[OwnedStream]]] = []
        self._identifier: str | None = None

    def __bool__(self) -> bool:
        return bool(self.sends or self.acks)

    def identifier(self) -> str:
        """Give the identifier of the transaction, unique over all providers and restarts."""
        if self._identifier is None:
            self._identifier = self._broker.unique_name("transaction-")
        return self._identifier

    def perform(self) -> None:
        """Make all of it effective: in memory only if nothing of it has to outlive the process, else by a commit."""
        if not self:
            return
        broker = self._broker
        broker.check_open()
        for place, _ in self.sends:
            place.check_accepting()
        with broker.lock:
            if not self.concerns_the_file():
                self.plan_sends()
                self.after()
                return
        broker.commit(self)

    def concerns_the_file(self) -> bool:
        """Whether any of it has to outlive the process. Needs B."""
        return any(ack.stored for ack in self.acks) or any(
            place.stores(entry, place.streams_for(entry)) for place, entry in self.sends
        )

    def plan_sends(self) -> None:
        """Decide where each sent message goes. Needs B."""
        self.plans = [self.plan(place, entry) for place, entry in self.sends]

    def plan(self, place: Place, entry: Entry) -> tuple[Place, Entry, list[OwnedStream]]:
        """Decide which streams get a sent message, give it its number, and whether it gets a row. Needs B."""
        streams = place.streams_for(entry)
        entry.number = self._broker.next_number()
        entry.stored = place.stores(entry, streams)
        return place, entry, streams

    def statements(self) -> list[Statement]:
        """Give the statements for all of it; called by the leader of the commit."""
        statements = self.statements_without_acks()
        for ack in self.acks:
            if ack.stored:
                statements += ack.forget_statements()
        return statements + self._broker.take_garbage()

    def statements_without_acks(self) -> list[Statement]:
        """Give the statements that store the messages sent."""
        with self._broker.lock:
            self.plan_sends()
        statements: list[Statement] = []
        for place, entry, streams in self.plans:
            if entry.stored:
                statements += self.send_statements(place, entry, streams)
        return statements

    def send_statements(self, place: Place, entry: Entry, streams: list[OwnedStream]) -> list[Statement]:
        """Give the statements that store one message for those streams that are kept in the file."""
        statements: list[Statement] = []
        if not place.in_file:
            statements.append((INSERT_DESTINATION, (place.row, place.destination.kind, place.destination.name)))
        headers, body = headers_of(entry)
        due = entry.delivery_time if entry.delivery_time > entry.timestamp else 0
        statements.append(
            (INSERT_MESSAGE, (entry.number, place.row, entry.priority, entry.expiration, due, headers, body))
        )
        subscriptions = [stream.subscription for stream in streams if stream.subscription is not None]
        if subscriptions:
            statements.append((INSERT_DELIVERIES, (entry.number, str(subscriptions))))
        return statements

    def after(self) -> None:
        """Let the messages sent arrive, and those acknowledged disappear. Needs B."""
        for place, entry, streams in self.plans:
            self.arrive(place, entry, streams)
        for ack in self.acks:
            ack.take_out()

    def arrive(self, place: Place, entry: Entry, streams: list[OwnedStream]) -> None:
        """Let one sent message arrive at its streams. Needs B."""
        place.in_file = place.in_file or entry.stored
        for stream in streams:
            self._broker.admit(stream, entry)


class DeliveryMark:
    """A unit that notes deliveries in the file, without a sync of its own: it serves redelivery after a crash."""

    durable = False

    def __init__(self, delivery: Delivery) -> None:
        self._delivery = delivery

    def statements(self) -> list[Statement]:
        """Give the one statement."""
        return [self._delivery.mark_statement()]

    def after(self) -> None:
        """Nothing: memory counts by itself."""
