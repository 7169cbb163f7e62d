"""Interworking 4.2.3, 4.2.4, 4.2.6 to 4.2.8: reliable delivery: what is kept, repeated and given up, and the properties that say how."""

from __future__ import annotations

from typing import Any

from tck.interworking import BEST_EFFORT, EVENT_RELIABILITY, PERSISTENT, Any_, Kind
from tck.interworking import acknowledgment as ack
from tck.interworking.qos import (
    CONNECTION_RELIABILITY,
    MAX_QUEUE_LENGTH,
    REJECT_NEW_EVENTS,
    ChannelError,
    UnsupportedQoS,
)
from tck.suite.support import Case, asserts, expect
from tck.suite.support.interworking.acknowledging import (
    ACKNOWLEDGE,
    FAILURE,
    INTERVAL,
    KINDS,
    SILENCE,
    STRUCTURED,
    TICKS,
    PullSource,
    Reliable,
    carrying,
    offering,
    spaced,
    terms,
    with_number,
)
from tck.suite.support.interworking.crossing import numbered


@asserts("iw-4.2.3.1-2", "iw-4.2.3.2-2", plain=True)
def test_what_a_full_channel_does_not_store_is_not_acknowledged(case: Case) -> None:
    """What a supplier pushes into a full channel, or has for its pulls, is acknowledged once there is room, and not before."""
    with expect.all_of():
        on = Reliable(case)
        on.channel.set_admin({MAX_QUEUE_LENGTH: 1, REJECT_NEW_EVENTS: True})
        out, source, pulled = on.consumer(), on.pushing(), PullSource(case, *offering(1))
        on.fill()
        on.pulled_by_channel(pulled, 20)
        try:
            source.push(with_number(numbered(1)[0], 0))
        except ChannelError as error:
            case.witness(f"the full channel raised {type(error).__name__}")
        on.intervals()
        early = (list(source.numbers), list(pulled.numbers))
        while on.pull(out, 10 * INTERVAL):
            case.witness("there is room again")
        on.until("what was pulled is acknowledged", lambda: pulled.numbers)
        with expect.for_row("iw-4.2.3.1-2"):
            expect.equal("acknowledged of what was pushed into a full channel", early[0], [])
        with expect.for_row("iw-4.2.3.2-2"):
            expect.equal("acknowledged of what was there to be pulled", early[1], [])


@asserts("iw-4.2.4-1", "iw-4.2.6-2", plain=True)
def test_all_four_combinations_deliver_and_remove(case: Case) -> None:
    """Single events and batches, pushed and pulled, are delivered, acknowledged, and do not come again."""
    on = Reliable(case)
    probes = [on.pushed_to(kind=kind) for kind in KINDS]
    proxies = [on.pulls_from(kind) for kind in KINDS]
    on.publish(0, 1, 2)
    names: list[list[str]] = []
    for proxy in proxies:
        names.append([])
        while len(names[-1]) < 3 and [found := on.needed(proxy)]:
            proxy.acknowledge((found.known,))
            names[-1] += found.names
    on.until("three events were pushed to both consumers", lambda: all(len(each.names) >= 3 for each in probes))
    on.intervals(5)
    names += [each.names for each in probes]
    expect.equal("the events of the four connections", names, [["0", "1", "2"]] * 4)
    expect.equal("what can be pulled after it", [on.pull(each, INTERVAL) for each in proxies], [None, None])


@asserts("iw-4.2.4-5", plain=True)
def test_each_connection_is_acknowledged_on_its_own(case: Case) -> None:
    """While one consumer is silent, the other gets each event once."""
    on = Reliable(case)
    silent, other = on.pushed_to(otherwise=SILENCE), on.pushed_to()
    on.publish(0, 1, 2)
    on.until("the other got all", lambda: len(other.names) >= 3)
    on.until("the silent one got something again", lambda: silent.numbers.count(0) >= 2)
    on.intervals()
    expect.equal("the events of the other", (other.names, other.numbers), (["0", "1", "2"], [0, 1, 2]))


