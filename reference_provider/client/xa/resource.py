"""`ReferenceXAResource`: the calls of a transaction manager on one XA session.

The protocol: start, work, end, then prepare and commit, or commit in one phase, or rollback. A branch belongs to the
provider, not to the resource: any resource may finish it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from reference_provider.broker.xa_branches import Branch, State
from tck.api import JMSException, Session, XAException, XAResource, Xid

if TYPE_CHECKING:
    from reference_provider.broker.broker import Broker
    from reference_provider.client.sessions import ReferenceSession

_ROLLED_BACK: Final = range(XAException.XA_RBBASE, XAException.XA_RBEND + 1)


class ReferenceXAResource(XAResource):
    """The resource of one session. `outside_mode` is the session's mode while no branch is active."""

    __slots__ = ("_branch", "_scan_open", "_session", "_timeout_seconds")

    outside_mode = Session.AUTO_ACKNOWLEDGE

    def __init__(self, session: ReferenceSession) -> None:
        self._session = session
        self._branch: Branch | None = None
        self._scan_open = False
        self._timeout_seconds = 0
        session.state.mode = self.outside_mode

    # --- association ------------------------------------------------------------------------------------------

    def start(self, xid: Xid | None, flags: int) -> None:
        """Begin work for `xid`, join existing work on it, or resume it."""
        self._check_usable()
        known = _checked(xid)
        if flags not in {self.TMNOFLAGS, self.TMJOIN, self.TMRESUME}:
            raise XAException(XAException.XAER_INVAL, f"flags {flags:#x} start nothing")
        if self._branch is not None:
            raise XAException(XAException.XAER_PROTO, f"the resource works on {self._branch.xid} already")
        with self.broker.lock:
            branch = self._branch_to_start(known, flags)
            branch.active.append(self)
            self._branch = branch
            self._session.state.work = branch.work
            self._session.state.mode = Session.SESSION_TRANSACTED

    def _branch_to_start(self, xid: Xid, flags: int) -> Branch:
        if flags == self.TMNOFLAGS:
            return self._new_branch(xid)
        branch = self._find(xid)
        if flags == self.TMJOIN:
            self._check_working(branch)
            return branch
        if self not in branch.suspended:
            raise XAException(XAException.XAER_PROTO, f"{xid} is not suspended by this resource")
        branch.suspended.remove(self)
        return branch

    def _new_branch(self, xid: Xid) -> Branch:
        if self.broker.branches.find(xid) is not None:
            raise XAException(XAException.XAER_DUPID, f"{xid} exists already")
        branch = self.broker.branches.begin(xid)
        if self._timeout_seconds:
            when = self.broker.clock.now() + self._timeout_seconds * 1000
            branch.timer = self.broker.clock.call_at(when, lambda: self._time_out(branch))
        return branch

    def _time_out(self, branch: Branch) -> None:
        """Mark a branch that was not prepared in time: it can only be rolled back."""
        with self.broker.lock:
            overdue = branch.state is State.WORKING
            if overdue:
                branch.rollback_code = XAException.XA_RBTIMEOUT
                idle = not branch.active
        if overdue and idle:
            self.broker.branches.rollback_working(branch)

    def end(self, xid: Xid | None, flags: int) -> None:
        """End work for `xid`: successfully, with a failure, or suspended to be resumed."""
        known = _checked(xid)
        if flags not in {self.TMSUCCESS, self.TMFAIL, self.TMSUSPEND}:
            raise XAException(XAException.XAER_INVAL, f"flags {flags:#x} end nothing")
        with self.broker.lock:
            branch = self._find(known)
            if self._branch is branch:
                self._leave(branch)
                if flags == self.TMSUSPEND:
                    branch.suspended.append(self)
            elif self in branch.suspended and flags != self.TMSUSPEND:
                branch.suspended.remove(self)
            else:
                raise XAException(XAException.XAER_PROTO, f"the resource does not work on {known}")
            if flags == self.TMFAIL:
                self.fail(branch)
        if branch.rollback_code == XAException.XA_RBTIMEOUT:
            raise XAException(branch.rollback_code, f"{known} took too long and is rolled back")

    def fail(self, branch: Branch) -> None:
        """Mark a branch as failed: it can only be rolled back. Needs B."""
        branch.rollback_code = branch.rollback_code or XAException.XA_RBROLLBACK

    def _leave(self, branch: Branch) -> None:
        branch.active.remove(self)
        self._branch = None
        self._session.state.next_transaction_within_lock()
        self._session.state.mode = self.outside_mode

    def disconnect(self) -> None:
        """End the association because the session ends: the branch can only be rolled back."""
        with self.broker.lock:
            branch = self._branch
            if branch is None:
                return
            self._leave(branch)
            self.fail(branch)
        self.broker.branches.rollback_working(branch)

    # --- completion -------------------------------------------------------------------------------------------

    def prepare(self, xid: Xid | None) -> int:
        """Prepare to commit; return `XA_RDONLY` if there is nothing to commit."""
        branch = self._branch_to_finish(xid)
        self._check_working(branch)
        self._check_not_failed(branch)
        if not branch.work:
            with self.broker.lock:
                self.broker.branches.forget(branch)
            return self.XA_RDONLY
        branch.stop_timer()
        self._perform(branch, self.broker.branches.prepare)
        return self.XA_OK

    def commit(self, xid: Xid | None, one_phase: bool) -> None:
        """Commit the branch, without a prepare if `one_phase`."""
        branch = self._branch_to_finish(xid)
        self._check_not_completed(branch)
        if one_phase:
            self._check_working(branch)
            self._check_not_failed(branch)
            self._perform(branch, self._commit_one_phase)
        elif branch.state is State.PREPARED:
            self._perform(branch, self.broker.branches.commit)
        else:
            raise XAException(XAException.XAER_PROTO, f"{branch.xid} is not prepared")

    def _commit_one_phase(self, branch: Branch) -> None:
        branch.work.perform()
        with self.broker.lock:
            self.broker.branches.forget(branch)

    def rollback(self, xid: Xid | None) -> None:
        """Roll the branch back."""
        branch = self._branch_to_finish(xid)
        self._check_not_completed(branch)
        if branch.state is State.PREPARED:
            self.broker.branches.rollback_prepared(branch)
        else:
            self._undo(branch)

    def forget(self, xid: Xid | None) -> None:
        """Forget a branch that was completed heuristically."""
        with self.broker.lock:
            branch = self._find(_checked(xid))
        if branch.state in {State.WORKING, State.PREPARED}:
            raise XAException(XAException.XAER_PROTO, f"{branch.xid} was not completed heuristically")
        self.broker.branches.forget_completed(branch)

    def recover(self, flags: int) -> Sequence[Xid]:
        """List the prepared branches; all of them at the start of a scan."""
        if flags & ~(self.TMSTARTRSCAN | self.TMENDRSCAN):
            raise XAException(XAException.XAER_INVAL, f"flags {flags:#x} are no flags of recover")
        starts = bool(flags & self.TMSTARTRSCAN)
        if not starts and not self._scan_open:
            raise XAException(XAException.XAER_INVAL, "no scan is open: begin one with TMSTARTRSCAN")
        self._scan_open = not flags & self.TMENDRSCAN
        if not starts:
            return []
        with self.broker.lock:
            return self.broker.branches.in_doubt()

    # --- about the resource -----------------------------------------------------------------------------------

    def is_same_rm(self, resource: XAResource) -> bool:
        """Return whether `resource` belongs to the same provider."""
        return isinstance(resource, ReferenceXAResource) and resource.broker is self.broker

    def get_transaction_timeout(self) -> int:
        """Get the transaction timeout in seconds; 0 for none."""
        return self._timeout_seconds

    def set_transaction_timeout(self, seconds: int) -> bool:
        """Set the timeout of branches started from now on; always accepted."""
        if seconds < 0:
            raise XAException(XAException.XAER_INVAL, f"a timeout cannot be negative: {seconds} s")
        self._timeout_seconds = seconds
        return True

    # --- parts ------------------------------------------------------------------------------------------------

    @property
    def broker(self) -> Broker:
        """Return the broker the resource belongs to."""
        return self._session.broker

    def _check_usable(self) -> None:
        try:
            self._session.check_open()
        except JMSException as error:
            raise XAException(XAException.XAER_RMFAIL, str(error)) from error

    def _find(self, xid: Xid) -> Branch:
        branch = self.broker.branches.find(xid)
        if branch is None:
            raise XAException(XAException.XAER_NOTA, f"{xid} is unknown")
        return branch

    def _branch_to_finish(self, xid: Xid | None) -> Branch:
        with self.broker.lock:
            branch = self._find(_checked(xid))
            if branch.active:
                raise XAException(XAException.XAER_PROTO, f"work on {branch.xid} has not ended")
            return branch

    def _check_working(self, branch: Branch) -> None:
        if branch.state is not State.WORKING:
            raise XAException(XAException.XAER_PROTO, f"{branch.xid} is {branch.state} already")

    def _check_not_failed(self, branch: Branch) -> None:
        if branch.rollback_code:
            self._undo(branch)
            raise XAException(branch.rollback_code, f"{branch.xid} could only be rolled back, and is")

    def _check_not_completed(self, branch: Branch) -> None:
        codes = {
            State.HEURISTIC_COMMIT: XAException.XA_HEURCOM,
            State.HEURISTIC_ROLLBACK: XAException.XA_HEURRB,
        }
        if branch.state in codes:
            raise XAException(codes[branch.state], f"an administrator has completed {branch.xid}")

    def _undo(self, branch: Branch) -> None:
        self.broker.branches.rollback_working(branch)
        with self.broker.lock:
            self.broker.branches.forget(branch)

    def _perform(self, branch: Branch, step: Callable[[Branch], None]) -> None:
        try:
            step(branch)
        except JMSException as error:
            if branch.state is State.WORKING:
                self._undo(branch)
                raise XAException(XAException.XA_RBOTHER, f"{branch.xid} was rolled back: {error}") from error
            raise XAException(XAException.XAER_RMFAIL, f"{branch.xid} is in doubt still: {error}") from error


def _checked(xid: Xid | None) -> Xid:
    if xid is None:
        raise XAException(XAException.XAER_INVAL, "the xid is null")
    return xid
