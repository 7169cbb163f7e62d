"""A watcher of a queue: it browses all and a part, while messages are received, sent and expire."""

from __future__ import annotations

from collections.abc import Sequence

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.values.seen import body, shown

TWENTY = numbered(20)
LATE, SHORT_LIVED = "021 sent during the browse", "022 expires during the browse"
LAST_TEN = "n > 10"


@scenario("pj-queue-watch")
def test_a_watcher_of_a_queue(case: Case) -> None:
    """Browsing shows what waits, in order, and takes nothing away."""
    queue = case.queue()
    send(case, queue, TWENTY)
    watcher = case.client()
    settled = watcher.browse_until(queue, len(TWENTY))
    twice = [list(map(body, watcher.browse_messages(queue))) for _ in range(2)]
    part = list(map(body, watcher.browse_messages(queue, LAST_TEN)))
    reported = descriptions(watcher, queue)
    receiver = case.client()
    seen, first = watched_change(case, watcher, receiver, queue)
    left = everything(case, receiver, queue)
    rest = list(map(body, left))
    fresh = [*first, *(message for message in left if body(message) == LATE)]

    with expect.for_row("pj-queue-watch-1"):
        expect.equal(
            "the messages received in all",
            [*map(body, first), *(each for each in rest if each != SHORT_LIVED)],
            [*TWENTY, LATE],
        )
        # the others may have been on their way to the first consumer, and count as delivered (3.4.7-3)
        flags = {message.jms_redelivered for message in fresh}
        expect.equal("the flags of redelivery of those that no consumer could have had before", flags, {False})
    with expect.for_row("pj-queue-watch-2"):
        expect.equal("the queue, browsed three times", [settled, *twice], [TWENTY] * 3)
        expect.equal(f"the part where {LAST_TEN}", part, TWENTY[10:])
    with expect.for_row("pj-queue-watch-3"):
        expect.equal("the queue and the selector that browsers report", reported, [shown(queue), LAST_TEN])
    with expect.for_row("pj-queue-watch-4"):
        case.witness("messages were browsed")
        known = {
            name: text in seen for name, text in (("removed", TWENTY[2]), ("sent", LATE), ("expired", SHORT_LIVED))
        }
        shows = ", ".join(name for name, there in known.items() if there) or "none"
        expect.record(f"of the messages removed, sent and expired during an enumeration it shows: {shows}")


def send(case: Case, queue: api.Queue, texts: Sequence[str]) -> None:
    """Send numbered texts from a connection of its own."""
    client = case.client()
    entry = client.sender(queue)
    for text in texts:
        message = client.text(text)
        message.set_int_property("n", int(text[:3]))
        entry.send(message, ttl=int(case.timing.delay) if text == SHORT_LIVED else 0)
    client.close()


def descriptions(watcher: Client, queue: api.Queue) -> list[object]:
    """Return the queue and the selector that browsers report."""
    with watcher.session.create_browser(queue) as plain, watcher.session.create_browser(queue, LAST_TEN) as selecting:
        return [shown(plain.queue), selecting.message_selector]


def watched_change(
    case: Case, watcher: Client, receiver: Client, queue: api.Queue
) -> tuple[list[object], list[api.Message]]:
    """Change the queue while an enumeration is open: receive three, send two, let one expire; return what it shows, and the three."""
    with watcher.session.create_browser(queue) as browser:
        messages = iter(browser.get_enumeration())
        seen = [body(next(messages, None))]
        consumer = receiver.consumer(queue)
        first = [message for _ in range(3) if (message := consumer.receive(case.timing.deadline)) is not None]
        consumer.close()
        send(case, queue, [LATE, SHORT_LIVED])
        case.pass_time(case.timing.delay, "the last message expires")
        return seen + list(map(body, messages)), first


def everything(case: Case, receiver: Client, queue: api.Queue) -> list[api.Message]:
    """Receive all that is left, up to a marker."""
    send(case, queue, ["999"])
    consumer = receiver.consumer(queue)
    left: list[api.Message] = []
    while (message := consumer.receive(case.timing.deadline)) is not None and body(message) != "999":
        left.append(message)
    return left
