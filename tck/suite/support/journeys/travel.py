"""A journey from its first send to its last look: sender and receiver in turn. It judges nothing."""

from __future__ import annotations

from typing import Any, Final

from tck import api
from tck.suite.support.case import Case
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.interfaces import connect
from tck.suite.support.journeys.cargo import register_types
from tck.suite.support.journeys.comparing import as_returned, comparable_body, same
from tck.suite.support.journeys.manifest import NOISE, Arrival, Sent, noise_row
from tck.suite.support.journeys.model import Journey
from tck.suite.support.journeys.receiving import Reception, broken, used
from tck.suite.support.journeys.sending import DELAYS, Dispatch
from tck.suite.support.values.seen import tried

_BODY_TYPES: Final[dict[str, api.BodyType]] = {
    "text": str,
    "map": dict,
    "bytes": bytes,
    "object": api.SERIALIZABLE,
}


class Travel:
    """A journey on its way.

    Attributes:
        dispatch, reception: its two ends.
        browsed: messages that a browser showed before any was received, and those it showed before they were due.
        bodies: with receiveBody: the result of each call, or `raises TYPE`; noise in front of a message has its entry, too.
        left: messages that came to a new client after everything was settled; of noise, the row that keeps it away.
        last: the marker behind all messages.
        touched: whether a consumer may have had the messages before they were received, so that counts are open.
    """

    def __init__(self, case: Case, journey: Journey, number: int) -> None:
        self.case, self.journey, self.number = case, journey, number
        register_types(case)
        self.reception = Reception(case, journey, number)
        self.dispatch = Dispatch(case, journey, number, self._sender(), self.reception.place)
        self.reception.manifest = self.dispatch.manifest
        self.browsed: list[Any] = []
        self.early: list[Any] = []
        self.bodies: list[tuple[Sent, object]] = []
        self.received: list[Arrival] = []
        self.after_the_end: list[Arrival] = []
        self.left: list[Sent | str] = []
        self.last: Sent | None = None
        self.touched = False

    def _sender(self) -> Client:
        mode = "transacted" if self.journey.sends_in_transaction else "auto"
        if self.journey.session == "same session":
            return self.reception.client
        if self.journey.session == "other session":
            return self.reception.client.peer(mode)
        return connect(self.case, mode, through=self.case.second)

    def run(self) -> None:
        """Travel."""
        reception, journey = self.reception, self.journey
        if journey.consumer in {"before", "resumed"}:
            reception.open()
        if journey.consumer == "resumed":
            reception.close_consumer()
        self._send()
        if journey.broken and not journey.repeats:
            if self.number % 3 == 0:  # some messages are due before it, some after it
                self._become_due()
            self._break()
        self._look()
        if reception.consumer is None:
            reception.open()
        if journey.receipt == "receive body":
            self._receive_bodies()
            if journey.lasting and journey.ack != "dups_ok":
                self._ask_again()
        else:
            self._receive()

    def _send(self) -> None:
        if self.journey.no_local == "yes":
            own = self.reception.client.peer("auto")
            noise = self.dispatch.noise("4.2.2-29")
            own.sender(self.reception.place).send(noise)
            own.close_session()
        self.dispatch.send_all()
        if self.journey.ttl == "some expire":
            self.case.pass_time(2 * self.case.timing.delay, "some messages must expire")

    def _become_due(self) -> None:
        if self.journey.delay == "short":
            self.case.pass_time(max(DELAYS) * self.case.timing.delay + 1, "the messages must become due")

    def _look(self) -> None:
        """Browse the queue before the receipt, first while messages may not be due yet."""
        if self.journey.look != "browser":
            return

        def shown() -> list[Any]:
            messages: list[Any] = list(watcher.browse_messages(queue, selector))
            return [message for message in messages if message is not None]

        client, queue = self.reception.client, self.reception.place
        selector = self.reception.selector if self.number % 2 else None
        watcher = client.peer("auto") if self.journey.interface != "simplified" else self.case.client("auto")
        if self.journey.delay == "short":
            waiting = shown()
            now = self.case.now() + self.case.timing.tolerance
            self.early = [message for message in waiting if message.jms_delivery_time > now]
            self._become_due()
        until = self.case.now() + self.case.timing.deadline
        while True:
            self.browsed = shown()
            if len(self.browsed) >= len(self.dispatch.manifest.sent) or self.case.now() >= until:
                break
            self.case.provider.clock.event().wait(self.case.timing.deadline / 50)
        if self.journey.interface == "simplified":
            watcher.close()

    # -- receipts ------------------------------------------------------------------------------------------------

    def _receive(self) -> None:
        reception, journey = self.reception, self.journey
        if journey.repeats and journey.delivery != "after a failed listener":
            if journey.delivery in {"after rollback", "after recover"}:
                self.received = reception.gather(self._return, reception.settle)
            else:
                reception.gather(self._change)
                self._lose()
                self.received = reception.gather(reception.settle)
        else:
            self.received = reception.gather(reception.settle)
        self.after_the_end = reception.gather(reception.settle, send=self.dispatch.end)
        self.last = self.dispatch.manifest.end
        if journey.lasting and journey.ack != "dups_ok":
            self._ask_again()

    def _ask_again(self) -> None:
        """Close everything, and look with a new client at what comes in front of a last marker: nothing, if all was settled."""
        reception = self.reception
        for client in dict.fromkeys((self.dispatch.client, reception.client)):
            client.close()
        reception.consumer = None
        reception.client = reception.connected_again()
        reception.open()
        self.dispatch.moved(self._sender())
        self.dispatch.end()
        consumer: Any = reception.consumer
        while (message := consumer.receive(self.case.timing.deadline)) is not None:
            sent = self.dispatch.manifest.recognised(message, [])
            if sent is self.dispatch.manifest.end:
                break
            self.left.append(sent or noise_row(message))
        if reception.client.transacted:
            reception.client.commit()

    def _change(self) -> None:
        """Read the received messages, which will be redelivered, and write into some."""
        for arrival in self.reception.arrivals:
            used(arrival, self.number)

    def _return(self) -> None:
        self._change()
        self.reception.client.return_all()

    def _lose(self) -> None:
        """Close the consumer or the session, or break the link or the provider; then open a consumer again."""
        reception, journey = self.reception, self.journey
        if journey.delivery == "after a closed consumer":
            reception.close_consumer()
            reception.client.rollback()
        elif journey.delivery == "after a closed session":
            self._close_session()
        else:
            self._break()
        if reception.consumer is None:
            reception.open()

    def _close_session(self) -> None:
        reception, journey = self.reception, self.journey
        old = reception.client
        if self.number % 2:
            reception.close_consumer()
        old.close_session()
        reception.consumer = None
        if journey.interface != "simplified":
            reception.client = old.peer(journey.ack)
        elif journey.session == "other session":
            reception.client = self.dispatch.client.peer(journey.ack)
        else:
            reception.client = reception.connected()

    def _break(self) -> None:
        reception, journey = self.reception, self.journey
        self.touched = reception.consumer is not None
        sender_died = broken(self.case, journey.delivery, reception)
        reception.consumer = None
        reception.client = reception.connected_again()
        if journey.session == "same session":
            self.dispatch.moved(reception.client)
        elif sender_died:
            self.dispatch.moved(self._sender())

    def _receive_bodies(self) -> None:
        reception = self.reception
        for sent in self.dispatch.manifest.sent:
            asked = _BODY_TYPES[sent.load.kind] if sent.load is not None else str
            if self._body_of(sent, asked) is None:
                break
            self.case.witness("a body came")
        reception.settle()
        self.dispatch.end()
        self._body_of(self._end(), str)
        reception.settle()

    def _body_of(self, sent: Sent, asked: api.BodyType) -> object:
        """Ask for a body until one comes that is no noise; note each, and return the last."""
        body = self._body(asked)
        for _ in range(len(self.dispatch.manifest.sent)):
            if str(body).startswith("raises MessageFormat"):
                noise, after = self._in_place_of(sent, body, asked)
            else:
                noise, after = body, None
            if not (isinstance(noise, str) and noise.startswith(NOISE)):
                break
            self.bodies.append((sent, noise))
            body = self._body(asked) if after is None else after
        self.bodies.append((sent, body))
        return body

    def _in_place_of(self, sent: Sent, refused: object, asked: api.BodyType) -> tuple[object, object]:
        """Return the noise that a provider refused to give as another type, and what came after it, if that was asked for.

        It is still there in the modes that acknowledge by themselves, and gone in the others (8.6): there the body behind
        it shows that it was noise. Only messages that have expired may come so.
        """
        if self.journey.ttl != "some expire":
            return refused, None
        if self.journey.ack in {"auto", "dups_ok"}:
            return self._body(str), None
        after = self._body(asked)
        return (f"{NOISE} of 3.4.9-7", after) if same(comparable_body(after), as_returned(sent)) else (refused, None)

    def _body(self, asked: api.BodyType) -> object:
        consumer: Any = self.reception.consumer
        return tried(lambda: consumer.receive_body(asked, int(self.case.timing.deadline)))

    def _end(self) -> Sent:
        end = self.dispatch.manifest.end
        assert end is not None  # noqa: S101 - it was sent
        return end
