"""What JacORB's notification service does otherwise, by omniORB alone: python profiles/channels/jacorb.py [CASE]

Each case prints the result and the due one. The kit starts the service. Ends with 1 if the last case deviates, with 0 if it
does right.
"""

import sys
import time

from tck.adapters.corba.jacorb import Service
from tck.adapters.corba.orb import orb

broker = orb()  # before the stubs

import CosNotification as N  # noqa: E402
import CosNotifyChannelAdmin as C  # noqa: E402
import CosNotifyFilter as F  # noqa: E402
import TimeBase  # noqa: E402, F401 - before a TimeT is made
from omniORB import CORBA  # noqa: E402

channels = broker.string_to_object(Service().ior)._narrow(C.EventChannelFactory)


def event(name, *data):
    items = [N.Property(key, CORBA.Any(of, value)) for key, of, value in data]
    fixed = N.FixedEventHeader(N.EventType("Telecom", "Alarm"), name)
    return N.StructuredEvent(N.EventHeader(fixed, []), items, CORBA.Any(CORBA.TC_null, None))


def constraint(text="", domain="*", type_="*"):
    return F.ConstraintExp([N.EventType(domain, type_)], text)


def matches(given, *data):
    """Ask a filter with one constraint."""
    made = channel._get_default_filter_factory().create_filter("EXTENDED_TCL")
    made.add_constraints([given])
    try:
        return made.match_structured(event("e", *data))
    except CORBA.SystemException as error:
        return type(error).__name__


def sides(admin=None):
    """Return a proxy to pull from, of an admin or of the default one, and one to push to."""
    admin = admin or channel._get_default_consumer_admin()
    proxy = admin.obtain_notification_pull_supplier(C.STRUCTURED_EVENT)[0]._narrow(C.StructuredProxyPullSupplier)
    pushed = channel._get_default_supplier_admin().obtain_notification_push_consumer(C.STRUCTURED_EVENT)[0]
    pushed = pushed._narrow(C.StructuredProxyPushConsumer)
    return proxy, pushed


def arrived(proxy, pushed):
    """Push an event with n = 3; return whether it comes within two seconds."""
    proxy.connect_structured_pull_consumer(None)
    pushed.connect_structured_push_supplier(None)
    pushed.push_structured_event(event("e", ("n", CORBA.TC_long, 3)))
    for _ in range(100):
        if proxy.try_pull_structured_event()[1]:
            return True
        time.sleep(0.02)
    return False


def mapped(kind, value, attribute):
    """Return whether an event comes at a proxy whose mapping filter gives it a value."""
    made = channel._get_default_filter_factory().create_mapping_filter("EXTENDED_TCL", CORBA.Any(kind, 0))
    made.add_mapping_constraints([F.MappingConstraintPair(constraint("$n == 3"), CORBA.Any(kind, value))])
    proxy, pushed = sides()
    getattr(proxy, f"_set_{attribute}")(made)
    return arrived(proxy, pushed)


def joined(operator, *texts):
    """Return whether an event comes through a filter of an admin and one of its proxy."""
    admin = channel.new_for_consumers(operator)[0]
    proxy, pushed = sides(admin)
    for place, text in zip((admin, proxy), texts, strict=True):
        made = channel._get_default_filter_factory().create_filter("EXTENDED_TCL")
        made.add_constraints([constraint(text)])
        place.add_filter(made)
    return arrived(proxy, pushed)


def code(name, value, of=None):
    """Return the errors of a request for a property, of the channel or another object; none if it is taken."""
    try:
        (of or channel).set_qos([N.Property(name, CORBA.Any(CORBA.TC_short, value))])
    except N.UnsupportedQoS as error:
        return [str(each.code) for each in error.qos_err]
    return []


EMPTY = CORBA.Any(broker.create_sequence_tc(0, CORBA.TC_string), [])
CASES = {
    "pattern": ("the type .* matches the type Alarm", lambda: matches(constraint("", "*", ".*")), False),
    "empty": ("'x' in an empty sequence", lambda: matches(constraint("'x' in $s"), ("s", EMPTY.typecode(), [])), False),
    "priority": ("an event that a filter gives a priority comes", lambda: mapped(CORBA.TC_short, 5, "priority_filter"), True),
    "life": ("an event that a filter gives a life of an hour comes", lambda: mapped(CORBA.TC_ulonglong, 36 * 10**9, "lifetime_filter"), True),
    "both": ("an event that passes admin AND proxy comes", lambda: joined(C.AND_OP, "$n > 1", "$n < 9"), True),
    "either": ("an event that passes admin OR proxy comes", lambda: joined(C.OR_OP, "$n > 1", "$n > 9"), True),
    "name": ("how StartTime is refused", lambda: "BAD_PROPERTY" in code("StartTime", 1), False),
    "order": ("whether a proxy refuses an OrderPolicy of 99", lambda: bool(code("OrderPolicy", 99, sides()[0])), True),
}
status = 0
for case in sys.argv[1:] or CASES:
    channel = channels.create_channel([], [])[0]
    what, call, due = CASES[case]
    seen = call()
    print(f"{case}: {what}: {seen}; due: {due}; deviates: {'no' if seen == due else 'yes'}", flush=True)
    status = int(seen != due)
sys.exit(status)
