"""A transaction service in process, which keeps a log of what each party did, and at whose steps the caller may act.

It stands for the one root coordinator of section 2.7.1. A transaction is committed in two phases, whatever takes part: all
resources prepare, then all commit. The decision is kept for a resource that fails to hear it, until it asks. Nothing runs on a thread of its
own: the life of a transaction is looked at when its commit is asked for. Imports `tck.api` and this package's values only.
"""

from __future__ import annotations

import enum
import itertools
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from tck.api import Clock, XAResource, Xid
from tck.interworking import transactions as ots
from tck.interworking.transactions import NoTransaction, Resource, Status, TransactionRolledBack, Vote

_LOG: Final = logging.getLogger(__name__)
_FORMAT: Final = 77
"""Format of the identifiers of branches."""


class Did(enum.Enum):
    """What the log of a service tells."""

    SET_TIMEOUT = "set_timeout"
    BEGIN = "begin"
    ENLIST = "enlist"
    ROLLBACK_ONLY = "rollback_only"
    ASK_COMMIT = "commit asked"
    ASK_ROLLBACK = "rollback asked"
    PREPARE = "prepare"
    COMMIT = "commit"
    ROLLBACK = "rollback"
    COMMITTED = "committed"
    ROLLED_BACK = "rolled back"


@dataclass(frozen=True, slots=True)
class Entry:
    """One step.

    Attributes:
        did: What was done. ENLIST, PREPARE, COMMIT and ROLLBACK are about one resource.
        transaction: Which transaction, from 1; 0 for a set_timeout, which belongs to none.
        party: Who did it; of a resource, who enlisted it; of an end, who began the transaction.
        value: Seconds of a set_timeout, the `Vote` of a prepare, else 0.
        xa: Whether the resource is one of JMS.
        resource: The resource, or None.
        at_ns: When, as `Clock.monotonic_ns` counts.
        thread: The thread, by its identity.
    """

    did: Did
    transaction: int
    party: str
    value: int = 0
    xa: bool = False
    resource: object = None
    at_ns: int = 0
    thread: int = 0


class Point(enum.Enum):
    """Where a hook is called, in the thread that asked for the commit."""

    ASKED = enum.auto()
    DECIDED = enum.auto()
    ENDED = enum.auto()


Hook: TypeAlias = Callable[[Point, int], bool]
"""Gets the point and the transaction; False at ASKED makes the transaction roll back."""


class _Xa(Resource):
    """A resource manager of JMS on one branch."""

    def __init__(self, resource: XAResource, xid: Xid) -> None:
        self.resource, self._xid = resource, xid
        self._working = True
        resource.start(xid, XAResource.TMNOFLAGS)

    def _end(self, flags: int) -> None:
        if self._working:
            self._working = False
            self.resource.end(self._xid, flags)

    def prepare(self) -> Vote:
        self._end(XAResource.TMSUCCESS)
        return Vote.READ_ONLY if self.resource.prepare(self._xid) == XAResource.XA_RDONLY else Vote.COMMIT

    def commit(self) -> None:
        self.resource.commit(self._xid, False)

    def rollback(self) -> None:
        try:
            self._end(XAResource.TMSUCCESS)
        finally:
            self.resource.rollback(self._xid)


@dataclass(slots=True)
class _Part:
    party: str
    resource: Resource
    seen: object
    xa: bool
    voted: Vote | None = None
    done: bool = False


@dataclass(slots=True)
class _State:
    number: int
    party: str
    deadline: int | None
    status: Status = Status.ACTIVE
    parts: list[_Part] = field(default_factory=list)


