"""7.8 Message time-to-live: what has expired is not delivered, wherever it waited, and what has not is. Some cases need a hook."""

from __future__ import annotations

from collections.abc import Callable, Collection

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.clients.subscriptions import Subscription, publisher, subscription, unattended, working_kinds
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.lifecycle.reconnecting import reconnected
from tck.suite.support.lifecycle.stopping import HeldListener, held, sender_to
from tck.suite.support.values.colours import RED
from tck.suite.support.values.seen import body

NON_PERSISTENT, PERSISTENT = api.DeliveryMode.NON_PERSISTENT, api.DeliveryMode.PERSISTENT
EXPLICIT = ("client", "transacted")
TWENTY = numbered(20)
HOUR = 3_600_000
DAY = 24 * HOUR


def _long_after(case: Case) -> None:
    """Let so much time pass that whatever had the shortest time to live is long expired."""
    case.pass_time(max(case.long_delay(), 5 * case.timing.delay), "the messages must be long expired")


def _not_all(link: Link, expired: Collection[str], mode: int = PERSISTENT) -> None:
    """Receive up to a marker sent now in their mode, and demand that one at least of the expired messages did not come."""
    link.sender.set(mode=mode)
    marker = link.mark()
    came: list[object] = []
    while (text := body(link.receive())) != marker:
        came.append(text)
    left_out = [text for text in expired if text not in came]
    expect.true("of messages long expired not all are delivered", bool(left_out), f"all {len(expired)} were")


@asserts("7.8-3", "3.4.9-5", ack=("auto", "transacted"), variant="after-another")
def test_a_producer_that_had_a_time_to_live_sends_without_one(case: Case) -> None:
    """Messages that a producer sends with 0, by argument or as its own value again, stay, though it had a time to live before."""
    link = case.link()
    link.sender.set(ttl=case.timing.delay)
    by_argument = link.send("by argument", ttl=0)
    link.sender.set(ttl=0)
    by_default = link.send("by default")
    case.pass_time(2 * case.timing.delay, "a message that got the former time to live must expire")
    expect.arrives(link, ["by argument", "by default"])
    expect.equal("JMSExpiration of each", [by_argument.jms_expiration, by_default.jms_expiration], [0, 0])


@asserts("7.8-9", "3.4.11-3", ack=("auto", "client", "transacted"), variant="sent-on")
def test_the_expiration_of_a_message_that_is_sent_on_is_overwritten(case: Case) -> None:
    """A received message that has a time to live is sent on without one: it stays, and its JMSExpiration is 0."""
    link = case.link()
    for ttl in (4 * case.timing.delay, HOUR):
        link.send("x", ttl=ttl)
        received = link.receive()
        onward = case.link()
        onward.send(received)
        case.pass_time(5 * case.timing.delay, "a message that kept its expiration must expire")
        expect.equal("JMSExpiration at the second receiver", expect.arrives(onward, ["x"])[0].jms_expiration, 0)


@asserts("7.8-1", variant="long")
def test_a_message_that_lives_long_is_delivered(case: Case) -> None:
    """Messages that live for a minute up to a century, of either mode, are received at once, and do not count as expired."""
    link = case.link()
    lives = (60_000, HOUR, DAY, 30 * DAY, 2**31 - 1, 2**31, 2**32 + 1, 100 * 365 * DAY)
    with expect.all_of():
        for mode in (NON_PERSISTENT, PERSISTENT):
            link.sender.set(mode=mode)
            for life in lives:
                link.put(f"{life} ms", ttl=life, mode=mode)
            expect.only(link, [f"{life} ms" for life in lives])


@asserts("7.8-4", ack=("auto", "client", "transacted"))
def test_a_queue_does_not_ignore_the_time_to_live(case: Case) -> None:
    """Of twenty messages left in a queue well past their expiration not all are delivered, in both delivery modes."""
    for mode in (PERSISTENT, NON_PERSISTENT):
        sender = case.link(consumes=False)
        for text in TWENTY:
            sender.send(text, mode=mode, ttl=case.timing.delay)
        _long_after(case)
        _not_all(case.link(destination=sender.destination), TWENTY, mode)


@asserts("7.8-4", ack=("transacted",), variant="one-transaction")
def test_a_queue_does_not_ignore_the_time_to_live_within_a_transaction(case: Case) -> None:
    """The same of twenty messages of all priorities that one transaction sent, its producer having the time to live."""
    sender = case.link(consumes=False)
    sender.sender.set(ttl=case.timing.delay)
    for at, text in enumerate(TWENTY):
        sender.put(text, priority=at % 10)
    sender.client.commit()
    _long_after(case)
    _not_all(case.link(destination=sender.destination), TWENTY)


