"""Branches of distributed transactions: what each has sent and received, and its state.

A branch is in memory until it is prepared; a prepared one is in the file and outlives connections and restarts. Guarded
by the broker lock.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from reference_provider.broker.delivery import Delivery
from reference_provider.broker.transactions import TransactionBroker, Work
from tck.api import Xid

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference_provider.broker.physical_destinations import PhysicalDestination, StoredDeliveryQueue
    from reference_provider.broker.redelivery import Redelivery
    from reference_provider.broker.stored_message import StoredMessage
    from reference_provider.clock import ProviderClock, Timer
    from reference_provider.store import Statement, Store


class BranchBroker(TransactionBroker, Protocol):
    """The interface that branches need from the broker."""

    clock: ProviderClock
    redelivery: Redelivery
    store: Store

    def next_row(self) -> int:
        """Return a fresh row id."""
        ...

    def load_numbers(self, numbers: Iterable[int]) -> list[StoredMessage]:
        """Read stored messages from the file."""
        ...


class State(StrEnum):
    """The state of a branch. An administrator has completed the heuristic ones; they await `forget`."""

    WORKING = "working"
    PREPARED = "prepared"
    HEURISTIC_COMMIT = "heuristic-commit"
    HEURISTIC_ROLLBACK = "heuristic-rollback"


class Branch:
    """One branch.

    Attributes:
        work: the messages it has sent and received.
        row: its id in the file once it is prepared.
        active: the resources that work on it now.
        suspended: the resources that have suspended their work on it.
        rollback_code: the XA error code if it can only be rolled back; 0 if it can be committed.
    """

    __slots__ = ("active", "rollback_code", "row", "state", "suspended", "timer", "work", "xid")

    def __init__(self, xid: Xid, work: Work) -> None:
        self.xid = xid
        self.work = work
        self.state = State.WORKING
        self.row = 0
        self.active: list[object] = []
        self.suspended: list[object] = []
        self.rollback_code = 0
        self.timer: Timer | None = None

    def stop_timer(self) -> None:
        """Cancel the timeout."""
        if self.timer is not None:
            self.timer.cancel()


class Branches:
    """All unfinished branches, by their identifiers."""

    __slots__ = ("_branches", "_broker")

    def __init__(self, broker: BranchBroker) -> None:
        self._broker = broker
        self._branches: dict[Xid, Branch] = {}

    def find(self, xid: Xid) -> Branch | None:
        """Find a branch."""
        return self._branches.get(xid)

    def begin(self, xid: Xid) -> Branch:
        """Begin a branch. Needs B."""
        branch = self._branches[xid] = Branch(xid, Work(self._broker))
        return branch

    def forget(self, branch: Branch) -> None:
        """Drop a finished branch. Needs B."""
        branch.stop_timer()
        if self._branches.get(branch.xid) is branch:
            del self._branches[branch.xid]

    def in_doubt(self) -> list[Xid]:
        """List the branches that are prepared or heuristically completed. Needs B."""
        return [one.xid for one in self._branches.values() if one.state != State.WORKING]

    # --- what happens to a branch -----------------------------------------------------------------------------

    def prepare(self, branch: Branch) -> None:
        """Write all of a branch, still invisible; from now on it survives everything."""
        branch.row = self._broker.next_row()
        self._broker.commit(_Prepare(branch))

    def commit(self, branch: Branch) -> None:
        """Make the work of a prepared branch visible."""
        self._broker.commit(_Finish(self, branch, committed=True))

    def rollback_prepared(self, branch: Branch) -> None:
        """Roll back a prepared branch: messages sent are dropped, messages received are redelivered."""
        self._broker.commit(_Finish(self, branch, committed=False))
        self._broker.redelivery.redeliver(branch.work.acks)

    def rollback_working(self, branch: Branch) -> None:
        """Roll back a branch that was never prepared."""
        work, branch.work = branch.work, Work(self._broker)
        self._broker.redelivery.redeliver(work.acks)

    def complete_heuristically(self, branch: Branch, state: State) -> None:
        """Commit or roll back a prepared branch by an administrator's order; it stays listed until it is forgotten."""
        self._broker.commit(_Finish(self, branch, committed=state is State.HEURISTIC_COMMIT, kept_as=state))
        if state is State.HEURISTIC_ROLLBACK:
            self._broker.redelivery.redeliver(branch.work.acks)
        branch.work = Work(self._broker)

    def forget_completed(self, branch: Branch) -> None:
        """Drop a heuristically completed branch."""
        self._broker.commit(_Forget(self, branch))

    # --- start ------------------------------------------------------------------------------------------------

    def recover(
        self, physical_destinations: dict[int, PhysicalDestination], delivery_queues: dict[int, StoredDeliveryQueue]
    ) -> None:
        """Read the branches in the file."""
        rows: Any = self._broker.store.rows("select id, format, gtrid, bqual, state from branch order by id")
        for row, format_id, global_id, qualifier, state in list(rows):
            branch = self.begin(Xid(format_id, global_id, qualifier))
            branch.row = row
            branch.state = State(state)
            self._recover_sends(branch, physical_destinations, delivery_queues)
            self._recover_acks(branch, physical_destinations, delivery_queues)

    def _recover_sends(
        self,
        branch: Branch,
        physical_destinations: dict[int, PhysicalDestination],
        delivery_queues: dict[int, StoredDeliveryQueue],
    ) -> None:
        rows: Any = self._broker.store.rows(
            "select id, destination from message where branch = ? order by id", (branch.row,)
        )
        for number, destination in list(rows):
            (entry,) = self._broker.load_numbers([number])
            physical = physical_destinations[destination]
            if physical.routes_anew:
                wanted: Any = self._broker.store.rows("select subscription from delivery where message = ?", (number,))
                targets = [delivery_queues[one] for (one,) in wanted if one in delivery_queues]
            else:
                targets = list(physical.delivery_queues())
            branch.work.sends.append((physical, entry))
            branch.work.routed_sends.append((physical, entry, targets))

    def _recover_acks(
        self,
        branch: Branch,
        physical_destinations: dict[int, PhysicalDestination],
        delivery_queues: dict[int, StoredDeliveryQueue],
    ) -> None:
        sql = (
            "select a.message, a.subscription, m.destination from branch_ack a"
            " join message m on m.id = a.message where a.branch = ? order by a.message"
        )
        rows: Any = self._broker.store.rows(sql, (branch.row,))
        for number, subscription, destination in list(rows):
            (entry,) = self._broker.load_numbers([number])
            delivery_queue = (
                delivery_queues[subscription]
                if subscription
                else next(physical_destinations[destination].delivery_queues())
            )
            if delivery_queue.take_number(number, entry.priority):
                branch.work.acks.append(Delivery(delivery_queue, entry, self, _nothing, self._broker.clock.now()))


