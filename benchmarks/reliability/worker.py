"""Random work on queues, subscriptions, transactions and branches, reported before and after each call.

A worker is one client: one session for each acknowledgement mode, a durable subscription of its own, and consumers of
shared queues. Messages carry their key, so that each can be identified wherever it is found.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarks.reliability.history import (
    BRANCHES,
    SUBSCRIPTIONS,
    Begin,
    End,
    Event,
    Item,
    Key,
    Prepared,
    Seen,
)
from tck.api import (
    DeliveryMode,
    Destination,
    Message,
    MessageConsumer,
    MessageListener,
    MessageProducer,
    Provider,
    Session,
    TextMessage,
    XAResource,
    Xid,
)

QUEUES = ("orders", "parcels")
LISTENED = "alerts"
TOPIC = "news"
SHARED = "shared"
SHARED_STREAM = "subscription shared"
PRIVATE = "private"
COLOURS = ("red", "green", "blue")
FORMAT = 7

Report = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class WorkOptions:
    """Options of a worker. `lazy`: use DUPS_OK_ACKNOWLEDGE too, and send non-persistent messages."""

    lazy: bool = True
    listeners: bool = True


def client_id(number: int) -> str:
    """Return the client identifier of a worker."""
    return f"client-{number}"


def private_stream(number: int) -> str:
    """Return the stream of a worker's own durable subscription."""
    return f"subscription {client_id(number)}"


def private_selector(number: int) -> str | None:
    """Return the selector of a worker's own durable subscription."""
    return "colour = 'red'" if number % 2 else None


def queue_stream(name: str) -> str:
    """Return the stream of a queue."""
    return f"queue {name}"


def prepare(provider: Provider, workers: int) -> None:
    """Create the subscriptions, so that every later message reaches them."""
    topic = provider.create_topic(TOPIC)
    with provider.connection_factory().create_connection() as connection:
        connection.create_session().create_shared_durable_consumer(topic, SHARED).close()
    for number in range(workers):
        with provider.connection_factory().create_connection() as connection:
            connection.client_id = client_id(number)
            session = connection.create_session()
            session.create_durable_consumer(topic, PRIVATE, private_selector(number)).close()


@dataclass(slots=True)
class SessionLinks:
    """One session with its producer and consumers; `sender` identifies it in the keys of its messages."""

    sender: str
    session: Session
    producer: MessageProducer
    consumers: list[tuple[str, MessageConsumer]]
    sent: int = 0
    unacknowledged: list[Item] = field(default_factory=list)


