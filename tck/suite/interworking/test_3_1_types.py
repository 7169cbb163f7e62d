"""Interworking 3.1: the types of the IDL, as far as what a bridge gives shows them.

No ORB takes part. What a bridge gives back is written as an ORB would send it, by the rules of CDR, big endian and from the start of a
message, and compared with bytes that are laid out here by hand. So a wrong number of an enum, and members of a struct that have changed
places, are seen; the names of types and their repository ids are not.
"""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tck import api
from tck.interworking.bridge import (
    Bridge,
    BridgeAlreadyStarted,
    BridgeInactive,
    BridgeNotFound,
    DestinationType,
    ExternalEndpoint,
    InvalidExternalEndPoints,
    JMSDestination,
)
from tck.suite.support import Case, asserts, expect
from tck.suite.support.harness.outcome import Broken, Unsupported
from tck.suite.support.interworking.crossing import (
    CONNECTING,
    GROUPS,
    MESSAGE,
    PULL,
    PUSH,
    SEQUENCE,
    SINK,
    SOURCE,
    STRUCTURED,
    Crossing,
    crosses_to_channel,
    crosses_to_jms,
)

NOT_THERE = 999_999
"""The id of no channel, and of no bridge."""
LONG = range(-(2**31), 2**31)
"""What an IDL long may be."""


def number(what: str, value: object) -> int:
    """Return a value as an ORB would send it, or break the row."""
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    raise Broken(f"{what} was {value!r}", expected="a number, as enums and longs are sent")


def text(before: bytes, value: object) -> bytes:
    """Return bytes with a string behind them: its length with the closing zero, and its octets."""
    if not isinstance(value, str):
        raise Broken(f"a name was {value!r}", expected="a string")
    octets = value.encode() + b"\0"
    return before + b"\0" * (-len(before) % 4) + struct.pack(">I", len(octets)) + octets


def place(before: bytes, value: object) -> bytes:
    """Return bytes with a JMSDestination behind them: destination_type, destination_name, factory_name."""
    if not isinstance(value, JMSDestination):
        raise Broken(f"the connector was {value!r}", expected="a JMSDestination")
    return text(text(before + struct.pack(">I", number("the type", value.type)), value.name), value.factory_name)


def sent(point: ExternalEndpoint) -> bytes:
    """Return an end point as it is sent: role, connector behind its discriminator, style, type."""
    kind = number("the type", point.type)
    octets = struct.pack(">II", number("the role", point.role), kind)
    if kind == 0:
        octets = place(octets, point.connector)
        octets += b"\0" * (-len(octets) % 4)
    else:
        octets += struct.pack(">i", number("the channel id", point.connector))
    return octets + struct.pack(">II", number("the style", point.style), kind)


def _ends(crossing: Crossing, points: tuple[ExternalEndpoint, ExternalEndpoint]) -> list[ExternalEndpoint]:
    """Return both ends of a new bridge, as it gives them; unsupported where these styles are left out."""
    bridge = crossing.offered(points, started=False)
    return [crossing.calls("end_point_receiver", lambda: bridge.end_point_receiver), bridge.end_point_sender]


@asserts("iw-3.1-1", plain=True)
def test_roles_are_numbered_in_order(case: Case) -> None:
    """SOURCE is 0 and SINK 1, at the ends that a bridge gives."""
    crossing = Crossing(case)
    ends = _ends(crossing, crossing.to_jms())
    expect.equal("role of receiver and sender", [number("the role", each.role) for each in ends], [0, 1])


@asserts("iw-3.1-2", plain=True)
def test_types_of_destinations_are_numbered_in_order(case: Case) -> None:
    """QUEUE is 0 and TOPIC 1."""
    crossing = Crossing(case)
    found = []
    for kind, name in ((0, case.queue().queue_name), (1, case.topic().topic_name)):
        point = ExternalEndpoint(SINK, JMSDestination(DestinationType(kind), name or ""), PUSH, MESSAGE)
        found.append(place(b"", _ends(crossing, (crossing.channel_end(SOURCE), point))[1].connector)[:4])
    expect.equal("what is sent for QUEUE and TOPIC", found, [b"\0\0\0\0", b"\0\0\0\1"])


