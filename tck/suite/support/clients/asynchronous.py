"""Asynchronous sends of the three interfaces, and completion listeners that note all their calls."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from tck import api
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.sender import Sender, SimplifiedSender
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.values.seen import body, standard_name, tried


@dataclass(frozen=True, slots=True)
class Callback:
    """One call of a completion listener.

    Attributes:
        message: the message passed, None for null.
        text: the body of the message.
        error: the exception passed to onException; None of onCompletion.
        failed: whether it was onException.
        thread: the identity of the thread.
    """

    message: api.Message | None
    text: object
    failed: bool
    error: Exception | None
    thread: int


class Callbacks(api.CompletionListener):
    """A completion listener that notes its calls, and does some work in each of them.

    Attributes:
        begun: the calls, in the order of their begins.
        results: the value or the exception of the work, for each call that has ended.
    """

    def __init__(
        self, case: RunningCase, work: Callable[[api.Message], object] | None = None, *, held: bool = False
    ) -> None:
        self._case = case
        self._work = work
        self._lock = threading.Lock()  # guards the lists and the wanted number; no other lock is taken under it
        self._wanted = 0
        self._entered, self._released, self._complete = (case.provider.clock.event() for _ in range(3))
        self.begun: list[Callback] = []
        self.results: list[object] = []
        if not held:
            self._released.set()

    def on_completion(self, message: api.Message) -> None:
        """Note a send that succeeded."""
        self._called(message, None, failed=False)

    def on_exception(self, message: api.Message, exception: Exception) -> None:
        """Note a send that failed."""
        self._called(message, exception, failed=True)

    def _called(self, message: api.Message, error: Exception | None, *, failed: bool) -> None:
        text = tried(lambda: body(message))
        with self._lock:
            self.begun.append(Callback(message, text, failed, error, threading.get_ident()))
        self._entered.set()
        if not self._released.is_set():
            self._released.wait(600_000 if self._case.provider.clock.virtual else 4 * self._case.timing.deadline)
        result: object = None
        try:
            result = None if self._work is None else self._work(message)
        except Exception as problem:  # noqa: BLE001 - the test judges it
            result = problem
        with self._lock:
            self.results.append(result)
            complete = len(self.results) == self._wanted
        if complete:
            self._complete.set()

    @property
    def texts(self) -> list[object]:
        """The bodies of the messages whose calls have begun, in that order."""
        with self._lock:
            return [call.text for call in self.begun]

    @property
    def completed(self) -> list[object]:
        """The bodies of the messages that onCompletion was called for."""
        with self._lock:
            return [call.text for call in self.begun if not call.failed]

    @property
    def ended(self) -> int:
        """The number of calls that have ended."""
        with self._lock:
            return len(self.results)

    def after(self, count: int) -> list[Callback]:
        """Wait until `count` calls in all have ended, at most until the profile's deadline; return all calls begun."""
        with self._lock:
            self._wanted = count
            waits = len(self.results) < count
            if waits:
                self._complete = self._case.provider.clock.event()
        if waits:
            self._complete.wait(self._case.timing.deadline)
        with self._lock:
            return list(self.begun)

    def one(self) -> Callback:
        """Wait for the first call to end; return it.

        Raises:
            Undecided: it has not, within the profile's deadline.
        """
        calls = self.after(1)
        if not calls or not self.ended:
            raise Undecided("the completion listener was never called, or has not returned")
        return calls[0]

    def occupied(self) -> None:
        """Wait until the listener has been called.

        Raises:
            Undecided: it has not, within the profile's deadline.
        """
        if not self._entered.wait(self._case.timing.deadline):
            raise Undecided("the completion listener was never called")
        self._case.witness("a completion listener was called, and stays in the call")

    def release(self) -> None:
        """Let this call and all later ones go on."""
        self._released.set()


