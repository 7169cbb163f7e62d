"""The provider SPI: defaults that say what is missing, and the real clock."""

import itertools
import threading
import time
from pathlib import Path

import pytest

from tck.adapters.jvm.provider import JvmProvider
from tck.api import (
    Clock,
    ConnectionFactory,
    Hook,
    JMSException,
    Provider,
    ProviderInfo,
    Queue,
    SystemClock,
    Topic,
    UnsupportedOperationException,
)
from tck.catalogue import NEWEST, load_catalogue
from tck.profile import load_profile
from tck.running.worker import Worker


class Bare(Provider):
    """The least a provider can be."""

    __slots__ = ("closed",)

    def __init__(self):
        self.closed = 0

    def info(self) -> ProviderInfo:
        return ProviderInfo("bare", "0", "nobody", "1.1")

    def connection_factory(self) -> ConnectionFactory:
        raise NotImplementedError

    def create_queue(self, name: str) -> Queue:
        raise NotImplementedError

    def create_topic(self, name: str) -> Topic:
        raise NotImplementedError

    def drop(self, destination) -> None:
        raise NotImplementedError

    def close(self) -> None:
        self.closed += 1


def test_least_provider_offers_no_hook_and_a_real_clock():
    provider = Bare()
    assert provider.hooks == frozenset()
    assert isinstance(provider.clock, SystemClock)
    assert provider.clock is provider.clock
    assert not provider.clock.virtual
    assert provider.info().language == "python"
    assert provider.register_types(int) is None
    assert type(provider.unsupported_value()) is object


@pytest.mark.parametrize(
    ("hook", "call"),
    [
        (Hook.RESTART, lambda provider: provider.restart()),
        (Hook.KILL, lambda provider: provider.kill()),
        (Hook.SEVER, lambda provider: provider.sever(None)),
        (Hook.PENDING, lambda provider: provider.pending(None)),
        (Hook.ADMINISTER, lambda provider: provider.administer("override", priority=3)),
    ],
)
def test_hook_not_offered_is_unsupported_by_name(hook, call):
    with pytest.raises(UnsupportedOperationException, match=f"hook '{hook}'"):
        call(Bare())


@pytest.mark.parametrize(
    "call",
    [
        lambda provider: provider.queue_connection_factory(),
        lambda provider: provider.topic_connection_factory(),
        lambda provider: provider.xa_connection_factory(),
        lambda provider: provider.xa_queue_connection_factory(),
        lambda provider: provider.xa_topic_connection_factory(),
        lambda provider: provider.queue_requestor(None, None),
        lambda provider: provider.topic_requestor(None, None),
        lambda provider: provider.lookup("jms/factory"),
        lambda provider: provider.bind("jms/factory", object()),
    ],
)
def test_what_an_adapter_leaves_out_is_unsupported(call):
    with pytest.raises(UnsupportedOperationException, match="does not offer"):
        call(Bare())


def test_exceptions_are_made_and_linked_by_the_types_of_the_api():
    made = Bare().new_exception(JMSException, "why", "E42")
    assert (type(made), made.reason, made.error_code, made.linked_exception) == (JMSException, "why", "E42", None)
    behind = OSError("reset")
    assert Bare().link_exception(made, behind).linked_exception is behind


def test_a_provider_in_python_needs_no_help_with_a_call_that_hangs():
    assert Bare().interrupt() is None
    assert Bare().stacks() == ""


def test_the_adapter_of_java_providers_interrupts_and_shows_stacks():
    """Java blocks where no exception of Python's reaches it; tests/jvm has both at work."""
    assert {"interrupt", "stacks"} <= vars(JvmProvider).keys()


@pytest.mark.parametrize("opened", [True, False])
def test_a_worker_asks_the_provider_by_these_names(opened):
    asked = []

    class Hanging(Bare):
        __slots__ = ()

        def interrupt(self):
            asked.append("interrupt")

        def stacks(self):
            return "blocked in foreign code"

    catalogue = load_catalogue()
    worker = Worker("w", catalogue, load_profile("reference", catalogue), NEWEST, None, "run-id")
    try:
        worker._provider = Hanging() if opened else None
        worker.interrupt()
        assert asked == ["interrupt"] * opened
        assert worker.provider_stacks() == "blocked in foreign code" * opened
    finally:
        worker.close()


def test_provider_closes_at_the_end_of_a_with_block():
    with Bare() as provider:
        assert provider.closed == 0
    assert provider.closed == 1


def test_every_hook_a_row_names_exists():
    rows = Path(__file__).parents[2] / "tck" / "catalogue" / "data"
    named = {
        line.split('"')[1]
        for file in rows.glob("ch*.toml")
        for line in file.read_text().splitlines()
        if line.startswith("hook = ")
    }
    assert named - {"", "container", "api", "observe"} <= set(Hook)
    assert named


def test_system_clock_agrees_with_itself():
    clock = SystemClock()
    before = clock.now()
    middle = clock.monotonic_ns()
    after = clock.now()
    assert before - 5 <= middle / 1e6 <= after + 5
    assert abs(time.time() * 1000 - after) < 5000


def test_monotonic_time_strictly_grows_over_threads():
    clock = SystemClock()
    seen: list[list[int]] = [[] for _ in range(4)]

    def read(into):
        into.extend(clock.monotonic_ns() for _ in range(2000))

    threads = [threading.Thread(target=read, args=(into,)) for into in seen]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert all(a < b for into in seen for a, b in itertools.pairwise(into))
    assert len(set().union(*seen)) == 4 * 2000


def test_monotonic_time_grows_when_the_wall_clock_stands_still_or_goes_back(monkeypatch):
    clock = SystemClock()
    wall = iter([5_000_000, 5_000_000, 1_000_000, 9_000_000])
    monkeypatch.setattr(time, "time_ns", lambda: next(wall))
    assert [clock.monotonic_ns() for _ in range(4)] == [5_000_000, 5_000_001, 5_000_002, 9_000_000]


def test_real_time_cannot_be_advanced():
    with pytest.raises(UnsupportedOperationException, match="25 ms"):
        SystemClock().advance(25)


def test_event_wakes_a_waiter_in_another_thread():
    event = SystemClock().event()
    seen = []
    thread = threading.Thread(target=lambda: seen.append(event.wait(10_000)))
    thread.start()
    event.set()
    event.set()
    thread.join(10)
    assert seen == [True]
    assert event.is_set()
    assert event.wait(0)


def test_event_gives_up_after_its_milliseconds():
    event = SystemClock().event()
    start = time.monotonic()
    assert not event.wait(20)
    assert time.monotonic() - start >= 0.015
    assert not event.is_set()


def test_actor_of_a_real_clock_is_free():
    clock: Clock = SystemClock()
    with clock.actor(), clock.actor():
        assert clock.now()
