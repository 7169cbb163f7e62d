"""8.3.4 Shared durable subscriptions: terms that change, other subscriptions of the name, deletion, refusals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import all_of, numbered, shared_out
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.members import every_call
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.clients.subscriptions import Subscription, publisher, subscription
from tck.suite.support.values.colours import BLUE, RED

OVERLOADS = ("createSharedDurableConsumer(Topic, String)", "createSharedDurableConsumer(Topic, String, String)")


def _idents(case: Case) -> tuple[str | None, str]:
    return (None, case.name("c"))


@asserts("8.3.4-17", ack=("auto", "client", "dups_ok", "transacted"))
def test_unsubscribe_deletes_it(case: Case) -> None:
    """With no client identifier and with one, unsubscribe() deletes it: nothing of before or of in between comes later."""
    for client_id in _idents(case):
        for selector in (None, RED):
            for elsewhere in (False, True):
                watched = subscription(
                    case, "shared durable", client_id=client_id and case.name("c"), selector=selector
                )
                sender = publisher(case, watched.topic)
                link = watched.open()
                send_coloured(sender, ["red 1", "red 2"])
                expect.arrives(link, ["red 1"])
                link.consumer.close()
                if elsewhere:
                    link.client.close()
                delete = watched.unsubscribe if elsewhere else partial(link.client.session.unsubscribe, watched.name)
                expect.works(f"unsubscribe() with client identifier {client_id}", delete)
                send_coloured(sender, ["red in between"])
                again = watched.open(client=None if elsewhere else link.client)
                expect.nothing_before(again, "red marker", partial(send_coloured, sender, ["red marker"]))
                again.client.close()


@asserts("8.3.4-17", variant="restarted")
def test_an_unsubscribed_subscription_stays_deleted(case: Case) -> None:
    """What unsubscribe() deleted, with a backlog, does not come back when the provider starts again."""
    case.needs(api.Hook.RESTART)
    for client_id in _idents(case):
        watched = subscription(case, "shared durable", client_id=client_id, selector=None)
        sender = publisher(case, watched.topic)
        link = watched.open()
        send_coloured(sender, ["red 1", "red 2"])
        expect.arrives(link, ["red 1"])
        link.client.close()
        expect.works("unsubscribe()", watched.unsubscribe)
        case.provider.restart()
        again, later = watched.open(), publisher(case, watched.topic)
        expect.nothing_before(again, "red marker", partial(send_coloured, later, ["red marker"]))
        again.client.close()


def _replaced(case: Case, watched: Subscription, other: Subscription, *, elsewhere: bool) -> None:
    """Leave a backlog, open with other terms, and demand an empty subscription of those terms; then the first ones again."""
    senders = {topic: publisher(case, topic) for topic in dict.fromkeys((watched.topic, other.topic))}
    link = watched.open()
    _publish(senders)
    for terms in (other, watched, other):
        if elsewhere:
            link.client.close()
        else:
            link.consumer.close()
        link = expect.works("opening with other terms", partial(terms.open, client=None if elsewhere else link.client))
        _publish(senders)
        colours = [colour for colour, selector in (("red", RED), ("blue", BLUE)) if terms.selector in (None, selector)]
        expect.arrives(link, [f"{colour} on {terms.topic.topic_name}" for colour in colours])
        _publish(senders)  # left behind


def _publish(senders: Mapping[api.Topic, Link]) -> None:
    for topic, sender in senders.items():
        send_coloured(sender, [f"{colour} on {topic.topic_name}" for colour in ("red", "blue")])


def _changed(before: Subscription, after: Subscription) -> Link:
    """Open an inactive subscription with other terms; delete it first where the provider refuses that, which other rows judge."""
    before.open().client.close()
    client = after.client()
    try:
        return after.open(client=client)
    except (api.JMSException, api.JMSRuntimeException):
        client.session.unsubscribe(after.name)
    return after.open(client=client)


@asserts("8.3.4-5", variant="changed")
def test_a_changed_subscription_takes_several_consumers(case: Case) -> None:
    """Opened with another selector, with none or on another topic, it has several consumers, which share: in one connection and in two."""
    with expect.all_of():
        for client_id in _idents(case):
            for selector, other in ((RED, BLUE), (None, BLUE), (RED, None), (BLUE, BLUE)):
                before = subscription(case, "shared durable", client_id=client_id and case.name("c"), selector=selector)
                topic = case.topic() if other == selector else before.topic
                after = replace(before, topic=topic, selector=other)
                links = [_changed(before, after)]
                places = (links[0].client.peer(), links[0].client, *([] if client_id else [None]))
                links += [expect.works("a further consumer", partial(after.open, client=one)) for one in places]
                texts = [f"blue {text}" for text in numbered(2 * len(links))]
                send_coloured(publisher(case, topic), texts)
                expect.equal("what all of them get", all_of(shared_out(links, len(texts))), texts)
                for link in links:
                    link.client.close()


@asserts("8.3.4-20")
def test_another_topic_replaces_it_while_it_is_inactive(case: Case) -> None:
    """Opened on another topic the name has nothing of the old one, gets nothing more from it, and all of the new one."""
    for client_id in _idents(case):
        for selector in (None, RED):
            for elsewhere in (False, True):
                watched = subscription(
                    case, "shared durable", client_id=client_id and case.name("c"), selector=selector
                )
                _replaced(case, watched, replace(watched, topic=case.topic()), elsewhere=elsewhere)


@asserts("8.3.4-21")
def test_another_selector_replaces_it_while_it_is_inactive(case: Case) -> None:
    """Opened with a selector, without one or with another, the name has nothing of before and what is selected now."""
    for client_id in _idents(case):
        for before, after in ((None, RED), (RED, None), (RED, BLUE)):
            for elsewhere in (False, True):
                watched = subscription(case, "shared durable", client_id=client_id and case.name("c"), selector=before)
                _replaced(case, watched, replace(watched, selector=after), elsewhere=elsewhere)


def _refused(case: Case, watched: Subscription, others: list[Subscription]) -> None:
    """Demand that no session opens the name with other terms while one, two or one consumer is open; the first terms hold."""
    first = watched.open()
    sender = publisher(case, watched.topic)
    send_coloured(sender, ["red 0"])
    expect.arrives(first, ["red 0"])
    second: Link | None = None
    texts = []
    for turn in range(3):
        send_coloured(sender, [f"red {turn} a"])
        places = [first.client, first.client.peer(), *([] if watched.client_id else [watched.client()])]
        with expect.all_of():
            for other in others:
                for client in places:
                    with expect.all_of():
                        what = f"opening it with other terms while {2 if second else 1} are open"
                        expect.raises(case.thrown(api.JMSException), partial(other.open, client=client), what=what)
        send_coloured(sender, [f"red {turn} b"])
        texts += [f"red {turn} a", f"red {turn} b"]
        if turn == 0:
            second = watched.open(client=first.client.peer())
        elif turn == 1 and second:
            second.consumer.close()
            second = None
    expect.equal("what the first then got", all_of(shared_out([first], len(texts))), texts)
    send_coloured(sender, ["blue 1", "red 1"])
    expect.arrives(first, ["red 1"] if watched.selector else ["blue 1", "red 1"])
    first.client.close()


@asserts("8.3.4-22")
def test_another_topic_is_refused_while_it_is_active(case: Case) -> None:
    """In the session, in another and on another connection another topic is refused; the subscription stays as it is."""
    for client_id in _idents(case):
        for selector in (None, RED):
            watched = subscription(case, "shared durable", client_id=client_id and case.name("c"), selector=selector)
            _refused(case, watched, [replace(watched, topic=case.topic())])


@asserts("8.3.4-23")
def test_another_selector_is_refused_while_it_is_active(case: Case) -> None:
    """In the session, in another and on another connection another selector, or none, is refused; the first one stays."""
    for client_id in _idents(case):
        watched = subscription(case, "shared durable", client_id=client_id and case.name("c"), selector=RED)
        _refused(case, watched, [replace(watched, selector=BLUE), replace(watched, selector=None)])
        plain = subscription(case, "shared durable", client_id=client_id and case.name("c"))
        _refused(case, plain, [replace(plain, selector=RED)])


@asserts("8.3.4-24")
def test_an_unshared_durable_subscription_of_the_name_is_in_the_way(case: Case) -> None:
    """Whether it is open or not each shared method is refused, and the unshared subscription keeps what it has."""
    unshared = subscription(case, "durable")
    link = unshared.open()
    sender = publisher(case, unshared.topic)
    sender.send("before")
    expect.arrives(link, ["before"])
    for state in ("open", "closed", "open again"):
        if state == "closed":
            link.consumer.close()
        elif state == "open again":
            link = unshared.open(client=link.client)
        sender.send(state)
        with expect.all_of():
            for session in (link.client.session, link.client.peer().session):
                for terms in ((), (None,), (RED,)):
                    with expect.all_of():
                        creator = session.create_shared_durable_consumer
                        call = partial(creator, unshared.topic, unshared.name, *terms)
                        what = f"a shared durable consumer while an unshared subscription of the name is {state}"
                        expect.raises(case.thrown(api.JMSException), call, what=what)
        if state == "open":
            expect.arrives(link, ["open"])
    expect.arrives(link, ["closed", "open again"])


@asserts("8.3.4-25")
def test_a_selector_chooses_what_is_collected(case: Case) -> None:
    """Only what matches joins, in either mode, with one and two consumers and with none."""
    for selector, colour in ((RED, "red"), (f"NOT ({RED})", "blue")):
        watched = subscription(case, "shared durable", selector=selector)
        links = [watched.open()]
        sender = publisher(case, watched.topic)
        for turn in range(3):
            for mode in (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT):
                sender.sender.set(mode=mode)
                send_coloured(sender, [f"{each} {turn} {mode}" for each in ("blue", "red")])
            if turn == 2:
                links = [watched.open()]
            wanted = [f"{colour} {turn} {mode}" for mode in (1, 2)]
            expect.equal(f"what {len(links)} consumers got", all_of(shared_out(links, 2)), wanted)
            if turn == 0:
                links.append(watched.open())
            elif turn == 1:
                for link in links:
                    link.client.close()


@asserts("8.3.4-26")
def test_a_shared_non_durable_subscription_of_the_same_name_is_another(case: Case) -> None:
    """A shared durable and a shared non-durable subscription of one name are open together; each gets every message."""
    for client_id in _idents(case):
        for first, second in (("shared durable", "shared"), ("shared", "shared durable")):
            one = subscription(case, "shared durable", client_id=client_id and case.name("c"))
            named = {"shared durable": one, "shared": replace(one, kind="shared")}
            sender, client = publisher(case, one.topic), one.client()
            links = {first: named[first].open(client=client)}
            opening = partial(named[second].open, client=client)
            links[second] = expect.works(f"a {second} one beside a {first} one", opening)
            sender.send_all(numbered(2))
            for link in links.values():
                expect.arrives(link, numbered(2))
            links["shared durable"].consumer.close()
            sender.send("while the durable one is inactive")
            expect.arrives(links["shared"], ["while the durable one is inactive"])
            links["shared"].consumer.close()
            sender.send("while both are inactive")
            resumed = one.open(client=client)
            expect.arrives(resumed, ["while the durable one is inactive", "while both are inactive"])
            shared = named["shared"].open(client=client)
            resumed.consumer.close()
            expect.works("unsubscribe() of the durable one", partial(client.session.unsubscribe, one.name))
            sender.send("after the deletion")
            expect.arrives(shared, ["after the deletion"])
            client.close()


@asserts("8.3.4-28")
def test_no_selector_in_any_form_is_the_same(case: Case) -> None:
    """null, the empty text and the call without selector join one another, and keep a backlog left by one another."""
    forms: list[tuple[object, ...]] = [(), (None,), ("",)]
    for client_id in _idents(case):
        for first in forms:
            for second in forms:
                client = case.client(client_id=client_id and case.name("c"))
                link, name = case.link(client=client, destination=case.topic(), consumes=False), case.name("s")
                create = partial(client.session.create_shared_durable_consumer, link.destination, name)
                link.use(create(*first))
                joining = f"{second or 'two arguments'} while {first or 'two arguments'} is open"
                joined = expect.works(joining, partial(create, *second))
                joined.close()
                link.consumer.close()
                publisher(case, link.destination).send_all(numbered(2))
                link.use(expect.works(f"{second or 'two arguments'} later", partial(create, *second)))
                expect.arrives(link, numbered(2))
                client.close()


@asserts("8.3.4-29")
def test_it_needs_a_topic(case: Case) -> None:
    """createSharedDurableConsumer() of null, in each overload, raises InvalidDestinationException."""
    for client_id in _idents(case):
        session = case.client(client_id=client_id and case.name("c")).session
        interface = "JMSContext" if case.api == "simplified" else "Session"
        calls = partial(every_call, case, interface, partial(_same, session), only=OVERLOADS)
        expect.all_raise(case.thrown(api.InvalidDestinationException), calls(topic=None), though_work=calls())


def _same(session: object) -> object:
    return session


@asserts("8.3.4-30")
def test_an_invalid_selector_is_refused(case: Case) -> None:
    """A selector that does not parse is refused, with a client identifier and without."""
    for client_id in _idents(case):
        session, topic = case.client(client_id=client_id).session, case.topic()
        interface = "JMSContext" if case.api == "simplified" else "Session"
        make = partial(every_call, case, interface, partial(_same, session), only=OVERLOADS[1:], topic=topic)
        with expect.all_of():
            for text in ("=TEST 'test'", "colour = 'red", "colour ="):
                bad = make(message_selector=text)
                expect.all_raise(case.thrown(api.InvalidSelectorException), bad, though_work=make())
