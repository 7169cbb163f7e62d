"""Run by test_jvm_providers.py beside inside.py: links that are cut, and a broker that is started again."""

import contextlib

from tck import api

WAIT = 10_000


class Problems(api.ExceptionListener):
    def __init__(self, event):
        self.event = event
        self.seen = []

    def on_exception(self, exception):
        self.seen.append(exception)
        self.event.set()


def test_a_severed_connection_tells_its_listener_alone(provider, capfd):
    assert api.Hook.SEVER in provider.hooks
    connection = provider.connection_factory().create_connection()
    with provider.connection_factory().create_connection() as other:
        others, problems = Problems(provider.clock.event()), Problems(provider.clock.event())
        other.exception_listener, connection.exception_listener = others, problems
        assert connection.exception_listener is problems
        connection.start()
        provider.sever(connection)
        assert problems.event.wait(WAIT)
        assert isinstance(problems.seen[0], api.JMSException)
        other.create_session(transacted=False, session_mode=api.Session.AUTO_ACKNOWLEDGE)
        assert not others.seen
    with contextlib.suppress(api.JMSException):  # one that has failed may say so once more
        connection.close()
    assert capfd.readouterr() == ("", "")


def test_what_has_no_link_any_more_can_be_severed(provider):
    factory = provider.connection_factory()
    closed = factory.create_connection()
    closed.close()
    provider.sever(closed)
    stranded, cut = factory.create_connection(), factory.create_connection()
    problems = Problems(provider.clock.event())
    cut.exception_listener = problems
    cut.start()
    for _ in range(2):
        provider.sever(cut)  # at once, when the client does not know yet
    assert problems.event.wait(WAIT)
    provider.sever(cut)
    if api.Hook.RESTART in provider.hooks:
        provider.restart()
        provider.sever(stranded)
    with factory.create_connection() as other:
        other.create_session(transacted=False, session_mode=api.Session.AUTO_ACKNOWLEDGE)
    for connection in (cut, stranded):
        with contextlib.suppress(api.JMSException):
            connection.close()
        provider.sever(connection)


def test_what_a_severed_connection_had_in_hand_is_free_at_once(provider, queue):
    factory = provider.connection_factory()
    dying = factory.create_connection()
    dying.start()
    with factory.create_connection() as connection:
        connection.start()
        session = connection.create_session(transacted=False, session_mode=api.Session.AUTO_ACKNOWLEDGE)
        producer = session.create_producer(queue)
        producer.send(session.create_text_message("taken"))
        transacted = dying.create_session(transacted=True, session_mode=api.Session.SESSION_TRANSACTED)
        assert transacted.create_consumer(queue).receive(WAIT).text == "taken"
        transacted.create_producer(queue).send(transacted.create_text_message("never committed"))
        provider.sever(dying)
        producer.send(session.create_text_message("after"))
        consumer = session.create_consumer(queue)
        assert {consumer.receive(WAIT).text for _ in range(2)} == {"taken", "after"}
    with contextlib.suppress(api.JMSException):
        dying.close()


def test_a_restart_keeps_persistent_messages(provider, queue):
    with provider.connection_factory().create_connection() as connection:
        session = connection.create_session(transacted=False, session_mode=api.Session.AUTO_ACKNOWLEDGE)
        session.create_producer(queue).send(session.create_text_message("x"))
    provider.restart()
    with provider.connection_factory().create_connection() as connection:
        connection.start()
        with (
            connection.create_session(transacted=False, session_mode=api.Session.AUTO_ACKNOWLEDGE) as session,
            session.create_consumer(queue) as consumer,
        ):
            assert consumer.receive(WAIT).text == "x"


def test_a_client_identifier_is_free_after_a_restart(provider):
    if api.Hook.RESTART not in provider.hooks:
        return
    factory = provider.connection_factory()
    held = factory.create_connection()
    held.client_id = "held"
    held.start()
    provider.restart()
    with contextlib.suppress(api.JMSException):
        held.close()
    with factory.create_connection() as connection:
        connection.client_id = "held"
