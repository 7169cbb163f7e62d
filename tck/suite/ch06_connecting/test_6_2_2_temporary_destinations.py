"""6.2.2 Temporary destinations of both domains: their names, and their end."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.raw import unrecorded
from tck.suite.support.clients.temporary_destinations import name_of


@asserts("6.2.2-6")
def test_many_temporary_destinations_are_distinct(case: Case) -> None:
    """Of 150 temporary destinations of three connections and six sessions each has a name of its own, and gets its messages only."""
    owners = [case.client() for _ in range(3)]
    clients = [*owners, *(owner.peer() for owner in owners)]
    made = [(client, client.temporary()) for _ in range(25) for client in clients]
    plain = case.destination()
    expect.distinct("the names", [name_of(plain), *(name_of(destination) for _, destination in made)])
    links = [case.link(client=client, destination=destination) for client, destination in (*made[:6], *made[-6:])]
    for link in links:
        link.send(str(name_of(link.destination)))
    for link in links:
        expect.only(link, [name_of(link.destination)])


def _dropped(client: Client, count: int) -> dict[str, Callable[[], bool]]:
    """Create temporary destinations and drop the objects; return for each name the call that says whether its object is there."""
    session = unrecorded(client.session)
    create = session.create_temporary_queue if client.case.domain == "queue" else session.create_temporary_topic
    made = [create() for _ in range(count)]
    return {str(name_of(each)): unrecorded(client.case.provider).remains(each) for each in made}


def _listed(case: Case, names: Iterable[str]) -> list[str]:
    """Return those names that the administrator sees."""
    places = [str(each) for each in case.administer("destinations")]  # type: ignore[attr-defined] # a list
    return [name for name in names if any(name in place for place in places)]


@asserts("6.2.2-9")
def test_a_temporary_destination_ends_with_its_object(case: Case) -> None:
    """Temporary destinations whose objects were collected are no longer there, though their connection is open."""
    client = case.client()
    kept = client.temporary()
    link = case.link(client=client, destination=kept)
    link.send("x")
    expect.arrives(link, ["x"])
    dropped = _dropped(client, 5)
    expect.equal("the one that is held", _listed(case, [str(name_of(kept))]), [name_of(kept)])
    collected = [name for name, remains in dropped.items() if not remains()]
    if not collected:
        expect.record("temporary destinations are held by their connection")
    until = case.now() + case.timing.deadline
    while _listed(case, collected) and case.now() < until:
        case.provider.clock.event().wait(case.timing.deadline / 20)
    expect.equal("the dropped ones that are there", _listed(case, collected), [])
