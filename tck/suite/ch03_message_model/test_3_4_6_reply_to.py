"""3.4.6 JMSReplyTo."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.kinds import KINDS


@asserts("3.4.6-1")
def test_it_carries_the_clients_destination(case: Case) -> None:
    """The destination set in JMSReplyTo arrives with its kind and name, temporary ones too."""
    link = case.link()
    for reply_to in (case.destination(), link.client.temporary(), case.destination(case.other_domain)):
        for kind in KINDS:
            message = link.message(kind)
            message.jms_reply_to = case.destination()
            message.jms_reply_to = reply_to
            for end, seen in link.both_ends(message):
                expect.equal(f"JMSReplyTo of a {kind} message {end}", seen.jms_reply_to, reply_to)


@asserts("3.4.6-2", "2.16-1")
def test_a_reply_sent_to_it_reaches_its_destination(case: Case) -> None:
    """A receiver on another connection answers to JMSReplyTo, a queue or a topic, and the consumer of the named one gets it."""
    requests = case.link()
    other = "queue" if case.domain == "topic" and case.api != "domain-specific" else case.domain
    for domain in dict.fromkeys((case.domain, other)):
        replies = case.link(destination=case.destination(domain))
        request = requests.text("request")
        request.jms_reply_to = replies.destination
        requests.send(request)
        received = requests.receive()
        answering = requests.client.sender(None)
        answering.send(requests.text("reply"), to=expect.present("JMSReplyTo at the receiver", received.jms_reply_to))
        expect.arrives(replies, ["reply"])


@asserts("3.4.6-3")
def test_it_may_be_null(case: Case) -> None:
    """A message without JMSReplyTo can be sent, and the receiver sees null."""
    link = case.link()
    message = link.text("x")
    message.jms_reply_to = case.destination()
    message.jms_reply_to = None
    expect.works("sending without JMSReplyTo", lambda: link.send(message))
    expect.equal("JMSReplyTo at the receiver, set and then null", expect.arrival(link).jms_reply_to, None)
    for kind in KINDS:
        link.send(link.message(kind))
        expect.equal(f"JMSReplyTo of a {kind} message, never set", expect.arrival(link).jms_reply_to, None)


@asserts("3.4.6-4", ack=("auto", "client"))
def test_nothing_is_sent_to_it_by_itself(case: Case) -> None:
    """Receiving and acknowledging a message with JMSReplyTo sends nothing there."""
    replies = case.link()
    requests = case.link()
    request = requests.text("request")
    request.jms_reply_to = replies.destination
    requests.send(request)
    requests.receive()
    expect.only(replies, [])
