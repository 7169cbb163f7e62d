"""2.16 Request and reply; see also 3.4.6 for JMSReplyTo, 4.1.5 and 4.2.7 for temporary destinations, 4.1.7 and 4.2.10."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect


@asserts("2.16-2")
def test_the_correlation_identifier_refers_to_the_request(case: Case) -> None:
    """The requester selects, by JMSCorrelationID, the reply that carries the identifier of its request."""
    requests = case.link()
    ids = [
        expect.present("JMSMessageID", requests.carry(requests.text(text)).jms_message_id) for text in ("one", "two")
    ]
    replies = case.link(selector=f"JMSCorrelationID = '{ids[1]}'")
    answering = requests.client.sender(replies.destination)
    for message_id, text in zip([*ids, ids[1]], ("reply to one", "reply to two", "another reply to two"), strict=True):
        reply = requests.text(text)
        reply.jms_correlation_id = message_id
        answering.send(reply)
    seen = expect.arrives(replies, ["reply to two", "another reply to two"])
    expect.equal("JMSCorrelationID of the reply", seen[0].jms_correlation_id, ids[1])
