"""3.5.9 The standard properties whose names begin with JMSX: which there are, their types, who announces them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.deliveries import WAYS
from tck.suite.support.values.jmsx import SET_ON_SEND, TYPES
from tck.suite.support.values.properties import comparable, names_of

COUNT = "JMSXDeliveryCount"
BOTH = ("auto", "transacted")


def _present(message: api.Message) -> list[str]:
    """Return the names of the JMSX properties of a message, in any case."""
    return [name for name in names_of(message) if name.upper().startswith("JMSX")]


def _announced(client: Client) -> list[str]:
    """Return the names of the JMSX properties that the client's connection announces."""
    return sorted(str(name) for name in client.connection.meta_data.get_jmsx_property_names())


def _unknown(names: Iterable[str]) -> list[str]:
    """Return the names that are none of the nine, in any case."""
    known = {name.upper() for name in TYPES}
    return [name for name in names if name.upper() not in known]


def _misspelt(names: Iterable[str]) -> list[str]:
    """Return the names that differ from one of the nine in case only."""
    return [name for name in names if name not in TYPES and not _unknown([name])]


def _misfits(message: api.Message) -> list[str]:
    """Return the JMSX properties with a value of a wrong class, each with this class."""
    classes = {name: type(comparable(message.get_object_property(name))) for name in _present(message)}
    return [f"{name} {kind.__name__}" for name, kind in classes.items() if TYPES.get(name, kind) is not kind]


@asserts("3.5.9-1", ack=BOTH)
def test_there_are_no_other_jmsx_names(case: Case) -> None:
    """Each JMSX name on a message, and each that the connection announces, is one of the nine."""
    link = case.link()
    sent = link.text("x")
    received = link.carry(sent)
    seen = sorted({*_present(sent), *_present(received), *_announced(link.client)})
    expect.equal("JMSX names beside the nine", _unknown(seen), [])


@asserts("3.5.9-2", ack=BOTH)
def test_jmsx_properties_have_their_types(case: Case) -> None:
    """Each JMSX property of a message is of the type that the table gives it."""
    link = case.link()
    message = link.text("x")
    message.set_string_property("JMSXGroupID", "group")
    message.set_int_property("JMSXGroupSeq", 1)
    for end, seen in link.both_ends(message):
        expect.equal(f"JMSX properties of another type {end}", _misfits(seen), [])
        expect.true(
            f"JMSX properties {end} could be looked at", {"JMSXGroupID", "JMSXGroupSeq"} <= {*_present(seen)}, "no"
        )


@asserts("3.5.9-3")
def test_each_received_message_has_a_delivery_count(case: Case) -> None:
    """JMSXDeliveryCount is on each message, whichever way the consumer got it."""
    link = case.link()
    for way, get in WAYS.items():
        link.send("x")
        expect.equal(f"whether a message got by {way} has a {COUNT}", get(case, link).property_exists(COUNT), True)


@asserts("3.5.9-4")
def test_a_group_id_travels(case: Case) -> None:
    """A client may set JMSXGroupID; receivers have it, and selectors see it."""
    link = case.link(selector="JMSXGroupID = 'group 1'")
    message = link.text("x")
    expect.works("setting JMSXGroupID", partial(message.set_string_property, "JMSXGroupID", "group 1"))
    link.send(message)
    received = expect.arrives(link, ["x"])[0]
    expect.equal("JMSXGroupID at the receiver", received.get_object_property("JMSXGroupID"), "group 1")


@asserts("3.5.9-5")
def test_a_group_sequence_travels(case: Case) -> None:
    """A client may set JMSXGroupSeq, and receivers have it as it was. That selectors see it is 3.8.1.1-42."""
    link = case.link()
    for number in (7, 3, 9):
        message = link.text("x")
        message.set_string_property("JMSXGroupID", "group 1")
        expect.works("setting JMSXGroupSeq", partial(message.set_int_property, "JMSXGroupSeq", number))
        link.send(message)
        received = expect.arrives(link, ["x"])[0]
        expect.equal("JMSXGroupSeq at the receiver", received.get_int_property("JMSXGroupSeq"), number)


@asserts("3.5.9-6", "6.1.6-7")
def test_the_mandatory_names_are_announced(case: Case) -> None:
    """The connection announces JMSXGroupID and JMSXGroupSeq."""
    names = _announced(case.client())
    missing = {"JMSXGroupID", "JMSXGroupSeq"}.difference(names)
    expect.true("JMSXGroupID and JMSXGroupSeq are announced", not missing, f"{missing} not among {names}")


@asserts("3.5.9-7")
def test_the_delivery_count_is_announced(case: Case) -> None:
    """The connection announces JMSXDeliveryCount."""
    names = _announced(case.client())
    expect.true(f"{COUNT} is announced", COUNT in names, f"it is not among {names}")


@asserts("3.5.9-8", ack=BOTH)
def test_what_messages_have_is_announced(case: Case) -> None:
    """Each JMSX property that the provider puts on a message is among those the connection announces."""
    link = case.link()
    sent = link.text("x")
    received = link.carry(sent)
    seen = {*_present(sent), *_present(received)}
    expect.equal("JMSX names on messages, not announced", sorted(seen.difference(_announced(link.client))), [])


@asserts("3.5.9-14", ack=BOTH)
def test_no_client_sees_the_state(case: Case) -> None:
    """Messages have no JMSXState, at either end."""
    link = case.link()
    for end, seen in link.both_ends(link.text("x")):
        expect.equal(f"whether there is a JMSXState {end}", seen.property_exists("JMSXState"), False)


@asserts("3.5.9-17")
def test_selectors_may_name_each_jmsx_property(case: Case) -> None:
    """A selector may name JMSX properties, supported or not; what a message lacks counts as absent."""
    client = case.client()
    place = case.destination()
    clauses = [f"({name} IS NULL OR {name} IS NOT NULL)" for name in (*SET_ON_SEND, "JMSXGroupSeq", "JMSXState")]
    selector = " AND ".join((*clauses, "JMSXGroupID IS NULL", "JMSXState IS NULL"))
    link = expect.works(
        "selecting by JMSX properties", partial(case.link, destination=place, client=client, selector=selector)
    )
    grouped = link.text("grouped")
    grouped.set_string_property("JMSXGroupID", "group")
    link.send(grouped)
    link.send("plain")
    expect.arrives(link, ["plain"])


@asserts("3.5.9-19", ack=BOTH)
def test_names_are_written_as_in_the_table(case: Case) -> None:
    """JMSX names have exactly the case of the table, on messages and where they are announced."""
    link = case.link()
    sent = link.text("x")
    received = link.carry(sent)
    seen = sorted({*_present(sent), *_present(received), *_announced(link.client)})
    expect.true("JMSX names were there to be looked at", set(seen) & set(TYPES), f"only {seen}")
    expect.equal("JMSX names in another case", _misspelt(seen), [])


@asserts("3.5.9-19", variant="selector")
def test_a_selector_tells_names_by_case(case: Case) -> None:
    """A property whose name differs in case from JMSXGroupID does not count as JMSXGroupID."""
    link = case.link(selector="JMSXGroupID = 'group'")
    other, exact = link.text("another case"), link.text("exact")
    other.set_string_property("jmsxgroupid", "group")
    exact.set_string_property("JMSXGroupID", "group")
    link.send(other)
    link.send(exact)
    expect.arrives(link, ["exact"])
