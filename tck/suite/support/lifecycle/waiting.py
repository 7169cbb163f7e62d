"""Messages that go back reach whoever waits for them already."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tck.suite.support import expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.interfaces import connect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.lifecycle.stopping import receiving
from tck.suite.support.values.seen import body

_THREE = numbered(3)


def reach_the_waiting(
    case: RunningCase,
    give_back: Callable[[Link], object],
    *,
    closed_first: bool = False,
    peers: tuple[bool, ...] = (False, True),
) -> None:
    """Let a consumer take three messages and give them back, while another one waits in receive(), or with a listener."""
    with expect.all_of():
        for listens in (False, True):
            for peer in peers:
                link = Link(connect(case, case.ack, domain="queue"), case.queue())
                link.send_all(_THREE)
                link.take_all(3)
                if closed_first:
                    link.consumer.close()
                client = link.client.peer("auto") if peer else connect(case, "auto", domain="queue")
                waiting = Link(client, link.destination)
                listener = CollectingListener(case)
                if listens:
                    waiting.consumer.message_listener = listener
                    give_back(link)
                    seen = sorted(map(str, listener.after(3)))
                else:
                    first = receiving(waiting)
                    expect.waits(first, "receive()", "while another consumer has all messages")
                    give_back(link)
                    came: Any = expect.returns(first, "receive() of a consumer that waits")
                    seen = sorted([str(body(came)), *(str(body(one)) for one in waiting.take_all(2))])
                who = "a listener" if listens else "a receive()"
                where = "in the same connection" if peer else "in another connection"
                expect.equal(f"what {who} that waits {where} gets", seen, _THREE)
