"""Faults of section 11.2 that no case notices yet."""

from contextlib import contextmanager

from faults.kit import *
from faults.kit.witnessing import *


@contextmanager
def _feeding(provider):
    """Give a connection and a session of it."""
    with provider.connection_factory().create_connection() as connection:
        yield connection, connection.create_session()


def _while_blocked(provider):
    fed, other = provider.create_queue("fed"), provider.create_queue("other")
    asked, free, called = (provider.clock.event() for _ in range(3))
    with _feeding(provider) as (connection, session):
        session.message_listener = Listening(lambda message: None)
        server = Serving(session, take=lambda: [asked.set(), free.wait(None)])
        connection.create_connection_consumer(fed, None, server, 1)
        connection.create_session().create_consumer(other).message_listener = Listening(lambda message: called.set())
        connection.start()
        send_texts(context_of(provider), fed, "a")
        asked.wait(1000)
        send_texts(context_of(provider), other, "b")
        seen = called.wait(1000)
        free.set()
        return seen


@of_round(8)(
    "pool-that-blocks-stops-the-listeners-of-the-connection",
    "message listeners of other sessions get nothing while a connection consumer of their connection waits for its pool",
    "11.2.3-2",
    witness=_while_blocked,
    expected=True,
)
def _(patch):
    waiting = {}

    def listens(session):
        return session.dispatcher is not None and bool(session.dispatcher.consumers)

    def allowed(may_deliver, self):
        return may_deliver(self) and not (waiting.get(self.connection) and listens(self))

    def take_server_session(original, consumer):
        connection = consumer.connection
        with connection.broker.lock:
            waiting[connection] = waiting.get(connection, 0) + 1
            for session in connection.sessions:
                if listens(session):
                    session.slot.open = False
        try:
            return original(consumer)
        finally:
            with connection.broker.lock:
                waiting[connection] -= 1
                connection._wake_all()

    patch.around(ReferenceSession, "may_deliver", allowed)
    patch.at(asf_points.SERVER_SESSION_TAKEN, take_server_session)


def _stopped(provider):
    queue = provider.create_queue("red")
    clock = provider.clock
    first, second = clock.event(), clock.event()
    send_texts(context_of(provider), queue, "one", "two")
    with _feeding(provider) as (connection, session):

        def listen(message):
            if message.text == "two":
                second.set()
            else:
                first.set()
                clock.event().wait(500)

        session.message_listener = Listening(listen)
        connection.create_connection_consumer(queue, None, Serving(session), 5)
        connection.start()
        first.wait(1000)
        connection.stop()
        while_stopped = second.wait(1000)
        connection.start()
        return while_stopped, second.wait(1000)


@of_round(10)(
    "run-that-has-begun-goes-on-under-a-stop",
    "a stop of the connection during run does not keep the rest of the batch from the listener",
    "11.2.4-7 6.1.5-11",
    witness=_stopped,
    expected=(False, True),
)
def _(patch):
    begun = {}

    def next_delivery(original, runner):
        delivery = original(runner)
        if delivery is None:
            begun.pop(id(runner), None)
        else:
            begun[id(runner)] = runner
        return delivery

    def may_run(original, runner):
        session = runner.session
        usable = session.connection.usable and not session.closing
        return original(runner) or (usable and id(runner) in begun)

    patch.at(server_points.RUN_CONTINUED, next_delivery)
    patch.at(server_points.RUN_ALLOWED, may_run)


def _refused(provider):
    topic = provider.create_topic("red")
    with provider.connection_factory().create_connection() as connection:
        connection.client_id = "red"
        session = connection.create_session()
        pools = [None, Serving(session)]
        create = connection.create_durable_connection_consumer
        return [refusal(lambda pool=pool: create(topic, "red", None, pool, 1)) for pool in pools]


@of_round(10)(
    "refused-durable-connection-consumer-stays-on-its-subscription",
    "a durable connection consumer refused for its pool occupies the subscription until the connection closes",
    "11.2.4-8 11.2.4-13",
    witness=_refused,
    expected=["JMSException", None],
    by=lambda patch, made: created(patch, "create_durable_connection_consumer", made),
)
def _(original, connection, topic, name, selector, pool, most):
    if isinstance(pool, ServerSessionPool) or most < 1:
        return original(connection, topic, name, selector, pool, most)
    connection.use()
    connection.consumer_factory.open_durable(topic, name, selector, OMITTED)
    raise JMSException(f"a server session pool is needed, not {pool!r}", "NO_POOL")


