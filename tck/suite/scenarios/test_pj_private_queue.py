"""A private queue: Alice sends to Bob, and Mallory, who knows a name and a password too, tries to use the queue."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.client import Login
from tck.suite.support.values.seen import body, standard_name

ALICE, BOB, MALLORY = (Login(name, f"secret of {name}") for name in ("alice", "bob", "mallory"))
WRONG = {"a wrong password": Login("alice", "wrong"), "the password of another": Login("alice", BOB.password)}


@scenario("pj-private-queue")
def test_a_private_queue(case: Case) -> None:
    """Alice's message reaches Bob as she wrote it; with a wrong password she does not get in."""
    administrator(case)
    queue = case.queue()
    connects: dict[str, Callable[[], object]] = {
        what: partial(case.client, login=login) for what, login in WRONG.items()
    }
    alice(case, queue)
    arrived = bob(case, queue)
    refused = mallory(case, queue)

    with expect.for_row("pj-private-queue-1"):
        for what, connect in connects.items():
            works = partial(case.client, login=ALICE)
            expect.raises(
                case.thrown(api.JMSSecurityException), connect, what=f"connecting with {what}", though_works=works
            )
    with expect.for_row("pj-private-queue-2"):
        expect.equal("the message that reaches Bob", body(arrived), "for Bob alone")
    with expect.for_row("pj-private-queue-3"):
        case.witness("Bob got the message")
        expect.record(f"Mallory is {refused}; without credentials a client is {step('connecting', case.client)}")
    with expect.for_row("pj-private-queue-4"):
        user = arrived.get_string_property("JMSXUserID") if arrived is not None else None
        expect.record(f"JMSXUserID is {user or 'not set'}")


def administrator(case: Case) -> None:
    """Make the three users known."""
    case.needs(api.Hook.ADMINISTER)
    case.administer("users", **{each.user: each.password for each in (ALICE, BOB, MALLORY)})


def alice(case: Case, queue: api.Queue) -> None:
    """Send a message to Bob."""
    client = case.client(login=ALICE)
    client.sender(queue).send(client.text("for Bob alone"))


def bob(case: Case, queue: api.Queue) -> api.Message | None:
    """Receive Alice's message."""
    return case.client(login=BOB).consumer(queue).receive(case.timing.deadline)


def mallory(case: Case, queue: api.Queue) -> str:
    """Try to send to the queue and to receive from it; return the step at which she is refused, and how."""
    client = case.client(login=MALLORY)
    steps: dict[str, Callable[[], object]] = {
        "opening a sender": partial(client.sender, queue),
        "sending": lambda: client.sender(queue).send(client.text("from Mallory")),
        "opening a receiver": partial(client.consumer, queue),
        "receiving": lambda: client.consumer(queue).receive_no_wait(),
    }
    return ", ".join(step(name, call) for name, call in steps.items())


def step(name: str, call: Callable[[], object]) -> str:
    """Take a step; return whether it is refused, and how."""
    try:
        call()
    except (api.JMSException, api.JMSRuntimeException) as error:
        return f"refused with {standard_name(error)} at {name}"
    return f"not refused at {name}"
