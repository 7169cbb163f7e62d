"""A factory of ours as a CORBA object: what a client in another process sees, and the suite's own cases over it."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from test_adapters_corba import STRING, isolated

from tck.interworking import Any_

CORBA = pytest.importorskip("omniORB", reason="omniORB is not installed: pip install 'jms-tck[corba]'").CORBA
EXPORTED = """
import sys
from reference_interworking.channel import StandInFactory
from tck.adapters.corba import export
from tck.api import SystemClock
from tck.suite.support.interworking.recorded import recorded
reference = export(recorded(StandInFactory(SystemClock())))
"""
SERVING = EXPORTED + "print(reference, flush=True)\nsys.stdin.read()"
SEEN = EXPORTED + "from test_adapters_corba_servants import see\nsee(sys.argv[1], reference)"
WAITING = 8  # more than an ORB has connections to a server by default
TELLING = ["2.1-3", "2.2-10", "2.3-9", "2.3-20", "2.4-2", "2.4-4", "2.5.6-7", "3.1.1.2-8", "4.1-2", "4.1-3"]


@pytest.fixture(scope="module")
def served():
    """The reference of a stand-in that another process exports."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", SERVING], text=True, **pipes) as server:
        yield server.stdout.readline().strip()
        server.stdin.close()
        assert server.wait(timeout=60) == 0


def refused(name, call, *arguments):
    with pytest.raises(CORBA.Exception) as caught:
        call(*arguments)
    assert type(caught.value).__name__ == name
    return caught.value


def see(*references):
    """Call what a bridge of the kit does not: identities, refusals with members, filters of either process, objects that are gone."""
    import CosNotifyChannelAdmin as Admin

    from tck.adapters.corba.orb import orb

    factory, own = map(orb().string_to_object, references)
    (channel, number), (abroad, _) = factory.create_channel([], []), own.create_channel([], [])
    admin, (grouped, of) = channel._get_default_consumer_admin(), channel.new_for_suppliers(Admin.OR_OP)
    pulled = admin.obtain_notification_pull_supplier(Admin.STRUCTURED_EVENT)[0]
    pushed = grouped.obtain_notification_push_consumer(Admin.ANY_EVENT)[0]
    again = (factory.get_event_channel(number), channel._get_MyFactory(), channel.get_supplieradmin(of), pulled._get_MyAdmin())  # fmt: skip
    assert all(one._is_equivalent(other) for one, other in zip((channel, factory, grouped, admin), again, strict=True))
    assert (grouped._get_MyOperator(), admin._get_MyOperator()) == (Admin.OR_OP, Admin.AND_OP)
    filtered(pulled._narrow(Admin.StructuredProxyPullSupplier), pushed._narrow(Admin.ProxyPushConsumer), channel, abroad)  # fmt: skip
    limited(channel, admin, Admin)
    refused("NO_IMPLEMENT", grouped.obtain_notification_pull_consumer, Admin.ANY_EVENT)
    channel.destroy()
    for gone in (channel._get_MyFactory, admin.get_qos, pulled._get_MyType, pushed._get_MyAdmin):
        refused("OBJECT_NOT_EXIST", gone)


def filtered(pulled, pushed, *channels):
    from CosNotifyFilter import ConstraintExp

    from tck.adapters.corba.values import their_any

    made, foreign = (each._get_default_filter_factory().create_filter("EXTENDED_TCL") for each in channels)
    made.add_constraints([ConstraintExp([], "$type_name == 'missing'")])
    foreign.add_constraints([ConstraintExp([], "$type_name == '%ANY'")])
    assert (
        refused("InvalidConstraint", made.add_constraints, [ConstraintExp([], "1 +")]).constr.constraint_expr == "1 +"
    )
    refused("BAD_PARAM", pulled.add_filter, None)
    pulled.connect_structured_pull_consumer(None)
    refused("AlreadyConnected", pulled.connect_structured_pull_consumer, None)
    pushed.connect_any_push_supplier(None)
    for each, seen in ((made, False), (foreign, True)):
        added = pulled.add_filter(each)
        pushed.push(their_any(Any_(STRING, "an event")))
        assert pulled.try_pull_structured_event()[1] is seen
        pulled.remove_filter(added)
    refused("FilterNotFound", pulled.remove_filter, added)
    with ThreadPoolExecutor(WAITING) as pool:
        ready = Barrier(WAITING + 1)
        waiting = [pool.submit(lambda: (ready.wait(30), pulled.pull_structured_event())) for _ in range(WAITING)]
        ready.wait(30)
        for _ in waiting:
            pushed.push(their_any(Any_(STRING, "for one of them")))
        assert len([each.result(30) for each in waiting]) == WAITING


def limited(channel, admin, stubs):
    from tck.adapters.corba.values import their_properties

    [error] = refused("UnsupportedQoS", channel.set_qos, their_properties({"OrderPolicy": 9})).qos_err
    assert (error.name, error.code._n, error.available_range.high_val.value()) == ("OrderPolicy", "BAD_VALUE", 3)
    channel.set_admin(their_properties({"MaxConsumers": 1}))
    limit = refused("AdminLimitExceeded", admin.obtain_notification_push_supplier, stubs.SEQUENCE_EVENT)
    assert (limit.admin_property_err.name, limit.admin_property_err.value.value()) == ("MaxConsumers", 1)


def test_another_process_sees_a_complete_factory(served, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([*sys.path, os.path.dirname(__file__)]))  # noqa: PTH120
    isolated(SEEN, served)


@pytest.mark.parametrize("cases", [[f"iw-{each}/queue/*" for each in TELLING], pytest.param(["interworking"], marks=pytest.mark.slow)], ids=["telling", "all"])  # fmt: skip
def test_cases_of_the_suite_hold_over_it(served, tmp_path, cases):
    words = ["-p", "reference-realtime", "--channel", served, "--out", tmp_path, "--no-report"]
    done = subprocess.run([sys.executable, "-m", "tck", "run", *cases, *words], capture_output=True, text=True, timeout=300, check=False)  # fmt: skip
    assert (done.returncode, "No violation found" in done.stdout) == (0, True), done.stdout + done.stderr


MANY = """
from reference_interworking.channel import StandInFactory
from tck.adapters.corba.orb import orb
orb()
from tck.adapters.corba.servants import export
from tck.api import SystemClock
import CosNotifyChannelAdmin as Admin
kept = []
for number in range(1005):
    channels = StandInFactory(SystemClock())
    reference, shift = export(channels)
    kept.append((shift + channels.create_channel({}, {})[1], number))
    assert export(channels) == (reference, shift)
factory = orb().string_to_object(reference)._narrow(Admin.EventChannelFactory)
assert sorted(factory.get_all_channels()) == sorted(each for each, _ in kept[-8:]), factory.get_all_channels()
for each, _ in kept[-8:]:
    factory.get_event_channel(each)
"""


def test_the_channels_of_the_last_factories_are_found_however_many_there_were():
    isolated(MANY)
