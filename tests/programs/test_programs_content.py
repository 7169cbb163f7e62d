"""Content of messages: what differs is named with both values; hints, vendor's and optional properties are left open."""

import pytest
from programs_support import OK, allowances, do, drained, expected, got, judge, kinds, sent, view

from tck.programs.comparing.content import OPTIONAL, Known, contents_of, first_difference
from tck.programs.comparing.outcomes import disabled_by_send

PLAIN = Known({}, ())


def contents(ours, theirs, known=PLAIN, *, undecided=False, failed=False, again=False):
    return list(contents_of(ours, theirs, known, undecided=undecided, failed=failed, again=again))


# -- differences -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("theirs", "message"),
    [
        (view(headers={"JMSType": ["string", "car"]}), ("header JMSType", "['null', None]", "['string', 'car']")),
        (view(headers={"JMSType": {"raises": "X"}}), ("header JMSType", "['null', None]", "{'raises': 'X'}")),
        (view(headers={"JMSPriority": 4.5}), ("header JMSPriority", "4", "4.5")),
        (view(headers={"JMSMessageID": "another"}), ("header JMSMessageID", "'sent'", "'another'")),
        (view(properties={"a": ["int", 5]}), ("property a", "['long', 5]", "['int', 5]")),
        (view(properties={"a": {"raises": "X"}}), ("property a", "['long', 5]", "{'raises': 'X'}")),
        (view(properties={"a": ["long", 5], "b": ["int", 1]}), ("property b", "None", "['int', 1]")),
        (view(properties={"a": ["long", 5], "JMSXGroupID": ["string", "g"]}), ("property JMSXGroupID", "None", "['string', 'g']")),
        (view(properties={"a": ["long", 5], "JMSXOther": ["int", 1]}), ("property JMSXOther", "None", "['int', 1]")),
        (view(body=["string", ""]), ("body", "['string', 'text 0']", "['string', '']")),
        (view(body=["null", None]), ("body", "['string', 'text 0']", "['null', None]")),
    ],
)  # fmt: skip
def test_what_a_message_holds_differently(theirs, message):
    ours = view(headers={"JMSType": ["null", None]}, properties={"a": ["long", 5]})
    theirs["headers"].setdefault("JMSType", ["null", None])
    theirs["properties"].setdefault("a", ["long", 5])
    assert contents(ours, ours) == []
    assert contents(ours, theirs) == [(*message, frozenset({"text"}))]


def test_a_header_that_is_gone():
    theirs = view()
    del theirs["headers"]["JMSPriority"]
    assert contents(view(), theirs) == [("header JMSPriority", "4", "None", frozenset({"text"}))]


def test_a_property_that_is_gone():
    theirs = view()
    theirs["properties"] = {}
    assert contents(view(), theirs) == [("property JMSXDeliveryCount", "['int', 1]", "None", frozenset({"text"}))]


def test_properties_that_cannot_be_read():
    theirs = {**view(), "properties": {"raises": "JMSException"}}
    assert [each[0] for each in contents(view(), theirs)] == ["property"]
    assert [each[0] for each in contents(theirs, view())] == ["property"]
    assert contents(theirs, theirs) == []


def test_all_that_differs_is_named():
    theirs = view(headers={"JMSPriority": 9}, properties={"a": ["int", 1]}, body=None)
    assert [each[0] for each in contents(view(), theirs)] == ["header JMSPriority", "property a", "body"]


def test_of_messages_of_two_kinds_only_that_is_named():
    theirs = view(kind="bytes", headers={"JMSPriority": 9}, body=None)
    assert [each[0] for each in contents(view(), theirs)] == ["kind"]


def test_what_was_read_again_is_compared():
    ours, theirs = {**view(), "again": [["int", 5]]}, {**view(), "again": [["int", 6]]}
    assert [each[0] for each in contents(ours, theirs)] == ["again"]


def test_what_is_no_message_is_a_value():
    assert contents(None, view(), PLAIN)[0][:2] == ("value", "None")
    assert contents(view(), None, PLAIN)[0][2] == "None"


