"""7.3.4 Calls that a completion callback must not make: closing its own objects, ending its own transaction."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.asynchronous import Callbacks, sent_async
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.outcome import Undecided

MODES = ("auto", "client", "dups_ok", "transacted")
TEXTS = ["first", "second", "third"]


def _refused(link: Link, what: str, call: Callable[[], object]) -> None:
    """Demand that a call raises IllegalStateException in the callbacks of three sends, the next ones outstanding, and returns in time."""
    case = link.case
    wanted = case.thrown(api.IllegalStateException)
    listener = Callbacks(case, lambda _: call(), held=True)
    sent_async(link, TEXTS, listener)
    listener.occupied()
    listener.release()
    listener.after(len(TEXTS))
    expect.true(f"{what} in a callback returns", listener.ended, "it had not returned")
    endings = ["refused" if isinstance(one, wanted) else _shown(one) for one in listener.results]
    expect.equal(f"{what} in three callbacks", endings, 3 * ["refused"])


def _shown(ending: object) -> str:
    return f"raised {type(ending).__name__}: {ending}" if isinstance(ending, Exception) else "returned"


def _usable(link: Link) -> None:
    """Demand that the link's producer and session go on working."""
    expect.works("a send after the callbacks", partial(link.put, "afterwards"))
    link.client.settle()
    expect.arrives(link, [*TEXTS, "afterwards"])


@asserts("7.3.4-8", ack=MODES)
def test_a_callback_cannot_close_its_producer(case: Case) -> None:
    """close() of a producer in its own callbacks raises IllegalStateException, and the producer stays open."""
    link = case.link()
    _refused(link, "close() of the producer", link.sender.close)
    _usable(link)


def _refused_on_failure(link: Link, what: str, call: Callable[[], object]) -> None:
    """Demand that a call raises IllegalStateException in onException of a send that failed."""
    case = link.case
    case.needs(api.Hook.FAULT)
    listener = Callbacks(case, lambda _: call())
    case.administer("fail-next-sends", destination=link.destination, count=1)
    sent_async(link, ["fails"], listener)
    if not listener.one().failed:
        raise Undecided("the send that had to fail was completed")
    endings = [
        "refused" if isinstance(one, case.thrown(api.IllegalStateException)) else _shown(one)
        for one in listener.results
    ]
    expect.equal(f"{what} in onException", endings, ["refused"])
    expect.works("a send after the callback", partial(link.put, "afterwards"))
    link.client.settle()
    expect.arrives(link, ["afterwards"])


@asserts("7.3.4-8", ack=("auto", "client"), variant="failed")
def test_a_callback_of_a_failure_cannot_close_its_producer(case: Case) -> None:
    """close() of a producer in onException raises IllegalStateException, and the producer stays open."""
    link = case.link()
    _refused_on_failure(link, "close() of the producer", link.sender.close)


@asserts("7.3.4-9", ack=("auto", "client"), variant="failed")
def test_a_callback_of_a_failure_cannot_close_its_session(case: Case) -> None:
    """close() of a session in onException raises IllegalStateException, and the session stays open."""
    link = case.link()
    _refused_on_failure(link, "close() of the session", link.client.close_session)


@asserts("7.3.4-10", ack=("auto", "client"), variant="failed")
def test_a_callback_of_a_failure_cannot_close_its_connection(case: Case) -> None:
    """close() of a connection in onException raises IllegalStateException, and the connection stays open."""
    link = case.link()
    _refused_on_failure(link, "close() of the connection", link.client.connection.close)


@asserts("7.3.4-9", ack=MODES)
def test_a_callback_cannot_close_its_session(case: Case) -> None:
    """close() of a session in its own callbacks raises IllegalStateException, and the session stays open."""
    link = case.link()
    _refused(link, "close() of the session", link.client.close_session)
    _usable(link)


@asserts("7.3.4-10", ack=MODES)
def test_a_callback_cannot_close_its_connection(case: Case) -> None:
    """close() of a connection in callbacks of its first session or another raises IllegalStateException; it stays open."""
    with expect.all_of():
        for of_second_session in (False, True):
            first = case.client()
            second = first.peer()
            link = case.link(client=second if of_second_session else first)
            with expect.all_of():
                _refused(link, "close() of the connection", first.close)
                _usable(link)


@asserts("7.3.4-11", ack=MODES)
def test_a_callback_cannot_close_its_context(case: Case) -> None:
    """close() of a context, alone on its connection or not, in its own callbacks raises IllegalStateRuntimeException."""
    with expect.all_of():
        for of_second_context in (False, True):
            client = case.client()
            link = case.link(client=client.peer() if of_second_context else client)
            with expect.all_of():
                _refused(link, "close() of the context", link.client.close)
                _usable(link)


def _transaction_stays_open(case: Case, what: str, choose: Callable[[Link], Callable[[], object]]) -> None:
    """End the transaction in its own callbacks, which is refused: it is still open, and ends as its client decides."""
    with expect.all_of():
        for commit in (True, False):
            link = case.link("transacted", consumes=False)
            receiver = case.link("auto", destination=link.destination)
            other = case.link("auto", destination=link.destination, consumes=False)
            with expect.all_of():
                _refused(link, what, choose(link))
                link.client.consumer(case.destination()).close()  # answered after what the callbacks asked for
                expect.nothing_before(receiver, "outside", partial(other.send, "outside"))
                (link.client.commit if commit else link.client.rollback)()
                expect.only(receiver, TEXTS if commit else [])


@asserts("7.3.4-12", ack=("transacted",))
def test_a_callback_cannot_commit(case: Case) -> None:
    """commit() in a session's own callbacks raises IllegalStateException, and the transaction stays open."""
    _transaction_stays_open(case, "commit()", lambda link: link.client.commit)


@asserts("7.3.4-13", ack=("transacted",))
def test_a_callback_cannot_roll_back(case: Case) -> None:
    """rollback() in a session's own callbacks raises IllegalStateException, and the transaction stays open."""
    _transaction_stays_open(case, "rollback()", lambda link: link.client.rollback)
