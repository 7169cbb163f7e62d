"""8.3.3 Unshared durable subscriptions: the calls that open them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client, Consumer
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.members import every_call, session_interface
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.clients.subscriptions import Subscription, kinds, publisher, subscription
from tck.suite.support.values.colours import RED

TERMS: tuple[tuple[object, ...], ...] = (
    (),
    (None, False),
    ("", False),
    ("", True),
    (RED, False),
    (None, True),
    (RED, True),
)
"""Selector and noLocal: none, each and both, with null and the empty text."""


@asserts("8.3.3-40", api=("classic", "domain-specific"))
def test_a_durable_subscriber_needs_a_topic(case: Case) -> None:
    """createDurableSubscriber() and createDurableConsumer() of null, with and without terms, raise InvalidDestinationException."""
    session = case.client(domain="topic", client_id=case.name("c")).session
    newer = ["createDurableConsumer"] if case.api == "classic" and case.offers("simplified") else []
    calls = partial(
        every_call, case, session_interface(case), lambda: session, only=["createDurableSubscriber", *newer]
    )
    expect.all_raise(api.InvalidDestinationException, calls(topic=None), though_work=calls())


@asserts("8.3.3-40", api=("simplified",), variant="context")
def test_a_durable_consumer_needs_a_topic(case: Case) -> None:
    """createDurableConsumer() of null, with and without a selector, raises InvalidDestinationRuntimeException."""
    context = case.client(client_id=case.name("c")).session
    calls = partial(every_call, case, "JMSContext", lambda: context, only=["createDurableConsumer"])
    expect.all_raise(api.InvalidDestinationRuntimeException, calls(topic=None), though_work=calls())


def _created(case: Case, creator: str, kind: type) -> None:
    """Judge each overload: it makes a subscription, which begins now, collects by its terms, and is resumed by the same call."""
    client = case.client(client_id=case.name("c"))
    with expect.all_of():
        for terms in TERMS:
            with expect.all_of():
                topic, name, what = case.topic(), case.name("s"), f"{creator}() with {terms or 'two arguments'}"
                link, sender = case.link(client=client, destination=topic, consumes=False), publisher(case, topic)
                sender.send("red 0")
                link.use(expect.works(what, partial(getattr(client.session, creator), topic, name, *terms)))
                expect.true(f"{what} makes a {kind.__name__}", isinstance(link.consumer, kind), repr(link.consumer))
                came = ["red 1", "red 3"] if RED in terms else ["red 1", "blue 2", "red 3"]
                send_coloured(sender, ["red 1", "blue 2", "red 3"])
                expect.arrives(link, came)
                link.consumer.close()
                send_coloured(sender, ["red 4"])
                link.use(expect.works(f"{what} again", partial(getattr(client.session, creator), topic, name, *terms)))
                expect.arrives(link, ["red 4"])


@asserts("8.3.3-1")
def test_create_durable_consumer_makes_a_subscription(case: Case) -> None:
    """Each Session.createDurableConsumer() makes a subscription; its MessageConsumer gets what is published then."""
    _created(case, "create_durable_consumer", api.MessageConsumer)


@asserts("8.3.3-2")
def test_create_durable_consumer_of_a_context_makes_a_subscription(case: Case) -> None:
    """Each JMSContext.createDurableConsumer() makes a subscription; its JMSConsumer gets what is published then."""
    _created(case, "create_durable_consumer", api.JMSConsumer)


@asserts("8.3.3-3")
def test_create_durable_subscriber_makes_a_subscription(case: Case) -> None:
    """Each createDurableSubscriber() makes a subscription; its TopicSubscriber gets what is published then."""
    _created(case, "create_durable_subscriber", api.TopicSubscriber)


@asserts("8.3.3-11")
def test_one_consumer_over_all_sessions_of_a_client(case: Case) -> None:
    """Another session cannot open a second consumer: when new, when resumed, with a listener, with other terms; the first goes on."""
    watched = subscription(case, "durable", selector=RED)
    first = watched.open()
    listener = CollectingListener(case)
    peer = first.client.peer()
    came: list[str] = []
    other = replace(watched, selector=None), replace(watched, no_local=True), replace(watched, topic=case.topic())
    for state in ("new", "resumed", "with a listener"):
        send_coloured(first, [f"red {state}"])
        came.append(f"red {state}")
        if state == "with a listener":
            first.consumer.message_listener = listener
            expect.equal("what the listener got", listener.after(1), came[-1:])
        else:
            expect.arrives(first, came[-1:])
        with expect.all_of():
            for terms in (watched, *other):
                with expect.all_of():
                    wanted, what = case.thrown(api.JMSException), f"a second consumer, the first being {state}"
                    expect.raises(wanted, partial(terms.open, client=peer), what=f"{what}: {_shown(terms, watched)}")
        if state != "with a listener":
            first.consumer.close()
            first = watched.open(client=first.client)
    send_coloured(publisher(case, watched.topic), ["red at the end"])
    expect.equal("what the listener of the first got", listener.after(2), ["red with a listener", "red at the end"])


def _shown(terms: Subscription, watched: Subscription) -> str:
    if terms.topic is not watched.topic:
        return "with another topic"
    return "with the same terms" if terms == watched else f"with selector {terms.selector}, noLocal {terms.no_local}"


@asserts("8.3.3-12")
def test_consumers_of_every_type_exclude_one_another(case: Case) -> None:
    """While one method's consumer is open each other method, in the same session and in another, is refused."""
    client = case.client(client_id=case.name("c"))
    peer = client.peer()
    topic, sender = case.topic(), publisher(case, case.topic())
    names = ["create_durable_consumer"] + (["create_durable_subscriber"] if case.api != "simplified" else [])
    with expect.all_of():
        for creator in names:
            name = case.name("s")
            link = case.link(client=client, destination=topic, consumes=False)
            sender = publisher(case, topic)
            link.use(getattr(client.session, creator)(topic, name))
            sender.send(f"before {creator}")
            expect.arrives(link, [f"before {creator}"])
            for second in names:
                for session in (client.session, peer.session):
                    with expect.all_of():
                        what = f"{second}() while a consumer of {creator}() is open"
                        call = partial(getattr(session, second), topic, name)
                        expect.raises(case.thrown(api.JMSException), call, what=what)
            sender.send(f"after {creator}")
            expect.arrives(link, [f"after {creator}"])
            link.consumer.close()