def test_the_senders_message_is_known_by_its_lack_of_a_send():
    ours, theirs = {"headers": {"JMSPriority": 4}}, {"headers": {"JMSPriority": 9}}
    assert contents(ours, theirs)[0][3] == {"None", "sender"}


def test_long_values_are_cut():
    (found,) = contents(view(body=["string", "x" * 500]), view())
    assert len(found[1]) == 200
    assert found[1].endswith("...")


# -- redelivery --------------------------------------------------------------------------------------------------------

TWICE = view(redelivered=True, count=2)


@pytest.mark.parametrize(
    ("ours", "theirs", "terms", "message"),
    [
        (view(), TWICE, {}, ["header JMSRedelivered", "property JMSXDeliveryCount"]),
        (view(), TWICE, {"undecided": True}, ["again", "again"]),
        (TWICE, view(), {"undecided": True}, ["again", "again"]),
        (view(), TWICE, {"again": True}, ["flagged", "flagged"]),
        (TWICE, view(), {"again": True}, ["header JMSRedelivered", "property JMSXDeliveryCount"]),
        (view(), TWICE, {"failed": True}, ["header JMSRedelivered", "count"]),
        (TWICE, view(), {"failed": True}, ["header JMSRedelivered", "count"]),
        (view(), view(headers={"JMSRedelivered": None}), {"again": True}, ["header JMSRedelivered"]),
        (view(), view(properties={"JMSXDeliveryCount": ["long", 2]}), {"again": True}, ["property JMSXDeliveryCount"]),
        (view(), view(properties={"JMSXDeliveryCount": {"raises": "X"}}), {"again": True}, ["property JMSXDeliveryCount"]),
        (view(), view(properties={"JMSXDeliveryCount": {"raises": "X"}}), {"failed": True}, ["property JMSXDeliveryCount"]),
    ],
)  # fmt: skip
def test_flags_and_counts_of_redelivery(ours, theirs, terms, message):
    assert [each if isinstance(each, str) else each[0] for each in contents(ours, theirs, **terms)] == message


@pytest.mark.parametrize("terms", [{"undecided": True}, {"again": True}, {"failed": True}])
def test_redelivery_excuses_nothing_else(terms):
    theirs = view(headers={"JMSPriority": 9}, properties={"a": ["int", 1]}, body=None)
    assert [each[0] for each in contents(view(), theirs, **terms)] == ["header JMSPriority", "property a", "body"]


# -- hints -------------------------------------------------------------------------------------------------------------

NO_ID = {"disable_id": {"JMSMessageID": ("null", "an id", "sent")}}
NO_TIME = {"disable_time": {"JMSTimestamp": ("never", "send", "sent", "some time")}}
HINTED = [
    (hint, header, ours, theirs)
    for each in (NO_ID, NO_TIME)
    for hint, headers in each.items()
    for header, values in headers.items()
    for ours in values
    for theirs in values
    if ours != theirs
]


@pytest.mark.parametrize(("hint", "header", "ours", "theirs"), HINTED)
def test_a_hint_may_be_followed_or_not(hint, header, ours, theirs):
    both = view(headers={header: ours}), view(headers={header: theirs})
    assert contents(*both, Known({0: frozenset({hint})}, ())) == ["left out"]
    other = "disable_id" if hint == "disable_time" else "disable_time"
    for known in (Known({0: frozenset({other})}, ()), Known({0: frozenset(), None: frozenset({hint})}, ())):
        assert [each[0] for each in contents(*both, known)] == [f"header {header}"]


@pytest.mark.parametrize(
    ("header", "seen"),
    [
        ("JMSMessageID", "used before"),
        ("JMSMessageID", "no id: 'x'"),
        ("JMSTimestamp", "400 ms off"),
        ("JMSExpiration", "never"),
    ],
)
def test_a_hint_excuses_no_other_value(header, seen):
    known = Known({0: frozenset({"disable_id", "disable_time"})}, ())
    both = view(headers={header: "sent"}), view(headers={header: seen})
    assert [each[0] for each in contents(*both, known)] == [f"header {header}"]
    assert [each[0] for each in contents(*reversed(both), known)] == [f"header {header}"]


