"""Narrow faults that no case notices yet, each with a witness that sees it; one moves to `nearly_right` when the suite notices it."""

import weakref
from dataclasses import replace

from faults.interworking.kit import *
from faults.interworking.witnessing import *


def _to_zone(given):
    value = given.value
    if not isinstance(value, tuple) or len(value) != 4:
        return given
    return Any_(given.type, (max(0, value[0] + value[3] * 600_000_000), *value[1:]))


def _lives_until_a_time_of_a_zone(w):
    parts = {"time": Kind.ULONGLONG, "inacclo": Kind.ULONG, "inacchi": Kind.USHORT, "tdf": Kind.SHORT}
    utc = struct_of("UtcT", **{name: TypeCode(kind) for name, kind in parts.items()})
    stop = 122_192_928_000_000_000 + (w.clock.now() + 60_000) * 10_000
    return [w.made(event(header={STOP_TIME: Any_(utc, (stop, 0, 0, tdf))})).time_to_live for tdf in (0, 120)]


round_13(
    "bridge-stop-time-in-its-zone",
    "A StopTime with a displacement (tdf) is shifted by it, though the time of a UtcT is universal already.",
    "iw-2.5.5-1",
    "iw-2.5-1",
    of_given=lambda event: with_header(event, changed(STOP_TIME, _to_zone)),
    witness=_lives_until_a_time_of_a_zone,
    expected=[60_000, 60_000],
)


def _octets_there_and_back(w):
    alias = TypeCode(Kind.ALIAS, "Blob", "IDL:Blob:1.0", content=OCTET_SEQ)
    made = [w.made(event(body=Any_(each, b"abc"))).message for each in (OCTET_SEQ, alias)]
    return [w.carried(each).remainder_of_body.value for each in made]


@round_13(
    "bridge-typedef-of-octets-encapsulated",
    "A body that is an octet sequence under a typedef becomes its encapsulation with the type, not the same bytes.",
    "iw-2.4.2-43",
    "iw-2.4.2-5",
    at="of_given",
    witness=_octets_there_and_back,
    expected=[b"abc", b"abc"],
)
def _(event):
    body = event.remainder_of_body
    if body.type.kind == Kind.ALIAS and body.type.plain == OCTET_SEQ:
        return replace(event, remainder_of_body=Any_.octets(encode(body)))
    return event


def _maps_of_one_and_of_no_property(w):
    made = [w.made(event(body=Any_.properties(each))) for each in ({"a": Any_.of(Kind.STRING, "b")}, {})]
    return [isinstance(each.message, jms.MapMessage) for each in made]


@round_13(
    "bridge-no-map-of-no-properties",
    "An empty PropertySeq becomes a message without a body, not an empty MapMessage.",
    "iw-2.4.2-42",
    "iw-2.4.2-5",
    at="of_given",
    witness=_maps_of_one_and_of_no_property,
    expected=[True, True],
)
def _(event):
    body = event.remainder_of_body
    return replace(event, remainder_of_body=NULL) if body.type.plain == PROPERTY_SEQ and not body.value else event


def _rounded(value):
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(float(value)) if 2**53 < abs(value) < 2**1000 else value
    if isinstance(value, jms.Long):
        return jms.Long(min(2**63 - 1, int(float(value.value)))) if abs(value.value) > 2**53 else value
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    if isinstance(value, tuple):
        return tuple(_rounded(each) for each in value)
    return {key: _rounded(each) for key, each in value.items()} if isinstance(value, dict) else value


def _object_read_back(w):
    made = w.carried(w.session.create_object_message({"id": [2**53 + 1, 7]}))
    return w.converter.read_object(made.remainder_of_body.value)


round_13(
    "bridge-object-numbers-as-doubles",
    "Whole numbers beyond 2^53 in an object are rounded to doubles when the octets are read.",
    "iw-2.4.1.1.5-2",
    "iw-2.4-3",
    of_object=_rounded,
    witness=_object_read_back,
    expected={"id": [2**53 + 1, 7]},
)


def _failed_restart(w):
    channel = w.channel(ConnectionReliability=1, EventReliability=1)
    bridge = w.to_jms(channel)
    bridge.start_bridge()
    bridge.stop_bridge()
    channel.crash()
    failed = False
    try:
        bridge.start_bridge()
    except InvalidExternalEndPoints:
        failed = True
    status = bridge.get_status()
    channel.restart()
    return failed, status


