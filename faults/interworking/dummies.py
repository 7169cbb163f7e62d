"""Bridges and channels that do nothing, so that no row is passed by doing nothing."""

from dataclasses import replace

from faults.interworking.declaring import PROXIES
from reference_interworking.bridge.converter import ReferenceConverter
from reference_interworking.channel import StandInFactory
from reference_interworking.channel.acknowledged import Heard, Kept
from tck.interworking import BridgeError, StructuredEvent
from tck.interworking.bridge import Bridge, BridgeFactory, BridgeNotFound, BridgeStatus


class PlainChannels(StandInFactory):
    """The channels of the dummies: what a bridge has to bring along they have not either."""

    use_transactions = None


def raising():
    """Return a dummy that raises whatever it is asked."""
    return _Raising()


def inert():
    """Return a dummy whose events and messages have nothing in them."""
    return _Inert()


class _Raising(ReferenceConverter):
    def to_event(self, message, now):
        raise BridgeError(f"{message.jms_message_id} at {now}: a dummy carries nothing")

    def to_message(self, event, session, now):
        raise BridgeError(f"{event.header.fixed_header.event_name} at {now}: a dummy carries nothing, {session} or not")


class _Inert(ReferenceConverter):
    def to_event(self, message, now):
        return super().to_event(message, now) and StructuredEvent()

    def to_message(self, event, session, now):
        made = super().to_message(StructuredEvent(), session, now)
        assert made is not None
        empty = session.create_message()
        return replace(made, message=empty)


def raising_factory(channels, provider):
    """Return a dummy that makes no bridge."""
    return _RaisingFactory()


def inert_factory(channels, provider):
    """Return a dummy whose bridges do nothing."""
    return _InertFactory()


class _RaisingFactory(BridgeFactory):
    def create_bridge(self, source, sink):
        raise BridgeError(f"a dummy makes no bridge from {source} to {sink}")

    def get_bridge_with_id(self, bridge_id):
        raise BridgeError(f"a dummy has no bridge {bridge_id}")

    def get_all_bridges(self):
        return ()

    def close(self):
        pass


class _InertFactory(_RaisingFactory):
    def create_bridge(self, source, sink):
        return _InertBridge(source, sink), 0

    def get_bridge_with_id(self, bridge_id):
        raise BridgeNotFound(f"a dummy has no bridge {bridge_id}")


class _InertBridge(Bridge):
    def __init__(self, source, sink):
        self._points = source, sink

    @property
    def end_point_receiver(self):
        return self._points[1]

    @property
    def end_point_sender(self):
        return self._points[0]

    def start_bridge(self):
        pass

    def stop_bridge(self):
        pass

    def get_status(self):
        return BridgeStatus.STOPPED

    def destroy(self):
        pass


class _NoKept(Kept):
    @property
    def on(self):
        return False


class _NoHeard(Heard):
    @property
    def on(self):
        return False


class _Plain:
    keeping = _NoKept
    hearing = _NoHeard


def plain_channels(clock):
    """Return a factory of channels that take the properties of acknowledgment and do nothing with them."""
    factory = PlainChannels(clock)
    for proxy in PROXIES:
        factory.kinds[proxy] = type(proxy.__name__, (_Plain, proxy), {})
    return factory
