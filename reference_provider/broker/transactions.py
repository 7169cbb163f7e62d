"""`Work`: messages sent and messages acknowledged that take effect together, or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_provider.broker.message_rows import rows_of

if TYPE_CHECKING:
    from reference_provider.broker.broker import Broker
    from reference_provider.broker.delivery import Delivery
    from reference_provider.broker.physical_destinations import PhysicalDestination, StoredDeliveryQueue
    from reference_provider.broker.stored_message import StoredMessage
    from reference_provider.store import Statement

MARK_MESSAGES = "update message set deliveries = ? where id in (select value from json_each(?))"
MARK_DELIVERIES = (
    "update delivery set deliveries = ? where subscription = ? and message in (select value from json_each(?))"
)


class Work:
    """Sends and acknowledgements of one transaction, or of one call outside of transactions; a unit of the store.

    `durable` false means: written without a sync of its own (lazy acknowledgement).
    """

    __slots__ = ("_broker", "_identifier", "acks", "durable", "plans", "sends")

    def __init__(self, broker: Broker, *, durable: bool = True) -> None:
        self._broker = broker
        self.sends: list[tuple[PhysicalDestination, StoredMessage]] = []
        self.acks: list[Delivery] = []
        self.durable = durable
        self.plans: list[tuple[PhysicalDestination, StoredMessage, list[StoredDeliveryQueue]]] = []
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
            if place.failing_sends:
                place.check_accepting()
        with broker.lock:
            self.plan_sends()
            if not self.concerns_the_file():
                self.after()
                return
        broker.commit(self)

    def concerns_the_file(self) -> bool:
        """Whether any of it, as planned, has to outlive the process."""
        for ack in self.acks:
            if ack.stored:
                return True
        for _, entry, _ in self.plans:  # noqa: SIM110 # any() costs more than the loop
            if entry.stored:
                return True
        return False

    def plan_sends(self) -> None:
        """Decide where each sent message goes. Needs B."""
        route = self._broker.route
        self.plans = [(place, entry, route(place, entry)) for place, entry in self.sends]

    def statements(self) -> list[Statement]:
        """Give the statements for all of it; called by the leader of the commit."""
        statements = self.statements_without_acks() if self.sends else []
        for ack in self.acks:
            if ack.stored:
                statements += ack.forget_statements()
        return statements

    def statements_without_acks(self) -> list[Statement]:
        """Give the statements that store the messages sent.

        Subscriptions may have come and gone since the sends were planned, so those to topics are planned anew.
        """
        if not self.plans or any(place.routes_anew for place, _ in self.sends):
            with self._broker.lock:
                self.plan_sends()
        statements: list[Statement] = []
        for place, entry, streams in self.plans:
            if entry.stored:
                statements += rows_of(place, entry, streams)
        return statements

    def after(self) -> None:
        """Let the messages sent arrive, and those acknowledged disappear. Needs B."""
        arrive = self._broker.arrive
        for place, entry, streams in self.plans:
            arrive(place, entry, streams)
        for ack in self.acks:
            ack.take_out()


class DeliveryMarks:
    """A unit that notes deliveries in the file, without a sync of its own: it serves redelivery after a crash.

    `counts` gives for each message of the stream how often it will have been delivered.
    """

    durable = False

    def __init__(self, stream: StoredDeliveryQueue, counts: dict[int, int]) -> None:
        self._stream = stream
        self._counts = counts

    def statements(self) -> list[Statement]:
        """Give one statement for each number of deliveries."""
        by_count: dict[int, list[int]] = {}
        for number, count in self._counts.items():
            by_count.setdefault(count, []).append(number)
        if self._stream.subscription is None:
            return [(MARK_MESSAGES, (count, str(numbers))) for count, numbers in by_count.items()]
        subscription = self._stream.subscription
        return [(MARK_DELIVERIES, (count, subscription, str(numbers))) for count, numbers in by_count.items()]

    def after(self) -> None:
        """Nothing: memory counts by itself."""
