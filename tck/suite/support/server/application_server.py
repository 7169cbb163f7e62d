"""An application server in miniature: one connection, sessions with listeners of their own, and connection consumers."""

from __future__ import annotations

import contextlib
import itertools
from typing import Any

from tck import api
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.subscriptions import Subscription
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.lifecycle.stopping import settling
from tck.suite.support.lifecycle.unstarted import unstarted
from tck.suite.support.server.pool import Employ, Pool, PooledServerSession, Work
from tck.suite.support.server.steps import BACK, ENTERED, LEFT, RAN, RUN, TAKEN, Step, Steps

ROOMY = 12
"""Server sessions enough for most cases, so that the pool never blocks: a provider that suffers from that shows it elsewhere."""


class ApplicationServer(api.AutoCloseable):
    """A connection with a pool of server sessions, which connection consumers feed.

    Attributes:
        client: the client of the connection; its own session is none of the pool's.
        pool: the pool.
        steps: the steps so far.
    """

    def __init__(
        self,
        case: RunningCase,
        *,
        sessions: int = 1,
        grows: bool = False,
        ack: str | None = None,
        work: Work = settling,
        client: Client | None = None,
        client_id: str | None = None,
        started: bool = True,
        employ: Employ | None = None,
    ) -> None:
        """Connect, unless a client is given, and make a pool of some sessions.

        Args:
            case: the running case.
            sessions: the number of server sessions.
            grows: whether the pool makes a further one whenever it has none.
            ack: the mode of the sessions; default: the case's.
            work: the work of each session's own listener; default: it commits or acknowledges as the mode requires.
            client: a client whose connection is used.
            client_id: the client identifier of a new connection.
            started: whether delivery is started.
            employ: runs a session on some thread; default: on a new one for each start.
        """
        self.case = case
        self.client = client or unstarted(case, ack, client_id=client_id)
        self.steps = Steps(case)
        self.pool = Pool(case, self.steps, employ or case.spawn)
        self._ack, self._work = ack, work
        self._numbers = itertools.count(1)
        self._consumers: list[api.ConnectionConsumer] = []
        case.opened(self)
        if started:
            self.client.start()
        for _ in range(sessions):
            self.pool.add(self.server_session())
        if grows:
            self.pool.grow = self.server_session

    def server_session(self) -> PooledServerSession:
        """Make a server session with a new session of the connection."""
        return PooledServerSession(next(self._numbers), self.client.peer(self._ack), self.pool, self._work)

    def consume(
        self, destination: api.Destination, selector: str | None = None, *, max_messages: int = 1
    ) -> api.ConnectionConsumer:
        """Create a connection consumer of a destination.

        Raises:
            Undecided: the provider returned null.
        """
        return self._present(
            self.client.connection.create_connection_consumer(destination, selector, self.pool, max_messages)
        )

    def serve(self, subscription: Subscription, *, max_messages: int = 1) -> api.ConnectionConsumer:
        """Create a connection consumer of a subscription; the connection needs the identifier of an unshared durable one.

        Raises:
            Undecided: the provider returned null.
        """
        kind = subscription.kind.replace("unshared", "").replace(" ", "_")
        create: Any = getattr(self.client.connection, f"create_{kind}_connection_consumer".replace("__", "_"))
        name = () if subscription.kind == "unshared" else (subscription.name,)
        return self._present(create(subscription.topic, *name, subscription.selector, self.pool, max_messages))

    def _present(self, made: api.ConnectionConsumer | None) -> api.ConnectionConsumer:
        if made is None:
            raise Undecided("the provider returned null in place of a connection consumer")
        self._consumers.append(made)
        return made

    def leave(self) -> None:
        """Close the pool and all connection consumers, so that they take no message from anybody; errors are ignored."""
        self.close()
        for consumer in self._consumers:
            with contextlib.suppress(Exception):
                consumer.close()

    def close(self) -> None:
        """Let no call of the provider wait in the pool any more; the connection stays open."""
        self.pool.shut()

    # -- observations --------------------------------------------------------------------------------------------

    @property
    def bodies(self) -> list[object]:
        """The bodies of the messages that listeners were called with so far, in the order of the calls."""
        return [step.body for step in self.steps.all(ENTERED)]

    @property
    def received(self) -> list[api.Message]:
        """The messages that listeners were called with so far, in the order of the calls."""
        return [step.message for step in self.steps.all(ENTERED) if step.message is not None]

    def after(self, count: int) -> list[object]:
        """Wait until listeners have ended `count` calls, at most until the profile's deadline; return all bodies so far."""
        self.steps.reach(LEFT, count)
        return self.bodies

    def take(self, count: int) -> list[object]:
        """Wait until listeners have ended `count` calls; return all bodies so far.

        Raises:
            Undecided: they have not, within the profile's deadline.
        """
        bodies = self.after(count)
        if len(bodies) < count:
            raise Undecided(f"only {bodies!r} came to the listeners of server sessions")
        self.case.witness(f"listeners of server sessions were called with {bodies!r}")
        return bodies

    def errors(self) -> list[Exception]:
        """Return the exceptions that left listeners and calls of run() so far."""
        return [step.error for step in self.steps.all(LEFT, RAN) if step.error is not None]

    def idle(self) -> bool:
        """Wait until all server sessions are back in the pool, at most until the deadline; return whether they are."""
        return self.steps.until(
            lambda steps: sum(one.what == TAKEN for one in steps) == sum(one.what == BACK for one in steps)
        )

    def out(self) -> int:
        """Return the number of server sessions that have left the pool and are not back."""
        return len(self.steps.all(TAKEN)) - len(self.steps.all(BACK))

    def runs(self) -> list[list[Step]]:
        """Return the steps of each call of run(), in the order of the calls; the last step is its end, if it has ended."""
        runs: list[list[Step]] = []
        open_runs: dict[int, list[Step]] = {}
        for step in self.steps.all(RUN, ENTERED, LEFT, RAN):
            if step.what == RUN:
                open_runs[step.number] = []
                runs.append(open_runs[step.number])
            open_runs.setdefault(step.number, []).append(step)
        return runs

    def batches(self) -> list[list[object]]:
        """Return the bodies that listeners were called with in each call of run()."""
        return [[step.body for step in run if step.what == ENTERED] for run in self.runs()]
