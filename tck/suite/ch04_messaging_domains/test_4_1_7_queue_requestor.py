"""4.1.7 QueueRequestor."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.requestors import exchange
from tck.suite.support.clients.temporary_destinations import reached
from tck.suite.support.values.seen import body


@asserts("4.1.7-1", "2.16-4", "9.2-31", ack=("auto", "dups_ok"))
def test_request_returns_the_reply(case: Case) -> None:
    """request() sends the request and waits for the reply of a responder on another connection."""
    talk = exchange(case)
    for reply in ("first reply", "second reply"):
        request, answer = talk.ask(reply)
        expect.equal("what the responder got", body(request), "request")
        expect.equal("what request() returned", body(answer), reply)
    talk.want_nobody()


@asserts("4.1.7-2", "9.2-30")
def test_replies_go_to_a_temporary_queue(case: Case) -> None:
    """JMSReplyTo of each request is a temporary queue."""
    talk = exchange(case)
    for preset in (None, case.destination()):
        request, _ = talk.ask("reply", reply_to=preset)
        kind = isinstance(request.jms_reply_to, api.TemporaryQueue)
        expect.true("JMSReplyTo is a TemporaryQueue", kind, f"it was {type(request.jms_reply_to).__name__}")


@asserts("4.1.7-5", "9.2-34")
def test_close_ends_session_and_temporary_queue(case: Case) -> None:
    """close() closes the session, which is then illegal to use, and deletes the temporary queue."""
    talk = exchange(case)
    peer = talk.client.peer()
    request, _ = talk.ask("reply")
    expect.works("close()", talk.requestor.close)
    with expect.all_of():
        for row in ("4.1.7-5", "9.2-34"):
            with expect.for_row(row):
                refused = case.thrown(api.IllegalStateException)
                expect.raises(refused, lambda: talk.client.text("x"), what="using its session")
        with expect.for_row("4.1.7-5"):
            reply_to = expect.present("JMSReplyTo", request.jms_reply_to)
            expect.equal("what came from the temporary queue after close()", reached(peer, reply_to), None)


@asserts("4.1.7-5", variant="late reply")
def test_close_ends_a_temporary_queue_with_late_replies(case: Case) -> None:
    """close() deletes the temporary queue also while a second reply waits in it."""
    talk = exchange(case)
    peer = talk.client.peer()
    request, _ = talk.ask("reply", "a second reply, which nobody takes")
    expect.works("close()", talk.requestor.close)
    reply_to = expect.present("JMSReplyTo", request.jms_reply_to)
    expect.equal("what came from the temporary queue after close()", reached(peer, reply_to), None)
