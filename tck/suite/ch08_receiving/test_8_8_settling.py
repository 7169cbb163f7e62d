"""8.8 Closing a consumer: acknowledgement and transactions go on as if it were open."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener, Listener
from tck.suite.support.values.seen import tried


class _Place:
    """A queue, or a topic with a durable subscription, whose messages outlast a consumer."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._name = case.name("s")
        self.destination = case.destination()

    def open(self, first: Link | None = None, ack: str | None = None) -> Link:
        """Open a consumer: in the session of `first`, or on a connection of its own."""
        client = None if first is None else first.client
        return self._case.link(ack, client=client, destination=self.destination, durable=self._name)

    def sender(self) -> Link:
        """Open a sender on a connection of its own."""
        return self._case.link("auto", destination=self.destination, consumes=False)


@asserts("8.8-10", ack=("auto", "dups_ok"))
def test_a_message_is_acknowledged_though_its_listener_closed_the_consumer(case: Case) -> None:
    """The message whose listener closed its consumer is not redelivered; those behind it are, in the session and elsewhere."""
    for elsewhere in (False, True)[case.ack == "dups_ok" :]:  # that mode may wait for the end of the session
        place = _Place(case)
        link = place.open()
        done = case.provider.clock.event()
        results: list[object] = []

        def close(
            message: object, ordinal: int, link: Link = link, done: object = done, results: list[object] = results
        ) -> None:
            del message
            results.append((ordinal, tried(link.consumer.close)))
            done.set()  # type: ignore[attr-defined]  # an event

        link.consumer.message_listener = Listener(close)
        place.sender().send_all(numbered(3))
        expect.true(
            "the listener came to its end", done.wait(case.timing.deadline), "it was not called, or did not return"
        )
        link.client.stop()  # it waits for the listener
        link.client.start()
        if elsewhere:
            link.client.close()
        again = place.open(None if elsewhere else link)
        expect.equal("the close in the listener", results, [(1, None)])
        expect.arrives(again, numbered(3)[1:])
        expect.only(again)


def _comes_no_more(case: Case) -> None:
    for by_listener in (False, True):
        for elsewhere in (False, True):
            place = _Place(case)
            link, listener = place.open(), CollectingListener(case)
            sender = place.sender()
            if by_listener:
                link.consumer.message_listener = listener
                sender.send_all(numbered(2))
                expect.equal("what the listener got", listener.after(2), numbered(2))
            else:
                sender.send_all(numbered(4))
                expect.arrives(link, numbered(2))
            link.consumer.close()
            if by_listener:
                sender.send_all(numbered(4)[2:])
            if elsewhere:
                link.client.close()
            again = place.open(None if elsewhere else link)
            expect.arrives(again, numbered(4)[2:])
            expect.only(again)


@asserts("8.8-11", ack=("auto",))
def test_auto_acknowledged_messages_stay_acknowledged(case: Case) -> None:
    """What was received, by receive or by a listener, before the close comes to no consumer of the session or of another."""
    _comes_no_more(case)


@asserts("8.8-12", ack=("dups_ok",))
def test_lazily_acknowledged_messages_are_acknowledged(case: Case) -> None:
    """What was received before the close comes to no other consumer once the session has ended in order."""
    for by_listener in (False, True):
        place = _Place(case)
        link, listener = place.open(), CollectingListener(case)
        sender = place.sender()
        sender.send_all(numbered(2))
        if by_listener:
            link.consumer.message_listener = listener
            expect.equal("what the listener got", listener.after(2), numbered(2))
        else:
            expect.arrives(link, numbered(2))
        link.consumer.close()
        sender.send("behind")
        link.client.close()
        again = place.open()
        expect.arrives(again, ["behind"])
        expect.only(again)


