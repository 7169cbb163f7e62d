"""6.1.2 Client identifiers in use: nobody shares one, attempts cost no message, a close frees it, and few uses need one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.subscriptions import Subscription, publisher, subscription
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.lifecycle.administered import client_on, configured_factory, exchanged, untouched
from tck.suite.support.lifecycle.problems import ProblemListener
from tck.suite.support.values.seen import body, tried

MODES = ("auto", "client", "dups_ok", "transacted")
TOPIC = ("topic",)


def _name(connection: Any, client_id: str) -> None:
    connection.client_id = client_id


def _intruders(case: Case, sub: Subscription) -> list[Link]:
    """Try to consume a subscription whose identifier is in use: by an exception or by blocking the provider may prevent it."""
    call = case.spawn("sharing a client identifier", sub.open)
    if not call.ends_within(case.timing.quiet):
        return []
    try:
        return [call.result()]
    except api.JMSException:
        return []
    except api.JMSRuntimeException:
        return []


def _taken(link: Link, until: float) -> list[object]:
    """Receive and settle one message; none where no message comes by then or soon, or the client has been shut out."""
    try:
        message = link.poll(max(link.case.timing.delay, until - link.case.now()))
        if message is None:
            return []
        link.client.settle(message)
    except (api.JMSException, api.JMSRuntimeException):
        return []
    return [body(message)]


def _processed(links: Sequence[Link], rounds: int, *, holder: bool = False) -> list[list[object]]:
    """Receive and settle from each client in turn; return the bodies of each. The first, if it is the `holder`, has a deadline."""
    shares: list[list[object]] = [[] for _ in links]
    until = links[0].case.latest(links[0].case.now()) if holder else 0
    for _ in range(rounds):
        for share, link in zip(shares, links, strict=True):
            share.extend(_taken(link, until if link is links[0] else 0))
    return shares


def _answer(case: Case, name: str) -> str:
    """Set an identifier on a fresh connection; return what the provider did. It may block where the identifier is in use."""
    call = case.spawn("setClientID()", partial(_name, untouched(case), name))
    if not call.ends_within():
        return "still waits"
    try:
        call.result()
    except case.thrown(api.InvalidClientIDException):
        return "refused"
    except Exception as error:  # noqa: BLE001 - the case judges it
        return f"raises {type(error).__name__}"
    return "accepted"


@asserts("6.1.2-13")
def test_an_identifier_in_use_is_refused(case: Case) -> None:
    """SetClientID raises InvalidClientIDException while another connection has the identifier, used or unused, started or not."""
    holders = {what: (untouched(case), case.name("c")) for what in ("unused", "in use", "stopped")}
    for connection, name in holders.values():
        _name(connection, name)
    client = client_on(case, holders["in use"][0])
    exchanged(case, client)
    client_on(case, holders["stopped"][0]).stop()
    for attempt in ("first", "second"):
        answers = {what: _answer(case, name) for what, (_, name) in holders.items()}
        expect.equal(f"the {attempt} setClientID() by the holder's state", answers, dict.fromkeys(holders, "refused"))
        expect.equal("setClientID() with one that is free", _answer(case, case.name("c")), "accepted")


@asserts("6.1.2-13", variant="across-domains")
def test_an_identifier_in_use_is_refused_to_the_other_domain(case: Case) -> None:
    """A connection that is used for one domain keeps its identifier from connections for the other."""
    name = case.name("c")
    holder = case.client(domain=case.other_domain, client_id=name)
    Link(holder, case.destination(case.other_domain)).carry(holder.text("x"))
    expect.equal("setClientID() with an identifier in use", _answer(case, name), "refused")
    expect.equal("setClientID() with one that is free", _answer(case, case.name("c")), "accepted")


@asserts("6.1.2-11", domain=TOPIC, ack=MODES)
def test_two_clients_never_use_one_identifier_together(case: Case) -> None:
    """While a client consumes its durable subscription, no other that claims the identifier gets to consume it too."""
    sub = subscription(case, "durable")
    holder = sub.open()
    sender = publisher(case, sub.topic)
    sender.send("before")
    holder.receive()
    intruders = _intruders(case, sub)
    sender.send_all(numbered(6))
    shares = _processed([holder, *intruders], 6, holder=True)
    users = [share for share in shares if share]
    expect.equal("the messages that came, by client", users, [numbered(6)])


def _claimed_in_vain(holder: Link) -> Any:
    """Claim the identifier of a holder, and return the connection, whatever the provider did."""
    case, name = holder.case, holder.client.connection.client_id
    connection = untouched(case)
    case.spawn("setClientID()", partial(tried, partial(_name, connection, name))).ends_within()
    return connection


def _two_in_vain(holder: Link) -> None:
    claims = [_claimed_in_vain(holder) for _ in range(2)]
    for connection in (*claims, *claims[:1]):
        connection.close()


def _another_lives(holder: Link) -> None:
    connection = untouched(holder.case)
    _name(connection, holder.case.name("c"))
    exchanged(holder.case, client_on(holder.case, connection))
    connection.close()


def _paused(holder: Link) -> None:
    holder.client.stop()
    holder.client.start()


_BESIDE: dict[str, Callable[[Link], object]] = {
    "one that was refused is closed": lambda holder: _claimed_in_vain(holder).close(),
    "two that were refused are closed, one of them twice": _two_in_vain,
    "one with another identifier is closed": _another_lives,
    "another session of the holder is closed": lambda holder: holder.client.peer().close_session(),
    "the holder is refused a second identifier": lambda holder: tried(
        partial(_name, holder.client.connection, holder.case.name("c"))
    ),
    "the holder's delivery is stopped and started": _paused,
}
"""What other connections, sessions and calls do beside the holder of an identifier, which stays open."""


@asserts("6.1.2-11", domain=TOPIC, ack=MODES, variant="company")
def test_an_identifier_stays_with_its_holder_whatever_others_do(case: Case) -> None:
    """A client has all subscriptions of its identifier for itself, those too that it does not consume, whatever others did before."""
    with expect.all_of():
        for what, live in _BESIDE.items():
            sub = subscription(case, "durable")
            _has_all(case, sub, sub.open(), what, live)


def _has_all(case: Case, sub: Subscription, holder: Link, what: str, live: Callable[[Link], object]) -> None:
    """Demand that the holder of an identifier has all subscriptions of it for itself after something else has happened."""
    unused = replace(sub, name=case.name("s"))
    unused.open(client=holder.client).consumer.close()
    live(holder)
    intruders = [*_intruders(case, unused), *_intruders(case, sub)]
    publisher(case, sub.topic).send_all(numbered(4))
    stolen = [each for share in _processed(intruders, 4) for each in share]
    expect.equal(f"what came to the holder once {what}", _processed([holder], 4, holder=True), [numbered(4)])
    expect.equal(f"what came to others once {what}", stolen, [])
    for link in (*intruders, holder):
        tried(link.client.close)


@asserts("6.1.2-11", domain=TOPIC, ack=MODES, variant="configured")
def test_a_configured_identifier_stays_with_its_holder(case: Case) -> None:
    """A client has all subscriptions of its identifier for itself if its factory has given it that, and others try to set it."""
    case.presumes("administered-client-id")
    sub = subscription(case, "durable")
    connection = untouched(case, configured_factory(case, client_id=str(sub.client_id)))
    _has_all(case, sub, sub.open(client=client_on(case, connection)), "its identifier was configured", _paused)


@asserts("6.1.2-13", variant="company")
def test_an_identifier_is_refused_whatever_others_do(case: Case) -> None:
    """SetClientID raises InvalidClientIDException while the holder is open, though others were refused, or were closed, before."""
    seen = {}
    for what, live in _BESIDE.items():
        name = case.name("c")
        holder = Link(case.client(client_id=name), case.destination())
        holder.carry(holder.text("x"))
        live(holder)
        seen[what] = [_answer(case, name) for _ in range(2)]
    expect.equal("setClientID(), twice, by what was before", seen, dict.fromkeys(_BESIDE, ["refused"] * 2))
    expect.equal("setClientID() with one that is free", _answer(case, case.name("c")), "accepted")


@asserts("6.1.2-11", domain=TOPIC, ack=("client", "transacted"), variant="backlog")
def test_no_other_client_gets_what_a_client_has_in_hand(case: Case) -> None:
    """While a client has unsettled messages of its subscription in hand and more at its consumer, no other gets any of them."""
    sub = subscription(case, "durable")
    holder = sub.open()
    publisher(case, sub.topic).send_all(numbered(6))
    in_hand = holder.take_all(2)
    intruders = _intruders(case, sub)
    stolen = [each for share in _processed(intruders, 6) for each in share]
    expect.equal("what the holder had in hand", [body(each) for each in in_hand], numbered(6)[:2])
    expect.equal("what another client got", stolen, [])


def _contested(case: Case, sub: Subscription) -> list[object]:
    """Publish ten messages and process them, while others try to take the identifier over; return all that was processed."""
    holder = sub.open()
    sender = publisher(case, sub.topic)
    done: list[object] = []
    links = [holder]
    for text in numbered(10):
        sender.send(text)
        links += _intruders(case, sub) if text in {"002", "005", "009"} else []
        done += [each for share in _processed(links, 1) for each in share] if text != "005" else []
    done += [each for share in _processed(links, 4) for each in share]
    for link in links:
        link.client.close()
    again = sub.open()
    marker = again.mark()
    while (text := str(body(again.receive()))) != marker:
        done.append(text)
    return done


@asserts("6.1.2-14", domain=TOPIC, ack=MODES)
def test_attempts_to_share_an_identifier_lose_nothing(case: Case) -> None:
    """All messages of a durable subscription are processed although others try to take over its identifier in between."""
    done = _contested(case, subscription(case, "durable"))
    expect.equal("what was processed, without repetitions", sorted({str(each) for each in done}), numbered(10))


@asserts("6.1.2-15", domain=TOPIC, ack=("auto", "client", "transacted"))
def test_attempts_to_share_an_identifier_duplicate_nothing(case: Case) -> None:
    """No message of a durable subscription is processed twice although others try to take over its identifier in between."""
    done = _contested(case, subscription(case, "durable"))
    expect.equal("what was processed more than once", sorted({str(each) for each in done if done.count(each) > 1}), [])


_LIVES: dict[str, Callable[[Case, Any], object]] = {
    "never used": lambda _, connection: connection.client_id,
    "used": lambda case, connection: client_on(case, connection).consumer(case.destination()),
    "stopped": lambda case, connection: client_on(case, connection).stop(),
    "with messages in hand": lambda case, connection: _in_hand(case, client_on(case, connection)),
}
"""What a connection did before it was closed."""


def _in_hand(case: Case, client: Client) -> None:
    link = Link(client, case.destination())
    link.send("x")
    link.take()


@asserts("6.1.2-17", ack=("auto", "client", "transacted"))
def test_a_close_frees_the_identifier(case: Case) -> None:
    """Once its connection is closed an identifier can be set again, whatever the connection did, and again after that."""
    with expect.all_of():
        for what, live in _LIVES.items():
            name = case.name("c")
            seen = []
            for _ in range(3):
                connection = untouched(case)
                expect.works(f"setClientID() after the close of a connection {what}", partial(_name, connection, name))
                seen.append(connection.client_id)
                live(case, connection)
                connection.close()
            expect.equal(f"getClientID() of three connections {what}, one after the other", seen, [name] * 3)


@asserts("6.1.2-17", ack=("auto", "transacted"), variant="lost")
def test_a_close_frees_the_identifier_though_the_link_was_lost(case: Case) -> None:
    """An identifier can be set again once its connection, which had lost its link, is closed: before or after start(), used or not."""
    case.needs(api.Hook.SEVER)
    holders = {what: (untouched(case), case.name("c")) for what in _LIVES | _MORE_LIVES}
    for what, live in (_LIVES | _MORE_LIVES).items():
        _name(*holders[what])
        live(case, holders[what][0])
    closed = _lost_and_closed(case, {what: connection for what, (connection, _) in holders.items()})
    free = {what: _freed(case, holders[what][1]) for what in closed}
    expect.equal("whether an identifier is free, by the life of its connection", free, dict.fromkeys(closed, True))


_MORE_LIVES: dict[str, Callable[[Case, Any], object]] = {
    "started": lambda _, connection: connection.start(),
    "started and stopped": lambda _, connection: (connection.start(), connection.stop()),
    "listened on": lambda case, connection: setattr(connection, "exception_listener", ProblemListener(case)),
}


def _lost_and_closed(case: Case, connections: dict[str, Any]) -> list[str]:
    """Sever connections and close them, all at once since a provider may try to connect again; name those whose close() returned.

    Raises:
        Undecided: none has returned.
    """
    for connection in connections.values():
        case.provider.sever(connection)
    calls = {what: case.spawn("close", partial(tried, one.close)) for what, one in connections.items()}
    closed = [what for what, call in calls.items() if call.ends_within(4 * case.timing.deadline)]
    if not closed:
        raise Undecided("no close() of a connection that had lost its link returned")
    return closed


def _freed(case: Case, name: str) -> bool:
    """Return whether an identifier can be set, at the latest when the provider has had a deadline's time to notice a loss."""
    until = case.latest(case.now())
    while True:
        connection = untouched(case)
        if tried(partial(_name, connection, name)) is None and connection.client_id == name:
            case.witness(f"the identifier {name} was set again")
            connection.close()
            return True
        tried(connection.close)
        if case.now() >= until:
            return False
        case.provider.clock.event().wait(case.timing.deadline / 20)


