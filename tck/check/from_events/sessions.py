"""Sessions, connections and branches of a trace: the owners of objects, and the open unit of work.

May import `calls` and `columns`; must not judge.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tck.check.columns import ALWAYS, AUTO, BRANCHES, NEVER, NONE, SESSIONS, STOPS, TRANSACTED, Closer, End, Table
from tck.check.from_events.calls import OK, Call, Facts, kind_of

XA_PASSED = ("session", "queue_session", "topic_session", "context")
"""Members of XA types that return the session to work with: the XA session itself."""


@dataclass(slots=True)
class Session:
    """A session, or the session that a context is; also the pseudo-sessions of connections and branches."""

    number: int
    label: str
    conn: int
    mode: int
    xa: bool = False
    epoch: int = 0
    ended: bool = False
    branch: Branch | None = None
    branches: list[Branch] = field(default_factory=list)
    ack0: int = NEVER
    ack1: int = ALWAYS
    undo0: int = NEVER
    closer: int = Closer.CONNECTION

    @property
    def unit(self) -> int:
        """The unit of work to which sends and deliveries currently belong."""
        if self.branch is not None:
            return self.branch.unit
        return NONE if self.xa else (self.number << 32) | self.epoch


@dataclass(slots=True)
class Branch:
    """One branch of a global transaction."""

    unit: int
    pseudo_session: Session
    prepared: bool = False
    p1: int = NEVER
    kind: int = End.OPEN
    s0: int = NEVER
    s1: int = NEVER
    over: bool = False
    """The provider reported its end, and no longer knows it."""

    def decide(self, kind: int, s0: int, s1: int, *, reported: bool = True) -> None:
        """Record its end; the first decision reported by the provider counts, before that the first guess."""
        if self.over or (not reported and self.kind != End.OPEN):
            return
        # Work begun by a call with an unknown outcome may be finished by a later call.
        self.kind, self.s0, self.s1, self.over = kind, min(self.s0, s0), s1, reported


@dataclass(slots=True)
class Stop:
    """A time in which a connection delivers nothing; not sure if a start overlapped, or the call failed."""

    conn: int
    session: int
    seq: int
    t0: int
    t1: int = NEVER
    sure: bool = True


@dataclass(slots=True)
class Connection:
    """A connection, also the one behind contexts."""

    number: int
    label: str
    pseudo_session: Session
    client: object = None
    starts_itself: bool = True
    """Of contexts: whether creating a consumer starts it."""
    stopped: Stop | None = None
    started: int = ALWAYS
    """Return of its last start."""
    ended: bool = False


@dataclass(slots=True)
class Clients:
    """All connections and sessions, numbered as they appear."""

    sessions: list[Session] = field(default_factory=list)
    connections: list[Connection] = field(default_factory=list)
    stops: list[Stop] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)
    branch_of: dict[str, Branch] = field(default_factory=dict)
    """The current branch of each Xid."""
    parents: dict[str, str] = field(default_factory=dict)
    _sessions: dict[str, Session] = field(default_factory=dict)
    _connections: dict[str, Connection] = field(default_factory=dict)

    # -- making --------------------------------------------------------------------------------------------------

    def create(self, call: Call, created: Facts) -> None:
        """Record a new object of the API."""
        label, parent = str(created["label"]), str(created["parent"])
        self.parents[label] = parent
        kind = kind_of(label)
        if kind == "connection":
            connection = self._connect(label)
            self.stop(connection, call)
        elif kind == "context":
            above = self._connections.get(parent)
            self._connections[label] = above or self._connect(label)
            if above is None:
                self.stop(self._connections[label], call)
            if call.name in XA_PASSED and parent in self._sessions:
                self._sessions[label] = self._sessions[parent]
            else:
                self._sessions[label] = self._begin(label, created)
        elif kind == "session":
            if call.name in XA_PASSED and parent in self._sessions:
                self._sessions[label] = self._sessions[parent]
            elif parent in self._connections:
                self._connections[label] = self._connections[parent]
                self._sessions[label] = self._begin(label, created)

    def _connect(self, label: str) -> Connection:
        number = len(self.connections)
        pseudo_session = self.new_pseudo_session(label, number)
        connection = Connection(number, label, pseudo_session)
        self.connections.append(connection)
        self._connections[label] = connection
        return connection

    def _begin(self, label: str, created: Facts) -> Session:
        mode = created.get("session_mode")
        xa = "XA" in str(created.get("type", ""))
        number = len(self.sessions)
        conn = self._connections[label].number
        session = Session(number, label, conn, mode if isinstance(mode, int) else AUTO, xa)
        if xa:
            session.mode = TRANSACTED
        self.sessions.append(session)
        return session

    def new_pseudo_session(self, label: str, conn: int) -> Session:
        """Make a pseudo-session, for a connection or a branch."""
        session = Session(len(self.sessions), label, conn, NONE)
        self.sessions.append(session)
        return session

    def begin_branch(self, xid: str, conn: int, *, joins: bool) -> Branch:
        """Return the branch of a start: a new one where the Xid is free, since XA allows its reuse then."""
        branch = self.branch_of.get(xid)
        if branch is None or (not joins and (branch.over or branch.kind != End.OPEN)):
            pseudo_session = self.new_pseudo_session(f"branch {len(self.branches) + 1}", conn)
            branch = self.branch_of[xid] = Branch(pseudo_session.number << 32, pseudo_session)
            self.branches.append(branch)
        return branch

    # -- finding -------------------------------------------------------------------------------------------------

    def session(self, label: str) -> Session | None:
        """Find the session an object belongs to."""
        seen: set[str] = set()
        while label not in self._sessions and label in self.parents and label not in seen:
            seen.add(label)
            label = self.parents[label]
        return self._sessions.get(label)

    def connection(self, label: str) -> Connection | None:
        """Find the connection an object belongs to."""
        seen: set[str] = set()
        while label not in self._connections and label in self.parents and label not in seen:
            seen.add(label)
            label = self.parents[label]
        return self._connections.get(label)

    def of_connection(self, connection: Connection) -> list[Session]:
        """List the sessions of a connection that have not ended."""
        return [
            each for each in self.sessions if each.conn == connection.number and each.mode != NONE and not each.ended
        ]

    # -- stopping ------------------------------------------------------------------------------------------------

    def stop(self, connection: Connection, call: Call) -> None:
        """Record that a connection delivers nothing from now on."""
        if connection.stopped is not None and connection.stopped.sure:
            return
        known = call.out == OK and connection.started <= call.t0
        self._stop(connection, call.seq, call.t1 if known else call.t0, sure=known)

    def _stop(self, connection: Connection, seq: int, since: int, *, sure: bool) -> None:
        if connection.stopped is not None:
            connection.stopped.t1 = since
        connection.stopped = Stop(connection.number, connection.pseudo_session.number, seq, since, sure=sure)
        self.stops.append(connection.stopped)

    def start(self, connection: Connection, call: Call) -> None:
        """Record that a connection delivers again."""
        connection.started = max(connection.started, call.t1)
        stopped = connection.stopped
        if stopped is None:
            return
        known = call.out == OK and call.t0 >= stopped.t0
        stopped.t1, connection.stopped = call.t0, None
        if not known:
            self._stop(connection, call.seq, call.t0, sure=False)

    def was_running(self, conn: int, t0: int, t1: int) -> bool:
        """Whether a connection was started throughout a time."""
        return not any(each.conn == conn and each.t0 < t1 and each.t1 > t0 for each in self.stops)

    # -- tables --------------------------------------------------------------------------------------------------

    def session_table(self) -> Table:
        """Make the side table of sessions."""
        return Table.of(
            SESSIONS,
            {name: [getattr(each, name) for each in self.sessions] for name in SESSIONS},
            len(self.sessions),
        )

    def stop_table(self) -> Table:
        """Make the side table of stops."""
        sure = [each for each in self.stops if each.sure]
        return Table.of(STOPS, {name: [getattr(each, name) for each in sure] for name in STOPS}, len(sure))

    def branch_table(self) -> Table:
        """Make the side table of branches."""
        columns = {name: [getattr(each, name) for each in self.branches] for name in BRANCHES}
        return Table.of(BRANCHES, columns, len(self.branches))
