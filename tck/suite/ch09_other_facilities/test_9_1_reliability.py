"""9.1 Reliability: both delivery modes on one destination, and what a client that fails had not acknowledged. Some cases need a hook."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.deliveries import counted
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.subscriptions import Subscription, publisher, subscription, working_kinds
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.lifecycle.reconnecting import reconnected
from tck.suite.support.values.seen import body

NON_PERSISTENT, PERSISTENT = api.DeliveryMode.NON_PERSISTENT, api.DeliveryMode.PERSISTENT
MODES: Mapping[str, int] = {"P1": PERSISTENT, "N1": NON_PERSISTENT, "N2": NON_PERSISTENT, "P2": PERSISTENT}
"""Texts of messages in the order of their sends, with their delivery modes."""
EVERY = ("auto", "client", "dups_ok", "transacted")
EXPLICIT = ("client", "transacted")
FIVE = numbered(5)


def _both_come(link: Link, modes: Mapping[str, int]) -> None:
    """Demand that these messages come, in any order, each with its own JMSDeliveryMode."""
    messages = expect.arrives(link, list(modes), ordered=False)
    seen = {str(body(message)): message.jms_delivery_mode for message in messages}
    expect.equal("JMSDeliveryMode of each message", seen, dict(sorted(modes.items(), key=lambda one: one[0])))


@asserts("9.1-4", ack=EVERY)
def test_both_delivery_modes_on_one_destination(case: Case) -> None:
    """Messages of both modes, whichever comes first, are received from one destination, each with its own JMSDeliveryMode."""
    for first in (PERSISTENT, NON_PERSISTENT):
        link = case.link()
        modes = {"first": first, **MODES}
        for text, mode in modes.items():
            link.send(text, mode=mode)
        _both_come(link, modes)


@asserts("9.1-4", ack=("transacted",), variant="transaction")
def test_both_delivery_modes_in_one_transaction(case: Case) -> None:
    """The same where one transaction sent all of them, and another was rolled back before."""
    link = case.link()
    for end in (link.client.rollback, link.client.commit):
        for text, mode in MODES.items():
            link.put(text, mode=mode)
        end()
    _both_come(link, MODES)


@asserts("9.1-4", ack=("auto", "transacted"), variant="producers")
def test_both_delivery_modes_by_several_producers(case: Case) -> None:
    """The same where each producer has one mode, on sessions of one connection and of another."""
    link = case.link()
    for number, client in enumerate((link.client, case.client())):
        clients = {PERSISTENT: client, NON_PERSISTENT: client.peer()}
        senders = {mode: each.sender(link.destination).set(mode=mode) for mode, each in clients.items()}
        modes = {f"{text} of client {number}": mode for text, mode in MODES.items()}
        for text, mode in modes.items():
            senders[mode].send(clients[mode].text(text))
            clients[mode].settle()
        _both_come(link, modes)


@asserts("9.1-4", variant="temporary")
def test_both_delivery_modes_on_a_temporary_destination(case: Case) -> None:
    """The same on a temporary destination."""
    client = case.client()
    link = case.link(client=client, destination=client.temporary())
    for text, mode in MODES.items():
        link.send(text, mode=mode)
    _both_come(link, MODES)


@asserts("9.1-4", domain=("topic",), variant="kinds")
def test_both_delivery_modes_on_each_kind_of_subscription(case: Case) -> None:
    """The same on each kind of subscription, all of them on one topic."""
    topic = case.topic()
    kinds = working_kinds(case, case.client(client_id=case.name("c")))
    links = [subscription(case, kind, topic).open() for kind in kinds]
    sender = publisher(case, topic)
    for text, mode in MODES.items():
        sender.send(text, mode=mode)
    for link in links:
        _both_come(link, MODES)


@asserts("9.1-4", variant="restart")
def test_both_delivery_modes_after_a_restart(case: Case) -> None:
    """After a restart the PERSISTENT messages come; each that comes, of either mode, has its own JMSDeliveryMode."""
    case.needs(api.Hook.RESTART)
    link, name = _holding(case, MODES)
    case.provider.restart()
    again = reconnected(case, link.destination, durable=name)
    again.sender.set(mode=PERSISTENT)
    marker, seen = again.mark(), dict[str, int]()
    while (text := str(body(message := again.receive()))) != marker:
        seen[text] = message.jms_delivery_mode
    expect.equal("JMSDeliveryMode of each message", seen, {text: MODES[text] for text in seen})
    expect.true("the PERSISTENT ones come", {"P1", "P2"} <= {*seen}, f"{sorted(seen)} came")


# -- what a client that fails had not acknowledged --------------------------------------------------------------------


def _holding(case: Case, modes: Mapping[str, int] | None = None) -> tuple[Link, str]:
    """Open a link on a queue or a durable subscription with five PERSISTENT messages; return the subscription's name too."""
    name = case.name("s")
    link = case.link(durable=name)
    sender = case.link("auto", destination=link.destination, consumes=False)
    for text, mode in (modes or dict.fromkeys(FIVE, PERSISTENT)).items():
        sender.send(text, mode=mode)
    return link, name


