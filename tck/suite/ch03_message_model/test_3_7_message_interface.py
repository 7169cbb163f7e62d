"""3.7 The Message interface itself: messages without a body."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.properties import objects, set_all
from tck.suite.support.values.seen import headers


@asserts("3.7-1")
def test_a_message_without_a_body_is_a_message(case: Case) -> None:
    """A plain message is sent and received like the others, with its header and properties, and can be acknowledged."""
    link = case.link()
    message = link.message("message")
    message.jms_type, message.jms_correlation_id = "type", "correlation"
    wanted = set_all(message)
    expect.works("sending a message without a body", lambda: link.send(message))
    received = expect.arrival(link)
    seen = headers(received, names=("jms_type", "jms_correlation_id", "jms_message_id"))
    expect.equal("header at the receiver", seen, headers(message, names=tuple(seen)))
    expect.equal("properties at the receiver", objects(received, wanted), wanted)
    expect.works("acknowledging it", received.acknowledge)
