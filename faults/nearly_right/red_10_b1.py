"""Red round 10, third part: faults in connection consumers and in branches, written without sight of the suite."""

from faults.kit import *


@of_round(10)(
    "message-in-hand-is-lost-with-its-closed-consumer",
    "a connection consumer that is closed while it waits for the pool never returns the message it has in hand",
    "11.2.7-1",
    "11.2.3-2",
    noticed=False,
    at=server_points.SESSION_LOADED,
)
def _(original, consumer, runner, first):
    return not (consumer._closed and not consumer.connection.is_down()) and original(consumer, runner, first)


of_round(10)(
    "only-one-of-the-messages-that-never-ran-returns",
    "of several messages loaded into a session that is closed before it runs, only the first goes back",
    "11.2.7-1",
    install=lambda patch: patch.at(server_points.SESSION_UNLOADED, lambda original, runner: original(runner)[:1]),
)


@of_round(10)(
    "acknowledge-takes-the-rest-of-the-batch-along",
    "acknowledge within run also acknowledges the loaded messages that the listener has not had yet",
    "11.2.7-2",
    "11.2.7-1",
    at=fault_points.ACKNOWLEDGED,
)
def _(original, session):
    original(session)
    if session.runner.is_current_thread():
        loaded = list(session.runner.loaded)
        session.state.acknowledge(loaded, durable=True)
        for delivery in loaded:
            delivery.held = False


@of_round(10)(
    "run-returns-after-a-failed-listener",
    "run leaves the rest of the assigned messages where they are when the listener has raised",
    "11.2.1-4",
    "11.2.1-5",
)
def _returns_early(patch):
    failed = []

    def call_listener(original, runner, listener, delivery):
        raised = original(runner, listener, delivery)
        if raised:
            failed.append(runner)
        return raised

    def next_delivery(original, runner):
        if any(one is runner for one in failed):
            failed[:] = [one for one in failed if one is not runner]
            return None
        return original(runner)

    patch.at(server_points.OWN_LISTENER_CALLED, call_listener)
    patch.at(server_points.RUN_CONTINUED, next_delivery)


@of_round(10)(
    "batch-is-filled-up-without-the-selector",
    "a connection consumer on a queue applies its selector to the first message of a batch only",
    "11.2.4-3",
    at=server_points.SESSION_LOADED,
)
def _(original, consumer, runner, first):
    receiver = consumer._receiver
    matches, receiver.matches = receiver.matches, None
    try:
        return original(consumer, runner, first)
    finally:
        receiver.matches = matches


@of_round(10)(
    "run-that-has-begun-goes-on-under-a-stop",
    "a stop of the connection during run does not keep the rest of the batch from the listener",
    "11.2.4-7",
    "6.1.5-11",
    noticed=False,
)
def _goes_on(patch):
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


@of_round(10)(
    "refused-durable-connection-consumer-stays-on-its-subscription",
    "a durable connection consumer refused for its pool occupies the subscription until the connection closes",
    "11.2.4-8",
    "11.2.4-13",
    noticed=False,
    by=lambda patch, made: created(patch, "create_durable_connection_consumer", made),
)
def _(original, connection, topic, name, selector, pool, most):
    if isinstance(pool, ServerSessionPool) or most < 1:
        return original(connection, topic, name, selector, pool, most)
    connection.use()
    connection.consumer_factory.open_durable(topic, name, selector, OMITTED)
    raise JMSException(f"a server session pool is needed, not {pool!r}", "NO_POOL")


@of_round(10)(
    "known-server-session-is-started-before-it-is-loaded",
    "a server session that the pool hands out again is started as soon as it is there, and its session loaded afterwards",
    "11.2.5-1",
    "11.2.5-2",
    noticed=False,
)
def _started_early(patch):
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


@of_round(10)(
    "scan-begun-anew-lists-nothing",
    "recover with TMSTARTRSCAN lists nothing if the scan before was not ended",
    "11.3.5-5",
    "11.3.5-1",
    noticed=False,
    at=fault_points.XA_RECOVER,
)
def _(original, resource, flags):
    return original(resource, flags & ~XAResource.TMSTARTRSCAN if resource._scan_open else flags)


@of_round(10)(
    "suspended-branch-outlives-its-timeout",
    "the transaction timeout of a branch passes without effect while the branch is suspended",
    "11.3.5-15",
    noticed=False,
    around=(ReferenceXAResource, "_time_out"),
)
def _(original, resource, branch):
    if not branch.suspended:
        original(resource, branch)
