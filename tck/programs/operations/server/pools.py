"""Connection consumers: a pool of one server session, whose session has a listener of its own (chapter 11.2).

The program's thread never uses that session: the thread of the server session runs it. With a single session the messages
come in the order that 6.2.9 lays down.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Final

from tck import api
from tck.programs.observing.environment import Environment
from tck.programs.operations.clients import patiently
from tck.programs.operations.consumers import asks_exactly, check_selector, selector_of
from tck.programs.operations.listening import Listener
from tck.programs.operations.operation import Operation
from tck.programs.program import Json, Step
from tck.programs.state.objects import Consumer, Destination, Endpoint, OpenOutcome, Session
from tck.programs.state.state import DURABLE, State, same_terms

_METHODS: Final[Mapping[str, str]] = {
    "plain": "create_connection_consumer", "shared": "create_shared_connection_consumer",
    "durable": "create_durable_connection_consumer", "shared_durable": "create_shared_durable_connection_consumer",
}  # fmt: skip
_WAIT_MS: Final = 600_000
"""The longest wait for the server session, milliseconds; a program ends sooner and shuts the pool."""
_BEGIN_SECONDS: Final = 5


class Pool(api.ServerSessionPool):
    """A pool of one server session, which is in use while its session runs.

    Args:
        env: Where the program runs.
        session: The session.
    """

    def __init__(self, env: Environment, session: Any) -> None:
        self.env = env
        self._only = _ServerSession(self, session)
        self._lock = threading.Lock()  # guards everything below; no other lock is taken under it
        self._taken = self._shut = self._runs = False
        self._changed = env.clock.event()

    def get_server_session(self) -> api.ServerSession:
        """Take the server session out; wait while it is in use.

        Raises:
            JMSException: The program has ended.
        """
        clock = self.env.clock
        end = clock.now() + _WAIT_MS
        while True:
            with self._lock:
                if self._shut:
                    raise api.JMSException("the pool is shut")
                if not self._taken:
                    self._taken = True
                    return self._only
                changed = self._changed
            if not changed.wait(end - clock.now()) and clock.now() >= end:
                raise api.JMSException("the server session did not become free")

    def idle(self) -> bool:
        """Return whether the session is not run."""
        with self._lock:
            return not self._runs

    def begin(self) -> None:
        """Note that the session is run."""
        with self._lock:
            self._runs = True

    def put_back(self) -> None:
        """Put the server session back."""
        with self._lock:
            self._taken = self._runs = False
        self._wake()
        self.env.ring()

    def close(self) -> None:
        """Hand out nothing any more."""
        with self._lock:
            self._shut = True
        self._wake()

    def _wake(self) -> None:
        with self._lock:
            changed, self._changed = self._changed, self.env.clock.event()
        changed.set()


class _ServerSession(api.ServerSession):
    """The server session of a pool; each start runs the session in a thread of its own."""

    def __init__(self, pool: Pool, session: Any) -> None:
        self._pool = pool
        self._session = session

    @property
    def session(self) -> Any:
        """Return the session, always the same."""
        return self._session

    def start(self) -> None:
        """Have a thread run the session."""
        self._pool.begin()
        begun = threading.Event()

        def work() -> None:
            with self._pool.env.clock.actor():
                begun.set()
                try:
                    self._session.run()
                finally:
                    self._pool.put_back()

        threading.Thread(target=_quiet(work), name="explore-server-session", daemon=True).start()
        begun.wait(_BEGIN_SECONDS)


def _quiet(work: Any) -> Any:
    def call() -> None:
        try:
            work()
        except Exception:  # noqa: BLE001 - what did not come is seen by the program
            return

    return call


def pool(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Make a connection consumer with a pool of one server session."""
    connection, session = env.get(args["on"]), env.get(args["session"])
    kind, selector = args.get("kind", "plain"), selector_of(env, args.get("selector"))
    made = Pool(env, session)
    env.opened.append(made)
    env.pools.append(made)
    consumer = name or ""
    does = args.get("does", "take")
    env.objects[f"{consumer}'s session"] = session
    env.parents[consumer] = args["session"]
    session.message_listener = Listener(env, consumer, does)
    named = () if kind == "plain" else (env.subscription_name(args["name"]),)
    env.ends[consumer] = _end(env, args, consumer)
    env.selectors[consumer] = selector or None
    found = patiently(
        env,
        lambda: getattr(connection, _METHODS[kind])(env.find(args, "of"), *named, selector, made, args.get("most", 1)),
    )
    env.keep(name, found, args["session"])
    return {"pool": found.server_session_pool is made}


