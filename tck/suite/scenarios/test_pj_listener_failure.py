"""A clerk whose listener raises at one message, in each acknowledge mode, and at a message that nobody can process."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.values.seen import body

FIVE = numbered(5)
ATTEMPTS = 20


@scenario("pj-listener-failure")
def test_listener_that_raises(case: Case) -> None:
    """A message whose listener raised is redelivered at once where the session acknowledges by itself, else not by itself."""
    auto, lazy = (worked(case, mode, 6) for mode in ("auto", "dups_ok"))
    client, transacted = (worked(case, mode, 10) for mode in ("client", "transacted"))
    poisoned = poison(case)

    twice = ["001", "002", "002", "003", "004", "005", "behind"]
    with expect.for_row("pj-listener-failure-1"):
        expect.equal("the calls in mode auto", auto.bodies, twice)
    with expect.for_row("pj-listener-failure-2"):
        expect.equal("the calls in mode dups_ok", lazy.bodies, twice)
    with expect.for_row("pj-listener-failure-3"):
        repeats = [flag for clerk in (auto, lazy) for flag, _ in clerk.marks["002"][1:]]
        expect.equal("JMSRedelivered of the repeats", sorted(set(repeats)), [True])
    with expect.for_row("pj-listener-failure-4"):
        counts = [[count for _, count in clerk.marks["002"]] for clerk in (auto, lazy)]
        expect.equal("JMSXDeliveryCount of the calls", [each for each in counts if len(each) > 1][:1], [["1", "2"]])
    with expect.for_row("pj-listener-failure-5"):
        expect.equal("the first calls in mode client", client.bodies[:5], FIVE)
        expect.equal("the first calls in mode transacted", transacted.bodies[:5], FIVE)
    with expect.for_row("pj-listener-failure-6"):
        for mode, clerk in (("client", client), ("transacted", transacted)):
            expect.equal(f"the calls after the return in mode {mode}", sorted(clerk.again), [*FIVE, "behind"])
            flags = [flag for each in FIVE for flag, _ in clerk.marks[each][-1:]]
            expect.equal(f"their flags in mode {mode}", flags, [True] * 5)
    with expect.for_row("pj-listener-failure-7"):
        case.witness("messages came to the listeners")
        expect.record(f"a message that always fails is tried {poisoned} times of at most {ATTEMPTS}")


class ClerkError(RuntimeError):
    """The exception of the listeners."""


class Clerk(CollectingListener):
    """A listener that works on each message and notes JMSRedelivered and JMSXDeliveryCount of each call."""

    def __init__(self, case: Case, work: Callable[[str, int], object]) -> None:
        super().__init__(case)
        self._work = work
        self.marks = defaultdict[str, list[tuple[bool, str | None]]](list)

    def on_message(self, message: api.Message) -> None:
        """Note the message, work, and keep its text."""
        text = str(body(message))
        marks = self.marks[text]
        marks.append((message.jms_redelivered, message.get_string_property("JMSXDeliveryCount")))
        try:
            self._work(text, len(marks))
        finally:
            super().on_message(message)

    @property
    def again(self) -> list[str]:
        """The texts that came after the first call with the last of the five."""
        texts = [str(text) for text in self.bodies]
        return texts[texts.index("005") + 1 :] if "005" in texts else []


def worked(case: Case, mode: str, calls: int) -> Clerk:
    """Let a clerk work on five messages and fail at the second, once; return it when all calls have come, and one more."""
    link = case.link(mode)

    def work(text: str, ordinal: int) -> None:
        if (text, ordinal) == ("005", 1):
            give_back(link.client)
        if (text, ordinal) == ("002", 1):
            raise ClerkError("the clerk fails at message 2")

    clerk = Clerk(case, work)
    link.consumer.message_listener = clerk
    sender = entry(case, link)
    sender.send_all(FIVE)
    clerk.after(calls)
    sender.send("behind")
    clerk.after(calls + 1)
    return clerk


def give_back(client: Client) -> None:
    """Recover or roll back, in the modes in which the client settles."""
    if client.ack in ("client", "transacted"):
        client.return_all()


def entry(case: Case, link: Link) -> Link:
    """Open a sender of the clerk's destination."""
    return case.link("auto", destination=link.destination, consumes=False)


def poison(case: Case) -> int:
    """Send a message at which the listener always fails, up to a number of attempts; return how often it was tried."""
    behind = case.provider.clock.event()

    def work(text: str, ordinal: int) -> None:
        if text == "behind":
            behind.set()
        elif ordinal < ATTEMPTS:
            raise ClerkError("the clerk always fails at this message")

    link = case.link("auto")
    clerk = Clerk(case, work)
    link.consumer.message_listener = clerk
    entry(case, link).send_all(["poison", "behind"])
    behind.wait(case.timing.deadline)
    return len(clerk.marks["poison"])
