"""Random work on queues, subscriptions, transactions and branches, which tells what it does before and after each call.

A worker is one client: one session for each way of acknowledging, a durable subscription of its own, and its share of
what all compete for. Messages carry their key, so that each can be told apart wherever it is found.
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
    Fact,
    Key,
    Mark,
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

Report = Callable[[Fact], None]


@dataclass(frozen=True, slots=True)
class Menu:
    """What workers may do. `lazy`: acknowledge lazily too, and send what a crash may lose."""

    lazy: bool = True
    listeners: bool = True


def client_id(number: int) -> str:
    """Give the client identifier of a worker."""
    return f"client-{number}"


def private_stream(number: int) -> str:
    """Name the stream of a worker's own durable subscription."""
    return f"subscription {client_id(number)}"


def private_selector(number: int) -> str | None:
    """Give the selector of a worker's own durable subscription."""
    return "colour = 'red'" if number % 2 else None


def queue_stream(name: str) -> str:
    """Name the stream of a queue."""
    return f"queue {name}"


def prepare(provider: Provider, workers: int) -> None:
    """Make the subscriptions, so that every message sent later reaches them."""
    topic = provider.create_topic(TOPIC)
    with provider.connection_factory().create_connection() as connection:
        connection.create_session().create_shared_durable_consumer(topic, SHARED).close()
    for number in range(workers):
        with provider.connection_factory().create_connection() as connection:
            connection.client_id = client_id(number)
            session = connection.create_session()
            session.create_durable_consumer(topic, PRIVATE, private_selector(number)).close()


@dataclass(slots=True)
class Lane:
    """One session with its producer and consumers; `sender` names it in the keys of what it sends."""

    sender: str
    session: Session
    producer: MessageProducer
    consumers: list[tuple[str, MessageConsumer]]
    sent: int = 0
    owed: list[Mark] = field(default_factory=list)


