"""7.9 Message delivery delay: the subscriptions that exist at the send get a delayed message, and no others. Some cases need a hook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.messages import coloured, send_coloured
from tck.suite.support.clients.subscriptions import (
    SHARED,
    Subscription,
    SubscriptionKind,
    publisher,
    subscription,
    working_kinds,
)
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.values.colours import BLUE, RED

NON_PERSISTENT, PERSISTENT = api.DeliveryMode.NON_PERSISTENT, api.DeliveryMode.PERSISTENT
MODES = (PERSISTENT, NON_PERSISTENT)
LASTING: tuple[SubscriptionKind, ...] = ("durable", "shared durable")
PASSING: tuple[SubscriptionKind, ...] = ("unshared", "shared")


def _kinds(case: Case, among: Sequence[SubscriptionKind]) -> list[SubscriptionKind]:
    """Return those of some kinds of subscription that the provider opens.

    Raises:
        Undecided: it opens none of them.
    """
    working = working_kinds(case, case.client(client_id=case.name("c")))
    found = [kind for kind in among if kind in working]
    if not found:
        raise Undecided(f"the provider opens none of these kinds of subscription: {', '.join(among)}")
    return found


def _publish(sender: Link, text: str, *, mode: int = PERSISTENT) -> None:
    """Publish a message with a delay, its colour the first word of its text; later ones have its mode. Commit if transacted."""
    sender.sender.set(mode=mode, delay=2 * sender.case.timing.delay)
    sender.send(coloured(sender, text))
    sender.sender.set(delay=0)


def _marked(case: Case, sender: Link, witness: Link, late: Mapping[str, Link]) -> None:
    """Await the delayed message at a subscription that existed, then demand that the others get a marker first."""
    witness.take()
    send_coloured(sender, ["red marker"])
    with expect.all_of():
        for words, link in late.items():
            expect.nothing_before(link, "red marker", lambda: case.witness(f"the marker was sent, for {words}"))


@asserts("7.9-7", ack=("auto", "client", "transacted"))
def test_a_later_nondurable_subscription_gets_no_delayed_message(case: Case) -> None:
    """A non-durable subscription, unshared or shared, made after the send of a delayed message does not get it, in both modes."""
    for mode in MODES:
        topic = case.topic()
        sender, witness = publisher(case, topic), case.link(destination=topic)
        _publish(sender, "red delayed", mode=mode)
        late = {str(kind): subscription(case, kind, topic).open() for kind in _kinds(case, PASSING)}
        _marked(case, sender, witness, late)


@asserts("7.9-7", variant="alone")
def test_a_delayed_message_for_nobody_comes_to_no_later_subscription(case: Case) -> None:
    """The same where no subscription at all exists at the send, or where one that existed has ended since."""
    for kind in _kinds(case, PASSING):
        watched = subscription(case, kind)
        sender = publisher(case, watched.topic)
        _publish(sender, "red for nobody")
        first = watched.open()
        _publish(sender, "red for the first")
        first.client.close()
        again = watched.open()
        case.pass_time(3 * case.timing.delay, "the messages must become due")
        expect.nothing_before(again, "marker", lambda sender=sender: sender.send("marker"))  # type: ignore[misc]


@asserts("7.9-7", variant="another-consumer")
def test_a_later_consumer_of_a_session_gets_no_delayed_message(case: Case) -> None:
    """The same on the session of an older subscription, with another selector, and with a listener."""
    link = case.link()
    sender = publisher(case, link.destination)
    _publish(sender, "red delayed")
    selecting = case.link(client=link.client, destination=link.destination, selector=RED)
    listening = case.link(destination=link.destination)
    heard = CollectingListener(case)
    listening.consumer.message_listener = heard
    _marked(case, sender, link, {"a second consumer": selecting})
    expect.equal("what the listener got", heard.after(1), ["red marker"])


@asserts("7.9-7", ack=("transacted",), variant="transaction")
def test_a_later_nondurable_subscription_gets_no_delayed_message_of_a_transaction(case: Case) -> None:
    """A non-durable subscription made after the commit of a delayed message does not get it."""
    topic = case.topic()
    sender, witness = case.link(destination=topic, consumes=False), case.link("auto", destination=topic)
    _publish(sender, "red delayed")
    late = {str(kind): subscription(case, kind, topic).open("auto") for kind in _kinds(case, PASSING)}
    _marked(case, sender, witness, late)


# -- durable subscriptions --------------------------------------------------------------------------------------------


@asserts("7.9-8", ack=("auto", "client", "transacted"))
def test_a_later_durable_subscription_gets_no_delayed_message(case: Case) -> None:
    """A durable subscription, unshared or shared, made after the send of a delayed message does not get it, in both modes."""
    for mode in MODES:
        topic = case.topic()
        sender, witness = publisher(case, topic), case.link(destination=topic)
        _publish(sender, "red delayed", mode=mode)
        late = {str(kind): subscription(case, kind, topic).open() for kind in _kinds(case, LASTING)}
        _marked(case, sender, witness, late)


@asserts("7.9-8", variant="inactive")
def test_a_later_durable_subscription_that_is_inactive_gets_no_delayed_message(case: Case) -> None:
    """The same where the subscription is inactive when the message is due."""
    for kind in _kinds(case, LASTING):
        watched = subscription(case, kind)
        sender, witness = publisher(case, watched.topic), case.link(destination=watched.topic)
        _publish(sender, "red delayed")
        watched.open().client.close()
        witness.take()
        send_coloured(sender, ["red marker"])
        expect.nothing_before(watched.open(), "red marker", lambda: case.witness("the marker was sent"))


@asserts("7.9-8", variant="same-name")
def test_a_subscription_made_again_gets_nothing_that_was_delayed_for_the_first(case: Case) -> None:
    """A subscription that was deleted, or replaced by another selector, and made again gets no message delayed for the first."""
    for kind in _kinds(case, LASTING):
        for replaced in (False, True)[: 1 + (kind == "durable")]:
            watched = subscription(case, kind, selector=RED)
            sender, witness = publisher(case, watched.topic), case.link(destination=watched.topic)
            watched.open().client.close()
            _publish(sender, "red delayed")
            _end(watched, replaced=replaced)
            _marked(case, sender, witness, {kind: watched.open()})


def _end(watched: Subscription, *, replaced: bool) -> None:
    """Delete a durable subscription, or open it with another selector, which deletes it too."""
    if replaced:
        replace(watched, selector=BLUE).open().client.close()
    else:
        watched.unsubscribe()


@asserts("7.9-8", variant="restart")
def test_a_durable_subscription_made_after_a_restart_gets_no_message_delayed_before(case: Case) -> None:
    """A durable subscription made after the send and before a restart, or after that, gets no PERSISTENT delayed message."""
    case.needs(api.Hook.RESTART)
    topic = case.topic()
    existing = subscription(case, "durable", topic)
    existing.open().client.close()
    sender = publisher(case, topic)
    sender.sender.set(delay=case.timing.deadline)
    sender.send(coloured(sender, "red delayed"), mode=PERSISTENT)
    kinds = _kinds(case, LASTING)
    before = [subscription(case, kind, topic) for kind in kinds]
    for watched in before:
        watched.open().client.close()
    case.provider.restart()
    every = [*before, *(subscription(case, kind, topic) for kind in kinds)]
    late = {f"{at}: {watched.kind}": watched.open() for at, watched in enumerate(every)}
    witness = existing.open()
    expect.true("it arrives", witness.poll(2 * case.timing.deadline) is not None, "it did not")
    send_coloured(witness, ["red marker"])
    for link in late.values():
        expect.nothing_before(link, "red marker", lambda: case.witness("the marker was sent"))


# -- subscriptions that exist at the send -----------------------------------------------------------------------------


@asserts("7.9-9", ack=("auto", "client", "dups_ok", "transacted"))
def test_each_existing_subscription_gets_a_delayed_message(case: Case) -> None:
    """Each kind of subscription that exists at the send, its consumer open throughout, gets the message once, in both modes."""
    for mode in MODES:
        topic = case.topic()
        links = [subscription(case, kind, topic).open() for kind in _kinds(case, (*PASSING, *LASTING))]
        _publish(publisher(case, topic), "red delayed", mode=mode)
        for link in links:
            expect.arrives(link, ["red delayed"])
        for link in links[:1]:
            expect.only(link)


@asserts("7.9-9", ack=("auto", "client", "transacted"), variant="inactive")
def test_a_subscription_that_is_inactive_when_the_message_is_due_gets_it(case: Case) -> None:
    """A durable subscription whose consumer is closed after the send and opened after the delivery time gets the message."""
    for kind in _kinds(case, LASTING):
        watched = subscription(case, kind)
        link, sender = watched.open(), publisher(case, watched.topic)
        _publish(sender, "red delayed")
        link.client.close()
        case.pass_time(3 * case.timing.delay, "the message must become due")
        again = watched.open()
        expect.arrives(again, ["red delayed"])
        expect.only(again)


@asserts("7.9-9", variant="comes-and-goes")
def test_a_subscription_that_comes_and_goes_gets_a_delayed_message(case: Case) -> None:
    """A durable subscription that is inactive at the send, opened and closed before the delivery time, and resumed, gets it."""
    for kind in _kinds(case, LASTING):
        watched = subscription(case, kind)
        watched.open().client.close()
        sender = publisher(case, watched.topic)
        _publish(sender, "red delayed")
        sender.client.close()
        for _ in range(2):
            watched.open().client.close()
        expect.arrives(watched.open(), ["red delayed"])


@asserts("7.9-9", variant="other-unsubscribes")
def test_the_end_of_other_subscriptions_does_not_take_a_delayed_message(case: Case) -> None:
    """When other subscriptions end before the delivery time, by close or unsubscribe, the message comes to those that are left."""
    kinds = _kinds(case, LASTING)
    topic = case.topic()
    leaving = [subscription(case, kind, topic, selector=RED) for kind in kinds]
    staying = [subscription(case, kind, topic) for kind in kinds]
    passing, active = case.link(destination=topic), case.link(destination=topic)
    for watched in (*leaving, *staying):
        watched.open().client.close()
    _publish(publisher(case, topic), "red delayed")
    passing.client.close()
    for watched in leaving:
        watched.unsubscribe()
    expect.arrives(active, ["red delayed"])
    for watched in staying:
        expect.arrives(watched.open(), ["red delayed"])


@asserts("7.9-9", api=("classic", "simplified"), variant="shared")
def test_a_shared_subscription_that_loses_a_consumer_gets_a_delayed_message(case: Case) -> None:
    """A shared subscription that one of its two consumers leaves before the delivery time gets the message at the other."""
    for kind in SHARED:
        watched = subscription(case, kind)
        first, second = watched.open(), watched.open()
        _publish(publisher(case, watched.topic), "red delayed")
        first.client.close()
        expect.arrives(second, ["red delayed"])
        expect.only(second)


@asserts("7.9-9", ack=("transacted",), variant="transaction")
def test_an_existing_subscription_gets_a_delayed_message_of_a_transaction(case: Case) -> None:
    """What a transaction sent with and without a delay comes to each kind of subscription that existed before it."""
    topic = case.topic()
    links = [subscription(case, kind, topic).open("auto") for kind in _kinds(case, (*PASSING, *LASTING))]
    sender = case.link(destination=topic, consumes=False)
    sender.sender.set(delay=2 * case.timing.delay)
    sender.put("delayed")
    sender.sender.set(delay=0)
    sender.put("at once")
    sender.client.commit()
    for link in links:
        expect.arrives(link, ["at once", "delayed"], ordered=False)


@asserts("7.9-9", variant="selector")
def test_a_selecting_subscription_gets_the_delayed_messages_that_it_selects(case: Case) -> None:
    """Of delayed messages an inactive durable subscription with a selector gets those that the selector chooses."""
    for kind in _kinds(case, LASTING):
        watched = subscription(case, kind, selector=RED)
        watched.open().client.close()
        sender = publisher(case, watched.topic)
        for text in ("blue 1", "red 2", "blue 3", "red 4"):
            _publish(sender, text)
        case.pass_time(3 * case.timing.delay, "the messages must become due")
        expect.arrives(watched.open(), ["red 2", "red 4"], ordered=False)


@asserts("7.9-9", variant="restart")
def test_an_existing_subscription_gets_a_delayed_message_after_a_restart(case: Case) -> None:
    """A PERSISTENT delayed message that a restart overtakes comes to durable subscriptions, resumed before it is due or after."""
    case.needs(api.Hook.RESTART)
    for kind in _kinds(case, LASTING):
        watched = [subscription(case, kind) for _ in range(2)]
        for one in watched:
            one.open().client.close()
            sender = publisher(case, one.topic)
            sender.sender.set(delay=case.timing.deadline)
            sender.send("delayed", mode=PERSISTENT)
        case.provider.restart()
        message = watched[0].open().poll(2 * case.timing.deadline)
        expect.true(f"it arrives, {kind}, resumed before", message is not None, "it did not")
        expect.arrives(watched[1].open(), ["delayed"])
