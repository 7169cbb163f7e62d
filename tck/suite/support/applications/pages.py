"""A page that sends and receives messages while it is rendered, in the manner of JSP tags, and a server for it.

A template has tags `<jms:write message="..." priority="3" timetolive="60000">body</jms:write>` and `<jms:read/>`; a write shows
nothing, a read shows the text of the next message. Knows nothing of scenarios and of any provider.
"""

from __future__ import annotations

import contextlib
import html
import re
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.request import ProxyHandler, build_opener

from tck import api
from tck.suite.support.clients.client import Client

_TAG = re.compile(r"<jms:(?P<name>write|read)(?P<attributes>[^>]*?)(?:/>|>(?P<body>.*?)</jms:(?P=name)>)", re.DOTALL)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


class WriteTag:
    """The handler of `jms:write`; one object serves all tags of a page, and forgets in between."""

    def __init__(self, client: Client, queue: api.Queue) -> None:
        self._client, self._queue = client, queue
        self.release()

    def release(self) -> None:
        """Go back to the state without attributes and body."""
        self.message: str | None = None
        self.body = ""
        self.priority, self.time_to_live = 9, 0

    def end(self) -> None:
        """Send the message that the attribute gives, or else the body."""
        text = self.body.strip() if self.message is None else self.message
        sender = self._client.sender(self._queue)
        mode = api.DeliveryMode.PERSISTENT
        sender.send(self._client.text(text), mode=mode, priority=self.priority, ttl=self.time_to_live)
        sender.close()


class ReadTag:
    """The handler of `jms:read`: each use opens a consumer, takes one message, and closes the consumer.

    Attributes:
        messages: the messages so far.
    """

    def __init__(self, client: Client, queue: api.Queue, timeout: int) -> None:
        self._client, self._queue, self._timeout = client, queue, timeout
        self.messages: list[api.Message] = []

    def end(self) -> str:
        """Receive, and return the text; empty if none comes in time."""
        consumer = self._client.consumer(self._queue)
        message = consumer.receive(self._timeout)
        consumer.close()
        if message is not None:
            self.messages.append(message)
        return str(message.text) if isinstance(message, api.TextMessage) else ""


class Page:
    """A page with its two handlers."""

    def __init__(self, template: str, write: WriteTag, read: ReadTag) -> None:
        self._template, self._write, self._read = template, write, read

    def render(self) -> str:
        """Run the tags in their order; return the page."""
        return _TAG.sub(self._run, self._template)

    def _run(self, tag: re.Match[str]) -> str:
        if tag["name"] == "read":
            return html.escape(self._read.end())
        attributes = dict(_ATTRIBUTE.findall(tag["attributes"]))
        self._write.message = attributes.get("message")
        self._write.body = tag["body"] or ""
        self._write.priority = int(attributes.get("priority", self._write.priority))
        self._write.time_to_live = int(attributes.get("timetolive", self._write.time_to_live))
        self._write.end()
        self._write.release()
        return ""


@contextlib.contextmanager
def page_server(render: Callable[[], str]) -> Iterator[HTTPServer]:
    """Open a server on this machine that renders the page for each request; `handle_request` serves one."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = render().encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Write no log."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        server.timeout = 10.0
        yield server


def fetched(server: HTTPServer) -> str:
    """Fetch the page as a browser would, without a window."""
    opener = build_opener(ProxyHandler({}))
    with opener.open(f"http://127.0.0.1:{server.server_port}/page", timeout=60) as answer:
        return str(answer.read().decode())