def _resumed(provider):
    topic = provider.create_topic("red")
    with provider.connection_factory().create_connection() as connection:
        connection.client_id = "red"
        session = connection.create_session()
        connection.create_durable_connection_consumer(topic, "name", None, Serving(session), 1).close()
        return refusal(lambda: session.create_durable_consumer(topic, "name").message_selector)


@of_round(8)(
    "closed-durable-connection-consumer-occupies-its-subscription",
    "an unshared durable subscription stays in use after its connection consumer was closed, until the connection is closed",
    "11.2.4-16 11.2.4-8",
    witness=_resumed,
    expected=None,
)
def _(patch):
    occupied = {}

    def close(close_consumer, self):
        subscription = self._receiver.subscription
        connection = self.connection
        leaves = not self._closed and not connection.is_down()
        close_consumer(self)
        if leaves and subscription is not None and subscription.durable and not subscription.shared:
            subscription.consumers += 1
            occupied.setdefault(connection, []).append(subscription)

    def ended(end, self):
        for subscription in occupied.pop(self, []):
            subscription.consumers -= 1
        end(self)

    patch.around(ReferenceConnectionConsumer, "close", close)
    patch.around(ReferenceConnection, "_end", ended)


def _second_batch(provider):
    queue = provider.create_queue("red")
    came = {text: provider.clock.event() for text in ("one", "two")}
    with _feeding(provider) as (connection, session):
        session.message_listener = Listening(lambda message: came[message.text].set())
        connection.create_connection_consumer(queue, None, Serving(session), 1)
        connection.start()
        seen = []
        for text, event in came.items():
            send_texts(context_of(provider), queue, text)
            seen.append(event.wait(1000))
    return seen


@of_round(10)(
    "known-server-session-is-started-before-it-is-loaded",
    "a server session that the pool hands out again is started as soon as it is there, and its session loaded afterwards",
    "11.2.5-1 11.2.5-2",
    witness=_second_batch,
    expected=[True, True],
)
def _(patch):
    known = []
    early = []

    def ask(original, server_session):
        runner = original(server_session)
        if any(one is server_session for one in known):
            early.append(server_session)
            server_session.start()
        known.append(server_session)
        return runner

    def start(original, consumer, server_session):
        if any(one is server_session for one in early):
            early[:] = [one for one in early if one is not server_session]
        else:
            original(consumer, server_session)

    patch.at(server_points.SERVER_SESSION_ASKED, ask)
    patch.at(server_points.SERVER_SESSION_STARTED, start)


def _expired_in_between(provider):
    queue, got = provider.create_queue("red"), []
    asked, free, started = (provider.clock.event() for _ in range(3))
    with _feeding(provider) as (connection, session):
        session.message_listener = Listening(got.append)
        server = Serving(session, start=started.set, take=lambda: [asked.set(), free.wait(None)])
        connection.create_connection_consumer(queue, None, server, 1)
        connection.start()
        context_of(provider).create_producer().set_time_to_live(500).send(queue, "a")
        asked.wait(100)
        provider.clock.advance(1000)
        free.set()
        if started.wait(100):
            session.run()
            return bool(got)
        return True


@of_round(8)(
    "session-is-started-for-a-message-that-has-expired",
    "a server session is started without a message if the message has expired while the pool blocked",
    "11.2.5-2 11.2.5-1",
    witness=_expired_in_between,
    expected=True,
    at=asf_points.SESSION_LOADED,
)
def _(original, consumer, runner, first):
    broker = consumer.connection.broker
    with broker.lock:
        if not broker.is_expired(first.entry):
            following = first
        else:
            first.remove_from_queue()
            broker.discard(first.source, first.entry)
            following = consumer._receiver.take()
    return following is None or original(consumer, runner, following)


def _in_hand(provider):
    queue = provider.create_queue("red")
    asked, free = provider.clock.event(), provider.clock.event()
    with _feeding(provider) as (connection, session):
        server = Serving(session, take=lambda: [asked.set(), free.wait(None)])
        consumer = connection.create_connection_consumer(queue, None, server, 1)
        connection.start()
        send_texts(context_of(provider), queue, "one")
        asked.wait(1000)
        consumer.close()
        free.set()
        with context_of(provider) as context:
            return context.create_consumer(queue).receive_body(str, 1000)


@of_round(10)(
    "message-in-hand-is-lost-with-its-closed-consumer",
    "a connection consumer that is closed while it waits for the pool never returns the message it has in hand",
    "11.2.7-1 11.2.3-2",
    witness=_in_hand,
    expected="one",
    at=server_points.SESSION_LOADED,
)
def _(original, consumer, runner, first):
    return not (consumer._closed and not consumer.connection.is_down()) and original(consumer, runner, first)
