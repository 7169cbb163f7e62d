"""What is known of a difference is read from the program, and names the rows that own it."""

import re
from dataclasses import replace

import pytest
from programs_support import OK, at_last, do, drained, expected, got, sent, view

from tck.blame.owners import owners_of
from tck.catalogue.differences import load_owners
from tck.programs.comparing.differences import Difference

OWNERS = load_owners()


def test_where_no_entry_fits_the_call_names_the_row_and_where_it_has_none_nothing():
    assert owners_of(Difference(0, "start", "refused", "x", "y"), expected([(do("start", on="c1"), OK)])) == (
        "call",
        (),
    )


def test_a_count_that_a_redelivery_may_have_is_open():
    found = Difference(0, "receive", "property JMSXDeliveryCount", "['int', 2]", "['int', 4]")
    assert owners_of(found, expected([(do("receive", on="k1"), OK)])) == ("count", ())


MAP = do("message", "m1", kind="map", body=[["a", "int", 1]])


@pytest.mark.parametrize(
    ("steps", "rows"),
    [
        ([do("message", "m1", kind="text", body=["string", "x"])], "3.11-29"),
        ([do("message", "m1", kind="object", body=["int", 5])], "3.11-30"),
        ([MAP], "3.11-31"),
        ([do("message", "m1", kind="bytes", body=[["int", 5]])], "3.11-32"),
        ([do("message", "m1", kind="stream", body=[["int", 5]])], "3.11-34"),
        ([do("message", "m1", kind="map")], "3.11-36"),
        ([MAP, do("clear_body", on="m1")], "3.11-36"),
        ([MAP, do("clear_body", on="m2")], "3.11-31"),
        ([MAP, do("message", "m2", kind="text", body=["string", "x"])], "3.11-31"),
        ([(do("receive", "m1", on="k1"), got(view(kind="bytes")))], "3.11-32"),
        ([MAP, (do("receive", "m1", on="k1"), got()), (do("receive", "m2", on="k1"), got(view()))], "3.11-31"),
    ],
)
def test_the_kind_of_a_message_and_whether_its_body_is_empty(steps, rows):
    assert at_last([*steps, do("bodies", on="m1")], "value body") == (rows,)


def test_what_happens_to_a_message_later_does_not_count():
    steps = [MAP, do("bodies", on="m1"), do("clear_body", on="m1"), do("bodies", on="m1")]
    expectation = expected([(each, OK) for each in steps])
    assert [owners_of(Difference(at, "bodies", "value body", "x", "y"), expectation)[1] for at in (1, 3)] == [
        ("3.11-31",),
        ("3.11-36",),
    ]


@pytest.mark.parametrize(
    ("body", "rows"),
    [("[0, -1, ['bytes', '']]", "3.11-18"), ("[3, 3, ['bytes', '616161']]", "3.11-7"), ("[['null', None]]", "3.11-18")],
)
def test_an_empty_body_is_known_by_its_value(body, rows):
    assert at_last([do("receive", on="k1")], "body", body, flags=["bytes"]) == (rows,)


@pytest.mark.parametrize(
    ("between", "rows"),
    [
        ([do("send", on="p1", message="m1")], ("3.9-3",)),
        ([do("send", on="p1", message="m2")], ("3.11-2",)),
        ([], ("3.11-2",)),
    ],
)
def test_whether_a_message_was_sent(between, rows):
    assert at_last([MAP, *between, do("look", on="m1")], "value") == rows