@asserts("iw-4.2.4-3", "iw-4.2.4-6", "iw-4.2.4-7", plain=True)
def test_a_supplier_may_number_its_events(case: Case) -> None:
    """Events that a supplier has numbered 0, 1, 2 are acknowledged by these numbers, at once or with the next hop."""
    on = Reliable(case)
    probe, source = on.pushed_to(otherwise=SILENCE), on.pushing()
    for number, each in enumerate(numbered(3)):
        source.push(with_number(each, number))
    on.until("the consumer got an event twice", lambda: probe.numbers.count(0) > 1)
    at_once = bool(source.numbers)
    probe.otherwise = ACKNOWLEDGE
    on.until("three numbers were acknowledged", lambda: len(set(source.numbers)) > 2)
    expect.equal("the numbers", sorted(set(source.numbers)), [0, 1, 2])
    expect.record("at once" if at_once else "with the next hop")


@asserts("iw-4.2.6-3", plain=True)
def test_a_consumer_may_acknowledge_several_pushes_at_once(case: Case) -> None:
    """All that came is acknowledged in one call, and none of it comes again."""
    on = Reliable(case)
    probe = on.pushed_to(otherwise=SILENCE)
    on.publish(*range(5))
    on.until("something came", lambda: probe.pushes)
    numbers = {each.known for each in probe.pushes}
    on.calls("acknowledge", lambda: probe.proxy.acknowledge(tuple(sorted(numbers))))
    before = len(probe.pushes)
    on.intervals()
    again = [each.number for each in probe.pushes[before:] if each.number in numbers]
    expect.equal("numbers that came again", again, [])


@asserts("iw-4.2.6-4", plain=True)
def test_an_acknowledgment_of_no_pending_number_is_recorded(case: Case) -> None:
    """Acknowledge with a number that was never given raises or returns; what is pending is still sent again."""
    on = Reliable(case)
    probe = on.pushed_to(SILENCE)
    on.publish(0)
    on.until("the event came", lambda: probe.pushes)
    try:
        probe.proxy.acknowledge((99,))
    except Exception as error:  # noqa: BLE001 - whichever it is
        seen = f"raises {type(error).__name__}"
    else:
        seen = "returns"
    on.until("the pending event came again", lambda: len(probe.pushes) > 1)
    expect.record(f"acknowledge {seen}")


# -- push ----------------------------------------------------------------------------------------------------------


@asserts("iw-4.2.7.1-1", "iw-4.2.7.1-2", "iw-4.2.7-1", plain=True)
def test_what_is_lost_comes_again(case: Case) -> None:
    """After an exception, and without an acknowledgment, an event is pushed again; a failed pull is repeated too."""
    with expect.all_of():
        on = Reliable(case)
        for row, answer in (("iw-4.2.7.1-1", FAILURE), ("iw-4.2.7.1-2", SILENCE)):
            with expect.for_row(row):
                probe = on.pushed_to(answer)
                on.publish(0, 1)
                on.until("the event came again", lambda: probe.names.count("0") >= 2)
                on.until("the next came", lambda: "1" in probe.names)
        with expect.for_row("iw-4.2.7-1"):
            source = PullSource(case, *offering(1))
            source.pull_answers = [FAILURE]
            on.pulled_by_channel(source)
            on.until("what was pulled was acknowledged", lambda: source.numbers)
            repeated = on.pushed_to(FAILURE)
            on.publish(0)
            on.until("what was pushed came again", lambda: len(repeated.pushes) > 1)


