"""4.2.1 Publish/subscribe messaging: topics, publishers and subscribers."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.subscriptions import publisher, subscription


@asserts("4.2.1-1")
def test_topics_behave_alike_in_every_interface(case: Case) -> None:
    """NoLocal leaves out what the own connection publishes, and nothing else, in every interface."""
    watched = subscription(case, "unshared", no_local=True)
    link = watched.open()
    other = publisher(case, watched.topic)
    other.send("from another connection")
    link.send("from the own connection")
    other.send("from another connection again")
    expect.arrives(link, ["from another connection", "from another connection again"])


@asserts("4.2.1-2")
def test_publishers_and_subscribers_do_not_depend_on_each_other(case: Case) -> None:
    """Publishing needs no subscriber and subscribing no publisher, and either may come and go meanwhile."""
    first = case.link(consumes=False)
    expect.works("publishing without a subscriber", lambda: first.send("to nobody"))
    link = expect.works("subscribing", lambda: case.link(destination=first.destination))
    first.send("one")
    first.client.close()
    joining = case.link(destination=link.destination)
    second = case.link(destination=link.destination, consumes=False)
    second.send("two")
    joining.client.close()
    second.send("three")
    expect.arrives(link, ["one", "two", "three"])


@asserts("4.2.1-3", plain=True)
def test_a_topic_distributes_what_all_publishers_send(case: Case) -> None:
    """Each of four subscribers gets what three publishers on three connections send."""
    topic = case.topic()
    links = [case.link(destination=topic) for _ in range(4)]
    for number in (1, 2, 3):
        publisher(case, topic).send_all([f"publisher {number} message {count}" for count in (1, 2)])
    wanted = [f"publisher {number} message {count}" for number in (1, 2, 3) for count in (1, 2)]
    for link in links:
        expect.arrives(link, wanted, ordered=False)
    expect.trace("right-destination", "nondurable-complete-while-open")
