"""A smoke check for authors of adapters: does enough of the adapter work for the suite to judge the provider?

Each step takes well under a second, runs on a thread of its own with a deadline (an adapter under construction hangs
easily) and answers in one line: what was expected, what was seen, what to do. It judges the adapter, not the provider:
passing says nothing about conformance. May import `tck.api` and deadlines only.
"""

# mypy: disable-error-code="type-abstract"
# `is_a` takes the abstract types of the API for comparison only

from __future__ import annotations

import itertools
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tck import api
from tck.adapters.deadline import Hung, in_time
from tck.adapters.smoke_words import Wrong, is_a, type_of

T = TypeVar("T")
RECEIVE_MS = 5000
"""How long a message may take to arrive, milliseconds."""
SIMPLIFIED = "simplified API"
"""The step for JMSContext, which a provider without that interface may fail."""

INTERFACES = frozenset({"classic", "domain-specific", "simplified"})
"""The interfaces of the messaging API, as a profile claims them."""

_LACKING = "java.lang.NoSuchMethodError"
"""What the call of a method raises that the Java API of a provider does not have: before 1.1, the common interfaces."""

_HOOK_METHODS = {
    api.Hook.RESTART: "restart",
    api.Hook.KILL: "kill",
    api.Hook.SEVER: "sever",
    api.Hook.PENDING: "pending",
    api.Hook.ADMINISTER: "administer",
    api.Hook.FAULT: "administer",
}


@dataclass(frozen=True, slots=True)
class SmokeResult:
    """The result of one step."""

    name: str
    ok: bool
    expected: str
    seen: str
    todo: str = ""
    hung: bool = False

    @property
    def line(self) -> str:
        """The result in one line."""
        if self.ok:
            return f"ok    {self.name}: {self.seen}"
        return f"FAIL  {self.name}: expected {self.expected}; saw {self.seen}. {self.todo}."


@dataclass(slots=True)
class _Bench:
    """Objects that earlier steps made for later ones, under fresh names."""

    provider: api.Provider
    interfaces: frozenset[str] = INTERFACES
    shape: Callable[[str], str] = str
    token: str = field(default_factory=lambda: uuid.uuid4().hex[:8])
    connections: dict[str, api.Connection] = field(default_factory=dict)

    def name(self, what: str) -> str:
        return self.shape(f"tck.smoke.{self.token}.{what}")

    def connection(self, domain: str = "queue") -> api.Connection:
        """Return a connection by the common interfaces, or where there are none, one for queues or topics."""
        if "" in self.connections:
            return self.connections[""]
        if domain not in self.connections:
            kind, made = self._made(domain)
            self.connections[kind] = made
            return made
        return self.connections[domain]

    def _made(self, domain: str) -> tuple[str, api.Connection]:
        if "classic" in self.interfaces:
            try:
                return "", self.provider.connection_factory().create_connection()
            except api.JavaException as error:
                if error.java_name != _LACKING:
                    raise
        return self._of_domain(domain)

    def _of_domain(self, domain: str) -> tuple[str, api.Connection]:
        if domain == "queue":
            return domain, self.provider.queue_connection_factory().create_queue_connection()
        return domain, self.provider.topic_connection_factory().create_topic_connection()

    def started(self, domain: str = "queue") -> api.Connection:
        connection = self.connection(domain)
        connection.start()
        return connection

    def session(self, domain: str = "queue") -> api.Session:
        connection: Any = self.connection(domain)
        if "" in self.connections:
            return connection.create_session(transacted=False, session_mode=api.Session.AUTO_ACKNOWLEDGE)  # type: ignore[no-any-return]
        create = connection.create_queue_session if domain == "queue" else connection.create_topic_session
        return create(False, api.Session.AUTO_ACKNOWLEDGE)  # type: ignore[no-any-return]

    def send(self, session: api.Session, destination: api.Destination, message: api.Message) -> None:
        made: Any = session
        if "" in self.connections:
            made.create_producer(destination).send(message)
        elif isinstance(destination, api.Queue):
            made.create_sender(destination).send(message)
        else:
            made.create_publisher(destination).publish(message)

    def consumer(
        self, session: api.Session, destination: api.Destination, selector: str | None = None
    ) -> api.MessageConsumer:
        made: Any = session
        given = () if selector is None else (selector,)
        if "" in self.connections:
            return made.create_consumer(destination, *given)  # type: ignore[no-any-return]
        if isinstance(destination, api.Queue):
            return made.create_receiver(destination, *given)  # type: ignore[no-any-return]
        return made.create_subscriber(destination)  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class _Step:
    name: str
    expected: str
    todo: str
    run: Callable[[_Bench], str]