def _successor(case: Case, link: Link, name: str) -> Link:
    """Connect in the place of a client that failed.

    Raises:
        Undecided: its client identifier stays taken, which is another row's.
    """
    try:
        return reconnected(case, link.destination, durable=name, ack=case.ack)
    except (api.InvalidClientIDException, api.InvalidClientIDRuntimeException) as error:
        raise Undecided("the client identifier of a connection that is lost stays taken") from error


def _sever(link: Link) -> None:
    link.case.provider.sever(link.client.connection)


def _kept(case: Case, break_off: Callable[[Link], None]) -> None:
    """Settle two of five messages, receive two more, and break off; demand the last three, and all again after the next failure."""
    link, name = _holding(case)
    link.take()
    link.client.settle(link.take())
    link.take_all(2)
    break_off(link)
    again = _successor(case, link, name)
    came = _until_all(again, FIVE[2:])
    expect.equal("those not acknowledged", [text for text in FIVE[2:] if text in came], FIVE[2:])
    break_off(again)
    came = _until_all(_successor(case, link, name), FIVE[2:])
    expect.equal("those not acknowledged by the second client", [text for text in FIVE[2:] if text in came], FIVE[2:])


def _until_all(link: Link, texts: Sequence[str]) -> list[str]:
    """Receive, without settling, until these have come or nothing does; others may come: their settling may be unknown yet."""
    came: list[str] = []
    while not {*texts} <= {*came} and (message := link.poll()) is not None:
        came.append(str(body(message)))
    return came


def _all_come(link: Link) -> None:
    """Demand that each of the five messages comes; whether one comes twice is another row's."""
    came = _until_all(link, FIVE)
    expect.equal("those that came again", [text for text in FIVE if text in came], FIVE)


@asserts("9.1-5", ack=EXPLICIT)
def test_what_a_client_did_not_acknowledge_is_not_discarded_when_it_closes(case: Case) -> None:
    """What a client received and left, unsettled, by closing its connection comes to the next one, and again to the one after."""
    _kept(case, lambda link: link.client.close())


@asserts("9.1-5", ack=EXPLICIT, variant="link")
def test_what_a_client_did_not_acknowledge_is_not_discarded_when_its_link_is_lost(case: Case) -> None:
    """What a client received and had not settled when its link was lost comes to the next one, and again to the one after."""
    case.needs(api.Hook.SEVER)
    _kept(case, _sever)


@asserts("9.1-5", ack=EXPLICIT, variant="listener")
def test_what_a_listener_did_not_acknowledge_is_not_discarded(case: Case) -> None:
    """What the listener of a client got and did not settle comes to the next client when the connection is closed."""
    link, name = _holding(case)
    heard = CollectingListener(case)
    link.consumer.message_listener = heard
    expect.equal("what the listener got", heard.after(5), FIVE)
    link.client.close()
    _all_come(_successor(case, link, name))


@asserts("9.1-5", ack=EXPLICIT, variant="two-destinations")
def test_nothing_of_two_destinations_is_discarded(case: Case) -> None:
    """The same of two destinations that one session consumed, of which it had settled none, one consumer being closed."""
    names = [case.name("s"), case.name("s")]
    client = case.client(client_id=names[0])
    links = [case.link(client=client, destination=case.destination(), durable=name) for name in names]
    for link in links:
        sender = case.link("auto", destination=link.destination, consumes=False)
        sender.sender.set(mode=PERSISTENT)
        sender.send_all(FIVE)
        link.take_all(3)
    links[0].consumer.close()
    client.close()
    again = case.client("auto", client_id=names[0])
    for link, name in zip(links, names, strict=True):
        _all_come(case.link(client=again, destination=link.destination, durable=name))


@asserts("9.1-5", ack=EXPLICIT, domain=("queue",), variant="other-consumer")
def test_what_a_client_did_not_acknowledge_comes_to_a_consumer_that_waits(case: Case) -> None:
    """What a client of a queue received and left unsettled comes to another one whose consumer has been open all the time."""
    link, _ = _holding(case)
    link.take()
    other = case.link("auto", destination=link.destination)
    link.client.close()
    _all_come(other)


