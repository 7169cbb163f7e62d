"""What programs over bridges rest on: draws, tables of sights, and the bodies of events that they found to be wrong."""

import pytest
from test_interworking_cdr import ALARM

from reference_interworking.bridge.converter import ReferenceConverter
from reference_provider.adapter import open_provider
from tck import api as jms
from tck.interworking import Any_, Kind, TypeCode, event, sequence_of
from tck.suite.support.interworking.programs import Diverged, Draw, Table, idl, java, on_channel


@pytest.mark.parametrize(("inner", "kind"), [(ALARM, jms.BytesMessage), (TypeCode(Kind.LONG), jms.StreamMessage)])
def test_an_empty_sequence_of_structs_is_bytes_and_one_of_longs_a_stream(tmp_path, inner, kind):
    provider = open_provider({"clock": "virtual"}, tmp_path)
    session = provider.connection_factory().create_connection().create_session()
    made = ReferenceConverter().to_message(event(body=Any_(sequence_of(inner), ())), session, 0)
    assert isinstance(made.message, kind)
    provider.close()


def test_a_table_is_drawn_without_repetition_and_alike_for_a_seed():
    table = tuple(range(5))
    first, second = Draw(1), Draw(1)
    drawn = [first.each(table) for _ in range(10)]
    assert sorted(drawn[:5]) == sorted(drawn[5:]) == list(table)
    assert drawn == [second.each(table) for _ in range(10)]


def test_a_table_tells_types_and_zeros_apart():
    table = Table()
    assert table.note("row", "a", jms.Int(1), jms.Int(1))
    assert not table.note("row", "b", jms.Int(1), jms.Long(1))
    assert not table.note("row", "c", -0.0, 0.0)
    with pytest.raises(Diverged):
        table.demand("row other", "d", 1, 2)


_NAN = float("nan")
_UNLIKE = [
    *(("1", 1), ("True", True), ("None", None), ("b'x'", b"x"), (1, True), (1, 1.0), (0.0, -0.0), ("nan", _NAN)),
    *(([1], ["1"]), ({"a": 1}, {"a": "1"}), ([1], (1,)), (b"x", bytearray(b"x")), (jms.Char("1"), jms.Byte(1))),
    *((jms.Float(0.1), jms.Double(0.1)), (jms.Float(0.0), jms.Float(-0.0)), (["'1', '2'"], ["1", "2"])),
]


@pytest.mark.parametrize(("seen", "wanted"), _UNLIKE)
def test_a_table_takes_no_value_for_one_of_another_type(seen, wanted):
    table = Table()
    assert not table.note("row", "a", seen, wanted)
    assert not table.note("row", "b", [seen], [wanted])


@pytest.mark.parametrize("make", [lambda: float("nan"), lambda: jms.Float(0.1), lambda: [b"x", {"a": jms.Char("y")}]])
def test_a_table_takes_equal_values_of_one_type_for_the_same(make):
    table = Table()
    assert table.note("row", "a", make(), make())


def test_octets_are_without_sign_on_a_channel():
    assert idl(jms.Byte(-1)) == on_channel(Any_.of(Kind.OCTET, 255)) == ("OCTET", 255)
    assert java(Any_.of(Kind.OCTET, 255)) == jms.Byte(-1)