@round_13(
    "bridge-started-by-a-failed-restart",
    "A start after a stop that fails, since the channel does not answer, leaves the bridge in the started state.",
    "iw-2.3-20",
    "iw-3.1.2.3-1",
    "iw-2.3-31",
    witness=_failed_restart,
    expected=(True, BridgeStatus.STOPPED),
)
class _(ReferenceBridge):
    """The state is set before the connections are resumed."""

    def start_bridge(self):
        again = self._connected
        try:
            super().start_bridge()
        except InvalidExternalEndPoints:
            self.started = self.started or again
            raise


def _errors_of_both_ends(w):
    try:
        w.to_jms(99, "no such factory")
    except InvalidExternalEndPoints as error:
        return [each.code for each in error.errors]


@round_13(
    "bridge-factory-stops-at-the-first-error",
    "Of two end points that are invalid for different reasons only the source is reported.",
    "iw-3.1.3.1-5",
    "iw-3.1.3.1-4",
    by=creating,
    witness=_errors_of_both_ends,
    expected=[EndpointErrorCode.INVALID_CHANNELID, EndpointErrorCode.INVALID_JMSDESTINATION],
)
def _(create, source, sink):
    try:
        return create(source, sink)
    except InvalidExternalEndPoints as error:
        if len({each.code for each in error.errors}) > 1:
            raise InvalidExternalEndPoints(error.errors[0]) from None
        raise


_STARTED = weakref.WeakSet()


def _stop_of_another_bridge(w):
    there, back = w.channel(), w.channel()
    got = w.heard(back)
    one, two = w.to_jms(there), w.from_jms(back)
    one.start_bridge()
    two.start_bridge()
    w.send("before")
    w.sleep(1000)
    one.stop_bridge()
    w.send("after")
    w.sleep(1000)
    return got, two.get_status()


@round_13(
    "bridge-stops-the-connection-of-others",
    "A stop of one bridge stops the JMS connection of the other bridges of the same destination too.",
    "iw-2.3-2",
    "iw-2.3-21",
    "iw-2.3-31",
    witness=_stop_of_another_bridge,
    expected=(["before", "after"], BridgeStatus.STARTED),
)
class _(ReferenceBridge):
    """One connection for all bridges of a destination."""

    def start_bridge(self):
        super().start_bridge()
        _STARTED.add(self)

    def stop_bridge(self):
        super().stop_bridge()
        _STARTED.discard(self)
        for other in list(_STARTED):
            if other.provider is self.provider and other.place == self.place and other._active:
                other.connection.stop()

    def destroy(self):
        _STARTED.discard(self)
        super().destroy()


def _two_channels_of_a_topic(w):
    found = []
    for _ in range(2):
        try:
            bridge = w.from_jms(w.channel(ConnectionReliability=1), DestinationType.TOPIC)
            bridge.start_bridge()
            found.append(bridge.get_status())
        except (BridgeError, jms.JMSException) as error:
            found.append(error)
    return found


@round_13(
    "bridge-durable-name-without-channel",
    "Durable subscriptions are named by topic and proxy, so that bridges from one topic to two channels have the same.",
    "iw-2.5.2-4",
    "iw-2.3-2",
    witness=_two_channels_of_a_topic,
    expected=[BridgeStatus.STARTED] * 2,
)
class _(ReferenceBridge):
    @property
    def _own_name(self):
        return f"bridge-{self.place.name}-{self.proxy.admin.id}-{self.proxy.id}"


class _Straight(Repetitions):
    def has(self, number):
        return self._last is not None and number <= self._last and number not in self._missing


def _numbers_begin_anew(w):
    channel = w.acknowledged()
    w.to_jms(channel).start_bridge()
    admin = channel.default_consumer_admin
    w.channels.set_next_number(admin.get_proxy_supplier(admin.push_suppliers[0]), LAST_NUMBER - 1)
    w.publish(channel, *"abcd")
    w.sleep(8000)
    return w.received()


@round_13(
    "bridge-zero-after-the-wrap-is-a-repetition",
    "After number 2^31 - 1 the bridge takes 0 for a repetition: it acknowledges the event and sends no message.",
    "iw-4.2.7.1-5",
    "iw-4.2.5-8",
    "iw-2.6.1-1",
    witness=_numbers_begin_anew,
    expected=["a", "b", "c", "d"],
)
class _(acknowledging.Consuming):
    def __init__(self, *given):
        super().__init__(*given)
        self.seen = _Straight()


