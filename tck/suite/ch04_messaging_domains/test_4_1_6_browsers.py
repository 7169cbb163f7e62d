"""4.1.6 QueueBrowser."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.messages import rewrite, send_coloured, taken
from tck.suite.support.values.colours import RED
from tck.suite.support.values.kinds import BODIED
from tck.suite.support.values.seen import body, tried


@asserts("4.1.6-1", ack=("auto", "client", "transacted"), plain=True)
def test_browsing_does_not_remove(case: Case) -> None:
    """What is browsed twice is all there for a consumer, in order, and is delivered for the first time."""
    link = case.link(consumes=False)
    link.send_all(numbered(10))
    for _ in range(2):
        expect.equal("what a browser shows", link.client.browse(link.destination), numbered(10))
    messages = expect.arrives(case.link(destination=link.destination), numbered(10))
    expect.equal("JMSRedelivered of the messages", [message.jms_redelivered for message in messages], [False] * 10)
    expect.trace("browsing-does-not-consume")


@asserts("4.1.6-1", variant="changed")
def test_changing_what_is_browsed_changes_nothing(case: Case) -> None:
    """Whatever a client does to a message that a browser showed, another browser and the consumer get it as it was sent."""
    link = case.link(consumes=False)
    for kind in BODIED:
        message = link.message(kind, "before")
        message.jms_type = "type"
        message.set_string_property("name", "before")
        link.send(message)
    for browsed in link.client.browse_messages(link.destination):
        browsed.jms_type = "after"
        browsed.clear_properties()
        browsed.set_string_property("name", "after")
        rewrite(browsed, "after")
    wanted = [["before", "type", "before"] for _ in BODIED]
    again = link.client.browse_messages(link.destination)
    expect.equal("what another browser shows", [_portrait(one) for one in again], wanted)
    consumer = case.link(destination=link.destination)
    expect.equal("what the consumer gets", [_portrait(taken(consumer)) for _ in BODIED], wanted)


def _portrait(message: api.Message) -> list[object]:
    return [tried(lambda: body(message)), message.jms_type, message.get_string_property("name")]


@asserts("4.1.6-2")
def test_sessions_create_browsers(case: Case) -> None:
    """A session creates a browser of a queue, with a selector and without."""
    link = case.link(consumes=False)
    send_coloured(link, ["blue 1", "red 1"])
    session = link.client.session
    plain = expect.works("create_browser(queue)", lambda: session.create_browser(link.destination))
    expect.equal("what it shows", [body(one) for one in plain.get_enumeration()], ["blue 1", "red 1"])
    picky = expect.works("create_browser(queue, selector)", lambda: session.create_browser(link.destination, RED))
    expect.equal("what one with a selector shows", [body(one) for one in picky.get_enumeration()], ["red 1"])


@asserts("4.1.6-3")
def test_contexts_create_browsers(case: Case) -> None:
    """A JMSContext creates a browser of a queue, with a selector and without."""
    link = case.link(consumes=False)
    send_coloured(link, ["blue 1", "red 1"])
    context = link.client.session
    plain = expect.present("create_browser(queue)", context.create_browser(link.destination))
    expect.equal("what it shows", [body(one) for one in plain.get_enumeration()], ["blue 1", "red 1"])
    picky = expect.present("create_browser(queue, selector)", context.create_browser(link.destination, RED))
    expect.equal("what one with a selector shows", [body(one) for one in picky.get_enumeration()], ["red 1"])


@asserts("4.1.6-4")
def test_an_enumeration_shows_the_whole_queue(case: Case) -> None:
    """Without a selector each message of the queue is shown, once, and the enumeration ends."""
    for count in (1, 2, 20, 300):
        link = case.link(consumes=False)
        link.send_all(numbered(count))
        call = case.spawn("the enumeration", lambda: link.client.browse(link.destination))
        expect.equal("what the browser shows", expect.returns(call, "the enumeration"), numbered(count))
    empty = case.link(consumes=False)
    expect.equal("what a browser of an empty queue shows", empty.client.browse(empty.destination), [])


@asserts("4.1.6-4", variant="beside")
def test_enumerations_are_independent(case: Case) -> None:
    """Enumerations of three browsers that are read in turn show the whole queue each."""
    link = case.link(consumes=False)
    link.send_all(numbered(6))
    open_ones = [link.client.session.create_browser(link.destination).get_enumeration() for _ in range(3)]
    rounds = [[body(next(each, None)) for each in open_ones] for _ in numbered(6)]
    expect.equal("what the three show in turn", rounds, [[text] * 3 for text in numbered(6)])
    expect.equal("whether any of them goes on", [next(each, None) for each in open_ones], [None] * 3)


@asserts("4.1.6-4", ack=("client", "transacted"), variant="returned")
def test_an_enumeration_shows_what_came_back(case: Case) -> None:
    """Messages that were delivered and came back to the queue are shown as those that were never delivered."""
    link = case.link(consumes=False)
    link.send_all(numbered(4))
    other = case.link(destination=link.destination)
    expect.equal("what is delivered first", [body(other.take()) for _ in range(2)], numbered(2))
    other.client.close()
    shown = sorted(map(str, link.client.browse_until(link.destination, 4)))
    expect.equal("what a browser shows, two of them returned", shown, numbered(4))


@asserts("4.1.6-5")
def test_an_enumeration_with_a_selector_shows_what_matches(case: Case) -> None:
    """With a selector just the matching messages are shown, and the others stay on the queue."""
    link = case.link(consumes=False)
    texts = ["blue 1", "red 1", "blue 2", "blue 3", "red 2", "blue 4"]
    send_coloured(link, texts)
    with link.client.session.create_browser(link.destination, RED) as browser:
        expect.equal("what is shown", [body(one) for one in browser.get_enumeration()], ["red 1", "red 2"])
    expect.only(case.link(destination=link.destination), texts)


@asserts("4.1.6-6", plain=True)
def test_an_enumeration_is_in_order_of_delivery(case: Case) -> None:
    """Messages of one priority and of several are shown in the order in which a consumer then gets them."""
    for priorities in ([4] * 8, [4, 1, 9, 4, 0, 7, 2, 5]):
        for selector in (None, "JMSPriority < 10", "JMSDeliveryMode = 'PERSISTENT'"):
            link = case.link(consumes=False)
            for text, priority in zip(numbered(8), priorities, strict=True):
                link.send(text, priority=priority)
            shown = list(map(body, link.client.browse_messages(link.destination, selector)))
            consumer = case.link(destination=link.destination)
            received = [body(consumer.receive()) for _ in numbered(8)]
            expect.equal(f"what a browser with the selector {selector!r} showed", shown, received)


@asserts("4.1.6-6", ack=("client", "transacted"), variant="returned")
def test_returned_messages_are_shown_in_order_of_delivery(case: Case) -> None:
    """What was received and returned is shown where a consumer gets it: in front of what came behind it."""
    link = case.link()
    link.send_all(numbered(4))
    link.take()
    link.take()
    link.client.return_all()
    link.client.close()
    again = case.link("auto", destination=link.destination, consumes=False)
    again.send("behind")
    shown = again.client.browse(link.destination)
    consumer = case.link("auto", destination=link.destination)
    expect.equal("what the browser showed", shown, [body(consumer.receive()) for _ in range(5)])


@asserts("4.1.6-7")
def test_messages_may_come_and_expire_during_the_scan(case: Case) -> None:
    """An enumeration goes on and ends though a message comes and another expires meanwhile, shown or not."""
    link = case.link(consumes=False)
    ttl = case.long_delay()
    link.send("first")
    link.send("expires", ttl=ttl)
    link.send("last")
    with link.client.session.create_browser(link.destination) as browser:
        enumeration = browser.get_enumeration()
        expect.equal("the first message shown", body(next(enumeration, None)), "first")
        link.send("comes")
        case.pass_time(ttl + case.timing.tolerance + 1, "a message expires during the scan")
        shown = expect.works("going on", lambda: [body(message) for message in enumeration])
    expect.true("messages that stay are shown", "last" in shown, f"only {shown!r} were shown")
    expect.record(f"of a message that comes and one that expires it shows {sorted({*map(str, shown)} - {'last'})}")


@asserts("4.1.6-8")
def test_a_browser_respects_the_delivery_time(case: Case) -> None:
    """A message is not shown before its delivery time, and is shown afterwards."""
    link = case.link(consumes=False)
    delay = case.long_delay()
    link.send("at once")
    link.sender.set(delay=delay)
    link.send("later")
    expect.equal("what is shown before the time", link.client.browse(link.destination), ["at once"])
    case.pass_time(delay + case.timing.tolerance + 1, "the delivery time comes")
    shown = link.client.browse_until(link.destination, 2)
    expect.equal("what is shown after it", sorted(map(str, shown)), ["at once", "later"])


@asserts("4.1.6-9")
def test_a_browser_tells_its_queue(case: Case) -> None:
    """The browser gives the queue it was made for, with a selector and without."""
    link = case.link(consumes=False)
    for selector in ((), (RED,)):
        with link.client.session.create_browser(link.destination, *selector) as browser:
            expect.equal("the browser's queue", browser.queue, link.destination)


@asserts("4.1.6-10")
def test_each_enumeration_is_current(case: Case) -> None:
    """A second enumeration of a browser shows what the first one showed and what has come since."""
    link = case.link(consumes=False)
    link.send("one")
    with link.client.session.create_browser(link.destination) as browser:
        expect.equal("the first enumeration", [body(one) for one in browser.get_enumeration()], ["one"])
        link.send("two")
        expect.equal("the second enumeration", [body(one) for one in browser.get_enumeration()], ["one", "two"])
        consumer = case.link(destination=link.destination)
        consumer.receive()
        consumer.client.close()  # what it may hold beside the received message returns to the queue
        for which in ("third", "fourth"):
            expect.equal(f"the {which}, after a receive", [body(one) for one in browser.get_enumeration()], ["two"])
        link.send("three", priority=9)
        shown = [body(one) for one in browser.get_enumeration()]
        expect.equal("the fifth, after a send", sorted(map(str, shown)), ["three", "two"])


@asserts("4.1.6-10", variant="selector")
def test_each_enumeration_with_a_selector_is_current(case: Case) -> None:
    """Each enumeration of a browser with a selector shows what matches then, though another one was not read to its end."""
    link = case.link(consumes=False)
    send_coloured(link, ["red 1", "blue 1", "red 2"])
    with link.client.session.create_browser(link.destination, RED) as browser:
        unfinished = browser.get_enumeration()
        expect.equal("the first message of the first enumeration", body(next(unfinished, None)), "red 1")
        send_coloured(link, ["blue 2", "red 3"])
        for _ in range(2):
            shown = [body(one) for one in browser.get_enumeration()]
            expect.equal("a later enumeration", shown, ["red 1", "red 2", "red 3"])
