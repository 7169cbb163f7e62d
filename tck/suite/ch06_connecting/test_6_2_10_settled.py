"""6.2.10 Message acknowledgment: what acknowledge() has settled is not redelivered, whatever the client does then."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.lifecycle.reconnecting import reconnected
from tck.suite.support.values.seen import tried

CLIENT = ("client",)
DELIVERY_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
THREE = numbered(3)


def _while_stopped(link: Link, message: api.Message) -> None:
    link.client.stop()
    message.acknowledge()
    link.client.start()


def _after_recover(link: Link, message: api.Message) -> None:
    del message
    link.client.recover()
    link.take_all(len(THREE))[-1].acknowledge()


WAYS: Mapping[str, Callable[[Link, api.Message], object]] = {
    "as it came": lambda _, message: message.acknowledge(),
    "twice": lambda _, message: (message.acknowledge(), message.acknowledge()),
    "while the connection is stopped": _while_stopped,
    "at the second delivery": _after_recover,
}


def _settles(case: Case) -> None:
    """Acknowledge three messages in each way, of either mode; recover, and connect anew: only what is sent then comes."""
    with expect.all_of():
        for what, acknowledge in WAYS.items():
            for mode in DELIVERY_MODES:
                name = case.name("s")
                link = case.link(durable=name)
                sender = case.link("auto", destination=link.destination, consumes=False)
                sender.sender.set(mode=mode)
                sender.send_all(THREE)
                acknowledge(link, link.take_all(len(THREE))[-1])
                link.client.recover()
                sender.send(f"after recover(), acknowledged {what}")
                expect.arrives(link, [f"after recover(), acknowledged {what}"])
                link.client.close()
                again = reconnected(case, link.destination, durable=name)
                sender.send(f"to a new connection, acknowledged {what}")
                expect.arrives(again, [f"to a new connection, acknowledged {what}"])
                again.client.close()


@asserts("6.2.10-7", ack=CLIENT, variant="ways")
def test_what_is_acknowledged_does_not_come_again(case: Case) -> None:
    """Messages of a queue, acknowledged at once, twice, while stopped or at the second delivery, come neither after recover() nor elsewhere."""
    _settles(case)


@asserts("6.2.10-8", ack=CLIENT, variant="ways")
def test_what_is_acknowledged_does_not_come_again_to_a_subscription(case: Case) -> None:
    """The same of messages of a durable subscription, which is resumed."""
    _settles(case)


@asserts("6.2.10-7", ack=CLIENT, variant="failed-send")
def test_acknowledge_works_though_a_send_failed(case: Case) -> None:
    """acknowledge() works, and settles messages of a queue for good, though a send of the session failed at the provider before."""
    case.needs(api.Hook.FAULT)
    link, elsewhere = case.link(), case.destination()
    link.send_all(THREE)
    last = link.take_all(len(THREE))[-1]
    case.administer("fail-next-sends", destination=elsewhere, count=1)
    tried(lambda: link.client.sender(elsewhere).send(link.text("fails"), mode=api.DeliveryMode.PERSISTENT))
    expect.works("acknowledge() after a send that failed", last.acknowledge)
    link.client.close()
    expect.only(reconnected(case, link.destination), [])