def test_the_hints_of_a_send_count_for_its_outcome():
    ours = {"headers": {"JMSMessageID": "an id"}, "hints": ["disable_id"]}
    theirs = {"headers": {"JMSMessageID": "null"}, "hints": ["disable_id"]}
    assert contents(ours, theirs) == ["left out"]
    assert contents({**ours, "hints": []}, theirs)[0][0] == "header JMSMessageID"


def test_a_message_of_an_unknown_send_may_have_any_hint_of_the_program():
    known = Known({0: frozenset(), None: frozenset({"disable_id"})}, ())
    for send, disabled in ((7, ["left out"]), (0, [("header JMSMessageID", "'an id'", "'null'", frozenset({"text"}))])):
        both = (
            view(send, body=None, headers={"JMSMessageID": "an id"}),
            view(send, body=None, headers={"JMSMessageID": "null"}),
        )
        assert contents(*both, known) == disabled
    both = view(None, headers={"JMSMessageID": "an id"}), view(None, headers={"JMSMessageID": "null"})
    assert contents(*both, Known({0: frozenset({"disable_id"}), None: frozenset({"disable_id"})}, ())) == ["left out"]


HINT = {"ok": {"headers": {}, "hints": ["disable_id"]}}
SEND = do("send", on="p1", message="m1")
RECEIVE = do("receive", on="k1")
WITHOUT = got(view(2, headers={"JMSMessageID": "null"}))


def test_the_hints_of_each_send_are_found():
    rows = [
        (SEND, {"ok": {"headers": {}}}),
        (do("send_body", on="p1", body=["string", "x"]), {"ok": {"hints": ["disable_time"]}}),
        (SEND, {"raises": "JMSException"}),
        (SEND, {"ok": {"callback": {"completed": {"headers": {}, "hints": ["disable_id"]}}}}),
        (do("send_body", on="p1", body=["string", "x"]), OK),
        (RECEIVE, WITHOUT, got(view(2))),
    ]
    found = judge(rows, [sent(number) for number in range(4)])
    assert allowances(found) == ["left out"]
    rows[-1] = (RECEIVE, got(view(1, headers={"JMSMessageID": "null"})), got(view(1)))
    assert kinds(judge(rows, [sent(number) for number in range(4)])) == ["header JMSMessageID"]


def test_the_hints_of_a_send_after_many():
    many = do("send_many", on="p2", of="s1", count=2, first=1)
    rows = [
        (many, OK),
        (SEND, HINT),
        (SEND, {"ok": {"headers": {}}}),
        (SEND, {"ok": {"headers": {}}}),
        (RECEIVE, WITHOUT, got(view(2))),
    ]
    assert allowances(judge(rows, [sent(number) for number in range(5)])) == ["left out"]


def test_the_hints_of_many_sends():
    rows = [
        (do("set", on="p1", what="disable_id", value=True), {"ok": {"kept": True}}),
        (do("send_many", on="p1", of="s1", count=3, first=1), OK),
        (RECEIVE, WITHOUT, got(view(2))),
    ]
    assert allowances(judge(rows, [sent(number) for number in range(3)])) == ["left out"]


def test_a_provider_may_know_a_message_by_an_identifier_that_it_was_asked_to_leave_out():
    ours = view(None, headers={"JMSMessageID": "null", "JMSTimestamp": "some time"}, body=["string", "x"])
    theirs = view(0, headers={"JMSTimestamp": "sent"}, body=["string", "x"])
    rows = [(SEND, HINT), (RECEIVE, got(ours), got(theirs)), (do("look", on="r1"), {"ok": ours}, {"ok": theirs})]
    assert set(allowances(judge(rows, [sent(0)]))) == {"left out"}
    rows[1:] = [(RECEIVE, got(ours), got({**theirs, "body": ["string", "y"]}))]
    assert kinds(judge(rows, [sent(0)])) == ["extra"]
    rows = [(SEND, {"ok": {"headers": {}}}), (RECEIVE, got(ours), got(theirs)), (do("drain", on="k1"), drained())]
    assert kinds(judge(rows, [sent(0)])) == ["extra"]


