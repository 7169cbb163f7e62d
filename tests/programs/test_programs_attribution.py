"""Attribution: each entry of the table can be reached, and what decides about the rows is read from the program."""

import ast
import inspect
import re
from collections import Counter
from dataclasses import replace

import pytest
from programs_support import OK, at_last, do, drained, expected, got, sent, view

from tck.programs.comparing import bytes_bodies, circumstances, comparison, details, ground, history, lifelines, members
from tck.programs.comparing.attribution import INVALID, SELECTORS, TABLE, owners_of, rows_of, selector_rows
from tck.programs.comparing.details import DETAILS, PLACES
from tck.programs.comparing.differences import Difference
from tck.programs.comparing.lifelines import LIFE

ENTRIES = (*LIFE, *DETAILS, *TABLE)
FILLED = {
    "bodies *": "bodies value body",
    "bodies * assignable": "bodies value assignable",
    "* property *": "receive property a",
    "* property JMSX*": "receive property JMSXUserID",
}
ARGUMENTS = {
    "close_waiting": {"on": "k1", "of": "k1"}, "message": {"kind": "text"}, "items": {"types": []}, "connect": {"api": "classic"},
    "temporary": {"kind": "queue"}, "set": {"what": "mode"}, "reads": {"what": "none"},
}  # fmt: skip
"""What steps must have; nothing that an entry presumes."""
SUBSCRIPTIONS = ("plain", "shared", "durable", "shared_durable")


def shown(pattern):
    """Return a call and what differs, so that the pattern fits."""
    text = FILLED.get(pattern) or re.sub(r"^\* ", "receive ", pattern.replace("[ae][cx]ce*", "accepted")).replace(
        "*", "accepted"
    )
    return text.partition(" ")[::2]


def presuming(pattern, presumed):
    """Return a difference, in a program of its own, with the circumstances that an entry presumes and no others."""
    call, what = shown(pattern)
    args, flags, ours, theirs = dict(ARGUMENTS.get(call, {})), set(), "x", "y"
    if what == "property JMSXDeliveryCount":
        theirs = {"absent": "None", "other_type": "y", "": "['int', 1]"}.get(presumed, "['int', 2]")
    for key, word in re.findall(r"(?:(wants|saw) )?(\S+)", presumed):
        if key == "wants":
            ours = f"raises {word}Exception"
        elif key == "saw":
            theirs = f"raises {word}Exception: no"
        elif word == "never":
            theirs = "'never'"
        elif word == "async":
            args["async"] = True
        elif call == "consumer" and word in {*SUBSCRIPTIONS, "queue"}:
            args |= {"of": "q1" if word == "queue" else "t1", **({} if word == "queue" else {"kind": word})}
        else:
            flags.add(word)
    found = Difference(0, call, what, ours, theirs, frozenset(flags))
    return found, expected([(do(call, **args), OK)])


@pytest.mark.parametrize(
    ("pattern", "presumed", "rows"),
    [pytest.param(*each, id=f"{number}: {each[0]} {each[1]}") for number, each in enumerate(ENTRIES)],
)
def test_each_entry_is_reached(pattern, presumed, rows):
    assert owners_of(*presuming(pattern, presumed)) == (f"{pattern} | {presumed}", tuple(rows.split()))


def test_each_entry_is_there_once():
    assert [each for each, count in Counter(each[:2] for each in ENTRIES).items() if count > 1] == []


MODULES = (bytes_bodies, circumstances, comparison, details, ground, history, lifelines, members)
TABLES = {"LIFE", "DETAILS", "PLACES"}
MADE = r"(wants|saw|raises|preset|prescribed|type|under|part|after)_.*|(last|had)_(closed_)?(body_refused|in_hand|sent|unsent|restart|kill|sever|recover|rollback|fail_commit|connection|session|consumer|pool|branch)_.*|prepare|forget"
"""Words that are made of names of exceptions, headers, types and groups, or of two words, and what a branch does."""
PREFIXES = (
    "by_",
    "last_",
    "had_",
    "given_",
    "set_",
    "as_",
    "of_",
    "form_",
    "closed_",
    "other_",
    "other_set_",
    "item_",
)


def spoken():
    """Return the words in the modules that tell the circumstances, their tables aside."""
    found = set()
    for module in MODULES:
        for node in ast.parse(inspect.getsource(module)).body:
            if not (isinstance(node, ast.AnnAssign) and ast.unparse(node.target) in TABLES):
                for each in ast.walk(node):
                    if isinstance(each, ast.Constant) and isinstance(each.value, str):
                        found |= set(re.findall(r"\w+", each.value))
    return found


def test_each_word_that_an_entry_presumes_is_told_by_some_circumstance():
    known = spoken()
    presumed = {word for each in ENTRIES for word in re.sub(r"(wants|saw) ", r"\1_", each[1]).split()}
    presumed |= {word for word, _ in PLACES if word}
    silent = {word for word in presumed if not re.fullmatch(MADE, word)} - known
    assert {word for word in silent if not any(word.removeprefix(each) in known for each in PREFIXES)} == set()


