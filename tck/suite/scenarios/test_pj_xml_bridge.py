"""A bridge that sends XML documents as text messages and reads them back."""

from __future__ import annotations

from collections.abc import Callable

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.values.documents import DocumentError, Element, read_document

TTL = 60_000
"""How long a document is kept, in ms."""
BOOK = """<?xml version="1.0"?>
<!DOCTYPE Book [
  <!ELEMENT Book (Title, Author+, Price)>
  <!ELEMENT Title (#PCDATA)> <!ELEMENT Author (#PCDATA)> <!ELEMENT Price (#PCDATA)>
  <!ATTLIST Price currency CDATA #REQUIRED>
]>
<Book>
  <Title>Queues &amp; Topics,  a &lt;practical&gt; view</Title>
  <Author>A. First</Author>
  <Author>B. Second</Author>
  <Price currency="USD">42.50</Price>
</Book>
"""
TEXTS = {
    "text beyond ASCII": "<t>gr\u00fc\u00df dich, \u65e5\u672c\u8a9e, \U0001f4ec</t>",
    "lines of three systems": "<t>\r\none\rtwo\n\tthree\r\n</t>",
    "quotes": '<t a="it\'s" b=\'a "word"\'/>',
    "a mebibyte": f"<t>{'0123456789abcdef' * 65_536}</t>",
}
MALFORMED = "<Book><Title>no end</Title>"


@scenario("pj-xml-bridge")
def test_a_bridge_carries_documents(case: Case) -> None:
    """Documents arrive character for character under the headers of the bridge; unreadable ones are told apart."""
    bridge = Bridge(case, case.destination())
    before = case.now()
    bridge.send(BOOK)
    after = case.now()
    book = bridge.receive()
    texts = {name: bridge.carries(text) for name, text in TEXTS.items()}
    empty, null = bridge.carries(""), bridge.carries(None)
    bridge.send(MALFORMED)
    malformed = bridge.receive()
    bridge.send_bytes(BOOK.encode())
    foreign = bridge.receive()

    with expect.for_row("pj-xml-bridge-1"):
        expect.equal("the texts received", texts, TEXTS)
    with expect.for_row("pj-xml-bridge-2"):
        expect.equal("the book", tree_of(book), read_document(BOOK).written())
    with expect.for_row("pj-xml-bridge-3"):
        arrived = expect.present("the message with the book", book)
        expect.equal("JMSDeliveryMode", arrived.jms_delivery_mode, api.DeliveryMode.PERSISTENT)
        expect.equal("JMSPriority", arrived.jms_priority, 9)
        expect.between("JMSExpiration", arrived.jms_expiration, before + TTL, after + TTL)
    with expect.for_row("pj-xml-bridge-4"):
        expect.equal("an empty text and a null one", [empty, null], ["", None])
    with expect.for_row("pj-xml-bridge-5"):
        error = expect.raises(api.JMSException, lambda: document_of(malformed), what="reading a malformed document")
        linked = error.linked_exception if isinstance(error, api.JMSException) else None
        expect.equal("the linked exception", type(linked).__name__, DocumentError.__name__)
        expect.equal("whether bytes arrive as bytes", isinstance(foreign, api.BytesMessage), True)
        expect.raises(api.JMSException, lambda: document_of(foreign), what="reading a document from bytes")


def document_of(message: api.Message | None) -> Element:
    """Read the document of a text message.

    Raises:
        JMSException: it is no text message, or its text is no document; the reader's error is linked.
    """
    if not isinstance(message, api.TextMessage):
        raise api.JMSException(f"a text message is needed, not {type(message).__name__}")
    try:
        return read_document(message.text or "")
    except DocumentError as error:
        refused = api.JMSException(f"no document: {error}")
        refused.linked_exception = error
        raise refused from error


def tree_of(message: api.Message | None) -> str:
    """Show the tree of a document, or why there is none."""
    return _shown(lambda: document_of(message).written())


def _shown(call: Callable[[], str]) -> str:
    try:
        return call()
    except api.JMSException as error:
        return str(error)


class Bridge:
    """The bridge: it sends documents PERSISTENT, urgent and for a minute, and receives them on another connection."""

    def __init__(self, case: Case, destination: api.Destination) -> None:
        self._case = case
        self._client = case.client()
        self._consumer = case.client().consumer(destination)
        self._sender = self._client.sender(destination).set(mode=api.DeliveryMode.PERSISTENT, priority=9, ttl=TTL)

    def send(self, text: str | None) -> None:
        """Send a text."""
        message = self._client.session.create_text_message()
        message.text = text
        self._sender.send(message)

    def send_bytes(self, content: bytes) -> None:
        """Send a text as bytes."""
        message = self._client.session.create_bytes_message()
        message.write_bytes(content)
        self._sender.send(message)

    def receive(self) -> api.Message | None:
        """Wait for the next message."""
        return self._consumer.receive(self._case.timing.deadline)

    def carries(self, text: str | None) -> object:
        """Send a text; return it as it is received."""
        self.send(text)
        message = self.receive()
        return message.text if isinstance(message, api.TextMessage) else f"no text message: {message}"
