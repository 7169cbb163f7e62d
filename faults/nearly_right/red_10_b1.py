"""Red round 10, third part: faults in connection consumers and in branches, written without sight of the suite."""

from faults.kit import *

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
