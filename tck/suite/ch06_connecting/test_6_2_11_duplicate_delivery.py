"""6.2.11 Duplicate delivery of messages: what was acknowledged does not come again. Some cases need a hook."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.deliveries import counted
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener, Listener
from tck.suite.support.clients.reconnecting import reconnected
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.values.seen import body, tried

SETTLED = ("auto", "client", "transacted")
EXPLICIT = ("client", "transacted")
TEN = numbered(10)


def _holder(case: Case) -> tuple[Link, str]:
    """Open a link on a queue or a durable subscription with ten messages; return the name of the subscription too."""
    name = case.name("s")
    link = case.link(durable=name)
    sender = case.link("auto", destination=link.destination, consumes=False)
    for text in TEN:
        sender.send(text, mode=api.DeliveryMode.PERSISTENT)
    return link, name


def _settle_in_steps(link: Link) -> None:
    """Receive and settle one message, then three together, then return three and settle them with the other three."""
    expect.arrives(link, TEN[:1])
    expect.arrives(link, TEN[1:4])
    link.take_all(3)
    link.client.return_all()
    expect.arrives(link, TEN[4:], ordered=False)


@asserts("6.2.11-1", ack=SETTLED)
def test_acknowledged_queue_messages_do_not_come_after_a_close(case: Case) -> None:
    """What was acknowledged one by one does not come again, once session and connection were closed in good order."""
    _closed_in_good_order(case)


@asserts("6.2.11-2", ack=SETTLED)
def test_acknowledged_messages_of_a_subscription_do_not_come_when_it_is_resumed(case: Case) -> None:
    """What was acknowledged one by one does not come again when the durable subscription is resumed."""
    _closed_in_good_order(case)


def _closed_in_good_order(case: Case) -> None:
    link, name = _holder(case)
    for text in TEN[:7]:
        expect.arrives(link, [text])
    link.client.close_session()
    link.client.close()
    again = reconnected(case, link.destination, durable=name, ack=case.ack)
    expect.arrives(again, TEN[7:])
    again.client.close()
    expect.only(reconnected(case, link.destination, durable=name), [])


@asserts("6.2.11-1", ack=EXPLICIT, variant="in-steps")
def test_queue_messages_acknowledged_in_batches_do_not_come_after_a_close(case: Case) -> None:
    """What was acknowledged alone, in a batch, and after it had come again, does not come after the close."""
    link, _ = _holder(case)
    _settle_in_steps(link)
    link.client.close()
    expect.only(reconnected(case, link.destination), [])


@asserts("6.2.11-2", ack=EXPLICIT, variant="in-steps")
def test_messages_of_a_subscription_acknowledged_in_batches_do_not_come_again(case: Case) -> None:
    """What was acknowledged alone, in a batch, and after it had come again, does not come when the subscription is resumed."""
    link, name = _holder(case)
    _settle_in_steps(link)
    link.consumer.close()
    link.client.close()
    expect.only(reconnected(case, link.destination, durable=name), [])


@asserts("6.2.11-1", variant="listener")
def test_queue_messages_that_a_listener_handled_do_not_come_after_a_close(case: Case) -> None:
    """What a listener handled in AUTO_ACKNOWLEDGE does not come again after the close of its consumer and connection."""
    _heard_and_closed(case)


@asserts("6.2.11-2", variant="listener")
def test_messages_of_a_subscription_that_a_listener_handled_do_not_come_again(case: Case) -> None:
    """What a listener handled in AUTO_ACKNOWLEDGE does not come again when the subscription is resumed."""
    _heard_and_closed(case)


def _heard_and_closed(case: Case) -> None:
    link, name = _holder(case)
    heard = CollectingListener(case)
    link.consumer.message_listener = heard
    expect.equal("what the listener got", heard.after(10), TEN)
    link.consumer.close()
    link.client.close()
    expect.only(reconnected(case, link.destination, durable=name), [])


@asserts("6.2.11-3", ack=EXPLICIT)
def test_acknowledged_messages_do_not_come_after_the_death_of_the_client(case: Case) -> None:
    """What was acknowledged or committed before the client died does not come again; the rest does."""
    link, name = _holder(case)
    for text in TEN[:3]:
        expect.arrives(link, [text])
    link.take_all(3)
    link.client.settle(link.take())
    link.take()
    case.provider.sever(link.client.connection)
    expect.only(reconnected(case, link.destination, durable=name), TEN[7:], ordered=False)


@asserts("6.2.11-3", ack=EXPLICIT, variant="after-redelivery")
def test_messages_acknowledged_the_second_time_do_not_come_after_the_death_of_the_client(case: Case) -> None:
    """What came again and was then acknowledged or committed does not come again after the client died."""
    link, name = _holder(case)
    _settle_in_steps(link)
    case.provider.sever(link.client.connection)
    expect.only(reconnected(case, link.destination, durable=name), [])


@asserts("6.2.11-4", ack=EXPLICIT)
def test_acknowledged_messages_do_not_come_after_the_death_of_the_provider(case: Case) -> None:
    """What was acknowledged or committed before the provider died does not come again; the rest does."""
    link, name = _holder(case)
    for text in TEN[:3]:
        expect.arrives(link, [text])
    link.take_all(3)
    link.client.settle(link.take())
    case.provider.kill()
    expect.only(reconnected(case, link.destination, durable=name), TEN[7:], ordered=False)


@asserts("6.2.11-4", ack=EXPLICIT, variant="two-destinations")
def test_what_was_acknowledged_on_two_destinations_does_not_come_after_the_death_of_the_provider(case: Case) -> None:
    """One acknowledgement or commit of messages of two consumers, one of them closed, covers both after the provider died."""
    name = case.name("s")
    one = case.link(durable=name)
    other = case.link(client=one.client, destination=case.destination(), durable=case.name("s"))
    for link in (one, other):
        sender = case.link("auto", destination=link.destination, consumes=False)
        for text in TEN[:2]:
            sender.send(text, mode=api.DeliveryMode.PERSISTENT)
    one.take_all(2)
    one.consumer.close()
    other.take()
    one.client.settle(other.take())
    case.provider.kill()
    expect.only(reconnected(case, one.destination, durable=name), [])


def _die_after(case: Case, count: int) -> tuple[int, list[object]]:
    """Receive so many of ten messages in AUTO_ACKNOWLEDGE, cut the client off, and return what the next one gets."""
    link, name = _holder(case)
    link.take_all(count)
    case.provider.sever(link.client.connection)
    return count, _rest(reconnected(case, link.destination, durable=name))


def _die_in_listener(case: Case, count: int) -> tuple[int, list[object]]:
    """Cut the client off while its listener has the message of this number, and return what the next one gets."""
    link, name = _holder(case)
    released = _listener_dies(case, link, count)
    rest = _rest(reconnected(case, link.destination, durable=name))
    released.set()
    return count, rest


def _listener_dies(case: Case, link: Link, count: int) -> api.Event:
    """Cut the client off inside the call of its listener with this number; return the event that lets the call end.

    Raises:
        Undecided: the listener was not called so often.
    """
    entered, released = case.provider.clock.event(), case.provider.clock.event()

    def hear(_message: api.Message, ordinal: int) -> None:
        if ordinal == count:
            entered.set()
            released.wait(4 * case.timing.deadline)

    link.consumer.message_listener = Listener(hear)
    if not entered.wait(case.timing.deadline):
        raise Undecided(f"the listener was not called {count} times")
    case.witness(f"the listener was called {count} times")
    case.provider.sever(link.client.connection)
    return released


def _rest(link: Link) -> list[object]:
    """Receive up to a marker sent now; return what came before it."""
    marker = link.mark()
    came: list[object] = []
    while (text := tried(lambda: body(link.receive()))) != marker:
        came.append(text)
    return came


@asserts("6.2.11-5", variant="receive")
def test_of_received_messages_at_most_the_last_comes_again(case: Case) -> None:
    """After one, two, four or seven receives the client dies: at most the last message comes again, and all later ones."""
    with expect.all_of():
        for count, rest in (_die_after(case, count) for count in (1, 2, 4, 7)):
            permitted = {str(TEN[count - back :]): "" for back in (0, 1)}
            expect.true(f"after {count} receives at most the last comes again", str(rest) in permitted, f"{rest} came")


@asserts("6.2.11-5", variant="listener")
def test_of_messages_handled_by_a_listener_at_most_the_last_comes_again(case: Case) -> None:
    """The client dies in the second, third or sixth call of its listener: no message before that one comes again."""
    with expect.all_of():
        for count, rest in (_die_in_listener(case, count) for count in (2, 3, 6)):
            expect.equal(f"what came after a death in call {count}", rest, TEN[count - 1 :])


def _again_after_death(case: Case, count: int) -> api.Message:
    """Return the message that a client had in its listener when it died, as the next client gets it; others may come before."""
    link, name = _holder(case)
    released = _listener_dies(case, link, count)
    again = reconnected(case, link.destination, durable=name)
    message = again.take()
    while body(message) != TEN[count - 1]:
        message = again.take()
    released.set()
    return message


@asserts("6.2.11-6", variant="severed")
def test_what_a_dead_client_had_in_hand_is_flagged(case: Case) -> None:
    """A message that comes again because its client died in the listener has JMSRedelivered set, the first and a later one."""
    flags = {count: _again_after_death(case, count).jms_redelivered for count in (1, 4)}
    expect.equal("JMSRedelivered, by the number of the message", flags, {1: True, 4: True})


@asserts("6.2.11-7", variant="severed")
def test_what_a_dead_client_had_in_hand_is_counted(case: Case) -> None:
    """A message that comes again because its client died in the listener has a JMSXDeliveryCount above 1."""
    for number in (1, 4):
        count = counted(_again_after_death(case, number))[1]
        expect.true("JMSXDeliveryCount is above 1", count > 1, f"that of message {number} was {count}")
