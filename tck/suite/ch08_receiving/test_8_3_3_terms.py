"""8.3.3 Unshared durable subscriptions: selector, noLocal, and other subscriptions of the same name."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.clients.subscriptions import publisher, subscription
from tck.suite.support.values.colours import BLUE, RED

BOTH_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)


@asserts("8.3.3-32")
def test_a_shared_durable_subscription_of_the_name_is_in_the_way(case: Case) -> None:
    """Whether it is open or not each unshared method is refused, and the shared subscription keeps what it has."""
    shared = subscription(case, "shared durable", client_id=case.name("c"))
    link = shared.open()
    sender = publisher(case, shared.topic)
    sender.send("before")
    expect.arrives(link, ["before"])
    names = ["create_durable_consumer"] + (["create_durable_subscriber"] if case.api != "simplified" else [])
    for state in ("open", "closed", "open again"):
        if state == "closed":
            link.consumer.close()
        elif state == "open again":
            link = shared.open(client=link.client)
        sender.send(state)
        with expect.all_of():
            for creator in names:
                for session in (link.client.session, link.client.peer().session):
                    for terms in ((), (None, False), (RED, True)):
                        with expect.all_of():
                            call = partial(getattr(session, creator), shared.topic, shared.name, *terms)
                            what = f"{creator}() while a shared subscription of the name is {state}"
                            expect.raises(case.thrown(api.JMSException), call, what=what)
        if state == "open":
            expect.arrives(link, ["open"])
    expect.arrives(link, ["closed", "open again"])


@asserts("8.3.3-33")
def test_a_selector_chooses_what_is_collected(case: Case) -> None:
    """Only what matches joins, in either mode, while the consumer is open, while it is closed, and while it is open again."""
    for selector, colour in ((RED, "red"), (BLUE, "blue"), (f"NOT ({RED})", "blue")):
        watched = subscription(case, "durable", selector=selector)
        sender = publisher(case, watched.topic)
        link = watched.open()
        for turn in range(3):
            for mode in BOTH_MODES:
                sender.sender.set(mode=mode)
                send_coloured(sender, [f"{each} {turn} {mode} open" for each in ("blue", "red")])
                expect.arrives(link, [f"{colour} {turn} {mode} open"])
            link.consumer.close()
            for mode in BOTH_MODES:
                sender.sender.set(mode=mode)
                send_coloured(sender, [f"{each} {turn} {mode} closed" for each in ("blue", "red")])
            link = watched.open(client=link.client)
            expect.arrives(link, [f"{colour} {turn} {mode} closed" for mode in BOTH_MODES], ordered=False)


@asserts("8.3.3-34", ack=("auto", "transacted"))
def test_no_local_leaves_out_the_own_messages(case: Case) -> None:
    """The own session's and another's messages do not join, in either mode, whether the consumer is open or closed."""
    for selector in (None, RED):
        watched = subscription(case, "durable", selector=selector, no_local=True)
        sender = publisher(case, watched.topic)
        link = watched.open()
        peer = case.link(client=link.client.peer(), destination=watched.topic, consumes=False)
        for turn in range(3):
            for own in (link, peer):
                for mode in BOTH_MODES:
                    own.sender.set(mode=mode)
                    send_coloured(own, ["red own"])
            send_coloured(sender, [f"red foreign {turn}"])
            expect.arrives(link, [f"red foreign {turn}"])
            link.consumer.close()
            for mode in BOTH_MODES:
                peer.sender.set(mode=mode)
                send_coloured(peer, ["red own, closed"])
            send_coloured(sender, [f"red foreign {turn}, closed"])
            link = watched.open(client=link.client)
            expect.arrives(link, [f"red foreign {turn}, closed"])


@asserts("8.3.3-35")
def test_no_local_leaves_out_messages_of_the_same_client_identifier(case: Case) -> None:
    """What a later connection with the identifier publishes, before and after it resumes the subscription, does not join."""
    for selector in (None, RED):
        watched = subscription(case, "durable", selector=selector, no_local=True)
        sender = publisher(case, watched.topic)
        watched.open().client.close()
        for turn in range(2):
            own = case.link(client=watched.client(), destination=watched.topic, consumes=False)
            for mode in BOTH_MODES:
                own.sender.set(mode=mode)
                send_coloured(own, ["red own, before"])
            send_coloured(sender, [f"red foreign {turn}"])
            if turn:
                own.client.close()
                own = case.link(client=watched.client(), destination=watched.topic, consumes=False)
            link = watched.open(client=own.client)
            own.sender.set(mode=api.DeliveryMode.PERSISTENT)
            send_coloured(own, ["red own, after"])
            send_coloured(sender, [f"red foreign {turn}, after"])
            expect.arrives(link, [f"red foreign {turn}", f"red foreign {turn}, after"])
            link.client.close()


@asserts("8.3.3-35", variant="restarted")
def test_no_local_counts_after_a_restart(case: Case) -> None:
    """After a restart noLocal still leaves out what a connection with the identifier publishes, and nothing else."""
    case.needs(api.Hook.RESTART)
    watched = subscription(case, "durable", no_local=True)
    watched.open().client.close()
    case.provider.restart()
    own = case.link(client=watched.client(), destination=watched.topic, consumes=False)
    own.send("own")
    publisher(case, watched.topic).send("foreign")
    link = watched.open(client=own.client)
    own.send("own, open")
    publisher(case, watched.topic).send("foreign, open")
    expect.arrives(link, ["foreign", "foreign, open"])


@asserts("8.3.3-36")
def test_no_local_lets_in_the_messages_of_others(case: Case) -> None:
    """With noLocal the messages of other client identifiers, similar ones too, and of none join, open or closed."""
    watched = subscription(case, "durable", no_local=True)
    owner = str(watched.client_id)
    link = watched.open()
    others = [None, None, case.name("c"), f"{owner}x", f"x{owner}"]
    senders = [
        case.link(client=case.client(client_id=one), destination=watched.topic, consumes=False) for one in others
    ]
    for turn in range(2):
        for state in ("open", "closed"):
            for number, sender in enumerate(senders):
                for mode in BOTH_MODES:
                    sender.sender.set(mode=mode)
                    sender.send(f"{turn} {state} {number} {mode}")
            if state == "closed":
                link = watched.open(client=link.client)
            wanted = [f"{turn} {state} {number} {mode}" for number in range(len(senders)) for mode in BOTH_MODES]
            expect.arrives(link, wanted, ordered=False)
            if state == "open":
                link.consumer.close()


@asserts("8.3.3-38")
def test_a_shared_subscription_of_the_same_name_is_another(case: Case) -> None:
    """A durable and a shared non-durable subscription of one name and client are open together; each gets every message."""
    for first, second in (("durable", "shared"), ("shared", "durable")):
        one = subscription(case, "durable")
        other = replace(one, kind="shared")
        named = {"durable": one, "shared": other}
        sender, client = publisher(case, one.topic), one.client()
        links = {first: named[first].open(client=client)}
        links[second] = expect.works(f"a {second} one beside a {first} one", partial(named[second].open, client=client))
        sender.send_all(numbered(3))
        for link in links.values():
            expect.arrives(link, numbered(3))
        links["durable"].consumer.close()
        sender.send("while the durable one is inactive")
        expect.arrives(links["shared"], ["while the durable one is inactive"])
        links["shared"].consumer.close()
        sender.send("while both are inactive")
        resumed = one.open(client=client)
        expect.arrives(resumed, ["while the durable one is inactive", "while both are inactive"])
        shared = other.open(client=client)
        resumed.consumer.close()
        expect.works("unsubscribe() of the durable one", partial(client.session.unsubscribe, one.name))
        sender.send("after the deletion")
        expect.arrives(shared, ["after the deletion"])