@pytest.mark.parametrize(
    ("headers", "given", "rows"),
    [
        ({"delivery_time": 5}, "m1", "3.4.11-4"),
        ({"expiration": 5}, "m1", "3.4.11-3"),
        ({"type": "car"}, "m1", "6.2.12-1"),
        ({"expiration": 5}, "m2", "6.2.12-1"),
    ],
)
def test_a_message_with_headers_set_by_hand_does_not_come(headers, given, rows):
    steps = [do("message", "m1", kind="text", headers=headers), (do("drain", on="k1"), drained())]
    sends = [sent(0), sent(1, given=given)]
    assert at_last(steps, "missing", "the message of send 2", flags=["queue"], sends=sends) == (rows,)
    assert at_last(steps, "missing", "the message of send 1", flags=["queue"], sends=sends) == ("6.2.12-1",)


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("durable", ("8.3.3-30 8.3.3-28", "8.3.3-1", "8.3.3-27", "8.3.3-28")),
        ("shared_durable", ("8.3.4-1", "8.3.4-1", "8.3.4-20", "8.3.4-21")),
    ],
)
def test_whether_a_subscription_is_resumed(kind, rows):
    def consumer(name, **terms):
        return do("consumer", name, **{"on": "s1", "of": "t1", "kind": kind, "name_": "sub", **terms})

    assert at_last([consumer("k1"), consumer("k2")], "refused") == tuple(rows[0].split())
    assert at_last([consumer("k1"), consumer("k2", of="t2")], "refused") == rows[2:3]
    assert at_last([consumer("k1"), consumer("k2", selector="i = 1")], "refused") == rows[3:]
    assert at_last([consumer("k1", selector=""), consumer("k2", selector=None)], "refused") == tuple(rows[0].split())
    rows = rows[:2]
    assert at_last([consumer("k2")], "refused") == rows[1:]
    other = do("consumer", "k1", on="s1", of="t1", kind=kind, name_="other")
    assert at_last([other, consumer("k2")], "refused") == rows[1:]


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("InvalidDestinationException", "8.3.3-40"),
        ("InvalidDestinationRuntimeException", "8.3.3-40"),
        ("JMSException", "8.3.3-10"),
        ("JMSRuntimeException", "8.3.3-10"),
        ("IllegalStateRuntimeException", "8.3.3-13"),
    ],
)
def test_exceptions_of_both_interfaces_are_one(name, rows):
    step = do("consumer", "k1", on="s1", of="t1", kind="durable", name_="sub")
    assert at_last([step], "accepted", f"raises {name}")[0] == rows
    assert at_last([step], "exception", f"raises {name}")[0] == rows.replace("8.3.3-13", "8.3.3-14")


# -- selectors ---------------------------------------------------------------------------------------------------------

SELECTED = [
    "a = 0x1F", "a = 017", "a = 5L", "a = 5f", "a = 1e3", "a = 7.", "JMSDeliveryMode = 'PERSISTENT'", "JMSTimestamp > 0", "JMSXGroupID = 'g'",
    r"a LIKE 'x\%' ESCAPE '\'", "a NOT LIKE 'x%'", "a LIKE 'x' ESCAPE '!'", "a LIKE 'x%'", "a NOT IN ('x')", "NOT a IN ('x')", "a IN ('x')",
    "a BETWEEN 1 AND 2", "a IS NULL", "NOT a AND b", "a OR b AND c", "a OR b", "a AND b", "NOT a = 1", "NOT a", "a /2 = 1", "a * 2 = 1", "a = - -1", "a = -1",
    "a = TRUE", "a = 1", "a <> 1", "t", "d",
]  # fmt: skip


@pytest.mark.parametrize(("entry", "text"), list(zip(OWNERS.selectors["valid"], SELECTED, strict=False)), ids=SELECTED)
def test_each_sign_of_a_selector_names_its_rows(entry, text):
    sign, rows = entry
    assert re.search(sign, text, re.IGNORECASE)
    assert set(rows) <= set(OWNERS.of_selector(text))


def test_a_selector_names_each_row_once_and_without_signs_that_of_the_language():
    assert OWNERS.of_selector("g") == ("3.8.1.1-4",)
    assert OWNERS.of_selector("a = 1") == ("3.8.1.1-50", "3.8.1.1-58", "3.8.1.1-4")
    found = OWNERS.of_selector("NOT a <> 1 AND b = 2")
    assert len(found) == len(set(found))
    assert OWNERS.of_selector("a is null") == OWNERS.of_selector("a IS NULL")


def test_words_inside_text_of_a_selector_do_not_count():
    step = do("select", on="s1", of="q1", selectors=["g"])
    for text, rows in (
        ("name = 'NOT a'", OWNERS.of_selector("name = ''")),
        ("name = 'a'", OWNERS.of_selector("a = 1")),
    ):
        assert at_last([step], "value", f"{text}: [1]", "[]") == rows


