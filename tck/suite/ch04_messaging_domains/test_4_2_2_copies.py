"""4.2.2 Topic semantics: each subscription has its own copy of each message."""

from __future__ import annotations

from functools import partial
from itertools import islice

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.deliveries import delivery_count
from tck.suite.support.clients.gathering import all_of, numbered, shared_out
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import BlockingListener, CollectingListener
from tck.suite.support.clients.messages import rewrite, send_coloured, taken
from tck.suite.support.clients.subscriptions import SHARED, kinds, publisher, subscription, working_kinds
from tck.suite.support.values.colours import RED
from tck.suite.support.values.kinds import KINDS
from tck.suite.support.values.seen import body


def _subscriber(case: Case, beside: Link, selector: str) -> Link:
    """Open a selecting subscriber of a link's topic, with a session of its own on the link's connection."""
    return case.link(destination=beside.destination, client=beside.client.peer(), selector=selector)


@asserts("4.2.2-1")
def test_messages_are_consumed_through_a_subscription(case: Case) -> None:
    """A consumer on a topic receives synchronously, or through a listener."""
    waiting, listening = case.link(), case.link()
    gathering = CollectingListener(case)
    listening.consumer.message_listener = gathering
    for link in (waiting, listening):
        publisher(case, link.destination).send_all(numbered(3))
    expect.arrives(waiting, numbered(3))
    expect.equal("what the listener got", gathering.after(3), numbered(3))


@asserts("4.2.2-2", plain=True)
def test_a_subscription_gets_every_later_message(case: Case) -> None:
    """A subscription without a selector gets each message that is published after it was made, once."""
    link = case.link()
    link.send_all(numbered(60))
    expect.arrives(link, numbered(60))
    expect.trace("nondurable-complete-while-open")


@asserts("4.2.2-2", variant="stopped")
def test_a_stopped_subscription_gets_every_later_message(case: Case) -> None:
    """What is published while the subscriber's connection is stopped comes after its start, in order, be it durable or not."""
    topic = case.topic()
    sender = publisher(case, topic)
    links = [subscription(case, kind, topic).open() for kind in kinds(case)[:2]]
    sender.send_all(numbered(2))
    for link in links:
        link.client.stop()
    sender.send_all(numbered(6)[2:4])
    for link in links:
        link.client.start()
        expect.arrives(link, numbered(4))
        link.client.stop()
    sender.send_all(numbered(6)[4:])
    for link in links:
        link.client.start()
        expect.arrives(link, numbered(6)[4:])


@asserts("4.2.2-3", "8.3.1-5")
def test_every_subscription_gets_a_copy(case: Case) -> None:
    """Subscriptions of all kinds, and two of one session, get a copy each."""
    topic = case.topic()
    links = [subscription(case, kind, topic).open() for kind in kinds(case)]
    links.append(case.link(client=links[0].client, destination=topic))
    publisher(case, topic).send_all(numbered(3))
    for link in links:
        expect.arrives(link, numbered(3))


@asserts("4.2.2-4", "8.3.1-12")
def test_a_selector_filters_a_subscription(case: Case) -> None:
    """With a selector just the matching messages come, on each kind of subscription."""
    topic = case.topic()
    links = [subscription(case, kind, topic, selector=RED).open() for kind in kinds(case)]
    send_coloured(publisher(case, topic), ["blue 1", "red 1", "blue 2", "red 2"])
    for link in links:
        expect.arrives(link, ["red 1", "red 2"])
    expect.trace("selector-honoured")


@asserts("4.2.2-4", "8.3.1-12", variant="many")
def test_many_selectors_on_one_topic(case: Case) -> None:
    """Of many subscribers of a topic, some with the same selector, each gets the messages that its own one chooses."""
    everything = case.link()
    selectors = [*(f"number = {one}" for one in range(6)), *(f"text IN ('{one}', '5')" for one in range(6))]
    selectors += [
        "text = '5'",
        "text IN ('4', '5') AND number > 4",
        "number <> 5",
        "number BETWEEN 1 AND 2",
        "number = 3",
    ]
    links = [
        expect.works(f"a subscriber with {text}", lambda: _subscriber(case, everything, text)) for text in selectors
    ]
    for number in range(6):
        message = everything.text(f"{number}")
        message.set_int_property("number", number)
        message.set_string_property("text", str(number))
        expect.works("sending to all of them", lambda: everything.send(message))
    one, both = [[f"{number}"] for number in range(6)], [[f"{number}", "5"] for number in range(5)]
    wanted = [*one, *both, ["5"], ["5"], ["5"], list("01234"), ["1", "2"], ["3"]]
    expect.arrives(everything, list("012345"))
    for link, texts in zip(links, wanted, strict=True):
        expect.arrives(link, texts)


