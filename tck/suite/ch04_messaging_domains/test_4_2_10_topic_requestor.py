"""4.2.10 TopicRequestor."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.requestors import exchange
from tck.suite.support.clients.temporary_destinations import reached
from tck.suite.support.values.seen import body


@asserts("4.2.10-1", "2.16-4", "9.2-32", ack=("auto", "dups_ok"))
def test_request_returns_the_first_reply(case: Case) -> None:
    """request() publishes the request and waits for the first reply of a responder on another connection."""
    talk = exchange(case)
    for reply in ("first reply", "second reply"):
        request, answer = talk.ask(reply)
        expect.equal("what the responder got", body(request), "request")
        expect.equal("what request() returned", body(answer), reply)
    talk.want_nobody()


@asserts("4.2.10-2", "9.2-30")
def test_replies_go_to_a_temporary_topic(case: Case) -> None:
    """JMSReplyTo of each request is a temporary topic."""
    request, _ = exchange(case).ask("reply")
    kind = isinstance(request.jms_reply_to, api.TemporaryTopic)
    expect.true("JMSReplyTo is a TemporaryTopic", kind, f"it was {type(request.jms_reply_to).__name__}")


@asserts("4.2.10-5", "9.2-34")
def test_close_ends_session_and_temporary_topic(case: Case) -> None:
    """close() closes the session, which is then illegal to use, and deletes the temporary topic."""
    talk = exchange(case)
    peer = talk.client.peer()
    request, _ = talk.ask("reply")
    expect.works("close()", talk.requestor.close)
    with expect.all_of():
        for row in ("4.2.10-5", "9.2-34"):
            with expect.for_row(row):
                refused = case.thrown(api.IllegalStateException)
                expect.raises(refused, lambda: talk.client.text("x"), what="using its session")
        with expect.for_row("4.2.10-5"):
            reply_to = expect.present("JMSReplyTo", request.jms_reply_to)
            expect.equal("what came from the temporary topic after close()", reached(peer, reply_to), None)