@asserts("iw-3.1-3", plain=True)
def test_types_of_messages_are_numbered_in_order(case: Case) -> None:
    """JMS_MESSAGE is 0, STRUCTURED_EVENT 1 and SEQUENCE_EVENT 2."""
    crossing = Crossing(case)
    found = [[number("the type", end.type) for end in _ends(crossing, crossing.to_jms(each))] for each in GROUPS]
    expect.equal("type of receiver and sender", found, [[1, 0], [2, 0]])


@asserts("iw-3.1-4", plain=True)
def test_styles_are_numbered_in_order(case: Case) -> None:
    """PUSH is 0 and PULL 1, of bridges that carry."""
    crossing = Crossing(case)
    crossing.bridge(crossing.to_channel())
    crosses_to_channel(crossing)
    found = [
        [number("the style", end.style) for end in _ends(crossing, crossing.to_channel(STRUCTURED, each))]
        for each in (PUSH, PULL)
    ]
    expect.equal("style of receiver and sender", found, [[0, 0], [1, 1]])


@asserts("iw-3.1-5", plain=True)
def test_a_destination_as_it_is_sent(case: Case) -> None:
    """destination_type, destination_name and factory_name, in this order."""
    crossing = Crossing(case)
    point = crossing.destination(SINK)
    _ = crossing.link
    assert isinstance(point.connector, JMSDestination)  # noqa: S101 - a destination
    name = point.connector.name.encode() + b"\0"
    wanted = struct.pack(">II", point.connector.type, len(name)) + name + b"\0" * (-len(name) % 4)
    wanted += struct.pack(">I", 1) + b"\0"
    given = _ends(crossing, (crossing.channel_end(SOURCE), point))[1]
    expect.equal("the connector", place(b"", given.connector), wanted)


@asserts("iw-3.1-6", "iw-3.1.1.2-3", plain=True)
def test_a_connector_is_a_destination_or_a_channel(case: Case) -> None:
    """A connector of messages is a destination, that of events and of sequences a long, and none is both."""
    crossing = Crossing(case)
    for type_ in GROUPS:
        receiver, sender = _ends(crossing, crossing.to_jms(type_))
        expect.true(
            "the connector of messages is a destination alone",
            type(sender.connector) is JMSDestination,
            repr(sender.connector),
        )
        channel = number(f"the connector of {type_.name}", receiver.connector)
        expect.equal("the channel as it is sent", struct.pack(">i", channel), struct.pack(">i", crossing.channel_id))


@asserts("iw-3.1-7", plain=True)
def test_an_end_point_as_it_is_sent(case: Case) -> None:
    """role, connector, style and type, in this order."""
    crossing = Crossing(case)
    receiver, sender = _ends(crossing, crossing.to_channel(SEQUENCE))
    assert isinstance(crossing.destination(SOURCE).connector, JMSDestination)  # noqa: S101 - a destination
    name = place(b"", crossing.destination(SOURCE).connector)
    wanted = struct.pack(">II", 0, 0) + name + b"\0" * (-len(name) % 4) + struct.pack(">II", 0, 0)
    expect.equal("the source", sent(receiver), wanted)
    expect.equal("the sink", sent(sender), struct.pack(">IIiII", 1, 2, crossing.channel_id, 0, 2))


def _refused(crossing: Crossing, source: ExternalEndpoint, sink: ExternalEndpoint) -> InvalidExternalEndPoints:
    """Demand InvalidExternalEndPoints of create_bridge; return it."""
    try:
        crossing.factory.create_bridge(source, sink)
    except InvalidExternalEndPoints as error:
        crossing.case.witness(f"create_bridge raised {type(error).__name__}: {error}")
        return error
    except Exception as error:
        raise Broken(f"it raised {type(error).__name__}: {error}", expected="InvalidExternalEndPoints") from error
    raise Broken("create_bridge made a bridge", expected="InvalidExternalEndPoints")


def _wrong(crossing: Crossing) -> list[InvalidExternalEndPoints]:
    """Return the exceptions for an unknown channel, an unknown connection factory, and a destination that pulls as a sink."""
    good, sink = crossing.channel_end(SOURCE), crossing.destination(SINK)
    assert isinstance(sink.connector, JMSDestination)  # noqa: S101 - a destination
    nowhere = replace(sink, connector=replace(sink.connector, factory_name=crossing.case.name("factory")))
    return [
        _refused(crossing, replace(good, connector=NOT_THERE), sink),
        _refused(crossing, good, nowhere),
        _refused(crossing, good, replace(sink, style=PULL)),
    ]


