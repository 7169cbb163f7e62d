"""Constraints as selectors: a constraint on an event and its selector on the message of the event agree."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_interworking_cdr import ALARM, COLOUR

from reference_interworking.bridge.converter import ReferenceConverter
from reference_interworking.etcl import Constraint, NotTranslatable, render, to_selector
from reference_interworking.etcl.nodes import (
    And,
    Arithmetic,
    Comparison,
    Component,
    Exist,
    Key,
    Member,
    Not,
    Number,
    Or,
    Substring,
    Text,
    Truth,
)
from reference_interworking.etcl.selectors import LONGEST
from reference_provider.adapter import open_provider
from reference_provider.messages.selection import property_values
from reference_provider.selector import compile_selector
from tck.interworking import PRIORITY, Any_, Kind, event


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    provider = open_provider({"clock": "virtual"}, tmp_path_factory.mktemp("provider"))
    connection = provider.connection_factory().create_connection()
    connection.start()
    yield connection.create_session()
    provider.close()


def one(kind, value):
    return Any_.of(kind, value)


def chosen(selector, given_, session):
    """Whether a selector chooses the message that the bridge makes of an event."""
    made = ReferenceConverter().to_message(given_, session, 0)
    view = {**property_values(made.message.frozen()), "JMSPriority": made.priority}
    compiled = compile_selector(selector)
    return compiled is None or compiled.matches(view)


@pytest.mark.parametrize(
    ("text", "selector"),
    [
        ("", ""),
        ("$a == 1", "a = 1"),
        ("1 < $a", "a > 1"),
        ("not ($a < 1)", "a >= 1"),
        ("$a != 'it\\'s'", "a <> 'it''s'"),
        ("$a == $b", "a = b"),
        ("TRUE == $a", "a = TRUE"),
        ("$a", "a = TRUE"),
        ("not $a", "a = FALSE"),
        ("exist $a", "a IS NOT NULL"),
        ("not exist $a", "a IS NULL"),
        ("'x' ~ $a", "a LIKE '%x%'"),
        ("'a\\\\b' ~ $a", "a LIKE '%a\\b%'"),
        ("'\\\\_' ~ $a", "a LIKE '%\\\\\\_%' ESCAPE '\\'"),
        ("not ('5%' ~ $a)", "a NOT LIKE '%5\\%%' ESCAPE '\\'"),
        ("$a == 1 and $b == 2", "a = 1 AND b = 2"),
        ("$a == 1 or $b == 2", "a = 1 OR a <> 1 AND b = 2"),
        ("not ($a == 1 and $b == 2)", "a <> 1 OR a = 1 AND b <> 2"),
        ("exist $a or $b == 2", "a IS NOT NULL OR b = 2"),
        ("($a == 1 or $b == 2) and $c", "(a = 1 OR a <> 1 AND b = 2) AND c = TRUE"),
        ("$a + 1 * $b > 2.5", "(a + (1 * b)) > 2.5"),
        ("$a / -2 == $b", "(a / -2) = b"),
        ("($a == 1) == FALSE", "a <> 1"),
        ("($a == 1) != FALSE", "a = 1"),
        ("1 < 2", "1 = 1"),
        ("1 > 2 or 1 == 'x'", "1 = 0 OR 1 = 1 AND 1 = 0"),
        ("$a + 1 == 'x'", "1 = 0"),
        ("$a + 1", "1 = 0"),
        ("$domain_name == 'd'", "$domain_type = 'd'"),
        ("$.header.fixed_header.event_type.type_name == 't'", "$type_name = 't'"),
        ("$.header.fixed_header.event_name == 'n'", "$event_name = 'n'"),
        ("$.filterable_data(a) == 1", "a = 1"),
        ("$.header.variable_header(a) == 1", "a = 1"),
        ("$.filterable_data('a-b') == 1", "a_b = 1"),
        ("$.filterable_data(Priority) == 4", "Priority = 4"),
        ("$JMSType == 'x'", "_JMSType = 'x'"),
        ("$\\not == 1", "_not = 1"),
        ("$alarm.severity == 3", "$alarm_severity = 3"),
        ("$Priority > 4", "JMSPriority > 4"),
        ("$.header.variable_header(Priority) <= 3", "JMSPriority <= 3"),
        ("not (4 == $Priority)", "JMSPriority <> 4"),
    ],
)
def test_the_selector_of_a_constraint(text, selector):
    assert to_selector(Constraint(text)) == selector
    compile_selector(selector)


def test_members_of_structs_have_dots_where_the_provider_takes_them():
    assert to_selector(Constraint("$alarm.severity == 3"), dots=True) == "$alarm.severity = 3"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 in $a", "no selector asks `1 in $a`"),
        ("default $a", "no selector asks `default $a`"),
        ("$a == red", "no selector compares `$a` with `red`"),
        ("red == $a", "no selector compares `red` with `$a`"),
        ("$a[0] == 1", "no property holds `$a[0]`"),
        ("$a(k) == 1", "no property holds `$a(k)`"),
        ("$a.(1) == 1", "no property holds"),
        ("$a.0 == 1", "no property holds"),
        ("$a._length == 1", "no property holds"),
        ("$curtime.time > 1", "no property holds"),
        ("exist $", "no property holds"),
        ("exist $.remainder_of_body", "no property holds"),
        ("$remainder_of_body == 1", "no property holds"),
        ("exist $header", "no property holds"),
        ("$.filterable_data[0].value == 1", "no property holds"),
        ("$a < $b", "orders numbers only"),
        ("$a >= 'x'", "orders numbers only"),
        ("FALSE < $a", "orders numbers only"),
        ("$a ~ 'x'", "does not seek a given text"),
        ("$a ~ $b", "does not seek a given text"),
        ("($a == 1) == ($b == 2)", "no selector compares"),
        ("($a == 1) < TRUE", "no selector compares"),
        ("$a == ($b == 2)", "no selector compares"),
        ("($a == 1) + 1 == 2", "no selector computes"),
        ("$a / $b == 1", "may divide by zero"),
        ("$a / 0 == 1", "may divide by zero"),
        ("$a == 9223372036854775808", "beyond the range of long"),
        ("exist $Priority", "becomes a header of the message"),
        ("$Timeout > 1", "becomes a header of the message"),
        ("$EventReliability == 1", "becomes a header of the message"),
        ("$Priority == 4", "JMSPriority cannot tell"),
        ("$Priority == 9", "JMSPriority cannot tell"),
        ("$Priority != 5", "JMSPriority cannot tell"),
        ("$Priority > 3", "JMSPriority cannot tell"),
        ("not ($Priority > 4)", "JMSPriority cannot tell"),
        ("$Priority < 1.5", "JMSPriority cannot tell"),
        ("$Priority == $a", "JMSPriority cannot tell"),
    ],
)
def test_what_no_selector_can_ask_is_refused_with_a_reason(text, reason):
    with pytest.raises(NotTranslatable) as caught:
        to_selector(Constraint(text))
    assert reason in str(caught.value)


def test_a_selector_that_would_grow_beyond_measure_is_refused():
    text = "$a == 1"
    for level in range(60):
        text = f"({text} or $b == 1)" if level % 2 else f"({text} and $b == 1)"
    with pytest.raises(NotTranslatable, match=f"longer than {LONGEST} characters"):
        to_selector(Constraint(f"$c == 1 or {text}"))


# -- agreement

WORDS = st.sampled_from(["", "a", "red", "green", "a%", "_b", "it's", "\\", "größe", "TRUE", "5"])
SMALL = st.integers(-50, 50)
HALVES = SMALL.map(lambda each: each / 2)
VALUES = st.one_of(
    SMALL.map(lambda each: one(Kind.SHORT, each)),
    (SMALL | st.integers(-(2**31), 2**31 - 1)).map(lambda each: one(Kind.LONG, each)),
    st.sampled_from([0, 1, 2**53, 2**53 + 1, 2**63 - 1, -(2**63)]).map(lambda each: one(Kind.LONGLONG, each)),
    (HALVES | st.floats(allow_nan=False)).map(lambda each: one(Kind.DOUBLE, each)),
    HALVES.map(lambda each: one(Kind.FLOAT, each)),
    st.booleans().map(lambda each: one(Kind.BOOLEAN, each)),
    WORDS.map(lambda each: one(Kind.STRING, each)),
    WORDS.map(lambda each: one(Kind.WSTRING, each)),
    st.sampled_from("ab5%").map(lambda each: one(Kind.CHAR, each)),
    st.sampled_from(["red", "green"]).map(lambda each: Any_(COLOUR, each)),
)
MOSTLY_NUMBERS = st.one_of(
    SMALL.map(lambda each: one(Kind.SHORT, each)),
    SMALL.map(lambda each: one(Kind.LONG, each)),
    SMALL.map(lambda each: one(Kind.LONGLONG, each)),
    HALVES.map(lambda each: one(Kind.DOUBLE, each)),
    HALVES.map(lambda each: one(Kind.FLOAT, each)),
    WORDS.map(lambda each: one(Kind.STRING, each)),
)
ANY_NAMES, NUMBER_NAMES = ["a", "b", "a-c", "not"], ["n", "m"]


@st.composite
def events(draw):
    data = draw(st.dictionaries(st.sampled_from(ANY_NAMES), VALUES))
    data |= draw(st.dictionaries(st.sampled_from(NUMBER_NAMES), MOSTLY_NUMBERS))
    if draw(st.booleans()):
        data["alarm"] = Any_(ALARM, (draw(WORDS), draw(SMALL)))
    header = draw(st.dictionaries(st.just("h"), VALUES))
    if draw(st.booleans()):
        header[PRIORITY] = one(Kind.SHORT, draw(st.integers(-3, 12)))
    return event(draw(WORDS), draw(WORDS), draw(WORDS), header=header, data=data)


FIELDS = st.one_of(
    st.sampled_from(["a", "b", "not", "h", *NUMBER_NAMES, "domain_name", "type_name", "event_name"]).map(Component),
    st.sampled_from([*ANY_NAMES, *NUMBER_NAMES]).map(
        lambda each: Component(None, (Member("filterable_data"), Key(each)))
    ),
    st.sampled_from(["name", "severity"]).map(lambda each: Component("alarm", (Member(each),))),
)
LITERALS = st.one_of(SMALL.map(Number), HALVES.map(Number), WORDS.map(Text), st.booleans().map(Truth))
NUMERALS = (SMALL | HALVES | st.integers(-(2**53) - 2, 2**53 + 2)).map(Number)
SUMS = st.recursive(
    st.sampled_from(NUMBER_NAMES).map(Component) | SMALL.map(Number) | HALVES.map(Number),
    lambda inner: st.one_of(
        st.builds(lambda a, sign, b: Arithmetic(a, ((sign, b),)), inner, st.sampled_from("+-*"), inner),
        st.builds(lambda a, b: Arithmetic(a, (("/", Number(b)),)), inner, SMALL.filter(bool)),
    ),
    max_leaves=4,
)
EQUALITIES = st.sampled_from(["==", "!="])
ORDERS = st.sampled_from(["<", "<=", ">", ">="])
LEAVES = st.one_of(
    FIELDS,
    FIELDS.map(Exist),
    st.booleans().map(Truth),
    st.builds(Comparison, FIELDS, EQUALITIES, LITERALS | FIELDS | NUMERALS),
    st.builds(Comparison, LITERALS, EQUALITIES, FIELDS),
    st.builds(Comparison, FIELDS, ORDERS, NUMERALS),
    st.builds(Comparison, NUMERALS, ORDERS, FIELDS),
    st.builds(Comparison, SUMS, EQUALITIES | ORDERS, SMALL.map(Number)),
    st.builds(Comparison, LITERALS, EQUALITIES | ORDERS, LITERALS),
    st.builds(Substring, WORDS.map(Text), FIELDS),
    st.builds(Comparison, st.just(Component(PRIORITY)), EQUALITIES | ORDERS, st.integers(-1, 10).map(Number)),
)


def _above(inner):
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        inner.map(Not),
        several.map(And),
        several.map(Or),
        st.builds(Comparison, several.map(Or), EQUALITIES, st.booleans().map(Truth)),
    )


@settings(max_examples=300)
@given(st.recursive(LEAVES, _above, max_leaves=6), st.lists(events(), min_size=1, max_size=4))
def test_the_constraint_on_the_event_and_the_selector_on_its_message_agree(session, tree, given_):
    constraint = Constraint(render(tree))
    selector = _selector(constraint)
    assume(selector is not None)
    assert [chosen(selector, each, session) for each in given_] == [constraint.matches(each, 0) for each in given_]


def _selector(constraint):
    try:
        return to_selector(constraint)
    except NotTranslatable as refused:
        if "JMSPriority cannot tell" in str(refused):
            return None
        raise


@pytest.mark.parametrize("operator", ["==", "!=", "<", "<=", ">", ">="])
@pytest.mark.parametrize("level", range(-2, 12))
def test_a_comparison_of_priorities_is_refused_if_and_only_if_it_would_disagree(session, operator, level):
    given_ = [event(), *(event(header={PRIORITY: one(Kind.SHORT, each)}) for each in range(-5, 15))]
    constraint = Constraint(f"$Priority {operator} {level}")
    selector = f"JMSPriority {'<>' if operator == '!=' else operator.replace('==', '=')} {level}"
    agree = [chosen(selector, each, session) for each in given_] == [constraint.matches(each, 0) for each in given_]
    assert agree is (_selector(constraint) == selector)


def test_a_consumer_with_the_selector_gets_the_messages_of_the_events_that_match(session):
    queue = session.create_queue("alarms")
    constraint = Constraint("$severity > 5 and (not exist $what or $Priority > 4)")
    given_ = [
        event(header={PRIORITY: one(Kind.SHORT, priority)}, data={"severity": one(Kind.LONG, level), **what})
        for priority in (0, 7)
        for level in (3, 9)
        for what in ({}, {"what": one(Kind.STRING, "a fire")})
    ]
    for at, each in enumerate(given_):
        made = ReferenceConverter().to_message(each, session, 0)
        made.message.set_int_property("at", at)
        session.create_producer(queue).send(
            made.message, delivery_mode=made.delivery_mode, priority=made.priority, time_to_live=made.time_to_live
        )
    consumer = session.create_consumer(queue, to_selector(constraint))
    received = []
    while (message := consumer.receive_no_wait()) is not None:
        received.append(message.get_int_property("at"))
    wanted = [at for at, each in enumerate(given_) if constraint.matches(each, 0)]
    assert sorted(received) == wanted
    assert 0 < len(wanted) < len(given_)