class Worker:
    """One client and its random steps.

    Args:
        provider: the provider to use.
        number: the number of this client, of `workers`.
        run: makes keys unique over several runs on one file.
        seed: of its choices.
        report: called with each event, by several threads.
        options: see `WorkOptions`.
    """

    def __init__(
        self,
        provider: Provider,
        number: int,
        *,
        workers: int,
        run: str,
        seed: int,
        report: Report,
        options: WorkOptions,
    ) -> None:
        self._number = number
        self._workers = workers
        self._name = f"{run}.{number}"
        self._random = random.Random(seed)
        self._report = report
        self._options = options
        self._steps = itertools.count(1)
        self._queues = [(queue_stream(name), provider.create_queue(name)) for name in QUEUES]
        self._alerts = provider.create_queue(LISTENED)
        self._topic = provider.create_topic(TOPIC)
        factory = provider.connection_factory()
        self._connection = factory.create_connection()
        self._named = factory.create_connection()
        self._named.client_id = client_id(number)
        self._distributed = provider.xa_connection_factory().create_xa_connection()
        self._open_sessions()
        self._listening = self._listen() if options.listeners and number == 0 else None
        for connection in (self._connection, self._named, self._distributed):
            connection.start()

    def _open_sessions(self) -> None:
        make = self._connection.create_session
        self._auto = self._session_links("auto", make(session_mode=Session.AUTO_ACKNOWLEDGE))
        self._client = self._session_links("client", make(session_mode=Session.CLIENT_ACKNOWLEDGE))
        self._dups = self._session_links("dups", make(session_mode=Session.DUPS_OK_ACKNOWLEDGE))
        self._transacted = self._session_links("transacted", make(session_mode=Session.SESSION_TRANSACTED))
        self._xa = self._distributed.create_xa_session()
        self._branch = self._session_links("branch", self._xa)
        session = self._named.create_session(session_mode=Session.SESSION_TRANSACTED)
        consumer = session.create_durable_consumer(self._topic, PRIVATE, private_selector(self._number))
        self._private = SessionLinks(
            f"{self._name}.private", session, session.create_producer(None), [(private_stream(self._number), consumer)]
        )

    def _session_links(self, kind: str, session: Session) -> SessionLinks:
        consumers = [(stream, session.create_consumer(queue)) for stream, queue in self._queues]
        consumers.append((SHARED_STREAM, session.create_shared_durable_consumer(self._topic, SHARED)))
        return SessionLinks(f"{self._name}.{kind}", session, session.create_producer(None), consumers)

    def _listen(self) -> ReportingListener:
        session = self._connection.create_session()
        listening = ReportingListener(f"{self._name}.listener", self._report)
        session.create_consumer(self._alerts).message_listener = listening
        return listening

    def close(self) -> None:
        """Close all connections; open transactions are rolled back."""
        for connection in (self._connection, self._named, self._distributed):
            connection.close()
        if self._listening is not None:
            self._listening.session_closed()

    # --- steps ------------------------------------------------------------------------------------------------

    def step(self) -> None:
        """Do one random step."""
        choice = self._random.random()
        if choice < 0.2:
            self._send_one(self._auto)
        elif choice < 0.45:
            sessions = [self._auto, self._dups] if self._options.lazy else [self._auto]
            self._receive_one(self._random.choice(sessions))
        elif choice < 0.55:
            self._acknowledge_several()
        elif choice < 0.82:
            self._transaction(self._random.choice([self._transacted, self._private]))
        elif choice < 0.94:
            self._distributed_branch()
        elif choice < 0.97:
            self._subscribe_and_unsubscribe()
        else:
            self._browse()

    def _name_step(self, kind: str) -> str:
        return f"{self._name}#{next(self._steps)} {kind}"

    def _send_one(self, links: SessionLinks) -> None:
        may_be_lost = self._options.lazy and self._random.random() < 0.15
        late = self._random.random() < 0.1
        sender = f"{links.sender}-fleeting" if may_be_lost else links.sender
        message, destination, items = self._message(links, sender, plain=not late)
        step = self._name_step("send")
        self._report(Begin(step, adds=items, may_be_lost=may_be_lost))
        producer = links.producer
        producer.delivery_mode = DeliveryMode.NON_PERSISTENT if may_be_lost else DeliveryMode.PERSISTENT
        producer.delivery_delay = 5 if late else 0
        producer.send(message, destination=destination)
        self._report(End(step))
        producer.delivery_mode = DeliveryMode.PERSISTENT
        producer.delivery_delay = 0

    def _receive_one(self, links: SessionLinks) -> None:
        stream, consumer = self._random.choice(links.consumers)
        step = self._name_step("receive")
        self._report(Begin(step, takes_one_of=stream))
        message = consumer.receive_no_wait()
        item = None if message is None else self._note(links, stream, message, unacknowledged=False)
        self._report(End(step, () if item is None else (item,)))

    def _acknowledge_several(self) -> None:
        links = self._client
        message = self._receive_into(links, self._random.randint(1, 4))
        if message is None:
            return
        if self._random.random() < 0.3:
            links.session.recover()
            links.unacknowledged.clear()
            return
        step = self._name_step("acknowledge")
        self._report(Begin(step, takes=tuple(links.unacknowledged)))
        message.acknowledge()
        self._report(End(step))
        links.unacknowledged.clear()

    def _transaction(self, links: SessionLinks) -> None:
        adds = self._send_several(links)
        self._receive_into(links, self._random.randint(0, 6))
        if self._random.random() < 0.2:
            links.session.rollback()
        else:
            step = self._name_step("commit")
            self._report(Begin(step, adds=adds, takes=tuple(links.unacknowledged)))
            links.session.commit()
            self._report(End(step))
        links.unacknowledged.clear()

    def _distributed_branch(self) -> None:
        links, resource = self._branch, self._xa.xa_resource
        step = self._name_step("branch")
        xid = Xid(FORMAT, step.encode(), b"1")
        resource.start(xid, XAResource.TMNOFLAGS)
        adds = self._send_several(links, sender=step)
        self._receive_into(links, self._random.randint(0, 3))
        resource.end(xid, XAResource.TMSUCCESS)
        takes = tuple(links.unacknowledged)
        links.unacknowledged.clear()
        if not adds and not takes:
            resource.rollback(xid)
        elif self._random.random() < 0.3:
            self._report(Begin(step, adds=adds, takes=takes))
            resource.commit(xid, one_phase=True)
            self._report(End(step))
        else:
            self._two_phases(resource, xid, adds, takes)

    def _two_phases(self, resource: XAResource, xid: Xid, adds: tuple[Item, ...], takes: tuple[Item, ...]) -> None:
        branch = branch_item(xid)
        self._report(Prepared(branch.key, adds, takes))
        step = self._name_step("prepare")
        self._report(Begin(step, adds=(branch,)))
        resource.prepare(xid)
        self._report(End(step))
        choice = self._random.random()
        if choice < 0.6:
            step = self._name_step("commit of a branch")
            self._report(Begin(step, adds=adds, takes=(*takes, branch)))
            resource.commit(xid, one_phase=False)
            self._report(End(step))
        elif choice < 0.9:
            step = self._name_step("rollback of a branch")
            self._report(Begin(step, takes=(branch,)))
            resource.rollback(xid)
            self._report(End(step))

    def _subscribe_and_unsubscribe(self) -> None:
        session = self._private.session
        name = self._name_step("subscription")
        item = Item(SUBSCRIPTIONS, f"{client_id(self._number)}:{name}")
        step = self._name_step("subscribe")
        self._report(Begin(step, adds=(item,)))
        session.create_durable_consumer(self._topic, name, "colour = 'none'").close()
        self._report(End(step))
        if self._random.random() < 0.8:
            step = self._name_step("unsubscribe")
            self._report(Begin(step, takes=(item,)))
            session.unsubscribe(name)
            self._report(End(step))

    def _browse(self) -> None:
        queue = self._random.choice(self._queues)[1]
        with self._auto.session.create_browser(queue) as browser:
            for message in itertools.islice(browser.get_enumeration(), 20):
                key_of(message)

    # --- parts ------------------------------------------------------------------------------------------------

    def _send_several(self, links: SessionLinks, sender: str | None = None) -> tuple[Item, ...]:
        adds: tuple[Item, ...] = ()
        for _ in range(self._random.randint(0, 3)):
            message, destination, items = self._message(links, sender or links.sender)
            links.producer.send(message, destination=destination)
            adds += items
        return adds

    def _message(
        self, links: SessionLinks, sender: str, *, plain: bool = True
    ) -> tuple[Message, Destination, tuple[Item, ...]]:
        links.sent += 1
        links.producer.priority = self._random.choice((4, 4, 4, 9))
        key = str(Key(sender, links.sent, links.producer.priority, plain))
        colour = self._random.choice(COLOURS)
        destination, streams = self._target(colour)
        size = 20_000 if self._random.random() < 0.02 else self._random.randint(0, 400)
        message = links.session.create_text_message(f"{key} {'x' * size}")
        message.set_string_property("key", key)
        message.set_string_property("colour", colour)
        message.set_int_property("size", size)
        return message, destination, tuple(Item(stream, key) for stream in streams)

    def _target(self, colour: str) -> tuple[Destination, list[str]]:
        choice = self._random.random()
        if choice < 0.15 and self._options.listeners:
            return self._alerts, [queue_stream(LISTENED)]
        if choice < 0.75:
            stream, queue = self._random.choice(self._queues)
            return queue, [stream]
        private = [
            private_stream(number)
            for number in range(self._workers)
            if private_selector(number) is None or colour == "red"
        ]
        return self._topic, [SHARED_STREAM, *private]

    def _receive_into(self, links: SessionLinks, count: int) -> Message | None:
        """Receive up to `count` messages without acknowledging them; return the last."""
        last = None
        for _ in range(count):
            stream, consumer = self._random.choice(links.consumers)
            message = consumer.receive_no_wait()
            if message is not None:
                last = message
                links.unacknowledged.append(self._note(links, stream, message, unacknowledged=True))
        return last

    def _note(self, links: SessionLinks, stream: str, message: Message, *, unacknowledged: bool) -> Item:
        item = Item(stream, key_of(message))
        self._report(Seen(links.sender, item, message.jms_redelivered, unacknowledged))
        return item


