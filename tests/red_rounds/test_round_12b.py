"""Witnesses of red round 12: each fault of a bridge or channel shows itself to a program that uses the interfaces alone."""

from __future__ import annotations

import pytest
from red_bridges import ACK, MANY, bodies, named, names, pulled, short, world

from faults.interworking.nearly_right import all_nearly_right_bridges
from tck.interworking import PERSISTENT, Any_, EventType, Kind, event
from tck.interworking.acknowledgment import RETRIES, SEQUENCE_NUMBER, StructuredPushSupplierAck
from tck.interworking.bridge import FlowStyle as S
from tck.interworking.channel import ClientType
from tck.interworking.clients import SequencePushConsumer, StructuredPushConsumer
from tck.interworking.coordinator import Did, Point
from tck.interworking.filters import EXTENDED_TCL, ConstraintExp, MappingConstraintPair
from tck.interworking.qos import CONNECTION_RELIABILITY, MAXIMUM_BATCH_SIZE, ChannelError
from tck.interworking.transactions import (
    ENABLE_TRANSACTION,
    TRANSACTION_EVENT_SEQUENCES,
    TRANSACTION_EVENTS,
    TRANSACTION_TIMEOUT,
    Resource,
    Vote,
)

# -- acknowledgment ----------------------------------------------------------------------------------------------------


class Taker(StructuredPushConsumer):
    """Takes single events, and acknowledges what it is told to."""

    def __init__(self, proxy, clock, *, acknowledges=True, raises=0):
        self.proxy, self.clock, self.got, self.at = proxy, clock, [], []
        self.acknowledges, self.raises = acknowledges, raises

    def push_structured_event(self, event):
        self.at.append(self.clock.now())
        if self.raises:
            self.raises -= 1
            raise RuntimeError("not now")
        number = event.field(SEQUENCE_NUMBER)
        self.got.append((event.header.fixed_header.event_name, number and number.value))
        if self.acknowledges and number:
            self.proxy.acknowledge((number.value,))

    def disconnect_structured_push_consumer(self):
        pass


def taker(w, qos=ACK, **options):
    proxy = w.channel.default_consumer_admin.obtain_notification_push_supplier(ClientType.STRUCTURED_EVENT)[0]
    proxy.set_qos(qos)
    made = Taker(proxy, w.clock, **options)
    proxy.connect_structured_push_consumer(made)
    return made


class Giver(StructuredPushSupplierAck):
    def __init__(self):
        self.acknowledged = []

    def acknowledge(self, sequence_numbers):
        self.acknowledged += sequence_numbers

    def disconnect_structured_push_supplier(self):
        pass


def giver(w):
    proxy = w.channel.default_supplier_admin.obtain_notification_push_consumer(ClientType.STRUCTURED_EVENT)[0]
    proxy.set_qos({**ACK, CONNECTION_RELIABILITY: PERSISTENT})
    made = Giver()
    proxy.connect_structured_push_supplier(made)
    return proxy, made


def numbered(number, name=""):
    return event(
        name=name or str(number), header={SEQUENCE_NUMBER: Any_.of(Kind.LONG, number), "EventReliability": short(1)}
    )


def show_bridge_channel_acknowledges_ranges(opens):
    with world(opens) as w:
        made = taker(w, acknowledges=False)
        w.publish(*(event(name=each) for each in "abc"))
        w.settle()
        made.proxy.acknowledge((0, 2))
        w.settle(1500)
        return made.got[3:]


def show_bridge_channel_remembers_eight(opens):
    with world(opens) as w:
        puller, (proxy, made) = w.puller(), giver(w)
        for number in (*range(10), 9, 0):
            proxy.push_structured_event(numbered(number))
        w.settle()
        return names(pulled(puller))[10:], made.acknowledged[10:]


def show_bridge_channel_counts_until_idle(opens):
    with world(opens) as w:
        made = taker(w, acknowledges=False)
        w.publish(event(name="a"))
        w.settle(500)
        w.publish(event(name="b"))
        w.settle(700)  # a has been repeated
        made.proxy.acknowledge((0,))
        w.settle(600)
        return made.got, len(w.channels.delivery_failures())


def show_bridge_channel_renumbers_on_recovery(opens):
    with world(opens) as w:
        made = taker(w, acknowledges=False)
        w.publish(event(name="a"))
        w.settle(5000)
        w.channels.recover_delivery(made.proxy)
        w.settle(100)
        return made.got, len(w.channels.delivery_failures())


