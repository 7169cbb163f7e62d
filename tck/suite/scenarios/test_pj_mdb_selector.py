"""A listener for heavy blue cars among vehicles of all sorts: on a queue, on a topic, and on a durable subscription."""

from __future__ import annotations

from itertools import product

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.client import Consumer
from tck.suite.support.clients.listeners import CollectingListener

HEAVY_BLUE_CARS = "JMSType = 'car' AND color = 'blue' AND weight > 2500"
VEHICLES = list(product(("car", "truck", None), ("blue", "red", None), (2499, 2500, 2501, None)))
MATCH, LAST = "car blue 2501", "the last car blue 2501"
OTHERS = sorted(f"{kind} {color} {weight}" for kind, color, weight in VEHICLES if f"{kind} {color} {weight}" != MATCH)


@scenario("pj-mdb-selector", domain=("queue",))
def test_a_listener_for_heavy_blue_cars(case: Case) -> None:
    """One vehicle of 36 reaches the listener; the others stay on the queue, and do not exist for the subscribers."""
    queue, topic, kept = case.queue(), case.topic(), case.topic()
    heard = {
        "the queue": listened(case, queue, case.client().consumer(queue, HEAVY_BLUE_CARS)),
        "the topic": listened(case, topic, case.client(domain="topic").consumer(topic, HEAVY_BLUE_CARS)),
    }
    browsed, left = case.client().browse_until(queue, len(OTHERS)), the_others(case, queue)
    later = heard_later(case, kept)

    with expect.for_row("pj-mdb-selector-1"):
        expect.equal("the vehicles of the listener on the queue", heard["the queue"], [MATCH, LAST])
    with expect.for_row("pj-mdb-selector-2"):
        expect.equal("the vehicles browsed", sorted(map(str, browsed)), OTHERS)
        expect.equal("the vehicles received without a selector", sorted(left), OTHERS)
    with expect.for_row("pj-mdb-selector-3"):
        expect.equal("the vehicles of the subscriber", heard["the topic"], [MATCH, LAST])
    with expect.for_row("pj-mdb-selector-4"):
        expect.equal("the vehicles of the durable subscription", later, [MATCH, LAST])


def dealer(case: Case, destination: api.Destination) -> None:
    """Send all vehicles, and a last one for the listener."""
    client = case.client(domain="queue" if isinstance(destination, api.Queue) else "topic")
    entry = client.sender(destination)
    named = [(" ".join(map(str, vehicle)), *vehicle) for vehicle in VEHICLES]
    for text, kind, color, weight in [*named, (LAST, "car", "blue", 2501)]:
        message = client.text(text)
        if kind is not None:
            message.jms_type = kind
        if color is not None:
            message.set_string_property("color", color)
        if weight is not None:
            message.set_int_property("weight", weight)
        entry.send(message)
    client.close()


def listened(case: Case, destination: api.Destination, consumer: Consumer) -> list[object]:
    """Let a listener hear the dealer's messages up to the last one; return the vehicles."""
    listener = CollectingListener(case)
    consumer.message_listener = listener
    dealer(case, destination)
    heard = listener.after(2)
    consumer.close()
    return heard


def the_others(case: Case, queue: api.Queue) -> list[str]:
    """Receive without a selector what the listener has left."""
    consumer = case.client().consumer(queue)
    texts: list[str] = []
    while len(texts) < len(OTHERS) and (message := consumer.receive(case.timing.deadline)) is not None:
        texts.append(str(message.text) if isinstance(message, api.TextMessage) else repr(message))
    return texts


def heard_later(case: Case, topic: api.Topic) -> list[object]:
    """Subscribe durably, go away while the dealer publishes, and listen again."""
    name = case.name("cars")
    subscriber = case.client(domain="topic", client_id=name)
    subscriber.durable(topic, name, HEAVY_BLUE_CARS).close()
    subscriber.close()
    dealer(case, topic)
    back = case.client(domain="topic", client_id=name)
    listener = CollectingListener(case)
    consumer = back.durable(topic, name, HEAVY_BLUE_CARS)
    consumer.message_listener = listener
    heard = listener.after(2)
    consumer.close()
    back.session.unsubscribe(name)
    return heard
