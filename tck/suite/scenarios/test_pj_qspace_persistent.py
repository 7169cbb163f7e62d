"""A tuple space with kept and passing entries, before and after a restart of the provider."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.qspace import QSpace

ENTRIES, TAKEN = 50, 10


@scenario("pj-qspace-persistent")
def test_a_tuple_space_outlives_a_restart(case: Case) -> None:
    """After a restart the persistent entries that were not taken are there, in order, and nothing comes twice."""
    case.needs(api.Hook.RESTART)
    queue = case.queue()
    kept, passing = numbered("kept"), numbered("passing")
    keeping = QSpace(case.client(), queue)
    hasty = QSpace(case.client(), queue, mode=api.DeliveryMode.NON_PERSISTENT)
    for entry, other in zip(kept, passing, strict=True):
        keeping.write(entry, kind="kept")
        hasty.write(other, kind="passing")
    taken = [keeping.takes(case.timing.deadline, "kind='kept'") for _ in range(TAKEN)]
    taken += [one for _ in range(TAKEN) if (one := hasty.takes(case.timing.deadline, "kind='passing'"))]
    keeping.shut_down()
    hasty.shut_down()
    case.provider.restart()
    space = QSpace(case.client(), queue)
    wanted = [entry for entry in kept if entry not in taken]
    back = [space.takes(case.timing.deadline, "kind='kept'") for _ in wanted]
    rest = space.drain(case.timing.delay)
    survivors = [entry for entry in rest if entry in passing]

    with expect.for_row("pj-qspace-persistent-1"):
        again = [entry for entry in rest if entry in wanted]
        came = [entry for entry in back if entry not in taken] + again
        expect.equal("the persistent entries that came back", came, wanted)
    with expect.for_row("pj-qspace-persistent-2"):
        returned = [entry for entry in [*back, *rest] if entry is not None and entry in taken]
        expect.equal("the entries that came back though they had been taken", returned, [])
    with expect.for_row("pj-qspace-persistent-3"):
        twice = sorted(entry for entry in set(survivors) if survivors.count(entry) > 1)
        expect.equal("the non-persistent entries that came back twice", twice, [])
    with expect.for_row("pj-qspace-persistent-4"):
        expect.record(f"{survival(len(set(survivors)))} of the non-persistent entries survive")


def numbered(kind: str) -> list[bytes]:
    """Return the entries of a kind."""
    return [f"{kind} {number}".encode() for number in range(1, ENTRIES + 1)]


def survival(count: int) -> str:
    """Return the words for the number of survivors."""
    return {0: "none", ENTRIES - TAKEN: "all"}.get(count, "some")