@asserts("7.8-4", variant="selector")
def test_a_queue_does_not_ignore_the_time_to_live_of_selected_messages(case: Case) -> None:
    """The same where the consumer selects, and messages that it does not select lie before them."""
    sender = case.link(consumes=False)
    send_coloured(sender, [f"blue {text}" for text in TWENTY])
    sender.sender.set(ttl=case.timing.delay)
    send_coloured(sender, [f"red {text}" for text in TWENTY])
    sender.sender.set(ttl=0)
    _long_after(case)
    send_coloured(sender, ["red end"])
    link = case.link(destination=sender.destination, selector=RED)
    came: list[object] = []
    while (text := body(link.receive())) != "red end":
        came.append(text)
    expect.true("of messages long expired not all are delivered", len(came) < len(TWENTY), f"all {len(came)} were")


@asserts("7.8-4", variant="restart")
def test_a_queue_does_not_ignore_the_time_to_live_after_a_restart(case: Case) -> None:
    """The same of messages that the provider has read back from its store."""
    case.needs(api.Hook.RESTART)
    sender = case.link(consumes=False)
    for text in TWENTY:
        sender.send(text, mode=PERSISTENT, ttl=case.timing.delay)
    case.provider.restart()
    _long_after(case)
    _not_all(reconnected(case, sender.destination), TWENTY)


def _inactive(case: Case) -> list[Subscription]:
    """Create an inactive subscription of each durable kind that the provider has.

    Raises:
        Undecided: it has none.
    """
    kinds = [kind for kind in working_kinds(case, case.client(client_id=case.name("c"))) if kind.endswith("durable")]
    if not kinds:
        raise Undecided("the provider opens no durable subscription")
    every = [subscription(case, kind) for kind in kinds]
    for watched in every:
        watched.open().client.close()
    return every


@asserts("7.8-5", ack=("auto", "client", "transacted"))
def test_a_subscription_does_not_ignore_the_time_to_live(case: Case) -> None:
    """Of twenty messages that an inactive durable subscription, unshared or shared, holds past their expiration not all come."""
    for watched in _inactive(case):
        for mode in (PERSISTENT, NON_PERSISTENT):
            sender = publisher(case, watched.topic)
            for text in TWENTY:
                sender.send(text, mode=mode, ttl=case.timing.delay)
            _long_after(case)
            link = watched.open()
            _not_all(link, TWENTY, mode)
            link.client.close()


@asserts("7.8-5", variant="restart")
def test_a_subscription_does_not_ignore_the_time_to_live_after_a_restart(case: Case) -> None:
    """The same of messages that the provider has read back from its store."""
    case.needs(api.Hook.RESTART)
    for watched in _inactive(case):
        sender = publisher(case, watched.topic)
        for text in TWENTY:
            sender.send(text, mode=PERSISTENT, ttl=case.timing.delay)
        case.provider.restart()
        _long_after(case)
        link = watched.open()
        _not_all(link, TWENTY)
        link.client.close()


def _until(case: Case, time: int) -> None:
    case.pass_time(max(time - case.now(), 0), "the clock must show a time shortly before or after the expiration")


def _expire_accurately(case: Case, opened: Callable[[Link], Link]) -> None:
    """Send messages of several times to live, and demand that they come shortly before their expiration and not after it.

    Args:
        case: The case.
        opened: Returns the link that receives, from the one that sends; called at the last moment.
    """
    shortly = 1 + case.timing.tolerance
    sender = case.link(durable=case.name("s"))
    for mode in (PERSISTENT, NON_PERSISTENT):
        sender.sender.set(mode=mode)
        for ttl in (case.timing.delay, 10 * case.timing.delay + 1, HOUR, 3 * DAY + 1):
            in_time = sender.send("in time", ttl=ttl)
            _until(case, in_time.jms_expiration - shortly)
            expect.arrives(opened(sender), ["in time"])
            too_late = sender.send("too late", ttl=ttl)
            _until(case, too_late.jms_expiration + shortly)
            expect.only(opened(sender))
    expect.record(f"messages expire within {shortly} ms of their expiration")


@asserts("7.8-6", ack=("auto", "client", "transacted"))
def test_messages_expire_accurately(case: Case) -> None:
    """With an open consumer a message comes up to the last moment before its expiration, and not from the first after it."""
    _expire_accurately(case, lambda sender: sender)


@asserts("7.8-6", variant="later-consumer")
def test_messages_expire_accurately_for_a_later_consumer(case: Case) -> None:
    """The same where the consumer, of a queue or a durable subscription, is opened just then."""

    def reopened(link: Link) -> Link:
        link.consumer.close()
        name = link.client.connection.client_id
        link.use(case.link(client=link.client, destination=link.destination, durable=name).consumer)
        return link

    _expire_accurately(case, reopened)


# -- no expired message is received -----------------------------------------------------------------------------------


@asserts("7.8-7", "3.4.9-7", ack=EXPLICIT, variant="returned")
def test_a_message_that_expires_in_hand_does_not_come_again(case: Case) -> None:
    """A message that expires after its first delivery is not redelivered by rollback or recover; the others are."""
    for mode in (PERSISTENT, NON_PERSISTENT):
        link = case.link(durable=case.name("s"))
        link.sender.set(mode=mode)
        link.send("stays")
        link.send("expires", ttl=4 * case.timing.delay)
        link.send("stays too")
        link.take_all(3)
        case.pass_time(5 * case.timing.delay, "the message must expire")
        link.client.return_all()
        expect.only(link, ["stays", "stays too"])