@asserts("9.1-5", ack=EXPLICIT, domain=("topic",), variant="subscriptions")
def test_what_one_consumer_of_a_subscription_did_not_acknowledge_comes_to_the_next(case: Case) -> None:
    """What a consumer of a durable or shared durable subscription left unsettled comes to the next one, and to a later one."""
    kinds = [kind for kind in working_kinds(case, case.client(client_id=case.name("c"))) if kind.endswith("durable")]
    if not kinds:
        raise Undecided("the provider opens no durable subscription")
    for watched in [subscription(case, kind) for kind in kinds]:
        first = watched.open()
        sender = publisher(case, watched.topic)
        sender.sender.set(mode=PERSISTENT)
        sender.send_all(FIVE)
        first.take_all(3)
        second = _next_consumer(watched, first)
        _all_come(second)
        second.client.close()
        _all_come(watched.open("auto"))


def _next_consumer(watched: Subscription, first: Link) -> Link:
    """Close the client of a consumer; return another consumer, of a shared subscription one that was open already."""
    if watched.kind == "shared durable":
        second = watched.open()
        first.client.close()
        return second
    first.client.close()
    return watched.open()


# -- the marks of a delivery after a failure --------------------------------------------------------------------------


def _repeated(link: Link) -> dict[str, api.Message]:
    """Receive the five messages without settling them; return those that a client which failed had held, by text.

    Raises:
        Undecided: one of these does not come, which is another row's.
    """
    found = {str(body(message)): message for message in link.take_all(5)}
    missing = [text for text in FIVE[:3] if text not in found]
    if missing:
        raise Undecided(f"{missing} did not come again")
    return {text: found[text] for text in FIVE[:3]}


def _flagged(case: Case, *failures: Callable[[Link], None]) -> None:
    """Break off a client that holds three of five messages, repeatedly, and demand that these are redelivered with JMSRedelivered."""
    link, name = _holding(case)
    fresh = [message.jms_redelivered for message in link.take_all(3)]
    for turn, break_off in enumerate(failures, 1):
        break_off(link)
        link = _successor(case, link, name)
        flags = {text: message.jms_redelivered for text, message in _repeated(link).items()}
        expect.equal(f"JMSRedelivered after failure {turn}", flags, dict.fromkeys(FIVE[:3], True))
    expect.equal("JMSRedelivered at first", fresh, [False] * 3)


def _counts_rise(case: Case, *failures: Callable[[Link], None]) -> None:
    """Break off a client that holds three of five messages, repeatedly, and demand that JMSXDeliveryCount rises each time.

    The count need not survive a failure of the provider itself (3.5.11-5), so only links are lost here.
    """
    link, name = _holding(case)
    before = [counted(message)[1] for message in link.take_all(3)]
    for turn, break_off in enumerate(failures, 1):
        break_off(link)
        link = _successor(case, link, name)
        now = [counted(message)[1] for message in _repeated(link).values()]
        risen = all(later > earlier for earlier, later in zip(before, now, strict=True))
        expect.true(f"JMSXDeliveryCount rises at failure {turn}", risen, f"it went from {before} to {now}")
        before = now


def _restart(link: Link) -> None:
    link.case.provider.restart()


def _fail(link: Link) -> None:
    """Let the provider fail, or restart it where it cannot be killed."""
    provider = link.case.provider
    (provider.kill if link.case.has(api.Hook.KILL) else provider.restart)()


@asserts("9.1-6", ack=EXPLICIT)
def test_what_comes_again_after_a_lost_link_is_flagged(case: Case) -> None:
    """What a client held, unsettled, when its link was lost is redelivered with JMSRedelivered, also after the second loss."""
    _flagged(case, _sever, _sever)


@asserts("9.1-6", ack=EXPLICIT, variant="restart")
def test_what_comes_again_after_a_restart_is_flagged(case: Case) -> None:
    """What a client held, unsettled, when the provider was restarted, or failed, is redelivered with JMSRedelivered, twice."""
    case.needs(api.Hook.RESTART)
    _flagged(case, _restart, _fail)


@asserts("9.1-6", ack=EXPLICIT, variant="listener")
def test_what_a_listener_held_when_the_link_was_lost_is_flagged(case: Case) -> None:
    """What a listener had got and not settled when its link was lost is redelivered with JMSRedelivered."""
    link, name = _holding(case)
    heard = CollectingListener(case)
    link.consumer.message_listener = heard
    expect.equal("what the listener got", heard.after(5), FIVE)
    _sever(link)
    flags = [message.jms_redelivered for message in _repeated(_successor(case, link, name)).values()]
    expect.equal("JMSRedelivered", flags, [True] * 3)


@asserts("9.1-7", ack=EXPLICIT)
def test_what_comes_again_after_a_lost_link_is_counted(case: Case) -> None:
    """JMSXDeliveryCount of what a client held, unsettled, when its link was lost rises, and again with the second loss."""
    _counts_rise(case, _sever, _sever)
