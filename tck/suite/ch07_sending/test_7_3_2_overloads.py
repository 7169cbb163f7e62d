"""7.3.2 Exceptions of an asynchronous send, by each overload of a MessageProducer."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.asynchronous import ending_of, of_own_destination, to_given_destination

MODES = ("auto", "transacted")


@asserts("7.3.2-1", ack=MODES, api=("classic",), variant="overloads")
def test_each_overload_throws(case: Case) -> None:
    """An asynchronous send of null, or to null, throws by each overload; which exception is a matter of 7.1-10 and 7.1-11."""
    link, text = case.link(), "x"
    working = {
        **of_own_destination(link, link.text(text)),
        **to_given_destination(link, link.text(text), link.destination),
    }
    expect.equal(
        "sends that work",
        {what: ending_of(case, send) for what, send in working.items()},
        dict.fromkeys(working, "sent"),
    )
    link.client.settle()
    expect.arrives(link, [text] * len(working))
    of_null = {**of_own_destination(link, None), **to_given_destination(link, None, link.destination)}
    to_null = to_given_destination(link, link.text("refused"), None)
    with expect.all_of():
        for words, sends in (("of null", of_null), ("to null", to_null)):
            seen = {what: ending_of(case, send).partition(" ")[0] for what, send in sends.items()}
            expect.equal(f"sends {words}", seen, dict.fromkeys(sends, "raises"))
        link.client.settle()
        expect.only(link)