@asserts("iw-3.1-8", plain=True)
def test_codes_of_errors_are_numbered_in_order(case: Case) -> None:
    """INVALID_CHANNELID is 0, INVALID_JMSDESTINATION 1 and MISMATCH_ENDPOINTROLE_NOTIFSTYLE 2."""
    found = [{number("the code", each.code) for each in error.errors} for error in _wrong(Crossing(case))]
    expect.equal("the codes", found, [{0}, {1}, {2}])


@asserts("iw-3.1-9", plain=True)
def test_the_exception_carries_roles_and_codes(case: Case) -> None:
    """InvalidExternalEndPoints has a sequence of errors, each with a role and a code."""
    for error in _wrong(Crossing(case)):
        carried: Any = error.errors
        expect.true("it carries a sequence of errors", isinstance(carried, (tuple, list)) and carried, repr(carried))
        for each in carried:
            seen = [getattr(each, name, None) for name in ("role", "code")]
            expect.true("each error has a role and a code", None not in seen, repr(each))


@asserts("iw-3.1-10", plain=True)
def test_ids_of_bridges_are_longs(case: Case) -> None:
    """create_bridge and get_all_bridges give numbers of 32 bits."""
    crossing = Crossing(case)
    made = [
        crossing.calls("create_bridge", lambda: crossing.factory.create_bridge(*crossing.to_jms())) for _ in range(2)
    ]
    given = [id_ for _, id_ in made]
    ids = [*given, *crossing.calls("get_all_bridges", crossing.factory.get_all_bridges)]
    expect.true("all are longs", all(number("an id", each) in LONG for each in ids), repr(ids))
    expect.true("the ids are listed", set(given) <= set(ids[2:]), repr(ids))


def _raised(crossing: Crossing, kind: type[Exception], call: Callable[[], object]) -> Exception:
    """Demand an exception of a kind; return it."""
    try:
        call()
    except kind as error:
        crossing.case.witness(f"{type(error).__name__}: {error}")
        return error
    except Exception as error:
        raise Broken(f"{type(error).__name__} was raised: {error}", expected=kind.__name__) from error
    raise Broken("nothing was raised", expected=kind.__name__)


