"""Filters and mapping filters: types of events, ids, what is refused as a whole, the clock."""

import pytest

from reference_interworking.etcl import (
    ConstraintExp,
    Filter,
    InvalidConstraint,
    InvalidValue,
    MappingConstraintPair,
    MappingFilter,
)
from tck.interworking import Any_, EventType, Kind, event


def still():
    return 0


def long(value):
    return Any_.of(Kind.LONG, value)


def alarm(severity, domain="Telecom", type_="Alarm"):
    return event(domain, type_, data={"severity": long(severity)})


HIGH = ConstraintExp((), "$severity > 5")
LOW = ConstraintExp((), "$severity < 2")
BAD = ConstraintExp((), "$severity >")


# -- filters


def test_a_new_filter_passes_everything():
    assert Filter(still).match_structured(event())


def test_an_event_passes_if_any_constraint_matches():
    filter_ = Filter(still)
    filter_.add_constraints([HIGH, LOW])
    assert [filter_.match_structured(alarm(each)) for each in (1, 3, 7)] == [True, False, True]
    assert not filter_.match_structured(event())


@pytest.mark.parametrize(
    ("domain", "type_", "passes"),
    [
        ("Telecom", "Alarm", True),
        ("telecom", "Alarm", False),
        ("Telecom", "Alarms", False),
        ("*", "*", True),
        ("", "", True),
        ("*", "%ALL", True),
        ("", "%ALL", True),
        ("Telecom", "%ALL", True),
        ("Finance", "%ALL", False),
        ("Finance", "*", False),
        ("Tele*", "Alarm", True),
        ("*com", "*", True),
        ("T*e*m", "Al*", True),
        ("Tele*x", "*", False),
        ("*", "larm*", False),
        ("*", "*larm", True),
        ("Telecom*", "**Alarm", True),
        ("T.lecom", "*", False),
        ("[T]elecom", "*", False),
        ("T?lecom", "*", False),
    ],
)
def test_the_types_of_a_constraint(domain, type_, passes):
    filter_ = Filter(still)
    filter_.add_constraints([ConstraintExp((EventType(domain, type_),), "")])
    assert filter_.match_structured(alarm(3)) is passes


def test_a_wildcard_stands_for_line_ends_too():
    filter_ = Filter(still)
    filter_.add_constraints([ConstraintExp((EventType("a*b", "*"),), "")])
    assert filter_.match_structured(event("a\n\nb", "\n"))


def test_one_type_of_several_and_the_text_must_match():
    filter_ = Filter(still)
    types = (EventType("Finance", "*"), EventType("Telecom", "Alarm"))
    filter_.add_constraints([ConstraintExp(types, "$severity > 5")])
    assert filter_.match_structured(alarm(7))
    assert filter_.match_structured(alarm(7, "Finance", "Trade"))
    assert not filter_.match_structured(alarm(3))
    assert not filter_.match_structured(alarm(7, "Telecom", "Trade"))


def test_constraints_have_ids():
    filter_ = Filter(still)
    first, second = filter_.add_constraints([HIGH, LOW])
    (third,) = filter_.add_constraints([HIGH])
    assert [each.constraint_id for each in (first, second, third)] == [1, 2, 3]
    assert (first.constraint_expression, second.constraint_expression) == (HIGH, LOW)
    assert filter_.get_all_constraints() == [first, second, third]


def test_with_a_bad_constraint_none_is_added():
    filter_ = Filter(still)
    with pytest.raises(InvalidConstraint):
        filter_.add_constraints([HIGH, BAD])
    assert filter_.get_all_constraints() == []


def test_the_current_time_is_the_clock_s_for_each_event():
    times = iter([1, 2, 3])
    filter_ = Filter(lambda: next(times))
    filter_.add_constraints([ConstraintExp((), "$curtime.time == 122192928000020000")])
    assert [filter_.match_structured(event()) for _ in range(3)] == [False, True, False]


# -- mapping filters


def pair(constraint, value):
    return MappingConstraintPair(constraint, long(value))


def test_a_mapping_filter_gives_the_value_of_the_first_match_or_the_default():
    filter_ = MappingFilter(long(0), still)
    assert filter_.match_structured(alarm(7)) == (False, long(0))
    filter_.add_mapping_constraints([pair(HIGH, 9), pair(LOW, 1), pair(ConstraintExp((), "$severity > 6"), 5)])
    assert filter_.match_structured(alarm(7)) == (True, long(9))
    assert filter_.match_structured(alarm(1)) == (True, long(1))
    assert filter_.match_structured(alarm(3)) == (False, long(0))
    assert filter_.match_structured(event()) == (False, long(0))


def test_a_value_of_another_type_is_refused_and_nothing_added():
    filter_ = MappingFilter(long(0), still)
    other = MappingConstraintPair(LOW, Any_.of(Kind.SHORT, 1))
    with pytest.raises(InvalidValue, match="is a short; the filter gives a long"):
        filter_.add_mapping_constraints([pair(HIGH, 1), other])
    assert filter_.get_all_mapping_constraints() == []
    with pytest.raises(InvalidConstraint):
        filter_.add_mapping_constraints([pair(HIGH, 1), pair(BAD, 1)])
    assert filter_.get_all_mapping_constraints() == []


def test_a_mapping_filter_reads_the_clock():
    times = iter([1, 2])
    filter_ = MappingFilter(long(0), lambda: next(times))
    filter_.add_mapping_constraints([pair(ConstraintExp((), "$curtime.time > 122192928000010000"), 1)])
    assert [filter_.match_structured(event())[0] for _ in range(2)] == [False, True]
