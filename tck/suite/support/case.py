"""A case: one test at one point of its axes, with everything the test body may ask for.

Made by the plugin, closed by it. Destinations, client identifiers and names are fresh for each case, so that any order,
any subset and any number of workers give the same verdicts.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from tck import api as jms
from tck.catalogue import Assertion
from tck.profile import Profile
from tck.suite.support.calls import Call
from tck.suite.support.client import ClassicClient, Client, DomainClient, Login, SimplifiedClient
from tck.suite.support.link import Link
from tck.suite.support.listening import failing_listener
from tck.suite.support.outcome import Undecided
from tck.suite.support.seen import shown, tried

Result = TypeVar("Result")


class Evidence(Protocol):
    """What a case asks of the recorder."""

    @property
    def events(self) -> Sequence[dict[str, object]]:
        """The events so far, in order."""


@dataclass(frozen=True, slots=True)
class Point:
    """Where on its axes a test runs; the name is a path and a selector."""

    assertions: tuple[str, ...]
    domain: str
    api: str
    ack: str
    variant: str = ""

    @property
    def area(self) -> str:
        """The domain as the catalogue and profiles call it: `ptp` or `pubsub`."""
        return "ptp" if self.domain == "queue" else "pubsub"

    @property
    def name(self) -> str:
        """For instance `3.4.1-1/queue/classic/auto`."""
        parts = (self.assertions[0], self.domain, self.api, self.ack, self.variant)
        return "/".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Wait:
    """A bounded wait that proves nothing by itself, counted in the run's summary."""

    ms: float
    why: str


@dataclass(slots=True)
class Marks:
    """What the helpers of `expect` leave behind: why the case may pass, and what it waited for."""

    witnesses: list[str] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)
    behaviour: str | None = None
    expected: list[str] = field(default_factory=list)
    findings: list[dict[str, object]] = field(default_factory=list)