def _end(env: Environment, args: Mapping[str, Json], name: str) -> str:
    kind = args.get("kind", "plain")
    if isinstance(env.get(args["of"]), api.Queue):
        return str(args["of"])
    if kind == "plain":
        return f"plain {name}"
    return f"{'shared' if kind == 'shared' else 'durable'} {env.clients.get(args['on'], '')}/{args['name']}"


def _check_pool(state: State, args: Mapping[str, Json]) -> None:
    connection, session = state.alive(args["on"]), state.usable(args["session"])
    if "asf" not in state.capabilities.features:
        raise OpenOutcome("connection consumers are not claimed")  # 11.1-1
    if connection.simplified or session.connection is not connection or connection.state != "open":
        raise OpenOutcome("the session must be one of an open connection of the classic API")  # 11.2-1, 11.2.2-3
    _check_session(state, session, args.get("does", "take"))
    destination = state.reachable(args.get("of"), connection)
    if destination is None or destination.deleted or (destination.owner not in (None, connection)):
        raise OpenOutcome("its destination is gone, or another connection's")
    _check_terms(state, args, session, destination)


def _check_session(state: State, session: Session, does: str) -> None:
    """Refuse a session that receives otherwise, or has messages in hand, or an open transaction."""
    mine = [each for each in state.consumers.values() if each.session is session and each.state == "open"]
    if session.state != "open" or session.pooled or mine or session.held or session.unsent:
        raise OpenOutcome("the session is used otherwise")  # 11.2.1-6
    if (does == "acknowledge" and session.mode != "client") or (does == "commit" and session.mode != "transacted"):
        raise OpenOutcome("nothing to settle so")
    if does == "throw" and session.mode not in {"client", "transacted"}:
        # That the message is redelivered before any other (8.7-2) is said of consumers; a server session may have more in hand.
        raise OpenOutcome("when a server session repeats what its listener threw at is left open")


def _check_terms(state: State, args: Mapping[str, Json], session: Session, destination: Destination) -> None:
    kind, interface = args.get("kind", "plain"), session.connection.api
    if kind in {"shared", "shared_durable"} and not state.capabilities.modern:
        raise OpenOutcome("the version has no shared subscriptions")
    if interface in {"queue", "topic"} and interface != destination.kind:
        raise OpenOutcome("its connection has no such destinations")
    if destination.kind == "queue" and kind != "plain":
        raise OpenOutcome("a queue has no subscriptions")
    if kind in DURABLE and (destination.temporary or (kind == "durable" and not session.connection.client_id)):
        raise OpenOutcome("a durable subscription needs a lasting topic, an unshared one a client identifier")
    if destination.kind == "topic" and any(destination.name in each.unsent for each in state.working()):
        raise OpenOutcome("whether a new subscription gets what was sent before and committed after is left open")
    check_selector(state, args)
    end = state.endpoints.get(state.key_of(args, session, destination))
    if end is not None and any(end.key in each.held for each in state.branches.values()):
        raise OpenOutcome("what a branch has received of it is neither settled nor returned")
    if end is None or destination.kind == "queue" or kind == "plain":
        return
    if end.kind != kind or end.destination is not destination or not same_terms(end, args):
        raise OpenOutcome("what becomes of a subscription with other terms is stated for consumers of sessions only")
    if kind == "durable" and end.consumers:
        raise OpenOutcome("its subscription is in use")


def _note_pool(state: State, step: Step, _: object) -> None:
    state.fresh, args, name = True, step.args, step.name or ""
    session, destination = state.sessions[args["session"]], state.destinations[args["of"]]
    kind = "queue" if destination.kind == "queue" else args.get("kind", "plain")
    key = state.key_of(args, session, destination) or f"plain {name}"
    end = state.endpoints.setdefault(key, Endpoint(key, kind, destination, args.get("selector") or None))
    made = Consumer(name, session, end, listening=True, pooled=True)
    end.consumers.add(name)
    end.contended |= len(end.consumers) > 1
    state.consumers[name] = made
    state.exact |= asks_exactly(args.get("selector"))
    state.ends[name] = end
    session.pooled = True
    session.listening.add(name)
    session.connection.thrown |= args.get("does") == "throw"
    state.hold(made)


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation(
        "pool", pool, check=_check_pool, note=_note_pool,
        member=lambda step, on: f"{on}.{_METHODS[step.args.get('kind', 'plain')]}", makes="ConnectionConsumer", consumes=True,
    ),
)  # fmt: skip
