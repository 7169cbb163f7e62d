"""A pool of listeners in the manner of message-driven beans: five instances share the messages of a destination."""

from __future__ import annotations

import threading
from collections import Counter

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.server.application_server import ApplicationServer
from tck.suite.support.values.seen import body

INSTANCES = 5
MESSAGES, IN_FLIGHT = 200, [f"in flight {number}" for number in range(50)]


@scenario("pj-mdb-hello", domain=("queue",))
def test_a_pool_of_listening_sessions(case: Case) -> None:
    """Five sessions, each with a listener on one queue, share 200 messages; a close ends the work of all."""
    queue, client = case.queue(), case.client()
    beans = [Bean(case) for _ in range(INSTANCES)]
    sessions = [client, *(client.peer() for _ in beans[1:])]
    for bean, session in zip(beans, sessions, strict=True):
        session.consumer(queue).message_listener = bean
    played(case, beans, queue, numbered(MESSAGES), sessions)


@scenario("pj-mdb-hello", api=("classic", "domain-specific"), variant="server-sessions")
def test_a_pool_of_server_sessions(case: Case) -> None:
    """The same through connection consumers, which load one message or up to ten into a server session; a hundred for each."""
    case.presumes("asf")
    for most in (1, 10):
        destination, beans = case.destination(), [Bean(case) for _ in range(INSTANCES)]
        server = served(case, beans)
        server.consume(destination, max_messages=most)
        played(case, beans, destination, numbered(MESSAGES // 2), [server.client], server)


def served(case: Case, beans: list[Bean]) -> ApplicationServer:
    """Open an application server with a server session for each bean."""
    by_client: dict[Client, Bean] = {}
    server = ApplicationServer(case, sessions=0, work=lambda client, message: by_client[client].on_message(message))
    for bean in beans:
        session = server.server_session()
        by_client[session.client] = bean
        server.pool.add(session)
    return server


def played(
    case: Case,
    beans: list[Bean],
    destination: api.Destination,
    messages: list[str],
    sessions: list[Client],
    server: ApplicationServer | None = None,
) -> None:
    """Send messages to the beans, then more, and close while these are in flight; judge the work of the beans.

    A server gets as many at a time as it has sessions: the rows on pools that are empty have tests of their own.
    """
    sender = case.client()
    entry = Link(sender, destination, consumes=False)
    burst = len(messages) if server is None else INSTANCES
    for begin in range(0, len(messages), burst):
        for text in messages[begin : begin + burst]:
            entry.send(text)
        Bean.until(case, beans, begin + burst)
        if server is not None:
            server.idle()
    handled = [list(bean.handled) for bean in beans]
    for text in IN_FLIGHT if server is None else IN_FLIGHT[:INSTANCES]:
        entry.send(text)
    for session in sessions:
        session.close()
    case.pass_time(case.timing.delay, "a call that began before the end of close is counted")
    at_close = [bean.calls for bean in beans]
    entry.dispatched()

    with expect.for_row("pj-mdb-hello-1"):
        expect.equal("the messages handled", sorted(text for each in handled for text in each), messages)
    with expect.for_row("pj-mdb-hello-2"):
        case.witness("beans were called")
        expect.equal("the most messages that a bean handled at a time", max(bean.most for bean in beans), 1)
    with expect.for_row("pj-mdb-hello-3"):
        instances = Counter(text for each in handled for text in set(each))
        expect.equal("the number of beans for each message", set(instances.values()), {1})
    with expect.for_row("pj-mdb-hello-4"):
        case.witness("beans were called before the close")
        expect.equal("the calls of the beans, with those after the close", [bean.calls for bean in beans], at_close)
    with expect.for_row("pj-mdb-hello-5"):
        case.witness("beans were called")
        expect.record(f"{sum(map(bool, handled))} of {len(beans)} beans had work")


class Bean(api.MessageListener):
    """An instance: it notes its messages, and the most that it handles at a time; each takes a while."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._lock = threading.Lock()  # guards everything below; no other lock is taken under it
        self._inside = 0
        self.calls = self.most = 0
        self.handled: list[str] = []

    def on_message(self, message: api.Message) -> None:
        """Handle a message."""
        with self._lock:
            self.calls += 1
            self._inside += 1
            self.most = max(self.most, self._inside)
        self._case.provider.clock.event().wait(1)
        with self._lock:
            self.handled.append(str(body(message)))
            self._inside -= 1

    @staticmethod
    def until(case: Case, beans: list[Bean], count: int) -> None:
        """Wait until the beans have handled so many messages, at most until the profile's deadline."""
        end = case.now() + case.timing.deadline
        while sum(len(bean.handled) for bean in beans) < count and case.now() < end:
            case.provider.clock.event().wait(case.timing.deadline / 500)
