"""Red round 7, third part: faults of factories, connections and sessions, written without sight of the suite."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.transactions import Work
from reference_provider.client.connection_factories import ReferenceTopicConnectionFactory
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.context import ReferenceContext
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.simplified import unchecked
from reference_provider.naming import Naming
from reference_provider.server import Server
from tck.api import JMSContext, Omitted, Session, TransactionRolledBackException


def _paused(patch: Patch, paused: list[ReferenceSession]) -> None:
    original = ReferenceSession.may_deliver

    def may_deliver(self: ReferenceSession) -> bool:
        return self not in paused and original(self)

    patch.replace(ReferenceSession, "may_deliver", may_deliver)


@nearly_right(
    "looked-up-topic-factory-has-no-client-id",
    "a TopicConnectionFactory that was looked up in the namespace makes connections without the client identifier"
    " configured in it",
    "5.3-1",
    "5.1-14",
    "6.1.2-1",
)
def _lookup(patch: Patch) -> None:
    original = Naming.lookup

    def lookup(self: Naming, name: str) -> object:
        found = original(self, name)
        if isinstance(found, ReferenceTopicConnectionFactory):
            found.parameters = replace(found.parameters, client_id=None)
        return found

    patch.replace(Naming, "lookup", lookup)


@nearly_right(
    "password-is-checked-once-for-each-user",
    "once a user has connected with the right password, connections for that user are made with any password",
    "6.1.1-3",
    "6.1.1-4",
    "6.1-15",
)
def _password(patch: Patch) -> None:
    original = Server.authenticate
    known: set[tuple[Server, str]] = set()

    def authenticate(self: Server, user: str | None, password: str | None) -> None:
        if user is not None and user in self.users and (self, user) in known:
            return
        original(self, user, password)
        if user is not None and user in self.users:
            known.add((self, user))

    patch.replace(Server, "authenticate", authenticate)


@nearly_right(
    "context-replaces-a-configured-client-id",
    "a JMSContext lets the client replace the client identifier configured in its factory; a Connection refuses that",
    "6.1.2-4",
)
def _configured(patch: Patch) -> None:
    original: Any = ReferenceContext.client_id

    def set_client_id(self: ReferenceContext, client_id: str | None) -> None:
        connection = self.connection
        if connection._client_id_configured and not connection.used:
            with connection.broker.lock:
                connection.server._client_ids.pop(connection._client_id or "", None)
            connection._client_id, connection._client_id_configured = None, False
        original.fset(self, client_id)

    patch.replace(ReferenceContext, "client_id", property(original.fget, set_client_id))


@nearly_right(
    "stop-of-a-further-context-stops-itself-only",
    "stop of a context that was made from another one does not pause what the others on the connection receive",
    "6.1.5-5",
    "6.1.5-4",
)
def _stop(patch: Patch) -> None:
    paused: list[ReferenceSession] = []
    stop_all = ReferenceContext.stop

    def stop(self: ReferenceContext) -> None:
        session, connection = self.session, self.connection
        if session.closed or not connection.usable or connection.sessions[0] is session:
            stop_all(self)
            return
        with unchecked:
            connection._check_not_in_listener("stopped")
            with connection.broker.lock:
                paused.append(session)
                for slot in session.wait_slots():
                    slot.open = False
            if session.dispatcher is not None:
                session.dispatcher.wait_until_idle()

    def start(original: Callable[[ReferenceConnection], None], connection: ReferenceConnection) -> None:
        paused[:] = [one for one in paused if one.connection is not connection]
        original(connection)

    patch.replace(ReferenceContext, "stop", stop)
    patch.at(fault_points.CONNECTION_STARTED, start)
    _paused(patch, paused)


@nearly_right(
    "listening-durable-subscriber-outlives-its-connection",
    "a durable subscriber with a listener still counts as active after Connection.close; one without does not",
    "6.1.8-17",
    "8.3.3-26",
)
def _still_active(patch: Patch) -> None:
    def detach(original: Callable[[ReferenceConsumer], None], consumer: ReferenceConsumer) -> None:
        subscription, connection = consumer.receiver.subscription, consumer.session.connection
        listening = consumer.listener is not None and not consumer.receiver.closed
        original(consumer)
        if listening and subscription is not None and subscription.durable and getattr(connection, "closing", False):
            subscription.consumers += 1

    patch.at(fault_points.CONSUMER_CLOSED, detach)


@nearly_right(
    "transacted-session-heeds-its-second-argument",
    "in a session made with createSession(true, CLIENT_ACKNOWLEDGE) acknowledge settles what the transaction received,"
    " so that rollback does not bring it back",
    "6.2.10-16",
    "3.6-3",
    "6.2-3",
    "6.2.7-6",
)
def _second_argument(patch: Patch) -> None:
    asked: set[int] = set()
    heeding: list[ReferenceSession] = []

    def session_mode(
        original: Callable[..., int], connection: ReferenceConnection, transacted: bool | Omitted, mode: int | Omitted
    ) -> int:
        asked.discard(id(connection))
        if transacted is True and mode == Session.CLIENT_ACKNOWLEDGE:
            asked.add(id(connection))
        return original(connection, transacted, mode)

    def add_session(
        original: Callable[..., ReferenceSession], connection: ReferenceConnection, session: ReferenceSession
    ) -> ReferenceSession:
        if id(connection) in asked:
            heeding.append(session)
        asked.discard(id(connection))
        return original(connection, session)

    def acknowledge(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        original(session)
        if session in heeding:
            with session.broker.lock:
                received, session.state.work.acks = session.state.work.acks, []
            session.state.acknowledge(received, durable=True)

    patch.at(fault_points.SESSION_MODE_CHOSEN, session_mode)
    patch.at(fault_points.SESSION_OPENED, add_session)
    patch.at(fault_points.MESSAGE_ACKNOWLEDGED, acknowledge)


@nearly_right(
    "session-is-stopped-by-a-failed-commit",
    "a session whose commit failed, and was rolled back, receives nothing any more",
    "6.2.7-18",
    "6.2.7-6",
    "6.2.7-20",
)
def _failed_commit(patch: Patch) -> None:
    paused: list[ReferenceSession] = []

    def commit(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        try:
            original(session)
        except TransactionRolledBackException:
            paused.append(session)
            raise

    patch.at(fault_points.COMMIT, commit)
    _paused(patch, paused)


@nearly_right(
    "recover-skips-shared-subscriptions",
    "recover does not bring back the messages of shared non-durable subscriptions, though their consumer is open",
    "6.2.10-22",
    "6.2.10-23",
    "4.2.8-1",
)
def _recover(patch: Patch) -> None:
    original = ReferenceSession.recover

    def is_lost(delivery: Any) -> bool:
        subscription = delivery.consumer.receiver.subscription
        return subscription is not None and subscription.shared and not subscription.durable

    def recover(self: ReferenceSession) -> None:
        self.check_open()
        with self.broker.lock:
            for delivery in [one for one in self.state.unacknowledged if is_lost(one)]:
                self.state.unacknowledged.remove(delivery)
                delivery.remove_from_queue()
        original(self)

    patch.replace(ReferenceSession, "recover", recover)


@nearly_right(
    "unsubscribe-commits-the-transaction",
    "unsubscribe in a transacted session commits its open transaction, as if it had changed a table of a database",
    "6.2.7-17",
    "6.2.7-5",
)
def _unsubscribe(patch: Patch) -> None:
    original = ReferenceSession.unsubscribe

    def unsubscribe(self: ReferenceSession, name: str | None) -> None:
        original(self, name)
        if self.mode == JMSContext.SESSION_TRANSACTED:
            self.commit()

    patch.replace(ReferenceSession, "unsubscribe", unsubscribe)


@nearly_right(
    "acknowledge-is-stored-for-one-destination",
    "if a session has received from two queues or subscriptions, acknowledge is written to the file for the first only:"
    " the messages of the other come again after a restart",
    "6.2.11-4",
    "6.2.10-11",
    "6.2.10-7",
    "6.2.10-8",
)
def _one_destination(patch: Patch) -> None:
    original = Work.statements

    def statements(self: Work) -> list[Any]:
        if self.sends or not self.acks or any(one.transaction is not None for one in self.acks):
            return original(self)
        first = self.acks[0].source
        return [each for one in self.acks if one.stored and one.source is first for each in one.forget_statements()]

    patch.replace(Work, "statements", statements)