def smoke(
    provider: api.Provider,
    *,
    deadline: float = 10.0,
    interfaces: frozenset[str] = INTERFACES,
    shape: Callable[[str], str] = str,
) -> list[SmokeResult]:
    """Try the adapter step by step; return the results in order, up to the first step that hangs.

    Args:
        provider: The provider as the adapter opened it, not recorded.
        deadline: Seconds after which a step counts as hanging; its thread is abandoned, and so are the steps behind it.
        interfaces: What the version has, of `INTERFACES`. Without "classic" the steps use the domain-specific interfaces, and
            without "simplified" there is no step for JMSContext.
        shape: Returns a name that the provider takes for the one that would be chosen.
    """
    bench = _Bench(provider, interfaces, shape)
    results: list[SmokeResult] = []
    for step in _steps():
        if step.name == SIMPLIFIED and "simplified" not in interfaces:
            continue
        results.append(_try(step, bench, deadline))
        if results[-1].hung:
            break
    return results


def _try(step: _Step, bench: _Bench, deadline: float) -> SmokeResult:
    try:
        seen = in_time(lambda: step.run(bench), deadline, inside=bench.provider.clock.actor)
    except Hung as hung:
        return SmokeResult(step.name, ok=False, expected=step.expected, seen=str(hung), todo=step.todo, hung=True)
    except Wrong as wrong:
        return SmokeResult(step.name, ok=False, expected=step.expected, seen=str(wrong), todo=step.todo)
    except BaseException as error:  # noqa: BLE001 - whatever an unfinished adapter raises is the finding
        seen = f"{type_of(error)}: {error}"
        return SmokeResult(step.name, ok=False, expected=step.expected, seen=seen, todo=step.todo)
    return SmokeResult(step.name, ok=True, expected=step.expected, seen=seen)


def _steps() -> Iterator[_Step]:
    yield _Step(
        "info", "a ProviderInfo with name, version and API version", "Return a tck.api.ProviderInfo from info()", _info
    )
    yield _Step(
        "hooks",
        "for each hook named in `hooks` the method behind it",
        "Implement the method, or take the hook out of `hooks`",
        _hooks,
    )
    yield _Step(
        "clock",
        "a time near the computer's own (unless virtual), and monotonic_ns that always rises and agrees with now()",
        "Leave `clock` as it is, or see tck.api.Clock for its promises",
        _clock,
    )
    yield _Step(
        "destinations",
        "create_queue and create_topic to give a Queue and a Topic with a name, another one for each name",
        "Return objects whose classes derive from tck.api.Queue and tck.api.Topic",
        _destinations,
    )
    yield _Step(
        "types",
        "objects whose classes derive from the type of tck.api that the member declares",
        "Derive the class from that type",
        _types,
    )
    yield _Step(
        "queue round trip",
        "a text message with a property sent to a queue to arrive as it was",
        "Check connection.start, producer.send and consumer.receive on a queue",
        lambda bench: _round_trip(bench, bench.provider.create_queue(bench.name("queue"))),
    )
    yield _Step(
        "topic round trip",
        "a text message with a property sent to a topic to reach a consumer made before",
        "Check that create_topic makes a topic that publishers and consumers share",
        lambda bench: _round_trip(bench, bench.provider.create_topic(bench.name("topic"))),
    )
    yield _Step(
        "destinations are apart",
        "nothing on one queue of what was sent to another",
        "Use the name given to create_queue as the name of the queue",
        _apart,
    )
    yield _Step(
        "exceptions",
        "exceptions of tck.api from calls that must fail",
        "Translate the provider's exceptions into those of tck.api, by the table in docs/api-map.md",
        _exceptions,
    )
    yield _Step(
        SIMPLIFIED,
        "a JMSContext that sends and receives",
        "Implement create_context, or claim only the classic API in the profile",
        _simplified,
    )
    yield _Step(
        "drop",
        "drop to remove a destination, and to accept one that is gone",
        "Let drop pass over destinations that are not there",
        _drop,
    )
    yield _Step(
        "close",
        "a connection to close, and to close again without an error",
        "Make Connection.close repeatable",
        _close,
    )


