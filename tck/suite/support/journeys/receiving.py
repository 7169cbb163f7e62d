"""The second half of a journey: consumers, the ways to receive, failures on the way, and what arrived."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tck import api
from tck.suite.support.case import Case
from tck.suite.support.clients.client import Client, Consumer
from tck.suite.support.clients.listeners import Listener
from tck.suite.support.clients.subscriptions import Subscription, SubscriptionKind, subscription
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.journeys.cargo import LANE, WANTED
from tck.suite.support.journeys.manifest import CHANGED, NOISE, Arrival, Manifest, Sent
from tck.suite.support.journeys.model import Journey
from tck.suite.support.journeys.sending import DELAYS, overwrite

_SELECTORS: Mapping[str, Sequence[str | None]] = {
    "none": [None],
    "property": [f"{LANE} = '{WANTED}'", f"{LANE} IN ('{WANTED}', 'x') AND {LANE} LIKE 'w%'", f"{LANE} <> '{NOISE}'"],
    "header": [
        "JMSPriority <> 2",
        f"JMSType IS NULL OR JMSType <> '{NOISE}'",
        f"JMSCorrelationID IS NULL OR JMSCorrelationID <> '{NOISE}'",
        "JMSPriority > 2 OR JMSPriority < 2",
    ],
}
"""Selectors that choose every load and leave the noise out."""
_KINDS: dict[str, SubscriptionKind] = {
    "topic": "unshared",
    "durable": "durable",
    "shared": "shared",
    "shared durable": "shared durable",
}


class Reception:
    """The receiver of a journey: a client, a consumer, and all that arrived, delivery after delivery.

    `overtaken` are messages at which a listener failed and behind which another was delivered before they came again.
    """

    def __init__(self, case: Case, journey: Journey, number: int) -> None:
        self.case, self.journey, self.number = case, journey, number
        choice = _SELECTORS[journey.selector]
        self.selector = choice[number % len(choice)]
        self.place: api.Destination
        self.subscription: Subscription | None = None
        if journey.place == "queue":
            self.place = case.queue()
        else:
            self.place = case.topic()
            self.subscription = subscription(
                case, _KINDS[journey.place], self.place, selector=self.selector, no_local=journey.no_local == "yes"
            )
        self.client = self.connected()
        self.consumer: Consumer | None = None
        self.manifest = Manifest()
        self.arrivals: list[Arrival] = []
        self.overtaken: list[Sent] = []
        self.turn = 1
        self._listening: _Listening | None = None

    # -- client and consumer -------------------------------------------------------------------------------------

    def connected_again(self) -> Client:
        """Connect after a break: the provider may take until the profile's deadline to notice that the old client is gone."""
        until = self.case.now() + self.case.timing.deadline
        while True:
            try:
                return self.connected()
            except (api.InvalidClientIDException, api.InvalidClientIDRuntimeException):
                if self.case.now() >= until:
                    raise
            self.case.provider.clock.event().wait(self.case.timing.deadline / 50)

    def connected(self) -> Client:
        """Open a connection with a session of the journey's mode."""
        return (
            self.case.client(self.journey.ack)
            if self.subscription is None
            else self.subscription.client(self.journey.ack)
        )

    def open(self) -> None:
        """Open the consumer; a provider that has not yet noticed the end of the last one gets the profile's deadline."""
        until = self.case.now() + self.case.timing.deadline
        while True:
            try:
                self.consumer = self._opened()
            except (api.JMSException, api.JMSRuntimeException):
                if not self.journey.broken or self.case.now() >= until:
                    raise
                self.case.provider.clock.event().wait(self.case.timing.deadline / 50)
            else:
                return

    def _opened(self) -> Consumer:
        if self.subscription is None:
            return self.client.consumer(self.place, self.selector)
        return self.subscription.open(client=self.client).consumer

    def close_consumer(self) -> None:
        """Close the consumer."""
        if self.consumer is not None:
            self.consumer.close()
        self.consumer = None

    # -- deliveries ----------------------------------------------------------------------------------------------

    def gather(self, *ends: Callable[[], None], send: Callable[[], None] = lambda: None) -> list[Arrival]:
        """Receive until all messages have come, or none comes any more; then settle or return them, round after round.

        In a listener the ends of the rounds are called by the listener: its session belongs to it. `send` is called first;
        an open listener knows by then that another round has begun.
        """
        if self.journey.receipt == "listener":
            return self._listen(ends, send)
        send()
        here: list[Arrival] = []
        for at_end in ends:
            here = self._round()
            at_end()
            self.turn += 1
        return here

    def _round(self) -> list[Arrival]:
        here: list[Arrival] = []
        while self.manifest.missing(here):
            marked = any(arrival.sent is not None and arrival.sent.load is None for arrival in here)
            message = self._next(self.case.timing.quiet if marked else self.case.timing.deadline, first=not here)
            if message is None:
                break
            here.append(self.arrived(message, here, self.turn))
        return here

    def arrived(self, message: Any, here: list[Arrival], turn: int) -> Arrival:
        """Note a delivery."""
        at = self.case.now()
        self.case.witness("a message came")
        arrival = Arrival(message, self.manifest.recognised(message, here), at, turn)
        self.arrivals.append(arrival)
        return arrival

    def _next(self, milliseconds: int, *, first: bool) -> Any:
        consumer: Any = self.consumer
        if self.journey.receipt == "receive without wait":
            for _ in range(50):
                if (message := consumer.receive_no_wait()) is not None:
                    return message
                self.case.provider.clock.event().wait(max(milliseconds / 50, 1))
            return None
        if self.journey.receipt == "receive" and first:  # receive() has no end: another thread waits in it
            call = self.case.spawn("receive()", consumer.receive)
            return call.result() if call.ends_within(milliseconds) else None
        return consumer.receive(milliseconds)

    def _listen(self, ends: Sequence[Callable[[], None]], send: Callable[[], None]) -> list[Arrival]:
        consumer: Any = self.consumer
        if self._listening is None:
            self._listening = _Listening(self)
            self._listening.begin(ends)
            consumer.message_listener = Listener(self._listening.hear)
            begun = 0
        else:
            begun = self._listening.rounds
            self._listening.begin(ends)
        send()
        seen: list[Arrival] = []
        for place in range(begun, begun + len(ends)):
            seen = self._listening.ended(place)
        return seen

    def settle(self) -> None:
        """Commit or acknowledge, as the mode demands."""
        if self.client.transacted:
            self.client.commit()
        elif self.client.ack == "client":
            if self.journey.receipt == "receive body":
                self.client.session.acknowledge()
            elif self.arrivals:
                self.arrivals[-1].message.acknowledge()


