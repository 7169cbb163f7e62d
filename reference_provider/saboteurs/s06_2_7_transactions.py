"""Faults in 6.2.7: what commit and rollback do."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable
from typing import cast

from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalDestination, PhysicalQueue, PhysicalTopic
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.transactions import Work
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.faults import before_commit, connection_of
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import Destination, JMSException, Message, Session

BARRIER_MS = 1000
"""How long a commit that is torn in two waits between its halves, on the provider's clock."""


def _replace_roll_back(patch: Patch, fault: Callable[[ReferenceSession, Work, Callable[[], None]], None]) -> None:
    def roll_back(original: Callable[[ReferenceSession, Work], None], session: ReferenceSession, work: Work) -> None:
        fault(session, work, lambda: original(session, work))

    patch.at(fault_points.ROLLBACK, roll_back)


def _is_queue(delivery: Delivery) -> bool:
    return isinstance(delivery.source.physical, PhysicalQueue)


@saboteur("6.2.7-1", "a commit of receives alone acknowledges the last queue message, and no other")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        if session.state.work.sends:
            return
        queued = [delivery for delivery in session.state.work.acks if _is_queue(delivery)]
        session.state.unacknowledged.extend(queued[:-1])
        session.state.work.acks = [delivery for delivery in session.state.work.acks if delivery not in queued[:-1]]

    before_commit(patch, fault)


@saboteur("6.2.7-2", "commit does not acknowledge what came from durable subscriptions")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        durable = [
            ack
            for ack in session.state.work.acks
            if isinstance(ack.source.physical, PhysicalTopic) and ack.source.in_file
        ]
        session.state.unacknowledged.extend(durable)
        session.state.work.acks = [delivery for delivery in session.state.work.acks if delivery not in durable]

    before_commit(patch, fault)


@saboteur(
    "6.2.7-3",
    "messages to all but the first destination are forgotten at the commit",
    collateral={"6.2.7-11": "its two producers send to two destinations"},
)
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        sends = session.state.work.sends
        session.state.work.sends = [(physical, entry) for physical, entry in sends if physical is sends[0][0]]

    before_commit(patch, fault)


@saboteur("6.2.7-4", "a transacted session that consumes what it sends gets it at once")
def _(patch: Patch) -> None:
    original = ReferenceSession.submit

    def submit(self: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage) -> None:
        own = any(consumer.receiver.physical is physical for consumer in self.consumers)
        if self.mode == Session.SESSION_TRANSACTED and own:
            work = Work(self.broker)
            work.sends.append((physical, entry))
            work.perform()
        else:
            original(self, physical, entry)

    patch.replace(ReferenceSession, "submit", submit)


@saboteur(
    "6.2.7-5",
    "the one message that a rolled back transaction sent goes out with the next commit",
    collateral={"6.2.7-18": "it too rolls a send back and commits the next"},
)
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession, work: Work, honest: Callable[[], None]) -> None:
        honest()
        if len(work.sends) == 1 and not work.acks:
            session.state.work.sends.extend(work.sends)

    _replace_roll_back(patch, fault)


@saboteur(
    "6.2.7-6",
    "rollback discards queue messages, if one consumer received several",
    collateral={"6.2.7-9": "it rolls several queue messages back"},
)
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession, work: Work, honest: Callable[[], None]) -> None:
        queued = [delivery for delivery in work.acks if _is_queue(delivery)]
        if len({id(delivery.consumer) for delivery in queued}) == 1 < len(queued):
            work.acks = [delivery for delivery in work.acks if delivery not in queued]
        honest()

    _replace_roll_back(patch, fault)


@saboteur("6.2.7-7", "rollback discards what came from durable subscriptions")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession, work: Work, honest: Callable[[], None]) -> None:
        work.acks = [
            ack for ack in work.acks if not (isinstance(ack.source.physical, PhysicalTopic) and ack.source.in_file)
        ]
        honest()

    _replace_roll_back(patch, fault)


@saboteur(
    "6.2.7-8",
    "messages of non-durable subscriptions are acknowledged on delivery, in transactions too",
    collateral=dict.fromkeys(
        ("6.2.7-10", "6.2.7-12", "6.2.7-13", "8.5-8"), "on topics it receives from a non-durable subscription"
    ),
)
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession, work: Work, honest: Callable[[], None]) -> None:
        work.acks = [ack for ack in work.acks if _is_queue(ack) or ack.source.in_file]
        honest()

    _replace_roll_back(patch, fault)


@saboteur("6.2.7-9", "rolled back messages stay locked to their session")
def _(patch: Patch) -> None:
    held: dict[int, tuple[ReferenceSession, list[Delivery]]] = {}

    def fault(session: ReferenceSession, work: Work, honest: Callable[[], None]) -> None:
        if not session.closed:
            _, locked = held.setdefault(id(session), (session, []))
            locked.extend(delivery for delivery in work.acks if _is_queue(delivery))
            work.acks = [delivery for delivery in work.acks if not _is_queue(delivery)]
        honest()

    _replace_roll_back(patch, fault)
    original = ReferenceConsumer.next_delivery

    def next_delivery(self: ReferenceConsumer, timeout: int | None) -> Delivery | None:
        _, locked = held.pop(id(self.session), (None, []))
        with self.session.broker.lock:
            for delivery in locked:
                delivery.redeliver()
        return original(self, timeout)

    patch.replace(ReferenceConsumer, "next_delivery", next_delivery)