@asserts("iw-3.1-11", plain=True)
def test_exceptions_without_members(case: Case) -> None:
    """BridgeAlreadyStarted, BridgeInactive and BridgeNotFound carry no values beside the text that Python shows."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_jms(), started=False)
    raised = [_raised(crossing, BridgeInactive, bridge.stop_bridge)]
    crossing.calls("start_bridge", bridge.start_bridge)
    raised.append(_raised(crossing, BridgeAlreadyStarted, bridge.start_bridge))
    raised.append(_raised(crossing, BridgeNotFound, lambda: crossing.factory.get_bridge_with_id(NOT_THERE)))
    members = [
        f"{type(error).__name__}.{name}"
        for error in raised
        for name, value in vars(error).items()
        if not name.startswith("_") and isinstance(value, (str, int, float, bytes, tuple, list))
    ]
    expect.equal("members of the exceptions", members, [])


@asserts("iw-3.1-12", plain=True)
def test_the_end_points_are_read_only(case: Case) -> None:
    """Both end points can be read, not set, and a bridge has its four operations."""
    crossing = Crossing(case)
    points = crossing.to_jms()
    bridge = crossing.bridge(points)
    for name, other in (("end_point_receiver", points[1]), ("end_point_sender", points[0])):
        try:
            setattr(bridge, name, other)
        except Exception as error:  # noqa: BLE001 - whichever it is, it is refused
            case.witness(f"{name} cannot be set: {type(error).__name__}")
    expect.equal("the ends afterwards", (bridge.end_point_receiver, bridge.end_point_sender), points)
    lacking = [
        each
        for each in ("start_bridge", "stop_bridge", "get_status", "destroy")
        if not callable(getattr(bridge, each, None))
    ]
    expect.equal("operations that are not there", lacking, [])


@asserts("iw-3.1-14", "iw-2.8-2", plain=True)
def test_the_operations_of_the_factory(case: Case) -> None:
    """create_bridge gives a bridge and its id, by which get_bridge_with_id finds it; get_all_bridges lists the id."""
    crossing = Crossing(case)
    made = crossing.calls("create_bridge", lambda: crossing.factory.create_bridge(*crossing.to_jms()))
    expect.true("create_bridge gives a bridge and its id", isinstance(made[0], Bridge), repr(made))
    found = crossing.calls("get_bridge_with_id", lambda: crossing.factory.get_bridge_with_id(made[1]))
    expect.equal("the ends of what is found", (found.end_point_receiver, found.end_point_sender), crossing.to_jms())
    expect.true("the id is listed", made[1] in crossing.factory.get_all_bridges(), repr(made[1]))
    crossing.calls("start_bridge", found.start_bridge)
    with contextlib.suppress(Unsupported):
        crossing.calls("get_status", lambda: crossing.state(found))
    crosses_to_jms(crossing)
    crossing.calls("stop_bridge", found.stop_bridge)
    crossing.calls("destroy", found.destroy)


@asserts("iw-3.1.1.2-4", plain=True)
def test_a_type_against_its_connector_is_recorded(case: Case) -> None:
    """An end point on a channel that says it carries messages is refused, or taken for one of them; which is left open."""
    crossing = Crossing(case)
    crossing.bridge(crossing.to_jms())
    crosses_to_jms(crossing)
    try:
        crossing.factory.create_bridge(replace(crossing.channel_end(SOURCE), type=MESSAGE), crossing.destination(SINK))
    except Exception as error:  # noqa: BLE001 - how it is refused is left open
        expect.record(f"it is refused: {type(error).__name__}")
    else:
        expect.record("it is taken")


@asserts("iw-3.1.1.2-7", plain=True)
def test_the_connection_comes_from_the_named_factory(case: Case) -> None:
    """Of two connection factories the bridge uses the one whose name it was given."""
    crossing = Crossing(case)
    name = case.name("factory")
    try:
        case.provider.bind(name, case.provider.connection_factory())
    except api.UnsupportedOperationException as error:
        raise Unsupported(f"the provider has no naming service: {error}") from error
    source, sink = crossing.to_channel()
    assert isinstance(source.connector, JMSDestination)  # noqa: S101 - a destination
    before = len(case.evidence.events)
    crossing.bridge((replace(source, connector=replace(source.connector, factory_name=name)), sink))
    events = case.evidence.events[before:]
    crosses_to_channel(crossing)
    named = {str(each.get("value")) for each in events if each.get("op") == "Provider.lookup"}
    used = {str(each.get("on")) for each in events if each.get("op") in CONNECTING}
    if not used:
        raise Unsupported("the bridge connects otherwise than by the provider that it was given")
    expect.true("a connection comes from the factory that was looked up", used & named, f"{used}, not {named}")


@asserts("iw-3.1.2.3-2", plain=True)
def test_what_a_new_factory_knows_is_recorded(case: Case) -> None:
    """After the end of a factory of bridges, a new one may know of its bridges, or not."""
    crossing = Crossing(case)
    crossing.bridge(crossing.to_jms())
    crosses_to_jms(crossing)
    crossing.calls("close", crossing.factory.close)
    known = crossing.calls("get_all_bridges", crossing.reopened().get_all_bridges)
    expect.record(f"{len(known)} of 1 bridge is known")


@asserts("iw-3.1.3.1-7", plain=True)
def test_errors_of_both_ends_are_recorded(case: Case) -> None:
    """With two wrong ends one or both are told, each with the role and code of its own."""
    crossing = Crossing(case)
    sink = crossing.destination(SINK)
    assert isinstance(sink.connector, JMSDestination)  # noqa: S101 - a destination
    nowhere = replace(sink, connector=replace(sink.connector, factory_name=case.name("factory")))
    error = _refused(crossing, replace(crossing.channel_end(SOURCE), connector=NOT_THERE), nowhere)
    pairs = {(number("the role", each.role), number("the code", each.code)) for each in error.errors}
    expect.true("each error has its own role and code", pairs and pairs <= {(0, 0), (1, 1)}, repr(pairs))
    expect.record("both are told" if len(pairs) > 1 else "one is told")
