"""8.3.3 Unshared durable subscriptions: their deletion."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.clients.subscriptions import publisher, subscription
from tck.suite.support.values.colours import RED
from tck.suite.support.values.seen import tried

TERMS = ((None, False), (RED, False), (None, True), (RED, True))
"""Selector and noLocal: none, each and both."""
MODES = ("auto", "client", "dups_ok", "transacted")


@asserts("8.3.3-18", ack=MODES)
def test_unsubscribe_deletes_what_a_subscription_holds(case: Case) -> None:
    """After unsubscribe(), by the same session and by another connection, equal arguments find nothing of before."""
    with expect.all_of():
        for selector, no_local in TERMS:
            for elsewhere in (False, True):
                with expect.all_of():
                    watched = subscription(case, "durable", selector=selector, no_local=no_local)
                    sender = publisher(case, watched.topic)
                    link = watched.open()
                    send_coloured(sender, ["red 1", "red 2"])
                    expect.arrives(link, ["red 1"])
                    link.consumer.close()
                    send_coloured(sender, ["red 3"])
                    if elsewhere:
                        link.client.close()
                    delete = (
                        watched.unsubscribe if elsewhere else partial(link.client.session.unsubscribe, watched.name)
                    )
                    expect.works("unsubscribe()", delete)
                    again = watched.open(client=None if elsewhere else link.client)
                    expect.nothing_before(again, "red marker", partial(send_coloured, sender, ["red marker"]))
                    again.client.close()


@asserts("8.3.3-18", variant="restarted")
def test_a_deleted_subscription_is_gone_after_a_restart(case: Case) -> None:
    """A subscription that was deleted with messages in it is not there again after a restart."""
    case.needs(api.Hook.RESTART)
    watched = subscription(case, "durable")
    watched.open().client.close()
    publisher(case, watched.topic).send_all(numbered(3))
    expect.works("unsubscribe()", watched.unsubscribe)
    case.provider.restart()
    sender = publisher(case, watched.topic)
    sender.send("after the restart")
    expect.nothing_before(watched.open(), "marker", partial(sender.send, "marker"))


@asserts("8.3.3-19")
def test_unsubscribe_ends_the_collection(case: Case) -> None:
    """What is published after unsubscribe(), in either mode, comes to no later consumer of the name, whatever its terms."""
    with expect.all_of():
        for selector, no_local in TERMS:
            for backlog in (0, 4):
                with expect.all_of():
                    watched = subscription(case, "durable", selector=selector, no_local=no_local)
                    sender = publisher(case, watched.topic)
                    watcher = case.link("auto", destination=watched.topic)
                    watched.open().client.close()
                    send_coloured(sender, [f"red {number}" for number in range(backlog)])
                    watched.unsubscribe()
                    for mode in (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT):
                        sender.sender.set(mode=mode)
                        send_coloured(sender, ["red after the end"])
                    expect.arrives(
                        watcher, [*(f"red {number}" for number in range(backlog)), *["red after the end"] * 2]
                    )
                    again = expect.works("subscribing again", watched.open)
                    expect.nothing_before(again, "red marker", partial(send_coloured, sender, ["red marker"]))


@asserts("8.3.3-23")
def test_an_unknown_name_is_refused(case: Case) -> None:
    """unsubscribe() of a name that never was, that was deleted, or that another client has raises InvalidDestinationException."""
    wanted = case.thrown(api.InvalidDestinationException)
    watched = subscription(case, "durable")
    link = watched.open()
    link.send("x")
    expect.arrives(link, ["x"])
    link.consumer.close()
    foreign = subscription(case, "durable")
    foreign.open().client.close()
    session = link.client.session
    expect.works("unsubscribe() of the own name", partial(session.unsubscribe, watched.name))
    with expect.all_of():
        for what, name in (
            ("that never was", case.name("s")),
            ("that was deleted", watched.name),
            ("of another client", foreign.name),
            ("like the topic's", str(watched.topic.topic_name)),
        ):
            with expect.all_of():
                expect.raises(wanted, partial(session.unsubscribe, name), what=f"unsubscribe() of a name {what}")


@asserts("8.3.3-24")
def test_only_the_same_client_deletes(case: Case) -> None:
    """unsubscribe() of the name under other client identifiers and under none leaves the subscription as it is."""
    for selector, no_local in TERMS:
        watched = subscription(case, "durable", selector=selector, no_local=no_local)
        owner = str(watched.client_id)
        watched.open().client.close()
        sender = publisher(case, watched.topic)
        send_coloured(sender, ["red 1"])
        for other in (None, case.name("c"), f"{owner}x", f"x{owner}"):
            client = case.client(client_id=other)
            tried(partial(client.session.unsubscribe, watched.name))  # refused or not: another row
            client.close()
        send_coloured(sender, ["red 2"])
        link = watched.open()
        expect.arrives(link, ["red 1", "red 2"])
        namesake = replace(watched, client_id=case.name("c"))
        namesake.open().client.close()
        link.client.close()
        send_coloured(sender, ["red 3"])
        namesake.unsubscribe()
        send_coloured(sender, ["red 4"])
        expect.arrives(watched.open(), ["red 3", "red 4"])


@asserts("8.3.3-25", ack=MODES)
def test_a_closed_consumer_is_inactive(case: Case) -> None:
    """After the close of a consumer that had messages, by receive or by a listener, unsubscribe() in the session deletes."""
    with expect.all_of():
        for by_listener in (False, True):
            with expect.all_of():
                watched = subscription(case, "durable")
                sender = publisher(case, watched.topic)
                link, listener = watched.open(), CollectingListener(case)
                sender.send_all(numbered(3))
                if by_listener:
                    link.consumer.message_listener = listener
                    listener.after(3)
                else:
                    expect.arrives(link, numbered(2))
                link.consumer.close()
                if link.client.transacted:
                    link.client.commit()
                elif link.client.ack == "client":
                    link.client.recover()
                session = link.client.session
                expect.works(
                    "unsubscribe() after the close of the consumer", partial(session.unsubscribe, watched.name)
                )
                sender.send("in between")
                again = watched.open(client=link.client)
                expect.nothing_before(again, "marker", partial(sender.send, "marker"))


@asserts("8.3.3-26", ack=MODES)
def test_the_close_of_an_owner_makes_a_consumer_inactive(case: Case) -> None:
    """After the close of a session or connection with an open consumer and unsettled messages, unsubscribe() deletes."""
    with expect.all_of():
        for whole in (False, True):
            with expect.all_of():
                watched = subscription(case, "durable")
                sender = publisher(case, watched.topic)
                link = watched.open()
                sender.send_all(numbered(4))
                expect.arrives(link, numbered(2))
                expect.arrives(link, numbered(3)[2:], settle=False)
                peer = link.client.peer()
                if whole:
                    link.client.close()
                    peer.close()
                else:
                    link.client.close_session()
                deleter = watched.client() if whole else peer
                ended = "connection" if whole else "session"
                delete = partial(deleter.session.unsubscribe, watched.name)
                expect.works(f"unsubscribe() after the close of the {ended}", delete)
                sender.send("in between")
                expect.nothing_before(watched.open(client=deleter), "marker", partial(sender.send, "marker"))
