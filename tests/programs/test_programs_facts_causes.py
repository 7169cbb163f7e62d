"""Attribution: what a message, a producer or a selector holds that some providers cannot take owns the refusal."""

import pytest
from programs_support import at_last, do

from tck.catalogue.differences import load_owners

EMOJI, PROPERTY = {"correlation": "\U0001f600"}, [["i", "null", None]]
ENTRY = [["a", "null", None]]
SENT = do("send", on="p1", message="m1")
FORMAT, OTHER = "raises MessageFormatException: no", "raises JMSException: no"


@pytest.mark.parametrize(
    ("args", "theirs", "rows"),
    [
        ({"headers": EMOJI}, OTHER, ("3.4.5-2",)),
        ({"headers": {"type": "\U0001f600"}}, OTHER, ("3.4.8-1",)),
        ({"headers": {"correlation": "\uffff"}}, OTHER, ("7.2-1",)),
        ({"on": None, "properties": PROPERTY}, FORMAT, ("3.12-1", "3.12-12")),
        ({"on": None, "properties": PROPERTY}, OTHER, ("3.12-1",)),
        ({"on": None, "body": ENTRY}, FORMAT, ("3.12-1", "3.12-9")),
        ({"on": None, "body": [["a", "int", 1]]}, FORMAT, ("3.12-1",)),
    ],
)
def test_what_a_refused_message_holds(args, theirs, rows):
    message = do("message", "m1", **{"on": "c1", "kind": "map", **args})
    assert at_last([message, SENT], "refused", "returns", theirs) == rows


@pytest.mark.parametrize(
    ("seen", "row"), [("{'raises': 'NullPointerException'}", "6.1.8-4"), ("'still waits'", "6.1.8-1")]
)
def test_a_receive_that_the_close_of_its_connection_ends(seen, row):
    steps = [do("connect", "c1", api="classic"), do("session", "s1", on="c1"), do("consumer", "k1", on="s1", of="q1")]
    waiting = do("close_waiting", on="k1", of="c1")
    assert at_last([*steps, waiting], "value ended", "ended: True", f"ended: {seen}") == (row,)


def test_a_producer_that_refuses_null_as_a_property():
    for value, rows in ((None, ("7.5-2", "3.12-12")), (1, ("7.5-2",))):
        step = do("set", on="p1", what="property", name_="a", type="null", value=value)
        context = [do("connect", "c1", api="simplified"), do("producer", "p1", on="c1")]
        assert at_last([*context, step], "refused", "returns", FORMAT) == rows


def test_a_message_that_is_filled_again_with_null_has_rows_for_what_differs():
    message = do("message", "m1", on="s1", kind="text", body=["string", "x"])
    steps = [
        do("connect", "c1", api="classic"),
        do("session", "s1", on="c1"),
        do("producer", "p1", on="s1", to="q1"),
        message,
    ]
    steps += [do("write", on="m1", body=["string", None]), do("send", on="p1", message="m1")]
    assert at_last(steps, "refused", "returns", FORMAT)


@pytest.mark.parametrize(("call", "row"), [("browse", "4.1.6-1"), ("enumerate", "4.1.6-10")])
def test_a_refused_browse_may_be_the_fault_of_the_selector(call, row):
    for terms, rows in (({"selector": "s LIKE ''"}, load_owners().of_selector("s LIKE ''")), ({}, ())):
        steps = [do("browser", "b1", on="s1", of="q1", **terms), do(call, on="b1")]
        assert at_last(steps, "refused", "returns", OTHER) == (row, *rows)


@pytest.mark.parametrize(
    ("ours", "theirs", "row"),
    [
        ("[]", "[{'raises': 'JMSException'}]", "3.11-12"),
        ("[]", "[['int', 1]]", "3.11.4-1"),
        ("[['int', 1]]", "[{'raises': 'JMSException'}]", "3.11.4-1"),
    ],
)
def test_a_stream_whose_end_raises_something_else(ours, theirs, row):
    assert at_last([do("receive", on="k1")], "body", ours, theirs, flags=["stream"])[0] == row


def test_no_delivery_time_at_all_is_not_the_setting_of_another_producer():
    steps = [do("connect", "c1", api="simplified"), *(do("producer", name, on="c1") for name in ("p1", "p2")),
             do("set", on="p2", what="delay", value=1), do("send", on="p1", message="m1")]  # fmt: skip
    for theirs, row in (("'never'", "3.4.13-2"), ("'later'", "7.1-16")):
        assert at_last(steps, "header JMSDeliveryTime", "'send'", theirs, flags=["sender"])[0] == row


@pytest.mark.parametrize(("seen", "rows"), [("01ff", ("3.11-13",)), ("0000", ("3.12-17", "3.12-7"))])
def test_a_body_of_other_bytes_is_not_one_that_was_changed_from_outside(seen, rows):
    made = do("message", "m1", on="s1", kind="bytes", body=[["byte", 1], ["boolean", True]])
    look = do("look", on="m1", spoil=True)
    found = at_last([made, look], "again", "[['bytes', '0101']]", f"[['bytes', '{seen}']]", ["bytes", "sender"])
    assert found == rows


def test_a_body_that_was_refused_before_is_gone():
    steps = [do("connect", "c1", api="simplified", mode="dups_ok"), do("consumer", "k1", on="c1", of="q1")]
    refused = (do("receive_body", on="k1", type="int"), {"raises": "MessageFormatRuntimeException"})
    again = do("receive_body", on="k1", type="string")
    assert at_last([*steps, refused, again], "missing") == ("8.6-24",)
    assert at_last([*steps, again], "missing") == ("8.6-2",)
