"""Red round 10, third part: faults in connection consumers and in branches, written without sight of the suite."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from faults.kit.servers import connection_of, created, session_of
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.client.application_server import fault_points as server_points
from reference_provider.client.application_server.connection_consumers import ReferenceConnectionConsumer
from reference_provider.client.application_server.server_session import ServerSessionRunner
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.xa.resource import ReferenceXAResource
from tck.api import OMITTED, JMSException, ServerSession, ServerSessionPool, XAResource, Xid


@nearly_right(
    "message-in-hand-is-lost-with-its-closed-consumer",
    "a connection consumer that is closed while it waits for the pool never returns the message it has in hand",
    "11.2.7-1",
    "11.2.3-2",
    noticed=False,
)
def _in_hand(patch: Patch) -> None:
    def load(
        original: Callable[..., bool],
        consumer: ReferenceConnectionConsumer,
        runner: ServerSessionRunner,
        first: Delivery,
    ) -> bool:
        return not (consumer._closed and not connection_of(consumer).is_down()) and original(consumer, runner, first)

    patch.at(server_points.SESSION_LOADED, load)


@nearly_right(
    "only-one-of-the-messages-that-never-ran-returns",
    "of several messages loaded into a session that is closed before it runs, only the first goes back",
    "11.2.7-1",
)
def _one_returns(patch: Patch) -> None:
    def drop(original: Callable[..., list[Delivery]], runner: ServerSessionRunner) -> list[Delivery]:
        return original(runner)[:1]

    patch.at(server_points.SESSION_UNLOADED, drop)


@nearly_right(
    "acknowledge-takes-the-rest-of-the-batch-along",
    "acknowledge within run also acknowledges the loaded messages that the listener has not had yet",
    "11.2.7-2",
    "11.2.7-1",
)
def _rest_of_batch(patch: Patch) -> None:
    def acknowledge_all(original: Callable[..., None], session: ReferenceSession) -> None:
        original(session)
        if session.runner.is_current_thread():
            loaded = list(session.runner.loaded)
            session.state.acknowledge(loaded, durable=True)
            for delivery in loaded:
                delivery.held = False

    patch.at(fault_points.ACKNOWLEDGED, acknowledge_all)


@nearly_right(
    "run-returns-after-a-failed-listener",
    "run leaves the rest of the assigned messages where they are when the listener has raised",
    "11.2.1-4",
    "11.2.1-5",
)
def _returns_early(patch: Patch) -> None:
    failed: list[ServerSessionRunner] = []

    def call_listener(
        original: Callable[..., bool], runner: ServerSessionRunner, listener: Any, delivery: Delivery
    ) -> bool:
        raised = original(runner, listener, delivery)
        if raised:
            failed.append(runner)
        return raised

    def next_delivery(original: Callable[..., Delivery | None], runner: ServerSessionRunner) -> Delivery | None:
        if any(one is runner for one in failed):
            failed[:] = [one for one in failed if one is not runner]
            return None
        return original(runner)

    patch.at(server_points.OWN_LISTENER_CALLED, call_listener)
    patch.at(server_points.RUN_CONTINUED, next_delivery)


@nearly_right(
    "batch-is-filled-up-without-the-selector",
    "a connection consumer on a queue applies its selector to the first message of a batch only",
    "11.2.4-3",
)
def _filled_up(patch: Patch) -> None:
    def load(
        original: Callable[..., bool],
        consumer: ReferenceConnectionConsumer,
        runner: ServerSessionRunner,
        first: Delivery,
    ) -> bool:
        receiver = consumer._receiver
        matches, receiver.matches = receiver.matches, None
        try:
            return original(consumer, runner, first)
        finally:
            receiver.matches = matches

    patch.at(server_points.SESSION_LOADED, load)


@nearly_right(
    "run-that-has-begun-goes-on-under-a-stop",
    "a stop of the connection during run does not keep the rest of the batch from the listener",
    "11.2.4-7",
    "6.1.5-11",
    noticed=False,
)
def _goes_on(patch: Patch) -> None:
    begun: dict[int, ServerSessionRunner] = {}

    def next_delivery(original: Callable[..., Delivery | None], runner: ServerSessionRunner) -> Delivery | None:
        delivery = original(runner)
        if delivery is None:
            begun.pop(id(runner), None)
        else:
            begun[id(runner)] = runner
        return delivery

    def may_run(original: Callable[..., bool], runner: ServerSessionRunner) -> bool:
        session = session_of(runner)
        usable = session.connection.usable and not session.closing
        return original(runner) or (usable and id(runner) in begun)

    patch.at(server_points.RUN_CONTINUED, next_delivery)
    patch.at(server_points.RUN_ALLOWED, may_run)


@nearly_right(
    "refused-durable-connection-consumer-stays-on-its-subscription",
    "a durable connection consumer refused for its pool occupies the subscription until the connection closes",
    "11.2.4-8",
    "11.2.4-13",
    noticed=False,
)
def _stays(patch: Patch) -> None:
    def create(
        original: Callable[..., Any], connection: Any, topic: Any, name: Any, selector: Any, pool: Any, most: int
    ) -> Any:
        if isinstance(pool, ServerSessionPool) or most < 1:
            return original(connection, topic, name, selector, pool, most)
        connection.use()
        connection.consumer_factory.open_durable(topic, name, selector, OMITTED)
        raise JMSException(f"a server session pool is needed, not {pool!r}", "NO_POOL")

    created(patch, "create_durable_connection_consumer", create)


@nearly_right(
    "known-server-session-is-started-before-it-is-loaded",
    "a server session that the pool hands out again is started as soon as it is there, and its session loaded afterwards",
    "11.2.5-1",
    "11.2.5-2",
    noticed=False,
)
def _started_early(patch: Patch) -> None:
    known: list[ServerSession] = []
    early: list[ServerSession] = []

    def ask(original: Callable[..., ServerSessionRunner], server_session: ServerSession) -> ServerSessionRunner:
        runner = original(server_session)
        if any(one is server_session for one in known):
            early.append(server_session)
            server_session.start()
        known.append(server_session)
        return runner

    def start(original: Callable[..., None], consumer: Any, server_session: ServerSession) -> None:
        if any(one is server_session for one in early):
            early[:] = [one for one in early if one is not server_session]
        else:
            original(consumer, server_session)

    patch.at(server_points.SERVER_SESSION_ASKED, ask)
    patch.at(server_points.SERVER_SESSION_STARTED, start)


@nearly_right(
    "scan-begun-anew-lists-nothing",
    "recover with TMSTARTRSCAN lists nothing if the scan before was not ended",
    "11.3.5-5",
    "11.3.5-1",
    noticed=False,
)
def _begun_anew(patch: Patch) -> None:
    def recover(original: Callable[..., Sequence[Xid]], resource: ReferenceXAResource, flags: int) -> Sequence[Xid]:
        return original(resource, flags & ~XAResource.TMSTARTRSCAN if resource._scan_open else flags)

    patch.at(fault_points.XA_RECOVER, recover)


@nearly_right(
    "suspended-branch-outlives-its-timeout",
    "the transaction timeout of a branch passes without effect while the branch is suspended",
    "11.3.5-15",
    noticed=False,
)
def _outlives(patch: Patch) -> None:
    def time_out(original: Callable[..., None], resource: ReferenceXAResource, branch: Any) -> None:
        if not branch.suspended:
            original(resource, branch)

    around(patch, ReferenceXAResource, "_time_out", time_out)
