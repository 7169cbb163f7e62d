"""Faults in 7.3.8: threads and order of completion callbacks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial

from faults.kit.asynchronous import is_large, overtaken
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.completions import Completion, Completions
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.simplified import ReferenceJMSProducer
from tck.api import CompletionListener, DeliveryMode

_Call = Callable[[Completions, Completion], None]


@saboteur("7.3.8-1", "once a session has had three listeners each of them is served by a thread of its own")
def _(patch: Patch) -> None:
    queues: dict[Completions, dict[CompletionListener, deque[Completion]]] = {}

    def serve(original: _Call, completions: Completions, queue: deque[Completion]) -> None:
        while queue:
            original(completions, queue[0])
            queue.popleft()

    def call_listener(original: _Call, completions: Completions, completion: Completion) -> None:
        own = queues.setdefault(completions, {})
        queue = own.setdefault(completion.listener, deque())
        if len(own) < 3:
            original(completions, completion)
            return
        queue.append(completion)
        if len(queue) == 1:
            completions._clock.spawn(partial(serve, original, completions, queue), "reference-provider-pool")

    patch.at(fault_points.COMPLETION_CALLED, call_listener)


@saboteur("7.3.8-2", "the callback of a large message comes after that of the next send of its producer")
def _(patch: Patch) -> None:
    overtaken(patch, lambda one: isinstance(one.sender, ReferenceProducer) and is_large(one.message))


@saboteur("7.3.8-3", "the callback of a large message of a context comes after that of the next send")
def _(patch: Patch) -> None:
    overtaken(patch, lambda one: isinstance(one.sender, ReferenceJMSProducer) and is_large(one.message))


@saboteur("7.3.8-4", "a failed send is reported at once, before the sends that are complete")
def _(patch: Patch) -> None:
    def add(original: _Call, completions: Completions, completion: Completion) -> None:
        if completion.error is None:
            original(completions, completion)
        else:
            completions._clock.spawn(partial(completions.call_listener, completion), "reference-provider-late")

    patch.at(fault_points.COMPLETION_QUEUED, add)


@saboteur("7.3.8-5", "the callback of a large non-persistent message is made within the send, after all before it")
def _(patch: Patch) -> None:
    def add(original: _Call, completions: Completions, completion: Completion) -> None:
        message = completion.message
        if message.jms_delivery_mode == DeliveryMode.NON_PERSISTENT and is_large(message):
            completions.wait_until_done()
            completions.call_listener(completion)
        else:
            original(completions, completion)

    patch.at(fault_points.COMPLETION_QUEUED, add)
