"""`recorded`: what crosses the border of a channel is noted, and nothing else is changed."""

import pytest
from channel_clients import SEQUENCE, STRUCTURED, Client, Rig, Source, number_of, numbered, numbers, rig

from tck.interworking.channel import (
    Channel,
    ConsumerAdmin,
    SequenceProxyPushSupplier,
    StructuredProxyPushConsumer,
    StructuredProxyPushSupplier,
)
from tck.interworking.qos import AlreadyConnected, ChannelNotFound
from tck.suite.support.interworking.recorded import recorded


@pytest.fixture
def on():
    with rig() as made:
        yield Rig(made.clock, recorded(made.factory))


def test_calls_of_clients_are_noted_with_arguments_result_and_time(on):
    proxy, number = on.consumers.obtain_notification_push_supplier(SEQUENCE)
    on.settle(50)
    proxy.connect_sequence_push_consumer(consumer := Client())
    made, connected = on.factory.calls()[-2:]
    assert (made.operation, made.target, made.arguments) == (
        "obtain_notification_push_supplier",
        on.consumers,
        (SEQUENCE,),
    )
    assert made.result == (proxy, number)
    assert (connected.operation, connected.proxy, connected.arguments, connected.error) == (
        "connect_sequence_push_consumer",
        proxy,
        (consumer,),
        None,
    )
    assert connected.began - made.began == 50
    assert made.began_ns < made.ended_ns < connected.began_ns < connected.ended_ns
    assert not made.by_channel


def test_calls_of_the_channel_are_noted_with_their_events_and_errors(on):
    error = OSError("once")
    consumer, proxy = on.push_consumer(error)
    on.push(numbered(3))
    on.settle(5_000)
    first, second = on.factory.calls("push_structured_event")[1:]
    assert consumer.got == [3]
    assert (first.target, first.proxy, first.by_channel, numbers(first.events)) == (consumer, proxy, True, [3])
    assert (first.error, second.error) == (error, None)
    assert second.began - first.began == 2_000
    on.channel.destroy()
    [end] = on.factory.calls("disconnect_structured_push_consumer")
    assert (end.target, end.by_channel) == (consumer, True)


def test_pulls_in_both_directions_are_noted_with_their_results(on):
    out = on.pulled()
    source = Source(on.clock, numbered(0))
    proxy, _ = on.suppliers.obtain_notification_pull_consumer(STRUCTURED)
    proxy.connect_structured_pull_supplier(source)
    assert number_of(out.pull_structured_event()) == 0
    asked = on.factory.calls("try_pull_structured_event")
    assert [(each.target, each.by_channel, numbers(each.events)) for each in asked] == [
        (source, True, [0]),
        (source, True, []),
    ]
    [pulled] = on.factory.calls("pull_structured_event")
    assert (pulled.proxy, pulled.by_channel, numbers(pulled.events)) == (out, False, [0])


def test_calls_to_a_client_of_two_proxies_name_the_right_one(on):
    consumer = Client()
    proxies = [on.consumers.obtain_notification_push_supplier(STRUCTURED)[0] for _ in range(2)]
    for each in proxies:
        each.connect_structured_push_consumer(consumer)
    on.push(numbered(0))
    on.settle()
    to_client = [each for each in on.factory.calls("push_structured_event") if each.by_channel]
    assert [(each.target, each.proxy) for each in to_client] == [(consumer, each) for each in proxies]


def test_an_error_is_noted_and_raised(on):
    _, proxy = on.push_consumer()
    with pytest.raises(AlreadyConnected) as caught:
        proxy.connect_structured_push_consumer(Client())
    assert on.factory.calls()[-1].error is caught.value
    with pytest.raises(ChannelNotFound):
        on.factory.get_channel(99)
    assert on.factory.calls()[-1].arguments == (99,)


def test_a_call_that_waits_is_noted_before_it_ends(on):
    out = on.pulled()
    on.clock.spawn(out.pull_structured_event, "pull")
    on.settle()
    [waiting] = on.factory.calls("pull_structured_event")
    assert waiting.ended_ns is None
    on.push(numbered(0))
    on.settle()
    [ended] = on.factory.calls("pull_structured_event")
    assert numbers(ended.events) == [0]
    assert waiting.began_ns == ended.began_ns < ended.ended_ns


def test_wrapped_objects_keep_interface_and_identity(on):
    channel = on.factory.get_channel(on.id)
    assert channel is on.channel
    assert isinstance(channel, Channel)
    assert isinstance(on.consumers, ConsumerAdmin)
    assert on.channel.default_consumer_admin is on.consumers
    _, proxy = on.push_consumer()
    assert isinstance(proxy, StructuredProxyPushSupplier)
    assert not isinstance(proxy, SequenceProxyPushSupplier)
    assert isinstance(on.input, StructuredProxyPushConsumer)
    assert on.consumers.get_proxy_supplier(proxy.id) is proxy
    assert (proxy.admin, on.consumers.channel) == (on.consumers, on.channel)
    assert on.factory.get_all_channels() == tuple(sorted({1, on.id}))