class TransactionService:
    """Coordinates transactions; `current` gives each party its access.

    Args:
        clock: Of the provider.
        name: Part of the identifiers of branches, unique among all services that use the provider.
    """

    def __init__(self, clock: Clock, name: str) -> None:
        self.clock, self._name = clock, name
        self.hooks: list[Hook] = []
        self._lock = threading.Lock()  # guards log and states; no resource, hook or clock's wait is called under it
        self._log: list[Entry] = []
        self._states: dict[int, _State] = {}
        self._numbers, self._branches = itertools.count(1), itertools.count(1)
        self.threads = threading.local()

    def current(self, party: str) -> ots.Current:
        """Return the access of a party."""
        return _Current(self, party)

    def log(self, *did: Did) -> list[Entry]:
        """Return the steps so far, in order: all, or some kinds."""
        with self._lock:
            return [each for each in self._log if not did or each.did in did]

    def note(self, entry: Entry) -> None:
        """Add a step to the log."""
        with self._lock:
            self._log.append(replace(entry, at_ns=self.clock.monotonic_ns(), thread=threading.get_ident()))

    def began(self, party: str, seconds: int) -> int:
        """Begin a transaction; return its number."""
        with self._lock:
            number = next(self._numbers)
            deadline = self.clock.now() + seconds * 1000 if seconds else None
            self._states[number] = _State(number, party, deadline)
        self.note(Entry(Did.BEGIN, number, party))
        return number

    def status(self, number: int) -> Status:
        """Return where a transaction stands."""
        with self._lock:
            return self._states[number].status

    def mark(self, number: int, party: str) -> None:
        """Leave nothing but a rollback."""
        self.note(Entry(Did.ROLLBACK_ONLY, number, party))
        with self._lock:
            state = self._states[number]
            if state.status == Status.ACTIVE:
                state.status = Status.MARKED_ROLLBACK

    def join(self, number: int, party: str, resource: Resource | XAResource) -> None:
        """Enlist a resource."""
        if self.status(number) != Status.ACTIVE:
            raise TransactionRolledBack(f"transaction {number} takes no resource: it is {self.status(number).name}")
        is_xa = not isinstance(resource, Resource)
        if isinstance(resource, Resource):
            part = _Part(party, resource, resource, xa=False)
        else:
            branch = f"b{next(self._branches)}".encode()
            xid = Xid(_FORMAT, f"{self._name}.{number}".encode()[-Xid.MAXGTRIDSIZE :], branch)
            part = _Part(party, _Xa(resource, xid), resource, xa=True)
        with self._lock:
            self._states[number].parts.append(part)
        self.note(Entry(Did.ENLIST, number, party, xa=is_xa, resource=resource))

    def commit(self, number: int, party: str) -> None:
        """Commit, or roll back and raise TransactionRolledBack."""
        self.note(Entry(Did.ASK_COMMIT, number, party))
        answers = [each(Point.ASKED, number) for each in list(self.hooks)]
        with self._lock:
            state = self._states[number]
            late = state.deadline is not None and self.clock.now() >= state.deadline
            go = all(answers) and not late and state.status == Status.ACTIVE
            state.status = Status.PREPARING if go else Status.MARKED_ROLLBACK
        if not go or not all(self._prepared(state, part) for part in state.parts):
            self._undo(state)
            raise TransactionRolledBack(f"transaction {number} was rolled back{', its time was up' if late else ''}")
        with self._lock:
            state.status = Status.PREPARED
        for each in list(self.hooks):
            each(Point.DECIDED, number)
        with self._lock:
            state.status = Status.COMMITTING
        for part in state.parts:
            if part.voted == Vote.COMMIT:
                self._finish(state, part, Did.COMMIT)
        self._ended(state, Status.COMMITTED)

    def rollback(self, number: int, party: str) -> None:
        """Roll back."""
        self.note(Entry(Did.ASK_ROLLBACK, number, party))
        self._undo(self._states[number])

    def replay(self, number: int, resource: Resource) -> Status:
        """Tell a resource the decision again."""
        state = self._states[number]
        with self._lock:
            decided = state.status in (Status.PREPARED, Status.COMMITTING, Status.COMMITTED)
        for part in state.parts:
            if part.seen is resource and not part.done:
                self._finish(state, part, Did.COMMIT if decided else Did.ROLLBACK)
        return Status.COMMITTED if decided else Status.ROLLED_BACK

    def _prepared(self, state: _State, part: _Part) -> bool:
        try:
            part.voted = part.resource.prepare()
        except Exception as error:  # noqa: BLE001 - whatever it raises is a vote against
            _LOG.warning(
                "a resource of transaction %s cannot prepare: %s: %s", state.number, type(error).__name__, error
            )
            part.voted = Vote.ROLLBACK
        part.done = part.voted == Vote.READ_ONLY
        self.note(Entry(Did.PREPARE, state.number, part.party, part.voted, part.xa, part.seen))
        return part.voted != Vote.ROLLBACK

    def _undo(self, state: _State) -> None:
        with self._lock:
            state.status = Status.ROLLING_BACK
        for part in state.parts:
            if not part.done:
                self._finish(state, part, Did.ROLLBACK)
        self._ended(state, Status.ROLLED_BACK)

    def _finish(self, state: _State, part: _Part, did: Did) -> None:
        try:
            (part.resource.commit if did == Did.COMMIT else part.resource.rollback)()
        except Exception as error:  # noqa: BLE001 - it has crashed, and asks later
            _LOG.warning("a resource of transaction %s did not %s: %s", state.number, did.value, error)
            return
        part.done = True
        self.note(Entry(did, state.number, part.party, 0, part.xa, part.seen))

    def _ended(self, state: _State, status: Status) -> None:
        with self._lock:
            state.status = status
        self.note(Entry(Did.COMMITTED if status == Status.COMMITTED else Did.ROLLED_BACK, state.number, state.party))
        for each in list(self.hooks):
            each(Point.ENDED, state.number)


