"""The mapping of the reference bridge, on messages of the reference provider: round trips, names, what cannot be carried."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_interworking_cdr import ALARM, COLOUR

from reference_interworking.bridge.converter import ReferenceConverter
from reference_interworking.bridge.objects import deserialized, serialized
from reference_interworking.values import to_any
from reference_provider.adapter import open_provider
from tck import api as jms
from tck.interworking import (
    NULL,
    PRIORITY,
    STOP_TIME,
    TIMEOUT,
    Any_,
    BridgeError,
    Kind,
    TypeCode,
    decode,
    encode,
    event,
    struct_of,
)


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    provider = open_provider({"clock": "virtual"}, tmp_path_factory.mktemp("provider"))
    connection = provider.connection_factory().create_connection()
    yield connection.create_session()
    provider.close()


def long(value):
    return Any_.of(Kind.LONG, value)


@pytest.mark.parametrize(
    ("field", "value", "name"),
    [
        ("JMSXGroupSeq", long(7), "JMSXGroupSeq"),
        ("JMSXGroupSeq", Any_.of(Kind.DOUBLE, 7.0), "_JMSXGroupSeq"),
        ("JMSXGroupID", long(7), "_JMSXGroupID"),
    ],
)
def test_a_property_of_jms_takes_values_of_its_type_only(session, field, value, name):
    converter = ReferenceConverter()
    given_ = event(data={field: value})
    made = converter.to_message(given_, session, 0)
    assert list(converter.names(given_).values()) == [name]
    assert made.message.get_int_property(name) == 7 if value == long(7) else made.message.property_exists(name)


def test_equal_names_get_numbers(session):
    converter = ReferenceConverter()
    given_ = event(header={"a_b": long(0)}, data={"a-b": long(1), "a_b": long(2), "$type_name": long(3)})
    made = converter.to_message(given_, session, 0).message
    names = list(converter.names(given_).values())
    assert names == ["a_b", "a_b_2", "a_b_3", "$type_name_2"]
    assert [made.get_int_property(name) for name in names] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("ticks", "life"), [(0, 0), (1, 1), (9_999, 1), (10_000, 1), (15_000, 2), (600_000_000, 60_000)]
)
def test_a_timeout_is_rounded_up(session, ticks, life):
    made = ReferenceConverter().to_message(event(header={TIMEOUT: Any_.of(Kind.ULONGLONG, ticks)}), session, 0)
    assert made.time_to_live == life


def test_the_earlier_of_stop_time_and_timeout_ends_the_life(session):
    utc = struct_of("UtcT", time=TypeCode(Kind.ULONGLONG))
    stop = Any_(utc, (122_192_928_000_000_000 + 70_000 * 10_000,))
    converter = ReferenceConverter()
    assert converter.to_message(event(header={STOP_TIME: stop}), session, 10_000).time_to_live == 60_000
    both = {STOP_TIME: stop, TIMEOUT: Any_.of(Kind.ULONGLONG, 30_000 * 10_000)}
    assert converter.to_message(event(header=both), session, 10_000).time_to_live == 30_000
    assert converter.to_message(event(header={STOP_TIME: stop}), session, 70_000) is None


def test_what_is_no_number_is_reported(session):
    with pytest.raises(BridgeError, match="Priority is 'high', and no whole number"):
        ReferenceConverter().to_message(event(header={PRIORITY: Any_.of(Kind.STRING, "high")}), session, 0)
    with pytest.raises(BridgeError, match="StopTime is 'noon', and no time"):
        ReferenceConverter().to_message(event(header={STOP_TIME: Any_.of(Kind.STRING, "noon")}), session, 0)
    with pytest.raises(BridgeError, match="x is no encapsulation"):
        ReferenceConverter().decode("x", session.create_message())


OBJECTS = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.text(), st.integers(), st.binary(), st.just(jms.Byte(-1)), st.just(jms.Char("x"))
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3), st.tuples(inner, inner)
    ),
    max_leaves=6,
)


@given(OBJECTS)
def test_objects_can_be_read_back(value):
    assert deserialized(serialized(value)) == value


def test_an_object_that_has_no_form_is_refused_and_octets_that_hold_none_too():
    with pytest.raises(BridgeError, match="a set cannot be serialised"):
        serialized({"a": {1}})
    for octets in (b"", b"{}", b'{"$":"Byte","value":300}', b"\xff"):
        with pytest.raises(BridgeError, match="the octets hold no object"):
            deserialized(octets)


def test_a_text_with_a_nul_is_a_wide_string():
    """A string of CDR ends at its first NUL; a wide one is counted."""
    value = to_any("a\0b")
    assert (value.type.kind, value.value) == (Kind.WSTRING, "a\0b")
    assert decode(encode(value)) == value


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (NULL, jms.Message),
        (Any_.of(Kind.STRING, "x"), jms.TextMessage),
        (long(5), jms.StreamMessage),
        (Any_.sequence(long(1), Any_.of(Kind.STRING, "x")), jms.StreamMessage),
        (Any_.properties({"a": long(1)}), jms.MapMessage),
        (Any_.properties({"a": Any_(ALARM, ("x", 1))}), jms.BytesMessage),
        (Any_.octets(b"x"), jms.BytesMessage),
        (Any_(ALARM, ("x", 1)), jms.BytesMessage),
        (Any_(COLOUR, "red"), jms.StreamMessage),
    ],
)
def test_the_body_chooses_the_message(session, body, kind):
    made = ReferenceConverter().to_message(event(body=body), session, 0).message
    assert isinstance(made, kind)
    kinds = (jms.TextMessage, jms.StreamMessage, jms.MapMessage, jms.BytesMessage, jms.ObjectMessage)
    assert kind is not jms.Message or not isinstance(made, kinds)


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("sev", "sev"),
        ("a-b", "a_b"),
        ("1st", "_1st"),
        ("", "_"),
        ("not", "_not"),
        ("JMSType", "_JMSType"),
        ("JMSXGroupID", "JMSXGroupID"),
        ("JMSXDeliveryCount", "_JMSXDeliveryCount"),
        ("JMSXGroupSeq", "_JMSXGroupSeq"),
        ("größe", "größe"),
    ],
)
def test_the_name_of_a_property(session, field, name):
    converter = ReferenceConverter()
    given_ = event(data={field: Any_.of(Kind.STRING, "x")})
    made = converter.to_message(given_, session, 0)
    assert dict(converter.names(given_)) == {("data", field): name}
    assert made.message.get_string_property(name) == "x"
