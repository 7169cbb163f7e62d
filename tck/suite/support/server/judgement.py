"""Judgements over the messages that the listeners of server sessions are called with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tck import api
from tck.suite.support import expect
from tck.suite.support.clients.link import Link
from tck.suite.support.expect.second_look import delivers_at_all
from tck.suite.support.harness.outcome import Broken, Undecided
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.server.application_server import ApplicationServer
from tck.suite.support.values.seen import shown


def serves(
    server: ApplicationServer, destination: api.Destination, bodies: Sequence[object], *, ordered: bool = False
) -> None:
    """Demand that the listeners of a server are called with just these messages of a destination.

    Where one is missing, a second look over an ordinary consumer decides: if the destination delivers there, the claim is
    refuted, else the case is undecided.
    """
    case = server.case
    wanted = f"the listeners of server sessions are called with {list(bodies)!r}"
    seen = server.after(len(bodies))
    if len(seen) < len(bodies):
        cites = case.cites()
        server.leave()
        observed = f"they were called with {seen!r} only"
        if errors := sorted({f"{type(error).__name__}: {error}" for error in server.errors()}):
            observed += f"; listeners and run() raised {'; '.join(errors)}"
        if delivers_at_all(case, destination):
            raise Broken(observed, expected=wanted, cites=cites)
        raise Undecided(f"{observed}, and {shown(destination)} delivers to no other consumer either", expected=wanted)
    what = "the messages at the listeners of server sessions"
    if ordered:
        expect.equal(what, seen, list(bodies))
    else:
        expect.equal(what, sorted(map(str, seen)), sorted(map(str, bodies)))


def together(
    case: RunningCase,
    parts: Sequence[Callable[[], Sequence[object]]],
    wanted: Sequence[object],
    *,
    sender: Link | None,
) -> None:
    """Demand that several receivers get just these messages between them, and each once unless the sender is None: it gives a fence.

    Each part returns the bodies that one receiver has got so far.
    """
    step = max(case.timing.deadline / 200, 1)
    for _ in range(200):
        seen = [str(each) for part in parts for each in part()]
        if len(set(seen) if sender is None else seen) >= len(wanted):
            break
        case.provider.clock.event().wait(step)
    if sender is not None:
        sender.dispatched()
    seen = sorted(str(each) for part in parts for each in part())
    if sender is None:
        seen = sorted(set(seen))
    expect.equal("the messages that all receivers got", seen, sorted(map(str, wanted)))