@asserts("6.1.2-17", domain=TOPIC, ack=MODES, variant="durable")
def test_the_next_holder_resumes_the_durable_subscription(case: Case) -> None:
    """The next connection with the identifier gets what the closed one left, and what came in between, and nothing else."""
    sub = subscription(case, "durable")
    sender = publisher(case, sub.topic)
    first = sub.open()
    sender.send_all(["processed", "left"])
    first.receive()
    intruders = _intruders(case, sub)
    first.client.close()
    for link in intruders:
        link.client.close()
    sender.send("in between")
    expect.only(expect.works("resuming the subscription", sub.open), ["left", "in between"])


@asserts("6.1.2-17", api=("simplified",), ack=("auto", "transacted"), variant="siblings")
def test_the_last_context_frees_the_identifier(case: Case) -> None:
    """Contexts share the identifier of their connection: it is free when the last of them is closed, in whatever order."""
    with expect.all_of():
        for order in (1, -1):
            name, context = case.name("c"), untouched(case)
            _name(context, name)
            siblings = [context, *(context.create_context(api.Session.AUTO_ACKNOWLEDGE) for _ in range(2))][::order]
            for sibling in siblings[:-1]:
                sibling.close()
            expect.equal("getClientID() of the last context", siblings[-1].client_id, name)
            siblings[-1].close()
            again = untouched(case)
            expect.works("setClientID() once all contexts are closed", partial(_name, again, name))


