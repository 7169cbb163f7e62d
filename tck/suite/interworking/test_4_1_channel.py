"""Interworking 4.1, 4 and 2.8: what a channel has to have, and what it and a bridge may leave out."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tck.interworking import (
    EVENT_RELIABILITY,
    PRIORITY,
    STOP_TIME,
    TIMEOUT,
    Any_,
    Kind,
    event,
)
from tck.interworking.channel import ClientType
from tck.interworking.filters import EXTENDED_TCL, ConstraintExp
from tck.interworking.qos import (
    CONNECTION_RELIABILITY,
    DISCARD_POLICY,
    MAX_EVENTS_PER_CONSUMER,
    MAXIMUM_BATCH_SIZE,
    ORDER_POLICY,
    PACING_INTERVAL,
    START_TIME,
    PropertiesRefused,
    QoSErrorCode,
    UnsupportedQoS,
)
from tck.suite.support import Case, asserts, expect
from tck.suite.support.harness.outcome import Broken, Undecided, Unsupported
from tck.suite.support.interworking.crossing import Crossing, crosses_to_channel, crosses_to_jms, texts_of

STANDARD = (
    EVENT_RELIABILITY,
    CONNECTION_RELIABILITY,
    PRIORITY,
    START_TIME,
    STOP_TIME,
    TIMEOUT,
    "StartTimeSupported",
    "StopTimeSupported",
    MAX_EVENTS_PER_CONSUMER,
    ORDER_POLICY,
    DISCARD_POLICY,
    MAXIMUM_BATCH_SIZE,
    PACING_INTERVAL,
    "DeliveryReliability",
    "Retries",
    "RetryInterval",
)
"""The names of quality of service of the base document, and those that the document on interworking adds for acknowledgment."""
KINDS = (ClientType.STRUCTURED_EVENT, ClientType.SEQUENCE_EVENT)
"""The kinds of clients that the mapping knows."""
NO_ORDER = 99
"""No OrderPolicy."""


@asserts("iw-2.4.1-27", plain=True)
def test_a_filter_on_a_header_of_a_message(case: Case) -> None:
    """A filter of a consumer on JMSType lets the messages of that type through."""
    crossing = Crossing(case)
    crossing.bridge(crossing.to_channel())
    consumer, made = crossing.consumer(), _filter(crossing, "$JMSType == 'alarm'")
    consumer.add_filter(made)
    for text, type_ in (("a", "alarm"), ("b", "report"), ("c", "alarm")):
        message = crossing.sender.text(text)
        message.jms_type = type_
        crossing.sender.send(message)
    expect.equal("the messages of the type", texts_of(crossing.pulled(consumer, 2)), ["a", "c"])


@asserts("iw-2.4-2", plain=True)
def test_untyped_events_come_as_structured_ones(case: Case) -> None:
    """A value that is pushed through an untyped proxy is one message, of the type that the channel gives it."""
    crossing = Crossing(case)
    crossing.bridge(crossing.to_jms())
    admin = crossing.channel.default_supplier_admin
    try:
        untyped: Any = admin.obtain_notification_push_consumer(ClientType.ANY_EVENT)[0]
    except ValueError as error:
        raise Unsupported(f"the channel has no proxies for untyped events: {error}") from error
    untyped.connect_any_push_supplier(None)
    supplier = crossing.supplier()
    untyped.push(Any_.of(Kind.STRING, "a value"))
    supplier.push_structured_event(event("d", "t", "fence"))
    types = [each.get_string_property("$type_name") for each in crossing.received(2)]
    expect.equal("$type_name of the messages", types, ["%ANY", "t"])


def _carried(case: Case) -> Crossing:
    """Return both sides once the bridge has carried over the channel: it is that channel which is judged."""
    crossing = Crossing(case)
    try:
        crossing.bridge(crossing.to_channel())
        crosses_to_channel(crossing)
    except Broken as error:
        raise Undecided(f"no bridge carries over the channel: {error}") from error
    return crossing


def _filter(crossing: Crossing, text: str) -> Any:
    """Return a filter with a constraint."""
    made = crossing.calls("create_filter", lambda: crossing.channel.default_filter_factory.create_filter(EXTENDED_TCL))
    crossing.calls(f"add_constraints of {text}", lambda: made.add_constraints([ConstraintExp((), text)]))
    return made


@asserts("iw-4.1-1", plain=True)
def test_the_operations_of_a_channel_are_there(case: Case) -> None:
    """Of the factory, the channel, its admins and its proxies for structured events and sequences each operation can be called."""
    crossing = _carried(case)
    channel, calls = crossing.channel, crossing.calls
    expect.true("the channel is listed", crossing.channel_id in crossing.channels.get_all_channels(), "it is not")
    _there(case, "set_qos of a channel", lambda: channel.set_qos(channel.get_qos()))
    _there(case, "set_admin", lambda: channel.set_admin(channel.get_admin()))
    consumers, suppliers = channel.default_consumer_admin, channel.default_supplier_admin
    made: list[Any] = [consumers, suppliers]
    before = len(consumers.push_suppliers), len(suppliers.pull_consumers)
    made += [calls("new_for_consumers", channel.new_for_consumers)[0]]
    made += [calls("new_for_suppliers", channel.new_for_suppliers)[0]]
    for kind in KINDS:
        for obtain in (
            consumers.obtain_notification_push_supplier,
            consumers.obtain_notification_pull_supplier,
            suppliers.obtain_notification_push_consumer,
            suppliers.obtain_notification_pull_consumer,
        ):
            made.append(calls(f"obtaining a proxy of {kind.name}", functools.partial(obtain, kind))[0])
    for each in made:
        _walked(crossing, each)
    calls("get_consumeradmin", lambda: channel.get_consumeradmin(consumers.id))
    calls("get_supplieradmin", lambda: channel.get_supplieradmin(suppliers.id))
    new = len(consumers.push_suppliers) - before[0], len(suppliers.pull_consumers) - before[1]
    expect.equal("new proxies that push, and that pull", new, (len(KINDS), len(KINDS)))


def _there(case: Case, what: str, call: Callable[[], object]) -> None:
    """Demand that an operation is implemented; it may refuse what it is asked for."""
    try:
        call()
    except NotImplementedError as error:
        raise Broken(f"{what} is not implemented: {error}", expected="the operation") from error
    except Exception as error:  # noqa: BLE001 - what may be refused, other rows say
        case.witness(f"{what} raised {type(error).__name__}: {error}")


def _walked(crossing: Crossing, each: Any) -> None:
    """Call the operations on quality of service and filters that admins and proxies have."""
    crossing.calls("get_qos", each.get_qos)
    _there(crossing.case, "set_qos", lambda: each.set_qos({MAX_EVENTS_PER_CONSUMER: 100}))
    number = crossing.calls("add_filter", lambda: each.add_filter(_filter(crossing, "$sev > 3")))
    expect.true("the filter is listed", number in crossing.calls("get_all_filters", each.get_all_filters), "it is not")
    crossing.calls("remove_filter", lambda: each.remove_filter(number))


@asserts("iw-4.1-7", plain=True)
def test_standard_properties_are_recognised(case: Case) -> None:
    """No name of the two documents is a bad property, though it may be unsupported."""
    crossing = _carried(case)
    bad = []
    for name in STANDARD:
        try:
            crossing.channel.set_qos({name: 1})
        except PropertiesRefused as error:
            case.witness(f"{name}: {error}")
            bad += [each.name for each in error.errors if each.code == QoSErrorCode.BAD_PROPERTY]
        except Exception as error:
            raise Broken(f"{name}: {type(error).__name__}: {error}", expected="taken, or UnsupportedQoS") from error
        else:
            case.witness(f"{name} is taken")
    expect.equal("standard names that are called bad", bad, [])


@asserts("iw-4.1-8", plain=True)
def test_an_unsupported_setting_is_refused(case: Case) -> None:
    """An OrderPolicy that does not exist raises UnsupportedQoS with its name, at the channel, an admin and a proxy."""
    crossing = _carried(case)
    for asked in (crossing.channel, crossing.channel.default_consumer_admin, crossing.consumer()):
        try:
            asked.set_qos({ORDER_POLICY: NO_ORDER})
        except UnsupportedQoS as error:
            case.witness(f"UnsupportedQoS: {error}")
            expect.equal("the names that are told", [each.name for each in error.errors], [ORDER_POLICY])
        except Exception as error:
            raise Broken(f"{type(error).__name__}: {error}", expected="UnsupportedQoS") from error
        else:
            raise Broken(f"the OrderPolicy {NO_ORDER} was taken", expected="UnsupportedQoS")


def _without(case: Case) -> Crossing:
    """Return both sides, after data has crossed in both directions without an optional part."""
    there, back = Crossing(case), Crossing(case)
    there.bridge(there.to_jms())
    crosses_to_jms(there)
    back.bridge(back.to_channel())
    crosses_to_channel(back)
    return back


def _described(crossing: Crossing, *parts: str) -> str:
    """Return in words which optional parts the profile of the bridge claims."""
    return ", ".join(f"{each} is {'claimed' if each in crossing.claims else 'not claimed'}" for each in parts)


@asserts("iw-2.8-1", plain=True)
def test_the_claim_of_transactions_is_recorded(case: Case) -> None:
    """A bridge carries without transactions; whether it has them is what its profile claims."""
    expect.record(_described(_without(case), "transactions"))


@asserts("iw-2.8-3", "iw-4-1", "iw-4.1-3", "iw-4.1-4", plain=True)
def test_the_claim_of_acknowledgment_is_recorded(case: Case) -> None:
    """A bridge carries without acknowledgment; whether it and its channel have it is what the profile claims."""
    expect.record(_described(_without(case), "acknowledgment", "application-acknowledgment"))


@asserts("iw-4.1-2", plain=True)
def test_a_channel_without_typed_events_is_recorded(case: Case) -> None:
    """Typed proxies are no part of the channels of the kit, and nothing that crosses needs one."""
    crossing = _without(case)
    typed = [each.operation for each in crossing.channels.calls() if "typed" in each.operation]
    expect.record("typed proxies are used" if typed else "no typed proxy is used")
