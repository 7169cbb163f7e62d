"""Factory, channel, admins and proxies of the stand-in: what is refused, filters, limits, errors."""

import pytest
from channel_clients import SEQUENCE, STRUCTURED, Client, drained, numbered, rig

from reference_interworking.channel import StandInFactory
from tck.api import SystemClock
from tck.interworking import EVENT_RELIABILITY, PRIORITY, STOP_TIME, TIMEOUT
from tck.interworking.channel import ClientType, FilterOperator, ProxyType
from tck.interworking.qos import (
    CONNECTION_RELIABILITY,
    LIFO_ORDER,
    MAX_CONSUMERS,
    MAX_QUEUE_LENGTH,
    MAX_SUPPLIERS,
    MAXIMUM_BATCH_SIZE,
    ORDER_POLICY,
    REJECT_NEW_EVENTS,
    START_TIME,
    AdminLimitExceeded,
    AdminNotFound,
    AlreadyConnected,
    ChannelNotFound,
    CommFailure,
    ConnectionAlreadyActive,
    ConnectionAlreadyInactive,
    Disconnected,
    FilterNotFound,
    NotConnected,
    ObjectNotExist,
    ProxyNotFound,
    QoSErrorCode,
    UnsupportedAdmin,
    UnsupportedQoS,
)


@pytest.fixture
def on():
    with rig() as made:
        yield made


class Named:
    """A filter that lets events with some numbers pass."""

    def __init__(self, *passing):
        self.passing = {str(each) for each in passing}

    def matches(self, event):
        return event.header.fixed_header.event_name in self.passing


class Broken:
    def matches(self, event):
        raise OSError(event)


# -- quality of service --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("Colour", 1, QoSErrorCode.BAD_PROPERTY),
        (PRIORITY, 32768, QoSErrorCode.BAD_VALUE),
        (PRIORITY, "1", QoSErrorCode.BAD_TYPE),
        (PRIORITY, True, QoSErrorCode.BAD_TYPE),
        (ORDER_POLICY, LIFO_ORDER, QoSErrorCode.BAD_VALUE),
        (MAXIMUM_BATCH_SIZE, 0, QoSErrorCode.BAD_VALUE),
        (TIMEOUT, -1, QoSErrorCode.BAD_VALUE),
        (START_TIME, 1, QoSErrorCode.UNAVAILABLE_PROPERTY),
        (STOP_TIME, 1, QoSErrorCode.UNAVAILABLE_PROPERTY),
        (EVENT_RELIABILITY, 1, QoSErrorCode.UNAVAILABLE_PROPERTY),
    ],
)
def test_a_refused_property_is_named_and_nothing_is_set(on, name, value, code):
    proxy, _ = on.consumers.obtain_notification_push_supplier(STRUCTURED)
    before = proxy.get_qos()
    with pytest.raises(UnsupportedQoS, match=name) as caught:
        proxy.set_qos({CONNECTION_RELIABILITY: 1, name: value})
    assert [(each.name, each.code) for each in caught.value.errors] == [(name, code)]
    assert proxy.get_qos() == before


def test_a_factory_refuses_bad_properties_and_makes_no_channel(on):
    with pytest.raises(UnsupportedQoS):
        on.factory.create_channel({"Colour": 1}, {})
    with pytest.raises(UnsupportedAdmin, match="False to True are taken"):
        on.factory.create_channel({}, {REJECT_NEW_EVENTS: 1})
    assert on.factory.get_all_channels() == (on.id,)


def test_administrative_properties_are_returned_with_defaults(on):
    on.channel.set_admin({MAX_CONSUMERS: 7})
    assert on.channel.get_admin() == {
        MAX_CONSUMERS: 7,
        MAX_SUPPLIERS: 0,
        MAX_QUEUE_LENGTH: 0,
        REJECT_NEW_EVENTS: False,
    }