@asserts("8.8-13", ack=("client",))
def test_acknowledge_after_the_close_of_the_consumer(case: Case) -> None:
    """acknowledge() of a message whose consumer is closed works, and covers what the session got from others too."""
    for of_closed in (True, False):
        place, other_place = _Place(case), case.link("auto", consumes=False)
        link = place.open()
        other = case.link(client=link.client, destination=other_place.destination)
        place.sender().send_all(numbered(3))
        other_place.send("other")
        messages = expect.arrives(link, numbered(3)[:2], settle=False)
        messages += expect.arrives(other, ["other"], settle=False)
        link.consumer.close()
        chosen = messages[0] if of_closed else messages[-1]
        what = (
            "acknowledge() of a message of the closed consumer" if of_closed else "acknowledge() of another's message"
        )
        expect.works(what, chosen.acknowledge)
        link.client.close()
        again = place.open()
        expect.arrives(again, numbered(3)[2:])
        expect.only(again)


@asserts("8.8-14", ack=("client",))
def test_the_close_does_not_acknowledge(case: Case) -> None:
    """What a closed consumer had and nobody acknowledged is redelivered after recover(), and after the end of the session."""
    for recovers in (True, False):
        place = _Place(case)
        link = place.open()
        place.sender().send_all(numbered(3))
        expect.arrives(link, numbered(2), settle=False)
        link.consumer.close()
        if recovers:
            link.client.recover()
        else:
            link.client.close()
        again = place.open(link if recovers else None)
        expect.arrives(again, numbered(3), ordered=False)
        expect.only(again)


@asserts("8.8-15", ack=("transacted",))
def test_a_commit_covers_closed_consumers(case: Case) -> None:
    """A commit after the close of one consumer, and of all, consumes what they had; a new session gets the rest."""
    for all_closed in (True, False):
        place, other_place = _Place(case), _Place(case)
        link = place.open()
        other = None if all_closed else case.link(client=link.client)
        place.sender().send_all(numbered(4))
        expect.arrives(link, numbered(2), settle=False)
        link.consumer.close()
        expect.works("commit() after the close of the consumer", link.client.commit)
        link.client.close()
        again = place.open()
        expect.arrives(again, numbered(4)[2:])
        expect.only(again)
        del other, other_place


@asserts("8.8-16", ack=("transacted",))
def test_a_rollback_covers_closed_consumers(case: Case) -> None:
    """After a rollback what closed consumers had is redelivered, to a consumer of the session and of another connection."""
    for elsewhere in (True, False):
        place = _Place(case)
        link = place.open()
        place.sender().send_all(numbered(4))
        expect.arrives(link, numbered(2), settle=False)
        link.consumer.close()
        expect.works("rollback() after the close of the consumer", link.client.rollback)
        if elsewhere:
            link.client.close()
        again = place.open(None if elsewhere else link)
        expect.arrives(again, numbered(4), ordered=False)
        expect.only(again)


@asserts("8.8-17", ack=("transacted",))
def test_the_close_leaves_the_transaction_open(case: Case) -> None:
    """What was sent in the transaction is not delivered at the close of the last consumer, is after a commit, and not after a rollback."""
    for commits in (True, False):
        place, target = _Place(case), case.link("auto")
        link = place.open()
        place.sender().send("x")
        expect.arrives(link, ["x"], settle=False)
        forward = case.link(client=link.client, destination=target.destination, consumes=False)
        forward.put("sent in the transaction")
        link.consumer.close()
        expect.only(target)
        if commits:
            link.client.commit()
        else:
            link.client.rollback()
        expect.only(target, ["sent in the transaction"] if commits else [])
        link.client.close()
        expect.only(place.open(), [] if commits else ["x"])


@asserts("8.8-18")
def test_a_consumer_is_closed_at_the_end_of_a_with_block(case: Case) -> None:
    """A consumer used as a managed resource works in the block, and gets nothing after it, by a failure of the block either."""
    for fails in (False, True):
        place = _Place(case)
        link, listener = place.open(), CollectingListener(case)
        sender = place.sender()

        def use(
            link: Link = link, listener: CollectingListener = listener, sender: Link = sender, fails: bool = fails
        ) -> None:
            with link.consumer:
                link.consumer.message_listener = listener
                sender.send_all(numbered(2))
                expect.equal("what the listener got in the block", listener.after(2), numbered(2))
                if fails:
                    raise LookupError

        expect.equal("the end of the block", tried(use), "raises LookupError" if fails else None)
        sender.send("after")
        sender.dispatched()
        link.client.close()
        expect.arrives(place.open(), ["after"])
        expect.equal("what the listener got in all", listener.bodies, numbered(2))
