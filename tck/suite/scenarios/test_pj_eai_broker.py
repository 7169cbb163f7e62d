"""An integration broker: systems publish their data events, others subscribe to some, and the broker routes them on."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.client import Client, Consumer
from tck.suite.support.values.properties import comparable

Event = tuple[str, int, str, str]
"""The source, the number of its event, the kind, the region."""
SOURCES, KINDS, REGIONS = ("web", "mainframe"), ("order", "invoice"), ("EU", "US", "ASIA")
EVENTS: Sequence[Event] = [
    (source, number, KINDS[number % 2], REGIONS[number % 3]) for source in SOURCES for number in range(1, 13)
]
LAST = "last"
SELECTORS = {
    "billing": "JMSType = 'invoice' OR JMSType = 'last'",
    "shipping": "(JMSType = 'order' AND region IN ('EU', 'US')) OR JMSType = 'last'",
    "audit": None,
}
WANTED: dict[str, Callable[[Event], bool]] = {
    "billing": lambda event: event[2] == "invoice",
    "shipping": lambda event: event[2] == "order" and event[3] in {"EU", "US"},
    "audit": bool,
}
ROUTES = {"invoice": "ledger", "order": "warehouse"}
"""The systems behind the broker, by the kind of event that they want."""


@scenario("pj-eai-broker", domain=("topic",))
def test_an_integration_broker(case: Case) -> None:
    """Each system gets its events once and in order, shipping those that it missed, and none waits for the slow audit."""
    events = case.topic()
    systems = {name: System(case, events, name) for name in SELECTORS}
    broker = Broker(case, events)
    systems["shipping"].leave()
    publish_all(case, events)
    audit = case.spawn("audit", lambda: systems["audit"].hears(slowly=True))
    routing = case.spawn("the broker", broker.routes)
    heard = {"billing": systems["billing"].hears()}
    of_audit = len(systems["audit"].heard)
    systems["audit"].may_go_on.set()
    systems["shipping"].comes_back()
    heard |= {"shipping": systems["shipping"].hears(), "audit": audit.result(2 * case.timing.deadline)}
    routing.result(2 * case.timing.deadline)
    delivered = {name: broker.delivered(name) for name in ROUTES.values()}

    with expect.for_row("pj-eai-broker-1"):
        for name in ("billing", "audit"):
            expect.equal(f"the events of {name}", by_source(heard[name]), by_source(wanted(name)))
    with expect.for_row("pj-eai-broker-2"):
        expect.equal("the events of shipping", by_source(heard["shipping"]), by_source(wanted("shipping")))
    with expect.for_row("pj-eai-broker-3"):
        expect.between("the events that audit had heard when billing had heard all", of_audit, 0, 1)
    with expect.for_row("pj-eai-broker-4"):
        for kind, name in ROUTES.items():
            routed = [event for event in EVENTS if event[2] == kind]
            expect.equal(f"the events of {name}", by_source(delivered[name]), by_source(routed))
    for system in systems.values():
        system.ends()
    broker.ends()


def publish_all(case: Case, events: api.Topic) -> None:
    """Let both sources publish at the same time, and a last event follow."""
    sources = [case.spawn(source, lambda source=source: publish(case, events, source)) for source in SOURCES]  # type: ignore[misc]
    for source in sources:
        source.result(8 * case.timing.deadline)
    client = case.client()
    last: api.MapMessage = client.session.create_map_message()
    last.jms_type = LAST
    client.sender(events).send(last)


def publish(case: Case, events: api.Topic, source: str) -> None:
    """Publish the events of a source over a connection of its own."""
    client = case.client()
    publisher = client.sender(events)
    for name, number, kind, region in EVENTS:
        if name == source:
            event: api.MapMessage = client.session.create_map_message()
            event.jms_type = kind
            event.set_string_property("region", region)
            event.set_string("source", source)
            event.set_int("number", number)
            event.set_string("kind", kind)
            event.set_string("region", region)
            publisher.send(event)


def wanted(name: str) -> list[Event]:
    """Return the events that a system has asked for."""
    return [event for event in EVENTS if WANTED[name](event)]


def by_source(events: Sequence[Event]) -> dict[str, list[Event]]:
    """Return the events of each source, in their order."""
    return {source: [event for event in events if event[0] == source] for source in SOURCES}


def read(event: api.Message) -> Event:
    """Read an event from a map."""
    assert isinstance(event, api.MapMessage)  # noqa: S101 - the sources publish nothing else
    return (
        str(event.get_string("source")),
        event.get_int("number"),
        str(event.get_string("kind")),
        str(event.get_string("region")),
    )


class System:
    """A system that subscribes durably to the events it needs."""

    def __init__(self, case: Case, events: api.Topic, name: str) -> None:
        self._case, self._events, self._name = case, events, name
        self._subscription = case.name(name)
        self.heard: list[Event] = []
        self.may_go_on = case.provider.clock.event()
        self.comes_back()

    def comes_back(self) -> None:
        """Connect, and subscribe or resume the subscription."""
        self._client: Client = self._case.client(client_id=self._subscription)
        self._consumer: Consumer = self._client.durable(self._events, self._subscription, SELECTORS[self._name])

    def leave(self) -> None:
        """Disconnect; the subscription stays."""
        self._client.close()

    def hears(self, *, slowly: bool = False) -> list[Event]:
        """Hear events up to the last; a slow system stays with its first until it may go on."""
        while (event := self._consumer.receive(self._case.timing.deadline)) is not None and event.jms_type != LAST:
            self.heard.append(read(event))
            if slowly:
                self.may_go_on.wait(2 * self._case.timing.deadline)
        return self.heard

    def ends(self) -> None:
        """Give up the subscription."""
        self._consumer.close()
        self._client.session.unsubscribe(self._subscription)


class Broker(System):
    """The broker: it consumes all events and sends each as a text to the queue of the system that it concerns."""

    def __init__(self, case: Case, events: api.Topic) -> None:
        super().__init__(case, events, "audit")
        self._queues = {name: case.queue() for name in ROUTES.values()}
        self._output = case.client(domain="queue")

    def routes(self) -> None:
        """Route the events, up to the last."""
        sender = self._output.sender()
        while (event := self._consumer.receive(self._case.timing.deadline)) is not None and event.jms_type != LAST:
            assert isinstance(event, api.MapMessage)  # noqa: S101 - the sources publish nothing else
            content = {name: plain(event.get_object(name)) for name in event.get_map_names()}
            sender.send(self._output.text(json.dumps(content)), to=self._queues[ROUTES[str(event.jms_type)]])

    def delivered(self, name: str) -> list[Event]:
        """Receive the texts of a system behind the broker, as events."""
        consumer = self._case.client(domain="queue").consumer(self._queues[name])
        events: list[Event] = []
        kind = {system: kind for kind, system in ROUTES.items()}[name]
        while len(events) < sum(event[2] == kind for event in EVENTS):
            message = consumer.receive(self._case.timing.deadline)
            if not isinstance(message, api.TextMessage):
                break
            content = json.loads(str(message.text))
            events.append((content["source"], content["number"], content["kind"], content["region"]))
        return events


def plain(value: object) -> object:
    """Return an entry of a map as JSON writes it."""
    return value.value if isinstance(value := comparable(value), api.Int) else value
