"""Reads all streams through the messaging API, and completes prepared branches."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager

from benchmarks.reliability.history import BRANCHES, SUBSCRIPTIONS, Begin, End, Found, History, Item
from benchmarks.reliability.worker import (
    LISTENED,
    PRIVATE,
    QUEUES,
    SHARED,
    SHARED_STREAM,
    TOPIC,
    client_id,
    key_of,
    private_selector,
    private_stream,
    queue_stream,
    xid_of,
)
from tck.api import (
    InvalidDestinationException,
    Message,
    MessageConsumer,
    Provider,
    Session,
    XAResource,
)

FindsByStream = dict[str, list[Found]]


def prepared_branches(provider: Provider) -> list[Found]:
    """List the prepared branches."""
    with provider.xa_connection_factory().create_xa_connection() as connection:
        resource = connection.create_xa_session().xa_resource
        listed = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)
        return [Found(xid.global_transaction_id.decode()) for xid in listed]


def settle_branches(provider: Provider, branches: list[Found], history: History, choice: random.Random) -> None:
    """Commit or roll back each prepared branch, and add that to the history."""
    with provider.xa_connection_factory().create_xa_connection() as connection:
        resource = connection.create_xa_session().xa_resource
        for found in branches:
            work = history.prepared.get(found.key)
            committed = work is not None and choice.random() < 0.5
            adds, takes = (work.adds, work.takes) if committed and work is not None else ((), ())
            step = f"settle {found.key}"
            history.add(Begin(step, adds, (*takes, Item(BRANCHES, found.key))))
            if committed:
                resource.commit(xid_of(found.key), one_phase=False)
            else:
                resource.rollback(xid_of(found.key))
            history.add(End(step))


@contextmanager
def drained(provider: Provider, workers: int, *, keep: bool) -> Iterator[FindsByStream]:
    """Receive all messages of all streams; on exit, return them if `keep`, else consume them."""
    with ExitStack() as stack:
        sessions: list[Session] = []

        def session(client: str | None) -> Session:
            connection = stack.enter_context(provider.connection_factory().create_connection())
            if client is not None:
                connection.client_id = client
            connection.start()
            sessions.append(connection.create_session(session_mode=Session.SESSION_TRANSACTED))
            return sessions[-1]

        plain, topic = session(None), provider.create_topic(TOPIC)
        consumers: dict[str, MessageConsumer] = {
            queue_stream(name): plain.create_consumer(provider.create_queue(name)) for name in (*QUEUES, LISTENED)
        }
        consumers[SHARED_STREAM] = plain.create_shared_durable_consumer(topic, SHARED)
        for number in range(workers):
            consumers[private_stream(number)] = session(client_id(number)).create_durable_consumer(
                topic, PRIVATE, private_selector(number)
            )
        time.sleep(0.01)  # the longest delivery delay of workers is 5 ms
        yield {stream: [_found(message) for message in _all(one)] for stream, one in consumers.items()}
        for one in sessions:
            if keep:
                one.rollback()
            else:
                one.commit()


def _all(consumer: MessageConsumer) -> Iterator[Message]:
    while (message := consumer.receive_no_wait()) is not None:
        yield message


def _found(message: Message) -> Found:
    return Found(key_of(message), message.jms_redelivered)


def unsubscribed(provider: Provider, names: Mapping[str, object]) -> list[Found]:
    """Unsubscribe the short-lived subscriptions (`client:name`) that exist; list them."""
    found = []
    for text in names:
        client, name = text.split(":", 1)
        with provider.connection_factory().create_connection() as connection:
            connection.client_id = client
            try:
                connection.create_session().unsubscribe(name)
            except InvalidDestinationException:
                continue
        found.append(Found(text))
    return found


def passing_subscriptions(history: History) -> dict[str, None]:
    """List the subscriptions named in the history."""
    return {item.key: None for step in history.steps.values() for item in step.adds if item.stream == SUBSCRIPTIONS}
