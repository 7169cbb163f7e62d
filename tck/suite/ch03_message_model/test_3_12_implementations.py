"""3.12 Provider implementations of messages: messages of another implementation."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.messages import carried, client_headers
from tck.suite.support.values.bodies import ONE_OF_EACH, TYPES, array_of, objects, set_entries, typed, typed_entries
from tck.suite.support.values.foreign import foreign
from tck.suite.support.values.kinds import KINDS, kind_of
from tck.suite.support.values.properties import comparable, own_names, set_all, set_some
from tck.suite.support.values.properties import objects as properties_of
from tck.suite.support.values.seen import tried

TEXTS = {"one letter": "x", "empty": "", "accents": "größer", "blanks": " a ", "null": "null"}


@asserts("3.12-1")
def test_messages_of_another_implementation_are_accepted(case: Case) -> None:
    """A message of each kind whose class is not the provider's can be sent, in each of the ways to send."""
    link = case.link()
    anywhere = link.client.sender()
    for kind in KINDS:
        expect.works(f"sending a foreign {kind} message", lambda: link.sender.send(foreign(kind)))
        expect.works("with delivery options", lambda: link.sender.send(foreign(kind), mode=1, priority=5, ttl=60_000))
        expect.works("to a named destination", lambda: anywhere.send(foreign(kind), to=link.destination))
    link.client.settle()
    kinds = [kind_of(expect.arrival(link)) for _ in range(3 * len(KINDS))]
    expect.equal("the kinds at the receiver", sorted(kinds), sorted(KINDS * 3))


@asserts("3.12-1", variant="empty")
def test_empty_messages_of_another_implementation_are_accepted(case: Case) -> None:
    """A message of each kind whose class is not the provider's can be sent without a body."""
    for kind in KINDS:
        link = case.link()
        message = foreign(kind)
        message.clear_body()
        expect.works(f"sending an empty foreign {kind} message", lambda: link.send(message))
        came = tried(link.poll)
        seen = kind_of(came) if isinstance(came, api.Message) else came
        expect.equal(f"the kind of the empty foreign {kind} message at the receiver", seen, kind)


@asserts("3.12-2")
def test_the_body_of_another_implementation_arrives(case: Case) -> None:
    """The body of a message of each kind whose class is not the provider's reaches the receiver."""
    link = case.link()
    entries, items, data = foreign("map"), foreign("stream"), foreign("bytes")
    set_entries(entries, ONE_OF_EACH)
    for name, value in ONE_OF_EACH:
        items.write_object(TYPES[name].boxed(value))
    data.clear_body()
    data.write_bytes(bytes(range(256)))
    texts = {what: carried(link, foreign("text", text)).text for what, text in TEXTS.items()}
    expect.equal("the texts", texts, TEXTS)
    expect.equal("the object", carried(link, foreign("object")).object, "x")
    expect.equal("the bytes", array_of(carried(link, data)), bytes(range(256)))
    expect.equal("the entries", typed_entries(carried(link, entries), ONE_OF_EACH), typed(ONE_OF_EACH))
    meant = ["x", *(comparable(TYPES[name].boxed(value)) for name, value in ONE_OF_EACH)]
    expect.equal("the items", objects(carried(link, items), len(meant)), meant)


@asserts("3.12-3")
def test_headers_and_properties_of_another_implementation_arrive(case: Case) -> None:
    """JMSType, JMSCorrelationID and properties of every type of a message that is not the provider's reach the receiver."""
    link = case.link()
    for turn, kind in enumerate(KINDS):
        message = foreign(kind)
        for text in ("text", "", None, "größer"):
            message.clear_properties()
            message.jms_type, message.jms_correlation_id = text, text
            wanted = set_all(message) if (kind, text) == ("text", "text") else set_some(message, turn)
            received = carried(link, message)
            shown = {name: client_headers(received)[name] for name in ("jms_type", "jms_correlation_id")}
            own = {"jms_type": text, "jms_correlation_id": text}
            expect.equal(f"headers of a {kind} message", shown, own)
            expect.equal(f"properties of a {kind} message", properties_of(received, wanted), wanted)
            expect.equal(f"names of a {kind} message", own_names(received), sorted(wanted))