@asserts("7.8-7", "3.4.9-7", ack=EXPLICIT, variant="next-consumer")
def test_a_message_that_expires_in_hand_does_not_come_to_the_next_consumer(case: Case) -> None:
    """A message that expires while a client has it, unsettled, does not come to another client after that one's end."""
    name = case.name("s")
    link = case.link(durable=name)
    link.send("expires", ttl=4 * case.timing.delay)
    link.send("stays")
    link.take_all(2)
    case.pass_time(5 * case.timing.delay, "the message must expire")
    link.client.close()
    expect.only(reconnected(case, link.destination, durable=name), ["stays"])


@asserts("7.8-7", "3.4.9-7", ack=("auto", "client"), variant="listener")
def test_a_message_that_expires_behind_a_busy_listener_is_not_delivered(case: Case) -> None:
    """A message that expires while the listener is busy with another does not reach it; the next one does."""
    link = case.link()
    done = case.provider.clock.event()
    listener = held(link, HeldListener(case, lambda message: body(message) == "stays" and done.set()))
    sender = sender_to(link)
    sender.send("expires", ttl=case.timing.delay)
    sender.send("stays")
    case.pass_time(2 * case.timing.delay, "the message must expire")
    listener.release()
    done.wait(case.timing.deadline)
    expect.equal("what the listener got", listener.bodies, ["x", "stays"])


@asserts("7.8-7", "3.4.9-7", domain=("topic",), variant="kinds")
def test_a_message_that_expires_on_any_subscription_is_not_received(case: Case) -> None:
    """Each kind of subscription, with an open consumer or, where it is durable, without one, delivers nothing expired."""
    kinds = working_kinds(case, case.client(client_id=case.name("c")))
    for kind in kinds:
        watched = subscription(case, kind)
        link, sender = watched.open(), publisher(case, watched.topic)
        for active in (True, False)[: 1 + kind.endswith("durable")]:
            sender.send("expires", ttl=case.timing.delay)
            sender.send("stays")
            case.pass_time(2 * case.timing.delay, "the message must expire")
            expect.only(link if active else watched.open(), ["stays"])
            link.client.close()


@asserts("7.8-7", "3.4.9-7", ack=("transacted",), variant="late-commit")
def test_a_message_that_expires_before_its_commit_is_not_received(case: Case) -> None:
    """A message whose time to live is over before the transaction that sent it is committed does not come; the others do."""
    for mode in (PERSISTENT, NON_PERSISTENT):
        link = case.link()
        link.sender.set(mode=mode)
        link.put("stays")
        link.put("expires", ttl=case.timing.delay)
        link.put("lives on", ttl=HOUR)
        case.pass_time(2 * case.timing.delay, "the message must expire")
        link.client.commit()
        expect.only(link, ["stays", "lives on"])


@asserts("7.8-7", "3.4.9-7", variant="restart")
def test_a_message_that_expires_after_a_restart_is_not_received(case: Case) -> None:
    """A PERSISTENT message of a queue or durable subscription that expires after a restart, or before it, does not come."""
    case.needs(api.Hook.RESTART)
    sender, name = unattended(case)
    sender.send("expires before", mode=PERSISTENT, ttl=1)
    sender.send("stays", mode=PERSISTENT)
    expiring = sender.send("expires after", mode=PERSISTENT, ttl=case.timing.deadline)
    case.provider.restart()
    _until(case, expiring.jms_expiration + case.timing.delay)
    expect.only(reconnected(case, sender.destination, durable=name), ["stays"])


@asserts("7.8-7", "3.4.9-7", variant="with-delay", ack=("auto", "transacted"))
def test_a_delayed_message_expires_too(case: Case) -> None:
    """A message that expires after its delivery time, before anybody receives it, does not come; one that has not does."""
    delay, none = (case.timing.delay, 0) if case.offers("delivery delays") else (None, None)
    for mode in (PERSISTENT, NON_PERSISTENT):
        link = case.link()
        link.sender.set(mode=mode, delay=delay)
        link.send("expires", ttl=2 * case.timing.delay)
        link.send("lives on", ttl=HOUR)
        case.pass_time(3 * case.timing.delay, "the message must become due and expire")
        link.sender.set(delay=none)
        expect.only(link, ["lives on"])


@asserts("7.8-7", "3.4.9-7", variant="stopped")
def test_a_message_that_expired_while_the_connection_was_stopped_is_not_received(case: Case) -> None:
    """What expired in a stopped connection's hands is given neither to its listener nor to its receive once it is started."""
    for listening in (False, True):
        link = case.link()
        link.send("x")
        link.receive()
        link.client.stop()
        sender = sender_to(link)
        sender.send("expires", ttl=case.timing.delay)
        sender.send("stays")
        case.pass_time(2 * case.timing.delay, "the message must expire")
        heard = CollectingListener(case)
        if listening:
            link.consumer.message_listener = heard
        link.client.start()
        came = heard.after(1) if listening else [body(link.receive())]
        expect.equal("what comes first", came, ["stays"])
