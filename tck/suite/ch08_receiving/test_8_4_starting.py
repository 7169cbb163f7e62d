"""8.4 Starting and stopping delivery, by the application and by a context itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.clients.raw import unstarted
from tck.suite.support.clients.subscriptions import subscription, working_kinds
from tck.suite.support.values.colours import RED
from tck.suite.support.values.seen import body

ALL = ("auto", "client", "dups_ok", "transacted")
BOTH_MODES = (1, 2)


class _Watched:
    """Consumers of one connection of every kind that the case has, with and without selector, and one with a listener.

    They are opened one after the other by `opened`, on destinations of their own, which senders of other connections serve.
    """

    def __init__(self, case: Case, client: Client, client_id: str | None, listening: Client | None = None) -> None:
        self.links: list[Link] = []
        if case.domain == "queue":
            self.links = [case.link(client=client), case.link(client=client, selector=RED)]
        else:
            for kind in working_kinds(case, case.client("auto", client_id=case.name("c"))):
                for selector in (None, RED):
                    made = subscription(case, kind, selector=selector, client_id=client_id)
                    self.links.append(made.open(client=client))
        self.listener = CollectingListener(case)
        self._case = case
        self.heard = case.link(client=listening or client.peer())
        self.heard.consumer.message_listener = self.listener
        every = [*self.links, self.heard]
        self._senders = [case.link("auto", destination=each.destination, consumes=False) for each in every]
        self._sent = 0

    def send(self, texts: Sequence[str]) -> None:
        """Send red messages to all; the delivery mode changes with each call."""
        mode = BOTH_MODES[self._sent % 2]
        self._sent += 1
        for sender in self._senders:
            sender.sender.set(mode=mode)
            send_coloured(sender, list(texts))

    def silent(self) -> list[object]:
        """Return what receive() with a time and receiveNoWait() give of each consumer; the first receive() waits for all."""
        waited = [body(self.links[0].look()), *(body(link.poll(1)) for link in self.links[1:])]
        return waited + [body(link.consumer.receive_no_wait()) for link in self.links]

    def arrive(self, texts: Sequence[str]) -> None:
        """Demand that these come to each consumer, and have come to the listener at last."""
        with expect.all_of():
            for link in self.links:
                with expect.all_of():
                    expect.arrives(link, texts)
            seen = self.listener.after(len(self.listener.bodies) + len(texts)) if not self._heard(texts) else []
            expect.true("the listener has the texts", self._heard(texts), f"it had {seen!r}")

    def _heard(self, texts: Sequence[str]) -> bool:
        return self.listener.bodies[-len(texts) :] == list(texts)


def _client_id(case: Case) -> str | None:
    return case.name("c") if case.domain == "topic" else None


@asserts("8.4-1", ack=ALL)
def test_nothing_comes_before_start(case: Case) -> None:
    """Consumers of every kind get nothing from a fresh connection, by receive or by a listener, and all of it after start()."""
    name = _client_id(case)
    client = unstarted(case, name)
    watched = _Watched(case, client, name)
    watched.send(["red 1", "red 2"])
    silent, heard = watched.silent(), watched.listener.bodies
    client.start()
    watched.arrive(["red 1", "red 2"])
    expect.equal("what receive() gave before start()", silent, [None] * len(silent))
    expect.equal("what a listener got before start()", heard, [])


def _stopped_and_started(case: Case) -> None:
    """Demand that stop() suspends and start() resumes, twice, with messages of before and of the meantime."""
    name = _client_id(case)
    client = case.client(client_id=name)
    watched = _Watched(case, client, name)
    for turn in range(2):
        watched.send([f"red {turn} before {number}" for number in range(2)])
        watched.arrive([f"red {turn} before {number}" for number in range(2)])
        heard = watched.listener.bodies
        client.stop()
        texts = [f"red {turn} meanwhile {number}" for number in range(4)]
        watched.send(texts)
        silent = watched.silent()
        expect.equal("what receive() gave while stopped", silent, [None] * len(silent))
        expect.equal("what a listener got in all while stopped", watched.listener.bodies, heard)
        client.start()
        watched.arrive(texts)


@asserts("8.4-2", ack=ALL)
def test_stop_suspends_and_start_resumes(case: Case) -> None:
    """While stopped consumers of every kind get nothing; after start() they get everything that was sent meanwhile."""
    _stopped_and_started(case)


@asserts("8.4-7", ack=ALL)
def test_stop_of_a_context_suspends_and_start_resumes(case: Case) -> None:
    """While stopped consumers of every kind get nothing; after start() they get everything that was sent meanwhile."""
    _stopped_and_started(case)


def _left_over(case: Case) -> None:
    """Demand that what a consumer had not received at stop() does not come until start(), also to a receive() that waits."""
    link = case.link()
    starter = link.client.peer()  # a context is used by one thread at a time
    sender = case.link("auto", destination=link.destination, consumes=False)
    sender.send_all(numbered(5))
    expect.arrives(link, numbered(2))
    link.client.stop()
    expect.equal("what receive() gave while stopped", body(link.look()), None)
    waiting = case.spawn("receive()", lambda: body(link.consumer.receive()))
    expect.waits(waiting, "receive()", "while the connection is stopped")
    starter.start()
    expect.equal("what receive() gave after start()", expect.returns(waiting, "receive()"), "003")
    expect.arrives(link, ["004", "005"])


@asserts("8.4-2", ack=ALL, variant="left-over")
def test_what_waits_at_a_stop_comes_after_start(case: Case) -> None:
    """Of five messages two are received before stop(); the other three come after start(), one to a receive() that waits."""
    _left_over(case)


@asserts("8.4-7", ack=ALL, variant="left-over")
def test_what_waits_at_a_stop_of_a_context_comes_after_start(case: Case) -> None:
    """Of five messages two are received before stop(); the other three come after start(), one to a receive() that waits."""
    _left_over(case)


def _starts_by_itself(case: Case, method: str, forms: Sequence[tuple[Any, ...]], *, named: bool) -> None:
    """Demand that each form of a method of a context delivers without start(), to receive() and to a listener."""
    with expect.all_of():
        for terms in forms:
            for listens in (False, True):
                with expect.all_of():
                    client = case.client(client_id=case.name("c") if named else None)
                    link = case.link(client=client, consumes=False)
                    link.use(getattr(client.session, method)(link.destination, case.name("s"), *terms))
                    listener = CollectingListener(case)
                    if listens:
                        link.consumer.message_listener = listener
                    sender = case.link("auto", destination=link.destination, consumes=False)
                    send_coloured(sender, ["red"])
                    if listens:
                        expect.equal("what a listener got", listener.after(1), ["red"])
                    else:
                        expect.arrives(link, ["red"])
                    client.close()


@asserts("8.4-4", ack=ALL)
def test_a_durable_consumer_starts_the_context(case: Case) -> None:
    """Each createDurableConsumer() delivers to receive() and to a listener without a call of start()."""
    _starts_by_itself(case, "create_durable_consumer", ((), (None, False), (RED, False), (RED, True)), named=True)


@asserts("8.4-5", ack=ALL)
def test_a_shared_consumer_starts_the_context(case: Case) -> None:
    """Each createSharedConsumer() delivers to receive() and to a listener without a call of start()."""
    _starts_by_itself(case, "create_shared_consumer", ((), (None,), (RED,)), named=False)


@asserts("8.4-6", ack=ALL)
def test_a_shared_durable_consumer_starts_the_context(case: Case) -> None:
    """Each createSharedDurableConsumer() delivers to receive() and to a listener without a call of start()."""
    _starts_by_itself(case, "create_shared_durable_consumer", ((), (None,), (RED,)), named=False)


@asserts("8.4-9")
def test_without_auto_start_a_consumer_leaves_the_connection_stopped(case: Case) -> None:
    """After setAutoStart(false) consumers of every kind, by receive or with a listener, get nothing until start()."""
    for before in ((), (False, True)):
        name = _client_id(case)
        client = case.client(client_id=name)
        listening = client.peer()
        for setting in (*before, False):
            client.session.auto_start = listening.session.auto_start = setting
        watched = _Watched(case, client, name, listening)
        watched.send(["red"])
        silent, heard = watched.silent(), watched.listener.bodies
        client.start()
        watched.arrive(["red"])
        expect.equal("what receive() gave before start()", silent, [None] * len(silent))
        expect.equal("what a listener got before start()", heard, [])


@asserts("8.4-10", ack=ALL)
def test_without_auto_start_delivery_begins_with_start(case: Case) -> None:
    """After setAutoStart(false) start() delivers what waits, and what comes, to consumers of before and of after."""
    client = case.client()
    client.session.auto_start = False
    first = case.link(client=client)
    sender = case.link("auto", destination=first.destination, consumes=False)
    sender.send("waits")
    expect.works("start()", client.start)
    expect.arrives(first, ["waits"])
    sender.send("comes")
    expect.arrives(first, ["comes"])
    client.session.auto_start = False
    second = case.link(client=client)
    case.link("auto", destination=second.destination, consumes=False).send("later")
    expect.arrives(second, ["later"])


@asserts("8.4-11")
def test_get_auto_start_tells_the_setting(case: Case) -> None:
    """It is true in a fresh context, also in one that another made, and then what was set last, with consumers or without."""
    parent: Any = case.client().session
    child: Any = case.client().peer().session
    wanted, seen = [True], [parent.auto_start]
    for setting in (False, False, True, False):
        parent.auto_start = setting
        seen.append(parent.auto_start)
        wanted.append(setting)
        parent.create_consumer(case.destination())
        seen.append(parent.auto_start)
        wanted.append(setting)
    expect.equal("getAutoStart(), fresh and after each setting", seen, wanted)
    seen = [child.auto_start]
    child.auto_start = False
    expect.equal("getAutoStart() of a context that another made", [*seen, child.auto_start], [True, False])


@asserts("8.4-12")
def test_set_auto_start_neither_starts_nor_stops(case: Case) -> None:
    """A running connection goes on after either setting, and one that is stopped stays so until start()."""
    link = case.link()
    sender = case.link("auto", destination=link.destination, consumes=False)
    for setting in (True, False):
        link.client.session.auto_start = setting
        sender.send(f"running, {setting}")
        expect.arrives(link, [f"running, {setting}"])
    link.client.stop()
    sender.send("stopped")
    silent = []
    for setting in (False, True, True):
        link.client.session.auto_start = setting
        silent.append(body(link.look()))
    link.client.start()
    expect.arrives(link, ["stopped"])
    expect.equal("what came after each setting while stopped", silent, [None] * 3)


@asserts("8.4-12", variant="fresh")
def test_set_auto_start_does_not_start_what_was_never_started(case: Case) -> None:
    """With a consumer made while autoStart was false, setAutoStart(true) delivers nothing until start()."""
    client = case.client()
    client.session.auto_start = False
    link = case.link(client=client)
    case.link("auto", destination=link.destination, consumes=False).send("waits")
    client.session.auto_start = True
    silent = body(link.look())
    client.start()
    expect.arrives(link, ["waits"])
    expect.equal("what came after setAutoStart(true)", silent, None)


@asserts("8.4-13")
def test_a_consumer_of_one_context_starts_the_others(case: Case) -> None:
    """Of contexts on one connection one has a consumer and does not start; a consumer of the other starts both, either way round."""
    for first_waits in (True, False):
        for listens in (False, True):
            first = case.client()
            second = first.peer()
            waiting, starting = (first, second) if first_waits else (second, first)
            waiting.session.auto_start = False
            link, listener = case.link(client=waiting), CollectingListener(case)
            if listens:
                link.consumer.message_listener = listener
            case.link("auto", destination=link.destination, consumes=False).send("waits")
            case.link(client=starting)
            if listens:
                expect.equal("what the listener got", listener.after(1), ["waits"])
            else:
                expect.arrives(link, ["waits"])
            first.close()
