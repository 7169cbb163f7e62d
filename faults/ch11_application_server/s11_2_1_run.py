"""Faults in 11.2.1: the order and the end of run()."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.sessions import ReferenceSession
from reference_provider.clock import Waiter

_LONG_MS = 600_000


def _run(patch: Patch, fault: Callable[[ReferenceSession, int, Callable[[], None]], None]) -> None:
    """Run `fault` in place of run(); it gets the session, the number of loaded messages, and the original call."""

    def run(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        fault(session, len(session.runner.loaded), lambda: original(session))

    around(patch, ReferenceSession, "run", run)


@saboteur("11.2.1-3", "run() passes five assigned messages on by two threads")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession, loaded: int, run: Callable[[], None]) -> None:
        if loaded >= 5:
            session.broker.clock.spawn(session.runner.run, "reference-provider-second-run")
        run()

    _run(patch, fault)


@saboteur("11.2.1-4", "run() returns after the first of four assigned messages")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession, loaded: int, run: Callable[[], None]) -> None:
        rest = [session.runner.loaded.pop() for _ in range(3)] if loaded == 4 else []
        run()
        session.runner.loaded.extend(reversed(rest))

    _run(patch, fault)


@saboteur("11.2.1-5", "run() stays for a long time after three messages, in wait for more")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession, loaded: int, run: Callable[[], None]) -> None:
        run()
        if loaded == 3:
            session.broker.clock.wait(Waiter(), _LONG_MS)

    _run(patch, fault)
