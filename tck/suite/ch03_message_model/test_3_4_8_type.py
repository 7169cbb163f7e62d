"""3.4.8 JMSType."""

from __future__ import annotations

from itertools import cycle

from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.kinds import KINDS
from tck.suite.support.values.texts import MEDIUM, SHORT


@asserts("3.4.8-1")
def test_it_carries_the_clients_type(case: Case) -> None:
    """The type that the client set arrives unchanged, with each kind of message."""
    link = case.link()
    texts = {**SHORT, **MEDIUM}
    seen: dict[str, object] = {}
    for (what, text), kind in zip(texts.items(), cycle(KINDS), strict=False):
        message = link.message(kind)
        message.jms_type = "another"
        message.jms_type = text
        received = expect.delivers(link, message, f"a {kind} message with a type of {what}")
        seen[what] = [received.jms_type, message.jms_type]
    expect.equal("JMSType at both ends", seen, {what: [text, text] for what, text in texts.items()})
    for kind in KINDS:
        message = link.message(kind)
        message.jms_type = "order"
        expect.equal(f"JMSType of a {kind} message", link.carry(message).jms_type, "order")


@asserts("3.4.8-2")
def test_unset_it_stays_null(case: Case) -> None:
    """A type that was not set is null at the receiver."""
    link = case.link()
    for kind in KINDS:
        message = link.message(kind)
        for what, sent in (("never set", message), ("set, and then null", message)):
            expect.equal(f"JMSType of a {kind} message, {what}", link.carry(sent).jms_type, None)
            message.jms_type = "order"
            message.jms_type = None