# -- filters -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operator", "of_admin", "of_proxy", "got"),
    [
        (FilterOperator.AND_OP, [], [], [0, 1, 2, 3]),
        (FilterOperator.AND_OP, [Named(1, 2)], [], [1, 2]),
        (FilterOperator.AND_OP, [Named(1, 2)], [Named(2, 3)], [2]),
        (FilterOperator.AND_OP, [], [Named(0), Named(3)], [0, 3]),
        (FilterOperator.OR_OP, [Named(1)], [Named(3)], [1, 3]),
        (FilterOperator.OR_OP, [], [Named(3)], [3]),
        (FilterOperator.OR_OP, [], [], [0, 1, 2, 3]),
        (FilterOperator.AND_OP, [], [Broken(), Named(1)], [1]),
    ],
)
def test_filters_choose_on_both_sides(on, operator, of_admin, of_proxy, got):
    admin, _ = on.channel.new_for_consumers(operator)
    consumer, proxy = on.push_consumer(admin=admin)
    for each in of_admin:
        admin.add_filter(each)
    for each in of_proxy:
        proxy.add_filter(each)
    on.push(*(numbered(at) for at in range(4)))
    on.settle()
    assert consumer.got == got


def test_a_filter_of_the_supplier_holds_for_all_consumers_until_it_is_removed(on):
    out, other = on.pulled(), on.pulled()
    number = on.input.add_filter(Named(1))
    assert on.input.get_all_filters() == (number,)
    on.push(numbered(0), numbered(1))
    on.input.remove_filter(number)
    on.push(numbered(2))
    assert drained(out) == drained(other) == [1, 2]
    with pytest.raises(FilterNotFound):
        on.input.remove_filter(number)


# -- numbers and limits --------------------------------------------------------------------------------------------


def test_objects_are_found_by_their_numbers(on):
    assert on.factory.get_channel(on.id) is on.channel
    other, other_id = on.factory.create_channel({}, {})
    assert (on.factory.get_all_channels(), other.id) == ((on.id, other_id), other_id)
    consumers, number = on.channel.new_for_consumers()
    assert on.channel.get_consumeradmin(number) is consumers
    assert on.channel.get_all_consumeradmins() == (on.consumers.id, number)
    assert on.channel.get_all_supplieradmins() == (on.suppliers.id,)
    assert on.channel.get_supplieradmin(0) is on.suppliers
    proxy, proxy_id = consumers.obtain_notification_pull_supplier(SEQUENCE)
    assert consumers.get_proxy_supplier(proxy_id) is proxy
    assert (consumers.pull_suppliers, consumers.push_suppliers) == ((proxy_id,), ())
    assert (proxy.type, proxy.admin, consumers.channel) == (ProxyType.PULL_SEQUENCE, consumers, on.channel)
    assert on.suppliers.get_proxy_consumer(on.input.id) is on.input
    assert (on.suppliers.push_consumers, on.suppliers.pull_consumers) == ((on.input.id,), ())


def test_unknown_numbers_and_kinds_are_refused(on):
    for call, error in (
        (on.factory.get_channel, ChannelNotFound),
        (on.channel.get_consumeradmin, AdminNotFound),
        (on.channel.get_supplieradmin, AdminNotFound),
        (on.consumers.get_proxy_supplier, ProxyNotFound),
        (on.suppliers.get_proxy_consumer, ProxyNotFound),
    ):
        with pytest.raises(error, match="999"):
            call(999)
    with pytest.raises(ValueError, match="not offered"):
        on.consumers.obtain_notification_push_supplier(ClientType.ANY_EVENT)


def test_limits_count_proxies_that_are_there(on):
    on.channel.set_admin({MAX_CONSUMERS: 1, MAX_SUPPLIERS: 1})
    proxy = on.pulled()
    with pytest.raises(AdminLimitExceeded):
        on.consumers.obtain_notification_push_supplier(STRUCTURED)
    with pytest.raises(AdminLimitExceeded):
        on.suppliers.obtain_notification_pull_consumer(STRUCTURED)
    proxy.disconnect_structured_pull_supplier()
    on.pulled()


