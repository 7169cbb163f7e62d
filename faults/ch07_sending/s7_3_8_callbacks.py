"""Faults in 7.3.8: threads and order of completion callbacks."""

from collections import deque
from functools import partial

from faults.kit import *


@saboteur("7.3.8-1", "once a session has had three listeners each of them is served by a thread of its own")
def _(patch):
    queues = {}

    def serve(original, completions, queue):
        while queue:
            original(completions, queue[0])
            queue.popleft()

    def call_listener(original, completions, completion):
        own = queues.setdefault(completions, {})
        queue = own.setdefault(completion.listener, deque())
        if len(own) < 3:
            original(completions, completion)
            return
        queue.append(completion)
        if len(queue) == 1:
            completions._clock.spawn(partial(serve, original, completions, queue), "reference-provider-pool")

    patch.at(fault_points.COMPLETION_CALLED, call_listener)


saboteur(
    "7.3.8-2",
    "the callback of a large message comes after that of the next send of its producer",
    lambda patch: overtaken(patch, lambda one: isinstance(one.sender, ReferenceProducer) and is_large(one.message)),
)


@saboteur("7.3.8-3", "the callback of a large message of a context comes after that of the next send", by=overtaken)
def _(one):
    return isinstance(one.sender, ReferenceJMSProducer) and is_large(one.message)


@saboteur(
    "7.3.8-4",
    "a failed send is reported at once, before the sends that are complete",
    at=fault_points.COMPLETION_QUEUED,
)
def _(original, completions, completion):
    if completion.error is None:
        original(completions, completion)
    else:
        completions._clock.spawn(partial(completions.call_listener, completion), "reference-provider-late")


@saboteur(
    "7.3.8-5",
    "the callback of a large non-persistent message is made within the send, after all before it",
    at=fault_points.COMPLETION_QUEUED,
)
def _(original, completions, completion):
    message = completion.message
    if message.jms_delivery_mode == DeliveryMode.NON_PERSISTENT and is_large(message):
        completions.wait_until_done()
        completions.call_listener(completion)
    else:
        original(completions, completion)