def _info(bench: _Bench) -> str:
    info = is_a(bench.provider.info(), api.ProviderInfo, "info()")
    for name in ("name", "version", "api_version"):
        if not getattr(info, name):
            raise Wrong(f"an empty {name}")
    return f"{info.name} {info.version}, API {info.api_version}"


def _hooks(bench: _Bench) -> str:
    hooks: frozenset[object] = bench.provider.hooks
    strange = [hook for hook in hooks if not isinstance(hook, api.Hook)]
    if strange:
        raise Wrong(f"{strange[0]!r} among the hooks, which is no tck.api.Hook")
    for hook, method in _HOOK_METHODS.items():
        if hook in hooks and getattr(type(bench.provider), method) is getattr(api.Provider, method):
            raise Wrong(f"hook {hook.value!r} without a method {method}")
    if api.Hook.CLOCK in hooks and not bench.provider.clock.virtual:
        raise Wrong(f"hook {api.Hook.CLOCK.value!r} with a clock that is not virtual")
    return ", ".join(sorted(str(hook) for hook in hooks)) or "none offered, so rows that need one stay inconclusive"


def _clock(bench: _Bench) -> str:
    clock = is_a(bench.provider.clock, api.Clock, "clock")
    times = [clock.monotonic_ns() for _ in range(100)]
    if any(later <= earlier for earlier, later in itertools.pairwise(times)):
        raise Wrong("monotonic_ns that stood still or went back")
    apart = abs(clock.monotonic_ns() / 1e6 - clock.now())
    if apart > 1000:
        raise Wrong(f"monotonic_ns {apart:.0f} ms away from now()")
    if clock.virtual:
        return "virtual"
    off = abs(clock.now() - time.time() * 1000)
    if off > 60_000:
        raise Wrong(f"now() {off:.0f} ms away from the computer's clock")
    return f"real, {off:.0f} ms from the computer's"


def _destinations(bench: _Bench) -> str:
    provider = bench.provider
    queues = [is_a(provider.create_queue(bench.name(each)), api.Queue, "create_queue") for each in ("a", "b")]
    topics = [is_a(provider.create_topic(bench.name(each)), api.Topic, "create_topic") for each in ("c", "d")]
    for names in ([queue.queue_name for queue in queues], [topic.topic_name for topic in topics]):
        if "" in map(str, names):
            raise Wrong(f"names {names!r}")
        if names[0] == names[1]:
            raise Wrong(f"the same name {names[0]!r} for two destinations")
    return f"{queues[0].queue_name}, {topics[0].topic_name}"


def _types(bench: _Bench) -> str:
    is_a(bench.provider.connection_factory(), api.ConnectionFactory, "connection_factory")
    connection = is_a(bench.connection(), api.Connection, "create_connection")
    session: Any = is_a(bench.session(), api.Session, "create_session")
    queue = bench.provider.create_queue(bench.name("types"))
    if "" in bench.connections:
        is_a(session.create_producer(queue), api.MessageProducer, "create_producer")
        is_a(session.create_consumer(queue), api.MessageConsumer, "create_consumer")
    else:
        is_a(session.create_sender(queue), api.QueueSender, "create_sender")
        is_a(session.create_receiver(queue), api.QueueReceiver, "create_receiver")
    is_a(session.create_browser(queue), api.QueueBrowser, "create_browser")
    made = {
        api.Message: session.create_message,
        api.TextMessage: session.create_text_message,
        api.BytesMessage: session.create_bytes_message,
        api.MapMessage: session.create_map_message,
        api.StreamMessage: session.create_stream_message,
        api.ObjectMessage: session.create_object_message,
    }
    for kind, create in made.items():
        is_a(create(), kind, create.__name__)
    is_a(connection.meta_data, api.ConnectionMetaData, "meta_data")
    return "all derive from tck.api"


