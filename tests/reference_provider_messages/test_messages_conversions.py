"""The conversion tables, cell by cell: properties, maps, streams; on the sender's message and on a received one."""

import itertools
import math

import pytest

from reference_provider.messages.conversions import MAP_TABLE, PROPERTY_TABLE, STREAM_TABLE
from tck.api import (
    Byte,
    Char,
    Float,
    Int,
    MessageFormatException,
    NullPointerException,
    NumberFormatException,
    Short,
)

TARGETS = ["boolean", "byte", "short", "char", "int", "long", "float", "double", "string", "bytes"]

# written as  ->  what may be read, in the order of TARGETS
MARKED = {
    "boolean": "X.......X.",
    "byte":    ".XX.XX..X.",
    "short":   "..X.XX..X.",
    "char":    "...X....X.",
    "int":     "....XX..X.",
    "long":    ".....X..X.",
    "float":   "......XXX.",
    "double":  ".......XX.",
    "string":  "XXX.XXXXX.",
    "bytes":   ".........X",
}  # fmt: skip

BOUNDARIES = {
    "boolean": [True, False],
    "byte": [-128, 0, 127],
    "short": [-32768, 0, 32767],
    "char": ["a", "\x00", "\uffff", "\ud800"],
    "int": [-(2**31), 0, 2**31 - 1],
    "long": [-(2**63), 0, 2**53 + 1, 2**63 - 1],
    "float": [0.0, -0.0, 0.5, 3.4028234663852886e38, 1.401298464324817e-45, math.inf, -math.inf, math.nan, 0.1],
    "double": [0.0, -0.0, 0.1, 1.7976931348623157e308, 5e-324, math.inf, -math.inf, math.nan],
    "string": ["5", "-7", "+3"],
    "bytes": [b"", b"\x00\xff", bytes(range(256))],
}

BOXES = {"byte": Byte, "short": Short, "char": Char, "int": Int, "float": Float}


def same(seen, wanted):
    if isinstance(wanted, float):
        return isinstance(seen, float) and repr(seen) == repr(wanted)
    return type(seen) is type(wanted) and seen == wanted


def stored(kind, value):
    """Give what is stored for a value: a float is rounded."""
    return Float(value).value if kind == "float" else value


def text_of(kind, value):
    match kind:
        case "boolean":
            return str(value).lower()
        case "float" | "double":
            return None  # tested on its own
        case _:
            return str(value)


class Properties:
    kinds = tuple(each for each in MARKED if each not in ("char", "bytes"))
    table = PROPERTY_TABLE
    kind = "message"

    @staticmethod
    def set(message, kind, value):
        getattr(message, f"set_{kind}_property")("x", value)

    @staticmethod
    def set_object(message, value):
        message.set_object_property("x", value)

    @staticmethod
    def read(message, kind):
        return getattr(message, f"get_{kind}_property")("x")

    @staticmethod
    def read_object(message):
        return message.get_object_property("x")


class Entries:
    kinds = tuple(MARKED)
    table = MAP_TABLE
    kind = "map"

    @staticmethod
    def set(message, kind, value):
        getattr(message, f"set_{kind}")("x", value)

    @staticmethod
    def set_object(message, value):
        message.set_object("x", value)

    @staticmethod
    def read(message, kind):
        return getattr(message, f"get_{kind}")("x")

    @staticmethod
    def read_object(message):
        return message.get_object("x")


class Items:
    kinds = tuple(MARKED)
    table = STREAM_TABLE
    kind = "stream"

    @staticmethod
    def set(message, kind, value):
        getattr(message, f"write_{kind}")(value)

    @staticmethod
    def set_object(message, value):
        message.write_object(value)

    @staticmethod
    def read(message, kind):
        if kind != "bytes":
            return getattr(message, f"read_{kind}")()
        buffer = bytearray(1000)
        count = message.read_bytes(buffer)
        return None if count < 0 else bytes(buffer[:count])

    @staticmethod
    def read_object(message):
        return message.read_object()


PLACES = [Properties, Entries, Items]
WAYS = ["typed", "object"]
SIDES = ["own", "received"]


def readable(shop, place, side, fill):
    """Make a message with one value, ready to be read; a stream anew for each reading."""
    message = shop.create(place.kind)
    fill(message)
    if side == "received":
        return shop.deliver(message)
    if place is Items:
        message.reset()
    return message


def filled(place, way, kind, value):
    if way == "typed":
        return lambda message: place.set(message, kind, value)
    boxed = BOXES.get(kind, lambda plain: plain)(value)
    return lambda message: place.set_object(message, boxed)


def cells():
    for place in PLACES:
        for source in place.kinds:
            for target in place.kinds:
                yield pytest.param(place, source, target, id=f"{place.__name__}-{source}-as-{target}")


@pytest.mark.parametrize(("place", "source", "target"), list(cells()))
def test_cell(shop, place, source, target):
    marked = MARKED[source][TARGETS.index(target)] == "X"
    for value, way, side in itertools.product(BOUNDARIES[source], WAYS, SIDES):
        message = readable(shop, place, side, filled(place, way, source, value))
        if not marked:
            with pytest.raises(MessageFormatException) as caught:
                place.read(message, target)
            assert type(caught.value) is MessageFormatException
            assert same(place.read(message, source), stored(source, value)), "a failed read moves nothing"
        elif source == target:
            assert same(place.read(message, target), stored(source, value))
        elif target == "string":
            wanted = text_of(source, value)
            seen = place.read(message, "string")
            assert wanted is None or seen == wanted
            if wanted is None:
                assert same(float(seen), stored(source, value)) or source == "float"
        elif source == "string":
            wanted = {"boolean": False, "float": float(value), "double": float(value)}.get(target, int(value))
            assert same(place.read(message, target), wanted)
        else:
            assert same(place.read(message, target), stored(source, value))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("place", PLACES)