def _nothing() -> None:
    return


class _Prepare:
    durable = True

    def __init__(self, branch: Branch) -> None:
        self._branch = branch

    def statements(self) -> list[Statement]:
        work, row, xid = self._branch.work, self._branch.row, self._branch.xid
        statements = work.send_statements()
        statements += [
            ("update message set branch = ? where id = ?", (row, entry.number))
            for _, entry, _ in work.routed_sends
            if entry.stored
        ]
        statements += [
            ("insert into branch_ack values (?, ?, ?)", (row, ack.entry.number, ack.source.subscription or 0))
            for ack in work.acks
            if ack.stored
        ]
        values = (row, xid.format_id, xid.global_transaction_id, xid.branch_qualifier, State.PREPARED.value)
        return [*statements, ("insert into branch (id, format, gtrid, bqual, state) values (?, ?, ?, ?, ?)", values)]

    def after(self) -> None:
        self._branch.state = State.PREPARED
        for physical, entry, _ in self._branch.work.routed_sends:
            physical.in_file = physical.in_file or entry.stored


class _Finish:
    durable = True

    def __init__(self, branches: Branches, branch: Branch, *, committed: bool, kept_as: State | None = None) -> None:
        self._branches = branches
        self._branch = branch
        self._committed = committed
        self._kept_as = kept_as

    def statements(self) -> list[Statement]:
        row = (self._branch.row,)
        statements: list[Statement] = []
        if self._committed:
            statements.append(("update message set branch = null where branch = ?", row))
            for ack in self._branch.work.acks:
                if ack.stored:
                    statements += ack.forget_statements()
        else:
            statements.append(("delete from delivery where message in (select id from message where branch = ?)", row))
            statements.append(("delete from message where branch = ?", row))
        statements.append(("delete from branch_ack where branch = ?", row))
        if self._kept_as is None:
            statements.append(("delete from branch where id = ?", row))
        else:
            statements.append(("update branch set state = ? where id = ?", (self._kept_as.value, *row)))
        return statements

    def after(self) -> None:
        if self._committed:
            self._branch.work.after()
        if self._kept_as is None:
            self._branches.forget(self._branch)
        else:
            self._branch.state = self._kept_as


class _Forget:
    durable = True

    def __init__(self, branches: Branches, branch: Branch) -> None:
        self._branches = branches
        self._branch = branch

    def statements(self) -> list[Statement]:
        return [("delete from branch where id = ?", (self._branch.row,))]

    def after(self) -> None:
        self._branches.forget(self._branch)