def _round_trip(bench: _Bench, destination: api.Destination) -> str:
    domain = "queue" if isinstance(destination, api.Queue) else "topic"
    bench.started(domain)
    session = bench.session(domain)
    try:
        consumer = bench.consumer(session, destination)
        message = session.create_text_message("smoke")
        message.set_int_property("number", 7)
        bench.send(session, destination, message)
        received = consumer.receive(RECEIVE_MS)
        if received is None:
            raise Wrong(f"no message within {RECEIVE_MS} ms")
        text = is_a(received, api.TextMessage, "receive").text
        if text != "smoke" or received.get_int_property("number") != 7:
            raise Wrong(f"text {text!r} and property {received.get_int_property('number')!r}")
        if not received.jms_message_id:
            raise Wrong(f"message id {received.jms_message_id!r}")
        return f"arrived with id {received.jms_message_id}"
    finally:
        session.close()


def _apart(bench: _Bench) -> str:
    one, other = (bench.provider.create_queue(bench.name(each)) for each in ("one", "other"))
    bench.started()
    session = bench.session()
    try:
        for queue, text in ((one, "for one"), (other, "for the other")):
            bench.send(session, queue, session.create_text_message(text))
        received = bench.consumer(session, other).receive(RECEIVE_MS)
        if received is None:
            raise Wrong("no message at all")
        text = is_a(received, api.TextMessage, "receive").text or ""
        if text != "for the other":
            raise Wrong(f"{text!r} on the other queue")
        return "each message on its own queue"
    finally:
        session.close()


def _exceptions(bench: _Bench) -> str:
    session = bench.session()
    queue = bench.provider.create_queue(bench.name("exceptions"))
    calls: dict[str, tuple[type[Exception], Callable[[], object]]] = {
        "an invalid selector": (api.InvalidSelectorException, lambda: bench.consumer(session, queue, "= = =")),
        "a closed session": (api.IllegalStateException, session.create_text_message),
    }
    for what, (wanted, call) in calls.items():
        if what == "a closed session":
            session.close()
        try:
            call()
        except wanted:
            continue
        except Exception as error:
            raise Wrong(f"{type_of(error)} for {what} instead of {wanted.__name__}") from error
        raise Wrong(f"no exception for {what} instead of {wanted.__name__}")
    return ", ".join(wanted.__name__ for wanted, _ in calls.values())


def _simplified(bench: _Bench) -> str:
    queue = bench.provider.create_queue(bench.name("simplified"))
    with is_a(bench.provider.connection_factory().create_context(), api.JMSContext, "create_context") as context:
        is_a(context.create_producer(), api.JMSProducer, "create_producer").send(queue, "smoke")
        received = is_a(context.create_consumer(queue), api.JMSConsumer, "create_consumer").receive(RECEIVE_MS)
    if received is None:
        raise Wrong(f"no message within {RECEIVE_MS} ms")
    text = is_a(received, api.TextMessage, "receive").text
    if text != "smoke":
        raise Wrong(f"text {text!r}")
    return "a text arrived"


def _drop(bench: _Bench) -> str:
    for destination in (
        bench.provider.create_queue(bench.name("drop")),
        bench.provider.create_topic(bench.name("drop.topic")),
    ):
        bench.provider.drop(destination)
        bench.provider.drop(destination)
    for each in ("a", "b"):
        bench.provider.drop(bench.provider.create_queue(bench.name(each)))
    return "also twice"


def _close(bench: _Bench) -> str:
    bench.connection()
    for connection in bench.connections.values():
        connection.close()
        connection.close()
    return "also twice"