@asserts("iw-4.2.7.1-3", "iw-4.2.8.2-1", "iw-4.2.7.1-4", plain=True)
def test_retries_and_the_time_between_them(case: Case) -> None:
    """With Retries 3 a push to a dead consumer is repeated at least three times, RetryInterval apart, and not for ever."""
    with expect.all_of():
        on = Reliable(case)
        for answer in (FAILURE, SILENCE):
            probe = on.pushed_to(otherwise=answer)
            on.publish(0)
            on.until("there was a retry", lambda: len(probe.pushes) > 1)
            pushes = on.settled(lambda: len(probe.pushes))
            for row in ("iw-4.2.7.1-3", "iw-4.2.8.2-1"):
                with expect.for_row(row):
                    expect.true("there are three retries or more", pushes >= 4, f"{pushes} pushes")
            with expect.for_row("iw-4.2.7.1-4"):
                spaced([each.at for each in probe.pushes])


@asserts("iw-4.2.7.1-7", plain=True)
def test_a_failed_acknowledgment_of_a_push_does_no_harm(case: Case) -> None:
    """A supplier whose acknowledge fails pushes again, and is acknowledged to again."""
    on = Reliable(case)
    source = on.pushing(FAILURE)
    source.push(with_number(numbered(1)[0], 0))
    on.until("acknowledge was called", lambda: source.numbers)
    on.intervals()
    before = len(source.numbers)
    source.push(with_number(numbered(1)[0], 0))
    on.until("the repetition was acknowledged", lambda: before > 1 or len(source.numbers) > before)


# -- pull ----------------------------------------------------------------------------------------------------------


@asserts("iw-4.2.7.2-1", "iw-4.2.7.2-3", plain=True)
def test_a_failed_pull_is_repeated(case: Case) -> None:
    """A supplier that fails twice is pulled again after RetryInterval, and its event comes."""
    with expect.all_of():
        on = Reliable(case)
        out = on.consumer()
        source = PullSource(case, *offering(1))
        source.pull_answers = [FAILURE, FAILURE]
        on.pulled_by_channel(source)
        with expect.for_row("iw-4.2.7.2-1"):
            on.until("the event was acknowledged", lambda: source.numbers)
            expect.equal("its name", on.pulled(out, 1)[0].header.fixed_header.event_name, "0")
        with expect.for_row("iw-4.2.7.2-3"):
            on.until("there was a second pull", lambda: len(source.pulls) > 1)
            spaced([at for at, _ in source.pulls[:3]])


@asserts("iw-4.2.7.2-2", "iw-4.2.7.3-1", "iw-4.2.7.3-2", "iw-4.2.7.3-5", plain=True)
def test_retries_have_an_end(case: Case) -> None:
    """A dead supplier is pulled three times with Retries 2, a dead consumer gets no later event, others go on, and both are reported."""
    with expect.all_of():
        on = Reliable(case)
        source = PullSource(case)
        source.always = True
        proxy = on.pulled_by_channel(source, 2)
        dead, other = on.pushed_to(otherwise=FAILURE), on.pushed_to()
        on.publish(0)
        with expect.for_row("iw-4.2.7.2-2"):
            pulls = on.settled(lambda: len(source.pulls))
            expect.true("there are two retries or more", pulls > 2, f"{pulls} pulls")
        with expect.for_row("iw-4.2.7.3-1"):
            pushes = on.settled(lambda: len(dead.pushes))
            on.publish(1)
            on.until("the other consumer got the next event", lambda: "1" in other.names)
            on.intervals()
            expect.equal(
                "later pushes to the dead consumer", (len(dead.pushes) - pushes, "1" in dead.names), (0, False)
            )
        with expect.for_row("iw-4.2.7.3-5"):
            again = on.pushed_to()
            on.publish(2)
            on.until("a new connection gets what comes", lambda: again.names == ["2"])
        with expect.for_row("iw-4.2.7.3-2"):
            reports = on.hook(ack.ReportsFailures)
            on.until("there are two reports", lambda: len(reports.delivery_failures()) > 1)
            proxies = [on.channels.shown(each.proxy) for each in reports.delivery_failures()]
            expect.equal("reports on either connection", [proxies.count(each) for each in (proxy, dead.proxy)], [1, 1])