class Case:
    """The running case; `version` is that of the specification it is judged by."""

    def __init__(
        self,
        point: Point,
        rows: Sequence[Assertion],
        profile: Profile,
        provider: jms.Provider,
        evidence: Evidence,
        namespace: str,
        version: str | None = None,
    ) -> None:
        self.point = point
        self.rows = tuple(rows)
        self.profile = profile
        self.version = version or profile.claims.version
        self.timing = profile.timing
        self.provider = provider
        self.evidence = evidence
        self.marks = Marks()
        self._namespace = namespace
        self._numbers = itertools.count(1)
        self._open: list[jms.Connection | jms.JMSContext] = []
        self._destinations: list[jms.Destination] = []
        self._calls: list[Call[object]] = []

    # -- the point -----------------------------------------------------------------------------------------------

    @property
    def domain(self) -> str:
        """`queue` or `topic`."""
        return self.point.domain

    @property
    def api(self) -> str:
        """`classic`, `simplified` or `domain-specific`."""
        return self.point.api

    @property
    def ack(self) -> str:
        """`auto`, `client`, `dups_ok` or `transacted`."""
        return self.point.ack

    @property
    def other_domain(self) -> str:
        """The domain that is not the case's."""
        return "topic" if self.domain == "queue" else "queue"

    # -- names and destinations ----------------------------------------------------------------------------------

    def name(self, kind: str = "n") -> str:
        """Make a name that no other case of this or another run uses, fit for destinations, clients, subscriptions."""
        return f"tck.{kind}.{self._namespace}.{next(self._numbers)}"

    def destination(self, domain: str | None = None) -> jms.Destination:
        """Create a fresh destination, of the case's domain unless another is named."""
        return self.queue() if (domain or self.domain) == "queue" else self.topic()

    def queue(self) -> jms.Queue:
        """Create a fresh queue."""
        queue = self.provider.create_queue(self.name("q"))
        self._destinations.append(queue)
        return queue

    def topic(self) -> jms.Topic:
        """Create a fresh topic."""
        topic = self.provider.create_topic(self.name("t"))
        self._destinations.append(topic)
        return topic

    # -- clients -------------------------------------------------------------------------------------------------

    def client(
        self,
        ack: str | None = None,
        *,
        domain: str | None = None,
        api: str | None = None,
        login: Login | None = None,
        client_id: str | None = None,
    ) -> Client:
        """Connect in the case's interface; `ack` defaults to the case's mode. Delivery is started.

        The domain-specific interface needs to know the domain; it is the case's unless another is named.
        """
        ack = ack or self.ack
        style = api or self.api
        if style == "classic":
            return ClassicClient.open(self, ack, login, client_id)
        if style == "simplified":
            return SimplifiedClient.open(self, ack, login, client_id)
        return DomainClient.open(self, ack, domain or self.domain, login, client_id)

    def link(
        self,
        ack: str | None = None,
        *,
        destination: jms.Destination | None = None,
        domain: str | None = None,
        client: Client | None = None,
        consumes: bool = True,
        selector: str | None = None,
        durable: str | None = None,
    ) -> Link:
        """Open a client with one destination (fresh unless given), a producer and, if it `consumes`, a consumer.

        With `durable` a topic is consumed through the durable subscription of that name, which is also made the
        client's identifier; a queue needs none and ignores it.
        """
        if destination is not None:
            domain = "queue" if isinstance(destination, jms.Queue) else "topic"
        subscription = durable if (domain or self.domain) == "topic" else None
        client = client or self.client(ack, domain=domain, client_id=subscription)
        place = self.destination(domain) if destination is None else destination
        return Link(client, place, consumes=consumes, selector=selector, durable=subscription)

    def opened(self, closeable: jms.Connection | jms.JMSContext) -> None:
        """Have a connection or context closed when the case ends."""
        self._open.append(closeable)

    # -- time and threads ----------------------------------------------------------------------------------------

    def now(self) -> int:
        """Tell the provider's time, milliseconds since the epoch."""
        return self.provider.clock.now()

    def pass_time(self, milliseconds: float, why: str) -> None:
        """Let time pass: at once on a clock that can be advanced, else a bounded wait that is counted with its reason."""
        clock = self.provider.clock
        if not clock.virtual:
            self.marks.waits.append(Wait(milliseconds, why))
        clock.event().wait(milliseconds)

    def linger(self, why: str) -> None:
        """Let a long time pass: a minute of a virtual clock, else the profile's bounded wait, counted with its reason."""
        self.pass_time(60_000 if self.provider.clock.virtual else self.timing.quiet, why)

    def long_delay(self) -> int:
        """A delay or time-to-live in ms: an hour of a virtual clock, else twice the shortest that the profile allows."""
        return 3_600_000 if self.provider.clock.virtual else 2 * self.timing.delay

    def latest(self, at: int) -> int:
        """The latest time for something due by `at`: just then on a virtual clock, else within the profile's deadline."""
        return at if self.provider.clock.virtual else at + self.timing.deadline

    @contextlib.contextmanager
    def local_time_zone(self, name: str) -> Iterator[None]:
        """Set this process's time zone for a while, where the platform can."""
        before = os.environ.get("TZ")
        _set_time_zone(name)
        try:
            yield
        finally:
            _set_time_zone(before)

    def spawn(self, what: str, call: Callable[[], Result]) -> Call[Result]:
        """Run a call on a thread of its own; `what` names it in findings."""
        spawned = Call(self.provider.clock, what, call, self.timing.deadline)
        self._calls.append(spawned)  # type: ignore[arg-type]  # a list of calls of any result
        return spawned

    # -- what many tests do ----------------------------------------------------------------------------------------

    @staticmethod
    def shown(value: object) -> object:
        """Show a destination by kind and name."""
        return shown(value)

    def dressed(self, link: Link) -> jms.TextMessage:
        """Create a text message with every header that is the client's to set."""
        message = link.text("x")
        message.jms_correlation_id = "correlation"
        message.jms_reply_to = self.destination()
        message.jms_type = "type"
        return message

    def deliver_twice(self, link: Link) -> tuple[object, object]:
        """Have the waiting message delivered, handed back and delivered again; shows JMSRedelivered of both.

        A transacted session rolls back, one in CLIENT_ACKNOWLEDGE recovers, and in the others a listener fails.

        Raises:
            Undecided: the second delivery does not come.
        """
        if self.ack in {"client", "transacted"}:
            first = _flag(link.take())
            link.client.return_all()
            return first, _flag(link.take())
        return failing_listener(self, link)

    # -- evidence ------------------------------------------------------------------------------------------------

    def witness(self, sight: str) -> None:
        """Note something seen that a provider which does nothing could not have shown."""
        self.marks.witnesses.append(sight)

    def last_seq(self) -> int:
        """The number of the last event, for citing what follows."""
        events = self.evidence.events
        return int(str(events[-1]["seq"])) if events else -1

    def cites_of(self, *labels: str) -> tuple[int, ...]:
        """Number the deciding events: sends and deliveries of the named objects, and the last event of all."""
        events = self.evidence.events
        seqs = [
            int(str(event["seq"]))
            for event in events
            if event["phase"] != "invoke" and event.get("message") and (not labels or _label(event) in labels)
        ]
        if events:
            seqs.append(int(str(events[-1]["seq"])))
        return tuple(dict.fromkeys(seqs[-12:]))

    def needs(self, hook: jms.Hook) -> None:
        """Require a hook of the provider.

        Raises:
            Undecided: the provider does not offer it.
        """
        if hook not in self.provider.hooks:
            raise Undecided(f"needs hook {hook.value}")

    # -- the end -------------------------------------------------------------------------------------------------

    def close(self) -> Iterator[Exception]:
        """Close what the case opened and drop its destinations; yields what went wrong, which is no verdict."""
        for closeable in reversed(self._open):
            try:
                closeable.close()
            except Exception as error:  # noqa: BLE001 - a dead connection may refuse; the plugin notes it
                yield error
        for call in self._calls:
            call.ends_within(self.timing.deadline)
        for destination in self._destinations:
            with contextlib.suppress(jms.UnsupportedOperationException):
                try:
                    self.provider.drop(destination)
                except jms.UnsupportedOperationException:
                    raise
                except Exception as error:  # noqa: BLE001 - likewise
                    yield error


def _flag(message: jms.Message) -> object:
    return tried(lambda: message.jms_redelivered)


def _set_time_zone(name: str | None) -> None:
    if name is None:
        os.environ.pop("TZ", None)
    else:
        os.environ["TZ"] = name
    if hasattr(time, "tzset"):
        time.tzset()


def _label(event: dict[str, object]) -> object:
    message = event.get("message")
    return message.get("label") if isinstance(message, dict) else None