REFUSED = [
    "i = 1 -- two words", "1 IS NULL", "'a' LIKE 'a%'", "1 IN ('a')", 's = "a"', "i == 1", "s IN ()", "ESCAPE = 1", "NULL = 1", "s LIKE 5",
    "s LIKE 'a' ESCAPE 'ab'", "2a = 1",
]  # fmt: skip


@pytest.mark.parametrize(("entry", "text"), list(zip(OWNERS.selectors["invalid"], REFUSED, strict=True)), ids=REFUSED)
@pytest.mark.parametrize(("call", "place"), [("consumer", "8.1-10"), ("browser", "3.8.1.1-101")])
def test_each_text_that_is_no_selector_names_its_row(entry, text, call, place):
    step = do(call, "k1", on="s1", of="q1", selector=text)
    for what, theirs in (("accepted", "returns"), ("exception", "raises JMSException: no")):
        assert at_last([step], what, "raises InvalidSelectorException", theirs) == (*entry[1], place)
        assert at_last([step], what, "raises InvalidSelectorRuntimeException", theirs) == (*entry[1], place)


QUEUES = [do("connect", "c1", api="queue"), do("session", "s1", on="c1")]
TOPICS = [do("connect", "c1", api="topic"), do("session", "s1", on="c1")]
CONTEXT = [do("connect", "s1", api="simplified")]
TAKEN = [
    ([], do("browser", "b1", on="s1", of="q1", selector="i =")),
    (QUEUES, do("consumer", "k1", on="s1", of="q1", selector="i =")),
    *((TOPICS, do("consumer", "k1", on="s1", of="t1", kind=kind, name_="a", selector="i =")) for kind in ("shared_durable", "durable", "shared")),
    (TOPICS, do("consumer", "k1", on="s1", of="t1", selector="i =")),
    (CONTEXT, do("consumer", "k1", on="s1", of="q1", selector="i =")),
    ([], do("consumer", "k1", on="s1", of="q1", selector="i =")),
]  # fmt: skip


PLACES = [
    "3.8.1.1-101", "8.2-8 3.8.1.1-103", "8.3.4-30 3.8.1.1-102", "8.3.3-41 3.8.1.1-102", "8.3.2-24 3.8.1.1-102",
    "8.3.1-20 3.8.1.1-102", "10.3-26 3.8.1.1-100", "8.1-10",
]  # fmt: skip


@pytest.mark.parametrize(("rows", "taken"), list(zip(PLACES, TAKEN, strict=True)), ids=PLACES)
def test_of_another_text_that_is_no_selector_the_row_of_the_place_is_named_and_the_general_one(rows, taken):
    steps, last = taken
    assert at_last([*steps, last], "accepted", "raises InvalidSelectorException") == (*rows.split(), "10.3-25")


def test_a_subscription_of_the_other_kind_is_opened():
    unshared, shared = (
        do("consumer", "k1", on="s1", of="t1", kind=kind, name_="sub") for kind in ("durable", "shared_durable")
    )
    assert at_last([shared, unshared], "accepted", "raises JMSException") == ("8.3.3-32",)
    assert at_last([unshared, shared], "accepted", "raises JMSException") == ("8.3.4-24",)
    assert at_last([unshared, unshared], "accepted", "raises JMSException") == ("8.3.3-10",)


def test_a_consumer_whose_listener_was_taken_away():
    listen, unlisten = do("listen", on="k1", does="take"), do("unlisten", on="k1")
    assert at_last([listen, unlisten, do("receive", "m1", on="k1")], "refused") == ("8.7-16",)
    assert at_last([listen, unlisten, do("receive", "m1", on="k2")], "refused") == ()
    assert at_last([unlisten, listen, do("receive", "m1", on="k1")], "refused") == ()


def bytes_body(*items):
    return do("message", "m1", on="c1", kind="bytes", body=list(items)), do("send", on="p1", message="m1")


