"""Faults in 7.3.3: the order of asynchronous sends."""

from faults.kit import *

saboteur(
    "7.3.3-1",
    "each eighth asynchronous send of a session that has made no other kind is overtaken by the next",
    lambda patch: reordered(patch, lambda sends, asynchronous: asynchronous and not sends.synchronous),
)


def _is_of_context(sends):
    return isinstance(sends.senders[0], ReferenceJMSProducer)


saboteur(
    "7.3.3-2",
    "a synchronous send overtakes each eighth asynchronous send of its producer",
    lambda patch: reordered(patch, lambda sends, asynchronous: not asynchronous and len(sends.senders) == 1),
)
saboteur(
    "7.3.3-3",
    "an asynchronous send of a context is overtaken by the next where several producers send so",
    lambda patch: reordered(patch, lambda sends, _: _is_of_context(sends) and len(sends.senders) > 1),
)


@saboteur("7.3.3-4", "an asynchronous send is refused while a callback takes its time")
def _(patch):
    since = {}

    def call_listener(original, completions, completion):
        since[completions] = completions._clock.now()
        try:
            original(completions, completion)
        finally:
            del since[completions]

    def send_later(original, producer, *arguments):
        now = producer.session.broker.clock.now()
        if now > since.get(producer.session.completions, now):
            raise IllegalStateException("an asynchronous send is outstanding")
        original(producer, *arguments)

    patch.at(fault_points.COMPLETION_CALLED, call_listener)
    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
