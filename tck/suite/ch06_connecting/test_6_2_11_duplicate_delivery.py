"""6.2.11 Duplicate delivery of messages: what was acknowledged is not redelivered. Some cases need a hook."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.deliveries import counted
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener, Listener
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.lifecycle.reconnecting import reconnected
from tck.suite.support.values.seen import body

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
    """What was acknowledged one by one is not redelivered, once session and connection were closed in good order."""
    _closed_in_good_order(case)


@asserts("6.2.11-2", ack=SETTLED)
def test_acknowledged_messages_of_a_subscription_do_not_come_when_it_is_resumed(case: Case) -> None:
    """What was acknowledged one by one is not redelivered when the durable subscription is resumed."""
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
    """What was acknowledged alone, in a batch, and after it had been redelivered, does not come after the close."""
    link, _ = _holder(case)
    _settle_in_steps(link)
    link.client.close()
    expect.only(reconnected(case, link.destination), [])


@asserts("6.2.11-2", ack=EXPLICIT, variant="in-steps")
def test_messages_of_a_subscription_acknowledged_in_batches_do_not_come_again(case: Case) -> None:
    """What was acknowledged alone, in a batch, and after it had been redelivered, does not come when the subscription is resumed."""
    link, name = _holder(case)
    _settle_in_steps(link)
    link.consumer.close()
    link.client.close()
    expect.only(reconnected(case, link.destination, durable=name), [])


@asserts("6.2.11-1", variant="listener")
def test_queue_messages_that_a_listener_handled_do_not_come_after_a_close(case: Case) -> None:
    """What a listener handled in AUTO_ACKNOWLEDGE is not redelivered after the close of its consumer and connection."""
    _heard_and_closed(case)


@asserts("6.2.11-2", variant="listener")
def test_messages_of_a_subscription_that_a_listener_handled_do_not_come_again(case: Case) -> None:
    """What a listener handled in AUTO_ACKNOWLEDGE is not redelivered when the subscription is resumed."""
    _heard_and_closed(case)


def _heard_and_closed(case: Case) -> None:
    link, name = _holder(case)
    heard = CollectingListener(case)
    link.consumer.message_listener = heard
    expect.equal("what the listener got", heard.after(10), TEN)
    link.consumer.close()
    link.client.close()
    expect.only(reconnected(case, link.destination, durable=name), [])


def _after_death(case: Case, work: Callable[[Link], None]) -> Link:
    """Have a client work on ten messages, cut it off, and connect in its place; with another one if its identifier stays taken.

    Raises:
        Undecided: the identifier of three clients stayed taken.
    """
    for _ in range(3):
        link, name = _holder(case)
        work(link)
        case.provider.sever(link.client.connection)
        again = _successor(case, link, name)
        if again is not None:
            return again
    raise Undecided("no client could connect in the place of one that had died")


def _settle_seven(link: Link) -> None:
    """Settle three messages one by one and four together, and receive one more."""
    for text in TEN[:3]:
        expect.arrives(link, [text])
    link.take_all(3)
    link.client.settle(link.take())
    link.take()


@asserts("6.2.11-3", ack=EXPLICIT)
def test_acknowledged_messages_do_not_come_after_the_death_of_the_client(case: Case) -> None:
    """What was acknowledged or committed before the client died is not redelivered; the rest is."""
    expect.only(_after_death(case, _settle_seven), TEN[7:], ordered=False)


@asserts("6.2.11-3", ack=EXPLICIT, variant="after-redelivery")
def test_messages_acknowledged_the_second_time_do_not_come_after_the_death_of_the_client(case: Case) -> None:
    """What came again and was then acknowledged or committed is not redelivered after the client died."""
    expect.only(_after_death(case, _settle_in_steps), [])


@asserts("6.2.11-4", ack=EXPLICIT)
def test_acknowledged_messages_do_not_come_after_the_death_of_the_provider(case: Case) -> None:
    """What was acknowledged or committed before the provider died is not redelivered; the rest is."""
    link, name = _holder(case)
    _settle_seven(link)
    case.provider.kill()
    expect.only(reconnected(case, link.destination, durable=name), TEN[7:], ordered=False)


@asserts("6.2.11-4", ack=EXPLICIT, variant="several-destinations")
def test_what_was_acknowledged_on_several_destinations_does_not_come_after_the_death_of_the_provider(
    case: Case,
) -> None:
    """One acknowledgement or commit of messages of three consumers covers all of them after the provider died."""
    _settled_together(case, closed=0)


@asserts("6.2.11-4", ack=EXPLICIT, variant="closed-consumers")
def test_what_was_acknowledged_of_closed_consumers_does_not_come_after_the_death_of_the_provider(case: Case) -> None:
    """It covers what two of the three consumers got that were closed before."""
    _settled_together(case, closed=2)


def _settled_together(case: Case, *, closed: int) -> None:
    """Settle two of three messages of each of three places at once, the first consumers closed, and kill the provider."""
    name = case.name("s")
    client = case.client(client_id=name)
    domain = case.domain if case.api == "domain-specific" else case.other_domain
    places = [case.destination(), case.destination(domain), case.destination()]
    names = [f"{name}{part}" for part in ("", "b", "c")]
    links = [case.link(client=client, destination=at, durable=own) for at, own in zip(places, names, strict=True)]
    for place in places:
        sender = case.link("auto", destination=place, consumes=False)
        for text in TEN[:3]:
            sender.send(text, mode=api.DeliveryMode.PERSISTENT)
    last = [link.take_all(2)[-1] for link in links][-1]
    for link in links[:closed]:
        link.consumer.close()
    client.settle(last)
    case.link(client=client, consumes=False).put(
        "behind it"
    )  # an acknowledgement that did not wait has arrived by then
    case.provider.kill()
    reconnected(case, places[0], durable=name).client.close()
    again = case.client("auto", client_id=name)
    with expect.all_of():
        for place, own in zip(places, names, strict=True):
            expect.only(case.link(client=again, destination=place, durable=own), TEN[2:3])


def _die_after(case: Case, count: int) -> list[object] | None:
    """Receive so many of ten messages in AUTO_ACKNOWLEDGE, cut the client off, and return what the next one gets."""
    link, name = _holder(case)
    link.take_all(count)
    case.provider.sever(link.client.connection)
    again = _successor(case, link, name)
    return None if again is None else _rest(again)


def _die_in_listener(case: Case, count: int) -> list[object] | None:
    """Cut the client off while its listener has the message of this number, and return what the next one gets."""
    link, name = _holder(case)
    released = _listener_dies(case, link, count)
    again = _successor(case, link, name)
    rest = None if again is None else _rest(again)
    released.set()
    return rest


def _successor(case: Case, link: Link, name: str) -> Link | None:
    """Connect in the place of a client that died; None if its identifier stays taken, which is another row's."""
    try:
        return reconnected(case, link.destination, durable=name)
    except (api.InvalidClientIDException, api.InvalidClientIDRuntimeException):
        return None


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
    while (text := body(link.receive())) != marker:
        came.append(text)
    return came


