"""XA actors: each batch is a branch, committed in one phase or two, or rolled back; branches of a lost link are decided later.

May import links, actors, producers and consumers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tck import api
from tck.check.columns import NEVER, NONE, End, Op, Out
from tck.workload.actors.actor import Actor
from tck.workload.actors.consumers import POLL_MS, Consumer
from tck.workload.actors.producers import Producer
from tck.workload.links import Link
from tck.workload.shared_state import Phase, SharedState

_FORMAT: Final = 0x54434B
_ONE_PHASE: Final = 0.3
"""Share of the commits in one phase."""
_ROLLED_BACK: Final = range(100, 108)
_SCAN: Final = api.XAResource.TMSTARTRSCAN | api.XAResource.TMENDRSCAN


@dataclass(slots=True)
class Branch:
    """One branch: its unit and its progress."""

    xid: api.Xid
    pseudo_session: int
    conn: int
    prepared: bool = False
    doubtful: bool = False
    """A call about it had an unknown outcome."""
    committing: int = NEVER
    """When its commit was first called."""

    @property
    def unit(self) -> int:
        """Its unit of work."""
        return self.pseudo_session << 32


class Branches:
    """The branches of one actor, over all its links."""

    def __init__(self, shared: SharedState, label: str) -> None:
        self.shared = shared
        self.recorder = shared.recorder
        self.label = label
        self.open: list[Branch] = []
        self._made = 0

    def begin(self, link: Link) -> Branch:
        """Start a branch on a link."""
        self._made += 1
        name = f"{self.shared.run}/{self.label}/{self._made}".encode()
        xid = api.Xid(_FORMAT, name[-64:], b"1")
        pseudo_session = self.recorder.register(
            "session", conn=link.conn, mode=NONE, label=f"branch {self._made} of {self.label}"
        )
        branch = Branch(xid, pseudo_session, link.conn)
        resource(link).start(xid, api.XAResource.TMNOFLAGS)
        self.open.append(branch)
        link.join_branch(branch.unit)
        return branch

    def finish(self, link: Link, branch: Branch, *, undo: bool, one_phase: bool) -> None:
        """End a branch: commit it in one phase or two, or roll it back."""
        link.join_branch(NONE)
        resource(link).end(branch.xid, api.XAResource.TMSUCCESS)
        if undo and one_phase:
            self._decide(link, branch, commit=False)
            return
        if one_phase:
            self._decide(link, branch, commit=True, one_phase=True)
            return
        row = self.recorder.begin(Op.PREPARE, branch.pseudo_session, link.conn, unit=branch.unit)
        branch.doubtful = True
        try:
            vote = resource(link).prepare(branch.xid)
        except api.XAException as error:
            if error.error_code in _ROLLED_BACK:
                self.recorder.end(row, Out.FAIL)
                self._note(branch, End.UNDONE)
                return
            self.recorder.end_unknown(row)
            raise
        except BaseException:
            self.recorder.end_unknown(row)
            raise
        branch.doubtful = False
        if vote == api.XAResource.XA_RDONLY:
            self.recorder.end(row)
            self._note(branch, End.DONE)
            return
        branch.prepared = True
        self.recorder.end_decision(row, 1)
        self._decide(link, branch, commit=not undo)

    def _decide(self, link: Link, branch: Branch, *, commit: bool, one_phase: bool = False) -> None:
        row = self.recorder.begin(Op.END_BRANCH, branch.pseudo_session, link.conn, unit=branch.unit)
        kind = End.DONE if commit else End.UNDONE
        branch.doubtful = True
        try:
            if commit:
                resource(link).commit(branch.xid, one_phase)
            else:
                resource(link).rollback(branch.xid)
        except api.XAException as error:
            if error.error_code in _ROLLED_BACK:
                self.recorder.end_decision(row, End.UNDONE)
                self.open.remove(branch)
                return
            self.recorder.end_decision(row, End.DOUBT, Out.UNKNOWN)
            raise
        except BaseException:
            self.recorder.end_decision(row, End.DOUBT, Out.UNKNOWN)
            raise
        self.recorder.end_decision(row, kind)
        self.open.remove(branch)

    def _note(self, branch: Branch, kind: int) -> None:
        """Record a decision that no call of ours made."""
        now = self.recorder.now()
        self.recorder.add(Op.END_BRANCH, branch.pseudo_session, branch.conn, now, now, unit=branch.unit, mode=kind)
        if branch in self.open:
            self.open.remove(branch)

    def resolve(self, link: Link, choice: float) -> None:
        """Decide the branches of earlier links: prepared ones are committed or rolled back, the others are gone.

        Args:
            link: A fresh link.
            choice: Between 0 and 1; below 0.5 prepared branches are committed.
        """
        if not self.open:
            return
        prepared = {(xid.global_transaction_id, xid.branch_qualifier) for xid in resource(link).recover(_SCAN)}
        for branch in list(self.open):
            key = (branch.xid.global_transaction_id, branch.xid.branch_qualifier)
            if key in prepared:
                if not branch.prepared:
                    now = self.recorder.now()
                    self.recorder.add(
                        Op.PREPARE, branch.pseudo_session, branch.conn, now, now, unit=branch.unit, mode=1
                    )
                    branch.prepared = True
                self._decide(link, branch, commit=choice < 0.5)
            elif branch.prepared or branch.doubtful:
                self._note(branch, End.DOUBT)
            else:
                self._note(branch, End.UNDONE)


def resource(link: Link) -> api.XAResource:
    """Return the XA resource of a link."""
    if link.xa_session is None:
        raise TypeError(f"{link.label} has no XA session")
    return link.xa_session.xa_resource


class XaProducer(Producer):
    """Sends each batch in a branch."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]  # those of a producer
        self.branches = Branches(self.shared, self.label)

    def work(self, link: Link) -> None:
        """Send batch after batch."""
        self.branches.resolve(link, self.choice.random())
        while self.has_work() and link.alive():
            size = self.choice.randint(*self.plan.batch)
            undo, one_phase = self.choice.random() < self.plan.rollback, self.choice.random() < _ONE_PHASE
            branch = self.branches.begin(link)
            for _ in range(size):
                if not (self.has_work() and link.alive()):
                    break
                self.send_one()
            self.branches.finish(link, branch, undo=undo, one_phase=one_phase)
            self.counts.settled += size
            if self.plan.think:
                self.shared.wait(self.plan.think)


