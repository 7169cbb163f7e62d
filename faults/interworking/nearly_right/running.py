"""Narrow faults of bridges that run, and of their factory."""

from faults.interworking.kit import *


@round_12(
    "bridge-leaves-suspended-after-a-loss",
    "does not resume its proxy at a start where the connection to JMS was lost while the bridge was stopped",
    "iw-3.1.2.1-1",
    "iw-2.3-27",
    "iw-2.3-31",
)
class _(ReferenceBridge):
    def _open_again(self):
        self._suspended = False  # so the connection to the channel is not resumed
        super()._open_again()


@round_12(
    "bridge-id-by-count",
    "numbers a bridge by how many there are, so that after an older one was destroyed it gets the id of a living one",
    "iw-3.1.3.1-8",
    "iw-3.1.3.3-1",
    "iw-3.1.3.2-1",
    at="of_factory",
)
def _(factory):
    create = factory.create_bridge

    def create_bridge(source, sink):
        factory._last = len(factory.get_all_bridges())
        return create(source, sink)

    factory.create_bridge = create_bridge


@round_12(
    "bridge-second-loss-unnoticed",
    "stays started where the connection that it made after a loss is lost too",
    "iw-2.3-21",
    "iw-2.3-17",
    "iw-2.3-31",
)
class _(ReferenceBridge):
    def _open_again(self):
        super()._open_again()
        self.connection.exception_listener = None


@round_12(
    "bridge-durable-until-a-loss",
    "receives from a topic without its durable subscription after the connection to JMS was lost and made again",
    "iw-2.5.2-4",
)
class _(ReferenceBridge):
    _again = False

    def _open_again(self):
        self._again = True
        super()._open_again()

    def made_consumer(self):
        if self._again:
            return self.session.create_consumer(self.destination)
        return super().made_consumer()


@round_12(
    "bridge-urgent-first",
    "sends those events of a batch first that have a Timeout",
    "iw-2.5.6-9",
    "iw-2.5.6-8",
    "iw-2.5.6-10",
)
class _(acknowledging.Consuming):
    def _taken(self, events):
        number = number_of(events) if self.terms.on else None
        ordered = tuple(sorted(events, key=lambda each: each.field(TIMEOUT) is None))
        return super()._taken(ordered if number is None else with_number(ordered, number))


@round_12(
    "bridge-leaves-deadline-order",
    "sets no OrderPolicy on its proxy where admin or channel say DeadlineOrder",
    "iw-2.5.6-4",
    "iw-2.5.6-6",
)
class _(ReferenceBridge):
    def _quality(self):
        quality = super()._quality()
        if self.proxy.admin.get_qos()[ORDER_POLICY] == DEADLINE_ORDER:
            del quality[ORDER_POLICY]
        return quality


@round_12(
    "bridge-checks-a-channel-once",
    "does not find INVALID_CHANNELID where a channel that it has bridged before was destroyed",
    "iw-3.1.3.1-4",
    "iw-3.1.3.1-3",
    at="of_factory",
)
def _(factory):
    checked = factory._errors
    known = set()

    def errors(point, role):
        found = checked(point, role)
        if not isinstance(point.connector, int):
            return found
        if point.connector in known:
            return [each for each in found if each.code != EndpointErrorCode.INVALID_CHANNELID]
        if not found:
            known.add(point.connector)
        return found

    factory._errors = errors


@round_12(
    "bridge-stopped-stays-connected",
    "does not disconnect from its proxy where it is destroyed while it is stopped",
    "iw-3.1.2.4-1",
    "iw-2.3-35",
)
class _(ReferenceBridge):
    _idle = False

    def destroy(self):
        self._idle = self._connected and not self.started
        super().destroy()

    def _disconnect(self):
        if not self._idle:
            super()._disconnect()
