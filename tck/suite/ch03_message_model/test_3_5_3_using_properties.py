"""3.5.3 Using property values: they travel, and are read-only once received."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.body_calls import property_writes
from tck.suite.support.clients.deliveries import WAYS
from tck.suite.support.values.kinds import KINDS
from tck.suite.support.values.properties import objects, own_names, set_all, set_some


@asserts("3.5.3-1", "7.5-1")
def test_properties_travel_and_none_is_added(case: Case) -> None:
    """All properties set before the send are there at the receiver, and no others but those reserved by name."""
    link = case.link()
    message = link.text("x")
    wanted = set_all(message)
    expect.equal("names on the new message", own_names(message), sorted(wanted))
    received = link.carry(message)
    expect.equal("properties at the receiver", objects(received, wanted), wanted)
    expect.equal("names at the receiver", own_names(received), sorted(wanted))
    expect.equal("names on the sender's message", own_names(message), sorted(wanted))
    expect.equal("names of a message without properties", own_names(link.carry(link.text("y"))), [])


def _sets(case: Case, message: api.Message) -> dict[str, Callable[[], object]]:
    """Return calls of each setter, for a name that the received message of the test has and for a new one."""
    return {
        f"{what} of {name!r}": call
        for name in ("new", "string_0")
        for what, call in property_writes(case, message, name).items()
    }


@asserts("3.5.3-2", "10.3-42")
def test_properties_of_a_received_message_are_read_only(case: Case) -> None:
    """Each setter refuses on a received message of each kind, for a new name and for one that is there; nothing changes."""
    link = case.link()
    for turn, kind in enumerate(KINDS):
        message = link.message(kind)
        names = set_some(message, turn)
        received = expect.delivers(link, message)
        before = objects(received, names)
        expect.all_raise(
            api.MessageNotWriteableException, _sets(case, received), though_work=_sets(case, link.message(kind))
        )
        expect.equal(f"properties of a {kind} message afterwards", objects(received, names), before)
        expect.equal("a new property afterwards", received.property_exists("new"), False)


@asserts("3.5.3-2", "10.3-42", variant="ways")
def test_properties_are_read_only_whichever_way_they_came(case: Case) -> None:
    """A setter refuses on a message got by a receive, without waiting, or by a listener."""
    link = case.link()
    for way, get in WAYS.items():
        message = link.text("x")
        message.set_int_property("there", 1)
        link.send(message)
        received = get(case, link)
        for name in ("there", "new"):
            what = f"set_int_property({name!r}) on a message got by {way}"
            expect.raises(api.MessageNotWriteableException, partial(received.set_int_property, name, 2), what=what)
            what = f"set_object_property({name!r}) of null on a message got by {way}"
            expect.raises(
                api.MessageNotWriteableException, partial(received.set_object_property, name, None), what=what
            )
        expect.equal(f"the property of a message got by {way}, afterwards", received.get_int_property("there"), 1)