# -- connections ---------------------------------------------------------------------------------------------------


def test_states_of_a_connection_are_errors_where_they_do_not_fit(on):
    proxy, _ = on.consumers.obtain_notification_push_supplier(STRUCTURED)
    for call in (proxy.suspend_connection, proxy.resume_connection):
        with pytest.raises(NotConnected):
            call()
    proxy.connect_structured_push_consumer(Client())
    with pytest.raises(AlreadyConnected):
        proxy.connect_structured_push_consumer(Client())
    with pytest.raises(ConnectionAlreadyActive):
        proxy.resume_connection()
    proxy.suspend_connection()
    with pytest.raises(ConnectionAlreadyInactive):
        proxy.suspend_connection()
    proxy.disconnect_structured_push_supplier()
    for call in (proxy.resume_connection, proxy.disconnect_structured_push_supplier, proxy.get_qos):
        with pytest.raises(ObjectNotExist):
            call()


def test_nothing_is_pushed_or_pulled_without_a_connection(on):
    source, _ = on.suppliers.obtain_notification_push_consumer(STRUCTURED)
    with pytest.raises(Disconnected):
        source.push_structured_event(numbered(0))
    out, _ = on.consumers.obtain_notification_pull_supplier(STRUCTURED)
    on.push(numbered(1))
    with pytest.raises(Disconnected):
        out.try_pull_structured_event()
    out.connect_structured_pull_consumer(None)
    assert out.try_pull_structured_event() is None


def test_the_end_of_an_admin_ends_its_proxies_only(on):
    admin, number = on.channel.new_for_consumers()
    consumer, proxy = on.push_consumer(admin=admin)
    other, _ = on.push_consumer()
    admin.destroy()
    on.push(numbered(0))
    on.settle()
    assert (consumer.ends, consumer.got, other.ends, other.got) == (1, [], 0, [0])
    for call in (proxy.get_qos, admin.get_qos, admin.destroy):
        with pytest.raises(ObjectNotExist):
            call()
    with pytest.raises(AdminNotFound):
        on.channel.get_consumeradmin(number)


def test_a_destroyed_channel_is_not_found(on):
    consumer, proxy = on.push_consumer()
    on.channel.destroy()
    assert consumer.ends == 1
    with pytest.raises(ChannelNotFound):
        on.factory.get_channel(on.id)
    for call in (on.channel.get_qos, on.channel.destroy, on.channel.crash, proxy.get_qos, on.consumers.get_qos):
        with pytest.raises(ObjectNotExist):
            call()


def test_a_crashed_channel_is_destroyed_without_a_word_to_its_clients(on):
    consumer, _ = on.push_consumer()
    with pytest.raises(CommFailure, match="has not crashed"):
        on.channel.restart()
    on.channel.crash()
    on.channel.destroy()
    assert consumer.ends == 0
    assert on.factory.get_all_channels() == ()


def test_a_channel_works_on_real_time_too():
    factory = StandInFactory(SystemClock())
    channel, _ = factory.create_channel({}, {})
    done = factory.clock.event()
    consumer = Client()
    taken = consumer.push_structured_event

    def push_structured_event(event):
        taken(event)
        done.set()

    consumer.push_structured_event = push_structured_event
    out, _ = channel.default_consumer_admin.obtain_notification_push_supplier(STRUCTURED)
    out.connect_structured_push_consumer(consumer)
    source, _ = channel.default_supplier_admin.obtain_notification_push_consumer(STRUCTURED)
    source.connect_structured_push_supplier(None)
    source.push_structured_event(numbered(0))
    assert done.wait(60_000)
    factory.close()
    assert (consumer.got, consumer.ends) == ([0], 1)
