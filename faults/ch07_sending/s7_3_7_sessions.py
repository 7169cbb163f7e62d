"""Faults in 7.3.7: sessions with asynchronous sends."""

from faults.kit import *


@saboteur("7.3.7-2", "receive() waits for the callbacks of asynchronous sends", at=fault_points.MESSAGE_AWAITED)
def _(original, consumer, *arguments):
    completions = consumer.session.completions
    if not completions.is_current_thread():
        completions.wait_until_done()
    return original(consumer, *arguments)


@saboteur("7.3.7-3", "an asynchronous send in a callback waits for that callback", at=fault_points.SENT_ASYNCHRONOUSLY)
def _(original, producer, *arguments):
    session = producer.session
    if session.completions.is_current_thread():
        pause(session.connection)
    original(producer, *arguments)