def _came_early(rounds: Mapping[int, list[object] | None]) -> dict[int, list[object]]:
    """Return what came again by the number of the message in hand at the death, without that one and those after it.

    Raises:
        Undecided: no round had a successor.
    """
    seen = {count: rest for count, rest in rounds.items() if rest is not None}
    if not seen:
        raise Undecided("no client could connect in the place of the one that had died")
    return {count: [text for text in rest if text in TEN[: count - 1]] for count, rest in seen.items()}


@asserts("6.2.11-5", variant="receive")
def test_of_received_messages_at_most_the_last_comes_again(case: Case) -> None:
    """After one, two, four or seven receives the client dies: no message but the last of them is redelivered."""
    early = _came_early({count: _die_after(case, count) for count in (1, 2, 4, 7)})
    expect.equal("what came again, by the number of receives, without the last", early, {count: [] for count in early})


@asserts("6.2.11-5", variant="listener")
def test_of_messages_handled_by_a_listener_at_most_the_last_comes_again(case: Case) -> None:
    """The client dies in the second, third or sixth call of its listener: no message before that one is redelivered."""
    early = _came_early({count: _die_in_listener(case, count) for count in (2, 3, 6)})
    expect.equal("what came again, by the number of the call, before it", early, {count: [] for count in early})


def _again_after_deaths(case: Case) -> dict[int, api.Message]:
    """Return the messages, by number, that clients had in their listeners when they died, as the next clients get them.

    Raises:
        Undecided: no client could connect in the place of one that had died.
    """
    found = {}
    for count in (1, 4):
        link, name = _holder(case)
        released = _listener_dies(case, link, count)
        again = _successor(case, link, name)
        if again is not None:
            found[count] = _numbered(again, count)
        released.set()
    if not found:
        raise Undecided("no client could connect in the place of the one that had died")
    return found


def _numbered(link: Link, count: int) -> api.Message:
    """Receive until the message of this number comes; others may come before."""
    message = link.take()
    while body(message) != TEN[count - 1]:
        message = link.take()
    return message


@asserts("6.2.11-6", variant="severed")
def test_what_a_dead_client_had_in_hand_is_flagged(case: Case) -> None:
    """A message that is redelivered because its client died in the listener has JMSRedelivered set, the first and a later one."""
    flags = {number: message.jms_redelivered for number, message in _again_after_deaths(case).items()}
    expect.equal("JMSRedelivered, by the number of the message", flags, dict.fromkeys(flags, True))


@asserts("6.2.11-7", variant="severed")
def test_what_a_dead_client_had_in_hand_is_counted(case: Case) -> None:
    """A message that is redelivered because its client died in the listener has a JMSXDeliveryCount above 1."""
    for number, message in _again_after_deaths(case).items():
        count = counted(message)[1]
        expect.true("JMSXDeliveryCount is above 1", count > 1, f"that of message {number} was {count}")