@asserts("iw-4.2.7.2-7", "iw-4.2.7.2-8", plain=True)
def test_the_counts_of_a_pull(case: Case) -> None:
    """With Retries 2, two failed pulls and two failed acknowledgments end in success; after it all retries are there again."""
    with expect.all_of():
        on = Reliable(case)
        for _ in range(2):
            source = PullSource(case, *offering(2))
            source.pull_answers, source.acknowledge_answers = [FAILURE] * 2, [FAILURE] * 2
            on.pulled_by_channel(source, 2)
            with expect.for_row("iw-4.2.7.2-7"):
                on.until("0 was acknowledged at last", lambda: source.numbers.count((0,)) > 2)
        with expect.for_row("iw-4.2.7.2-8"):
            source = PullSource(case, *offering(3))
            source.pull_answers = [FAILURE, FAILURE, ACKNOWLEDGE, FAILURE, FAILURE]
            on.pulled_by_channel(source, 2)
            on.until("the pull after the success is repeated", lambda: (1,) in source.numbers)


@asserts("iw-4.2.7.3-4", plain=True)
def test_recovery_does_not_forget_what_came(case: Case) -> None:
    """After all retries of acknowledge have failed and delivery is resumed, the event that is offered again is not carried again."""
    on = Reliable(case)
    recovery = on.hook(ack.RecoversDelivery)
    out, source = on.consumer(), PullSource(case, *offering(1))
    source.acknowledge_answers = [FAILURE] * 3
    proxy = on.pulled_by_channel(source, 2)
    on.until("acknowledge failed three times", lambda: len(source.numbers) > 2)
    on.intervals(5)
    source.batches = [*offering(1), *offering(2, 1)]
    recovery.recover_delivery(on.channels.plain(proxy))
    on.until("the next event is acknowledged", lambda: any(1 in each for each in source.numbers))
    names = [each.header.fixed_header.event_name for each in on.pulled(out, 2)]
    expect.equal("the events at the consumer", names, ["0", "1"])


# -- the properties ------------------------------------------------------------------------------------------------


@asserts("iw-4.2.8-1", "iw-4.2.8.4-2", plain=True)
def test_what_holds_where_nothing_is_set(case: Case) -> None:
    """A new channel says what the properties are, or does not; nothing is numbered then, also not what has them in its header."""
    on = Reliable(case)
    on.works()
    qos = on.channel.get_qos()
    probe = on.pushed_to(qos={}, otherwise=SILENCE)
    on.feed.push_structured_event(carrying(numbered(1)[0], ack.DELIVERY_RELIABILITY, Any_.of(Kind.SHORT, 1)))
    on.until("the event came", lambda: probe.pushes)
    on.intervals()
    expect.equal("its numbers", probe.numbers, [None])
    names = (ack.DELIVERY_RELIABILITY, ack.RETRIES, ack.RETRY_INTERVAL)
    expect.record(", ".join(f"{each} {qos.get(each, 'unset')}" for each in names))


@asserts("iw-4.2.8.1-1", "iw-4.2.8.4-1", plain=True)
def test_the_properties_can_be_set_on_each_level(case: Case) -> None:
    """Channel, admin and proxy take the three properties and show them; DeliveryReliability 2 is refused."""
    with expect.all_of():
        on = Reliable(case)
        on.works()
        admin = on.channel.new_for_consumers()[0]
        proxy: Any = admin.obtain_notification_push_supplier(STRUCTURED)[0]
        given = {ack.DELIVERY_RELIABILITY: 1, ack.RETRIES: 5, ack.RETRY_INTERVAL: 3 * TICKS}
        for each in (on.channel, admin, proxy):
            with expect.for_row("iw-4.2.8.4-1"):
                on.calls("set_qos", lambda: each.set_qos(given))
                expect.equal("read back", {name: each.get_qos().get(name) for name in given}, given)
            with expect.for_row("iw-4.2.8.1-1"):
                on.calls("set_qos", lambda: each.set_qos({ack.DELIVERY_RELIABILITY: 0}))
                expect.raises(
                    UnsupportedQoS, lambda: each.set_qos({ack.DELIVERY_RELIABILITY: 2}), what="set_qos with 2"
                )


