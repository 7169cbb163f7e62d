"""Faults in 7.3.4: closing, committing and rolling back with asynchronous sends outstanding."""

from faults.kit import *


@saboteur("7.3.4-1", "close() of a producer does not wait for the callbacks of its sends")
def _(patch):
    closing = within_method(patch, ReferenceProducer, "close")
    impatient(patch, lambda: closing)


@saboteur("7.3.4-2", "close() of a session does not wait for the callbacks of its sends")
def _(patch):
    closing = within_method(patch, ReferenceSession, "close")
    context = within_method(patch, ReferenceContext, "close")
    impatient(patch, lambda: closing and not context)


@saboteur("7.3.4-3", "close() of a connection waits for the callbacks of its first session alone")
def _(patch):
    closing = within(patch, fault_points.CONNECTION_CLOSED)

    def wait_until_done(original, completions, *sender):
        connection = closing.argument
        if connection is None or completions is connection.sessions[0].completions:
            original(completions, *sender)

    patch.at(fault_points.COMPLETIONS_AWAITED, wait_until_done)


@saboteur("7.3.4-4", "close() of a context does not wait for the callbacks of its sends")
def _(patch):
    closing = within_method(patch, ReferenceContext, "close")
    impatient(patch, lambda: closing)


@saboteur("7.3.4-5", "commit() does not wait for callbacks")
def _(patch):
    committing = within(patch, fault_points.COMMIT)
    impatient(patch, lambda: committing)


@saboteur("7.3.4-6", "rollback() does not wait for callbacks")
def _(patch):
    rolling_back = within_method(patch, ReferenceSession, "rollback")
    impatient(patch, lambda: rolling_back)


@saboteur("7.3.4-7", "callbacks that come while a connection or context closes are onException")
def _(patch):
    closing, of_context = within(patch, fault_points.CONNECTION_CLOSED), within_method(patch, ReferenceContext, "close")
    ending = set[Completions]()

    def wait_until_done(original, completions, *sender):
        if closing or of_context:
            ending.add(completions)
        original(completions, *sender)

    def call_listener(original, completions, completion):
        if completions in ending and completion.error is None:
            error = JMSException("the connection is being closed")
            completion.listener.on_exception(completion.message, error)
        else:
            original(completions, completion)

    patch.at(fault_points.COMPLETIONS_AWAITED, wait_until_done)
    patch.at(fault_points.COMPLETION_CALLED, call_listener)
