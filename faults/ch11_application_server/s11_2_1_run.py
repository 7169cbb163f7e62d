"""Faults in 11.2.1: the order and the end of run()."""

from faults.kit import *

_LONG_MS = 600_000


def _run(patch, fault):
    """Run `fault` in place of run(); it gets the session, the number of loaded messages, and the original call."""

    def run(original, session):
        fault(session, len(session.runner.loaded), lambda: original(session))

    patch.around(ReferenceSession, "run", run)


@saboteur("11.2.1-3", "run() passes five assigned messages on by two threads", by=_run)
def _(session, loaded, run):
    if loaded >= 5:
        session.broker.clock.spawn(session.runner.run, "reference-provider-second-run")
    run()


@saboteur("11.2.1-4", "run() returns after the first of four assigned messages", by=_run)
def _(session, loaded, run):
    rest = [session.runner.loaded.pop() for _ in range(3)] if loaded == 4 else []
    run()
    session.runner.loaded.extend(reversed(rest))


@saboteur("11.2.1-5", "run() stays for a long time after three messages, in wait for more", by=_run)
def _(session, loaded, run):
    run()
    if loaded == 3:
        session.broker.clock.wait(Waiter(), _LONG_MS)
