"""3.4.7 JMSRedelivered."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import Listener
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.server.places import place
from tck.suite.support.values.seen import body, tried


class ListenerFailureError(RuntimeError):
    """The exception of a failing listener: a plain runtime exception, as Java code would throw."""


def _deliver_twice(case: Case, link: Link) -> tuple[object, object]:
    """Have the waiting message delivered, returned and delivered again; show JMSRedelivered of both.

    A transacted session rolls back, one in CLIENT_ACKNOWLEDGE recovers, and in the others a listener fails.
    """
    if case.ack in {"client", "transacted"}:
        return _flag(link.take()), _flag(link.returned(1)[0])
    return _fail_once(case, link)


def _flag(message: api.Message) -> object:
    return tried(lambda: message.jms_redelivered)


def _fail_once(case: Case, link: Link) -> tuple[object, object]:
    """Have a listener throw at its first call; show JMSRedelivered of the first two deliveries.

    Raises:
        Undecided: there was no second delivery within the profile's deadline.
    """
    done = case.provider.clock.event()
    flags: list[object] = []

    def receive(message: api.Message, ordinal: int) -> None:
        flags.append(_flag(message))
        if ordinal == 1:
            raise ListenerFailureError("the listener fails at its first message")
        done.set()

    link.consumer.message_listener = Listener(receive)
    if not done.wait(case.timing.deadline):
        raise Undecided(f"after {len(flags)} deliveries to a failing listener no further one came")
    case.witness(f"two deliveries to a listener, flags {flags}")
    return flags[0], flags[1]


@asserts("3.4.7-1", ack=("auto", "client", "transacted"))
def test_a_repeated_delivery_is_flagged(case: Case) -> None:
    """What recover, rollback or a failing listener brings back is flagged, and was not flagged at first."""
    link = case.link()
    link.send("x")
    first, again = _deliver_twice(case, link)
    expect.equal("JMSRedelivered at first, then again", [first, again], [False, True])
    expect.trace("repeat-is-flagged")


@asserts("3.4.7-2", ack=("client", "transacted"), domain=("queue",))
def test_the_flag_follows_a_message_to_another_consumer(case: Case) -> None:
    """A message that a closed session left unacknowledged comes flagged to a consumer of another connection."""
    link = case.link()
    link.send("x")
    expect.equal("JMSRedelivered at first", link.take().jms_redelivered, False)
    link.client.close()
    other = case.link("auto", destination=link.destination)
    expect.equal("JMSRedelivered at the other consumer", expect.arrival(other).jms_redelivered, True)


@asserts("3.4.7-2", ack=("client", "transacted"), domain=("topic",))
def test_the_flag_stays_with_a_durable_subscription(case: Case) -> None:
    """A message that a closed session left unacknowledged comes flagged when its durable subscription is resumed."""
    name = case.name("s")
    link = case.link(durable=name)
    link.send("x")
    expect.equal("JMSRedelivered at first", link.take().jms_redelivered, False)
    link.client.close()
    other = case.link("auto", destination=link.destination, durable=name)
    expect.equal("JMSRedelivered at the next consumer", expect.arrival(other).jms_redelivered, True)


@asserts("3.4.7-2", ack=("client", "transacted"), variant="severed", plain=True)
def test_the_flag_outlives_a_broken_link(case: Case) -> None:
    """A message that was not settled when the link broke comes flagged to the next consumer."""
    case.needs(api.Hook.SEVER)
    here = place(case)
    link = case.link(destination=here.destination, durable=here.name)
    link.send("x")
    expect.equal("JMSRedelivered at first", link.take().jms_redelivered, False)
    case.provider.sever(link.client.connection)
    expect.equal("JMSRedelivered at the next consumer", here.link().take().jms_redelivered, True)


@asserts("3.4.7-2", ack=("client", "transacted"), api=("classic", "domain-specific"), variant="server", plain=True)
def test_the_flag_reaches_a_connection_consumer(case: Case) -> None:
    """A message that a closed session left unacknowledged comes flagged to a listener of a server session."""
    case.presumes("asf")
    here = place(case)
    link = case.link(destination=here.destination, durable=here.name)
    link.send("x")
    expect.equal("JMSRedelivered at first", link.take().jms_redelivered, False)
    link.client.close()
    server = here.server()
    server.take(1)
    expect.equal("JMSRedelivered in the listener", [message.jms_redelivered for message in server.received], [True])


@asserts("3.4.7-4")
def test_send_leaves_the_flag_alone(case: Case) -> None:
    """Send does not touch JMSRedelivered on the sender's message, whether it was set or not."""
    link = case.link()
    preset = link.text("preset")
    preset.jms_redelivered = True
    link.send(preset)
    expect.equal("JMSRedelivered of the sender's message, preset", preset.jms_redelivered, True)
    expect.arrives(link, ["preset"])
    expect.equal("JMSRedelivered of the sender's message, not preset", link.send("plain").jms_redelivered, False)


@asserts("3.4.7-1", ack=("auto",), variant="overtaken")
def test_the_message_that_failed_is_flagged_and_not_the_one_it_overtook(case: Case) -> None:
    """A listener fails at a message that overtook another by its priority: the flag is on that one when it is redelivered."""
    link = case.link()
    sender = case.link(destination=link.destination, consumes=False)
    sent, done = case.provider.clock.event(), case.provider.clock.event()
    seen: list[tuple[object, object]] = []

    def receive(message: api.Message, ordinal: int) -> None:
        if ordinal == 1:
            sent.wait(case.timing.deadline)
            return
        seen.append((tried(lambda: body(message)), _flag(message)))
        if ordinal == 2:
            raise ListenerFailureError("the listener fails at the message that came first")
        if ordinal == 4:
            done.set()

    link.consumer.message_listener = Listener(receive)
    sender.send("first")
    for text, priority in (("low", 1), ("high", 9)):
        sender.send(text, priority=priority)
        sender.dispatched()  # it is with the consumer, where the next one overtakes it
    sent.set()
    if not done.wait(case.timing.deadline):
        raise Undecided(f"after {len(seen)} deliveries to a failing listener no further one came")
    case.witness(f"three deliveries to a listener: {seen}")
    failed = seen[0][0]
    expect.equal(
        f"JMSRedelivered of {failed!r}, at which it failed",
        [flag for text, flag in seen if text == failed],
        [False, True],
    )
    expect.equal("JMSRedelivered of the other", [flag for text, flag in seen if text != failed], [False])