class XaConsumer(Consumer):
    """Receives each batch in a branch, and forwards within it."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]  # those of a consumer
        self.branches = Branches(self.shared, self.label)

    def work(self, link: Link) -> None:
        """Receive batch after batch."""
        self.branches.resolve(link, self.choice.random())
        consumer_link = self.consumer_links[0]
        while self.has_work() and link.alive() and self._remaining != 0:
            undo, one_phase = self.choice.random() < self.plan.rollback, self.choice.random() < _ONE_PHASE
            size = max(1, self.choice.randint(*self.plan.batch))
            branch = self.branches.begin(link)
            got, hold = 0, False
            while got < size:
                message, delivered_often = consumer_link.receive(POLL_MS)
                if message is None:
                    break
                got += 1
                hold = hold or delivered_often
                self.counts.delivered += 1
                if self._remaining > 0:
                    self._remaining -= 1
                if self._sender is not None and self.choice.random() < self.plan.forward_share:
                    self._forward()
                if self.plan.think:
                    self.shared.wait(self.plan.think)
            self.branches.finish(link, branch, undo=undo and not hold, one_phase=one_phase)
            self.counts.settled += got
        if self._remaining == 0 and link.alive() and self.shared.phase == Phase.WORKING:
            self._leave_early(link)


class XaResolver(Actor):
    """Decides at the end of a run the branches of an actor that has ended.

    Args:
        shared: The shared state.
        number: Distinguishes resolvers.
        branches: The branches of the actor.
    """

    def __init__(self, shared: SharedState, number: int, branches: Branches) -> None:
        super().__init__(shared, "resolver", number)
        self.branches = branches

    def has_work(self) -> bool:
        """Whether a branch is open."""
        return bool(self.branches.open) and self.shared.phase < Phase.OVER

    def connect(self) -> Link:
        """Make a link without a consumer."""
        self.link = Link(self.shared, self.label, "xa")
        return self.link

    def work(self, link: Link) -> None:
        """Decide the open branches."""
        self.branches.resolve(link, self.choice.random())
