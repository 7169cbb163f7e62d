"""The stand-in channel with a file: processes that are killed, and what the next one finds."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from channel_clients import STRUCTURED, Client, Rig, number_of, numbered, numbers
from test_interworking_channel_acknowledged import ACK, LASTING, Consumer

from reference_interworking.channel import StandInFactory
from reference_interworking.channel.store import Store, StoreError
from reference_interworking.reliable import with_number
from reference_provider.clock import VirtualClock
from tck.interworking import ANY_SEQ, EVENT_RELIABILITY, PRIORITY, Any_, Kind
from tck.interworking.acknowledgment import RETRIES
from tck.interworking.channel import FilterOperator
from tck.interworking.filters import EXTENDED_TCL, ConstraintExp, MappingConstraintPair
from tck.interworking.qos import CommFailure
from tck.interworking.transactions import ENABLE_TRANSACTION
from tck.suite.support.interworking.coordinator import Point, TransactionService

HERE = Path(__file__).parent


def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)


def killed(tmp_path, program, *arguments):
    """Run a function of this module in a process that is killed; return the path of its file."""
    path = tmp_path / "channels.db"
    call = f"import test_interworking_channel_file as here; here.{program}(*{[str(path), *arguments]})"
    folders = os.pathsep.join([str(HERE), str(HERE.parents[1])])
    ended = subprocess.run(
        [sys.executable, "-c", call], check=False, env={**os.environ, "PYTHONPATH": folders}, timeout=60
    )
    assert ended.returncode == -signal.SIGKILL
    return path


@pytest.fixture
def opened():
    """Give what opens a file: a factory on a virtual clock, on which the test is an actor."""
    clock, made = VirtualClock(start=2_000_000), []
    with clock.actor():
        yield lambda path: made.append(StandInFactory(clock, file=path)) or made[-1]
        for each in made:
            each.close()


# -- kills ---------------------------------------------------------------------------------------------------------


def acknowledging(path, stage, when):
    """Push 0 to 2, and 9 as best effort; deliver; acknowledge 0; be killed before or after the first write of a stage."""
    clock, write = VirtualClock(start=1_000_000), Store.write
    now = [""]

    def dying(self, channel, rows):
        doomed = now[0] == stage and rows != self._written.get(channel)
        if doomed and when == "before":
            die()
        write(self, channel, rows)
        if doomed and when == "after":
            die()

    class Dying(Consumer):
        def push_structured_event(self, event):
            if number_of(event) == 1 and when == "within":
                die()

    Store.write = dying
    with clock.actor():
        on = Rig(clock, StandInFactory(clock, file=path), **ACK, **LASTING)
        proxy, _ = on.consumers.obtain_notification_push_supplier(STRUCTURED)
        proxy.connect_structured_push_consumer(Dying(clock))
        proxy.suspend_connection()
        for number in (0, 1, 2, 9):
            now[0] = f"push {number}"
            header = {EVENT_RELIABILITY: Any_.of(Kind.SHORT, 0)} if number == 9 else {}
            on.push(*with_number((numbered(number, **header),), number))
        now[0] = "deliver"
        proxy.resume_connection()
        on.settle()
        now[0] = "acknowledge"
        proxy.acknowledge((0,))
        now[0] = "set_qos"
        proxy.set_qos({RETRIES: 7})


@pytest.mark.parametrize(
    ("stage", "when", "again"),
    [
        ("push 1", "before", [0]),
        ("push 1", "after", [0, 1]),
        ("push 9", "after", [0, 1, 2]),
        ("deliver", "before", [0, 1, 2]),
        ("deliver", "after", [0, 1, 2]),
        ("", "within", [0, 1, 2]),
        ("acknowledge", "before", [0, 1, 2]),
        ("acknowledge", "after", [1, 2]),
        ("set_qos", "after", [1, 2]),
    ],
)
def test_a_kill_loses_nothing_that_was_promised_and_repeats_nothing_acknowledged(tmp_path, opened, stage, when, again):
    factory = opened(killed(tmp_path, "acknowledging", stage, when))
    assert factory.get_all_channels() == (1,)
    channel = factory.get_channel(1)
    proxy = channel.get_consumeradmin(0).get_proxy_supplier(1)
    assert (proxy.get_qos()[RETRIES] == 7) == (stage == "set_qos")
    consumer = Consumer(factory.clock)
    consumer.proxy = proxy
    proxy.connect_structured_push_consumer(consumer)
    if stage.startswith("push") or (stage, when) == ("deliver", "before"):
        proxy.resume_connection()
    assert not factory.clock.event().wait(1)
    assert consumer.got == again
    supplies = channel.get_supplieradmin(0).get_proxy_consumer(1)
    for number in range(4):  # the supplier repeats, and goes on
        supplies.push_structured_event(*with_number((numbered(number),), number))
    assert not factory.clock.event().wait(1)
    new = [each for each in range(4) if each > max(again)]
    assert consumer.got == [*again, *new]
    taken = stage in ("acknowledge", "set_qos")  # 9 had been given the number 3, and is gone with the process
    assert consumer.numbers == [*again, *(each + taken for each in new)]


def in_doubt(path):
    """Pull 7 and push 8 within one transaction; be killed once it is decided, and before anybody knows."""
    clock = VirtualClock(start=1_000_000)
    factory, service = StandInFactory(clock, file=path), TransactionService(clock, "test")
    factory.use_transactions(service.current("channel"))
    current = service.current("client")
    with clock.actor():
        on = Rig(clock, factory, **{ENABLE_TRANSACTION: True})
        out = on.pulled()
        current.begin()
        on.push(numbered(7))
        current.commit()
        service.hooks.append(lambda point, _: die() if point == Point.DECIDED else True)
        current.begin()
        assert number_of(out.pull_structured_event()) == 7
        on.push(numbered(8))
        current.commit()


@pytest.mark.parametrize(("outcome", "left"), [("commit", [8]), ("rollback", [7])])
def test_a_prepared_transaction_stays_in_doubt_until_its_outcome_comes(tmp_path, opened, outcome, left):
    factory = opened(killed(tmp_path, "in_doubt"))
    service = TransactionService(factory.clock, "test")
    with pytest.raises(CommFailure):
        factory.get_channel(1).get_qos()
    factory.use_transactions(service.current("channel"))
    out, current = factory.get_channel(1).default_consumer_admin.get_proxy_supplier(1), service.current("client")

    def pulled():
        current.begin()
        found = numbers(iter(out.try_pull_structured_event, None))
        current.commit()
        return found

    assert pulled() == []
    assert sorted(each.number for each in factory.in_doubt()) == [2, 3]
    assert factory.get_channel(1)._core.made_changes == 3
    for each in factory.in_doubt():
        getattr(each, outcome)()
    assert (pulled(), factory.in_doubt()) == (left, ())


# -- the file ------------------------------------------------------------------------------------------------------


def test_admins_filters_and_numbers_are_the_same_and_only_persistent_channels_are_kept(tmp_path, opened):
    factory = opened(tmp_path / "channels.db")
    on = Rig(factory.clock, factory, **LASTING)
    admin, number = on.channel.new_for_consumers(FilterOperator.OR_OP)
    ((proxy, proxy_id), *_) = [admin.obtain_notification_pull_supplier(STRUCTURED) for _ in range(2)]
    proxy.connect_structured_pull_consumer(Client())
    odd = on.channel.default_filter_factory.create_filter(EXTENDED_TCL)
    odd.add_constraints([ConstraintExp(constraint_expr="$event_name != '2'")])
    proxy.add_filter(odd)
    usual = Any_.of(Kind.SHORT, 1)
    proxy.priority_filter = on.channel.default_filter_factory.create_mapping_filter(EXTENDED_TCL, usual)
    proxy.priority_filter.add_mapping_constraints(
        [MappingConstraintPair(ConstraintExp(constraint_expr="$event_name == '3'"), Any_.of(Kind.SHORT, 9))]
    )
    on.push(numbered(2), numbered(1))
    factory.create_channel({}, {})
    gone, _ = factory.create_channel(LASTING, {})
    gone.destroy()
    factory.close()
    again = opened(tmp_path / "channels.db")
    assert (again.get_all_channels(), again.create_channel({}, {})[1]) == ((on.id,), 4)
    channel = again.get_channel(on.id)
    found = channel.get_consumeradmin(number)
    assert (found.operator, found.pull_suppliers) == (FilterOperator.OR_OP, (proxy_id,))
    assert found.obtain_notification_pull_supplier(STRUCTURED)[1] == proxy_id + 2
    assert channel.new_for_suppliers()[1] == number + 1
    supplies = channel.default_supplier_admin.get_proxy_consumer(on.input.id)
    for each in (4, 2, 3):
        supplies.push_structured_event(numbered(each))
    out = found.get_proxy_supplier(proxy_id)
    assert numbers(iter(out.try_pull_structured_event, None)) == [3, 1, 4]


def test_delivery_that_was_given_up_waits_for_its_recovery(tmp_path, opened):
    factory = opened(tmp_path / "channels.db")
    on = Rig(factory.clock, factory, **{**ACK, **LASTING, RETRIES: 0})
    on.push_consumer(*(OSError("always") for _ in range(9)))
    on.push(numbered(0))
    on.settle(1_000)
    factory.close()
    factory = opened(tmp_path / "channels.db")
    proxy, consumer = factory.get_channel(1).default_consumer_admin.get_proxy_supplier(1), Client(factory.clock)
    proxy.connect_structured_push_consumer(consumer)
    proxy.set_qos({RETRIES: 7})
    on.settle(1_000)
    assert consumer.got == []
    factory.recover_delivery(proxy)
    on.settle()
    assert consumer.got == [0]


def test_what_cannot_be_kept_is_refused_and_a_file_that_cannot_be_written_crashes_the_channel(tmp_path, opened):
    on = Rig((factory := opened(tmp_path / "channels.db")).clock, factory, **LASTING)
    out, deep = on.pulled(), Any_.of(Kind.SHORT, 1)
    for _ in range(120):
        deep = Any_(ANY_SEQ, (deep,))
    with pytest.raises(StoreError, match="cannot be kept in a file"):
        on.push(numbered(0, deep=deep))
    on.push(numbered(1, **{PRIORITY: Any_.of(Kind.ULONGLONG, 2**64 - 1)}))
    assert numbers(iter(out.try_pull_structured_event, None)) == [1]
    factory._store._connection.execute("pragma query_only = on")
    with pytest.raises(CommFailure, match="cannot be written"):
        on.push(numbered(2))
    with pytest.raises(CommFailure):
        out.try_pull_structured_event()


def test_a_file_that_is_none_of_channels_is_refused_and_left_as_it_is(tmp_path, opened):
    def made(name, *statements):
        with sqlite3.connect(tmp_path / name) as connection:
            for each in statements:
                connection.execute(each)
        connection.close()

    (tmp_path / "text").write_text("no database " * 100)
    made("other", "create table part (channel integer)")
    made("used")
    opened(tmp_path / "used").create_channel(LASTING, {})
    opened(tmp_path / "newer").close()
    made("newer", "pragma user_version = 2")
    for name, fault in (("text", "not a database"), ("other", "another program"), ("newer", "version 2"),
                        ("used", "close that one"), ("no/folder", "unable to open")):  # fmt: skip
        before = (tmp_path / name).read_bytes() if name != "no/folder" else b""
        with pytest.raises(StoreError, match=fault):
            StandInFactory(VirtualClock(), file=tmp_path / name)
        assert not before or (tmp_path / name).read_bytes() == before
