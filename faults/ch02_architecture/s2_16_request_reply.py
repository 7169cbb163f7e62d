"""Faults in 2.16: request and reply."""

from faults.kit import *


@saboteur("2.16-2", "a message id in JMSCorrelationID is replaced by a number", at=fault_points.SEND_PREPARED)
def _(original, producer, message, *arguments):
    if (message.jms_correlation_id or "").startswith("ID:"):
        message.jms_correlation_id = "4711"
    return original(producer, message, *arguments)


@saboteur("2.16-4", "request() returns the request instead of the reply")
def _(patch):
    for requestor in (ReferenceQueueRequestor, ReferenceTopicRequestor):
        _echo(patch, requestor)


def _echo(patch, requestor):
    original = requestor.request

    def request(self, message):
        original(self, message)  # of the class it came from
        return message

    patch.replace(requestor, "request", request)


@saboteur(
    "2.16-3",
    "messages that other connections send to a temporary destination are dropped",
    at=fault_points.SEND_SUBMITTED,
)
def _(original, session, physical, entry):
    if not physical.temporary or physical.destination in session.connection.temporaries._physical:
        original(session, physical, entry)