@asserts("8.3.3-14")
def test_a_missing_client_identifier_is_an_illegal_state(case: Case) -> None:
    """Without client identifier each overload raises IllegalStateException, or its runtime form in a JMSContext."""
    sessions = [case.client(client_id=case.name("c")).session, case.client().session]
    interface = session_interface(case)
    only = ["createDurableConsumer", "createDurableSubscriber"]
    good, bad = (every_call(case, interface, partial(_same, one), only=only) for one in sessions)
    expect.all_raise(case.thrown(api.IllegalStateException), bad, though_work=good)


def _same(session: object) -> object:
    return session


@asserts("8.3.3-37")
def test_the_short_overloads_select_all_and_the_own_messages(case: Case) -> None:
    """Two arguments mean no selector and noLocal false, for each method and for a second subscription of a session."""
    client = case.client(client_id=case.name("c"))
    names = ["create_durable_consumer"] if "shared" in kinds(case) else []
    names += ["create_durable_subscriber"] if case.api != "simplified" else []
    with expect.all_of():
        for creator in (*names, *names):
            with expect.all_of():
                link, name = case.link(client=client, destination=case.topic(), consumes=False), case.name("s")
                link.use(getattr(client.session, creator)(link.destination, name))
                send_coloured(link, ["red own", "blue own"])
                send_coloured(publisher(case, link.destination), ["red foreign"])
                expect.arrives(link, ["red own", "blue own", "red foreign"])
                link.consumer.close()
                send_coloured(link, ["red inactive"])
                link.use(getattr(client.session, creator)(link.destination, name))
                expect.arrives(link, ["red inactive"])


@asserts("8.3.3-39")
def test_both_methods_open_the_same_subscription(case: Case) -> None:
    """A backlog left by a consumer of one method comes to one of the other, with and without terms, in both directions."""
    client = case.client(client_id=case.name("c"))
    names = ["create_durable_consumer", "create_durable_subscriber"]
    for terms in ((), (RED, False), (None, True)):
        for first, second in (names, names[::-1]):
            link, name = case.link(client=client, destination=case.topic(), consumes=False), case.name("s")
            sender = publisher(case, link.destination)
            for turn, creator in enumerate((first, second, first)):
                resumed = expect.works(f"{creator}()", partial(_opened, client, creator, link.destination, name, terms))
                link.use(resumed)
                if turn:
                    expect.arrives(link, [f"red {turn - 1} a", f"red {turn - 1} b"])
                resumed.close()
                send_coloured(sender, [f"red {turn} a", f"red {turn} b"])


def _opened(client: Client, creator: str, topic: api.Destination, name: str, terms: tuple[object, ...]) -> Consumer:
    consumer: Consumer = getattr(client.session, creator)(topic, name, *terms)
    return consumer


@asserts("8.3.3-41")
def test_an_invalid_selector_is_refused(case: Case) -> None:
    """Each overload refuses a selector that does not parse, with noLocal and without, for a new name and an inactive one."""
    watched = subscription(case, "durable")
    link = watched.open()
    link.consumer.close()
    interface = session_interface(case)
    names = ["createDurableSubscriber"] if case.api != "simplified" else []
    names += ["createDurableConsumer"] if "shared" in kinds(case) else []
    only = [f"{name}(Topic, String, String, boolean)" for name in names]
    wanted = case.thrown(api.InvalidSelectorException)
    with expect.all_of():
        for text in ("=TEST 'test'", "colour = 'red", "colour ="):
            for no_local in (False, True):
                for name in (case.name("s"), watched.name):
                    make = partial(
                        every_call, case, interface, lambda: link.client.session, only=only, no_local=no_local
                    )
                    bad = make(topic=watched.topic, message_selector=text, name=name)
                    expect.all_raise(wanted, bad, though_work=make())
