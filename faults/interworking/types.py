"""Faults of the types of the IDL: numbers of enums, places of members, exceptions, attributes and signatures."""

from dataclasses import replace

from faults.interworking.kit import *


def _reported(rows, title, change):
    """Declare a change of the end points that a bridge gives back as a fault."""

    class Reporting(ReferenceBridge):
        @property
        def end_point_receiver(self):
            return change(super().end_point_receiver)

        @property
        def end_point_sender(self):
            return change(super().end_point_sender)

    declare(rows, title)(Reporting)


def _placed(point, change):
    """Return an end point with another destination."""
    if isinstance(point.connector, JMSDestination):
        return replace(point, connector=change(point.connector))
    return point


def _exchanged(place):
    return replace(place, name=place.factory_name, factory_name=place.name)


def _lacking(point):
    return replace(point, connector=None) if point.type == MessageType.SEQUENCE_EVENT else point


_reported("iw-3.1-1", "SINK is 0 and SOURCE 1", lambda each: replace(each, role=1 - each.role))
_reported(
    "iw-3.1-2", "TOPIC is 0 and QUEUE 1", lambda each: _placed(each, lambda place: replace(place, type=1 - place.type))
)
_reported(
    "iw-3.1-3",
    "events of any type are 1, structured ones 2",
    lambda each: replace(each, type=each.type + (each.type > 0)),
)
_reported("iw-3.1-4", "PULL is 0 and PUSH 1", lambda each: replace(each, style=1 - each.style))
_reported("iw-3.1-5", "factory_name comes before destination_name", lambda each: _placed(each, _exchanged))
_reported("iw-3.1-6", "SEQUENCE_EVENT selects no member", _lacking)
_reported("iw-3.1-7", "type comes before style", lambda each: replace(each, style=each.type, type=each.style))
_reported("iw-3.1.1.2-3", "a connector has both members", lambda each: replace(each, connector=(each.connector, 0)))


def _of_error(rows, title, change):
    """Declare a change of the exceptions of create_bridge as a fault."""

    def make(create, source, sink):
        try:
            return create(source, sink)
        except InvalidExternalEndPoints as error:
            change(error)
            raise

    declare(rows, title, creating(make))


def _numbered_otherwise(error):
    first, second = EndpointErrorCode.INVALID_CHANNELID, EndpointErrorCode.INVALID_JMSDESTINATION
    other = {first: second, second: first}
    error.errors = tuple(replace(each, code=other.get(each.code, each.code)) for each in error.errors)


def _single(error):
    error.errors = error.errors[0].code


_of_error("iw-3.1-8", "the first two codes have changed places", _numbered_otherwise)
_of_error("iw-3.1-9", "the exception carries a single code", _single)


def _result(rows, title, change):
    """Declare a change of what create_bridge returns as a fault."""
    declare(rows, title, creating(lambda create, *ends: change(*create(*ends))))


_result("iw-3.1-10", "ids are texts", lambda bridge, number: (bridge, f"bridge-{number}"))
_result("iw-3.1-14", "the id is the result, and the bridge the out parameter", lambda bridge, number: (number, bridge))


@declare("iw-2.8-2", "get_bridge_with_id is not implemented", at="of_factory")
def _(factory):
    def find(bridge_id):
        raise NotImplementedError(f"bridge {bridge_id} is not looked for")

    def close():
        for each in list(factory._bridges.values()):
            each.destroy()

    factory.get_bridge_with_id, factory.close = find, close


@declare("iw-3.1-11", "exceptions carry a reason")
class _(ReferenceBridge):
    def start_bridge(self):
        try:
            super().start_bridge()
        except BridgeAlreadyStarted as error:
            error.reason = str(error)
            raise

    def stop_bridge(self):
        try:
            super().stop_bridge()
        except BridgeInactive as error:
            error.reason = str(error)
            raise


@declare("iw-3.1-12", "the end points can be set")
class _(ReferenceBridge):
    @property
    def end_point_receiver(self):
        return self._source

    @end_point_receiver.setter
    def end_point_receiver(self, point):
        self._source = point

    @property
    def end_point_sender(self):
        return self._sink

    @end_point_sender.setter
    def end_point_sender(self, point):
        self._sink = point


@declare("iw-3.1.1.2-7", "the connection comes from the default factory")
class _(ReferenceBridge):
    def _factory(self):
        return self.provider.connection_factory()