@asserts("4.2.2-5")
def test_what_the_selector_filters_out_never_appears(case: Case) -> None:
    """What does not match and was published while the durable subscription was inactive does not come later."""
    watched = subscription(case, "durable", selector=RED)
    watched.open().client.close()
    sender = publisher(case, watched.topic)
    send_coloured(sender, ["blue 1", "red 1", "blue 2"])
    link = watched.open()
    send_coloured(sender, ["blue 3", "red 2"])
    expect.arrives(link, ["red 1", "red 2"])


@asserts("4.2.2-6", "8.3.1-6", ack=("client",))
def test_copies_are_acknowledged_separately(case: Case) -> None:
    """Acknowledging the copies of one subscription leaves those of another to be recovered."""
    topic = case.topic()
    one, other = (subscription(case, "durable", topic).open() for _ in range(2))
    publisher(case, topic).send_all(numbered(3))
    expect.arrives(other, numbered(3), settle=False)
    expect.arrives(one, numbered(3))
    other.client.recover()
    expect.arrives(other, numbered(3))


@asserts("4.2.2-6", "8.3.1-6", ack=("auto", "client", "transacted"), variant="restarted")
def test_copies_are_acknowledged_separately_for_good(case: Case) -> None:
    """After some of the durable subscriptions have acknowledged their copies, a restart leaves the others theirs, in every kind."""
    case.needs(api.Hook.RESTART)
    topic = case.topic()
    lasting = [kind for kind in working_kinds(case, case.client(client_id=case.name("c"))) if kind.endswith("durable")]
    every = [subscription(case, kind, topic) for kind in lasting for _ in range(3)]
    links = [one.open() for one in every]
    sender = publisher(case, topic)
    for text in numbered(3):
        sender.send(text, mode=api.DeliveryMode.PERSISTENT)
    wanted = []
    for at, link in enumerate(links):
        expect.arrives(link, numbered(3)[: at % 3])
        wanted.append(numbered(3)[at % 3 :])
        link.client.close()
    expect.arrives(every[-1].open(), wanted[-1])
    case.provider.restart()
    with expect.all_of():
        for one, texts in zip(every[:-1], wanted, strict=False):
            expect.arrives(one.open(), texts)


@asserts("4.2.2-7")
def test_copies_are_modified_separately(case: Case) -> None:
    """What one subscriber does to the message it has received leaves that of another as it was sent."""
    one = case.link()
    others = [case.link(destination=one.destination, client=one.client.peer()), case.link(destination=one.destination)]
    for kind in KINDS:
        message = one.message(kind, "red 1")
        message.set_string_property("colour", "red")
        one.send(message)
        mine, theirs = taken(one), taken(others[0])
        for change in (mine.clear_properties, mine.clear_body, partial(rewrite, mine, "mine")):
            change()
        mine.set_string_property("colour", "mine")
        mine.jms_type = "mine"
        expect.equal("the type on the modified copy", mine.jms_type, "mine")
        for place, copy in (("that came before", theirs), ("that comes later", taken(others[1]))):
            expect.equal(f"the property on the {kind} copy {place}", copy.get_string_property("colour"), "red")
            expect.equal(f"the type on the {kind} copy {place}", copy.jms_type, None)
            expect.equal(f"the body of the {kind} copy {place}", body(copy) if kind != "message" else "red 1", "red 1")


@asserts("4.2.2-7", variant="read")
def test_copies_are_read_separately(case: Case) -> None:
    """Reading the copy of one subscriber leaves the positions in another one's, and its objects are another's not."""
    one = case.link()
    others = [case.link(destination=one.destination), case.link(destination=one.destination, durable=case.name("s"))]
    for mode in (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT):
        made = one.message("object")
        made.object = ["sent"]  # type: ignore[attr-defined]  # an object message
        for message in (one.message("bytes", "sent"), one.message("stream", "sent"), one.message("map", "sent"), made):
            one.send(message, mode=mode)
        mine = [taken(one) for _ in range(4)]
        texts = ["sent", "sent", "sent", ["sent"]]
        expect.equal(f"what one reads, mode {mode}", [body(message) for message in mine], texts)
        mine[3].object.append("changed")
        for other in others:
            theirs = [taken(other) for _ in range(4)]
            expect.equal(f"what another reads, mode {mode}", [body(message) for message in theirs], texts)


