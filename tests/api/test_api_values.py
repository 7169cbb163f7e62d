"""Boxes are exactly one Java type, OMITTED is one thing only."""

import copy
import math
import pickle

import pytest

from tck.api import CHAR_SEQUENCE, OBJECT, OMITTED, BodyMarker, Byte, Char, Double, Float, Int, Long, Omitted, Short

WHOLE = [(Byte, 8), (Short, 16), (Int, 32), (Long, 64)]
ALL = [Byte(5), Short(5), Int(5), Long(5), Float(5.0), Double(5.0), Char("5")]


@pytest.mark.parametrize(("box", "bits"), WHOLE)
def test_whole_number_boxes_take_exactly_their_range(box, bits):
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    assert (box(low).value, box(high).value) == (low, high)
    assert (low, high) == (box.MIN_VALUE, box.MAX_VALUE)
    for outside in (low - 1, high + 1):
        with pytest.raises(ValueError, match="out of range"):
            box(outside)


@pytest.mark.parametrize(("box", "bits"), WHOLE)
@pytest.mark.parametrize("wrong", [True, 1.0, "1", None, b"1"])
def test_whole_number_boxes_refuse_other_types(box, bits, wrong):
    with pytest.raises(TypeError):
        box(wrong)


@pytest.mark.parametrize("first", ALL, ids=repr)
@pytest.mark.parametrize("second", ALL, ids=repr)
def test_boxes_of_different_types_differ(first, second):
    assert (first == second) is (type(first) is type(second))


@pytest.mark.parametrize("box", ALL, ids=repr)
def test_box_is_not_its_plain_value(box):
    assert box != box.value
    assert box.value in (5, "5")
    assert type(box.value) in (int, float, str)


@pytest.mark.parametrize("box", ALL, ids=repr)
def test_box_is_an_immutable_hashable_value(box):
    twin = type(box)(box.value)
    assert twin == box
    assert len({twin, box}) == 1
    assert pickle.loads(pickle.dumps(box)) == box  # noqa: S301 - our own bytes
    assert copy.deepcopy(box) == box
    assert repr(box) == f"{type(box).__name__}({box.value!r})"
    for change in (lambda: setattr(box, "value", 6), lambda: setattr(box, "_value", 6), lambda: delattr(box, "_value")):
        with pytest.raises(AttributeError):
            change()
    with pytest.raises(AttributeError):
        box.other = 1


def test_equal_numbers_of_different_types_are_different_keys():
    assert len(dict.fromkeys(ALL) | {5: None}) == len(ALL) + 1


def test_float_rounds_to_the_nearest_of_32_bits():
    assert Float(0.1).value == 0.10000000149011612
    assert Float(0.1) == Float(0.10000000149011612)
    assert Float(16777217.0).value == 16777216.0
    assert Float(1.401298464324817e-45).value == 1.401298464324817e-45
    assert Float(1e-46).value == 0.0


def test_float_beyond_the_largest_is_infinite():
    assert Float(3.4028234663852886e38).value == 3.4028234663852886e38
    assert Float(1e39).value == math.inf
    assert Float(-1e39).value == -math.inf


@pytest.mark.parametrize("box", [Float, Double])
def test_real_boxes_compare_as_java_equals_does(box):
    assert box(math.nan) == box(-math.nan)
    assert hash(box(math.nan)) == hash(box(math.nan))
    assert box(0.0) != box(-0.0)
    assert box(3) == box(3.0)
    for wrong in (True, "1", None):
        with pytest.raises(TypeError):
            box(wrong)


def test_double_keeps_every_bit():
    assert Double(0.1).value == 0.1
    assert Double(5e-324).value == 5e-324


def test_char_is_one_utf16_unit():
    assert Char("é").value == "é"
    assert Char("\ud83d").value == "\ud83d"
    assert Char("\0").value == "\0"
    for wrong in ("", "ab", "\U0001f600"):
        with pytest.raises(ValueError, match="UTF-16"):
            Char(wrong)
    for wrong in (65, b"a", None):
        with pytest.raises(TypeError):
            Char(wrong)


def test_java_names_of_boxes_are_those_of_the_platform():
    names = ["Byte", "Short", "Integer", "Long", "Float", "Double", "Character"]
    assert [box.java_name for box in ALL] == [f"java.lang.{name}" for name in names]


def test_omitted_is_one_false_mark():
    assert OMITTED is Omitted.OMITTED
    assert not OMITTED
    assert OMITTED is not None
    assert OMITTED != None  # noqa: E711 - equality is the subject
    assert repr(OMITTED) == str(OMITTED) == "OMITTED"
    assert list(Omitted) == [OMITTED]


def test_omitted_survives_copy_and_pickle():
    assert copy.copy(OMITTED) is copy.deepcopy(OMITTED) is OMITTED
    assert pickle.loads(pickle.dumps([OMITTED]))[0] is OMITTED  # noqa: S301 - our own bytes


def test_body_markers_name_java_types():
    assert {marker.value.rpartition(".")[2] for marker in BodyMarker} == {
        "Object",
        "Serializable",
        "CharSequence",
        "Comparable",
        "Number",
    }
    assert repr([OBJECT, CHAR_SEQUENCE]) == "[OBJECT, CHAR_SEQUENCE]"
    assert pickle.loads(pickle.dumps(OBJECT)) is OBJECT  # noqa: S301 - our own bytes
