"""The visible effects of faults at the fault points of connection consumers and of sessions with listeners of their own."""

from __future__ import annotations

from fault_point_effects import effect, left, skip
from rp_server import Pool
from rp_support import connect, send, session_of

from reference_provider.client.application_server import fault_points as server_points


def serve(provider, queue, *, start=True, maximum=2):
    """Let a server session get what is sent to a queue; return the connection and the pool."""
    connection = connect(provider, start=start)
    pool = Pool(provider, connection)
    connection.create_connection_consumer(queue, None, pool, maximum)
    send(session_of(provider), queue, "a", "b")
    provider.clock.event().wait(10)
    return connection, pool


@effect("MESSAGES_ALLOWED")
def _(provider, queue, patch):
    patch.at(server_points.MESSAGES_ALLOWED, lambda original, consumer: True)
    _, pool = serve(provider, queue, start=False)
    assert pool.calls[:3] == ["get", "session", "start"]


@effect("SERVER_SESSION_TAKEN")
def _(provider, queue, patch):
    def fault(original, consumer):
        server_session = original(consumer)
        server_session.pool.texts.append("faulty")
        return server_session

    patch.at(server_points.SERVER_SESSION_TAKEN, fault)
    _, pool = serve(provider, queue)
    assert pool.texts[0] == "faulty"


@effect("SERVER_SESSION_ASKED")
def _(provider, queue, patch):
    def fault(original, server_session):
        original(server_session)
        return original(server_session)

    patch.at(server_points.SERVER_SESSION_ASKED, fault)
    _, pool = serve(provider, queue)
    assert pool.calls[:4] == ["get", "session", "session", "start"]


@effect("SESSION_LOADED")
def _(provider, queue, patch):
    def fault(original, consumer, runner, first):
        first.undo()
        return False

    patch.at(server_points.SESSION_LOADED, fault)
    _, pool = serve(provider, queue)
    assert pool.calls[:2] == ["get", "session"]
    assert "start" not in pool.calls


@effect("SERVER_SESSION_STARTED")
def _(provider, queue, patch):
    patch.at(server_points.SERVER_SESSION_STARTED, skip)
    _, pool = serve(provider, queue)
    assert pool.calls[:2] == ["get", "session"]
    assert "start" not in pool.calls


@effect("RUN_ALLOWED")
def _(provider, queue, patch):
    patch.at(server_points.RUN_ALLOWED, lambda original, runner: True)
    connection, pool = serve(provider, queue)
    start, pool.server.start = pool.server.start, lambda: None
    send(session_of(provider), queue, "c")
    provider.clock.event().wait(10)
    connection.stop()
    start()
    provider.clock.event().wait(10)
    assert pool.texts == ["a", "b", "c"]


@effect("RUN_CONTINUED")
def _(provider, queue, patch):
    patch.at(server_points.RUN_CONTINUED, skip)
    _, pool = serve(provider, queue)
    assert pool.batches[0] == 0


@effect("OWN_LISTENER_CALLED")
def _(provider, queue, patch):
    patch.at(server_points.OWN_LISTENER_CALLED, lambda original, runner, listener, delivery: False)
    connection, pool = serve(provider, queue)
    connection.close()
    assert left(provider, queue) == []
    assert pool.texts == []


@effect("SESSION_UNLOADED")
def _(provider, queue, patch):
    patch.at(server_points.SESSION_UNLOADED, lambda original, runner: (original(runner), [])[1])
    connection = connect(provider)
    pool = Pool(provider, connection)
    pool.server.start = lambda: None
    connection.create_connection_consumer(queue, None, pool, 1)
    send(session_of(provider), queue, "a")
    provider.clock.event().wait(10)
    connection.close()
    assert left(provider, queue) == []
