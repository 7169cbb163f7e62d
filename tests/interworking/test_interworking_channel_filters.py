"""Filters that a channel makes: their grammar, at proxies, and mapping filters on priorities and lives."""

import pytest
from test_interworking_polling import World

from tck.interworking import PRIORITY, TIMEOUT, Any_, Kind, event
from tck.interworking.channel import ClientType, ProxyType
from tck.interworking.clients import PushSupplier
from tck.interworking.filters import EXTENDED_TCL, ConstraintExp, InvalidGrammar, MappingConstraintPair
from tck.interworking.qos import ORDER_POLICY, PRIORITY_ORDER, Disconnected


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path)
    yield made
    made.provider.close()


def alarm(severity, **header):
    items = {name: Any_.of(kind, value) for name, (kind, value) in header.items()}
    data = {"sev": Any_.of(Kind.LONG, severity)}
    return event("d", "t", data=data, header=items, body=Any_.of(Kind.LONG, severity))


def mapping(world, default, *pairs):
    made = world.channel.default_filter_factory.create_mapping_filter(EXTENDED_TCL, default)
    made.add_mapping_constraints([MappingConstraintPair(ConstraintExp((), text), value) for text, value in pairs])
    return made


def short(value):
    return Any_.of(Kind.SHORT, value)


def test_there_is_one_grammar(world):
    factory = world.channel.default_filter_factory
    with pytest.raises(InvalidGrammar, match="EXTENDED_TCL"):
        factory.create_filter("SQL")
    with pytest.raises(InvalidGrammar):
        factory.create_mapping_filter("SQL", short(0))


def test_a_priority_of_a_constraint_comes_before_the_header_and_the_default_behind_it(world):
    world.puller.set_qos({ORDER_POLICY: PRIORITY_ORDER})
    world.puller.priority_filter = mapping(world, short(5), ("$sev == 1", short(-1)))
    world.supplier.push_structured_event(alarm(1, **{PRIORITY: (Kind.SHORT, 9)}))
    world.supplier.push_structured_event(alarm(2, **{PRIORITY: (Kind.SHORT, 3)}))
    world.supplier.push_structured_event(alarm(3))
    assert world.pulled() == [3, 2, 1]
    world.puller.priority_filter = None
    assert world.puller.priority_filter is None


def test_a_life_can_be_given_too(world):
    world.puller.lifetime_filter = mapping(
        world, Any_.of(Kind.ULONGLONG, 0), ("$sev == 1", Any_.of(Kind.ULONGLONG, 10**6))
    )
    world.supplier.push_structured_event(alarm(1))
    world.supplier.push_structured_event(alarm(2, **{TIMEOUT: (Kind.ULONGLONG, 10**9)}))
    world.pass_ms(200)
    assert world.pulled() == [2]


class Raising:
    def match_structured(self, event):
        raise ValueError(event)


def test_a_mapping_filter_that_raises_is_as_none(world):
    world.puller.priority_filter = Raising()
    world.supplier.push_structured_event(alarm(1))
    assert world.pulled() == [1]


class Supplier(PushSupplier):
    told = False

    def disconnect_push_supplier(self):
        self.told = True


def test_untyped_events_become_structured_ones(world):
    proxy, number = world.channel.default_supplier_admin.obtain_notification_push_consumer(ClientType.ANY_EVENT)
    with pytest.raises(Disconnected):
        proxy.push(short(1))
    proxy.connect_any_push_supplier(supplier := Supplier())
    proxy.push(short(1))
    made = world.puller.try_pull_structured_event()
    kind = made.header.fixed_header.event_type
    assert (kind.domain_name, kind.type_name, made.remainder_of_body) == ("", "%ANY", short(1))
    assert proxy.type == ProxyType.PUSH_ANY
    assert number in world.channel.default_supplier_admin.push_consumers
    world.channel.destroy()
    assert supplier.told
