"""Server sessions and the pool that hands them out: the application server's side of the facilities."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import TypeAlias

from tck import api
from tck.suite.support.clients.client import Client
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.server.steps import ASKED, BACK, CALLED, ENTERED, LEFT, RAN, RUN, STARTED, TAKEN, Steps
from tck.suite.support.values.seen import body

Work: TypeAlias = Callable[[Client, api.Message], object]
"""The work of a session's own listener with a message; its client is that of the session."""
Employ: TypeAlias = Callable[[str, Callable[[], None]], object]
"""Runs a call on some thread of the server; the words name it in findings."""


class OwnListener(api.MessageListener):
    """The own listener of a session; it notes its calls and works."""

    def __init__(self, number: int, client: Client, steps: Steps, work: Work) -> None:
        self._number, self._client, self._steps, self._work = number, client, steps, work

    def on_message(self, message: api.Message) -> None:
        """Note the message and work with it; an exception of the work leaves the listener."""
        text = body(message)
        self._steps.note(ENTERED, self._number, body=text, message=message)
        try:
            self._work(self._client, message)
        except Exception as error:
            self._steps.note(LEFT, self._number, body=text, message=message, error=error)
            raise
        self._steps.note(LEFT, self._number, body=text, message=message)


class PooledServerSession(api.ServerSession):
    """A server session; `start` lets a thread of the server run the session and put the server session back."""

    def __init__(self, number: int, client: Client, pool: Pool, work: Work) -> None:
        self.number, self.client = number, client
        self._pool = pool
        self.client.session.message_listener = OwnListener(number, client, pool.steps, work)

    @property
    def session(self) -> api.Session:
        """Return the session, always the same."""
        self._pool.steps.note(ASKED, self.number)
        session: api.Session = self.client.session
        return session

    def start(self) -> None:
        """Let a thread of the server run the session."""
        self._pool.steps.note(STARTED, self.number)
        self._pool.employ(f"run() of server session {self.number}", self.run)

    def run(self) -> None:
        """Run the session on the calling thread, and put the server session back."""
        steps = self._pool.steps
        steps.note(RUN, self.number)
        failure = None
        try:
            self.client.session.run()
        except Exception as error:  # noqa: BLE001 - the steps keep it; the test judges
            failure = error
        steps.note(RAN, self.number, error=failure)
        self._pool.put_back(self)


class Pool(api.ServerSessionPool):
    """A pool that blocks while it is empty or withheld.

    With `grow` it makes a further server session, within the provider's call, whenever it has none.
    """

    def __init__(self, case: RunningCase, steps: Steps, employ: Employ) -> None:
        self.steps, self.employ = steps, employ
        self.grow: Callable[[], PooledServerSession] | None = None
        self._case = case
        self._lock = threading.Lock()  # guards everything below; no other lock is taken under it
        self._free: deque[PooledServerSession] = deque()
        self._changed = case.provider.clock.event()
        self._withheld = self._shut = False

    def get_server_session(self) -> api.ServerSession:
        """Return the server session that has been free for longest; wait for one, but not for ever."""
        self.steps.note(CALLED)
        limit = 600_000 if self._case.provider.clock.virtual else 4 * self._case.timing.deadline
        end = self._case.now() + limit
        while True:
            with self._lock:
                self._refuse()
                found = self._free.popleft() if self._free and not self._withheld else None
                changed, grow = self._changed, self.grow
            if found is None and grow is not None:
                found = grow()
            if found is not None:
                self.steps.note(TAKEN, found.number)
                return found
            if not changed.wait(end - self._case.now()) and self._case.now() >= end:
                raise api.JMSException("no server session became free")

    def _refuse(self) -> None:
        """Raise where the pool is shut. Needs the lock."""
        if self._shut:
            raise api.JMSException("the pool is shut")

    def put_back(self, server_session: PooledServerSession) -> None:
        """Make a server session available."""
        self.steps.note(BACK, server_session.number)
        self._change(lambda: self._free.append(server_session))

    def add(self, server_session: PooledServerSession) -> None:
        """Make a new server session available."""
        self._change(lambda: self._free.append(server_session))

    def withhold(self) -> None:
        """Hand out nothing until `release`."""
        with self._lock:
            self._withheld = True

    def release(self) -> None:
        """Hand out server sessions again."""

        def work() -> None:
            self._withheld = False

        self._change(work)

    def shut(self) -> None:
        """End all waits: the server is going down."""

        def work() -> None:
            self._shut = True

        self._change(work)

    def _change(self, work: Callable[[], object]) -> None:
        with self._lock:
            work()
            changed, self._changed = self._changed, self._case.provider.clock.event()
        changed.set()