def test_a_message_that_is_known_otherwise_keeps_its_send():
    ours = view(0, headers={"JMSMessageID": "null"})
    without = view(None, headers={"JMSMessageID": "null", "JMSTimestamp": "some time"}, body=["string", "text 0"])
    theirs = view(0, headers={"JMSTimestamp": "sent"})
    rows = [(SEND, HINT), (RECEIVE, got(ours), got(view(0)))]
    assert allowances(judge([*rows, (do("look", on="r1"), {"ok": without}, {"ok": theirs})], [sent(0)])) == [
        "left out",
        "left out",
        "left out",
    ]


@pytest.mark.parametrize(
    ("ours", "theirs", "disabled"),
    [
        (["null", None], "the id of send 0", True),
        ("the id of send 0", ["null", None], True),
        (["null", None], "the id of send 1", False),
        ("the id of send 0", "the id of send 1", False),
        (["null", None], ["string", "x"], False),
    ],
)
def test_the_identifier_of_another_message_that_was_asked_to_have_none(ours, theirs, disabled):
    known = Known({0: frozenset({"disable_id"}), 1: frozenset(), None: frozenset({"disable_id"})}, ())
    both = (view(1, body=None, headers={"JMSCorrelationID": each}) for each in (ours, theirs))
    found = contents(*both, known)
    assert (found == ["left out"]) == disabled
    assert disabled or found[0][0] == "header JMSCorrelationID"


# -- properties of the provider ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*sorted(OPTIONAL), "JMS_vendor_x"])
def test_a_property_that_a_provider_may_add(name):
    both = view(properties={name: ["string", "x"]}), view()
    assert contents(*both) == ["vendor"]
    assert contents(*reversed(both)) == ["vendor"]


@pytest.mark.parametrize("name", sorted(OPTIONAL))
def test_a_property_that_the_profile_claims_is_compared(name):
    both = view(properties={name: ["string", "x"]}), view()
    assert contents(*both, Known({}, (name,)))[0][0] == f"property {name}"
    assert allowances(judge([(RECEIVE, *map(got, both))], [sent(0)])) == ["vendor"]
    assert kinds(judge([(RECEIVE, *map(got, both))], [sent(0)], claimed=(name,))) == [f"property {name}"]


def test_what_the_vendor_adds_hides_nothing():
    ours, theirs = drained(view()), drained(view(properties={"JMS_vendor_x": ["int", 1], "a": ["int", 1]}))
    found = judge([(do("drain", on="k1"), ours, theirs)], [sent(0)])
    assert kinds(found) == ["property a"]
    assert [each.rule for each in found.allowed] == ["vendor"]


# -- values ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs", "place"),
    [
        (1, 2, ((), 1, 2)),
        ({"a": 1}, {"b": 1}, ((), {"a": 1}, {"b": 1})),
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, (("b",), 2, 3)),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, (("a", "b"), [1, 2], [1, 3])),
        ([[1], [2]], [[1], [3]], (("1",), [2], [3])),
        ([[1], [2]], [[1]], ((), [[1], [2]], [[1]])),
        ([{"a": 1}], [{"a": 2}], (("0", "a"), 1, 2)),
        ({"a": None}, {"a": False}, (("a",), None, False)),
    ],
)
def test_the_first_place_that_differs(ours, theirs, place):
    assert first_difference(ours, theirs) == place


def test_sends_without_hints_are_known_too():
    expectation = expected([(SEND, HINT), (SEND, {"ok": {"headers": {}}})], [sent(0), sent(1)])
    assert disabled_by_send(expectation) == {
        0: frozenset({"disable_id"}),
        1: frozenset(),
        None: frozenset({"disable_id"}),
    }