class BatchTaker(SequencePushConsumer):
    def __init__(self):
        self.got = []

    def push_structured_events(self, events):
        self.got += [each.field(SEQUENCE_NUMBER) for each in events]

    def disconnect_sequence_push_consumer(self):
        pass


def show_bridge_channel_leaves_old_numbers(opens):
    with world(opens) as w:
        proxy = w.channel.default_consumer_admin.obtain_notification_push_supplier(ClientType.SEQUENCE_EVENT)[0]
        proxy.set_qos({**ACK, MAXIMUM_BATCH_SIZE: 3})
        made = BatchTaker()
        proxy.connect_sequence_push_consumer(made)
        w.publish(event(), numbered(7), numbered(8))
        w.settle()
        return [each and each.value for each in made.got]


def show_bridge_channel_forgets_numbers_in_a_crash(opens):
    with world(opens) as w:
        w.channel.set_qos({"EventReliability": 1})
        w.channel.default_consumer_admin.set_qos({CONNECTION_RELIABILITY: PERSISTENT})
        puller, (proxy, made) = w.puller(), giver(w)
        proxy.push_structured_event(numbered(0))
        w.settle()
        w.channels.crash(w.channel)
        w.channels.restart(w.channel)
        proxy.push_structured_event(numbered(0))
        w.settle()
        return names(pulled(puller)), made.acknowledged


def show_bridge_channel_first_retry_at_once(opens):
    with world(opens) as w:
        made = taker(w, {**ACK, RETRIES: 3}, raises=2)
        w.publish(event(name="a"))
        w.settle(5000)
        return [each - made.at[0] for each in made.at]


def show_bridge_next_pull_acknowledges(opens):
    with world(opens) as w:
        w.channel.set_qos(ACK)
        made = w.bridge(False, S.PULL, S.PULL)[0]
        made.start_bridge()
        w.settle()
        made._proxy.suspend_connection()
        w.send("a", "b")
        client = made._proxy.client
        found = [client.try_pull_structured_event().remainder_of_body.value for _ in range(2)]
        w.settle(1100)
        for _ in range(2):
            again = client.try_pull_structured_event()
            found.append(again and again.remainder_of_body.value)
        return found


def show_bridge_acknowledges_after_the_first(opens):
    with world(opens) as w:
        made = w.bridge(True, type_=MANY)[0]
        made._proxy.set_qos({**ACK, MAXIMUM_BATCH_SIZE: 3})
        steps, send, acknowledge = [], made.acknowledging.hand, made._proxy.acknowledge
        made.acknowledging.hand = lambda each: (steps.append("send"), send(each))
        made._proxy.acknowledge = lambda numbers: (steps.append(f"acknowledge {numbers}"), acknowledge(numbers))
        made.start_bridge()
        w.publish(*(event(name=each) for each in "abc"))
        w.settle()
        return steps


def show_bridge_last_retry_not_awaited(opens):
    with world(opens) as w:
        w.channel.set_qos(ACK)
        made, puller = w.bridge(False)[0], w.puller()
        made.start_bridge()
        heard, side = made.acknowledging.acknowledge, made.acknowledging
        lost = [0]
        side.acknowledge = lambda numbers: heard(numbers) if lost[0] else lost.append(lost.pop() + 1)
        w.send("a", "b")
        w.settle(3000)
        return bodies(pulled(puller)), made.get_status().name


# -- transactions ------------------------------------------------------------------------------------------------------


def show_bridge_batches_of_one_count_as_events(opens):
    with world(opens, True) as w:
        w.bridge(True, type_=MANY)[0].enable_transaction(3, 0)
        limits = w.channel.get_admin()
        return limits[TRANSACTION_EVENTS], limits[TRANSACTION_EVENT_SEQUENCES]


def show_bridge_keeps_the_first_timeout(opens):
    with world(opens, True) as w:
        made, found = w.bridge(True)[0], []
        for seconds in (5, 60):
            made.enable_transaction(1, seconds)
            found.append(w.channel.get_admin()[TRANSACTION_TIMEOUT])
            made.disable_transaction()
        return found


def refuse_first(w, times=1):
    """Let the first transactions be rolled back."""
    left = [times]

    def hook(point, number):
        if point is Point.ASKED and left[0]:
            left[0] -= 1
            return False
        return True

    w.service.hooks.append(hook)


