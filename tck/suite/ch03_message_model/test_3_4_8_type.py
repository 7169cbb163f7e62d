"""3.4.8 JMSType."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.kinds import KINDS

TYPES = ("order", "größer, 東京", "t" * 1000)


@asserts("3.4.8-1")
def test_it_carries_the_clients_type(case: Case) -> None:
    """The type that the client set arrives unchanged, with each kind of message."""
    link = case.link()
    for kind in KINDS:
        for text in TYPES:
            message = link.message(kind)
            message.jms_type = text
            link.send(message)
            expect.equal(f"JMSType of a {kind} message at the receiver", link.receive().jms_type, text)


@asserts("3.4.8-2")
def test_unset_it_stays_null(case: Case) -> None:
    """A type that was not set is null at the receiver."""
    link = case.link()
    link.send("x")
    expect.equal("JMSType at the receiver", link.receive().jms_type, None)
