"""8.3.2 Shared non-durable subscriptions: terms, durable subscriptions of the name, refusals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import all_of, numbered, shared_out
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.members import Rows, every_call
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.clients.subscriptions import Subscription, SubscriptionKind, publisher, subscription
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.values.colours import BLUE, RED

PLAIN = "createSharedConsumer(Topic, String)"
SELECTING = "createSharedConsumer(Topic, String, String)"
DURABLE: tuple[SubscriptionKind, ...] = ("durable", "shared durable")


def _shared(case: Case, *, selector: str | None = None) -> list[Subscription]:
    """Describe two, without client identifier and with one."""
    return [subscription(case, "shared", selector=selector, client_id=each) for each in (None, case.name("c"))]


def _refused(case: Case, watched: Subscription, others: Sequence[Subscription]) -> None:
    """Demand that no session opens the name with other terms while one, two, or one consumer is open; the first terms hold."""
    first = watched.open()
    sender = publisher(case, watched.topic)
    places = [first.client, first.client.peer(), *([] if watched.client_id else [watched.client()])]
    second: Link | None = None
    for turn, words in enumerate(("one is open", "two are open", "one is left")):
        send_coloured(sender, [f"red {turn} a"])
        with expect.all_of():
            for other in others:
                for client in places:
                    with expect.all_of():
                        what = f"opening it with other terms while {words}"
                        expect.raises(
                            case.thrown(api.JMSException),
                            partial(other.open, client=client),
                            what=what,
                            though_works=partial(_opened_alone, case, other, client),
                        )
        send_coloured(sender, [f"blue {turn} b", f"red {turn} c"])
        links = [first] if second is None else [first, second]
        texts = [*([] if watched.selector == RED else [f"blue {turn} b"]), f"red {turn} a", f"red {turn} c"]
        expect.equal(f"what came while {words}", all_of(shared_out(links, len(texts))), texts)
        if turn == 0:
            second = watched.open(client=first.client.peer())
        elif second is not None:
            second.consumer.close()
            second = None
    first.client.close()


def _opened_alone(case: Case, other: Subscription, client: Any) -> None:
    """Open these terms under a name of their own, and close that.

    No sentence says that a connection survives a refusal: where it does not, the rows of the calls on it are not broken.
    """
    try:
        replace(other, name=case.name("s")).open(client=client).consumer.close()
    except case.thrown(api.JMSException) as error:
        raise Undecided(f"the connection is of no use after the refusal: {error}") from None


@asserts("8.3.2-15")
def test_another_topic_is_refused_while_it_is_active(case: Case) -> None:
    """In the session, in another and on another connection another topic is refused; the subscription stays as it is."""
    for selector in (None, RED):
        for watched in _shared(case, selector=selector):
            _refused(case, watched, [replace(watched, topic=case.topic())])


@asserts("8.3.2-16")
def test_another_selector_is_refused_while_it_is_active(case: Case) -> None:
    """In the session, in another and on another connection another selector, or none, is refused; the first one stays."""
    for watched in _shared(case, selector=RED):
        _refused(case, watched, [replace(watched, selector=BLUE), replace(watched, selector=None)])
    for watched in _shared(case):
        _refused(case, watched, [replace(watched, selector=RED)])


@asserts("8.3.2-17")
def test_a_name_is_free_after_the_last_close(case: Case) -> None:
    """However the consumers ended, the name opens on another topic and with other selectors, and then has nothing of before."""
    for way in ("consumer", "session", "connection"):
        for watched in [*_shared(case), *_shared(case, selector=RED)]:
            elsewhere = case.topic()
            terms = [replace(watched, topic=elsewhere), replace(watched, selector=BLUE), watched]
            terms += [replace(watched, topic=elsewhere, selector=BLUE), replace(watched, selector=None)]
            senders = {topic: publisher(case, topic) for topic in (watched.topic, elsewhere)}
            connected = None if way == "connection" else watched.client()
            links = [watched.open(client=connected and connected.peer())]
            if connected is not None:
                links.append(watched.open(client=connected.peer()))
            for now in terms:
                _publish(senders)
                for link in links:
                    end = {"consumer": link.consumer.close, "session": link.client.close_session}
                    end.get(way, link.client.close)()
                opening = partial(now.open, client=connected and connected.peer())
                links = [expect.works(f"opening the name with {now.selector} then", opening)]
                _publish(senders)
                wanted = [text for text in ("red", "blue") if now.selector in (None, f"colour = '{text}'")]
                expect.arrives(links[0], [f"{text} on {now.topic.topic_name}" for text in wanted])


def _publish(senders: dict[api.Topic, Link]) -> None:
    for topic, sender in senders.items():
        send_coloured(sender, [f"{colour} on {topic.topic_name}" for colour in ("red", "blue")])


@asserts("8.3.2-18", ack=("auto", "client", "dups_ok", "transacted"))
def test_a_selector_chooses_what_is_collected(case: Case) -> None:
    """Only what matches joins, in either mode, with one consumer, with two and with the second alone."""
    for selector, colour in ((RED, "red"), (f"NOT ({RED})", "blue")):
        watched = subscription(case, "shared", selector=selector)
        links = [watched.open()]
        sender = publisher(case, watched.topic)
        for turn in range(3):
            for mode in (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT):
                sender.sender.set(mode=mode)
                send_coloured(sender, [f"{each} {turn} {mode}" for each in ("blue", "red")])
            wanted = [f"{colour} {turn} {mode}" for mode in (1, 2)]
            expect.equal(f"what {len(links)} consumers got", all_of(shared_out(links, 2)), wanted)
            if turn == 0:
                links.append(watched.open())
            elif turn == 1:
                links.pop(0).client.close()


def _pairs(case: Case) -> list[tuple[Subscription, Subscription]]:
    """Return a shared subscription and a durable one of its name, client identifier and topic: of each kind, in each order."""
    pairs = []
    for kind in DURABLE:
        for client_id in (case.name("c"), None)[: 1 if kind == "durable" else 2]:
            for flipped in (False, True):
                one = subscription(case, "shared", client_id=client_id and case.name("c"))
                other = replace(one, kind=kind)
                pairs.append((other, one) if flipped else (one, other))
    return pairs


@asserts("8.3.2-19")
def test_a_durable_subscription_may_have_the_name(case: Case) -> None:
    """Of each durable kind, open or inactive, on the same topic or another, with the same selector or another."""
    with expect.all_of():
        for changes in ({}, {"topic": case.topic()}, {"selector": RED}):
            for inactive in (False, True):
                for first, second in _pairs(case):
                    with expect.all_of():
                        client, other = first.client(), replace(second, **changes)
                        link = expect.works(f"a {first.kind} subscription", partial(first.open, client=client))
                        if inactive and first.kind in DURABLE:
                            link.consumer.close()
                        what = f"a {second.kind} subscription beside a {first.kind} one of the name"
                        beside = expect.works(what, partial(other.open, client=client))
                        send_coloured(publisher(case, other.topic), ["red"])
                        expect.arrives(beside, ["red"])
                        client.close()


@asserts("8.3.2-20")
def test_a_durable_subscription_of_the_name_is_another(case: Case) -> None:
    """Each gets every message; the end of the shared one leaves the durable one, and its deletion leaves the shared one."""
    for first, second in _pairs(case):
        client, sender = first.client(), publisher(case, first.topic)
        links = {each.kind: each.open(client=client) for each in (first, second)}
        durable, shared = (first, second) if first.kind in DURABLE else (second, first)
        sender.send_all(numbered(3))
        for link in links.values():
            expect.arrives(link, numbered(3))
        links[shared.kind].consumer.close()
        sender.send("while the shared one is away")
        links[shared.kind] = shared.open(client=client)
        sender.send("while both are there")
        expect.arrives(links[shared.kind], ["while both are there"])
        expect.arrives(links[durable.kind], ["while the shared one is away", "while both are there"])
        links[durable.kind].consumer.close()
        client.session.unsubscribe(durable.name)
        sender.send("after the deletion")
        expect.arrives(links[shared.kind], ["after the deletion"])
        client.close()


@asserts("8.3.2-22")
def test_no_selector_in_any_form_is_the_same(case: Case) -> None:
    """null, the empty text and the call without selector join one another, and then share what comes."""
    forms: list[tuple[object, ...]] = [(), (None,), ("",)]
    for client_id in (None, case.name("c")):
        for first in forms:
            for second in forms:
                client = case.client(client_id=client_id and case.name("c"))
                name, topic = case.name("s"), case.topic()
                links = [case.link(client=each, destination=topic, consumes=False) for each in (client, client.peer())]
                for link, terms in zip(links, (first, second), strict=True):
                    what = f"createSharedConsumer() with {terms or 'two arguments'}"
                    create = partial(link.client.session.create_shared_consumer, topic, name, *terms)
                    link.use(expect.works(what, create))
                send_coloured(publisher(case, topic), ["blue", "red"])
                what = f"what consumers with {first or 'two arguments'} and {second or 'two arguments'} got"
                expect.equal(what, all_of(shared_out(links, 2)), ["blue", "red"])
                client.close()


def _calls(case: Case, session: object, only: Sequence[str], **given: Any) -> Rows:
    interface = "JMSContext" if case.api == "simplified" else "Session"
    return every_call(case, interface, lambda: session, only=only, **given)


@asserts("8.3.2-23")
def test_it_needs_a_topic(case: Case) -> None:
    """createSharedConsumer() of null, in each overload, raises InvalidDestinationException."""
    for client_id in (None, case.name("c")):
        calls = partial(_calls, case, case.client(client_id=client_id).session, (PLAIN, SELECTING))
        expect.all_raise(case.thrown(api.InvalidDestinationException), calls(topic=None), though_work=calls())


@asserts("8.3.2-24")
def test_an_invalid_selector_is_refused(case: Case) -> None:
    """A selector that does not parse is refused; for a name that is open by any JMSException, and that one goes on."""
    for watched in _shared(case, selector=RED):
        link = watched.open()
        other = link.client.peer().session
        named = {case.name("s"): api.InvalidSelectorException, watched.name: api.JMSException}
        for name, exception in named.items():
            make = partial(_calls, case, other, (SELECTING,), topic=watched.topic, shared_subscription_name=name)
            with expect.all_of():
                for text in ("=TEST 'test'", "colour = 'red", "colour ="):
                    bad = make(message_selector=text)
                    expect.all_raise(case.thrown(exception), bad, though_work=_calls(case, other, (SELECTING,)))
        send_coloured(publisher(case, watched.topic), ["blue", "red"])
        expect.arrives(link, ["red"])