@asserts("4.2.2-8", "6.2.14-4")
def test_copies_are_delivered_at_their_own_pace(case: Case) -> None:
    """A subscriber that is busy in its listener does not delay what another subscriber gets."""
    quick = case.link()
    slow = case.link(destination=quick.destination)
    busy = BlockingListener(case)
    slow.consumer.message_listener = busy
    quick.send_all(numbered(30))
    busy.occupied()
    came = list(islice(iter(lambda: body(quick.poll()), None), 30))
    busy.release()
    expect.equal("what came to the other subscriber", came, numbered(30))


@asserts("4.2.2-9", ack=("transacted",))
def test_copies_are_counted_separately(case: Case) -> None:
    """That one subscription's copy came back twice shows on no other copy."""
    one = case.link()
    other = case.link(destination=one.destination)
    one.send("x")
    for _ in range(2):
        one.take()
        one.client.rollback()
    expect.equal("JMSXDeliveryCount of the copy that came back", delivery_count(one.take()), 3)
    first = other.take()
    expect.equal("JMSXDeliveryCount of the other copy", delivery_count(first), 1)
    expect.equal("JMSRedelivered of the other copy", first.jms_redelivered, False)


@asserts("4.2.2-9", variant="subscriptions")
def test_copies_of_lasting_subscriptions_are_counted_separately(case: Case) -> None:
    """A persistent message that came back to one subscription comes for the first time to another one of its kind."""
    probe = case.client(client_id=case.name("c"))
    for kind in working_kinds(case, probe):
        topic = case.topic()
        returned, other = subscription(case, kind, topic), subscription(case, kind, topic)
        first, second = returned.open("transacted"), other.open("auto")
        publisher(case, topic).send("x")
        for _ in range(2):
            first.take()
            first.client.rollback()
        expect.equal(f"JMSXDeliveryCount of the {kind} copy that came back", delivery_count(first.take()), 3)
        seen = second.take()
        expect.equal(f"JMSXDeliveryCount of the other {kind} copy", delivery_count(seen), 1)
        expect.equal(f"JMSRedelivered of the other {kind} copy", seen.jms_redelivered, False)


@asserts("4.2.2-10", "8.3.2-6", "8.3.4-6")
def test_of_several_consumers_one_gets_each_message(case: Case) -> None:
    """Three consumers of a shared subscription, durable or not, get each message once between them."""
    for kind in SHARED:
        watched = subscription(case, kind)
        links = [watched.open() for _ in range(3)]
        publisher(case, watched.topic).send_all(numbered(30))
        expect.equal("what the three consumers got", all_of(shared_out(links, 30)), numbered(30))
    expect.trace("one-holder")


@asserts("4.2.2-12")
def test_each_consumer_gets_its_messages_in_order(case: Case) -> None:
    """What reaches a subscriber, one with a selector and each of two that share is in the order of sending."""
    topic = case.topic()
    links = [subscription(case, "unshared", topic).open(), subscription(case, "unshared", topic, selector=RED).open()]
    shared = subscription(case, "shared", topic)
    sharing = [shared.open(), shared.open()]
    send_coloured(publisher(case, topic), [f"{('red', 'blue')[number % 2]} {number:02d}" for number in range(12)])
    shares = [[str(text).split()[1] for text in share] for share in shared_out([*links, *sharing], 30)]
    expect.equal(
        "number of messages each got", [len(shares[0]), len(shares[1]), len(shares[2] + shares[3])], [12, 6, 12]
    )
    expect.equal("what each consumer got", shares, [sorted(share) for share in shares])
    expect.trace("order-per-stream")


@asserts("4.2.2-31")
def test_subscribers_of_one_session_share(case: Case) -> None:
    """Of two subscribers of one session that want a message only one gets it, with overlapping selectors too."""
    client = case.client()
    for selectors in ((None, None), ("n > 0", "n < 9")):
        topic = case.topic()
        links = [case.link(client=client, destination=topic, selector=selector) for selector in selectors]
        for text in numbered(6):
            message = links[0].text(text)
            message.set_int_property("n", int(text))
            links[0].send(message)
        shares = shared_out(links, 6)
        expect.equal("what the two got together", sorted(str(one) for share in shares for one in share), numbered(6))