def test_where_no_entry_fits_no_row_is_named():
    assert rows_of(Difference(0, "start", "refused", "x", "y"), expected([(do("start", on="c1"), OK)])) == ()


def test_rows_that_a_difference_has_are_kept():
    found = Difference(0, "send", "refused", "x", "y", rows=("1-1",))
    assert rows_of(found, expected([(do("send"), OK)])) == ("1-1",)


# -- circumstances -----------------------------------------------------------------------------------------------------


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
    told = expected([(each, OK) for each in steps])
    assert [rows_of(Difference(at, "bodies", "value body", "x", "y"), told) for at in (1, 3)] == [
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


@pytest.mark.parametrize(
    ("kind", "rows"),
    [("queue", "6.2.10-20"), ("durable", "6.2.10-21"), ("shared_durable", "6.2.10-21"), ("plain", "6.2.10-22")],
)
def test_the_kind_of_endpoint(kind, rows):
    step = do("receive", on="k1")
    assert at_last(
        [step], "missing", flags=[kind, *(["durable"] if "durable" in kind else []), "last_recover_held"]
    ) == (rows,)


# -- selectors ---------------------------------------------------------------------------------------------------------

SELECTED = [
    "a = 0x1F", "a = 017", "a = 5L", "a = 5f", "a = 1e3", "a = 7.", "JMSDeliveryMode = 'PERSISTENT'", "JMSTimestamp > 0", "JMSXGroupID = 'g'",
    r"a LIKE 'x\%' ESCAPE '\'", "a NOT LIKE 'x%'", "a LIKE 'x' ESCAPE '!'", "a LIKE 'x%'", "a NOT IN ('x')", "NOT a IN ('x')", "a IN ('x')",
    "a BETWEEN 1 AND 2", "a IS NULL", "NOT a AND b", "a OR b AND c", "a OR b", "a AND b", "NOT a = 1", "NOT a", "a /2 = 1", "a * 2 = 1", "a = - -1", "a = -1",
    "a = TRUE", "a = 1", "a <> 1", "t", "d",
]  # fmt: skip


@pytest.mark.parametrize(("entry", "text"), list(zip(SELECTORS, SELECTED, strict=True)), ids=SELECTED)
def test_each_sign_of_a_selector_names_its_rows(entry, text):
    sign, rows = entry
    assert re.search(sign, text, re.IGNORECASE)
    assert set(rows.split()) <= set(selector_rows(text))
    assert set(selector_rows(text)) == {
        row for other, rows in SELECTORS if re.search(other, text, re.IGNORECASE) for row in rows.split()
    }


def test_a_selector_names_each_row_once_and_without_signs_none():
    assert selector_rows("g") == ()
    assert selector_rows("a = 1") == ("3.8.1.1-50", "3.8.1.1-58")
    found = selector_rows("NOT a <> 1 AND b = 2")
    assert len(found) == len(set(found))
    assert selector_rows("a is null") == selector_rows("a IS NULL")


def test_words_inside_text_of_a_selector_do_not_count():
    step = do("select", on="s1", of="q1", selectors=["g"])
    for text, rows in (("name = 'NOT a'", selector_rows("name = ''")), ("name = 'a'", ("3.8.1.1-50", "3.8.1.1-58"))):
        assert at_last([step], "value", f"{text}: [1]", "[]") == rows


REFUSED = [
    "i = 1 -- two words", "1 IS NULL", "'a' LIKE 'a%'", "1 IN ('a')", 's = "a"', "i == 1", "s IN ()", "ESCAPE = 1", "NULL = 1", "s LIKE 5",
    "s LIKE 'a' ESCAPE 'ab'", "2a = 1",
]  # fmt: skip


@pytest.mark.parametrize(("entry", "text"), list(zip(INVALID, REFUSED, strict=True)), ids=REFUSED)
@pytest.mark.parametrize(("call", "place"), [("consumer", "8.1-10"), ("browser", "3.8.1.1-101")])
def test_each_text_that_is_no_selector_names_its_row(entry, text, call, place):
    step = do(call, "k1", on="s1", of="q1", selector=text)
    for what, theirs in (("accepted", "returns"), ("exception", "raises JMSException: no")):
        assert at_last([step], what, "raises InvalidSelectorException", theirs) == (entry[1], place)
        assert at_last([step], what, "raises InvalidSelectorRuntimeException", theirs) == (entry[1], place)


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


@pytest.mark.parametrize(
    ("entry", "taken"), list(zip(PLACES, TAKEN, strict=True)), ids=[each or "other" for each, _ in PLACES]
)
def test_of_another_text_that_is_no_selector_the_row_of_the_place_is_named_and_the_general_one(entry, taken):
    steps, last = taken
    assert at_last([*steps, last], "accepted", "raises InvalidSelectorException") == (*entry[1].split(), "10.3-25")


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
        ([["int", 1], ["bytes", "0102"]], "000000010102", "000000010103", "3.11-13"),
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
    assert at_last([step], "refused", "returns", "raises InvalidSelectorException: no") == ("3.8.1.1-50", "3.8.1.1-58")
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
    assert ("3.8.1.1-48" in selector_rows(text)) is asks
