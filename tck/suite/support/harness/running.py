"""The running case without its clients: point, names, destinations, time, threads and evidence.

The rooms below `case` know this much of it. `Case` adds the clients, so this module needs none of them.
"""

from __future__ import annotations

import contextlib
import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar

from tck import api as jms
from tck.catalogue import Assertion
from tck.catalogue.versions import OLDEST, SHARED_SUBSCRIPTIONS, offers
from tck.profile import Profile
from tck.programs.comparing.comparison import Comparison, compare
from tck.programs.expectation import Execution, Expectation
from tck.suite.support.harness.alone import needs_alone
from tck.suite.support.harness.links import AnyLink
from tck.suite.support.harness.outcome import Broken, NoHook, Unsupported
from tck.suite.support.harness.point import Point
from tck.suite.support.harness.threads import Call
from tck.suite.support.harness.wording import clipped

_Result = TypeVar("_Result")
_UNDONE: Final[Mapping[str, Mapping[str, object]]] = {"users": {}, "limit": {"connections": None}}
"""What undoes an administrator's action that concerns every client."""
_ALONE: Final = frozenset({*_UNDONE, "connections", "destinations", "subscriptions"})
"""The actions that concern every client, or show what others do."""


class Evidence(Protocol):
    """The recorder, as far as a case uses it."""

    @property
    def events(self) -> Sequence[dict[str, object]]:
        """The events so far, in order."""

    def raised(self, error: BaseException) -> bool:
        """Return whether an exception came out of the provider."""

    def called(self, members: Collection[str]) -> bool:
        """Return whether one of these calls was made, named as in events."""

    def behind(self, value: object) -> Any:  # noqa: ANN401 - the object of the provider, of whatever type
        """Return the provider's own object behind a recorded one, anything else itself."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A wait in real time: for the time that a case is about (`timed`), or a bounded one that proves nothing by itself."""

    ms: float
    why: str
    timed: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """A refuted claim, and the row that it was about; None where the test named none."""

    row: str | None
    broken: Broken


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A row that a case found broken beside its own: its id, the call that showed it, and the observation."""

    row: str
    call: str
    text: str


@dataclass(slots=True)
class Marks:
    """Notes that the helpers of `expect` leave: the witnesses by which the case may pass, and its bounded waits."""

    witnesses: list[str] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)
    behaviour: str | None = None
    expected: list[str] = field(default_factory=list)
    findings: list[dict[str, object]] = field(default_factory=list)
    collecting: int = 0
    """How many blocks that collect failures are open."""
    row: str | None = None
    """The row of the innermost block that names one."""
    rows: dict[str, list[str]] = field(default_factory=dict)
    """The witnesses of each row that has had a block."""
    failures: list[Failure] = field(default_factory=list)
    elsewhere: list[Elsewhere] = field(default_factory=list)
    open: dict[str, BaseException] = field(default_factory=dict)
    """Rows whose block could not be judged, and the exception that ended it."""


class RunningCase(ABC):
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
        self.namespace = namespace
        self.seed = 0
        """The seed of the run, for choices that no test names; the runner sets it."""
        self._numbers = itertools.count(1)
        self._open: list[jms.AutoCloseable] = []
        self._destinations: list[jms.Destination] = []
        self._calls: list[Call[object]] = []
        self._administered: list[str] = []
        self._plain = any(row.hook for row in self.rows)
        self.void: Callable[[jms.Hook], str | None] = _none
        """Return the sign that a claimed hook has no effect, or None; the runner replaces it."""
        self.judged: Callable[[Expectation, Execution], Comparison] = compare
        """Compare two runs of a program; the runner replaces it by what names the rows of each difference, too."""
        self.refused: Callable[[Callable[[], object]], object] = _made
        """Make a call that must fail; the runner replaces it by one that looks for what the call leaves behind."""

    @abstractmethod
    def link(self, ack: str | None = None, *, destination: jms.Destination | None = None) -> AnyLink:
        """Open a client with a producer and a consumer of one destination (fresh unless given)."""

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

    @property
    def second(self) -> jms.Provider | None:
        """The provider as a second client library reaches it, which sends; None where the profile names none."""
        return self.provider.second() if self.evidence.behind(self.provider).second() is not None else None

    def offers(self, part: str) -> bool:
        """Whether the version has a part of the specification, by its name in `tck.catalogue.versions.SINCE`."""
        return offers(self.version, part)

    @property
    def by_oldest(self) -> bool:
        """Whether the case is judged by the oldest version of the specification."""
        return self.version == OLDEST

    def thrown(self, exception: type[jms.JMSException]) -> type[Exception]:
        """Return an exception in the form that the case's interface throws: the simplified one throws its runtime form."""
        if self.api != "simplified":
            return exception
        runtime: type[Exception] = getattr(jms, exception.__name__.replace("Exception", "RuntimeException"))
        return runtime

    # -- names and destinations ----------------------------------------------------------------------------------

    def name(self, kind: str = "n") -> str:
        """Make a name that no other case of any run uses, fit for destinations, clients and subscriptions of the provider."""
        return self.profile.names.shape(f"tck.{kind}.{self.namespace}.{next(self._numbers)}")

    def destination(self, domain: str | None = None) -> jms.Destination:
        """Create a fresh destination, of the case's domain unless another is named."""
        return self.queue() if (domain or self.domain) == "queue" else self.topic()

    def presume(self, domain: str) -> None:
        """Require that the profile claims a domain, `ptp` or `pubsub`.

        Raises:
            Unsupported: It does not.
        """
        if domain not in self.profile.claims.domains:
            raise Unsupported(f"the profile does not claim the {domain} domain")

    def queue(self) -> jms.Queue:
        """Create a fresh queue; without a claim of its domain the case is unsupported."""
        self.presume("ptp")
        queue = self.provider.create_queue(self.name("q"))
        self._destinations.append(queue)
        return queue

    def topic(self) -> jms.Topic:
        """Create a fresh topic; without a claim of its domain the case is unsupported."""
        self.presume("pubsub")
        topic = self.provider.create_topic(self.name("t"))
        self._destinations.append(topic)
        return topic

    def opened(self, closeable: jms.AutoCloseable) -> None:
        """Close something, such as a connection, when the case ends; last opened, first closed."""
        self._open.append(closeable)

    # -- time and threads ----------------------------------------------------------------------------------------

    def now(self) -> int:
        """Return the provider's time in milliseconds since the epoch."""
        return self.provider.clock.now()

    def pass_time(self, milliseconds: float, why: str) -> None:
        """Let the time pass that the case is about, such as an expiry: a virtual clock advances at once, any other is waited for."""
        clock = self.provider.clock
        if not clock.virtual:
            self.marks.waits.append(Wait(milliseconds, why, timed=True))
        clock.event().wait(milliseconds)

    def linger(self, why: str) -> None:
        """Let a long time pass: a minute of a virtual clock, else the profile's bounded wait, counted with its reason."""
        if not self.minute():
            limit = self.timing.quiet
            self.marks.waits.append(Wait(limit, why))
            self.provider.clock.event().wait(limit)

    def minute(self) -> bool:
        """Let a minute of a virtual clock pass, in which all that is under way happens; return whether there is such a clock."""
        clock = self.provider.clock
        if clock.virtual:
            clock.event().wait(60_000)
        return clock.virtual

    def over(self, call: Call[Any]) -> bool:
        """Return whether a call on its own thread has ended; its thread may still be on its way back to the caller."""
        return call.ends_within(self.timing.quiet)

    def until_blocked(self, call: Call[Any], why: str) -> None:
        """Let a long time pass for a call on its own thread, or as long as it takes to see that it waits, or has returned.

        Only a clock that cannot tell, or a call that does neither, makes it a bounded wait.
        """
        limit = self.timing.quiet
        if self.provider.clock.virtual or (seen := call.blocks_within(limit)) is None:
            self.linger(why)
        elif not seen:
            self.marks.waits.append(Wait(limit, why))

    def long_delay(self) -> int:
        """Return a delay or time-to-live in ms: an hour of a virtual clock, else twice the profile's shortest."""
        return 3_600_000 if self.provider.clock.virtual else 2 * self.timing.delay

    def latest(self, at: int) -> int:
        """Return the latest time for an event due by `at`: the profile's deadline later, since no sentence bounds how soon it is."""
        return at + self.timing.deadline

    def spawn(self, what: str, call: Callable[[], _Result]) -> Call[_Result]:
        """Run a call on a thread of its own; `what` names it in findings."""
        spawned = Call(self.provider.clock, what, call, self.timing.deadline)
        self._calls.append(spawned)  # type: ignore[arg-type]  # a list of calls of any result
        return spawned

    # -- evidence ------------------------------------------------------------------------------------------------

    def witness(self, sight: str) -> None:
        """Note an observation that a provider which does nothing could not have shown."""
        sight = clipped(sight)
        if sight not in self.marks.witnesses:
            self.marks.witnesses.append(sight)
        if self.marks.row is not None:
            self.marks.rows[self.marks.row].append(sight)

    def cites(self) -> tuple[int, ...]:
        """Return the numbers of the deciding events: the last sends and deliveries, and the last event of all."""
        events = self.evidence.events
        seqs = [int(str(event["seq"])) for event in events if event["phase"] != "invoke" and event.get("message")]
        if events:
            seqs.append(int(str(events[-1]["seq"])))
        return tuple(dict.fromkeys(seqs[-12:]))

    @property
    def sends_non_persistent(self) -> bool:
        """Whether links send NON_PERSISTENT unless told otherwise: at half of the points, where the profile and the rows allow it."""
        return self.profile.vary.delivery_mode and not self._plain and self.point.varies("delivery mode")

    @property
    def shares_subscriptions(self) -> bool:
        """Whether links consume topics through shared subscriptions: at half of the points, likewise."""
        able = self.api != "domain-specific" and self.offers(SHARED_SUBSCRIPTIONS)
        return able and self.profile.vary.subscription and not self._plain and self.point.varies("subscription")

    def has(self, hook: jms.Hook) -> bool:
        """Return whether the provider offers a hook that has an effect."""
        return hook in self.provider.hooks and self.void(hook) is None

    def needs(self, hook: jms.Hook) -> None:
        """Require a hook of the provider.

        Raises:
            NoHook: the provider does not offer it, or it has no effect.
        """
        self._plain = True
        if not self.has(hook):
            raise NoHook(f"needs hook {hook.value}")

    def administer(self, action: str, **arguments: object) -> object:
        """Do what an administrator could do, as `Provider.administer` says; what concerns every client is undone at the end.

        Raises:
            NoHook: the provider does not know the action.
        """
        if action in _ALONE:
            needs_alone(f"it administers {action}")
        if action in _UNDONE:
            self._administered.append(action)
        try:
            return self.provider.administer(action, **arguments)
        except jms.UnsupportedOperationException as error:
            raise NoHook(f"needs hook administer with the action {action}") from error

    def presumes(self, feature: str) -> None:
        """Go on only if the profile claims an optional feature that the rows do not name.

        Raises:
            Unsupported: it does not.
        """
        if feature not in self.profile.claims.features:
            raise Unsupported(f"the profile does not claim {feature}")

    # -- the end -------------------------------------------------------------------------------------------------

    def close(self) -> Iterator[Exception]:
        """Close all connections and drop all destinations; yield the errors, which decide nothing."""
        for closeable in reversed(self._open):
            try:
                closeable.close()
            except Exception as error:  # noqa: BLE001 - a dead connection may refuse; the plugin notes it
                yield error
        for call in self._calls:
            call.ends_within(self.timing.deadline)
        for action in dict.fromkeys(self._administered):
            with contextlib.suppress(jms.UnsupportedOperationException):
                self.provider.administer(action, **_UNDONE[action])
        for destination in self._destinations:
            with contextlib.suppress(jms.UnsupportedOperationException):
                try:
                    self.provider.drop(destination)
                except jms.UnsupportedOperationException:
                    raise
                except Exception as error:  # noqa: BLE001 - likewise
                    yield error


def _none(_hook: jms.Hook) -> None:
    """Say nothing against any hook."""


def _made(call: Callable[[], object]) -> object:
    """Make a call."""
    return call()