@dataclass(frozen=True, slots=True)
class _Coordinator(ots.Coordinator):
    service: TransactionService = field(compare=False)
    number: int
    party: str = field(compare=False)

    def get_status(self) -> Status:
        return self.service.status(self.number)

    def register_resource(self, resource: Resource) -> None:
        self.service.join(self.number, self.party, resource)

    def enlist_resource(self, resource: XAResource) -> None:
        self.service.join(self.number, self.party, resource)

    def replay_completion(self, resource: Resource) -> Status:
        return self.service.replay(self.number, resource)


class _Current(ots.Current):
    def __init__(self, service: TransactionService, party: str) -> None:
        self._service, self._party = service, party

    @property
    def _number(self) -> int:
        return getattr(self._service.threads, "number", 0)

    def _leave(self) -> int:
        number = self._number
        if not number:
            raise NoTransaction("the thread has no transaction")
        self._service.threads.number = 0
        return number

    def set_timeout(self, seconds: int) -> None:
        setattr(self._service.threads, f"timeout of {self._party}", seconds)
        self._service.note(Entry(Did.SET_TIMEOUT, 0, self._party, seconds))

    def begin(self) -> None:
        if self._number:
            raise ots.InvalidTransaction("the thread has a transaction, and transactions are not nested")
        seconds = getattr(self._service.threads, f"timeout of {self._party}", 0)
        self._service.threads.number = self._service.began(self._party, seconds)

    def commit(self) -> None:
        # the thread keeps its transaction until it has ended, so that hooks and resources see it
        if not self._number:
            raise NoTransaction("the thread has no transaction")
        try:
            self._service.commit(self._number, self._party)
        finally:
            self._leave()

    def rollback(self) -> None:
        self._service.rollback(self._leave(), self._party)

    def rollback_only(self) -> None:
        if not self._number:
            raise NoTransaction("the thread has no transaction")
        self._service.mark(self._number, self._party)

    def get_coordinator(self) -> ots.Coordinator | None:
        return _Coordinator(self._service, self._number, self._party) if self._number else None

    def suspend(self) -> ots.Coordinator | None:
        found = self.get_coordinator()
        self._service.threads.number = 0
        return found

    def resume(self, coordinator: ots.Coordinator | None) -> None:
        number = coordinator.number if isinstance(coordinator, _Coordinator) else 0
        self._service.threads.number = number
