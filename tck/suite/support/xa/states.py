"""The states that a session passes through while a branch is begun, suspended, prepared and committed."""

from __future__ import annotations

from collections.abc import Iterator

from tck.api import Destination, XAResource
from tck.suite.support.clients.branches import Branching

IN_EACH_STATE = "sent in a branch"
"""The text that `each_state` sends in its branch."""


def each_state(side: Branching, destination: Destination) -> Iterator[str]:
    """Lead a side through a branch that sends one message; yield words for each state in which it then is."""
    yield "before any branch"
    xid = side.begin()
    yield "in a branch without work"
    side.send(destination, IN_EACH_STATE)
    yield "in a branch with work"
    side.resource.end(xid, XAResource.TMSUSPEND)
    yield "while the branch is suspended"
    side.resource.start(xid, XAResource.TMRESUME)
    yield "in the resumed branch"
    side.end(xid)
    yield "after the end of the work"
    side.resource.prepare(xid)
    yield "while the branch is prepared"
    side.resource.commit(xid, False)
    yield "after the commit"