def test_objects_keep_their_type(shop, place, side):
    for kind in place.kinds:
        for value in BOUNDARIES[kind]:
            message = readable(shop, place, side, filled(place, "typed", kind, value))
            seen = place.read_object(message)
            assert seen == BOXES.get(kind, lambda plain: plain)(value) or math.isnan(value)
            assert type(seen) is BOXES.get(kind, type(value))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("target", "good", "bad"),
    [
        ("byte", [("-128", -128), ("+5", 5), ("007", 7)], ["abc", "", "1.5", "300", "128", " 1", "1 ", "0x1", "1_0"]),
        ("short", [("-32768", -32768)], ["32768", "1e3", "--1"]),
        ("int", [("2147483647", 2147483647)], ["2147483648", "99999999999", "", "+"]),
        ("long", [("-9223372036854775808", -(2**63))], ["9223372036854775808", "9" * 5000, "5L"]),
        (
            "float",
            [(" 1.5 ", 1.5), ("1e3", 1000.0), ("1.5f", 1.5), ("Infinity", math.inf), ("1e99", math.inf)],
            ["", "x", "1,5", "nan"],
        ),
        (
            "double",
            [("1.5d", 1.5), ("-Infinity", -math.inf), ("0x1p3", 8.0), (".5", 0.5)],
            ["", "x", "1_0", "infinity"],
        ),
    ],
)
def test_texts_as_numbers(shop, place, target, good, bad):
    for (text, value), side in itertools.product(good, SIDES):
        assert same(place.read(readable(shop, place, side, filled(place, "typed", "string", text)), target), value)
    for text, side in itertools.product(bad, SIDES):
        message = readable(shop, place, side, filled(place, "typed", "string", text))
        with pytest.raises(NumberFormatException):
            place.read(message, target)
        assert place.read(message, "string") == text, "a failed read moves nothing"


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("text", "value"), [("true", True), ("TrUe", True), ("false", False), ("yes", False), ("1", False), ("", False)]
)
def test_texts_as_booleans(shop, place, text, value):
    assert place.read(readable(shop, place, "own", filled(place, "typed", "string", text)), "boolean") is value


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("target", "outcome"),
    [
        ("boolean", False),
        ("byte", NumberFormatException),
        ("short", NumberFormatException),
        ("int", NumberFormatException),
        ("long", NumberFormatException),
        ("float", NullPointerException),
        ("double", NullPointerException),
        ("char", NullPointerException),
        ("string", None),
        ("bytes", None),
    ],
)
def test_null(shop, place, target, outcome, side):
    for way in WAYS if target in place.kinds else ():
        message = readable(shop, place, side, filled(place, way, "string", None))
        if isinstance(outcome, type):
            with pytest.raises(outcome) as caught:
                place.read(message, target)
            assert type(caught.value) is outcome
            assert place.read_object(message) is None
        else:
            assert place.read(message, target) is outcome


@pytest.mark.parametrize("place", [Properties, Entries])
def test_absent_is_as_null(shop, place):
    message = shop.create(place.kind)
    assert place.read(message, "boolean") is False
    assert place.read(message, "string") is None
    assert place.read_object(message) is None
    with pytest.raises(NumberFormatException):
        place.read(message, "int")
    with pytest.raises(NullPointerException):
        place.read(message, "double")


@pytest.mark.parametrize("place", PLACES)
def test_tables_hold_the_marked_cells_and_null(place):
    names = {"string": "String", "bytes": "byte[]"}
    for target in place.kinds:
        marked = sum(MARKED[source][TARGETS.index(target)] == "X" for source in place.kinds)
        assert len(place.table[names.get(target, target)]) == marked + 1


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("float", 0.1, "0.1"),
        ("float", 1e10, "1.0E10"),
        ("float", 16777216.0, "1.6777216E7"),
        ("float", 1.401298464324817e-45, "1.4E-45"),
        ("float", 3.4028234663852886e38, "3.4028235E38"),
        ("float", math.nan, "NaN"),
        ("double", 100.0, "100.0"),
        ("double", 1e7, "1.0E7"),
        ("double", 9999999.0, "9999999.0"),
        ("double", 0.001, "0.001"),
        ("double", 0.0001, "1.0E-4"),
        ("double", 5e-324, "4.9E-324"),
        ("double", 2e-323, "2.0E-323"),
        ("double", -0.0, "-0.0"),
        ("double", math.inf, "Infinity"),
        ("double", 1.7976931348623157e308, "1.7976931348623157E308"),
        ("double", 2.0**-44, "5.684341886080802E-14"),
    ],
)
def test_numbers_as_text(shop, kind, value, text):
    for place in PLACES:
        assert place.read(readable(shop, place, "own", filled(place, "typed", kind, value)), "string") == text


@pytest.mark.parametrize("place", [Entries, Items])
def test_version_1_0_reads_a_string_as_char(make_shop, place):
    shop = make_shop(version="1.0")
    assert place.read(readable(shop, place, "received", filled(place, "typed", "string", "x")), "char") == "x"
    for text in ("", "xy", "😀"):
        with pytest.raises(MessageFormatException):
            place.read(readable(shop, place, "own", filled(place, "typed", "string", text)), "char")


def test_version_1_0_refuses_absent_properties_as_primitives(make_shop):
    message = make_shop(version="1.0").create("message")
    for kind in Properties.kinds[:-1]:
        with pytest.raises(NullPointerException):
            getattr(message, f"get_{kind}_property")("x")
    message.set_string_property("x", None)
    assert message.get_boolean_property("x") is False
