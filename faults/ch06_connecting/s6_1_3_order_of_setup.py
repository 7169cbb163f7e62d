"""Faults in 6.1.3: the order of setting up a client."""

from faults.kit import *


@saboteur("6.1.3-1", "the messages of a session that had a producer and a consumer before start() are lost")
def _(patch):
    early, contexts = Connections(), of_contexts(patch)

    def before_start(connection):
        for session in connection.sessions if connection not in contexts else ():
            if session.producers and session.consumers:
                early.add(session)

    def submit(original, session, physical, entry):
        if session not in early:
            original(session, physical, entry)

    started(patch, before_start)
    patch.at(fault_points.SEND_SUBMITTED, submit)
