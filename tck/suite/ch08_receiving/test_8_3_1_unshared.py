"""8.3.1 Unshared non-durable subscriptions: opening, and the time in which they collect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.clients.raw import unstarted
from tck.suite.support.clients.subscriptions import fellow, publisher, subscription
from tck.suite.support.values.colours import RED

ALL = ("auto", "client", "dups_ok", "transacted")
BOTH_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
RED_IN_ANOTHER_FORM = "colour IN ('red', 'crimson')"
FORMS: Sequence[tuple[object, ...]] = (
    (),
    (None,),
    ("",),
    (RED,),
    (RED_IN_ANOTHER_FORM,),
    (None, False),
    (None, True),
    (RED, False),
    (RED_IN_ANOTHER_FORM, True),
)
"""The arguments of createConsumer() behind the topic."""


def _created(case: Case, method: str, forms: Sequence[tuple[object, ...]], kind: type) -> None:
    """Judge each form: it makes a consumer of the type on a new subscription that begins now, before any receive."""
    client = case.client()
    with expect.all_of():
        for terms in forms:
            with expect.all_of():
                topic = case.topic()
                link, sender = case.link(client=client, destination=topic, consumes=False), publisher(case, topic)
                sender.send("red 0")
                what = f"{method}() with {terms or 'no more arguments'}"
                create = partial(getattr(client.session, method), topic, *terms)
                link.use(expect.works(what, create))
                expect.true(f"{what} makes a {kind.__name__}", isinstance(link.consumer, kind), repr(link.consumer))
                send_coloured(sender, ["red 1", "blue 2", "red 3"])
                later = case.link(client=client.peer(), destination=topic, consumes=False)
                later.use(getattr(later.client.session, method)(topic, *terms))
                send_coloured(sender, ["blue 4", "red 5"])
                selective = bool(terms and terms[0])
                expect.arrives(link, [text for text in SENT if not selective or text.startswith("red")])
                expect.arrives(later, [text for text in SENT[3:] if not selective or text.startswith("red")])


SENT = ("red 1", "blue 2", "red 3", "blue 4", "red 5")


@asserts("8.3.1-1")
def test_a_session_makes_an_unshared_subscription(case: Case) -> None:
    """Each Session.createConsumer() on a topic makes a new one, which begins at once, and returns a MessageConsumer."""
    _created(case, "create_consumer", FORMS, api.MessageConsumer)


@asserts("8.3.1-2")
def test_a_context_makes_an_unshared_subscription(case: Case) -> None:
    """Each JMSContext.createConsumer() on a topic makes a new one, which begins at once, and returns a JMSConsumer."""
    _created(case, "create_consumer", FORMS, api.JMSConsumer)


@asserts("8.3.1-3")
def test_create_subscriber_makes_an_unshared_subscription(case: Case) -> None:
    """Each TopicSession.createSubscriber() makes a new one, which begins at once, and returns a TopicSubscriber."""
    forms = [form for form in FORMS if len(form) != 1]
    _created(case, "create_subscriber", forms, api.TopicSubscriber)


@asserts("8.3.1-4")
def test_a_topic_session_makes_an_unshared_subscription(case: Case) -> None:
    """Each createConsumer() that a TopicSession inherits makes a new one, and returns a MessageConsumer."""
    _created(case, "create_consumer", FORMS, api.MessageConsumer)


def _idle(case: Case) -> Client:
    return case.client()


def _stopped(case: Case) -> Client:
    client = case.client()
    if case.api == "simplified":
        client.session.auto_start = False
    client.stop()
    return client


STATES: dict[str, Callable[[Case], Client]] = {"idle": _idle, "stopped": _stopped, "never started": unstarted}


@asserts("8.3.1-7", ack=ALL, plain=True)
def test_every_message_sent_while_it_is_open_is_added(case: Case) -> None:
    """Twenty messages, in either mode, of its own session too, come though nobody receives, and though delivery is stopped."""
    with expect.all_of():
        for words, connected in STATES.items():
            for mode in BOTH_MODES:
                for selector in (None, RED):
                    with expect.all_of():
                        link = case.link(client=connected(case), destination=case.topic(), selector=selector)
                        senders = [publisher(case, link.destination) for _ in range(2)]
                        senders += [link] if selector is None else []
                        texts = [f"red {text} {words}" for text in numbered(20)]
                        for number, text in enumerate(texts):
                            sender = senders[number % len(senders)]
                            sender.sender.set(mode=mode)
                            send_coloured(sender, [text])
                        link.client.start()
                        expect.arrives(link, texts, ordered=False)
                        link.client.close()


@asserts("8.3.1-8", ack=ALL, plain=True)
def test_no_message_sent_before_it_is_open_is_added(case: Case) -> None:
    """What was sent to nobody, to a consumer that had it and to one that has it waiting, comes to no later consumer."""
    for mode in BOTH_MODES:
        for selector in (None, RED):
            sender = publisher(case, case.topic())
            sender.sender.set(mode=mode)
            send_coloured(sender, ["red to nobody"])
            fence = case.link()  # the provider has dealt with a message when a later one of its session has come
            sender.client.sender(fence.destination).send(sender.text("fence"))
            sender.client.settle()
            expect.arrives(fence, ["fence"])
            had = case.link(destination=sender.destination)
            waiting = case.link(destination=sender.destination)
            send_coloured(sender, [f"red {text}" for text in numbered(3)])
            expect.arrives(had, [f"red {text}" for text in numbered(3)])
            for client in (fellow(had.client), waiting.client.peer(), case.client()):
                later = case.link(client=client, destination=sender.destination, selector=selector)
                expect.nothing_before(later, "red marker", partial(send_coloured, sender, ["red marker"]))
                expect.arrives(had, ["red marker"])
                later.consumer.close()
            expect.arrives(waiting, [*(f"red {text}" for text in numbered(3)), *["red marker"] * 3])


def _after_an_end(case: Case, end: Callable[[], Any]) -> None:
    """Demand that nothing of unshared non-durable subscriptions outlives the provider, and nothing is collected meanwhile."""
    every = [subscription(case, "unshared", selector=selector) for selector in (None, RED)]
    for watched in every:
        link = watched.open()
        sender = publisher(case, watched.topic)
        sender.sender.set(mode=api.DeliveryMode.PERSISTENT)
        send_coloured(sender, [f"red {text}" for text in numbered(4)])
        expect.arrives(link, ["red 001"])
    end()
    for watched in every:
        sender = publisher(case, watched.topic)
        sender.sender.set(mode=api.DeliveryMode.PERSISTENT)
        send_coloured(sender, ["red while closed"])
    with expect.all_of():
        for watched in every:
            again, sender = watched.open(), publisher(case, watched.topic)
            expect.nothing_before(again, "red marker", partial(send_coloured, sender, ["red marker"]))


@asserts("8.3.1-11")
def test_it_does_not_survive_a_restart(case: Case) -> None:
    """With selector and without, nothing that it had, and nothing sent meanwhile, comes to a consumer after a restart."""
    _after_an_end(case, case.provider.restart)


@asserts("8.3.1-11", variant="killed")
def test_it_does_not_survive_a_kill(case: Case) -> None:
    """With selector and without, nothing that it had, and nothing sent meanwhile, comes to a consumer after a kill."""
    case.needs(api.Hook.KILL)
    _after_an_end(case, case.provider.kill)
