"""5.1 Administered objects: bound by an administrator, looked up by clients, usable as they are, and without effects."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import MODES
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.raw import named_anew
from tck.suite.support.harness.alone import needs_alone
from tck.suite.support.lifecycle.administered import (
    bound,
    census,
    client_on,
    configured_factory,
    connection_from,
    exchanged,
    factory_of,
    nobody_connects,
    untouched,
)
from tck.suite.support.values.seen import shown, tried

LOOKUPS = 300
"""Lookups of one object; a leak of one thread or handle for each is far above `SLACK`."""
SLACK = 20
"""Threads or handles that a provider may start or open once, with the first lookups."""


def _link_through(case: Case, factory: Any, destination: Any) -> Link:
    mode = MODES[case.ack] if case.api == "simplified" else None
    return Link(client_on(case, connection_from(case, factory, mode=mode)), destination)


def _found(case: Case, name: str) -> Any:
    """Look a name up, and demand that it works and finds something."""
    return expect.present("what was looked up", expect.works("a lookup", lambda: case.provider.lookup(name)))


@asserts("5.1-1", ack=("auto", "transacted"))
def test_what_is_looked_up_works_as_it_is(case: Case) -> None:
    """A factory and a destination work as they come out of a lookup, out of the next one too, while the first are in use."""
    names = bound(case, factory_of(case)), bound(case, case.destination())
    links = []
    for number in ("first", "second", "third"):
        factory, destination = (_found(case, name) for name in names)
        link = expect.works(
            f"using the objects of the {number} lookup", partial(_link_through, case, factory, destination)
        )
        link.send(number)
        expect.arrives(link, [number])
        link.consumer.close()
        links.append(link)
    links[0].use(links[0].client.consumer(links[0].destination))
    links[1].send("in the end")
    expect.arrives(links[0], ["in the end"])


@asserts("5.1-2")
def test_both_kinds_of_object_are_administered(case: Case) -> None:
    """Factories, queues and topics are bound and looked up; each comes back as what it was."""
    place, factory = case.destination(), factory_of(case)
    name = expect.works("binding a destination", lambda: bound(case, place))
    other = expect.works("binding a factory", lambda: bound(case, factory))
    found = _found(case, name)
    expect.equal("the destination that was looked up", found, place)
    maker = _found(case, other)
    link = _link_through(case, maker, found)
    case.link(destination=place, consumes=False).send("x")
    expect.arrives(link, ["x"])


FORMS = ("{}", "jms/{}", "a/b/c/{}", "{}/deep/below", "java:comp/env/{}", "with a blank {}", "{}.with.dots")
"""Names at all kinds of places, for one word."""


@asserts("5.1-3")
def test_objects_are_bound_at_any_place(case: Case) -> None:
    """Destinations and factories are bound under names of all kinds that end in one word; each name leads to its own object."""
    word, places = case.name("b"), {form: case.destination() for form in FORMS}
    with expect.all_of():
        for form, place in places.items():
            expect.works(f"binding as {form}", partial(bound, case, place, form.format(word)))
            expect.works(f"binding as {form}", partial(bound, case, factory_of(case), form.format(f"{word}-factory")))
        for form, place in places.items():
            expect.equal(f"the destination bound as {form}", _found(case, form.format(word)), place)
            maker = _found(case, form.format(f"{word}-factory"))
            exchanged(case, client_on(case, connection_from(case, maker)))


def _client_id(case: Case, factory: Any) -> object:
    """Connect by a factory; return the client identifier of the connection, which is closed."""
    connection = connection_from(case, factory)
    client_id = connection.client_id
    connection.close()
    return client_id


def _keep_their_names(case: Case, what: str, first: Any, second: Any, name_of: Callable[[Any], object]) -> None:
    """Bind an object under several names, bind these to another one, name by name, and demand that the rest stays."""
    names = [form.format(case.name("b")) for form in FORMS]
    wanted = name_of(first)
    for name in names:
        expect.works(f"binding a {what} as {name}", partial(bound, case, first, name))
    for number, name in enumerate(names[:-1], start=1):
        tried(partial(bound, case, second, name))  # a namespace may refuse it while the name is in use
        found = [name_of(_found(case, each)) for each in names[number:]]
        expect.equal(f"where the other names of the {what} lead", found, [wanted] * len(found))


@asserts("5.1-3", variant="aliases")
def test_an_object_has_several_names(case: Case) -> None:
    """An object that is bound under several names is found under each, though others of them are bound to another object then."""
    first, second = (configured_factory(case, client_id=case.name("c")) for _ in range(2))
    with expect.all_of():
        _keep_their_names(case, "destination", case.destination(), case.destination(), shown)
        _keep_their_names(case, "factory", first, second, partial(_client_id, case))


@asserts("5.1-5", plain=True)
def test_an_object_holds_no_connection(case: Case) -> None:
    """Factories and destinations that exist, made by the provider or looked up, open no connection; a client does."""
    names = [bound(case, factory_of(case)), bound(case, case.destination())]
    before = census(case)["connections"]
    kept = [factory_of(case) for _ in range(3)] + [_found(case, name) for name in names for _ in range(3)]
    with_objects = census(case)["connections"]
    client = client_on(case, connection_from(case, kept[0]))
    exchanged(case, client)
    with_client = census(case)["connections"]
    client.close()
    counts = [with_objects, with_client, census(case)["connections"]]
    assert isinstance(before, int)  # noqa: S101 - a count
    expect.equal("open connections, with objects, with a client, and without it", counts, [before, before + 1, before])


@asserts("5.1-6")
def test_a_lookup_needs_no_connection(case: Case) -> None:
    """While nobody can connect to the provider a lookup works, of a factory and of a destination; they work once one can."""
    names = bound(case, factory_of(case)), bound(case, case.destination())
    exchanged(case, client_on(case, untouched(case)))
    with nobody_connects(case):
        factory, destination = (_found(case, name) for name in names)
    link = _link_through(case, factory, destination)
    link.send("x")
    expect.arrives(link, ["x"])


@asserts("5.1-7")
def test_a_lookup_changes_nothing(case: Case) -> None:
    """An administrator sees the same before and after lookups, and the messages of a destination stay where they are."""
    link = case.link(durable=case.name("s"))
    link.send("x")
    unused = named_anew(link.client, link.destination)
    names = [bound(case, obj) for obj in (factory_of(case), link.destination, unused, _nowhere(case, link))]
    before = census(case)
    found = [_found(case, name) for name in names for _ in range(2)]
    after = census(case)
    expect.only(link, ["x"])
    expect.equal("the destination that was looked up", found[2], link.destination)
    expect.equal("what an administrator sees after the lookups", after, before)


def _nowhere(case: Case, link: Link) -> Any:
    """Return an object for a destination that was never created."""
    session, name = link.client.session, case.name("d")
    return session.create_queue(name) if case.domain == "queue" else session.create_topic(name)


def _free_handle() -> int:
    """Return the lowest number of a file handle that is free."""
    handle = os.open(os.devnull, os.O_RDONLY)
    os.close(handle)
    return handle


@asserts("5.1-8")
def test_a_lookup_uses_little(case: Case) -> None:
    """Some hundred lookups of a factory and of a destination, all kept, start no thread and open no file for each."""
    names = bound(case, factory_of(case)), bound(case, case.destination())
    kept = [_found(case, name) for name in names]
    needs_alone("it counts the threads and files of its process")
    threads, handle = threading.active_count(), _free_handle()
    kept += [case.provider.lookup(name) for _ in range(LOOKUPS) for name in names]
    more = {"threads": threading.active_count() - threads, "handles": _free_handle() - handle}
    link = _link_through(case, kept[-2], kept[-1])
    link.send("x")
    expect.arrives(link, ["x"])
    for what, count in more.items():
        expect.true(f"{2 * LOOKUPS} lookups add at most {SLACK} {what}", count <= SLACK, f"they added {count}")


@asserts("5.1-14", ack=("auto", "transacted"))
def test_what_was_stored_behaves_as_the_original(case: Case) -> None:
    """A destination that was bound and looked up stands for the same place, to sender and receiver; the same under each name."""
    place = case.destination()
    names = [bound(case, place) for _ in range(2)]
    first, second = (_found(case, name) for name in names)
    receiver = _link_through(case, _found(case, bound(case, factory_of(case))), first)
    for number, each in enumerate((place, first, second)):
        case.link(destination=each, consumes=False).send(f"message {number}")
    expect.only(receiver, ["message 0", "message 1", "message 2"])


@asserts("5.1-14", variant="parameters")
def test_a_stored_factory_keeps_its_parameters(case: Case) -> None:
    """The connections of a factory that was bound and looked up have the client identifier that it was configured with."""
    ids = [case.name("c"), case.name("c")]
    names = [bound(case, configured_factory(case, client_id=client_id)) for client_id in ids]
    for _ in range(2):
        connections = [connection_from(case, _found(case, name)) for name in names]
        expect.equal("getClientID() of their connections", [each.client_id for each in connections], ids)
        for connection in connections:
            exchanged(case, client_on(case, connection))
            connection.close()
