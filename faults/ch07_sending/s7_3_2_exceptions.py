"""Faults in 7.3.2: exceptions of asynchronous sends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.completions import Completion, Completions
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.simplified import ReferenceJMSProducer
from tck.api import (
    OMITTED,
    InvalidDestinationException,
    InvalidDestinationRuntimeException,
    Message,
    MessageFormatException,
    MessageFormatRuntimeException,
)


def _failing(patch: Patch, kinds: tuple[type[Exception], ...], fault: Callable[..., bool]) -> None:
    """Run `fault` when an asynchronous send raises one of these exceptions, which is raised if it returns true."""

    def send(original: Callable[..., None], producer: ReferenceProducer, message: Message, **options: Any) -> None:
        listener = options.get("completion_listener", OMITTED)
        try:
            original(producer, message, **options)
        except kinds as error:
            if listener is OMITTED or fault(producer.session.broker.clock, listener, message, error):
                raise

    def send_by(
        original: Callable[..., Any], producer: ReferenceJMSProducer, to: Any, body: Any, **options: Any
    ) -> Any:
        listener = producer.get_async()
        try:
            return original(producer, to, body, **options)
        except kinds as error:
            if listener is None or fault(producer._session.broker.clock, listener, body, error):
                raise
            return producer

    around(patch, ReferenceProducer, "send", send)
    around(patch, ReferenceJMSProducer, "send", send_by)


@saboteur("7.3.2-1", "an asynchronous send of null is reported by onException")
def _(patch: Patch) -> None:
    def fault(clock: Any, listener: Any, message: Message, error: Exception) -> bool:
        clock.spawn(lambda: listener.on_exception(message, error), "reference-provider-late")
        return False

    _failing(patch, (MessageFormatException, MessageFormatRuntimeException), fault)


@saboteur("7.3.2-2", "an asynchronous send to null throws and calls onException")
def _(patch: Patch) -> None:
    def fault(clock: Any, listener: Any, message: Message, error: Exception) -> bool:
        clock.spawn(lambda: listener.on_exception(message, error), "reference-provider-late")
        return True

    _failing(patch, (InvalidDestinationException, InvalidDestinationRuntimeException), fault)


@saboteur("7.3.2-3", "sends that are outstanding when the link is lost have no callback")
def _(patch: Patch) -> None:
    lost = set[Completions]()

    def sever(original: Callable[..., None], connection: ReferenceConnection, *arguments: Any) -> None:
        lost.update(session.completions for session in connection.sessions)
        original(connection, *arguments)

    def call_listener(original: Callable[..., None], completions: Completions, completion: Completion) -> None:
        if completions not in lost:
            original(completions, completion)

    patch.at(fault_points.LINK_LOST, sever)
    patch.at(fault_points.COMPLETION_CALLED, call_listener)