@asserts("6.1.2-20", api=("classic", "simplified"), ack=("auto", "transacted"))
def test_a_shared_subscription_needs_no_identifier(case: Case) -> None:
    """A shared non-durable subscription works with an identifier and without one, with a selector and without."""
    with expect.all_of():
        for selector in (None, "n = 1"):
            for client_id in (None, case.name("c")):
                sub = subscription(case, "shared", client_id=client_id, selector=selector)
                link = expect.works(f"createSharedConsumer, identifier {client_id}, selector {selector}", sub.open)
                second = expect.works("a second consumer of it", partial(sub.open, client=link.client))
                second.consumer.close()
                sender = publisher(case, sub.topic)
                message = sender.text("x")
                message.set_int_property("n", 1)
                sender.send(message)
                expect.arrives(link, ["x"])


@asserts("6.1.2-21", ack=MODES)
def test_most_uses_need_no_identifier(case: Case) -> None:
    """Without an identifier a client sends, and receives from consumers without and with a selector, and by a temporary one."""
    link = case.link()
    link.send("x")
    expect.arrives(link, ["x"])
    selecting = case.link(selector="n = 1")
    message = selecting.text("selected")
    message.set_int_property("n", 1)
    selecting.send(message)
    expect.arrives(selecting, ["selected"])
    temporary = Link(link.client, link.client.temporary())
    temporary.send("temporary")
    expect.arrives(temporary, ["temporary"])


@asserts("6.1.2-21", domain=TOPIC, variant="no-local")
def test_no_local_needs_no_identifier(case: Case) -> None:
    """Without an identifier an unshared non-durable consumer with noLocal gets the messages of others."""
    link = case.link(consumes=False)
    link.use(expect.works("a consumer with noLocal", lambda: link.client.consumer(link.destination, no_local=True)))
    publisher(case, link.destination).send("x")
    expect.arrives(link, ["x"])


@asserts("6.1.2-21", domain=("queue",), variant="browser")
def test_browsing_needs_no_identifier(case: Case) -> None:
    """Without an identifier a client browses a queue."""
    link = case.link(consumes=False)
    link.send("x")
    expect.equal("what the browser shows", link.client.browse_until(link.destination, 1), ["x"])
