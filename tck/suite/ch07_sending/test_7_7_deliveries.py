"""7.7 Message delivery mode: no message is redelivered once it is acknowledged, and a commit outlives the provider. Each case needs a hook."""

from __future__ import annotations

from collections.abc import Callable

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.lifecycle.reconnecting import reconnected
from tck.suite.support.values.seen import body

NON_PERSISTENT, PERSISTENT = api.DeliveryMode.NON_PERSISTENT, api.DeliveryMode.PERSISTENT
EXPLICIT = ("client", "transacted")
TEN = numbered(10)


def _holder(case: Case, mode: int) -> tuple[Link, str]:
    """Open a link on a queue or a durable subscription with ten messages; return the name of the subscription too."""
    name = case.name("s")
    link = case.link(durable=name)
    sender = case.link("auto", destination=link.destination, consumes=False)
    for text in TEN:
        sender.send(text, mode=mode)
    return link, name


def _settled(link: Link) -> list[str]:
    """Settle two messages one by one, two together, and two that were returned before; receive one more; return the six."""
    came = [str(body(link.receive())) for _ in range(2)]
    pair = link.take_all(2)
    link.client.settle(pair[-1])
    link.take_all(2)
    link.client.return_all()
    returned = link.take_all(2)
    link.client.settle(returned[-1])
    link.take()
    return came + [str(body(message)) for message in (*pair, *returned)]


def _rest(case: Case, link: Link, name: str, end: str) -> tuple[Link, list[str]]:
    """Connect anew, and receive up to a message that is sent now; return the new link and the messages before that one.

    Raises:
        Undecided: the client identifier of the old connection stays taken, which is another row's.
    """
    try:
        again = reconnected(case, link.destination, durable=name)
    except (api.InvalidClientIDException, api.InvalidClientIDRuntimeException) as error:
        raise Undecided("the client identifier of a connection that is lost stays taken") from error
    again.send(end)
    came: list[str] = []
    while (text := str(body(again.receive()))) != end:
        came.append(text)
    return again, came


def _none_twice(case: Case, mode: int, break_off: Callable[[Link], None]) -> None:
    """Settle messages of a mode, break the link off twice, and demand that none is redelivered that was settled."""
    link, name = _holder(case, mode)
    settled = _settled(link)
    break_off(link)
    again, came = _rest(case, link, name, "first end")
    expect.equal("the settled messages that came again", [text for text in came if text in settled], [])
    expect.equal("the others that came twice", sorted({text for text in came if came.count(text) > 1}), [])
    again.client.close_session()
    break_off(again)
    _, later = _rest(case, again, name, "second end")
    settled += came
    expect.equal("the settled messages that came again later", [text for text in later if text in settled], [])


@asserts("7.7-1", "9.1-3", ack=EXPLICIT)
def test_messages_that_are_not_persistent_come_once(case: Case) -> None:
    """After the link is lost, no NON_PERSISTENT message is redelivered that was acknowledged or committed before."""
    _none_twice(case, NON_PERSISTENT, lambda link: case.provider.sever(link.client.connection))


@asserts("7.7-1", "9.1-3", ack=EXPLICIT, variant="provider")
def test_messages_that_are_not_persistent_come_once_though_the_provider_fails(case: Case) -> None:
    """After the provider failed, no NON_PERSISTENT message is redelivered that was acknowledged or committed before."""
    case.needs(api.Hook.KILL)
    _none_twice(case, NON_PERSISTENT, lambda _: case.provider.kill())


@asserts("7.7-6", "9.1-2", ack=EXPLICIT)
def test_persistent_messages_come_once(case: Case) -> None:
    """After the provider failed, no PERSISTENT message is redelivered that was acknowledged or committed before."""
    _none_twice(case, PERSISTENT, lambda _: case.provider.kill())