def show_bridge_channel_rolls_back_to_the_end(opens):
    with world(opens, True) as w:
        made = w.bridge(True)[0]
        made.enable_transaction(1, 0)
        refuse_first(w)
        made.start_bridge()
        w.publish(*(event(name=each) for each in "abc"))
        w.settle(5000)
        return [named(each) for each in w.received()]


class Refuses(Resource):
    def prepare(self):
        return Vote.ROLLBACK

    def commit(self):
        pass

    def rollback(self):
        pass


def show_bridge_channel_keeps_what_was_prepared(opens):
    with world(opens, True) as w:
        puller, publisher, current = w.puller(), w.publisher(), w.service.current("client")
        publisher.set_qos({ENABLE_TRANSACTION: True})
        current.begin()
        publisher.push_structured_event(event(name="a"))
        current.get_coordinator().register_resource(Refuses())
        try:
            current.commit()
        except ChannelError as error:
            return type(error).__name__, names(pulled(puller))


def show_bridge_channel_forgets_groups_in_doubt(opens):
    with world(opens, True) as w:
        made = w.bridge(True)[0]
        made.enable_transaction(2, 0)
        crashed = []

        def hook(point, number):
            if point is Point.DECIDED and not crashed:
                crashed.append(number)
                w.channel.crash()
            return True

        w.service.hooks.append(hook)
        made.start_bridge()
        w.publish(event(name="a"), event(name="b"))
        w.settle()
        w.channel.restart()
        w.settle(5000)
        return [named(each) for each in w.received()]


def show_bridge_best_effort_outside_transaction(opens):
    with world(opens, True) as w:
        made = w.bridge(True)[0]
        made.enable_transaction(1, 0)
        refuse_first(w)
        made.start_bridge()
        w.publish(event(name="a", header={"EventReliability": short(0)}))
        w.settle(5000)
        return [named(each) for each in w.received()]


def show_bridge_channel_enables_new_connections(opens):
    with world(opens, True) as w:
        made = taker(w, {})
        w.channel.default_consumer_admin.set_qos({ENABLE_TRANSACTION: True})
        w.publish(event(name="a"))
        w.settle()
        return made.got, len(w.service.log(Did.BEGIN))


def show_bridge_channel_keeps_an_old_limit(opens):
    with world(opens, True) as w:
        taker(w, {ENABLE_TRANSACTION: True})
        found = []
        for seconds in (5, 0):
            w.channel.set_admin({TRANSACTION_TIMEOUT: seconds})
            w.publish(event())
            w.settle()
            found.append(w.service._states[max(w.service._states)].deadline is not None)
        return "has a limit", found


# -- filters -----------------------------------------------------------------------------------------------------------


def show_bridge_filter_one_star(opens):
    with world(opens) as w:
        found = []
        for type_ in (EventType("Telecom", "Alarm"), EventType("Tele*", "*"), EventType("Telecom", "*lar*")):
            made = w.channel.default_filter_factory.create_filter(EXTENDED_TCL)
            made.add_constraints([ConstraintExp((type_,), "TRUE")])
            puller = w.puller()
            puller.add_filter(made)
            w.publish(event("Telecom", "Alarm"))
            found.append(len(pulled(puller)))
        return found


def show_bridge_filter_never_lowers_priority(opens):
    with world(opens) as w:
        puller = w.puller()
        made = w.channel.default_filter_factory.create_mapping_filter(EXTENDED_TCL, short(0))
        made.add_mapping_constraints(
            [
                MappingConstraintPair(ConstraintExp((), "$event_name == 'low'"), short(-5)),
                MappingConstraintPair(ConstraintExp((), "$event_name == 'high'"), short(9)),
            ]
        )
        puller.priority_filter = made
        w.publish(*(event(name=each, header={"Priority": short(3)}) for each in ("low", "own", "high")))
        return names(pulled(puller))


@pytest.mark.parametrize("show", [name for name in sorted(globals()) if name.startswith("show_")])
def test_the_fault_shows_itself(show):
    name = show.removeprefix("show_").replace("_", "-")
    fault = {**all_nearly_right_bridges(), **all_nearly_right_bridges(noticed=False)}[name]
    sound = globals()[show](None)
    assert globals()[show](fault.opens) != sound
    assert globals()[show](None) == sound
