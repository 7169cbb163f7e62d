"""Where a program runs: the provider, the objects made so far by their names, what was sent, and how long to wait.

Times of a program are counted in units; `RunSettings` says how long one is, and how long to wait. Knows the API, no operation.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tck import api
from tck.programs.observing.naming import as_seen_by, kind_and_name
from tck.programs.observing.wrapping import Wrapper
from tck.programs.program import Json, Observation

BRIEF_MS: Final = 25
"""How long to wait in real time for what need not come. Too short a wait overlooks a fault and never invents one."""
_STEPS: Final = 100
AS_BYTES: Final = "JMSCorrelationIDAsBytes"
"""The header of a message whose correlation identifier is bytes, as observations show it; the text is open then (3.4.5-5)."""


def stands_still(provider: api.Provider) -> bool:
    """Return whether the time of a provider passes only where a program says so."""
    return provider.clock.virtual and api.Hook.CLOCK in provider.hooks


class Missing(Exception):  # noqa: N818 - says what is missing
    """An object that a step needs was never made."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What holds for all programs of an exploration.

    Attributes:
        unit: Milliseconds of the provider's clock in a unit of a program.
        deadline: What must come comes within so many milliseconds.
        tolerance: By so many milliseconds timestamps may be off.
        claimed: The optional JMSX properties that the profile claims.
    """

    unit: int = 300
    deadline: int = 5000
    tolerance: int = 0
    claimed: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> RunSettings:
        """Return terms from the JSON form of their fields."""
        return cls(**{**found, "claimed": tuple(found["claimed"])})


@dataclass(slots=True)
class Sent:
    """One send that returned; times in milliseconds of the provider's clock.

    `given`: the program's name of the message. `asked`: mode, priority, time to live and delay that the client asked for, where
    an administrator prescribes any of them. `native`: whether its correlation identifier is bytes. `seen`: whether the sender has the message, so that its headers are known. `tag`: the number that the program put on
    it as the property ``n``.
    """

    number: int
    producer: str
    destination: str
    mode: int
    priority: int
    ttl: int
    delay: int
    called: int
    returned: int
    given: str | None = None
    message: object = None
    tag: int | None = None
    seen: bool = False
    id: object = None
    timestamp: object = None
    expiration: object = None
    delivery_time: object = None
    connection: str = ""
    transaction: str = ""
    asked: tuple[int, ...] | None = None
    native: bool = False


@dataclass(slots=True)
class Options:
    """The settings of a producer. `correlates`: how its correlation identifier was set: as text, as bytes, or not at all."""

    mode: int = 2
    priority: int = 4
    ttl: int = 0
    delay: int = 0
    disabled: set[str] = field(default_factory=set)
    correlates: str = ""
    tag: int | None = None


class Environment:
    """The state of one program under way on one provider.

    Args:
        provider: Where it runs.
        scope: Goes into every name of the provider's, so that programs do not meet.
        terms: What holds for all programs.
        wrapper: Wraps the provider, if anything does.
        shape: Returns a name that the provider takes for the one that would be chosen; different ones in a scope for different ones.
    """

    def __init__(
        self,
        provider: api.Provider,
        scope: str,
        terms: RunSettings,
        wrapper: Wrapper | None = None,
        shape: Callable[[str], str] = str,
    ) -> None:
        self.provider = provider
        self.second: api.Provider | None = None
        self.senders: frozenset[str] = frozenset()
        """The connections, and first contexts, that belong to the second client library."""
        self.scope = scope
        self.terms = terms
        self.wrapper = wrapper
        self.shape = shape
        self.chosen: dict[str, str] = {}
        self.clock = provider.clock
        self.virtual = stands_still(provider)
        self.objects: dict[str, Any] = {}
        self.apis: dict[str, str] = {}
        self.clients: dict[str, str] = {}
        self.options: dict[str, Options] = {}
        self.targets: dict[str, str | None] = {}
        self.prescribed: dict[str, Mapping[str, int]] = {}
        self.native: set[str] = set()
        self.sent: list[Sent] = []
        self._renamed: dict[str, Sent | None] = {}
        self.received: set[str] = set()
        """The identifiers of all messages that were received or browsed."""
        self.ends: dict[str, str] = {}
        self.selectors: dict[str, str | None] = {}
        self.seen_at: dict[str, set[object]] = {}
        self.failed = False
        self._own = threading.local()
        self.patient = True
        self.opened: list[Any] = []
        self._factories: dict[tuple[str, bool], Any] = {}
        self.made: list[api.Destination] = []
        self.names: dict[tuple[str, str], str] = {}
        self._lock = threading.Lock()  # guards _delivered and _counts, which listeners of any thread write
        self._delivered: dict[str, list[Any]] = {}
        self._counts: dict[str, int] = {}
        self._bell: api.Event | None = None
        self.bound: dict[tuple[str, str], object] = {}
        self.parents: dict[str, str] = {}
        self.turns: dict[str, int] = {}
        self.waiting: dict[str, Any] = {}
        self.pools: list[Any] = []
        self.resources: dict[str, Any] = {}
        self.reported: dict[str, list[Any]] = {}

    def factory(self, kind: str, connection: str | None = None) -> Any:
        """Return the one connection factory of a kind that the program uses for a connection."""
        sends = connection in self.senders
        if (kind, sends) not in self._factories:
            self._factories[kind, sends] = getattr(self.second if sends else self.provider, f"{kind}_factory")()
        return self._factories[kind, sends]

    # -- names -----------------------------------------------------------------------------------------------------

    def provider_name(self, name: str) -> str:
        """Return the provider's name for a destination or client that the program calls so."""
        made = self.shape(f"{self.scope}.{name}")
        self.chosen[made] = name
        return made

    def subscription_name(self, name: str) -> str:
        """Return the provider's name for a subscription that the program calls so."""
        return self.shape(self.scope + name)

    def program_name(self, name: str) -> str:
        """Return what the program calls what the provider has by this name; the name itself if the program did not choose it."""
        return self.chosen.get(name, name)

    # -- what holds for the step that a thread makes ---------------------------------------------------------------------

    def begin(self, expected: Observation | None, numbers: Iterator[int] | None = None) -> None:
        """Begin a step in the calling thread.

        Args:
            expected: What another provider showed there.
            numbers: Those of its sends; None where it gets the next ones.
        """
        self._own.expected, self._own.part, self._own.thread = expected, "", threading.get_ident()
        self._own.numbers = numbers

    @property
    def expected(self) -> Observation | None:
        """What another provider showed in the step."""
        return getattr(self._own, "expected", None)

    @property
    def expected_ok(self) -> Json:
        """What the call returned there; None where it raised, and where nothing is known."""
        return None if self.expected is None else self.expected.get("ok")

    @property
    def thread(self) -> int:
        """The identifier of the thread if it makes a step; 0 in threads of the provider."""
        return getattr(self._own, "thread", 0)

    @property
    def part(self) -> str:
        """The part of a message that the step is about to set."""
        return getattr(self._own, "part", "")

    @part.setter
    def part(self, part: str) -> None:
        self._own.part = part

    # -- objects ---------------------------------------------------------------------------------------------------

    def get(self, name: str) -> Any:
        """Return an object by its name.

        Raises:
            Missing: It was never made.
        """
        try:
            return self.objects[name]
        except KeyError:
            raise Missing(name) from None

    def find(self, args: Any, key: str) -> Any:
        """Return the object that an argument names; None where it says null."""
        name = args.get(key)
        return None if name is None else self.get(name)

    def target(self, args: Any, key: str = "to") -> Any:
        """Return the destination that an argument names, as the library of ``on`` has it; None where it says null."""
        found = self.find(args, key)
        if found is None or self.second is None or self.root(args["on"] or "") not in self.senders:
            return found
        return as_seen_by(self.second, found)

    def api_of(self, name: str) -> str:
        """Return the interface through which an object was made."""
        self.get(name)
        return self.apis[name]

    def keep(self, name: str | None, value: Any, parent: str | None = None) -> None:
        """Keep an object under its name; it belongs to the interface of its parent."""
        if name is not None:
            self.objects[name] = value
            if parent is not None:
                self.parents[name] = parent
                self.apis[name] = self.apis[parent]
                self.clients[name] = self.clients.get(parent, "")

    def keep_native(self, name: str | None, seen: Json) -> None:
        """Remember a received message whose correlation identifier is bytes, for when it is sent on."""
        if name is not None and AS_BYTES in seen["headers"]:
            self.native.add(name)

    def bare(self, value: Any) -> Any:
        """Return an object without the wrapper that records its calls."""
        return value if self.wrapper is None else self.wrapper.unwrap(value, None)

    def made_destination(self, name: str, destination: api.Destination) -> None:
        """Keep a destination, and remember by what name the provider knows it."""
        self.objects[name] = destination
        with contextlib.suppress(Exception):
            self.names[kind_and_name(self.bare(destination))] = name

    def name_of(self, destination: object) -> Json:
        """Return a destination by its name in the program, or else by the provider's."""
        if destination is None:
            return None
        shown = kind_and_name(destination)
        return self.names.get(shown) or f"another {shown[0]}"

    def pattern(self, name: str, value: object, key: str) -> str:
        """Return ``#1`` for a value that the provider chooses once for a key, such as a transaction.

        A value that differs from an earlier one of its key is shown as ``#2``, whichever key was seen first.
        """
        return "#1" if self.bound.setdefault((name, key), value) == value else "#2"

    def root(self, name: str) -> str:
        """Return the connection, or the first context, over which an object was made."""
        while name in self.parents:
            name = self.parents[name]
        return name

    def turn(self, session: str) -> None:
        """Note that a session has ended a transaction."""
        self.turns[session] = self.turns.get(session, 0) + 1

    def origin(self, producer: str) -> tuple[str, str]:
        """Return the connection and the transaction in which a producer sends now."""
        session = self.parents.get(producer, "")
        return self.parents.get(session, session), f"{session} {self.turns.get(session, 0)}"

    def record(self, sent: Sent) -> None:
        """Record a send, and number it."""
        numbers = getattr(self._own, "numbers", None)
        given = None if numbers is None else next(numbers, None)
        sent.number = len(self.sent) if given is None else given
        self.sent.append(sent)

    def number_anew(self, first: int) -> None:
        """Put the sends that two threads made in the order of their numbers, from one on, without gaps."""
        self.sent[first:] = sorted(self.sent[first:], key=lambda each: each.number)
        for number, sent in enumerate(self.sent[first:], first):
            sent.number = number

    # -- sends -----------------------------------------------------------------------------------------------------

    def sent_of(self, identifier: object, tag: object, carried: Collection[str] = ()) -> Sent | None:
        """Find the send that a received message came of: by its identifier, or else by its tag.

        A broker may give what a second library sent another identifier, and keep the sender's in a property: in `carried`.
        """
        if isinstance(identifier, str):
            self.received.add(identifier)
        same = [each for each in self.sent if each.seen and each.id == identifier] if identifier is not None else []
        if len(same) > 1:  # unique within an installation is advice only (3.4.3-5)
            same = [each for each in same if each.tag == tag] or same
        if same:
            return same[0]
        tagged = [each for each in self.sent if each.tag == tag] if tag is not None else []
        found = tagged[0] if len(tagged) == 1 else None
        if self.senders and isinstance(identifier, str):
            kept = (each for each in self.sent if each.seen and each.id in carried)
            found = self._renamed.get(identifier) or found or next(kept, None)
            self._renamed[identifier] = found
        return found

    # -- waiting ---------------------------------------------------------------------------------------------------

    @property
    def generating(self) -> bool:
        """Whether nothing is known of what to expect: what is there at once is all there is. Virtual time only."""
        return self.expected is None

    def patience(self) -> int:
        """Return how long to wait for what must come, milliseconds; short once something did not come."""
        return self.terms.deadline if self.patient else self.brief()

    def brief(self) -> int:
        """Return how long to wait for what need not come, milliseconds."""
        return 1 if self.virtual else BRIEF_MS

    def disappointed(self) -> None:
        """Note that something did not come, so that the rest is not waited for as long."""
        self.patient = False

    def until(self, done: Callable[[], bool], milliseconds: int) -> bool:
        """Wait until something holds that a listener brings about; return whether it does."""
        end = self.clock.now() + milliseconds
        while not done():
            left = end - self.clock.now()
            if left <= 0:
                return False
            bell = self.clock.event()
            self._bell = bell
            if done():
                break
            bell.wait(left if self.virtual else min(left, milliseconds / _STEPS + 1))
        return True

    def ring(self) -> None:
        """Wake whoever waits for a listener."""
        bell = self._bell
        if bell is not None:
            bell.set()

    # -- listeners -------------------------------------------------------------------------------------------------

    def delivered(self, consumer: str, seen: Any) -> int:
        """Record what a listener was given; return how many it had before."""
        with self._lock:
            before = self._counts.get(consumer, 0)
            self._counts[consumer] = before + 1
            self._delivered.setdefault(consumer, []).append(seen)
        return before

    def collect(self) -> dict[str, list[Any]]:
        """Return what listeners were given since the last time, by consumer."""
        with self._lock:
            found, self._delivered = self._delivered, {}
        return found

    def idle(self) -> bool:
        """Return whether no server session of a connection consumer is in use."""
        return all(each.idle() for each in self.pools)

    def total(self) -> int:
        """Count what listeners were given so far."""
        with self._lock:
            return sum(self._counts.values())


def quietly(call: Callable[[], Any]) -> Any:
    """Call; None where it raises."""
    try:
        return call()
    except Exception:  # noqa: BLE001 - what it raises is shown where it matters
        return None


def exception_name(error: BaseException) -> str:
    """Name the nearest exception of the API that an exception is; its own type where it is none."""
    for kind in type(error).__mro__:
        if kind.__module__ == api.JMSException.__module__:
            return kind.__name__
    return type(error).__name__
