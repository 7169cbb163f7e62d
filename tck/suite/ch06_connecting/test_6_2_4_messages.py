"""6.2.4 Messages: made with a body, by another session, and by another implementation."""

from __future__ import annotations

from typing import Any

from tck.api import DeliveryMode
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.messages import client_headers
from tck.suite.support.values.foreign import foreign
from tck.suite.support.values.kinds import KINDS, kind_of
from tck.suite.support.values.properties import objects, set_some
from tck.suite.support.values.seen import body
from tck.suite.support.values.texts import MEDIUM, SHORT

OBJECTS: dict[str, object] = {"a text": "größer", "a list": [1, "two", [3.5, None, True]], "a table": {"four": 4}}


@asserts("6.2.4-2")
def test_a_message_is_created_with_its_text(case: Case) -> None:
    """createTextMessage(text) holds the text before and after the send, whatever it is."""
    link = case.link()
    texts = {what: text for what, text in {**SHORT, **MEDIUM}.items() if text}  # an empty one is 3.11-5
    made = {what: link.client.session.create_text_message(text) for what, text in texts.items()}
    link.send("first")
    link.receive()
    expect.equal("the texts before the send", {what: message.text for what, message in made.items()}, texts)
    expect.equal("the texts at the receiver", {what: link.carry(each).text for what, each in made.items()}, texts)  # type: ignore[attr-defined] # text messages


@asserts("6.2.4-2", variant="object")
def test_a_message_is_created_with_its_object(case: Case) -> None:
    """createObjectMessage(object) holds the object before and after the send."""
    link = case.link()
    made: dict[str, Any] = {what: link.client.session.create_object_message(value) for what, value in OBJECTS.items()}
    expect.equal("the objects before the send", {what: message.object for what, message in made.items()}, OBJECTS)
    came: dict[str, Any] = {what: link.carry(message) for what, message in made.items()}
    expect.equal("the objects at the receiver", {what: message.object for what, message in came.items()}, OBJECTS)


def _makers(case: Case, client: Client) -> dict[str, Client]:
    """Return a session of the same connection, of another, and of another in another mode."""
    return {
        "of the connection": client.peer(),
        "of another connection": case.client(),
        "of another connection, transacted": case.client("transacted"),
    }


@asserts("6.2.4-3", ack=("auto", "transacted"))
def test_a_message_is_sent_by_another_session(case: Case) -> None:
    """A message of each kind made by another session, of this or another connection, is sent, and arrives intact."""
    link = case.link()
    with expect.all_of():
        for turn, (where, maker) in enumerate(_makers(case, link.client).items()):
            for kind in KINDS:
                message = maker.message(kind, f"{kind} {where}")
                wanted = set_some(message, turn)
                message.jms_type, message.jms_correlation_id = kind, where
                received = expect.delivers(link, message, f"a {kind} message made by a session {where}")
                expect.equal(f"a {kind} message made {where}", kind_of(received), kind)
                expect.equal("its properties", objects(received, wanted), wanted)
                expect.equal("its headers", client_headers(received), client_headers(message))
                expect.equal("its body", body(received), body(_readable(message)))


def _readable(message: Any) -> Any:
    """Return a message whose body can be read: bytes and stream messages are reset."""
    if kind_of(message) in {"bytes", "stream"}:
        message.reset()
    return message


@asserts("6.2.4-5", ack=("auto", "client", "transacted"))
def test_a_message_of_another_implementation_is_sent(case: Case) -> None:
    """A message of each kind that is not of the provider's class arrives with its body, persistent or not."""
    link = case.link()
    with expect.all_of():
        for kind in KINDS:
            for mode in (DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT):
                message = foreign(kind)
                link.sender.set(mode=mode)
                received = expect.delivers(link, message, f"a foreign {kind} message")
                expect.equal("its kind", kind_of(received), kind)
                expect.equal(f"the body of a {kind} message", body(received), body(_readable(foreign(kind))))