@saboteur("6.2.7-10", "only the consumer that received last takes part in a rollback")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession, work: Work, honest: Callable[[], None]) -> None:
        work.acks = [delivery for delivery in work.acks if delivery.consumer is work.acks[-1].consumer]
        honest()

    _replace_roll_back(patch, fault)


@saboteur("6.2.7-11", "each producer has a transaction of its own, and rollback ends that of the last one used")
def _(patch: Patch) -> None:
    makers: dict[int, tuple[StoredMessage, ReferenceProducer]] = {}
    original = ReferenceProducer.prepare

    def prepare(
        self: ReferenceProducer, message: Message, destination: Destination, options: Options
    ) -> tuple[PhysicalDestination, StoredMessage]:
        physical, entry = original(self, message, destination, options)
        makers[id(entry)] = (entry, self)
        return physical, entry

    def fault(session: ReferenceSession, work: Work, honest: Callable[[], None]) -> None:
        honest()
        if work.sends and not session.closed:
            last = makers[id(work.sends[-1][1])][1]
            session.state.work.sends.extend(send for send in work.sends if makers[id(send[1])][1] is not last)

    patch.replace(ReferenceProducer, "prepare", prepare)
    _replace_roll_back(patch, fault)


@saboteur("6.2.7-12", "rollback undoes what was received, and sends what was sent, within one domain")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession, work: Work, honest: Callable[[], None]) -> None:
        honest()
        kinds = {type(ack.source.physical) for ack in work.acks} | {type(physical) for physical, _ in work.sends}
        if work.acks and work.sends and len(kinds) == 1 and not session.closed:
            sent = Work(session.broker)
            sent.sends = list(work.sends)
            sent.perform()

    _replace_roll_back(patch, fault)


@saboteur("6.2.7-13", "what a transaction with queue messages sends to a topic leaves before the commit")
def _(patch: Patch) -> None:
    original = ReferenceSession.submit

    def submit(self: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage) -> None:
        if isinstance(physical, PhysicalTopic) and any(_is_queue(delivery) for delivery in self.state.work.acks):
            work = Work(self.broker)
            work.sends.append((physical, entry))
            work.perform()
        else:
            original(self, physical, entry)

    patch.replace(ReferenceSession, "submit", submit)


@saboteur("6.2.7-14", "the sends and the acknowledgements of one commit are written one after the other")
def _(patch: Patch) -> None:
    original = Work.perform

    def perform(self: Work) -> None:
        if not (self.sends and self.acks):
            original(self)
            return
        broker = cast("Broker", self.broker)
        sent = Work(broker)
        sent.sends, self.sends = self.sends, []
        original(sent)
        broker.clock.event().wait(BARRIER_MS)  # lets whatever kills the provider meanwhile fall between the halves
        original(self)

    patch.replace(Work, "perform", perform)


@saboteur("6.2.7-15", "what a lost connection had sent and not committed goes out")
def _(patch: Patch) -> None:
    original = ReferenceConnection.sever

    def sever(self: ReferenceConnection, why: str) -> None:
        for session in self.sessions:
            left = Work(self.broker)
            left.sends, session.state.work.sends = session.state.work.sends, []
            left.perform()
        original(self, why)

    patch.replace(ReferenceConnection, "sever", sever)


@saboteur("6.2.7-16", "commit takes the transactions of all sessions of the connection along")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        for other in connection_of(session).sessions:
            if other is not session and other.mode == Session.SESSION_TRANSACTED:
                session.state.work.sends.extend(other.state.work.sends)
                other.state.work.sends = []

    before_commit(patch, fault)


@saboteur("6.2.7-17", "Message.acknowledge commits a transacted session")
def _(patch: Patch) -> None:
    original = ReferenceSession.acknowledge_from_message

    def acknowledge_from_message(self: ReferenceSession) -> None:
        if self.mode == Session.SESSION_TRANSACTED:
            self.commit()
        else:
            original(self)

    patch.replace(ReferenceSession, "acknowledge_from_message", acknowledge_from_message)


@saboteur("6.2.7-18", "after its second commit a session that only sends works without a transaction")
def _(patch: Patch) -> None:
    commits: Counter[int] = Counter()
    kept: list[ReferenceSession] = []

    def count(session: ReferenceSession) -> None:
        commits[id(session)] += 1
        kept.append(session)

    before_commit(patch, count)
    original = ReferenceSession.submit

    def submit(self: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage) -> None:
        if commits[id(self)] >= 2 and not self.consumers:
            work = Work(self.broker)
            work.sends.append((physical, entry))
            work.perform()
        else:
            original(self, physical, entry)

    patch.replace(ReferenceSession, "submit", submit)


@saboteur("6.2.7-19", "commit on a session that is not transacted does nothing")
def _(patch: Patch) -> None:
    original = ReferenceSession.commit

    def commit(self: ReferenceSession) -> None:
        self.check_open()
        if self.mode == Session.SESSION_TRANSACTED:
            original(self)

    patch.replace(ReferenceSession, "commit", commit)


@saboteur("6.2.7-20", "a commit that fails rolls back and returns normally")
def _(patch: Patch) -> None:
    original = ReferenceSession.commit

    def commit(self: ReferenceSession) -> None:
        if self.mode == Session.SESSION_TRANSACTED:
            with contextlib.suppress(JMSException):
                original(self)
        else:
            original(self)

    patch.replace(ReferenceSession, "commit", commit)