@asserts("iw-4.2.8.1-2", "iw-4.2.8.1-3", plain=True)
def test_weaker_pairs_of_reliability_are_recorded(case: Case) -> None:
    """With acknowledgment, pairs with BestEffort are taken and shown as they are, or refused with UnsupportedQoS."""
    with expect.all_of():
        on = Reliable(case)
        on.works()
        for event, connection in ((BEST_EFFORT, BEST_EFFORT), (BEST_EFFORT, PERSISTENT), (PERSISTENT, BEST_EFFORT)):
            row = "iw-4.2.8.1-3" if event == PERSISTENT else "iw-4.2.8.1-2"
            pair = {EVENT_RELIABILITY: event, CONNECTION_RELIABILITY: connection}
            with expect.for_row(row):
                try:
                    channel = on.channels.create_channel({**pair, ack.DELIVERY_RELIABILITY: 1}, {})[0]
                except UnsupportedQoS as error:
                    case.witness(f"{pair} was refused: {error}")
                    expect.record(f"{event} with {connection} is refused")
                else:
                    qos = channel.get_qos()
                    expect.equal("the pair", {name: qos[name] for name in pair}, pair)
                    expect.record(f"{event} with {connection} is taken")


@asserts("iw-4.2.8.1-4", plain=True)
def test_persistent_events_on_persistent_connections(case: Case) -> None:
    """Both reliabilities may be Persistent with acknowledgment, and what was not acknowledged outlives a crash of the channel."""
    on = Reliable(case)
    on.calls("set_qos", lambda: on.channel.set_qos({EVENT_RELIABILITY: PERSISTENT, CONNECTION_RELIABILITY: PERSISTENT}))
    probe = on.pushed_to(SILENCE, qos=terms(**{CONNECTION_RELIABILITY: PERSISTENT}))
    on.publish(0)
    on.until("the event came", lambda: probe.pushes)
    hook, channel = on.hook(ack.Crashes), on.channels.plain(on.channel)
    hook.crash(channel)
    hook.restart(channel)
    on.until("it came again after the restart", lambda: probe.names.count("0") >= 2)


@asserts("iw-4.2.8.3-1", plain=True)
def test_retry_interval_counts_units_of_100_ns(case: Case) -> None:
    """RetryInterval 5 000 000 is half a second."""
    on = Reliable(case)
    probe = on.pushed_to(SILENCE, qos=terms(**{ack.RETRY_INTERVAL: 5_000_000}))
    on.publish(0)
    on.until("the event came again", lambda: len(probe.pushes) > 1)
    gap = probe.pushes[1].at - probe.pushes[0].at
    expect.true("half a second lies between", gap >= 450, f"{gap} ms")


@asserts("iw-4.2.8.4-3", plain=True)
def test_the_nearer_setting_holds(case: Case) -> None:
    """With 1 on the channel, 0 on the admin and 1 on a proxy, the proxy numbers its events, and its sibling does not."""
    on = Reliable(case)
    on.channel.set_qos({ack.DELIVERY_RELIABILITY: 1})
    own, sibling = on.pushed_to(qos={}), on.pushed_to(qos={ack.DELIVERY_RELIABILITY: 0})
    admin = sibling.proxy.admin
    last = on.pushed_to(qos={})
    last.proxy.disconnect_structured_push_supplier()
    last.proxy = admin.obtain_notification_push_supplier(STRUCTURED)[0]
    last.proxy.set_qos({ack.DELIVERY_RELIABILITY: 1})
    last.proxy.connect_structured_push_consumer(last)
    on.publish(0)
    on.until("all three got the event", lambda: all(each.pushes for each in (own, sibling, last)))
    expect.equal("the numbers", [each.numbers[0] for each in (own, sibling, last)], [0, None, 0])