def send_async(
    sender: Sender,
    message: api.Message,
    listener: api.CompletionListener | None,
    *,
    to: api.Destination | None = None,
    mode: int | None = None,
    priority: int | None = None,
    ttl: int | None = None,
) -> None:
    """Send asynchronously; `to` names the destination of a producer that has none of its own. `ttl` in ms.

    A JMSProducer is set to synchronous sends again behind it; a null listener makes its send synchronous.
    """
    producer: Any = sender.producer
    if isinstance(sender, SimplifiedSender):
        producer.set_async(listener)
        try:
            sender.send(message, to=to, mode=mode, priority=priority, ttl=ttl)
        finally:
            producer.set_async(None)
        return
    options: dict[str, Any] = {"completion_listener": listener}
    if to is not None:
        options["destination"] = to
    if (mode, priority, ttl) != (None, None, None):
        options["delivery_mode"] = api.Message.DEFAULT_DELIVERY_MODE if mode is None else mode
        options["priority"] = api.Message.DEFAULT_PRIORITY if priority is None else priority
        options["time_to_live"] = api.Message.DEFAULT_TIME_TO_LIVE if ttl is None else ttl
    producer.send(message, **options)


def sent_async(
    link: Link, texts: Iterable[str], listener: api.CompletionListener, *, mode: int | None = None
) -> list[api.Message]:
    """Send texts asynchronously through the link's producer, without waiting or settling; return the messages."""
    messages: list[api.Message] = [link.text(text) for text in texts]
    for message in messages:
        send_async(link.sender, message, listener, mode=mode)
    return messages


def occupied_by(link: Link, work: Callable[[api.Message], object] | None = None) -> Callbacks:
    """Send a message asynchronously whose completion listener is held; return that listener, within its call."""
    listener = Callbacks(link.case, work, held=True)
    sent_async(link, ["held"], listener)
    listener.occupied()
    return listener


def in_callback(link: Link, work: Callable[[api.Message], object]) -> object:
    """Send a message asynchronously, and work in its completion callback; return the value or the exception of the work.

    Raises:
        Undecided: the callback has not come, or the work has not ended, within the profile's deadline.
    """
    listener = Callbacks(link.case, work)
    sent_async(link, ["in callback"], listener)
    listener.one()
    return listener.results[0]


def producers_of(client: Client, destination: api.Destination, count: int) -> list[Sender]:
    """Create several producers of one session or context."""
    return [client.sender(destination) for _ in range(count)]


def ending_of(case: RunningCase, send: Callable[[api.CompletionListener], object]) -> str:
    """Send asynchronously, and return how it ends: by an exception of the call, or by the listener's method."""
    listener = Callbacks(case)
    try:
        send(listener)
    except Exception as error:  # noqa: BLE001 - the case judges it
        return f"raises {standard_name(error)}"
    call = listener.one()
    return f"onException of {standard_name(call.error)}" if call.failed else "sent"


_OPTIONS: Mapping[str, Any] = {"delivery_mode": api.DeliveryMode.PERSISTENT, "priority": 4, "time_to_live": 0}
Send = Callable[[api.CompletionListener], object]
"""Sends asynchronously, with a listener."""


def of_own_destination(link: Link, message: api.Message | None) -> Mapping[str, Send]:
    """Return the asynchronous sends of the link's producer, which has a destination."""
    send: Any = link.sender.producer.send
    return {
        "send(message, listener)": lambda listener: send(message, completion_listener=listener),
        "send(message, options, listener)": lambda listener: send(message, **_OPTIONS, completion_listener=listener),
    }


def to_given_destination(link: Link, message: api.Message | None, to: api.Destination | None) -> Mapping[str, Send]:
    """Return the asynchronous sends of a producer that has no destination."""
    send = partial(link.client.sender().producer.send, message, destination=to)
    return {
        "send(destination, message, listener)": lambda listener: send(completion_listener=listener),
        "send(destination, message, options, listener)": lambda listener: send(
            completion_listener=listener, **_OPTIONS
        ),
    }