class ReportingListener(MessageListener):
    """A listener in AUTO_ACKNOWLEDGE: a message is acknowledged for certain when the next one arrives."""

    __slots__ = ("_name", "_open", "_report")

    def __init__(self, name: str, report: Report) -> None:
        self._name = name
        self._report = report
        self._open: str | None = None

    def on_message(self, message: Message) -> None:
        """Report a message."""
        self.session_closed()
        item = Item(queue_stream(LISTENED), key_of(message))
        self._report(Seen(self._name, item, message.jms_redelivered, unacknowledged=True))
        self._open = f"{self._name} {item.key}"
        self._report(Begin(self._open, takes=(item,)))

    def session_closed(self) -> None:
        """Report that the last message is acknowledged."""
        if self._open is not None:
            self._report(End(self._open))
            self._open = None


def branch_item(xid: Xid) -> Item:
    """Return the item of a prepared branch."""
    return Item(BRANCHES, xid.global_transaction_id.decode())


def xid_of(branch: str) -> Xid:
    """Return the identifier of a branch by its key."""
    return Xid(FORMAT, branch.encode(), b"1")


def key_of(message: Message) -> str:
    """Return the key of a message; its body and properties must agree."""
    key = message.get_string_property("key")
    size = message.get_int_property("size")
    if not isinstance(message, TextMessage) or key is None or message.text != f"{key} {'x' * size}":
        raise AssertionError(f"the message with key {key} has another body than was sent")
    return key