class Worker:
    """One client and its random steps.

    Args:
        provider: where it works.
        number: which of `workers` clients it is.
        run: makes keys unique over several runs on one file.
        seed: of its choices.
        report: is told all facts; may be called by several threads.
        menu: what it may do.
    """

    def __init__(
        self, provider: Provider, number: int, *, workers: int, run: str, seed: int, report: Report, menu: Menu
    ) -> None:
        self._number = number
        self._workers = workers
        self._name = f"{run}.{number}"
        self._random = random.Random(seed)
        self._report = report
        self._menu = menu
        self._steps = itertools.count(1)
        self._queues = [(queue_stream(name), provider.create_queue(name)) for name in QUEUES]
        self._alerts = provider.create_queue(LISTENED)
        self._topic = provider.create_topic(TOPIC)
        factory = provider.connection_factory()
        self._connection = factory.create_connection()
        self._named = factory.create_connection()
        self._named.client_id = client_id(number)
        self._distributed = provider.xa_connection_factory().create_xa_connection()
        self._open_lanes()
        self._listening = self._listen() if menu.listeners and number == 0 else None
        for connection in (self._connection, self._named, self._distributed):
            connection.start()

    def _open_lanes(self) -> None:
        make = self._connection.create_session
        self._auto = self._lane("auto", make(session_mode=Session.AUTO_ACKNOWLEDGE))
        self._client = self._lane("client", make(session_mode=Session.CLIENT_ACKNOWLEDGE))
        self._dups = self._lane("dups", make(session_mode=Session.DUPS_OK_ACKNOWLEDGE))
        self._transacted = self._lane("transacted", make(session_mode=Session.SESSION_TRANSACTED))
        self._xa = self._distributed.create_xa_session()
        self._branch = self._lane("branch", self._xa)
        session = self._named.create_session(session_mode=Session.SESSION_TRANSACTED)
        consumer = session.create_durable_consumer(self._topic, PRIVATE, private_selector(self._number))
        self._private = Lane(
            f"{self._name}.private", session, session.create_producer(None), [(private_stream(self._number), consumer)]
        )

    def _lane(self, kind: str, session: Session) -> Lane:
        consumers = [(stream, session.create_consumer(queue)) for stream, queue in self._queues]
        consumers.append((SHARED_STREAM, session.create_shared_durable_consumer(self._topic, SHARED)))
        return Lane(f"{self._name}.{kind}", session, session.create_producer(None), consumers)

    def _listen(self) -> Listening:
        session = self._connection.create_session()
        listening = Listening(f"{self._name}.listener", self._report)
        session.create_consumer(self._alerts).message_listener = listening
        return listening

    def close(self) -> None:
        """Stop in good order: what is open is rolled back."""
        for connection in (self._connection, self._named, self._distributed):
            connection.close()
        if self._listening is not None:
            self._listening.session_closed()

    # --- steps ------------------------------------------------------------------------------------------------

    def step(self) -> None:
        """Do one random thing."""
        choice = self._random.random()
        if choice < 0.2:
            self._send_one(self._auto)
        elif choice < 0.45:
            lanes = [self._auto, self._dups] if self._menu.lazy else [self._auto]
            self._receive_one(self._random.choice(lanes))
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

    def _send_one(self, lane: Lane) -> None:
        fleeting = self._menu.lazy and self._random.random() < 0.15
        late = self._random.random() < 0.1
        sender = f"{lane.sender}-fleeting" if fleeting else lane.sender
        message, destination, marks = self._message(lane, sender, plain=not late)
        step = self._name_step("send")
        self._report(Begin(step, adds=marks, fleeting=fleeting))
        producer = lane.producer
        producer.delivery_mode = DeliveryMode.NON_PERSISTENT if fleeting else DeliveryMode.PERSISTENT
        producer.delivery_delay = 5 if late else 0
        producer.send(message, destination=destination)
        self._report(End(step))
        producer.delivery_mode = DeliveryMode.PERSISTENT
        producer.delivery_delay = 0

    def _receive_one(self, lane: Lane) -> None:
        stream, consumer = self._random.choice(lane.consumers)
        step = self._name_step("receive")
        self._report(Begin(step, takes_one_of=stream))
        message = consumer.receive_no_wait()
        mark = None if message is None else self._note(lane, stream, message, owed=False)
        self._report(End(step, () if mark is None else (mark,)))

    def _acknowledge_several(self) -> None:
        lane = self._client
        message = self._receive_into(lane, self._random.randint(1, 4))
        if message is None:
            return
        if self._random.random() < 0.3:
            lane.session.recover()
            lane.owed.clear()
            return
        step = self._name_step("acknowledge")
        self._report(Begin(step, takes=tuple(lane.owed)))
        message.acknowledge()
        self._report(End(step))
        lane.owed.clear()

    def _transaction(self, lane: Lane) -> None:
        adds = self._send_several(lane)
        self._receive_into(lane, self._random.randint(0, 6))
        if self._random.random() < 0.2:
            lane.session.rollback()
        else:
            step = self._name_step("commit")
            self._report(Begin(step, adds=adds, takes=tuple(lane.owed)))
            lane.session.commit()
            self._report(End(step))
        lane.owed.clear()

    def _distributed_branch(self) -> None:
        lane, resource = self._branch, self._xa.xa_resource
        step = self._name_step("branch")
        xid = Xid(FORMAT, step.encode(), b"1")
        resource.start(xid, XAResource.TMNOFLAGS)
        adds = self._send_several(lane, sender=step)
        self._receive_into(lane, self._random.randint(0, 3))
        resource.end(xid, XAResource.TMSUCCESS)
        takes = tuple(lane.owed)
        lane.owed.clear()
        if not adds and not takes:
            resource.rollback(xid)
        elif self._random.random() < 0.3:
            self._report(Begin(step, adds=adds, takes=takes))
            resource.commit(xid, one_phase=True)
            self._report(End(step))
        else:
            self._two_phases(resource, xid, adds, takes)

    def _two_phases(self, resource: XAResource, xid: Xid, adds: tuple[Mark, ...], takes: tuple[Mark, ...]) -> None:
        branch = branch_mark(xid)
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
        mark = Mark(SUBSCRIPTIONS, f"{client_id(self._number)}:{name}")
        step = self._name_step("subscribe")
        self._report(Begin(step, adds=(mark,)))
        session.create_durable_consumer(self._topic, name, "colour = 'none'").close()
        self._report(End(step))
        if self._random.random() < 0.8:
            step = self._name_step("unsubscribe")
            self._report(Begin(step, takes=(mark,)))
            session.unsubscribe(name)
            self._report(End(step))

    def _browse(self) -> None:
        queue = self._random.choice(self._queues)[1]
        with self._auto.session.create_browser(queue) as browser:
            for message in itertools.islice(browser.get_enumeration(), 20):
                key_of(message)

    # --- parts ------------------------------------------------------------------------------------------------

    def _send_several(self, lane: Lane, sender: str | None = None) -> tuple[Mark, ...]:
        adds: tuple[Mark, ...] = ()
        for _ in range(self._random.randint(0, 3)):
            message, destination, marks = self._message(lane, sender or lane.sender)
            lane.producer.send(message, destination=destination)
            adds += marks
        return adds

    def _message(self, lane: Lane, sender: str, *, plain: bool = True) -> tuple[Message, Destination, tuple[Mark, ...]]:
        lane.sent += 1
        lane.producer.priority = self._random.choice((4, 4, 4, 9))
        key = str(Key(sender, lane.sent, lane.producer.priority, plain))
        colour = self._random.choice(COLOURS)
        destination, streams = self._target(colour)
        size = 20_000 if self._random.random() < 0.02 else self._random.randint(0, 400)
        message = lane.session.create_text_message(f"{key} {'x' * size}")
        message.set_string_property("key", key)
        message.set_string_property("colour", colour)
        message.set_int_property("size", size)
        return message, destination, tuple(Mark(stream, key) for stream in streams)

    def _target(self, colour: str) -> tuple[Destination, list[str]]:
        choice = self._random.random()
        if choice < 0.15 and self._menu.listeners:
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

    def _receive_into(self, lane: Lane, count: int) -> Message | None:
        """Receive up to `count` messages, all owed; give the last."""
        last = None
        for _ in range(count):
            stream, consumer = self._random.choice(lane.consumers)
            message = consumer.receive_no_wait()
            if message is not None:
                last = message
                lane.owed.append(self._note(lane, stream, message, owed=True))
        return last

    def _note(self, lane: Lane, stream: str, message: Message, *, owed: bool) -> Mark:
        mark = Mark(stream, key_of(message))
        self._report(Seen(lane.sender, mark, message.jms_redelivered, owed))
        return mark


