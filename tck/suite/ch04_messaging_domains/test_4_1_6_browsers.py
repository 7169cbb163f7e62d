"""4.1.6 QueueBrowser."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.values.colours import RED
from tck.suite.support.values.seen import body


@asserts("4.1.6-1")
def test_browsing_does_not_remove(case: Case) -> None:
    """What is browsed twice is all there for a consumer, in order, and is delivered for the first time."""
    link = case.link(consumes=False)
    link.send_all(numbered(10))
    for _ in range(2):
        expect.equal("what a browser shows", link.client.browse(link.destination), numbered(10))
    messages = expect.arrives(case.link(destination=link.destination), numbered(10))
    expect.equal("JMSRedelivered of the messages", [message.jms_redelivered for message in messages], [False] * 10)
    expect.trace("browsing-does-not-consume")


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
    link = case.link(consumes=False)
    link.send_all(numbered(20))
    call = case.spawn("the enumeration", lambda: link.client.browse(link.destination))
    expect.equal("what the browser shows", expect.returns(call, "the enumeration"), numbered(20))


@asserts("4.1.6-5")
def test_an_enumeration_with_a_selector_shows_what_matches(case: Case) -> None:
    """With a selector just the matching messages are shown, and the others stay on the queue."""
    link = case.link(consumes=False)
    texts = ["blue 1", "red 1", "blue 2", "blue 3", "red 2", "blue 4"]
    send_coloured(link, texts)
    with link.client.session.create_browser(link.destination, RED) as browser:
        expect.equal("what is shown", [body(one) for one in browser.get_enumeration()], ["red 1", "red 2"])
    expect.only(case.link(destination=link.destination), texts)


@asserts("4.1.6-6")
def test_an_enumeration_is_in_order_of_delivery(case: Case) -> None:
    """Messages of one priority and of several are shown in the order in which a consumer then gets them."""
    for priorities in ([4] * 8, [4, 1, 9, 4, 0, 7, 2, 5]):
        link = case.link(consumes=False)
        for text, priority in zip(numbered(8), priorities, strict=True):
            link.send(text, priority=priority)
        shown = link.client.browse(link.destination)
        consumer = case.link(destination=link.destination)
        expect.equal("what the browser showed", shown, [body(consumer.receive()) for _ in numbered(8)])


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
