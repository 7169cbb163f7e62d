"""Faults in 11.2.2: the session of a server session, and its start."""

from faults.kit import *


@saboteur("11.2.2-1", "where six messages may be loaded, the listener of another session of the connection gets them")
def _(patch):
    astray = set[ServerSessionRunner]()

    def loaded(consumer, runner):
        if consumer.max_messages == 6:
            astray.add(runner)

    def call(original, runner, listener, delivery):
        others = [one.runner.listener for one in runner.session.connection.sessions if one.runner is not runner]
        other = next((one for one in others if one is not None), listener)
        return original(runner, other if runner in astray else listener, delivery)

    after_load(patch, loaded)
    patch.at(server_points.OWN_LISTENER_CALLED, call)


@saboteur(
    "11.2.2-2",
    "where seven messages may be loaded, the provider runs the session itself and does not start the server session",
    by=server_session_started,
)
def _(consumer, server_session, start):
    if consumer.max_messages == 7:
        server_session.session.run()
    else:
        start()
