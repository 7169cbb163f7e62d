"""Red round 7, third part: faults of factories, connections and sessions, written without sight of the suite."""

from dataclasses import replace

from faults.kit import *


def _paused(patch, paused):
    original = ReferenceSession.may_deliver

    def may_deliver(self):
        return self not in paused and original(self)

    patch.replace(ReferenceSession, "may_deliver", may_deliver)


@of_round(7)(
    "looked-up-topic-factory-has-no-client-id",
    "a TopicConnectionFactory that was looked up in the namespace makes connections without the client identifier"
    " configured in it",
    "5.3-1",
    "5.1-14",
    "6.1.2-1",
)
def _lookup(patch):
    original = Naming.lookup

    def lookup(self, name):
        found = original(self, name)
        if isinstance(found, ReferenceTopicConnectionFactory):
            found.parameters = replace(found.parameters, client_id=None)
        return found

    patch.replace(Naming, "lookup", lookup)


@of_round(7)(
    "password-is-checked-once-for-each-user",
    "once a user has connected with the right password, connections for that user are made with any password",
    "6.1.1-3",
    "6.1.1-4",
    "6.1-15",
)
def _password(patch):
    original = Server.authenticate
    known = set()

    def authenticate(self, user, password):
        if user is not None and user in self.users and (self, user) in known:
            return
        original(self, user, password)
        if user is not None and user in self.users:
            known.add((self, user))

    patch.replace(Server, "authenticate", authenticate)


@of_round(7)(
    "context-replaces-a-configured-client-id",
    "a JMSContext lets the client replace the client identifier configured in its factory; a Connection refuses that",
    "6.1.2-4",
)
def _configured(patch):
    original = ReferenceContext.client_id

    def set_client_id(self, client_id):
        connection = self.connection
        if connection._client_id_configured and not connection.used:
            with connection.broker.lock:
                connection.server._client_ids.pop(connection._client_id or "", None)
            connection._client_id, connection._client_id_configured = None, False
        original.fset(self, client_id)

    patch.replace(ReferenceContext, "client_id", property(original.fget, set_client_id))


@of_round(7)(
    "stop-of-a-further-context-stops-itself-only",
    "stop of a context that was made from another one does not pause what the others on the connection receive",
    "6.1.5-5",
    "6.1.5-4",
)
def _stop(patch):
    paused = []
    stop_all = ReferenceContext.stop

    def stop(self):
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

    def start(original, connection):
        paused[:] = [one for one in paused if one.connection is not connection]
        original(connection)

    patch.replace(ReferenceContext, "stop", stop)
    patch.at(fault_points.CONNECTION_STARTED, start)
    _paused(patch, paused)


@of_round(7)(
    "listening-durable-subscriber-outlives-its-connection",
    "a durable subscriber with a listener still counts as active after Connection.close; one without does not",
    "6.1.8-17",
    "8.3.3-26",
    at=fault_points.CONSUMER_CLOSED,
)
def _(original, consumer):
    subscription, connection = consumer.receiver.subscription, consumer.session.connection
    listening = consumer.listener is not None and not consumer.receiver.closed
    original(consumer)
    if listening and subscription is not None and subscription.durable and getattr(connection, "closing", False):
        subscription.consumers += 1


@of_round(7)(
    "transacted-session-heeds-its-second-argument",
    "in a session made with createSession(true, CLIENT_ACKNOWLEDGE) acknowledge settles what the transaction received,"
    " so that rollback does not bring it back",
    "6.2.10-16",
    "3.6-3",
    "6.2-3",
    "6.2.7-6",
)
def _second_argument(patch):
    asked = set()
    heeding = []

    def session_mode(original, connection, transacted, mode):
        asked.discard(id(connection))
        if transacted is True and mode == Session.CLIENT_ACKNOWLEDGE:
            asked.add(id(connection))
        return original(connection, transacted, mode)

    def add_session(original, connection, session):
        if id(connection) in asked:
            heeding.append(session)
        asked.discard(id(connection))
        return original(connection, session)

    def acknowledge(original, session):
        original(session)
        if session in heeding:
            with session.broker.lock:
                received, session.state.work.acks = session.state.work.acks, []
            session.state.acknowledge(received, durable=True)

    patch.at(fault_points.SESSION_MODE_CHOSEN, session_mode)
    patch.at(fault_points.SESSION_OPENED, add_session)
    patch.at(fault_points.MESSAGE_ACKNOWLEDGED, acknowledge)


@of_round(7)(
    "session-is-stopped-by-a-failed-commit",
    "a session whose commit failed, and was rolled back, receives nothing any more",
    "6.2.7-18",
    "6.2.7-6",
    "6.2.7-20",
)
def _failed_commit(patch):
    paused = []

    def commit(original, session):
        try:
            original(session)
        except TransactionRolledBackException:
            paused.append(session)
            raise

    patch.at(fault_points.COMMIT, commit)
    _paused(patch, paused)


@of_round(7)(
    "recover-skips-shared-subscriptions",
    "recover does not bring back the messages of shared non-durable subscriptions, though their consumer is open",
    "6.2.10-22",
    "6.2.10-23",
    "4.2.8-1",
)
def _recover(patch):
    original = ReferenceSession.recover

    def is_lost(delivery):
        subscription = delivery.consumer.receiver.subscription
        return subscription is not None and subscription.shared and not subscription.durable

    def recover(self):
        self.check_open()
        with self.broker.lock:
            for delivery in [one for one in self.state.unacknowledged if is_lost(one)]:
                self.state.unacknowledged.remove(delivery)
                delivery.remove_from_queue()
        original(self)

    patch.replace(ReferenceSession, "recover", recover)


@of_round(7)(
    "unsubscribe-commits-the-transaction",
    "unsubscribe in a transacted session commits its open transaction, as if it had changed a table of a database",
    "6.2.7-17",
    "6.2.7-5",
)
def _unsubscribe(patch):
    original = ReferenceSession.unsubscribe

    def unsubscribe(self, name):
        original(self, name)
        if self.mode == JMSContext.SESSION_TRANSACTED:
            self.commit()

    patch.replace(ReferenceSession, "unsubscribe", unsubscribe)


@of_round(7)(
    "acknowledge-is-stored-for-one-destination",
    "if a session has received from two queues or subscriptions, acknowledge is written to the file for the first only:"
    " the messages of the other come again after a restart",
    "6.2.11-4",
    "6.2.10-11",
    "6.2.10-7",
    "6.2.10-8",
)
def _one_destination(patch):
    original = Work.statements

    def statements(self):
        if self.sends or not self.acks or any(one.transaction is not None for one in self.acks):
            return original(self)
        first = self.acks[0].source
        return [each for one in self.acks if one.stored and one.source is first for each in one.forget_statements()]

    patch.replace(Work, "statements", statements)
