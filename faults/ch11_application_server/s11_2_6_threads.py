"""A fault in 11.2.6: the threads of an application server."""

import threading

from faults.kit import *


@saboteur("11.2.6-1", "run() is refused on a thread that has run another session before")
def _(patch):
    own = threading.local()

    def run(original, session):
        if getattr(own, "session", session) is not session:
            raise IllegalStateException("the thread belongs to another session")
        own.session = session
        original(session)

    patch.around(ReferenceSession, "run", run)