@pytest.mark.parametrize(
    ("items", "ours", "theirs", "row"),
    [
        ([["boolean", True]], "01", "ff", "3.11-13"),
        ([["bytes", "0102"], ["short", 5]], "01020005", "01020500", "3.11-13"),
        ([["int", 1], ["utf", "a"]], "00000001000161", "00000001000162", "3.11-15"),
        ([["utf", "\u00e9"], ["boolean", True]], "0002c3a901", "0002c3a9ff", "3.11-13"),
        ([["bytes", "010203040506", "part", 1, 2], ["byte", 7]], "020307", "020407", "3.11-19"),
        ([["bytes", "010203040506", "part", 1, 2], ["byte", 7]], "020307", "020308", "3.11-13"),
        ([["bytes", "01"], ["long", 7]], "010000000000000007", "01", "3.11-13"),
        ([["int", 1], ["bytes", "0102"]], "000000010102", "000000010103", "3.11-7"),
        ([], "", "00000000", "3.11-18"),
    ],
)
def test_the_item_whose_byte_differs_owns_a_bytes_body(items, ours, theirs, row):
    found = [f"[{len(each) // 2}, {len(each) // 2}, ['bytes', '{each}']]" for each in (ours, theirs)]
    assert at_last(list(bytes_body(*items)), "body", *found, flags=["bytes"]) == (row,)


def test_a_setting_of_another_producer_of_the_context():
    context, session = do("connect", "c1", api="simplified"), do("session", "s1", on="c2", mode="auto")
    for parent, rows in ((context, ("7.1-16", "7.4-10")), (session, ("7.4-10", "3.4.10-2"))):
        producers = [do("producer", name, on=parent.name) for name in ("p1", "p2")]
        steps = [parent, *producers, do("set", on="p2", what="priority", value=7), do("send", on="p1", message="m1")]
        assert at_last(steps, "header JMSPriority", "4", "7", flags=["sender"]) == rows
    steps = [context, *producers, do("set", on="p1", what="priority", value=7), do("send", on="p1", message="m1")]
    assert at_last(steps, "header JMSPriority", "4", "7", flags=["sender"]) == ("7.4-2",)


def test_a_refused_selector_names_the_row_of_the_language():
    step = do("consumer", "k1", on="s1", of="q1", selector="i = 1")
    assert at_last([step], "refused", "returns", "raises InvalidSelectorException: no") == OWNERS.of_selector("i = 1")
    quoted = do("consumer", "k1", on="s1", of="q1", selector="s LIKE '1 = 1'")
    assert "3.8.1.1-50" not in at_last([quoted], "refused", "returns", "raises InvalidSelectorException: no")
    assert at_last([step], "refused", "returns", "raises JMSException: no") == ("8.2-1",)


# -- names of faults ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"what": "header JMSType"}, {"do": "look"}, True),
        ({"what": "header JMSType"}, {"flags": frozenset({"sender"})}, False),
        ({"what": "header JMSType"}, {"what": "header JMSPriority"}, False),
        ({"what": "refused", "seen": "raises X: id 17"}, {"seen": "raises X: id 4711"}, True),
        ({"what": "refused", "seen": "raises X: a"}, {"seen": "raises X: b"}, False),
        ({"what": "missing", "seen": "a"}, {"seen": "b"}, True),
        ({"what": "missing"}, {"rows": ("1-1",)}, False),
        ({"what": "missing"}, {"do": "drain"}, False),
        ({"what": "missing"}, {"step": 7, "expected": "other"}, True),
        ({"do": "select", "what": "value", "expected": "a = 1: [1]"}, {"expected": "b = 'AND': []"}, True),
        ({"do": "select", "what": "value", "expected": "a = 1: [1]"}, {"expected": "a <> 1: [1]"}, False),
        ({"do": "select", "what": "value", "expected": "a = 1: [1]"}, {"seen": "{'raises': 'X'}"}, False),
    ],
)
def test_the_same_fault_has_the_same_name(one, other, same):
    first = replace(Difference(0, "receive", "value", "x", "y"), **one)
    assert (first.kind == replace(first, **other).kind) == same


@pytest.mark.parametrize(
    ("text", "asks"),
    [("NOT s LIKE 'x'", True), ("NOT n = 1", True), ("NOT (s LIKE 'x')", False), ("n NOT IN ('x')", False)],
)
def test_a_not_before_a_comparison_without_parentheses_may_break_its_precedence(text, asks):
    assert ("3.8.1.1-48" in OWNERS.of_selector(text)) is asks
