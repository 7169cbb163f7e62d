"""`get_body` and `is_body_assignable_to` over a matrix of types, on sent and received messages."""

import datetime as dt
import enum
from collections import OrderedDict
from dataclasses import dataclass

import pytest

from reference_provider.messages import TypeRegistry
from tck.api import (
    CHAR_SEQUENCE,
    COMPARABLE,
    NUMBER,
    OBJECT,
    SERIALIZABLE,
    Byte,
    Char,
    Double,
    Float,
    Int,
    Long,
    MessageFormatException,
    MessageNotWriteableException,
    NullPointerException,
    Short,
)


@dataclass(frozen=True)
class Point:
    x: int
    y: int


@dataclass(frozen=True, order=True)
class Rank:
    value: int


class Colour(enum.Enum):
    RED = 1


@dataclass
class Stubborn:
    value: int

    def __post_init__(self):
        if self.value < 0:
            raise ValueError("negative")


TYPES = [
    str,
    bytes,
    dict,
    list,
    bool,
    int,
    float,
    object,
    Byte,
    Short,
    Int,
    Long,
    Float,
    Double,
    Char,
    Point,
    Rank,
    Stubborn,
    Colour,
    OrderedDict,
]
TYPES += [OBJECT, SERIALIZABLE, CHAR_SEQUENCE, COMPARABLE, NUMBER]

OF_OBJECT = {
    "text": {str, CHAR_SEQUENCE, COMPARABLE},
    5: {int, Long, NUMBER, COMPARABLE},
    2.5: {float, Double, NUMBER, COMPARABLE},
    True: {bool, COMPARABLE},
    Int(5): {Int, NUMBER, COMPARABLE},
    Float(5): {Float, NUMBER, COMPARABLE},
    Char("x"): {Char, COMPARABLE},
    b"x": {bytes},
    (1, "a"): set(),
    Point(1, 2): {Point},
    Rank(1): {Rank, COMPARABLE},
    Colour.RED: {Colour},
    frozenset({1}): set(),
    dt.date(2026, 1, 2): {COMPARABLE},
}


@pytest.fixture
def shop(make_shop):
    return make_shop(types=TypeRegistry(Point, Rank, Stubborn, Colour))


def check(message, accepted, value):
    for each in TYPES:
        assert message.is_body_assignable_to(each) is (each in accepted), each
        if each in accepted:
            seen = message.get_body(each)
            assert seen == value
            assert type(seen) is type(value)
        else:
            with pytest.raises(MessageFormatException):
                message.get_body(each)


@pytest.mark.parametrize("side", ["own", "received"])
@pytest.mark.parametrize("value", OF_OBJECT, ids=repr)
def test_object(shop, value, side):
    message = shop.create("object")
    message.object = value
    accepted = OF_OBJECT[value] | {OBJECT, SERIALIZABLE, object}
    check(message if side == "own" else shop.deliver(message), accepted, value)


@pytest.mark.parametrize("side", ["own", "received"])
def test_text(shop, side):
    message = shop.create("text")
    message.text = "x"
    check(
        message if side == "own" else shop.deliver(message),
        {str, object, OBJECT, SERIALIZABLE, CHAR_SEQUENCE, COMPARABLE},
        "x",
    )


@pytest.mark.parametrize("side", ["own", "received"])
def test_map(shop, side):
    message = shop.create("map")
    message.set_int("n", 5)
    message.set_bytes("b", b"x")
    message = message if side == "own" else shop.deliver(message)
    check(message, {dict, object, OBJECT}, {"n": Int(5), "b": b"x"})
    message.get_body(dict).clear()
    assert message.get_int("n") == 5


@pytest.mark.parametrize("side", ["own", "received"])
def test_bytes(shop, side):
    message = shop.create("bytes")
    message.write_int(5)
    check(message if side == "own" else shop.deliver(message), {bytes, object, OBJECT}, b"\0\0\0\5")


def test_get_body_resets_bytes_before_and_after(shop):
    message = shop.create("bytes")
    message.write_int(5)
    assert message.is_body_assignable_to(bytes)
    message.write_int(6)
    assert message.get_body(bytes) == b"\0\0\0\5\0\0\0\6"
    assert message.read_int() == 5
    assert message.get_body(OBJECT) == b"\0\0\0\5\0\0\0\6"
    assert message.read_int() == 5
    with pytest.raises(MessageNotWriteableException):
        message.write_int(7)


@pytest.mark.parametrize("side", ["own", "received", "cleared"])
@pytest.mark.parametrize("kind", ["message", "text", "object", "map", "bytes"])
def test_no_body(shop, kind, side):
    message = shop.create(kind)
    if side != "own":
        message = shop.deliver(message)
    if side == "cleared":
        message.clear_body()
    for each in TYPES:
        assert message.is_body_assignable_to(each)
        assert message.get_body(each) is None


@pytest.mark.parametrize("fill", [lambda message: message.KIND, lambda message: message.write_int(5)])
def test_stream(shop, fill):
    message = shop.create("stream")
    fill(message)
    check(message, set(), None)
    check(shop.deliver(message), set(), None)


def test_null_is_no_type(shop):
    for call in (shop.create("text").get_body, shop.create("text").is_body_assignable_to):
        with pytest.raises(NullPointerException):
            call(None)


def test_an_object_that_cannot_be_built(shop):
    message = shop.create("object")
    spoiled = Stubborn(1)
    spoiled.value = -1
    message.object = spoiled
    received = shop.deliver(message)
    for each in TYPES:
        assert received.is_body_assignable_to(each) is False
        with pytest.raises(MessageFormatException):
            received.get_body(each)
    with pytest.raises(MessageFormatException):
        _ = received.object