@asserts("7.7-6", "9.1-2", ack=EXPLICIT, variant="link")
def test_persistent_messages_come_once_though_the_link_is_lost(case: Case) -> None:
    """After the link is lost, no PERSISTENT message is redelivered that was acknowledged or committed before."""
    case.needs(api.Hook.SEVER)
    _none_twice(case, PERSISTENT, lambda link: case.provider.sever(link.client.connection))


@asserts("7.7-6", "9.1-2", ack=("transacted",), variant="forwarded")
def test_forwarded_messages_come_once(case: Case) -> None:
    """What a committed transaction received is not redelivered after the provider failed, and what it sent comes once."""
    link, name = _holder(case, PERSISTENT)
    other = case.name("s")
    target = case.link("auto", durable=other)
    target.client.close()
    forward = link.client.sender(target.destination)
    for _ in range(3):
        for message in link.take_all(2):
            forward.send(message, mode=PERSISTENT)
        link.client.commit()
    case.provider.kill()
    _, came = _rest(case, link, name, "end")
    expect.equal("the messages that had been received", [text for text in came if text in TEN[:6]], [])
    expect.only(reconnected(case, target.destination, durable=other), TEN[:6])


@asserts("7.7-6", "9.1-2", ack=("transacted",), variant="own-destination")
def test_messages_sent_back_to_their_destination_come_once(case: Case) -> None:
    """Transactions receive from a destination and send to it; after the provider failed, what was sent comes once, and nothing else."""
    name = case.name("s")
    link = case.link(durable=name)
    link.sender.set(mode=PERSISTENT)
    link.send_all(TEN[:4])
    for _ in range(2):
        for message in link.take_all(2):
            link.put(f"{body(message)} again")
        link.client.commit()
    case.provider.kill()
    expect.only(reconnected(case, link.destination, durable=name), [f"{text} again" for text in TEN[:4]])


@asserts("7.7-5", ack=("transacted",))
def test_committed_transactions_survive(case: Case) -> None:
    """After the provider failed, all PERSISTENT messages of committed transactions are there: of one destination, two, and many."""
    names = [case.name("s"), case.name("s")]
    holders = [case.link(durable=name) for name in names]
    for holder in holders:
        holder.client.close()
    client = case.client()
    senders = [client.sender(holder.destination) for holder in holders]
    for at, count in enumerate((1, 2, 40)):
        for text in numbered(count):
            for sender in senders[: at + 1]:
                sender.send(client.text(f"{at} {text}"), mode=PERSISTENT)
        client.commit()
    case.provider.kill()
    wanted = [f"{at} {text}" for at, count in enumerate((1, 2, 40)) for text in numbered(count)]
    expect.arrives(reconnected(case, holders[0].destination, durable=names[0]), wanted, ordered=False)
    expect.arrives(reconnected(case, holders[1].destination, durable=names[1]), wanted[1:], ordered=False)


@asserts("7.7-5", ack=("transacted",), variant="other-work")
def test_committed_sends_survive_beside_other_work(case: Case) -> None:
    """What was sent survives the provider's failure though its transaction received too, mixed the modes, or followed a rollback."""
    name = case.name("s")
    holder = case.link(durable=name)
    holder.client.close()
    source = case.link()
    sender = source.client.sender(holder.destination)
    source.send_all(["in 1", "in 2"])
    source.take()
    sender.send(source.text("while it received"), mode=PERSISTENT)
    source.client.commit()
    source.take()
    sender.send(source.text("undone"), mode=PERSISTENT)
    source.client.rollback()
    sender.send(source.text("after a rollback"), mode=PERSISTENT)
    source.client.commit()
    sender.send(source.text("may be lost"), mode=NON_PERSISTENT)
    sender.send(source.text("beside another mode"), mode=PERSISTENT)
    source.client.commit()
    case.provider.kill()
    _, came = _rest(case, holder, name, "end")
    kept = ["while it received", "after a rollback", "beside another mode"]
    expect.equal("the PERSISTENT messages after the failure", [text for text in came if text != "may be lost"], kept)
