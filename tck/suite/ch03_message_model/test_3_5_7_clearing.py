"""3.5.7 Clearing a message's property values."""

from __future__ import annotations

from functools import partial

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.messages import both_ends, dressed
from tck.suite.support.values.kinds import KINDS
from tck.suite.support.values.properties import objects, own_names, set_all, set_some
from tck.suite.support.values.seen import body, headers


@asserts("3.5.7-1")
def test_clearing_removes_all_properties(case: Case) -> None:
    """After clearing no property is left, at either end."""
    link = case.link()
    for turn, kind in enumerate(KINDS):
        message = link.message(kind)
        wanted = (set_all if kind == "text" else partial(set_some, turn=turn))(message)
        for end, seen in link.both_ends(message):
            expect.equal(f"property names {end} before", own_names(seen), sorted(wanted))
            seen.clear_properties()
            expect.equal(f"property names of a {kind} message {end} after clearing", own_names(seen), [])
            left = [name for name in wanted if seen.property_exists(name)]
            expect.equal(f"properties that exist {end} after clearing", left, [])
            expect.equal(f"properties {end} after clearing", objects(seen, wanted), dict.fromkeys(wanted))


@asserts("3.5.7-1", variant="groups")
def test_clearing_removes_the_group(case: Case) -> None:
    """After clearing, JMSXGroupID and JMSXGroupSeq that a client had set are gone, at either end."""
    link = case.link()
    for kind in KINDS:
        message = link.message(kind)
        message.set_string_property("JMSXGroupID", "group")
        message.set_int_property("JMSXGroupSeq", 7)
        for end, seen in link.both_ends(message):
            seen.clear_properties()
            left = [name for name in ("JMSXGroupID", "JMSXGroupSeq") if seen.property_exists(name)]
            expect.equal(f"group properties of a {kind} message {end} after clearing", left, [])


@asserts("3.5.7-2")
def test_properties_can_be_set_after_clearing(case: Case) -> None:
    """After clearing, properties of each type can be set and read, on a fresh, a sent and a received message."""
    link = case.link()
    message = link.text("x")
    message.set_string_property("old", "x")
    message.clear_properties()
    wanted = expect.works("setting properties on a fresh message after clearing", partial(set_all, message))
    expect.equal("properties of a fresh message set after clearing", objects(message, wanted), wanted)
    for end, seen in link.both_ends(message):
        seen.clear_properties()
        wanted = expect.works(f"setting properties {end} after clearing", partial(set_all, seen))
        expect.equal(f"properties {end} set after clearing", objects(seen, wanted), wanted)


@asserts("3.5.7-3")
def test_clearing_keeps_the_body(case: Case) -> None:
    """Clearing the properties leaves the body of each kind of message, before the send and at the receiver."""
    link = case.link()
    for kind in KINDS[1:]:
        for content in (f"body of a {kind} message", "x"):
            message = link.message(kind, content)
            message.set_string_property("own", "x")
            message.clear_properties()
            for end, seen in both_ends(link, message):
                seen.clear_properties()
                expect.equal(f"body of a {kind} message {end}, cleared of properties", [body(seen)], [content])


@asserts("3.5.7-4")
def test_clearing_keeps_the_header(case: Case) -> None:
    """Clearing the properties leaves all header fields, at both ends."""
    link = case.link()
    message = dressed(link)
    message.set_string_property("own", "x")
    for end, seen in link.both_ends(message):
        before = headers(seen)
        seen.clear_properties()
        expect.equal(f"header {end} after clearing", headers(seen), before)