class Listening(MessageListener):
    """A listener in AUTO_ACKNOWLEDGE: a message is surely acknowledged when the next one comes."""

    __slots__ = ("_name", "_open", "_report")

    def __init__(self, name: str, report: Report) -> None:
        self._name = name
        self._report = report
        self._open: str | None = None

    def on_message(self, message: Message) -> None:
        """Note a message."""
        self.session_closed()
        mark = Mark(queue_stream(LISTENED), key_of(message))
        self._report(Seen(self._name, mark, message.jms_redelivered, owed=True))
        self._open = f"{self._name} {mark.key}"
        self._report(Begin(self._open, takes=(mark,)))

    def session_closed(self) -> None:
        """Note that the last message is acknowledged."""
        if self._open is not None:
            self._report(End(self._open))
            self._open = None


def branch_mark(xid: Xid) -> Mark:
    """Give the mark of a prepared branch."""
    return Mark(BRANCHES, xid.global_transaction_id.decode())


def xid_of(branch: str) -> Xid:
    """Give the identifier of a branch by its key."""
    return Xid(FORMAT, branch.encode(), b"1")


def key_of(message: Message) -> str:
    """Read the key of a message; its body and properties have to agree."""
    key = message.get_string_property("key")
    size = message.get_int_property("size")
    if not isinstance(message, TextMessage) or key is None or message.text != f"{key} {'x' * size}":
        raise AssertionError(f"the message with key {key} has another body than was sent")
    return key
