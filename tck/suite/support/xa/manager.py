"""The transaction manager: ways to end a branch, and global transactions over several resources."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tck.api import XAException, XAResource, Xid
from tck.suite.support.clients.branches import Branching, new_xid
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.harness.running import RunningCase

Finish: TypeAlias = Callable[[XAResource, Xid], None]
"""A way to end a branch whose work has ended."""


@contextlib.contextmanager
def branch(side: Branching) -> Iterator[Xid]:
    """Work in a new branch within the block; after it the work on the branch is ended with success.

    Where the block fails the branch is rolled back, so that the side can go on to the next one.
    """
    xid = side.begin()
    try:
        yield xid
    except BaseException:
        with contextlib.suppress(XAException):
            side.resource.end(xid, XAResource.TMFAIL)
            side.resource.rollback(xid)
        raise
    side.end(xid)


def in_one_phase(resource: XAResource, xid: Xid) -> None:
    """Commit without prepare."""
    resource.commit(xid, True)


def in_two_phases(resource: XAResource, xid: Xid) -> None:
    """Prepare and commit; a branch that votes for read-only has nothing to commit."""
    if resource.prepare(xid) != XAResource.XA_RDONLY:
        resource.commit(xid, False)


def unprepared(resource: XAResource, xid: Xid) -> None:
    """Roll back without prepare."""
    resource.rollback(xid)


def prepared(resource: XAResource, xid: Xid) -> None:
    """Prepare and roll back; a branch that votes for read-only has nothing to roll back."""
    if resource.prepare(xid) != XAResource.XA_RDONLY:
        resource.rollback(xid)


COMMITS: Mapping[str, Finish] = {"in one phase": in_one_phase, "in two phases": in_two_phases}
"""The ways to commit a branch."""
ROLLBACKS: Mapping[str, Finish] = {"before prepare": unprepared, "after prepare": prepared}
"""The ways to roll a branch back."""


def vote(resource: XAResource, xid: Xid) -> str:
    """Prepare a branch; return the name of its vote."""
    votes = {XAResource.XA_OK: "XA_OK", XAResource.XA_RDONLY: "XA_RDONLY"}
    given = resource.prepare(xid)
    return votes.get(given, f"the vote {given}")


def scan(resource: XAResource) -> list[Xid]:
    """Return the branches in doubt, by a scan in one call.

    Raises:
        Undecided: the resource returns none, and no empty list.
    """
    return _recovered(resource, XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)


def _recovered(resource: XAResource, flags: int) -> list[Xid]:
    found = resource.recover(flags)
    if found is None:
        raise Undecided("recover() returned null")
    return list(found)


def scan_in_steps(resource: XAResource, further: int) -> list[Xid]:
    """Return the branches in doubt, by a scan of one call that begins, `further` calls that go on, and one that ends.

    Raises:
        Undecided: the resource returns none, and no empty list.
    """
    flags = [XAResource.TMSTARTRSCAN, *[XAResource.TMNOFLAGS] * further, XAResource.TMENDRSCAN]
    return [xid for each in flags for xid in _recovered(resource, each)]


@dataclass(slots=True)
class _Branch:
    xid: Xid
    resource: XAResource
    working: list[Branching]


class GlobalTransaction:
    """A transaction over several resources: each has a branch of its own, or joins that of a resource of the same manager.

    Attributes:
        joins: whether a resource joins a branch where `isSameRM` allows it.
    """

    def __init__(self, case: RunningCase, *, joins: bool = False) -> None:
        self.joins = joins
        self._global = new_xid(case).global_transaction_id
        self._branches: list[_Branch] = []

    def enlist(self, *sides: Branching) -> None:
        """Begin the work of sides, each on a branch of its own unless it joins one."""
        for side in sides:
            known = self._joinable(side) if self.joins else None
            if known is None:
                xid = Xid(7, self._global, f"b{len(self._branches)}".encode())
                side.resource.start(xid, XAResource.TMNOFLAGS)
                self._branches.append(_Branch(xid, side.resource, [side]))
            else:
                side.resource.start(known.xid, XAResource.TMJOIN)
                known.working.append(side)

    def _joinable(self, side: Branching) -> _Branch | None:
        return next((each for each in self._branches if each.resource.is_same_rm(side.resource)), None)

    @property
    def xids(self) -> list[Xid]:
        """The identifiers of the branches."""
        return [each.xid for each in self._branches]

    def delist(self) -> None:
        """End the work of all sides, with success."""
        for each in self._branches:
            while each.working:
                each.working.pop().end(each.xid)

    def prepare(self) -> None:
        """End the work and prepare every branch.

        Raises:
            Undecided: a branch with work votes for something else than the commit.
        """
        self.delist()
        for each in self._branches:
            vote = each.resource.prepare(each.xid)
            if vote != XAResource.XA_OK:
                raise Undecided(f"a branch with work voted {vote}")

    def commit(self) -> None:
        """Prepare and commit every branch."""
        self.prepare()
        self.finish(commit=True)

    def rollback(self) -> None:
        """End the work and roll every branch back."""
        self.delist()
        self.finish(commit=False)

    def finish(self, *, commit: bool, by: XAResource | None = None) -> None:
        """Commit or roll back every branch, which is prepared for a commit, on its own resource or on another."""
        for each in self._branches:
            resource = by or each.resource
            if commit:
                resource.commit(each.xid, False)
            else:
                resource.rollback(each.xid)


def code_of(error: XAException) -> str:
    """Return the name of the error code of an exception."""
    names = {
        value: name for name, value in vars(XAException).items() if name.startswith("XA") and value.__class__ is int
    }
    return names.get(error.error_code, f"the code {error.error_code}")