class ListenerFailureError(RuntimeError):
    """The exception of a failing listener: a plain runtime exception, as Java code would throw."""


def fails(sent: Sent, number: int) -> bool:
    """Whether a listener that fails does so at the first delivery of a message: at a few, since some providers wait before each redelivery.

    `number` is the journey's, so that all kinds of messages have their turn, as in `used`.
    """
    return sent.load is not None and (sent.load.number + number) % 5 == 0


def used(arrival: Arrival, number: int) -> None:
    """Read a received message, and write into every second one."""
    arrival.taken()
    load = arrival.sent.load if arrival.sent is not None else None
    if load is not None and (load.number + number) % 2 == 0:
        overwrite(arrival.message, CHANGED)


class _Listening:
    """What a listener hears, round after round; a round ends when all messages have come, and the next begins at once."""

    def __init__(self, reception: Reception) -> None:
        self._reception = reception
        self._lock = threading.Lock()  # guards the rounds; `at_end` is called without it
        self._rounds: list[_Round] = []
        self._place = 0
        self._failed: list[Sent] = []
        self._again: Sent | None = None

    def begin(self, ends: Sequence[Callable[[], None]]) -> None:
        """Begin rounds, the first at once; what comes beyond the last one belongs to it."""
        with self._lock:
            self._place = len(self._rounds)
            self._rounds += [_Round(at_end, self._reception.case.provider.clock.event()) for at_end in ends]

    def hear(self, message: api.Message, _ordinal: int) -> None:
        """Take a message; the last of a round ends it, here in the listener."""
        if self._reception.journey.delivery == "after a failed listener":
            self._fail_at_first(message)
        with self._lock:
            current = self._rounds[self._place]
            turn = self._place + 1
            if self._failed and self._reception.manifest.recognised(message, current.here) in self._failed:
                turn += 1
            current.here.append(self._reception.arrived(message, current.here, turn))
            ends = not current.over and not self._reception.manifest.missing(current.here)
            if ends:
                current.over = True
                self._place = min(self._place + 1, len(self._rounds) - 1)
        if ends:
            current.at_end()
            current.complete.set()

    def _fail_at_first(self, message: api.Message) -> None:
        """Fail at the first delivery of some messages, after reading them and writing into some.

        Raises:
            ListenerFailureError: it is such a delivery.
        """
        reception = self._reception
        sent = reception.manifest.recognised(message, [])
        if self._again is not None and sent is not self._again:
            reception.overtaken.append(self._again)
        self._again = None
        if sent is None or not fails(sent, reception.number) or sent in self._failed:
            return
        self._failed.append(sent)
        self._again = sent
        used(reception.arrived(message, [], 1), reception.number)
        raise ListenerFailureError("the listener fails at the first delivery of a message")

    @property
    def rounds(self) -> int:
        """The number of rounds so far."""
        return len(self._rounds)

    def ended(self, place: int) -> list[Arrival]:
        """Wait for the end of a round, at most until the profile's deadline; return what came."""
        timing = self._reception.case.timing
        self._rounds[place].complete.wait(timing.deadline + max(DELAYS) * timing.delay)
        with self._lock:
            return list(self._rounds[place].here)


@dataclass(slots=True)
class _Round:
    at_end: Callable[[], None]
    complete: api.Event
    here: list[Arrival] = field(default_factory=list)
    over: bool = False


_BREAKING: Final[Mapping[str, tuple[api.Hook, ...]]] = {
    "after a kill": (api.Hook.KILL, api.Hook.RESTART),
    "after a restart": (api.Hook.RESTART,),
    "after a severed link": (api.Hook.SEVER,),
}


def broken(case: Case, delivery: str, reception: Reception) -> bool:
    """Break the link or the provider by the hook that it offers; return whether the sender's connection is dead too.

    Without a kill it is restarted, without either the receiver's connection is closed.
    """
    hook = breaking_hook(case, delivery)
    if hook is api.Hook.KILL:
        case.provider.kill()
    elif hook is api.Hook.RESTART:
        case.provider.restart()
    elif hook is api.Hook.SEVER:
        case.provider.sever(reception.client.connection)
        return False
    else:
        reception.client.close()
        return reception.journey.session != "other connection"
    return True


def breaking_hook(case: Case, delivery: str) -> api.Hook | None:
    """Return the hook by which a delivery is broken off: the first that is offered and has an effect."""
    return next((hook for hook in _BREAKING.get(delivery, ()) if case.has(hook)), None)


def lost(words: str) -> Undecided:
    """Return the ending of a journey that could not go on."""
    return Undecided(f"the journey could not go on: {words}")