def _one_number_twice(w):
    channel = w.acknowledged()
    proxy = channel.default_consumer_admin.obtain_notification_pull_supplier(ClientType.STRUCTURED_EVENT)[0]
    proxy.connect_structured_pull_consumer(Puller())
    for each in "ab":
        w.publish(channel, each)
        proxy.try_pull_structured_event()
    proxy.acknowledge((0, 0))
    w.sleep(2000)
    again = proxy.try_pull_structured_event()
    return again and again.remainder_of_body.value


@round_13(
    "bridge-channel-number-named-twice",
    "A number that one acknowledge names twice removes the event that follows too.",
    "iw-4.2.5.2-6",
    "iw-2.6.1-1",
    by=keeping,
    witness=_one_number_twice,
    expected="b",
)
class _(Kept):
    def acknowledge(self, numbers):
        known = {each.number for each in self.items}
        named = [each for each in numbers if each in known]
        super().acknowledge(numbers)
        del self.items[: len(named) - len(set(named))]


class _OfTheChannel:
    def agree(self, channel):
        if channel.get_qos().get(DELIVERY_RELIABILITY) == ACKNOWLEDGMENT:
            super().agree(channel)


class _ConsumingOfChannel(_OfTheChannel, acknowledging.Consuming):
    pass


class _SupplyingOfChannel(_OfTheChannel, acknowledging.Supplying):
    pass


def _acknowledgment_of_an_admin(w):
    channel = w.channel()
    channel.default_consumer_admin.set_qos({DELIVERY_RELIABILITY: ACKNOWLEDGMENT, RETRY_INTERVAL: S, RETRIES: 2})
    w.to_jms(channel).start_bridge()
    w.publish(channel, "a")
    w.sleep(8000)
    return w.received(), len(w.channels.delivery_failures())


round_13(
    "bridge-acknowledgment-of-channels-only",
    "A bridge heeds DeliveryReliability Acknowledgment of the channel, not that of an admin or of its proxy.",
    "iw-2.6.1-4",
    "iw-4.2.8.4-1",
    "iw-4.2.8.4-3",
    witness=_acknowledgment_of_an_admin,
    expected=(["a"], 0),
    parts=standing(_ConsumingOfChannel, _SupplyingOfChannel),
)


class _OwnFirst(Settings):
    __slots__ = ()

    def __getitem__(self, name):
        return self.own[name] if name in RELIABILITIES and name in self.own else super().__getitem__(name)


def _persistent_by_transactions(w):
    found = []
    for own in ({}, {CONNECTION_RELIABILITY: BEST_EFFORT}):
        proxy = w.channel().default_consumer_admin.obtain_notification_push_supplier(ClientType.STRUCTURED_EVENT)[0]
        proxy.set_qos(own)
        proxy.set_qos({ENABLE_TRANSACTION: True})
        found.append(proxy.get_qos()[CONNECTION_RELIABILITY])
    return found


@round_13(
    "bridge-channel-own-reliability-stays",
    "EnableTransaction makes no connection persistent whose proxy has BestEffort of its own, set or left by disabling.",
    "iw-2.7.6.1-11",
    "iw-4.3-1",
    by=into(StandInProxy),
    witness=_persistent_by_transactions,
    expected=[PERSISTENT, PERSISTENT],
)
class _:
    def __init__(self, *given):
        super().__init__(*given)
        self.qos.__class__ = _OwnFirst


def _transaction_after_a_restart(w):
    channel = w.channel()
    bridge = w.to_jms(channel)
    bridge.enable_transaction(2, 0)
    bridge.start_bridge()
    bridge.stop_bridge()
    bridge.start_bridge()
    w.refuse_once()
    w.publish(channel, *"ab")
    w.sleep(10_000)
    return w.received()


@round_13(
    "bridge-restarts-on-the-plain-session",
    "A bridge with transactions that is stopped and started works on its plain session, outside the transaction.",
    "iw-2.7.5.1-2",
    "iw-2.7.5.2-3",
    "iw-2.7.5-2",
    witness=_transaction_after_a_restart,
    expected=["a", "b"],
)
class _(ReferenceBridge):
    def start_bridge(self):
        with self.life:
            if self.unit.enabled and self._connected and not self._active:
                self.session = self.unit._plain_session
                self.unit._reopen()
            super().start_bridge()
