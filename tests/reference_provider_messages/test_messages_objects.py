"""Object messages: what travels, what is refused and how, copies."""

import collections
import datetime as dt
import decimal
import enum
import fractions
import json
import pickle
import uuid
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_provider.messages import MessageModel, TypeRegistry, create, snapshot
from reference_provider.messages.objects import decode, encode
from tck.api import Byte, Char, Double, Float, Int, Long, MessageFormatException, MessageNotWriteableException, Short


@dataclass
class Order:
    number: int
    lines: list = field(default_factory=list)
    total: int = field(init=False, default=0)


@dataclass(frozen=True, slots=True)
class Money:
    amount: decimal.Decimal
    currency: str


class Size(enum.IntEnum):
    SMALL = 1


class Pair(NamedTuple):
    left: object
    right: object


class Plain:
    def __init__(self):
        self.value = 5


class Slotted:
    __slots__ = ("value",)


class Stateful:
    def __init__(self):
        self.value = 5

    def __getstate__(self):
        return self.value * 2

    def __setstate__(self, state):
        self.value = state + 1


class Unregistered:
    pass


class Failing:
    def __getstate__(self):
        raise OSError("no state")


REGISTRY = TypeRegistry(Order, Money, Size, Pair, Plain, Slotted, Stateful, Failing)

keys = st.text(max_size=3) | st.integers() | st.booleans() | st.none() | st.tuples(st.integers())
simple = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary() | st.complex_numbers(allow_nan=False)
    | st.decimals(allow_nan=False) | st.fractions() | st.uuids() | st.datetimes() | st.dates() | st.times() | st.timedeltas()
    | st.integers(-128, 127).map(Byte) | st.integers(-128, 127).map(Short) | st.integers(-128, 127).map(Int)
    | st.integers(-128, 127).map(Long) | st.floats().map(Float) | st.floats().map(Double)
    | st.integers(0, 0xFFFF).map(chr).map(Char) | st.characters(categories=["Cs"])
)  # fmt: skip
objects = st.recursive(
    simple,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.sampled_from(["a", "$", "", "\ud800"]) | keys, inner, max_size=3)
        | st.sets(keys, max_size=3)
        | st.frozensets(keys, max_size=3)
        | st.builds(Pair, inner, inner)
    ),
    max_leaves=8,
)


@given(objects)
def test_values_come_back_as_they_were(value):
    encoded = encode(value, REGISTRY, 100)
    back = decode(encoded, REGISTRY)
    assert back == value
    assert type(back) is type(value)
    assert encoded.isascii()
    json.loads(encoded)


def test_aware_times_keep_their_offset():
    moment = dt.datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=dt.timezone(dt.timedelta(hours=-5)))
    assert decode(encode(moment, REGISTRY, 5), REGISTRY) == moment


@pytest.fixture
def shop(make_shop):
    return make_shop(types=REGISTRY)


def through(shop, value):
    message = shop.create("object")
    message.object = value
    return shop.deliver(message).object


def test_registered_types(shop):
    order = Order(7, [Money(decimal.Decimal("1.50"), "EUR")])
    order.total = 3
    assert through(shop, order) == order
    assert through(shop, Size.SMALL) is Size.SMALL
    assert through(shop, Pair(1, "x")) == Pair(1, "x")
    assert through(shop, Plain()).value == 5
    slotted = Slotted()
    slotted.value = 5
    assert through(shop, slotted).value == 5
    assert through(shop, Stateful()).value == 11
    assert through(shop, [{"deep": (order,)}]) == [{"deep": (order,)}]


def test_functions_of_choice():
    registry = TypeRegistry()
    registry.register_as("celsius", Unregistered, lambda _: 5, lambda state: state * 2)
    assert decode(encode(Unregistered(), registry, 5), registry) == 10
    with pytest.raises(ValueError, match="celsius"):
        registry.register_as("celsius", Plain, vars, vars)
    registry.register_as("celsius", Unregistered, lambda _: 6, lambda state: state)
    assert decode(encode(Unregistered(), registry, 5), registry) == 6


class Loose(NamedTuple):
    value: int


class Text(str):
    __slots__ = ()


@pytest.mark.parametrize(
    ("value", "named"),
    [
        (Unregistered(), "Unregistered"),
        ([{"a": Unregistered()}], "Unregistered"),
        (Pair(1, Unregistered()), "Unregistered"),
        (object(), "object"),
        (lambda: None, "function"),
        (Unregistered, "type"),
        (iter([]), "list_iterator"),
        (collections.OrderedDict(a=1), "OrderedDict"),
        (Loose(1), "Loose"),
        (Text("x"), "Text"),
        (range(3), "range"),
        (Failing(), "Failing"),
    ],
)
def test_what_may_not_travel_is_refused_by_name_when_it_is_set(shop, value, named):
    message = shop.create("object")
    message.object = "before"
    with pytest.raises(MessageFormatException) as caught:
        message.object = value
    assert type(caught.value) is MessageFormatException
    assert named in caught.value.reason
    assert message.object == "before"


def test_cycles_and_depth_are_refused(shop):
    message = shop.create("object")
    loop: list = []
    loop.append(loop)
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    for value in (loop, deep):
        with pytest.raises(MessageFormatException, match="deep"):
            message.object = value


def test_copies(shop):
    message = shop.create("object")
    value = [1, [2]]
    message.object = value
    value[1].append(3)
    assert message.object == [1, [2]]
    message.object[1].append(3)
    assert message.object == [1, [2]]
    received = shop.deliver(message)
    received.object.clear()
    assert received.object == [1, [2]]
    assert received.object is not received.object
    with pytest.raises(MessageNotWriteableException):
        received.object = 5


def test_null(shop):
    message = shop.create("object")
    assert message.object is None
    message.object = 5
    message.object = None
    assert shop.deliver(message).object is None


def test_a_receiver_without_the_type_says_which(shop):
    message = shop.create("object")
    message.object = [Order(1)]
    stranger = create("object", MessageModel())
    received = shop.deliver(message)
    received._model = stranger._model
    with pytest.raises(MessageFormatException, match="Order"):
        _ = received.object
    assert not received.is_body_assignable_to(list)
    assert snapshot(received, stranger._model) == snapshot(message, shop.model)


def test_nothing_is_ever_unpickled():
    class Bomb:
        def __reduce__(self):
            return (print, ("boom",))

    for data in (
        pickle.dumps(Bomb()),
        b"",
        b"\x00",
        b'{"$":["os.system","x"]}',
        b'{"$":["type","os.system","x"]}',
        b'{"$":5}',
        b"[" * 100_000,
    ):
        with pytest.raises(MessageFormatException):
            decode(data, REGISTRY)


def test_lossless_numbers(shop):
    for value in (2**63, -(2**63) - 1, 10**6000, fractions.Fraction(1, 3), float("inf"), -0.0):
        assert (
            repr(through(shop, value)) == repr(value) if not isinstance(value, int) else through(shop, value) == value
        )
    assert str(through(shop, float("nan"))) == "nan"
    assert through(shop, uuid.UUID(int=5)) == uuid.UUID(int=5)
